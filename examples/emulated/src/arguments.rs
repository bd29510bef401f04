//! The command line, which semihosting hands on.

use semihosting::experimental::env;

/// Visits every word but the first, which is the name of the firmware.
pub fn each(mut visit: impl FnMut(&str)) {
    let arguments = env::args::<256>().expect("the command line has at most 256 bytes");
    for word in (&arguments).skip(1) {
        visit(word.expect("the command line is text"));
    }
}
