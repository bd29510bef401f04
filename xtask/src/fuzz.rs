//! A search for bytes that something does not survive.

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
        options: "",
    },
    Need::Program {
        program: "c++",
        package: "g++",
    },
];

/// Sets up, then searches for so long for each target.
pub fn run(seconds: &str) -> Result<(), String> {
    let problem = "give --seconds a whole number, 1 or more";
    let seconds = seconds.parse().map_err(|_| problem.to_string())?;
    if seconds == 0 {
        return Err(problem.into());
    }
    setup::require(&NEEDS)?;
    search(seconds)
}

pub fn search(seconds: u64) -> Result<(), String> {
    workspace::run(build())?;
    let fuzzer = fuzzer()?;
    let mut all = 0;
    let mut findings = Vec::new();
    for target in targets()? {
        let found = search_in(&target, &fuzzer, seconds)?;
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
            "what was found is in the corpus now, so `cargo test -p hostile` fails until it is mended:\n{}",
            findings.join("\n")
        )),
    }
}

/// Each has a folder of bytes to begin with.
fn targets() -> Result<Vec<String>, String> {
    let folder = corpus();
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| format!("{}: cannot read: {error}", folder.display()))?;
    let mut targets: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    targets.sort();
    Ok(targets)
}

struct Found {
    executions: u64,
    /// What was written when it was found.
    finding: Option<String>,
}

fn search_in(target: &str, fuzzer: &Path, seconds: u64) -> Result<Found, String> {
    // New bytes that lead somewhere are kept for the next search, outside the repository.
    let kept = workspace::target().join("fuzz-corpus").join(target);
    std::fs::create_dir_all(&kept)
        .map_err(|error| format!("{}: cannot create: {error}", kept.display()))?;
    let seeds = corpus().join(target);
    let mut command = Command::new(fuzzer);
    command.args([&kept, &seeds]);
    command.args(["-print_final_stats=1", "-max_len=4096", "-timeout=30"]);
    command.arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-artifact_prefix={}/", seeds.display()));
    command.env("TARGET", target);

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

fn corpus() -> PathBuf {
    workspace::root().join("hostile/corpus")
}

/// `cargo fuzz`, which only nightly can do.
fn build() -> Command {
    let mut command = workspace::nightly("fuzz build --fuzz-dir fuzz --target-dir");
    command.arg(workspace::target().join("fuzz"));
    command
}

/// The program that it builds.
fn fuzzer() -> Result<PathBuf, String> {
    let mut rustc = Command::new("rustc");
    rustc.arg("-vV");
    let version = workspace::output(rustc)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("rustc does not say what it runs on")?;
    let programs = workspace::target().join("fuzz").join(host).join("release");
    Ok(programs.join("anything"))
}
