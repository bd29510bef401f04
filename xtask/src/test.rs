//! Everything that can be checked without hardware, what needs no emulator first.

mod boards;
mod dependencies;
mod no_panic;
mod steps;

use crate::setup::{self, Need};
use std::ops::AddAssign;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How many checks passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: u32,
    failed: u32,
}

impl Tally {
    const fn new(passed: u32, failed: u32) -> Self {
        Tally { passed, failed }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl From<Result<(), String>> for Tally {
    fn from(result: Result<(), String>) -> Self {
        match result {
            Ok(()) => Tally::new(1, 0),
            Err(message) => {
                eprintln!("{message}");
                Tally::new(0, 1)
            }
        }
    }
}

struct Step {
    title: String,
    needs: Vec<Need>,
    /// Whether it is passed over, by name, where its needs cannot be met.
    is_optional: bool,
    check: Box<dyn Fn() -> Tally>,
}

impl Step {
    fn new<T: Into<Tally>>(
        title: impl Into<String>,
        needs: &[Need],
        check: impl Fn() -> T + 'static,
    ) -> Self {
        Step {
            title: title.into(),
            needs: needs.to_vec(),
            is_optional: false,
            check: Box::new(move || check().into()),
        }
    }

    fn optional(self) -> Self {
        Step {
            is_optional: true,
            ..self
        }
    }
}

/// Runs the steps whose title contains `part`.
pub fn run(part: &str) -> ExitCode {
    let mut steps = steps::all();
    steps.retain(|step| step.title.contains(part));
    if steps.is_empty() {
        eprintln!("no step of the tests has `{part}` in its title; `cargo xtask test` runs all");
        return ExitCode::FAILURE;
    }
    let needs: Vec<Need> = steps.iter().flat_map(|step| step.needs.clone()).collect();
    let lacking = setup::provide(&needs);
    if let Some(lacking) = &lacking {
        eprintln!("{}", lacking.remedy);
        eprintln!("until then, the steps that need it are not run");
    }

    let mut results = Vec::new();
    for step in &steps {
        println!("\n=== {}", step.title);
        let start = Instant::now();
        let is_lacking = |need| lacking.as_ref().is_some_and(|l| l.needs.contains(need));
        let tally = match step.needs.iter().find(|need| is_lacking(need)) {
            None => (step.check)(),
            Some(need) if step.is_optional => {
                println!(
                    "skipped, since it cannot be installed here: {}",
                    need.name()
                );
                Tally::default()
            }
            Some(need) => Err(format!("not run: {} is missing", need.name())).into(),
        };
        results.push((step.title.as_str(), start.elapsed(), tally));
    }
    if let Some(lacking) = &lacking {
        println!("\n{}", lacking.remedy);
    }
    match summarise(&results).failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// The last line is for machines: it says `N passed, N failed` and nothing else.
fn summarise(results: &[(&str, Duration, Tally)]) -> Tally {
    let mut total = Tally::default();
    println!("\n{:60} seconds  passed  failed", "");
    for (title, time, tally) in results {
        let Tally { passed, failed } = tally;
        let seconds = time.as_secs_f64();
        println!("{title:60} {seconds:>7.1} {passed:>7} {failed:>7}");
        total += *tally;
    }
    println!("Each test on the host counts as one, and so does each other step.");
    println!("{} passed, {} failed", total.passed, total.failed);
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_adds_up_all_steps() {
        let first = ("first", Duration::ZERO, Tally::new(9, 0));
        let second = ("second", Duration::ZERO, Tally::new(8, 1));
        assert_eq!(summarise(&[first, second, first]), Tally::new(26, 1));
    }
}
