//! Where the instructions of a run go, function by function, on the emulated boards and on the host.
//!
//! QEMU writes the code of each block of instructions when it first meets it, with the name of the function, and a line
//! whenever it runs one. Without chained blocks no line is missing, so that the counts are exact.

use crate::bench::VALGRIND;
use crate::firmware::{Board, M0, M4, QEMU, Time};
use crate::setup::{self, Need};
use crate::watch::watch_errors;
use crate::workspace::{self, cargo};
use rustc_demangle::demangle;
use std::collections::HashMap;
use std::process::Command;
use std::time::Duration;

/// The run if none is given: directions are known at once, so that most of it is what a long run does.
const RUN: [&str; 2] = ["algorithm=m-known", "iterations=8"];
/// The number of functions that are shown.
const SHOWN: usize = 16;
/// What writes the log takes minutes where the program takes seconds.
const LIMIT: Duration = Duration::from_secs(1800);

/// Instructions by function.
type Counts = HashMap<String, u64>;

/// Profiles a run, which is given as words.
pub fn run(words: &[&str]) -> Result<(), String> {
    setup::require(&[
        Need::Target(M4.target),
        Need::Target(M0.target),
        QEMU,
        VALGRIND,
    ])?;
    let words = if words.is_empty() { &RUN } else { words };
    for board in [M4, M0] {
        board.build()?;
        print!("{}", table(board.core, words, on_board(&board, words)?));
    }
    print!("{}", table("host", words, on_host(words)?));
    Ok(())
}

fn on_board(board: &Board, words: &[&str]) -> Result<Counts, String> {
    let mut command = board.qemu("parity", words, Time::COUNTING);
    command.args("-d in_asm,exec,nochain -D /dev/stderr".split(' '));
    let mut log = Log::default();
    let watched = watch_errors(command, LIMIT, |line| {
        log.read(line);
        Ok(())
    });
    watched.map_err(|message| format!("{message}: `{}` may be no run", words.join(" ")))?;
    Ok(log.counts())
}

/// What QEMU's log has told so far.
#[derive(Default)]
struct Log {
    /// The length of the code that was written last, and belongs to the block that runs next.
    code: u64,
    /// By its address in the emulator: the function, the length and the number of runs of a block.
    blocks: HashMap<String, Block>,
}

struct Block {
    function: String,
    length: u64,
    runs: u64,
}

impl Log {
    fn read(&mut self, line: &str) {
        if line.starts_with("IN:") {
            self.code = 0;
        } else if line.starts_with("0x") {
            self.code += 1;
        } else if let Some(trace) = line.strip_prefix("Trace ")
            && let Some((address, rest)) = trace.split_once(" [")
        {
            let is_new = self.code > 0;
            match self.blocks.get_mut(address) {
                Some(block) if !is_new => block.runs += 1,
                known => {
                    // An address may be used again for other code.
                    let before =
                        known.map(|block| (block.function.clone(), block.runs * block.length));
                    let function = rest.split_once("] ").map_or("", |(_, name)| name);
                    let block = Block {
                        function: function.into(),
                        length: self.code,
                        runs: 1,
                    };
                    self.blocks.insert(address.into(), block);
                    if let Some((function, instructions)) = before {
                        self.retire(address, function, instructions);
                    }
                }
            }
            self.code = 0;
        }
    }

    /// Keeps what a block has run whose place was taken.
    fn retire(&mut self, address: &str, function: String, instructions: u64) {
        let key = format!("{address} {}", self.blocks.len());
        let block = Block {
            function,
            length: instructions,
            runs: 1,
        };
        self.blocks.insert(key, block);
    }

    fn counts(self) -> Counts {
        let mut counts = Counts::new();
        for block in self.blocks.into_values() {
            let name = format!("{:#}", demangle(&block.function));
            *counts.entry(name).or_default() += block.length * block.runs;
        }
        counts
    }
}

fn on_host(words: &[&str]) -> Result<Counts, String> {
    workspace::run(cargo("build --release --package bench --example on_host"))?;
    let profile = workspace::target().join("callgrind.profile");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--quiet", "--compress-strings=no"]);
    valgrind.arg(format!("--callgrind-out-file={}", profile.display()));
    valgrind.arg(workspace::target().join("release/examples/on_host"));
    workspace::output({
        valgrind.args(words);
        valgrind
    })?;
    let profile = std::fs::read_to_string(&profile)
        .map_err(|error| format!("callgrind left no profile: {error}"))?;
    Ok(callgrind(&profile))
}

/// Each line of a function is followed by its costs, one a line of code. After a call comes the cost of what was
/// called, which is counted there.
fn callgrind(profile: &str) -> Counts {
    let mut counts = Counts::new();
    let mut function = "";
    let mut is_call = false;
    for line in profile.lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            function = name;
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) {
            let cost = line
                .split(' ')
                .nth(1)
                .and_then(|cost| cost.parse::<u64>().ok());
            if let Some(cost) = cost.filter(|_| !is_call) {
                *counts.entry(function.into()).or_default() += cost;
            }
            is_call = false;
        }
    }
    counts
}

fn table(place: &str, words: &[&str], counts: Counts) -> String {
    let total: u64 = counts.values().sum();
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut text = format!("{place}, {}: {total} instructions\n", words.join(" "));
    for (function, count) in counts.iter().take(SHOWN) {
        let share = 100.0 * *count as f64 / total as f64;
        text += &format!("{count:>14} {share:>5.1} %  {function}\n");
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "----------------
IN: first
0x08000400:  4812       ldr      r0, [pc, #0x48]
0x08000402:  4913       ldr      r1, [pc, #0x4c]

Trace 0: 0x7f01 [00800408/08000400/00000110/ff020200] first
Trace 0: 0x7f01 [00800408/08000400/00000110/ff020200] first
----------------
IN: second
0x08000404:  2200       movs     r2, #0

Trace 0: 0x7f02 [00800408/08000404/00000110/ff020200] second
Trace 0: 0x7f01 [00800408/08000400/00000110/ff020200] first
";

    fn counts(log: &str) -> Counts {
        let mut read = Log::default();
        log.lines().for_each(|line| read.read(line));
        read.counts()
    }

    #[test]
    fn a_block_counts_as_often_as_it_runs() {
        assert_eq!(
            counts(LOG),
            HashMap::from([("first".into(), 6), ("second".into(), 1)])
        );
    }

    #[test]
    fn a_block_that_takes_the_place_of_another_leaves_its_count() {
        let again = LOG.replace("0x7f02", "0x7f01");
        let third = again.replace("first", "third");
        let counts = counts(&(again + &third));
        // What runs last at a place belongs to the code that was written last.
        assert_eq!(counts.values().sum::<u64>(), 2 * (2 + 2 + 1 + 1));
        assert_eq!((counts["first"], counts["third"]), (4, 4));
    }

    #[test]
    fn what_is_called_is_counted_once() {
        let profile =
            "events: Ir\nfn=main\n12 5\ncalls=2 40\n13 70\n14 1\nfn=work\n40 70\n\nsummary: 76\n";
        let counts = callgrind(profile);
        assert_eq!(
            counts,
            HashMap::from([("main".into(), 6), ("work".into(), 70)])
        );
    }
}
