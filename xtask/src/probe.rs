//! A board that somebody has, on a probe: it is measured, and compared with the host, for a report to paste into an issue.

use crate::bench;
use crate::learning::{self, Profile};
use crate::readings::Readings;
use crate::setup::{self, Need};
use crate::silicon::{RP2040, RP2350, STM32F411, STM32F446, Silicon};
use crate::watch::watch_bytes;
use crate::workspace;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

const USAGE: &str = "usage: cargo xtask silicon rp2040|rp2350|nucleo-f446re|black-pill-f411";

/// A board as the command line and the features of the firmware name it, and its chip as probe-rs does.
pub struct Board {
    name: &'static str,
    chip: &'static str,
    pub silicon: Silicon,
}

pub const BOARDS: [Board; 4] = [
    Board {
        name: "rp2040",
        chip: "RP2040",
        silicon: RP2040,
    },
    Board {
        name: "rp2350",
        chip: "RP235x",
        silicon: RP2350,
    },
    Board {
        name: "nucleo-f446re",
        chip: "STM32F446RETx",
        silicon: STM32F446,
    },
    Board {
        name: "black-pill-f411",
        chip: "STM32F411CEUx",
        silicon: STM32F411,
    },
];

/// The board learns for some seconds, and is flashed before.
const LIMIT: Duration = Duration::from_secs(300);

const INSTALL: &str = "curl --proto '=https' --tlsv1.2 -LsSf \
    https://github.com/probe-rs/probe-rs/releases/latest/download/probe-rs-tools-installer.sh | sh";
const PERMIT: &str = "sudo sh -c 'curl -sSfo /etc/udev/rules.d/69-probe-rs.rules \
    https://probe.rs/files/69-probe-rs.rules && udevadm control --reload && udevadm trigger'";

/// Flashes the board, and prints the report.
pub fn run(words: &[&str]) -> Result<(), String> {
    let board = parse(words)?;
    setup::require(&[Need::Target(board.silicon.target)])?;
    let mut list = Command::new("probe-rs");
    list.arg("list");
    let list = list.output().map_err(|error| {
        format!("probe-rs did not start ({error}); run this, then try again: {INSTALL}")
    })?;
    find_probe(&String::from_utf8_lossy(&list.stdout))?;

    let host = learning::on_host(Profile::Release, &["parity"])?;
    let sums = bench::Host::build()?.sums()?;
    workspace::run(board.cargo("build"))?;
    let told = board.listen()?;
    let mut git = Command::new("git");
    git.args(["describe", "--always", "--dirty"]);
    git.current_dir(workspace::root());
    let mut rustc = Command::new("rustc");
    rustc.arg("--version");
    let build = format!(
        "commit {}, {}",
        workspace::output(git)?.trim(),
        workspace::output(rustc)?.trim()
    );
    println!("{}", report(board.silicon.name, &build, &told)?);
    bench::same_decisions(&sums, board.silicon.name, &told)?;
    learning::same_fingerprint(&host, told.text("fingerprint")?)
}

fn parse(words: &[&str]) -> Result<&'static Board, String> {
    let [word] = words else {
        return Err(USAGE.into());
    };
    let board = BOARDS.iter().find(|board| board.name == *word);
    board.ok_or_else(|| format!("`{word}` is not a board that can be measured\n{USAGE}"))
}

/// Whether probe-rs has listed a probe. Its list is numbered.
fn find_probe(list: &str) -> Result<(), String> {
    match list.lines().any(|line| line.trim_start().starts_with('[')) {
        true => Ok(()),
        false => Err(format!(
            "no probe was found: connect it, and the board to it. If it is connected, run this, then try again: {PERMIT}"
        )),
    }
}

/// Cargo in the folder of the image that measures.
pub fn cargo(arguments: &str) -> Command {
    let mut cargo = workspace::cargo(arguments);
    cargo.current_dir(workspace::root().join("host-tests/firmware/silicon"));
    cargo
}

impl Board {
    /// It is tidy and builds.
    pub fn check(&self) -> Result<(), String> {
        let mut lint = self.cargo("clippy");
        lint.args(["--", "-D", "warnings"]);
        workspace::run(lint)?;
        workspace::run(self.cargo("build"))
    }

