//! The oldest compiler that the manifests promise, and every feature alone.

use crate::firmware::{M0, M4};
use crate::packages::PACKAGES;
use crate::setup::Need;
use crate::watch::watch;
use crate::workspace;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// The `rust-version` of all manifests.
pub const MSRV: &str = env!("CARGO_PKG_RUST_VERSION");

pub const NEEDS: [Need; 1] = [Need::Toolchain(MSRV)];
pub const NEEDS_OF_FEATURES: [Need; 2] = [Need::Target(M4.target), Need::Target(M0.target)];

/// Checks all packages with all features by the oldest compiler.
pub fn check() -> Result<(), String> {
    println!("rust-version is {MSRV}");
    workspace::run(cargo("check --lib --bins"))
}

/// Cargo of the oldest toolchain, for all packages with all their features. What it builds is kept apart.
pub fn cargo(arguments: &str) -> Command {
    // Not the Cargo that runs this, which is of one toolchain only.
    let mut command = Command::new("cargo");
    command.arg(format!("+{MSRV}"));
    command.args(arguments.split(' ')).arg("--all-features");
    for (name, _) in PACKAGES {
        command.args(["--package", name]);
    }
    command
        .current_dir(workspace::root())
        .env("CARGO_TARGET_DIR", target());
    command
}

/// Where that is.
pub fn target() -> PathBuf {
    workspace::target().join("msrv")
}

/// Checks each package without features, with each feature alone and with all of them, on the host and, if it is for boards,
/// on these.
pub fn features() -> Result<(), String> {
    let metadata = workspace::output(workspace::cargo("metadata --no-deps --format-version 1"))?;
    let metadata = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    for (package, folder) in PACKAGES {
        let selections = selections(&features_of(&metadata, package)?);
        let targets: &[&str] = match is_for_boards(folder)? {
            true => &["", M4.target, M0.target],
            false => &[""],
        };
        println!("{package}: {}", selections.join(", "));
        for target in targets {
            for selection in &selections {
                compiles(package, selection, target)?;
            }
        }
    }
    Ok(())
}

fn is_for_boards(folder: &str) -> Result<bool, String> {
    let path = workspace::root().join(folder).join("src/lib.rs");
    let text = fs::read_to_string(&path).map_err(|error| format!("{folder}: {error}"))?;
    Ok(text.lines().any(|line| line == "#![no_std]"))
}

/// What Cargo is told: no feature, each alone, all.
fn selections(features: &[String]) -> Vec<String> {
    let mut selections = vec!["--no-default-features".to_string()];
    let alone = features
        .iter()
        .map(|feature| format!("--no-default-features --features {feature}"));
    selections.extend(alone);
    if features.len() > 1 {
        selections.push("--all-features".into());
    }
    selections
}

fn features_of(metadata: &serde_json::Value, package: &str) -> Result<Vec<String>, String> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let features = packages
        .filter(|entry| entry["name"] == package)
        .find_map(|entry| entry["features"].as_object());
    let features = features.ok_or_else(|| format!("Cargo knows no package {package}"))?;
    Ok(features
        .keys()
        .filter(|name| *name != "default")
        .cloned()
        .collect())
}

/// Fails with whatever the compiler has to say, be it only a warning.
fn compiles(package: &str, selection: &str, target: &str) -> Result<(), String> {
    let mut command = workspace::cargo(&format!(
        "check --quiet --lib --package {package} {selection}"
    ));
    if !target.is_empty() {
        command.args(["--target", target]);
    }
    let mut said = String::new();
    let result = watch(command, Duration::from_secs(900), |line| {
        said.push_str(line);
        said.push('\n');
        Ok(())
    });
    match result {
        Ok(()) if said.is_empty() => Ok(()),
        _ => Err(format!("{package} {selection} {target}\n{said}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_feature_is_selected_alone_and_all_together() {
        let features = ["a".to_string(), "b".to_string()];
        let alone = |name| format!("--no-default-features --features {name}");
        let expected = [
            "--no-default-features".into(),
            alone("a"),
            alone("b"),
            "--all-features".into(),
        ];
        assert_eq!(selections(&features), expected);
        assert_eq!(selections(&[]), ["--no-default-features"]);
    }

    #[test]
    fn features_are_read_from_the_metadata_but_for_the_default() {
        let metadata = r#"{"packages":[{"name":"a","features":{"default":[],"x":[]}},{"name":"b","features":{}}]}"#;
        let metadata = serde_json::from_str(metadata).unwrap();
        assert_eq!(features_of(&metadata, "a").unwrap(), ["x"]);
        assert!(features_of(&metadata, "b").unwrap().is_empty());
        assert!(features_of(&metadata, "c").is_err());
    }
}
