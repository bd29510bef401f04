//! A run that can be stopped at any time: it is kept in a file, and goes on from there.

use super::Args;
use crate::destination::Destination;
use crate::error::{Error, Result};
use crate::training::{Checked, Training};
use ipse::checkpoint::LoadError;
use ipse::environment::Resumable;
use ipse::tetris::{FEATURES, PLACEMENTS};
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
    pub fn resume<E>(
        &self,
        task: E,
        config: Checked<FEATURES>,
        args: &Args,
    ) -> Result<Option<Training<E>>>
    where
        E: Resumable<FEATURES, PLACEMENTS> + Sync,
    {
        let bytes = match fs::read(self.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.refuse(&format!("it cannot be read ({error})"))),
            Ok(bytes) => bytes,
        };
        let (training, seed) =
            Training::load(task, config, &bytes).map_err(|error| self.refuse(&reason(&error)))?;
        let done = training.agent.iterations();
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
    pub fn keep<E>(&self, training: &Training<E>, args: &Args) -> Result
    where
        E: Resumable<FEATURES, PLACEMENTS> + Sync,
    {
        let done = training.agent.iterations();
        if done.is_multiple_of(self.every) || args.is_done(&training.agent) {
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
        other => format!("it is {other}"),
    }
}
