//! A run that can be stopped at any time: it is kept in a file, and goes on from there.

use super::{Args, Job};
use crate::destination::Destination;
use crate::error::{Error, Result};
use crate::run::Recipe;
use crate::task::Task;
use crate::training::Training;
use ipse::checkpoint::{LoadError, VERSION};
use ipse_device::label::{Label, split};
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
        let (label, bytes) = split(&bytes);
        let this = Label::<E>::default().to_string();
        if let Some(label) = label.filter(|found| *found != this.as_bytes()) {
            let label = String::from_utf8_lossy(label);
            return Err(self.refuse(&format!("it is of {label}, and this is {this}")));
        }
        let training = Training::load(recipe, job.setup.task, bytes)
            .map_err(|error| self.refuse(&reason(&error)))?;
        let done = training.run.progress().iterations;
        let seed = training.seed();
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
            let mut bytes = Label::<E>::default().line().to_string().into_bytes();
            bytes.extend(training.save());
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
