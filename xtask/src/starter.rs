//! A crate outside the workspace, with a task of its own: it gets a lab in one line, and learns on an emulated board.
//!
//! The crate is `examples/starter`, copied to a folder of its own, as a user would.

use crate::firmware::M4;
use crate::workspace;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is asked of a task, on the host and on the board alike.
const SEED: &str = "1";
const ITERATIONS: &str = "200";

pub fn check() -> Result<(), String> {
    let heater = Outside {
        folder: copy()?,
        options: Vec::new(),
        task: "heater",
        features: ["too cold", "too warm", "cost"],
        first_action: "1. Power ",
        share: 0.25,
        image: "starter-firmware",
        words: &["seed=1", "iterations=200"],
    };
    heater.check()
}

/// A crate with a task, a lab and firmware, in a folder that is no part of the repository.
pub struct Outside {
    pub folder: PathBuf,
    /// What Cargo is told besides.
    pub options: Vec<String>,
    pub task: &'static str,
    pub features: [&'static str; 3],
    /// What the list of actions begins with.
    pub first_action: &'static str,
    /// The most of the cost of a random player that the learned one may have.
    pub share: f64,
    pub image: &'static str,
    /// The command line of the image, if it reads one.
    pub words: &'static [&'static str],
}

impl Outside {
    /// Builds it, has it learn on the desk and on the emulated board, and compares the two.
    pub fn check(&self) -> Result<(), String> {
        let firmware = self.folder.join("firmware");
        for folder in [&self.folder, &firmware] {
            workspace::run(self.cargo(folder, "fmt --check"))?;
            workspace::run(self.cargo(folder, "clippy -- -D warnings"))?;
        }
        workspace::run(self.cargo(&self.folder, "build"))?;
        workspace::run(self.cargo(&firmware, "build --release"))?;
        let weights = self.on_the_desk()?;
        let told = self.on_the_board()?;
        // Only what failed is of interest later.
        let _ = fs::remove_dir_all(&self.folder);
        match told == weights {
            true => Ok(()),
            false => Err(format!(
                "the board has learned {told:?}, the host {weights:?}"
            )),
        }
    }

    /// Cargo in a folder of the crate. What it needs is built where everything else is.
    fn cargo(&self, folder: &Path, arguments: &str) -> Command {
        let mut cargo = workspace::cargo(arguments);
        let is_format = arguments.starts_with("fmt");
        // Before what follows `--`, which is not for Cargo.
        if !is_format && !self.options.is_empty() {
            cargo = workspace::cargo(arguments.split(' ').next().unwrap_or_default());
            cargo.args(&self.options);
            cargo.args(arguments.split(' ').skip(1));
        }
        cargo.current_dir(folder);
        cargo
    }

    /// Trains, plots, plays and explains, and returns the weights.
    fn on_the_desk(&self) -> Result<Vec<f64>, String> {
        let folder = &self.folder;
        let lab = |arguments: &str| {
            let mut lab = Command::new(workspace::target().join("debug/lab"));
            lab.args(arguments.split(' ')).current_dir(folder);
            workspace::output(lab)
        };
        let tasks = lab("tasks")?;
        expect(&tasks, &format!("{}\n", self.task))?;
        expect(&tasks, &self.features.join(", "))?;
        lab(&format!(
            "train --algorithm ipse --seed {SEED} --iterations {ITERATIONS} --games 10 --out w.json --plot curve.png"
        ))?;
        let picture = fs::read(folder.join("curve.png")).map_err(|error| error.to_string())?;
        if !picture.starts_with(b"\x89PNG") {
            return Err("the curve is not a picture".into());
        }
        expect(&lab("explain --policy w.json")?, self.first_action)?;
        expect(&lab("diagnose --calls 20000")?, "Recommended: ")?;
        let mean = |policy: &str| -> Result<f64, String> {
            let played = lab(&format!("play --policy {policy} --games 10 --json"))?;
            number(&played, "\"mean\":").ok_or_else(|| format!("no mean in {played}"))
        };
        let (learned, random) = (mean("w.json")?, mean("random")?);
        println!("the learned player comes to {learned}, a random one to {random}");
        // Both are costs.
        if random >= 0.0 || learned < self.share * random {
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
    fn on_the_board(&self) -> Result<Vec<f64>, String> {
        let image = workspace::target()
            .join(M4.target)
            .join("release")
            .join(self.image);
        let mut watch = Command::new(workspace::target().join("debug/lab"));
        watch.args(["watch", "--qemu"]).arg(image);
        if !self.words.is_empty() {
            watch.arg("--").args(self.words);
        }
        // The flash of the board is a file there.
        watch.current_dir(&self.folder);
        let lines = workspace::output(watch)?;
        let last = lines.lines().last().unwrap_or_default();
        let value = |name: &&str| number(last, &format!("{name:?}="));
        let weights: Option<Vec<f64>> = self.features.iter().map(value).collect();
        weights.ok_or_else(|| format!("no weights by name in {last:?}"))
    }
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
