//! Telemetry for the page: events as JSON.

use ipse_device::{Event, Reader};
use serde::Serialize;

/// Events out of bytes, from a board or from a run of the page.
#[derive(Default)]
pub struct Stream(Reader);

/// An event, and what the numbers of JavaScript cannot hold.
#[derive(Serialize)]
struct Heard<'a> {
    event: &'a Event<'a>,
    /// Of a hello.
    seed: Option<String>,
    /// Of the end.
    fingerprint: Option<String>,
}

impl Stream {
    /// Adds the events that are complete with these bytes to a JSON array, of which only the beginning is there.
    pub fn read(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut is_first = true;
        self.0.read(bytes, |event| {
            if !core::mem::take(&mut is_first) {
                out.push(b',');
            }
            let (mut seed, mut fingerprint) = (None, None);
            match &event {
                Event::Hello(hello) => seed = Some(hello.seed.to_string()),
                Event::Ended(ended) => fingerprint = Some(ended.fingerprint.to_string()),
                _ => {}
            }
            let heard = Heard {
                event: &event,
                seed,
                fingerprint,
            };
            crate::page::write(out, &heard);
        });
    }

    /// The number of bytes that were no part of an event.
    pub fn skipped(&self) -> u64 {
        self.0.skipped()
    }

    /// The version of the protocol, if it is one that cannot be read.
    pub fn foreign_version(&self) -> Option<u8> {
        self.0.foreign_version()
    }
}
