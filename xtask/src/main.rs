//! Sets up what is needed, then tests, shows and measures.
#![forbid(unsafe_code)]

mod api;
mod bench;
mod cluster;
mod demo;
mod display;
mod endurance;
mod firmware;
mod fuzz;
mod guides;
mod gymnasium;
mod learning;
mod links;
mod miri;
mod mutants;
mod packages;
mod parity;
mod power_cuts;
mod probe;
mod profile;
mod python;
mod quotes;
mod readings;
mod resources;
mod rust_version;
mod sensor_node;
mod setup;
mod silicon;
mod small_boards;
mod starter;
mod test;
mod transfer;
mod uf2;
mod usb;
mod user_tasks;
mod watch;
mod web;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [PART]     check everything that can be checked without hardware, or only the
                  steps that have PART in their title
  demo [--seed N] [--task tetris|foraging|sensor-node] [--survival] [--board stm32f405|rp2040]
                  watch the agent learn on an emulated board
  web [--port N | --out DIR | --film FILE]
                  build the page in which the agent learns and serve it on this machine, write
                  it to a folder, or film it
  bench [--json]  measure speed and count instructions
  profile [WORD…] show where the instructions of a run go, by function, on both boards and the
                  host; the run is given as words, such as algorithm=lfd iterations=3 or
                  survival=2000
  resources [--short] [--json]
                  measure flash, RAM and time of learning on a board, for the README's
                  table; --short leaves out what takes minutes
  api             write the public API of each package to docs/api, for a review to see
  fuzz [--seconds N]
                  look for bytes that something does not survive, N seconds for each
                  format, 60 if not given
  uf2 [learn|survive|forage|node] [--out FILE]
                  build an image of the Raspberry Pi Pico as a file to drop on its drive
  parity          learn the same on the host and on every emulated machine, print machine
                  and fingerprint, one a line, and fail if one differs
  mutants [--shard I/N]
                  change the learners, the search and CBMPI in every small way, one at a time, and
                  fail if the tests do not notice; part I of N only
  silicon rp2040|rp2350|nucleo-f446re|black-pill-f411
                  flash a board on a probe, compare what it learns with the host, and print
                  what it took as a report to paste into an issue
  miri            run tests of the core in an interpreter that checks every access to memory
  endurance [--iterations N]
                  learn for N iterations, a million if not given, and for a part of that with
                  each of the other algorithms
  power-cuts [--cuts N]
                  cut the power at every byte of a save, and N times (100) while a board learns

Each installs what it needs first, or says which command does.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => return test::run(""),
        ["test", part] => return test::run(part),
        ["demo", ref words @ ..] => demo::run(words),
        ["web", ref words @ ..] => web::run(words),
        ["bench"] => bench::run(bench::Format::Text),
        ["bench", "--json"] => bench::run(bench::Format::Json),
        ["profile", ref words @ ..] => profile::run(words),
        ["resources"] => resources::run(bench::Format::Text),
        ["resources", "--json"] => resources::run(bench::Format::Json),
        ["resources", "--short"] => resources::run_short(bench::Format::Text),
        ["resources", "--short", "--json"] | ["resources", "--json", "--short"] => {
            resources::run_short(bench::Format::Json)
        }
        ["api"] => api::write(),
        ["fuzz"] => fuzz::run("60"),
        ["fuzz", "--seconds", seconds] => fuzz::run(seconds),
        ["uf2", ref words @ ..] => uf2::run(words),
        ["parity"] => parity::run(),
        ["silicon", ref words @ ..] => probe::run(words),
        ["mutants"] => mutants::run(None),
        ["mutants", "--shard", shard] => mutants::run(Some(shard)),
        ["miri"] => miri::run(),
        ["endurance"] => endurance::run("1000000"),
        ["endurance", "--iterations", iterations] => endurance::run(iterations),
        ["power-cuts"] => power_cuts::run(100),
        ["power-cuts", "--cuts", cuts] => match cuts.parse() {
            Ok(cuts @ 1..) => power_cuts::run(cuts),
            _ => Err(format!(
                "`--cuts {cuts}` is not a number of cuts, 1 or more"
            )),
        },
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        [] => Err(USAGE.into()),
        _ => Err(format!(
            "`cargo xtask {}` is not a command; `cargo xtask help` lists them",
            arguments.join(" ")
        )),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
