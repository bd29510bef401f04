//! Does the run that its command line sets, and writes its readings, to be compared with those of the host.
//!
//! It needs nothing of a machine but a core: an emulator hands on the command line and the text, by semihosting or, to
//! a module of WebAssembly, by imports.
#![no_std]
#![no_main]

#[cfg_attr(target_family = "wasm", path = "wasm.rs")]
#[cfg_attr(not(target_family = "wasm"), path = "semihosted.rs")]
mod machine;

use bench::{Checkpoint, Readings, Run, Visit};
use ipse::ResumableDriver;
use ipse::prelude::*;
use ipse_device::{Session, Settings};

/// Does the run that `words` set.
fn run<'w>(words: impl Iterator<Item = &'w str>) {
    let mut run = Run::default();
    for word in words {
        run.set(word).unwrap_or_else(|error| panic!("{error}"));
    }
    let visited = run.visit(Print);
    visited.unwrap_or_else(|invalid| panic!("{invalid}"));
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
        machine::print(format_args!("{}", Readings::of(&mut session)));
        machine::print(format_args!("{}", Checkpoint::of(&mut session)));
    }
}
