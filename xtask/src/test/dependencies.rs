//! What others have written and is part of this: under which licence, and where from.

use super::Tally;
use crate::setup::Need;
use crate::watch::watch;
use crate::workspace;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

pub const DENY: Need = Need::Tool {
    name: "cargo-deny",
    version: "0.20.2",
    options: "--no-default-features",
};

/// Where cargo-deny has known flaws and unmaintained crates from.
const DATABASE: &str = "https://github.com/RustSec/advisory-db";

/// Checks the workspace and everything that has a lock file of its own against `deny.toml`.
pub fn check() -> Result<(), String> {
    deny("licenses bans sources")
}

/// Checks the same for known flaws and for crates that nobody maintains. Where their database cannot be had, nothing was
/// checked, and nothing counts as passed.
pub fn advisories() -> Tally {
    let mut git = Command::new("git");
    git.args(["ls-remote", "--exit-code", DATABASE, "HEAD"]);
    git.env("GIT_TERMINAL_PROMPT", "0");
    match watch(git, Duration::from_secs(60), |_| Ok(())) {
        Ok(()) => deny("advisories").into(),
        Err(error) => {
            println!("skipped: {DATABASE} cannot be reached from here ({error})");
            Tally::default()
        }
    }
}

fn deny(what: &str) -> Result<(), String> {
    for folder in folders()? {
        let manifest = folder.join("Cargo.toml");
        let mut command = workspace::cargo("deny --workspace --config deny.toml --manifest-path");
        command.arg(&manifest);
        command.args(["check", "--hide-inclusion-graph"]);
        command.args(what.split(' '));
        println!(
            "{}",
            manifest
                .strip_prefix(workspace::root())
                .unwrap_or(&manifest)
                .display()
        );
        workspace::run(command)?;
    }
    Ok(())
}

fn folders() -> Result<Vec<PathBuf>, String> {
    let root = workspace::root();
    let mut folders = vec![root.to_path_buf()];
    for firmware in ["examples", "host-tests/firmware"] {
        let firmware = root.join(firmware);
        let entries = std::fs::read_dir(&firmware)
            .map_err(|error| format!("{}: cannot read: {error}", firmware.display()))?;
        folders.extend(entries.flatten().map(|entry| entry.path()));
    }
    folders.retain(|folder| folder.join("Cargo.lock").is_file());
    folders.sort();
    Ok(folders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_and_all_firmware_are_checked() {
        let folders = folders().unwrap();
        for name in [
            "examples/emulated",
            "examples/rp2040",
            "examples/stm32f4",
            "host-tests/firmware/emulated",
            "host-tests/firmware/no-panic",
            "",
        ] {
            assert!(folders.contains(&workspace::root().join(name)), "{name}");
        }
    }
}
