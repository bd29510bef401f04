//! Fuzzing: a search for inputs that a target does not survive.

use crate::setup::{self, Need};
use crate::watch::watch;
use crate::workspace;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub const NEEDS: [Need; 3] = [
    Need::Nightly,
    Need::Tool {
        name: "cargo-fuzz",
        version: "0.13.2",
        options: "",
    },
    Need::Program {
        program: "c++",
        package: "g++",
    },
];

/// Sets up, and fuzzes each target for so many seconds.
pub fn run(seconds: &str) -> Result<(), String> {
    let problem = "give --seconds a whole number, 1 or more";
    let seconds = seconds.parse().map_err(|_| problem.to_string())?;
    if seconds == 0 {
        return Err(problem.into());
    }
    setup::require(&NEEDS)?;
    search(seconds)
}

/// Fuzzes each target for so many seconds.
pub fn search(seconds: u64) -> Result<(), String> {
    workspace::run(build())?;
    let programs = programs()?;
    let mut all = 0;
    let mut findings = Vec::new();
    for target in targets()? {
        let found = search_in(&target, &programs, seconds)?;
        println!(
            "{target:12} {:>10} executions in {seconds} s",
            found.executions
        );
        all += found.executions;
        findings.extend(found.finding);
    }
    println!("{all} executions in all");
    match &findings[..] {
        [] => Ok(()),
        _ => Err(format!(
            "what was found is in the corpus now, so `cargo test -p ipse-fuzz` fails until it is fixed:\n{}",
            findings.join("\n")
        )),
    }
}

/// Each has a program.
fn targets() -> Result<Vec<String>, String> {
    let folder = folder().join("fuzz_targets");
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| format!("{}: cannot read: {error}", folder.display()))?;
    let programs = entries.flatten().map(|entry| entry.path());
    let name = |program: PathBuf| Some(program.file_stem()?.to_string_lossy().into_owned());
    let mut targets: Vec<String> = programs.filter_map(name).collect();
    targets.sort();
    Ok(targets)
}

struct Found {
    executions: u64,
    /// The output of the fuzzer, if there is a finding.
    finding: Option<String>,
}

fn search_in(target: &str, programs: &Path, seconds: u64) -> Result<Found, String> {
    // Inputs that reach new code are kept for the next time, outside the repository.
    let kept = workspace::target().join("fuzz-corpus").join(target);
    std::fs::create_dir_all(&kept)
        .map_err(|error| format!("{}: cannot create: {error}", kept.display()))?;
    let seeds = folder().join("corpus").join(target);
    let mut command = Command::new(programs.join(target));
    command.args([&kept, &seeds]);
    command.args(["-print_final_stats=1", "-max_len=4096", "-timeout=30"]);
    command.arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-artifact_prefix={}/", seeds.display()));

    let mut found = Found {
        executions: 0,
        finding: None,
    };
    let mut output = String::new();
    let limit = Duration::from_secs(seconds + 300);
    let result = watch(command, limit, |line| {
        if let Some(number) = line.strip_prefix("stat::number_of_executed_units:") {
            found.executions = number.trim().parse().unwrap_or(0);
        }
        output.push_str(line);
        output.push('\n');
        Ok(())
    });
    if let Err(message) = result {
        found.finding = Some(format!("{output}{target}: {message}"));
    } else if found.executions == 0 {
        return Err(format!("{output}{target}: nothing was executed"));
    }
    Ok(found)
}

fn folder() -> PathBuf {
    workspace::root().join("host-tests/fuzz")
}

/// `cargo fuzz`, which only nightly can do, in the folder with the settings for it.
fn build() -> Command {
    let mut command = workspace::nightly("fuzz build --features libfuzzer --target-dir");
    command.arg(workspace::target().join("fuzz"));
    command.current_dir(folder());
    command
}

/// The folder with the programs that it builds.
fn programs() -> Result<PathBuf, String> {
    let mut rustc = Command::new("rustc");
    rustc.arg("-vV");
    let version = workspace::output(rustc)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("rustc does not say what it runs on")?;
    Ok(workspace::target().join("fuzz").join(host).join("release"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_a_corpus() {
        let targets = targets().unwrap();
        assert!(targets.iter().any(|target| target == "agent"));
        for target in targets {
            assert!(folder().join("corpus").join(target).is_dir());
        }
    }
}
