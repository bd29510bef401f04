//! What the test firmware for the Raspberry Pi Pico has in common: the session of a run of `bench`.
//!
//! The words of a run set its session. Its driver is made by the image, which then holds no other one. If it were not
//! the driver of the run, the fingerprint would differ from that of the host, which does the run with the same words.
//!
//! After the run, an image plays. If it slept instead, rp2040js would count the cycles up to the next heartbeat.
#![no_std]

use bench::Run;
use embassy_time::Instant;
use ipse::ResumableDriver;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::Session;

/// The session of the run that `words` set, with the driver that `make` returns.
// Out of line, so that the session is made where it is going to live, and not copied.
#[inline(never)]
pub fn session<D>(words: &[&str], make: impl FnOnce(&mut XorShiftRng) -> D) -> Session<D>
where
    D: ResumableDriver<Task = Tetris10x10>,
{
    let mut run = Run::default();
    for word in words {
        run.set(word).unwrap_or_else(|error| panic!("{error}"));
    }
    Session::new(run.settings(), || Instant::now().as_micros(), make)
}
