//! Looks for bytes that a target does not survive. `TARGET` names one of `hostile::TARGETS`.
#![no_main]

use hostile::{TARGETS, Target};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static CHOSEN: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(target, _)| *target == name);
    let Some((_, target)) = found else {
        let names = TARGETS.map(|(target, _)| target).join(", ");
        panic!("set TARGET to one of {names}");
    };
    *target
});

fuzz_target!(|bytes: &[u8]| CHOSEN(bytes));
