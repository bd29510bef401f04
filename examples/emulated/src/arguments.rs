//! The command line, which semihosting hands on.

use board::Settings;
use semihosting::experimental::env;

/// What the command line says about learning. Apart, so that it does not stay on the stack.
#[inline(never)]
pub fn settings() -> Settings {
    let mut settings = Settings::default();
    each(|word| {
        if let Err(error) = settings.set(word) {
            panic!("{error}");
        }
    });
    settings
}

/// Visits every word but the first, which is the name of the firmware.
pub fn each(mut visit: impl FnMut(&str)) {
    let arguments = env::args::<256>().expect("the command line has at most 256 bytes");
    for word in (&arguments).skip(1) {
        visit(word.expect("the command line is text"));
    }
}
