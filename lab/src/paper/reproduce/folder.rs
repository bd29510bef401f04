//! The folder that results are written to: it says what it holds, and takes nothing else.

use super::experiment::Experiment;
use super::results::Results;
use super::settings::{Fields, Settings};
use super::table::{self, Lost};
use crate::destination::Destination;
use crate::error::{Error, Result};
use crate::output::tell;
use crate::{input, json};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The largest file of settings that is read, in bytes.
const LARGEST: usize = 1 << 16;

/// The file that makes a folder one of ours.
const SETTINGS: &str = "reproduce.json";

pub struct Folder {
    pub path: PathBuf,
}

impl Folder {
    /// The folder for results with these settings, new or to be continued.
    pub fn claim(path: &Path, settings: &Fields) -> Result<Self> {
        let folder = Folder { path: path.into() };
        fs::create_dir_all(path).map_err(|error| folder.refused("make", &error))?;
        if !folder.file(SETTINGS).exists() {
            // Unless another shard has claimed it and begun to write since we looked.
            if let Some(other) = folder.foreign_file()?
                && !folder.file(SETTINGS).exists()
            {
                return Err(Error::File(format!(
                    "{} holds {other}, which is not from here; give a new or an empty folder as --out",
                    path.display()
                )));
            }
            let text = serde_json::to_string_pretty(settings).expect("fields are JSON");
            folder.write(SETTINGS, text + "\n")?;
        }
        let found: Fields = folder.settings(|text| json::object(text, "settings"))?;
        must_be(&found, settings, path)?;
        Ok(folder)
    }

    /// A folder that has results, and their settings.
    pub fn open(path: &Path) -> Result<(Self, Settings)> {
        let folder = Folder { path: path.into() };
        if !folder.file(SETTINGS).exists() {
            return Err(Error::File(format!(
                "{} has no {SETTINGS}; give a folder that `reproduce` wrote to",
                path.display()
            )));
        }
        let settings = folder.settings(Settings::parse)?;
        Ok((folder, settings))
    }

    fn settings<T>(&self, parse: impl Fn(&[u8]) -> Result<T, String>) -> Result<T> {
        let file = self.file(SETTINGS);
        let text = input::read_file(&file, LARGEST).map_err(|error| unreadable(&file, &error))?;
        parse(&text).map_err(|problem| Error::File(format!("{}: {problem}", file.display())))
    }

    /// A file that keeps this from being a new folder.
    fn foreign_file(&self) -> Result<Option<String>> {
        let names = self.names()?;
        // Another shard may be about to write its settings.
        let temporary = format!(".{SETTINGS}.");
        Ok(names
            .into_iter()
            .find(|name| name != SETTINGS && !name.starts_with(&temporary)))
    }

    fn names(&self) -> Result<Vec<String>> {
        let list = || -> io::Result<Vec<String>> {
            fs::read_dir(&self.path)?
                .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
                .collect()
        };
        let mut names = list().map_err(|error| self.refused("read", &error))?;
        names.sort_unstable();
        Ok(names)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file as a whole or not at all.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result {
        Destination::new(&self.file(name))?.write(content)
    }

    /// Adds all replications in this folder but those in `own`, which is another's to read.
    pub fn read(&self, experiment: &Experiment, own: Option<&str>, to: &mut Results) -> Result {
        let table = format!("{}.csv", experiment.settings.reproduces.name());
        for name in self.names()? {
            let is_journal = name.starts_with("runs-") && name.ends_with(".csv");
            if (name != table && !is_journal) || Some(&*name) == own {
                continue;
            }
            let file = self.file(&name);
            let text = input::read_file(&file, table::LARGEST);
            let text = text.map_err(|error| unreadable(&file, &error))?;
            let found = table::read(&text, experiment, to).map_err(|it| damaged(&file, &it))?;
            // Another shard may be in the middle of a line; a finished table may not.
            if let (Some(torn), false) = (found.torn, is_journal) {
                let problem = "the file ends in the middle of a replication".into();
                return Err(damaged(&file, &table::Damage::new(torn.line, problem)));
            }
            if found.is_unchecked {
                tell!("{} has no checksums: it is taken as it is", file.display());
            }
        }
        Ok(())
    }

    fn refused(&self, verb: &str, error: &io::Error) -> Error {
        Error::File(format!("cannot {verb} {}: {error}", self.path.display()))
    }
}

/// Refuses to mix results.
pub fn must_be(found: &Fields, wanted: &Fields, path: &Path) -> Result {
    let names = wanted.keys().chain(found.keys());
    let mut differing = names.filter(|&name| found.get(name) != wanted.get(name));
    let Some(name) = differing.next() else {
        return Ok(());
    };
    let value = |fields: &Fields| fields.get(name).cloned().unwrap_or_default();
    let (path, is, wanted) = (path.display(), value(found), value(wanted));
    Err(Error::File(match &**name {
        "reproduces" => {
            format!("{path} has the results of {is}, not of {wanted}; give another --out")
        }
        _ => {
            format!("{path} was made with --{name} {is}, not {wanted}; give that, or another --out")
        }
    }))
}

/// The one line about a damaged file.
pub fn damaged(file: &Path, damage: &table::Damage) -> Error {
    let advice = match &damage.replication {
        Some(Lost {
            name,
            lines: (first, last),
        }) => format!(
            "to make {name} again, delete its lines {first} to {last}, and run what made this folder"
        ),
        None => "mend the file, or move it away to run its replications again".into(),
    };
    Error::File(format!(
        "{}, line {}: {}; nothing was changed: {advice}",
        file.display(),
        damage.line,
        damage.problem
    ))
}

fn unreadable(file: &Path, error: &io::Error) -> Error {
    Error::File(format!("cannot read {}: {error}", file.display()))
}
