//! A run that can be stopped at any time: it is kept in a file, and goes on from there.

use super::{Args, Job};
use crate::destination::Destination;
use crate::error::{Error, Result};
use crate::input;
use crate::interrupt::on_interrupt;
use crate::lock::Lock;
use crate::output::tell;
use crate::run::Recipe;
use crate::task::Task;
use crate::training::Training;
use indicatif::ProgressBar;
use ipse::checkpoint::{LoadError, VERSION};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, process, thread};

/// Where a run is kept, and how often.
pub struct Keeper<'a> {
    file: &'a Path,
    every: u32,
    kept: Arc<Kept>,
}

/// What is shared with the thread that is told to stop.
struct Kept {
    file: PathBuf,
    destination: Destination,
    /// Held while an iteration is shown and becomes the latest, so that what was shown is what is kept.
    turn: Mutex<()>,
    latest: Mutex<Latest>,
}

/// The last iteration that is complete.
struct Latest {
    iteration: u32,
    /// Nothing if that is what the file holds.
    bytes: Option<Vec<u8>>,
    /// Until the process ends.
    lock: Option<Lock>,
}

/// How long a stop waits for an iteration to be shown.
const GRACE: Duration = Duration::from_secs(2);

/// The largest file that is read: many times the largest checkpoint.
const LARGEST: usize = 1 << 24;

impl<'a> Keeper<'a> {
    pub fn new(args: &'a Args) -> Result<Option<Self>> {
        let Some(file) = args.checkpoint.as_deref() else {
            return Ok(None);
        };
        let destination = Destination::new(file)?;
        let unlocked = |error| Error::File(format!("cannot lock {}: {error}", file.display()));
        let lock = Lock::of(destination.path()).map_err(unlocked)?;
        let lock = lock.ok_or_else(|| {
            Error::File(format!(
                "another process keeps its run in {}; wait for it, or give another --checkpoint",
                file.display()
            ))
        })?;
        let latest = Latest {
            iteration: 0,
            bytes: None,
            lock: Some(lock),
        };
        Ok(Some(Keeper {
            file,
            every: args.checkpoint_every,
            kept: Arc::new(Kept {
                file: file.into(),
                destination,
                turn: Mutex::default(),
                latest: Mutex::new(latest),
            }),
        }))
    }

    pub fn destination(&self) -> &Destination {
        &self.kept.destination
    }

    /// The run that the file holds, if there is a file.
    pub fn resume<E: Task>(&self, job: &Job<E>, recipe: &Recipe<E>) -> Result<Option<Training<E>>> {
        let bytes = match input::read_file(self.file, LARGEST) {
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
        tell!(
            "resumed after iteration {done} from {}",
            self.file.display()
        );
        self.kept.latest().iteration = done;
        Ok(Some(training))
    }

    /// From now on, whoever stops the process has the last iteration kept first.
    pub fn keep_when_stopped(&self, bar: &ProgressBar) -> Result {
        let (kept, bar) = (Arc::clone(&self.kept), bar.clone());
        on_interrupt(move |code| kept.stop(code, &bar))
    }

    /// Shows an iteration, and makes it the latest. Writes it if it is time, or if the run is over.
    pub fn keep<E: Task>(
        &self,
        job: &Job<E>,
        training: &mut Training<E>,
        show: impl FnOnce(),
    ) -> Result {
        let mut bytes = label::line::<E>();
        bytes.extend(training.save(job.args.seed));
        let done = training.run.progress().iterations;
        let _turn = self.kept.turn.lock();
        show();
        let mut latest = self.kept.latest();
        (latest.iteration, latest.bytes) = (done, Some(bytes));
        match done.is_multiple_of(self.every) || job.is_done(&*training.run) {
            true => self.kept.write(&mut latest),
            false => Ok(()),
        }
    }

    fn refuse(&self, reason: &str) -> Error {
        let file = self.file.display();
        Error::File(format!(
            "cannot resume from {file}: {reason}; it stays as it is, so give another file to start anew"
        ))
    }
}

impl Drop for Keeper<'_> {
    fn drop(&mut self) {
        // The thread that waits for signals does not end.
        self.kept.latest().lock = None;
    }
}

impl Kept {
    fn latest(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, latest: &mut Latest) -> Result {
        match latest.bytes.take() {
            Some(bytes) => self.destination.write(bytes),
            None => Ok(()),
        }
    }

    /// Keeps the last iteration, and ends the process.
    fn stop(&self, code: i32, bar: &ProgressBar) {
        // Nobody may be reading what is shown, and then the bar waits with it.
        let start = Instant::now();
        let mut turn = self.turn.try_lock();
        while turn.is_err() && start.elapsed() < GRACE {
            thread::sleep(Duration::from_millis(5));
            turn = self.turn.try_lock();
        }
        let mut latest = self.latest();
        if turn.is_ok() {
            bar.finish_and_clear();
        }
        let (iteration, file) = (latest.iteration, self.file.display());
        match self.write(&mut latest) {
            Err(error) => tell!("stopped after iteration {iteration}, and not kept: {error}"),
            Ok(()) if iteration == 0 => tell!("stopped before the first iteration was complete"),
            Ok(()) => tell!(
                "stopped after iteration {iteration}, which is kept in {file}; the same command goes on from there"
            ),
        }
        latest.lock = None;
        process::exit(code)
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
