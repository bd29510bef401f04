//! What others have written and is part of this: under which licence, and where from.

use crate::setup::Need;
use crate::workspace;
use std::path::PathBuf;

/// Without the parts that fetch a list of known flaws, which is not everywhere to be had.
pub const DENY: Need = Need::Tool {
    name: "cargo-deny",
    options: "--no-default-features",
};

/// Checks the workspace and everything that has a lock file of its own against `deny.toml`.
pub fn check() -> Result<(), String> {
    for folder in folders()? {
        let manifest = folder.join("Cargo.toml");
        let mut command = workspace::cargo("deny --workspace --config deny.toml --manifest-path");
        command.arg(&manifest);
        command.args("check --hide-inclusion-graph licenses bans sources".split(' '));
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
