//! The guides, followed to the letter, with nothing but the packages: a task in an empty folder learns on the desk and on
//! an emulated board.
//!
//! A guide shows a whole file as a line with its name in bold, and then its content as code.

use crate::packages::{Unpacked, VERSION};
use crate::starter::Outside;
use crate::workspace;
use std::fs;
use std::path::{Path, PathBuf};

/// The guides that show files, by package.
const GUIDES: [(&str, &str); 2] = [
    ("ipse-lab", "src/guide/first_task.md"),
    ("ipse-device", "src/guide/adding_a_board.md"),
];

/// Versions of what others have written, as they were tested.
const LOCKS: [(&str, &str); 2] = [
    ("Cargo.lock", "Cargo.lock"),
    (
        "examples/starter/firmware/Cargo.lock",
        "firmware/Cargo.lock",
    ),
];

pub fn check() -> Result<(), String> {
    let unpacked = Unpacked::new()?;
    let folder = std::env::temp_dir().join(format!("ipse-guides-{}", std::process::id()));
    for (package, guide) in GUIDES {
        follow(&unpacked.path(package).join(guide), &folder)?;
    }
    for (from, to) in LOCKS {
        let copied = fs::copy(workspace::root().join(from), folder.join(to));
        copied.map_err(|error| format!("{from}: {error}"))?;
    }
    let tank = Outside {
        folder,
        options: unpacked.options(),
        task: "tank",
        features: ["below reserve", "spilled", "cost"],
        first_action: "1. Action ",
        share: 0.6,
        image: "firmware",
        words: &[],
    };
    tank.check()
}

/// Writes the files that a guide shows.
fn follow(guide: &Path, folder: &Path) -> Result<(), String> {
    let text =
        fs::read_to_string(guide).map_err(|error| format!("{}: {error}", guide.display()))?;
    let files = files(&text);
    if files.is_empty() {
        return Err(format!("{} shows no file", guide.display()));
    }
    for (name, content) in files {
        println!("{name}, from {}", guide.display());
        if name.ends_with("Cargo.toml") {
            asks_for_this_version(&content)
                .map_err(|error| format!("{}: {error}", guide.display()))?;
        }
        let path: PathBuf = folder.join(name);
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(&path, content)
        };
        write().map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// A manifest of a guide must ask for the packages of today, and not for those of the registry.
fn asks_for_this_version(manifest: &str) -> Result<(), String> {
    let (version, _) = VERSION.rsplit_once('.').unwrap_or((VERSION, ""));
    let is_ours = |line: &&str| line.starts_with("ipse");
    match manifest
        .lines()
        .filter(is_ours)
        .find(|line| !line.contains(&format!("\"{version}\"")))
    {
        None => Ok(()),
        Some(line) => Err(format!("`{line}` should ask for {version}")),
    }
}

/// The names and contents of the files in a text.
fn files(text: &str) -> Vec<(&str, String)> {
    let mut files: Vec<(&str, String)> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let name = line
            .strip_prefix("**`")
            .and_then(|rest| rest.strip_suffix("`**"));
        if let Some(name) = name {
            let code = lines
                .by_ref()
                .skip_while(|line| !line.starts_with("```"))
                .skip(1);
            let code = code.take_while(|line| !line.starts_with("```"));
            files.push((name, code.map(|line| format!("{line}\n")).collect()));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_code_with_a_name_in_bold() {
        let text = "Text.\n\n**`a/b.rs`**\n\n```rust,ignore\nfn f() {}\n\nfn g() {}\n```\n\n```sh\nls\n```\n";
        assert_eq!(
            files(text),
            [("a/b.rs", "fn f() {}\n\nfn g() {}\n".to_string())]
        );
        assert!(files("```sh\nls\n```\n").is_empty());
    }

    #[test]
    fn a_guide_that_asks_for_another_version_is_found() {
        let (version, _) = VERSION.rsplit_once('.').unwrap();
        let asks = |version: &str| {
            asks_for_this_version(&format!("ipse = \"{version}\"\nserde = \"1\"\n"))
        };
        assert_eq!(asks(version), Ok(()));
        assert!(asks("0.0").is_err());
    }
}
