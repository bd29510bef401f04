//! How long 400 iterations take in the page and in the lab, by the CPU time of both, measured one after the other.
//!
//! The time of the lab is that of its whole process. That of the page is from the compilation of its module to the end, with
//! all threads of node but without its start, which is not the page's.

use super::{module, source};
use crate::setup::Need;
use crate::silicon::NODE;
use crate::workspace::{self, cargo, lab};
use std::process::Command;

/// What it takes to measure.
pub const NEEDS: [Need; 2] = [super::WASM, NODE];

const SEED: &str = "6";
/// Each is run so often, and the fastest counts.
const TIMES: usize = 3;

/// CPU seconds of 400 iterations of IPSE.
pub struct Speed {
    pub lab_s: f64,
    pub page_s: f64,
}

impl Speed {
    pub fn measure() -> Result<Self, String> {
        let lab = lab()?;
        workspace::run(cargo(super::BUILD))?;
        let options = "train --algorithm ipse --evaluate-every 0 --seed";
        let mut native = vec![lab.display().to_string()];
        native.extend(options.split(' ').map(String::from));
        native.push(SEED.into());
        let script = source().join("tests/bench.mjs");
        let module = module("tetris-paper");
        let page = [
            "node".into(),
            script.display().to_string(),
            module.display().to_string(),
            SEED.into(),
        ];
        let (mut lab_s, mut page_s) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..TIMES {
            let (native, page) = (timed(&native)?, timed(&page)?);
            let [of_lab, of_page] = [&native, &page].map(|text| word_after("fingerprint ", text));
            let (of_lab, of_page) = (of_lab?, of_page?);
            if of_lab != of_page {
                return Err(format!("the lab came to {of_lab}, the page to {of_page}"));
            }
            lab_s = lab_s.min(times(&native)?);
            let seconds = word_after("cpu ", &page)?;
            page_s = page_s.min(
                seconds
                    .parse()
                    .map_err(|_| format!("`{seconds}` is not a time"))?,
            );
        }
        Ok(Speed { lab_s, page_s })
    }
}

/// What a program prints, and after it the CPU time that it took, as the shell knows it.
fn timed(words: &[String]) -> Result<String, String> {
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$@\" && times", "sh"]).args(words);
    workspace::output(shell)
}

/// The word that follows the first words of a line.
fn word_after<'t>(begin: &str, text: &'t str) -> Result<&'t str, String> {
    let line = text.lines().find_map(|line| line.strip_prefix(begin));
    let word = line.and_then(|line| line.split(' ').next());
    word.ok_or_else(|| format!("no line begins with `{begin}`: {text}"))
}

/// The CPU time of a program, its start included.
fn times(text: &str) -> Result<f64, String> {
    // The last line has the user and the system time of the children: 0m0.41s 0m0.01s.
    let last = text.lines().last().unwrap_or_default();
    let sum: Option<f64> = last.split(' ').map(seconds).sum();
    sum.ok_or_else(|| format!("`{last}` has no times"))
}

/// Reads `1m2.5s`.
fn seconds(time: &str) -> Option<f64> {
    let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
    Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::{seconds, times, word_after};

    #[test]
    fn both_times_are_found() {
        let text = "fingerprint 12ab\ncpu 0.38 s\n0m0.01s 0m0.00s\n0m0.40s 0m0.02s\n";
        assert_eq!(word_after("cpu ", text), Ok("0.38"));
        assert!(word_after("gpu ", text).is_err());
        assert!((times(text).unwrap() - 0.42).abs() < 1e-9);
    }

    #[test]
    fn times_of_a_shell_are_read() {
        assert_eq!(seconds("1m2.500000s"), Some(62.5));
        assert_eq!(seconds("1.5"), None);
    }
}
