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
    let mut session = match Session::new(settings, || 0) {
        Ok(session) => session,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("{}", Readings(&session.finish()));
    println!("{}", Checkpoint(&session));
    ExitCode::SUCCESS
}
