//! Learns on the host as a board does, with settings as words, and prints what it came to.

use board::{Checkpoint, Readings, Session, Settings};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut settings = Settings::default();
    for word in std::env::args().skip(1) {
        if let Err(error) = settings.set(&word) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    let mut session = Session::new(settings, || 0);
    println!("{}", Readings(&session.finish()));
    println!("{}", Checkpoint(&session));
    ExitCode::SUCCESS
}
