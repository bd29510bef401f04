//! The result of a run, one `name value` a line. Weights are hexadecimal bits.

use core::fmt;
use ipse::{Driver, ResumableDriver};
use ipse_device::{Ended, Session};

/// Everything of a result that is the same wherever a run takes place.
pub struct Readings(Ended);

impl Readings {
    /// Learns until the last iteration, without a report and without a break, and returns the result.
    pub fn of<D: Driver>(session: &mut Session<D>) -> Self {
        while !session.is_done() {
            session.slice();
        }
        Readings(session.result())
    }
}

impl fmt::Display for Readings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ended {
            fingerprint,
            weights,
            calls,
            reward,
            episodes,
            ..
        } = &self.0;
        writeln!(f, "fingerprint {fingerprint}")?;
        f.write_str("weights")?;
        for weight in weights {
            write!(f, " {:08x}", weight.to_bits())?;
        }
        write!(f, "\ncalls {calls}\nreward {reward}\nepisodes {episodes}")
    }
}

/// The size of a buffer for a checkpoint of any run here. With a header, two of them fit a page of 4 KiB.
pub const CHECKPOINT: usize = 2016;

/// The length and the checksum of a checkpoint, which are the same wherever it is made.
pub struct Checkpoint {
    length: usize,
    checksum: u32,
}

impl Checkpoint {
    /// The checkpoint of a session between two iterations.
    // Out of line, so that the buffer is on the stack for no longer than that.
    #[inline(never)]
    pub fn of<D: ResumableDriver>(session: &mut Session<D>) -> Self {
        const { assert!(Session::<D>::MAX_BYTES <= CHECKPOINT) };
        let mut buffer = [0; CHECKPOINT];
        let bytes = session.save(&mut buffer);
        let bytes = bytes.expect("the session is between two iterations");
        let checksum = bytes.last_chunk().copied().unwrap_or_default();
        Checkpoint {
            length: bytes.len(),
            checksum: u32::from_le_bytes(checksum),
        }
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "checkpoint {} {:08x}", self.length, self.checksum)
    }
}
