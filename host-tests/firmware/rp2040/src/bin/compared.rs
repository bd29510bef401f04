//! The runs that are compared with the host, every learner and all searches: one line each, with its fingerprint.
#![no_std]
#![no_main]

use bench::{COMPARED, Run, Visit};
use embassy_executor::Spawner;
use embassy_time::Timer;
use ipse::ResumableDriver;
use ipse::prelude::*;
use ipse_device::{Fingerprint, Observer, Session, Settings};
use rp2040::{Pico, Watchdog};
use rp2040_tests::Text;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let mut pico = Pico::start(spawner);
    let mut text = Text::new(pico.uart);
    for words in COMPARED.lines() {
        let run = Run::of(words).unwrap_or_else(|error| panic!("{error}"));
        let fingerprint = run.visit(Learn(&mut pico.watchdog));
        let fingerprint = fingerprint.unwrap_or_else(|invalid| panic!("{invalid}"));
        text.print(format_args!("{words} fingerprint {fingerprint}"))
            .await;
        // No run lets the line be sent.
        Timer::after_millis(20).await;
    }
    text.print("compared").await;
}

struct Learn<'w>(&'w mut Watchdog);

impl Visit for Learn<'_> {
    type Output = Fingerprint;

    fn visit<D: ResumableDriver>(
        self,
        settings: Settings,
        make: impl FnOnce(&mut XorShiftRng) -> D,
    ) -> Fingerprint {
        let mut session = Session::new(settings, || 0, make);
        while !session.is_done() {
            session.slice();
            self.0.progress(&session, 0);
        }
        session.fingerprint()
    }
}
