//! Locks between processes. They end with the process that holds them, however it ends.

use fs4::{FileExt, TryLockError};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Locks an open file. Returns `false` if another process has locked it.
pub fn try_lock(file: &File) -> io::Result<bool> {
    match FileExt::try_lock(file) {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        // Some network file systems have no locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Opens the file at `path` and locks it. `None` if another process has locked it.
pub fn open(path: &Path, options: &OpenOptions) -> io::Result<Option<File>> {
    loop {
        let file = options.open(path)?;
        if !try_lock(&file)? {
            return Ok(None);
        }
        // Whoever had it may have removed or replaced it since it was opened.
        if is_at(&file, path)? {
            return Ok(Some(file));
        }
    }
}

/// Returns whether a file is the one at `path`.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let open = file.metadata()?;
    match fs::metadata(path) {
        Ok(found) => Ok((found.dev(), found.ino()) == (open.dev(), open.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// An open file can neither be removed nor replaced.
#[cfg(not(unix))]
pub fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// A lock for a file that is replaced while it is locked: another file beside it.
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Locks what is at `path`, or will be. `None` if another process has locked it.
    pub fn of(path: &Path) -> io::Result<Option<Self>> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let path = path.with_file_name(format!(".{name}.lock"));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            // Nobody is to choose by a link which file is made.
            options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
        }
        let file = open(&path, &options)?;
        Ok(file.map(|_file| Lock { path, _file }))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is locked: whoever has opened it meanwhile finds that it is gone, and opens another.
        let _ = fs::remove_file(&self.path);
    }
}
