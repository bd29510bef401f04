//! What a run came to, to be compared with another: one `name value` a line. Weights are
//! hexadecimal bits.

use crate::event::Ended;
use core::fmt;

/// Writes all that is the same wherever a run takes place, and nothing else.
pub struct Readings<'a>(pub &'a Ended);

impl fmt::Display for Readings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ended {
            fingerprint,
            weights,
            calls,
            rows,
            ..
        } = self.0;
        writeln!(f, "fingerprint {fingerprint}")?;
        f.write_str("weights")?;
        for weight in weights {
            write!(f, " {:08x}", weight.to_bits())?;
        }
        write!(f, "\ncalls {calls}\nrows {rows}")
    }
}
