//! The way to an SSD1306: what is shown there, and that nothing changes if there is none.

use embassy_futures::select::select;
use embassy_futures::{block_on, yield_now};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embedded_hal_async::i2c::{ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};
use ipse::prelude::*;
use ipse_device::display::{Display, Frame, Screen};
use ipse_device::{Reader, Session, Settings, Telemetry};
use ipse_tasks::Foraging;
use std::cell::{Cell, RefCell};

const COMMANDS: u8 = 0x00;
const DATA: u8 = 0x40;
const COLUMNS: u8 = 0x21;
const ROWS: u8 = 0x22;

/// A bus with an SSD1306 from the attempt `absent` on, of which only the place to draw at is known.
struct Bus<'a> {
    absent: u32,
    memory: &'a RefCell<Frame>,
    page: usize,
    column: usize,
    sent: &'a Cell<usize>,
}

impl ErrorType for Bus<'_> {
    type Error = ErrorKind;
}

impl I2c for Bus<'_> {
    async fn transaction(
        &mut self,
        address: u8,
        operations: &mut [Operation<'_>],
    ) -> Result<(), ErrorKind> {
        yield_now().await;
        assert_eq!(address, 0x3c);
        if self.absent > 0 {
            self.absent -= 1;
            return Err(ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address));
        }
        for operation in operations {
            match operation {
                Operation::Write([COMMANDS, COLUMNS, first, _]) => self.column = (*first).into(),
                Operation::Write([COMMANDS, ROWS, first, _]) => self.page = (*first).into(),
                Operation::Write([COMMANDS, ..]) => {}
                Operation::Write([DATA, data @ ..]) => {
                    for byte in data.iter() {
                        self.memory.borrow_mut().0[self.page][self.column] = *byte;
                        self.column += 1;
                    }
                    self.sent.set(self.sent.get() + data.len());
                }
                _ => panic!("a display is told nothing else"),
            }
        }
        Ok(())
    }
}

/// What a display shows after a session, if it is there from an attempt on; what it should show; what telemetry has told,
/// and the number of bytes that were drawn.
fn session(absent: u32) -> (Frame, Frame, Vec<u8>, usize) {
    let display = Display::<NoopRawMutex>::new();
    let (memory, sent) = (RefCell::new(Frame([[0xa5; 128]; 8])), Cell::new(0));
    let bus = Bus {
        absent,
        memory: &memory,
        page: 0,
        column: 0,
        sent: &sent,
    };
    let (mut told, mut reader, mut screen) = (Vec::new(), Reader::new(), Screen::new());
    let learner = Ipse::new().check().unwrap();
    let settings = Settings {
        iterations: Some(40),
        ..Settings::default()
    };
    let mut session = Session::new(settings, || 0, |rng| Agent::new(Foraging, learner, rng));
    let mut telemetry = Telemetry::new((&display, |frame: &[u8]| {
        told.extend_from_slice(frame);
        reader.read(frame, |event| screen.tell(&event));
        true
    }));
    let learn = async {
        session.learn(&mut telemetry).await;
        for _ in 0..10_000 {
            yield_now().await;
        }
    };
    block_on(select(learn, display.show(bus, yield_now)));
    assert_eq!(telemetry.dropped().1, 0);
    let expected = *screen.frame();
    (memory.into_inner(), expected, told, sent.get())
}

#[test]
fn the_display_shows_the_screen_and_is_sent_what_has_changed() {
    let (shown, expected, _, sent) = session(0);
    assert_eq!(shown, expected);
    // Every iteration changes a few pages, not all.
    assert!((1024..30 * 1024).contains(&sent), "{sent}");
}

#[test]
fn without_a_display_the_same_is_told() {
    let (shown, _, told, sent) = session(u32::MAX);
    assert_eq!((shown, sent), (Frame([[0xa5; 128]; 8]), 0));
    assert_eq!(told, session(0).2);
}

#[test]
fn a_display_may_come_late() {
    let (shown, _, _, sent) = session(50);
    assert!(sent >= 1024);
    assert_ne!(shown, Frame([[0xa5; 128]; 8]));
}
