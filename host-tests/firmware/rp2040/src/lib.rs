//! What the test firmware for the Raspberry Pi Pico has in common: the session of a run of `bench`, and text on UART0.
//!
//! The words of a run set its session. Its driver is made by the image, which then holds no other one. If it were not
//! the driver of the run, the fingerprint would differ from that of the host, which does the run with the same words.
//!
//! There is no telemetry, so that the cycles of an image are those of learning. After the run there is no progress, and
//! the watchdog starts the image again.
#![no_std]

use bench::Run;
use core::fmt::{Display, Write};
use embassy_time::Instant;
use heapless::String;
use ipse::prelude::*;
use ipse_device::{Boot, Features, Observer, Saved, Session, Sink};
use rp2040::{Uart, Watchdog};

/// The longest line.
const LINE: usize = 128;

/// Learns until the last iteration, and tells the result.
pub async fn learn<D: Driver>(session: &mut Session<D>, watchdog: Watchdog, uart: Uart) {
    let mut observers = (watchdog, Text::new(uart));
    session.learn(&mut observers).await;
    let (_, mut text) = observers;
    text.end(session).await;
}

/// The session of the run that `words` set, with the driver that `make` returns.
// Out of line, so that the session is made where it is going to live, and not copied.
#[inline(never)]
pub fn session<D>(words: &[&str], make: impl FnOnce(&mut XorShiftRng) -> D) -> Session<D>
where
    D: ResumableDriver,
{
    let mut run = Run::default();
    for word in words {
        run.set(word).unwrap_or_else(|error| panic!("{error}"));
    }
    Session::new(run.settings(), || Instant::now().as_micros(), make)
}

/// Tells what happens in lines of text. While a session goes on, lines that there is no room for are dropped.
pub struct Text {
    uart: Uart,
    longest_slice: u32,
}

impl Text {
    /// Text on the UART.
    pub fn new(uart: Uart) -> Self {
        Text {
            uart,
            longest_slice: 0,
        }
    }

    /// Sends a line, and waits until there is room for it.
    pub async fn print(&mut self, text: impl Display) {
        self.uart.0.write_all(line(text).as_bytes()).await;
    }

    /// Tells the longest slice of work, and what was learned.
    pub async fn end<D: Driver>(&mut self, session: &Session<D>) {
        let longest = self.longest_slice;
        self.print(format_args!("longest_slice_us {longest}")).await;
        let fingerprint = session.fingerprint();
        self.print(format_args!("fingerprint {fingerprint}")).await;
    }
}

fn line(text: impl Display) -> String<LINE> {
    let mut line = String::new();
    write!(line, "{text}\r\n").expect("the line is long enough");
    line
}

impl<D: Driver> Observer<D> for Text {
    fn progress(&mut self, _: &Session<D>, micros: u32) {
        self.longest_slice = self.longest_slice.max(micros);
    }

    fn booted(&mut self, _: &Session<D>, boot: Boot) {
        self.uart.try_send(line(boot).as_bytes());
    }

    fn learned(&mut self, _: &Session<D>, step: &Step<Features<D>>) {
        let iteration = step.iteration;
        let line = line(format_args!("iteration {iteration}"));
        self.uart.try_send(line.as_bytes());
    }

    fn saved(&mut self, _: &Session<D>, saved: Saved) {
        self.uart.try_send(line(saved).as_bytes());
    }
}
