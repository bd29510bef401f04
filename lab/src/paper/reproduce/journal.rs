//! The file to which replications are added as they come.

use super::experiment::Experiment;
use super::folder::{Folder, damaged};
use super::replication::Replication;
use super::results::{Key, Results};
use super::shard::Shard;
use super::table;
use crate::error::{Error, Result};
use crate::output::tell;
use crate::{input, lock};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

pub struct Journal {
    path: PathBuf,
    /// Locked for as long as it is open.
    file: Mutex<File>,
}

impl Journal {
    pub fn name(shard: Shard) -> String {
        format!("runs-{}-of-{}.csv", shard.part, shard.of)
    }

    /// Opens the journal of a shard and adds what it holds to `results`. What was torn when its
    /// writer was stopped is cut off.
    pub fn open(
        folder: &Folder,
        shard: Shard,
        experiment: &Experiment,
        results: &mut Results,
    ) -> Result<Self> {
        let path = folder.file(&Self::name(shard));
        let refused = |error| refused(&path, &error);
        let mut file = locked(&path)?;
        let mut text = input::read_file(&path, table::LARGEST).map_err(refused)?;
        // First of all, since the same replication may have another result elsewhere.
        let found = table::read(&text, experiment, results).map_err(|it| damaged(&path, &it))?;
        if let Some(torn) = found.torn {
            tell!(
                "{}, line {}: the run was stopped while writing this replication; it will run again",
                path.display(),
                torn.line
            );
            file.set_len(torn.complete as u64).map_err(refused)?;
            text.truncate(torn.complete);
        }
        if found.is_unchecked {
            let mut own = Results::default();
            table::read(&text, experiment, &mut own).map_err(|it| damaged(&path, &it))?;
            tell!("{} had no checksums: now it has", path.display());
            folder.write(&Self::name(shard), own.all_to_csv(experiment))?;
            drop(file);
            file = locked(&path)?;
        } else if text.is_empty() {
            file.write_all(table::HEADER.as_bytes()).map_err(refused)?;
        }
        let file = Mutex::new(file);
        Ok(Journal { path, file })
    }

    /// Adds a replication, and returns when it is safe.
    pub fn append(&self, experiment: &Experiment, key: Key, run: &Replication) -> Result {
        let rows = table::rows(experiment, key, run);
        let mut file = self.file.lock().expect("no thread panics with the file");
        file.write_all(rows.as_bytes())
            .and_then(|()| file.sync_data())
            .map_err(|error| refused(&self.path, &error))
    }
}

/// The file, new or not, which no other process may open so at the same time.
fn locked(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    let file = lock::open(path, &options).map_err(|error| refused(path, &error))?;
    file.ok_or_else(|| {
        Error::File(format!(
            "another process is writing to {}; wait for it, or give another --out",
            path.display()
        ))
    })
}

fn refused(path: &Path, error: &io::Error) -> Error {
    Error::File(format!("cannot write {}: {error}", path.display()))
}
