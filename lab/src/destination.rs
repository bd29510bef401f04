//! A file that is there as a whole or not at all.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where to write once there is something to write.
pub struct Destination {
    path: PathBuf,
    /// Beside it, so that it can be renamed.
    temporary: PathBuf,
}

impl Destination {
    /// Makes sure that `path` can be written later, and leaves it as it is.
    pub fn new(path: &Path) -> Result<Self> {
        Self::prepare(path).map_err(|error| refused(path, &error))
    }

    fn prepare(path: &Path) -> io::Result<Self> {
        // A link stays one.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("not a regular file"));
        }
        let name = path
            .file_name()
            .ok_or_else(|| io::Error::other("not the name of a file"))?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(hidden);
        File::create(&temporary)?;
        fs::remove_file(&temporary)?;
        Ok(Destination { path, temporary })
    }

    pub fn write(&self, content: impl AsRef<[u8]>) -> Result {
        let write = || {
            let mut file = File::create(&self.temporary)?;
            file.write_all(content.as_ref())?;
            file.sync_all()?;
            fs::rename(&self.temporary, &self.path)
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&self.temporary);
            refused(&self.path, &error)
        })
    }
}

fn refused(path: &Path, error: &io::Error) -> Error {
    Error::Option(format!("cannot write {}: {error}", path.display()))
}
