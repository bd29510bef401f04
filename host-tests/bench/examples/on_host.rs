//! Does a run on the host, with settings as words, and prints its readings.

use bench::{Checkpoint, Readings, Run, Visit};
use ipse::ResumableDriver;
use ipse::prelude::*;
use ipse_device::{Session, Settings};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut run = Run::default();
    for word in std::env::args().skip(1) {
        run.set(&word).map_err(|error| error.to_string())?;
    }
    run.visit(Print).map_err(|error| error.to_string())
}

/// Learns, and prints the result.
struct Print;

impl Visit for Print {
    type Output = ();

    fn visit<D: ResumableDriver>(
        self,
        settings: Settings,
        make: impl FnOnce(&mut XorShiftRng) -> D,
    ) {
        let mut session = Session::new(settings, || 0, make);
        println!("{}", Readings::of(&mut session));
        println!("{}", Checkpoint::of(&mut session));
    }
}
