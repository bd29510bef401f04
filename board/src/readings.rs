//! What a run came to, to be compared with another: one `name value` a line. Weights are
//! hexadecimal bits.

use crate::event::Ended;
use crate::session::Session;
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

/// Writes the length and the checksum of a checkpoint, which are the same wherever it is made.
pub struct Checkpoint<'a>(pub &'a Session);

impl fmt::Display for Checkpoint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut buffer = [0; Session::MAX_BYTES];
        let bytes = self.0.save(&mut buffer).map_err(|_| fmt::Error)?;
        let checksum = bytes.last_chunk().ok_or(fmt::Error)?;
        let checksum = u32::from_le_bytes(*checksum);
        write!(f, "checkpoint {} {checksum:08x}", bytes.len())
    }
}
