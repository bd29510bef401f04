//! The engine and its slow twin on this machine.

use super::{PLACEMENTS, same};
use crate::firmware::Math;
use crate::readings::Readings;
use crate::workspace::{self, cargo};
use std::path::PathBuf;
use std::process::Command;

/// The program that does the work.
pub struct Host {
    program: PathBuf,
}

impl Host {
    pub fn build() -> Result<Host, String> {
        Self::build_with(Math::Libm)
    }

    /// The program with the functions of `math`.
    pub fn build_with(math: Math) -> Result<Host, String> {
        let features = math.features();
        let mut build = cargo(&format!(
            "build --release --package bench --example host{features}"
        ));
        build.env("CARGO_TARGET_DIR", math.target());
        workspace::run(build)?;
        Ok(Host {
            program: math.target().join("release/examples/host"),
        })
    }

    /// What the work comes to, the same for the engine and for its twin.
    pub fn sums(&self) -> Result<Readings, String> {
        let sums = self.readings("sums")?;
        for name in PLACEMENTS {
            for name in [name.to_string(), format!("{name}_sum")] {
                let (engine, twin) = (sums.get(&name)?, sums.get(&format!("twin_{name}"))?);
                same(&name, engine, "its twin", twin)?;
            }
        }
        Ok(sums)
    }

    /// How much work is done in a second.
    pub fn rates(&self) -> Result<Readings, String> {
        self.readings("rates")
    }

    /// How long an agent that learns takes.
    pub fn learning(&self) -> Result<Readings, String> {
        self.readings("learning")
    }

    fn readings(&self, what: &str) -> Result<Readings, String> {
        let mut command = Command::new(&self.program);
        command.arg(what);
        Readings::parse(&workspace::output(command)?)
    }

    /// The instructions of one pass of `work`. One pass is taken from three, so that what comes
    /// before and after them does not count.
    pub fn instructions(&self, work: &str) -> Result<f64, String> {
        Ok((self.callgrind(work, "3")? - self.callgrind(work, "1")?) / 2.0)
    }

    fn callgrind(&self, work: &str, passes: &str) -> Result<f64, String> {
        let profile = workspace::target().join("callgrind.out");
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--quiet"]);
        valgrind.arg(format!("--callgrind-out-file={}", profile.display()));
        valgrind.arg(&self.program).args([work, passes]);
        workspace::run(valgrind)?;
        let profile = std::fs::read_to_string(&profile)
            .map_err(|error| format!("callgrind left no profile: {error}"))?;
        instructions(&profile).ok_or_else(|| "callgrind's profile has no summary".into())
    }
}

/// The number of instructions in a profile that callgrind wrote.
fn instructions(profile: &str) -> Option<f64> {
    let summary = profile
        .lines()
        .find_map(|line| line.strip_prefix("summary: "))?;
    summary.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::instructions;

    #[test]
    fn the_instructions_are_in_the_summary_of_a_profile() {
        let profile = "version: 1\nevents: Ir\nsummary: 61503283\n\nfn=(1) main\n0 7\n";
        assert_eq!(instructions(profile), Some(61_503_283.0));
        assert_eq!(instructions("version: 1\n"), None);
    }
}
