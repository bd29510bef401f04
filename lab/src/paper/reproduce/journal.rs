//! The file to which replications are added as they come.

use super::experiment::Experiment;
use super::folder::{Folder, damaged};
use super::replication::Replication;
use super::results::{Key, Results};
use super::shard::Shard;
use super::table;
use crate::error::{Error, Result};
use crate::lock;
use crate::output::tell;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
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
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = lock::open(&path, &options)
            .map_err(refused)?
            .ok_or_else(|| {
                Error::File(format!(
                    "another process is writing to {}; wait for it, or give another --out",
                    path.display()
                ))
            })?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(refused)?;
        let torn = table::read(&text, experiment, results).map_err(|it| damaged(&path, &it))?;
        if let Some(torn) = torn {
            tell!(
                "{}, line {}: the run was stopped while writing this replication; it will run again",
                path.display(),
                torn.line
            );
            file.set_len(torn.complete as u64).map_err(refused)?;
            text.truncate(torn.complete);
        }
        if text.is_empty() {
            file.seek(SeekFrom::End(0)).map_err(refused)?;
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

fn refused(path: &std::path::Path, error: &io::Error) -> Error {
    Error::File(format!("cannot write {}: {error}", path.display()))
}
