//! Learning for longer than any test has time for.

use crate::workspace::{self, cargo};

pub fn run(iterations: &str) -> Result<(), String> {
    let number: u32 = iterations
        .parse()
        .map_err(|_| format!("give --iterations a whole number up to {}", u32::MAX))?;
    let mut command = cargo("test --release --package host-tests --test endurance -- --nocapture");
    command.env("ITERATIONS", number.to_string());
    workspace::run(command)
}
