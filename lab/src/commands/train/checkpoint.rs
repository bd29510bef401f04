//! A run that can be stopped at any time: it is kept in a file, and goes on from there.

use super::{Args, Job};
use crate::destination::Destination;
use crate::error::{Error, Result};
use crate::run::Recipe;
use crate::task::Task;
use crate::training::Training;
use ipse::checkpoint::{LoadError, VERSION};
use std::path::Path;
use std::{fs, io};

/// Where a run is kept, and how often.
pub struct Keeper<'a> {
    file: &'a Path,
    destination: Destination,
    every: u32,
}

impl<'a> Keeper<'a> {
    pub fn new(args: &'a Args) -> Result<Option<Self>> {
        let Some(file) = args.checkpoint.as_deref() else {
            return Ok(None);
        };
        Ok(Some(Keeper {
            file,
            destination: Destination::new(file)?,
            every: args.checkpoint_every,
        }))
    }

    pub fn destination(&self) -> &Destination {
        &self.destination
    }

    /// The run that the file holds, if there is a file.
    pub fn resume<E: Task>(&self, job: &Job<E>, recipe: &Recipe<E>) -> Result<Option<Training<E>>> {
        let bytes = match fs::read(self.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.refuse(&format!("it cannot be read ({error})"))),
            Ok(bytes) => bytes,
        };
        let (label, bytes) = label::split(&bytes);
        if let Some(label) = label.filter(|found| *found != label::of::<E>()) {
            let this = label::of::<E>();
            return Err(self.refuse(&format!("it is of {label}, and this is {this}")));
        }
        let (training, seed) = Training::load(recipe, job.setup.task, bytes)
            .map_err(|error| self.refuse(&reason(&error)))?;
        let done = training.run.progress().iterations;
        if seed != job.args.seed {
            return Err(self.refuse(&format!("its run is that of --seed {seed}")));
        }
        if done > job.extent.iterations {
            return Err(self.refuse(&format!(
                "it is at iteration {done}, later than --iterations {}",
                job.extent.iterations
            )));
        }
        eprintln!(
            "resumed after iteration {done} from {}",
            self.file.display()
        );
        Ok(Some(training))
    }

    /// Keeps the run if it is time, or if it is over.
    pub fn keep<E: Task>(&self, job: &Job<E>, training: &mut Training<E>) -> Result {
        let done = training.run.progress().iterations;
        if done.is_multiple_of(self.every) || job.is_done(&*training.run) {
            let mut bytes = label::line::<E>();
            bytes.extend(training.save(job.args.seed));
            self.destination.write(bytes)?;
        }
        Ok(())
    }

    fn refuse(&self, reason: &str) -> Error {
        let file = self.file.display();
        Error::Option(format!(
            "cannot resume from {file}: {reason}; it stays as it is, so give another file to start anew"
        ))
    }
}

/// The first line of a file, which names its task and the features.
mod label {
    use ipse::environment::Environment;

    const BEGINNING: &str = "ipse checkpoint: ";

    /// The task, and its features.
    pub fn of<E: Environment>() -> String {
        let features = E::FEATURES;
        let names: Vec<&str> = features
            .as_ref()
            .iter()
            .map(|feature| feature.name)
            .collect();
        format!("{} ({})", E::NAME, names.join(", "))
    }

    pub fn line<E: Environment>() -> Vec<u8> {
        format!("{BEGINNING}{}\n", of::<E>()).into_bytes()
    }

    /// What the first line says, if there is one, and the rest.
    pub fn split(bytes: &[u8]) -> (Option<String>, &[u8]) {
        let labelled = || {
            let rest = bytes.strip_prefix(BEGINNING.as_bytes())?;
            let end = rest.iter().position(|byte| *byte == b'\n')?;
            let label = String::from_utf8_lossy(&rest[..end]).into_owned();
            Some((Some(label), &rest[end + 1..]))
        };
        labelled().unwrap_or((None, bytes))
    }
}

fn reason(error: &LoadError) -> String {
    match error {
        LoadError::Foreign => {
            "it was made with other options for the algorithm, the learner or the task".into()
        }
        LoadError::NotACheckpoint => "it is not a checkpoint".into(),
        LoadError::Version(version) => format!(
            "it is of another release: its format has version {version}, and only version {VERSION} can be read"
        ),
        LoadError::Damaged => "it is damaged, its checksum is wrong".into(),
        LoadError::Invalid(invalid) => format!("it is invalid: {invalid}"),
        other => other.to_string(),
    }
}
