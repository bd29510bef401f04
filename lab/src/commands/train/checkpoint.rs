//! A run that can be stopped at any time: it is kept in a file, and goes on from there.

use super::Args;
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
    pub fn resume<E: Task>(
        &self,
        recipe: &Recipe<E>,
        task: E,
        args: &Args,
    ) -> Result<Option<Training<E>>> {
        let bytes = match fs::read(self.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.refuse(&format!("it cannot be read ({error})"))),
            Ok(bytes) => bytes,
        };
        let (training, seed) =
            Training::load(recipe, task, &bytes).map_err(|error| self.refuse(&reason(&error)))?;
        let done = training.run.progress().iterations;
        if seed != args.seed {
            return Err(self.refuse(&format!("its run is that of --seed {seed}")));
        }
        if done > args.iterations() {
            return Err(self.refuse(&format!(
                "it is at iteration {done}, later than --iterations {}",
                args.iterations()
            )));
        }
        eprintln!(
            "resumed after iteration {done} from {}",
            self.file.display()
        );
        Ok(Some(training))
    }

    /// Keeps the run if it is time, or if it is over.
    pub fn keep<E: Task>(&self, training: &mut Training<E>, args: &Args) -> Result {
        let done = training.run.progress().iterations;
        if done.is_multiple_of(self.every) || args.is_done(&*training.run) {
            self.destination.write(training.save(args.seed))?;
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
            "it was made with other options for the algorithm, the learner or the game".into()
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
