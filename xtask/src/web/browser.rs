//! The page in a real browser: it must come to what the lab comes to, and every control must do what it says.

use super::serve::Server;
use super::{built, check_size, node};
use crate::workspace::{self, lab};
use std::process::Command;

/// The runs whose fingerprints are compared with the lab's: the page's words, and the lab's.
const RUNS: [(&str, &str); 8] = [
    (
        "task=tetris&features=paper&algorithm=ipse&seed=6",
        "--features paper --algorithm ipse --seed 6",
    ),
    (
        "task=tetris&features=paper&algorithm=survival&seed=6",
        "--features paper --algorithm search --survival --seed 6",
    ),
    (
        "task=tetris&features=diverse&algorithm=ipse-paper&seed=18446744073709551615",
        "--features diverse --algorithm ipse-paper --seed 18446744073709551615",
    ),
    (
        "task=tetris&features=surface-nine&algorithm=survival&seed=7",
        "--features surface-nine --algorithm search --survival --seed 7",
    ),
    (
        "task=foraging&algorithm=ipse&seed=1",
        "--task foraging --algorithm ipse --seed 1",
    ),
    (
        "task=sensor-node&algorithm=returns&seed=2",
        "--task sensor-node --algorithm search --returns --seed 2",
    ),
    (
        "task=cart-pole&algorithm=ipse&seed=3",
        "--task cart-pole --algorithm ipse --seed 3",
    ),
    (
        "task=intersection&algorithm=returns&seed=4",
        "--task intersection --algorithm search --returns --seed 4",
    ),
];

/// Runs the tests of the page.
pub fn check() -> Result<(), String> {
    let lab = lab()?;
    let folder = built()?;
    check_size(&folder)?;
    let expected =
        RUNS.map(|(page, options)| Ok(format!("{page}={}", fingerprint(&lab, options)?)));
    let expected: Result<Vec<String>, String> = expected.into_iter().collect();
    let server = Server::new(folder.clone(), 0)?.in_background();
    let mut tests = node("--test")?;
    tests
        .args(["--test-concurrency=1", "page.test.mjs"])
        .env("IPSE_PAGE", format!("http://{server}/"))
        .env("IPSE_FOLDER", folder)
        .env("IPSE_LAB", &lab)
        .env("IPSE_SHOTS", workspace::target().join("web-shots"))
        .env("IPSE_EXPECTED", expected?.join("\n"));
    workspace::run(tests)
}

/// What `train` prints for a run.
fn fingerprint(lab: &std::path::Path, options: &str) -> Result<String, String> {
    let mut train = Command::new(lab);
    train
        .args(["train", "--evaluate-every", "0"])
        .args(options.split(' '));
    let text = workspace::output(train)?;
    let found = text
        .lines()
        .find_map(|line| line.strip_prefix("fingerprint "));
    let found = found.ok_or_else(|| format!("`train {options}` printed no fingerprint"))?;
    println!("train {options}: {found}");
    Ok(found.to_string())
}