    /// Cargo for the board. The image shares all that the example of the board is built with.
    fn cargo(&self, what: &str) -> Command {
        let (name, target) = (self.name, self.silicon.target);
        let mut cargo = cargo(&format!(
            "{what} --release --features {name} --target {target}"
        ));
        cargo.env("CARGO_TARGET_DIR", self.silicon.target_folder());
        cargo
    }

    fn image(&self) -> PathBuf {
        let folder = self.silicon.target_folder().join(self.silicon.target);
        folder.join("release/silicon")
    }

    /// Flashes the image, and hears it to its end.
    fn listen(&self) -> Result<Readings, String> {
        let mut probe = Command::new("probe-rs");
        probe.args(["run", "--chip", self.chip]).arg(self.image());
        let mut text = String::new();
        watch_bytes(probe, LIMIT, |bytes| {
            text += &String::from_utf8_lossy(bytes);
            match whole_lines(&text).any(|line| line.starts_with("fingerprint ")) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        measurements(&text)
    }
}

fn whole_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n')
        .filter(|line| line.ends_with('\n'))
        .map(str::trim)
}

/// What the image tells.
const NAMES: [&str; 7] = [
    "decisions",
    "decisions_sum",
    "decisions_microseconds",
    "run_microseconds",
    "agent_bytes",
    "stack_bytes",
    "fingerprint",
];

/// The lines of the image among those of probe-rs.
fn measurements(text: &str) -> Result<Readings, String> {
    let is_measurement = |line: &&str| line.split(' ').next().is_some_and(|n| NAMES.contains(&n));
    let lines: Vec<_> = whole_lines(text).filter(is_measurement).collect();
    Readings::parse(&lines.join("\n"))
}

/// A table for an issue.
fn report(board: &str, build: &str, told: &Readings) -> Result<String, String> {
    let decision = told.get("decisions_microseconds")? / told.get("decisions")?;
    let seconds = told.get("run_microseconds")? / 1e6;
    Ok(format!(
        "\n| {board}, on silicon | |\n|---|---:|\n\
         | fingerprint of the run `parity` | `{}` |\n\
         | its time | {seconds:.3} s |\n\
         | a decision | {decision:.2} µs |\n\
         | the agent | {} B |\n\
         | the stack, at its highest | {} B |\n\n\
         Measured by `cargo xtask silicon`: {build}.\n",
        told.text("fingerprint")?,
        told.text("agent_bytes")?,
        told.text("stack_bytes")?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// probe-rs and the image, whose line may come in two parts.
    const TOLD: &str = "      Finished in 1.52s\n\
        decisions 2000\r\ndecisions_sum 77\r\ndecisions_microseconds 140500\r\n\
        run_microseconds 5242000\r\nagent_bytes 3312\r\nstack_bytes 4100\r\nfingerprint 19dc\r\nfing";

    #[test]
    fn a_report_has_what_the_board_told_and_nothing_else() {
        let told = measurements(TOLD).unwrap();
        let report = report("RP2040", "commit abc", &told).unwrap();
        for line in [
            "| RP2040, on silicon | |",
            "`19dc` |",
            "| 5.242 s |",
            "| 70.25 µs |",
            "| 3312 B |",
            "| 4100 B |",
            "commit abc.",
        ] {
            assert!(report.contains(line), "{line} in {report}");
        }
    }

    #[test]
    fn a_measurement_that_is_missing_is_an_error_that_names_it() {
        for name in NAMES.into_iter().filter(|name| *name != "decisions_sum") {
            let is_other = |line: &&str| !line.starts_with(&format!("{name} "));
            let rest: Vec<_> = TOLD.lines().filter(is_other).collect();
            let told = measurements(&rest.join("\n")).unwrap();
            let error = report("RP2040", "commit abc", &told).unwrap_err();
            assert!(error.ends_with(name), "{error}");
        }
    }

    #[test]
    fn a_probe_is_found_or_the_command_is_told_that_lets_it_be_found() {
        let list = "The following debug probes were found:\n[0]: STLink V2-1 -- 0483:374b:0001\n";
        assert_eq!(find_probe(list), Ok(()));
        let error = find_probe("No debug probes were found.\n").unwrap_err();
        assert!(error.contains("udevadm"), "{error}");
    }

    #[test]
    fn a_board_is_known_by_its_name_or_refused_with_it() {
        assert_eq!(parse(&["rp2350"]).map(|board| board.chip), Ok("RP235x"));
        assert!(parse(&["uno"]).err().unwrap().contains("`uno`"));
        assert!(parse(&[]).is_err());
    }
}
