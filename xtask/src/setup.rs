//! What a command needs besides Cargo: found missing, it is installed, if that takes no password.
//!
//! Nothing is installed that was not announced. What cannot be installed is handed back with the
//! one command that a person can run instead.

mod plan;

use crate::python::Packages;
use plan::{Machine, Plan};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Something that may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A compilation target.
    Target(&'static str),
    /// A part of the toolchain, by its subcommand of Cargo and its name at rustup.
    Component {
        subcommand: &'static str,
        component: &'static str,
    },
    /// A toolchain of this version.
    Toolchain(&'static str),
    /// The nightly toolchain, with Miri and the source of std.
    Nightly,
    /// A subcommand of Cargo, by the name of its crate, the version that is installed, and options to build it with.
    ///
    /// Cargo checks the crate against the checksum in the registry, and `--locked` all that it is built from against
    /// those in its own lock file.
    Tool {
        name: &'static str,
        version: &'static str,
        options: &'static str,
    },
    /// Python with what it takes to install packages, which Debian has in a package of its own.
    Python,
    /// Packages of Python, which takes [`Need::Python`] to install.
    Packages(Packages),
    /// A program, and the package of Debian that has it.
    Program {
        program: &'static str,
        package: &'static str,
    },
}

/// What is missing and could not be installed.
#[derive(Debug, PartialEq, Eq)]
pub struct Lacking {
    pub needs: Vec<Need>,
    /// What a person has to do about it.
    pub remedy: String,
}

/// Installs what is missing, or fails with what to do about it.
pub fn require(needs: &[Need]) -> Result<(), String> {
    match provide(needs) {
        None => Ok(()),
        Some(lacking) => Err(lacking.remedy),
    }
}

/// Installs what is missing, as far as possible, and returns the rest.
pub fn provide(needs: &[Need]) -> Option<Lacking> {
    let missing = missing(needs);
    if missing.is_empty() {
        return None;
    }
    let machine = Machine::this();
    let plan = Plan::new(&missing, &machine);
    if !plan.installs.is_empty() {
        eprintln!("will install: {}", plan.installs.join(", "));
    }
    for command in &plan.commands {
        eprintln!("> {command}");
        // Whether it worked shows when the needs are looked at again.
        let _ = shell(command).stdout(std::io::stderr()).status();
    }

    let missing = self::missing(&missing);
    if missing.is_empty() {
        return None;
    }
    let names: Vec<_> = missing.iter().map(Need::name).collect();
    let remedy = Plan::new(&missing, &machine).remedy();
    let remedy = format!("missing: {}; {remedy}", names.join(", "));
    Some(Lacking {
        needs: missing,
        remedy,
    })
}

fn missing(needs: &[Need]) -> Vec<Need> {
    let mut missing = Vec::new();
    for &need in needs {
        if !need.is_met() && !missing.contains(&need) {
            missing.push(need);
        }
    }
    missing
}

impl Need {
    /// Its name where it is installed from.
    pub fn name(&self) -> &'static str {
        match self {
            Need::Target(name)
            | Need::Component {
                component: name, ..
            }
            | Need::Program { package: name, .. }
            | Need::Toolchain(name)
            | Need::Tool { name, .. } => name,
            Need::Nightly => "nightly with miri and rust-src",
            Need::Python => "python3-venv",
            Need::Packages(packages) => packages.name,
        }
    }

    fn is_met(&self) -> bool {
        match self {
            Need::Target(target) => {
                let libraries = Command::new("rustc")
                    .args(["--print", "target-libdir", "--target", target])
                    .output();
                libraries.is_ok_and(|found| {
                    Path::new(String::from_utf8_lossy(&found.stdout).trim()).is_dir()
                })
            }
            Need::Component { subcommand, .. } => works("cargo", &[subcommand, "--version"]),
            Need::Toolchain(version) => works("cargo", &[&format!("+{version}"), "--version"]),
            Need::Nightly => {
                let source = "lib/rustlib/src/rust/library/std/src/lib.rs";
                works("cargo", &["+nightly", "miri", "--version"])
                    && sysroot_of_nightly().is_some_and(|root| root.join(source).is_file())
            }
            // Cargo looks for its subcommands in more places than the path.
            Need::Tool { name, version, .. } => {
                let subcommand = name.strip_prefix("cargo-").unwrap_or(name);
                let mut command = Command::new("cargo");
                command.args([subcommand, "--version"]).stdin(Stdio::null());
                let output = command.output().map(|output| output.stdout);
                let words = output.unwrap_or_default();
                let words = String::from_utf8_lossy(&words);
                words.split_whitespace().any(|word| word == *version)
            }
            Need::Python => works("python3", &["-c", "import ensurepip, venv"]),
            Need::Packages(packages) => packages.are_installed(),
            Need::Program { program, .. } => is_in_path(program),
        }
    }
}

fn sysroot_of_nightly() -> Option<PathBuf> {
    let rustc = Command::new("rustc")
        .args(["+nightly", "--print", "sysroot"])
        .env("RUSTUP_AUTO_INSTALL", "0")
        .output();
    let path = String::from_utf8(rustc.ok()?.stdout).ok()?;
    Some(PathBuf::from(path.trim()))
}

fn shell(command: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).stdin(Stdio::null());
    shell
}

fn works(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(arguments)
        // Looking must not install anything.
        .env("RUSTUP_AUTO_INSTALL", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn is_in_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_need_is_missing_once_however_often_it_is_asked_for() {
        let absent = Need::Program {
            program: "no such program",
            package: "none",
        };
        let present = Need::Program {
            program: "sh",
            package: "dash",
        };
        assert_eq!(missing(&[absent, present, absent]), [absent]);
    }

    #[test]
    fn a_target_that_does_not_exist_is_missing() {
        assert_eq!(missing(&[Need::Target("no-such-target")]).len(), 1);
    }
}
