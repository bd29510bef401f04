//! How long 400 iterations take in the page and in the lab, by the CPU time of both, measured one after the other.

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
            let (native, page) = (cpu_seconds(&native)?, cpu_seconds(&page)?);
            if native.1 != page.1 {
                return Err(format!(
                    "the lab came to {}, the page to {}",
                    native.1, page.1
                ));
            }
            (lab_s, page_s) = (lab_s.min(native.0), page_s.min(page.0));
        }
        Ok(Speed { lab_s, page_s })
    }
}

/// The CPU time of a program, as the shell knows it, and the fingerprint that it prints.
fn cpu_seconds(words: &[String]) -> Result<(f64, String), String> {
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$@\" && times", "sh"]).args(words);
    let text = workspace::output(shell)?;
    let fingerprint = text
        .lines()
        .find_map(|line| line.strip_prefix("fingerprint "));
    let fingerprint = fingerprint.ok_or_else(|| format!("{} printed no fingerprint", words[0]))?;
    // The last line has the user and the system time of the children: 0m0.41s 0m0.01s.
    let last = text.lines().last().unwrap_or_default();
    let seconds: Option<f64> = last.split(' ').map(seconds).sum();
    let seconds = seconds.ok_or_else(|| format!("`{last}` has no times"))?;
    Ok((seconds, fingerprint.to_string()))
}

/// Reads `1m2.5s`.
fn seconds(time: &str) -> Option<f64> {
    let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
    Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_of_a_shell_are_read() {
        assert_eq!(seconds("1m2.500000s"), Some(62.5));
        assert_eq!(seconds("1.5"), None);
    }
}
