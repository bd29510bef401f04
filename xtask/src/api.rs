//! The public API of each package as text in `docs/api`, so that a review sees when it changes.
//!
//! The text comes from rustdoc's JSON. Its format changes with every compiler, so that it is always made by the oldest
//! one that is supported, whatever else is installed.

use crate::packages::PACKAGES;
use crate::rust_version::{self, MSRV};
use crate::setup;
use crate::workspace;
use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const FOLDER: &str = "docs/api";

/// Writes the text of today.
pub fn write() -> Result<(), String> {
    setup::require(&rust_version::NEEDS)?;
    for (file, text) in texts()? {
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    println!("{FOLDER} is up to date");
    Ok(())
}

/// Fails if the text in the repository is not that of today.
pub fn check() -> Result<(), String> {
    let mut changes = Vec::new();
    for (file, text) in texts()? {
        let before = fs::read_to_string(&file).unwrap_or_default();
        changes.extend(difference(&before, &text));
    }
    match changes.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "the public API has changed; if it should, run `cargo xtask api` and say in CHANGELOG.md what is breaking:\n{}",
            changes.join("\n")
        )),
    }
}

/// The file and the text of each package.
fn texts() -> Result<Vec<(PathBuf, String)>, String> {
    let mut command = rust_version::cargo("doc --quiet --no-deps --lib");
    command.env("RUSTDOC", rustdoc()?);
    command.env("RUSTDOCFLAGS", "-Z unstable-options --output-format json");
    workspace::run(command)?;
    let text = |(name, _): &(&str, &str)| {
        let json = rust_version::target().join(format!("doc/{}.json", name.replace('-', "_")));
        let file = workspace::root().join(FOLDER).join(format!("{name}.txt"));
        Ok((file, listing(&json)?))
    };
    PACKAGES.iter().map(text).collect()
}

/// The oldest supported rustdoc, which is allowed to write JSON. To allow it for the compiler as well would build all
/// dependencies again.
fn rustdoc() -> Result<PathBuf, String> {
    let script = rust_version::target().join("rustdoc.sh");
    let text = format!("#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc +{MSRV} \"$@\"\n");
    let write = || {
        fs::create_dir_all(rust_version::target())?;
        fs::write(&script, text)?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))
    };
    write().map_err(|error| format!("{}: {error}", script.display()))?;
    Ok(script)
}

/// All public items, one a line, without what follows from other lines. An item that can be reached by several paths is
/// listed by each, but its methods only once.
fn listing(json: &Path) -> Result<String, String> {
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| format!("{}: {error}", json.display()))?;
    let mut seen = HashSet::new();
    let lines = api.items().map(|item| format!("{item}\n"));
    Ok(lines.filter(|line| seen.insert(line.clone())).collect())
}

/// The lines that only one of two texts has, each with a sign.
fn difference(before: &str, after: &str) -> Vec<String> {
    let only = |sign: char, these: &str, those: &str| -> Vec<String> {
        let those: HashSet<&str> = those.lines().collect();
        let lines = these.lines().filter(|line| !those.contains(line));
        lines.map(|line| format!("{sign} {line}")).collect()
    };
    [only('-', before, after), only('+', after, before)].concat()
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_change_is_what_was_removed_and_what_was_added() {
        let (before, after) = ("a\nb\nc\n", "a\nc\nd\n");
        assert_eq!(difference(before, after), ["- b", "+ d"]);
        assert!(difference(before, before).is_empty());
    }
}
