//! A file that is there as a whole or not at all.

use crate::error::{Error, Result};
use crate::lock;
use fs4::FileExt;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Where to write when there is something to write.
pub struct Destination {
    /// The folder, as it is without links.
    folder: PathBuf,
    /// In that folder. It is no link, so that one that led here stays.
    path: PathBuf,
    /// How the names of temporary files begin. They are in the same folder, so that they can be renamed.
    prefix: String,
}

/// How the names of temporary files end, after so many random letters and digits.
const SUFFIX: &str = ".tmp";
const RANDOM: usize = 10;
/// The most characters of a name that its temporary files share, so that their names are not too long.
const SHARED: usize = 40;
/// The most links that are followed, as in Linux.
const LINKS: usize = 40;

impl Destination {
    /// Makes sure that `path` can be written later, and leaves it as it is.
    pub fn new(path: &Path) -> Result<Self> {
        Self::prepare(path).map_err(|error| refused(path, &error))
    }

    fn prepare(path: &Path) -> io::Result<Self> {
        let path = followed(path)?;
        let name = path
            .file_name()
            .ok_or_else(|| io::Error::other("not the name of a file"))?;
        let folder = fs::canonicalize(folder_of(&path))?;
        let path = folder.join(name);
        if let Ok(found) = fs::metadata(&path) {
            check(&found)?;
        }
        let shared: String = name.to_string_lossy().chars().take(SHARED).collect();
        let prefix = format!(".{shared}.");
        let destination = Destination {
            folder,
            path,
            prefix,
        };
        destination.clean_up();
        destination.temporary()?;
        Ok(destination)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn write(&self, content: impl AsRef<[u8]>) -> Result {
        self.replace(content.as_ref())
            .map_err(|error| refused(&self.path, &error))
    }

    fn replace(&self, content: &[u8]) -> io::Result<()> {
        let mut temporary = self.temporary()?;
        if let Ok(found) = fs::metadata(&self.path) {
            check(&found)?;
            become_like(temporary.as_file(), &found)?;
        }
        temporary.write_all(content)?;
        temporary.as_file().sync_all()?;
        temporary.persist(&self.path)?;
        // Where folders can be synced, so that the new name outlives a power cut.
        if let Ok(folder) = File::open(&self.folder) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    /// A new file with a name that nobody can foresee, which is removed unless it is renamed. It is locked as long as
    /// it is in use.
    fn temporary(&self) -> io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder
            .prefix(&self.prefix)
            .rand_bytes(RANDOM)
            .suffix(SUFFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        loop {
            let temporary = builder.tempfile_in(&self.folder)?;
            match FileExt::lock(temporary.as_file()) {
                Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
                // Before it was locked, someone may have taken it for one that was left behind.
                _ if lock::is_at(temporary.as_file(), temporary.path())? => return Ok(temporary),
                _ => {}
            }
        }
    }

    /// Returns whether a file is a temporary one by its name.
    fn has_made(&self, name: &str) -> bool {
        let random = name
            .strip_prefix(&self.prefix)
            .and_then(|rest| rest.strip_suffix(SUFFIX));
        random.is_some_and(|random| {
            random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    }

    /// Removes the temporary files that killed processes have left behind: those that nobody has locked.
    fn clean_up(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name();
            let is_ours = self.has_made(&name.to_string_lossy());
            if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                let file = File::open(entry.path());
                if file.is_ok_and(|file| FileExt::try_lock(&file).is_ok()) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
}

/// Refuses to replace what was not meant to be replaced.
fn check(found: &Metadata) -> io::Result<()> {
    match found.is_file() {
        false => Err(io::Error::other("not a regular file")),
        true if found.permissions().readonly() => Err(io::Error::other("it is write-protected")),
        true => Ok(()),
    }
}

/// Gives a file the mode of another and, as far as one may, its owner.
fn become_like(file: &File, other: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let _ = fchown(file, Some(other.uid()), Some(other.gid()));
    }
    file.set_permissions(other.permissions())
}

/// What a path leads to, which need not be there.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
}

/// The folder of a file, which has a name even if the path has but one part.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn refused(path: &Path, error: &io::Error) -> Error {
    Error::File(format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_name_has_a_folder_that_can_be_synced() {
        let destination = Destination::new(Path::new("no-such-file.json")).unwrap();
        let folder = File::open(&destination.folder).unwrap();
        folder.sync_all().unwrap();
        assert_eq!(
            destination.path,
            destination.folder.join("no-such-file.json")
        );
    }
}
