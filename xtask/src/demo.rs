//! The agent learns on an emulated board and then plays, live in the terminal.

use crate::firmware::{FORAGE, LEARN, M4, QEMU, SENSOR, SURVIVE};
use crate::setup::{self, Need};
use crate::silicon::{self, NODE, NPM, RP2040};
use crate::user_tasks::new_flash;
use crate::workspace;
use std::path::PathBuf;
use std::process::Command;

pub const USAGE: &str = "usage: cargo xtask demo [--seed N] [--task tetris|foraging|sensor-node] \
                         [--survival] [--board stm32f405|rp2040]";

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demo {
    seed: u32,
    task: Task,
    survival: bool,
    board: Board,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Tetris,
    Foraging,
    /// It acts from the beginning, and learns in between.
    SensorNode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Board {
    /// In QEMU.
    Stm32f405,
    /// In rp2040js, which is some five times slower than the board.
    Rp2040,
}

impl Demo {
    /// What the words of a command line ask for.
    pub fn parse(words: &[&str]) -> Result<Self, String> {
        let mut demo = Demo {
            seed: 6,
            task: Task::Tetris,
            survival: false,
            board: Board::Stm32f405,
        };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            if word == "--survival" {
                demo.survival = true;
                continue;
            }
            let value = words.next().copied().unwrap_or("");
            let refused = |range: &str| format!("`{word} {value}`: give {range}\n{USAGE}");
            match (word, value) {
                ("--seed", value) => {
                    let seed = value.parse();
                    demo.seed = seed.map_err(|_| refused("a number from 0 to 4294967295"))?;
                }
                ("--task", "tetris") => demo.task = Task::Tetris,
                ("--task", "foraging") => demo.task = Task::Foraging,
                ("--task", "sensor-node") => demo.task = Task::SensorNode,
                ("--task", _) => return Err(refused("tetris, foraging or sensor-node")),
                ("--board", "stm32f405") => demo.board = Board::Stm32f405,
                ("--board", "rp2040") => demo.board = Board::Rp2040,
                ("--board", _) => return Err(refused("stm32f405 or rp2040")),
                _ => return Err(format!("`{word}` is not an option of the demo\n{USAGE}")),
            }
        }
        match (demo.survival, demo.task) {
            (true, Task::Foraging | Task::SensorNode) => Err(format!(
                "`--survival` is a search for Tetris by its surface: leave out `--task`\n{USAGE}"
            )),
            _ => Ok(demo),
        }
    }

    fn image(&self) -> &'static str {
        match (self.task, self.survival) {
            (Task::Foraging, _) => FORAGE,
            (Task::SensorNode, _) => SENSOR,
            (Task::Tetris, true) => SURVIVE,
            (Task::Tetris, false) => LEARN,
        }
    }

    /// Shows it. On the STM32F405, words change the settings.
    pub fn show(&self, actions: u32, words: &[&str]) -> Result<(), String> {
        let actions = actions.to_string();
        let mut words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let (source, image) = match self.board {
            Board::Stm32f405 => {
                setup::require(&[Need::Target(M4.target), QEMU])?;
                M4.build_image(self.image())?;
                words.insert(0, format!("seed={}", self.seed));
                ("--qemu", M4.image(self.image()))
            }
            Board::Rp2040 => {
                setup::require(&[Need::Target(RP2040.target), NODE, NPM])?;
                ("--rp2040", self.pico()?)
            }
        };
        let mut watch = Command::new(workspace::lab()?);
        // QEMU keeps the flash where it is started. With new flash, every demo begins from nothing.
        let flash = new_flash("demo", 0)?;
        watch.current_dir(flash.parent().ok_or("flash lies in a folder")?);
        watch.args(["watch", "--verdict"]);
        watch.arg(source).arg(image).args(["--actions", &actions]);
        if !words.is_empty() {
            watch.arg("--").args(words);
        }
        workspace::run(watch)?;
        println!("next: {}", self.next());
        Ok(())
    }

    /// Builds the image with its seed, which an RP2040 cannot be told otherwise, and the emulator.
    fn pico(&self) -> Result<PathBuf, String> {
        silicon::install_emulator()?;
        let mut build = RP2040.cargo(&format!("build --release --bin {}", self.image()));
        build.env("IPSE_SEED", self.seed.to_string());
        workspace::run(build)?;
        Ok(RP2040.image(self.image()))
    }

    /// The next command to try.
    fn next(&self) -> &'static str {
        match (self.task, self.survival) {
            (Task::Tetris, false) => {
                "cargo xtask demo --survival, which learns to last, by features of its surface"
            }
            (Task::Tetris, true) => "cargo xtask demo --task foraging, a task like your own",
            (Task::Foraging, _) => {
                "cargo xtask demo --task sensor-node, which acts in the world while it learns"
            }
            (Task::SensorNode, _) => "examples/own_task.rs, and write your own",
        }
    }
}

/// With the 400 iterations of the paper, about a minute to watch.
pub fn run(words: &[&str]) -> Result<(), String> {
    Demo::parse(words)?.show(100, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_can_be_combined_in_any_order() {
        let demo = Demo::parse(&["--survival", "--board", "rp2040", "--seed", "7"]).unwrap();
        let same = Demo::parse(&["--seed", "7", "--board", "rp2040", "--survival"]).unwrap();
        assert_eq!(demo, same);
        assert_eq!((demo.seed, demo.image()), (7, SURVIVE));
        for (task, image) in [("foraging", FORAGE), ("sensor-node", SENSOR)] {
            let demo = Demo::parse(&["--task", task]).unwrap();
            assert_eq!((demo.image(), demo.board), (image, Board::Stm32f405));
        }
    }

    #[test]
    fn what_is_refused_is_named_with_what_to_give() {
        for (words, part) in [
            (vec!["--seed", "-1"], "`--seed -1`: give a number from 0"),
            (vec!["--seed"], "`--seed `: give a number"),
            (
                vec!["--task", "chess"],
                "`--task chess`: give tetris, foraging or sensor-node",
            ),
            (
                vec!["--board", "uno"],
                "`--board uno`: give stm32f405 or rp2040",
            ),
            (vec!["--quick"], "`--quick` is not an option"),
            (vec!["--survival", "--task", "foraging"], "leave out"),
        ] {
            let error = Demo::parse(&words).unwrap_err();
            assert!(error.contains(part) && error.contains(USAGE), "{error}");
        }
    }
}
