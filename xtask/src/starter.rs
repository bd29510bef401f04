//! A crate outside the workspace, with a task of its own: it gets a lab in one line, and learns on an emulated board.
//!
//! The crate is `examples/starter`, copied to a folder of its own, as a user would.

use crate::firmware::M4;
use crate::workspace;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is asked of the task, on the host and on the board alike.
const SEED: &str = "1";
const ITERATIONS: &str = "200";
const FEATURES: [&str; 3] = ["too cold", "too warm", "cost"];

pub fn check() -> Result<(), String> {
    let folder = copy()?;
    lints(&folder)?;
    lints(&folder.join("firmware"))?;
    workspace::run(in_folder(&folder, "build"))?;
    workspace::run(in_folder(&folder.join("firmware"), "build --release"))?;
    let weights = on_the_desk(&folder)?;
    let told = on_the_board(&folder)?;
    // Only what failed is of interest later.
    let _ = fs::remove_dir_all(&folder);
    match told == weights {
        true => Ok(()),
        false => Err(format!(
            "the board has learned {told:?}, the host {weights:?}"
        )),
    }
}

/// Formatting and lints, as for everything else.
fn lints(folder: &Path) -> Result<(), String> {
    workspace::run(in_folder(folder, "fmt --check"))?;
    workspace::run(in_folder(folder, "clippy -- -D warnings"))
}

/// Cargo in a folder of the crate. What it needs is built where everything else is.
fn in_folder(folder: &Path, arguments: &str) -> Command {
    let mut cargo = workspace::cargo(arguments);
    cargo.current_dir(folder);
    cargo
}

/// The crate in a folder that is no part of the repository, with its dependencies where they are.
fn copy() -> Result<PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("ipse-starter-{}", std::process::id()));
    let source = workspace::root().join("examples/starter");
    for file in [
        "Cargo.lock",
        "Cargo.toml",
        "src/lib.rs",
        "src/lab.rs",
        "firmware/Cargo.lock",
        "firmware/Cargo.toml",
        "firmware/build.rs",
        "firmware/.cargo/config.toml",
        "firmware/src/main.rs",
    ] {
        let text =
            fs::read_to_string(source.join(file)).map_err(|error| format!("{file}: {error}"))?;
        let to = folder.join(file);
        let write = || {
            fs::create_dir_all(to.parent().unwrap_or(&folder))?;
            fs::write(&to, moved(&text))
        };
        write().map_err(|error| format!("{}: {error}", to.display()))?;
    }
    Ok(folder)
}

/// A manifest with the folders of the repository where they are.
fn moved(text: &str) -> String {
    let root = workspace::root();
    [
        ("\"../../../device\"", root.join("device")),
        ("\"../../..\"", root.into()),
        ("\"../../emulated\"", root.join("examples/emulated")),
        ("\"../../lab\"", root.join("lab")),
        ("\"../..\"", root.into()),
    ]
    .iter()
    .fold(text.into(), |text: String, (relative, absolute)| {
        text.replace(relative, &format!("{:?}", absolute.display().to_string()))
    })
}

/// Trains, plots, plays and explains, and returns the weights.
fn on_the_desk(folder: &Path) -> Result<Vec<f64>, String> {
    let lab = |arguments: &str| {
        let mut lab = Command::new(workspace::target().join("debug/lab"));
        lab.args(arguments.split(' ')).current_dir(folder);
        workspace::output(lab)
    };
    let tasks = lab("tasks")?;
    expect(&tasks, "heater\n")?;
    expect(&tasks, &FEATURES.join(", "))?;
    lab(&format!(
        "train --algorithm ipse --seed {SEED} --iterations {ITERATIONS} --games 10 --out w.json --plot curve.png"
    ))?;
    let picture = fs::read(folder.join("curve.png")).map_err(|error| error.to_string())?;
    if !picture.starts_with(b"\x89PNG") {
        return Err("the curve is not a picture".into());
    }
    expect(&lab("explain --policy w.json")?, "1. Power ")?;
    expect(&lab("diagnose --calls 20000")?, "Recommended: ")?;
    let mean = |policy: &str| -> Result<f64, String> {
        let played = lab(&format!("play --policy {policy} --games 10 --json"))?;
        number(&played, "\"mean\":").ok_or_else(|| format!("no mean in {played}"))
    };
    let (learned, random) = (mean("w.json")?, mean("random")?);
    println!("the learned player comes to {learned}, a random one to {random}");
    // Both are costs.
    if random >= 0.0 || learned < random / 4.0 {
        return Err("that is not learning".into());
    }
    let file = fs::read_to_string(folder.join("w.json")).map_err(|error| error.to_string())?;
    let weights = file
        .split_once("\"weights\":[")
        .and_then(|(_, rest)| rest.split_once(']'));
    let (weights, _) = weights.ok_or_else(|| format!("no weights in {file}"))?;
    let weights = weights.split(',').map(|weight| weight.parse::<f64>());
    weights
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())
}

/// Learns on the emulated board, watched by the crate's own lab, and returns the weights.
fn on_the_board(folder: &Path) -> Result<Vec<f64>, String> {
    let image = workspace::target()
        .join(M4.target)
        .join("release/starter-firmware");
    let mut watch = Command::new(workspace::target().join("debug/lab"));
    watch.args(["watch", "--qemu"]).arg(image);
    watch.args([
        "--",
        &format!("seed={SEED}"),
        &format!("iterations={ITERATIONS}"),
    ]);
    // The flash of the board is a file there.
    watch.current_dir(folder);
    let lines = workspace::output(watch)?;
    let last = lines.lines().last().unwrap_or_default();
    let value = |name: &&str| number(last, &format!("{name:?}="));
    let weights: Option<Vec<f64>> = FEATURES.iter().map(value).collect();
    weights.ok_or_else(|| format!("no weights by name in {last:?}"))
}

fn expect(text: &str, part: &str) -> Result<(), String> {
    match text.contains(part) {
        true => Ok(()),
        false => Err(format!("no {part:?} in:\n{text}")),
    }
}

/// The number after a name, as it is printed.
fn number(text: &str, name: &str) -> Option<f64> {
    let (_, rest) = text.split_once(name)?;
    let end = rest.find([',', ' ', '}', '\n']).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_names() {
        let line = r#"weights "too cold"=-0.5 "cost"=2e-3"#;
        assert_eq!(number(line, "\"too cold\"="), Some(-0.5));
        assert_eq!(number(line, "\"cost\"="), Some(0.002));
        assert_eq!(number(line, "\"warm\"="), None);
        assert_eq!(number(r#"{"mean":-3.25,"n":1}"#, "\"mean\":"), Some(-3.25));
    }
}
