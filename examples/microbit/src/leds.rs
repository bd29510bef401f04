//! The 25 LEDs: what is learned so far, and then the game.

use core::cell::Cell;
use critical_section::Mutex;
use ipse::{Driver, Step};
use ipse_device::{Features, Matrix, Observer, Player, Session};
use nrf51_pac::{GPIO, Interrupt, NVIC, TIMER1, interrupt};

/// P0.4 to P0.12 are the columns of the wiring, which are low to be lit, and P0.13 to P0.15 its rows, which are high.
const COLUMN: u32 = 4;
const COLUMNS: u32 = 0x1ff << COLUMN;
const ROW: u32 = 13;
const ROWS: u32 = 0b111 << ROW;

/// The row and the column of the wiring for each LED, as one sees them.
const WIRING: [[(u8, u8); 5]; 5] = [
    [(0, 0), (1, 3), (0, 1), (1, 4), (0, 2)],
    [(2, 3), (2, 4), (2, 5), (2, 6), (2, 7)],
    [(1, 1), (0, 8), (1, 2), (2, 8), (1, 0)],
    [(0, 7), (0, 6), (0, 5), (0, 4), (0, 3)],
    [(2, 2), (1, 6), (2, 0), (1, 5), (2, 1)],
];

/// A row of the wiring is lit for so many microseconds, one after the other.
const TURN: u32 = 2000;

/// What is shown.
static SHOWN: Mutex<Cell<Matrix>> = Mutex::new(Cell::new(Matrix::DARK));

/// Shows what happens.
pub struct Leds(());

impl Leds {
    pub fn start(gpio: GPIO, timer: TIMER1) -> Self {
        gpio.dirset.write(|w| unsafe { w.bits(ROWS | COLUMNS) });
        timer.bitmode.write(|w| w.bitmode()._16bit());
        timer.prescaler.write(|w| unsafe { w.bits(4) });
        timer.cc[0].write(|w| unsafe { w.bits(TURN) });
        timer.shorts.write(|w| w.compare0_clear().enabled());
        timer.intenset.write(|w| w.compare0().set());
        timer.tasks_start.write(|w| unsafe { w.bits(1) });
        // SAFETY: the handler is below, and all that it needs is set up.
        unsafe { NVIC::unmask(Interrupt::TIMER1) };
        Leds(())
    }

    fn show(&mut self, matrix: Matrix) {
        critical_section::with(|cs| SHOWN.borrow(cs).set(matrix));
    }
}

impl<D: Driver> Observer<D> for Leds {
    fn learned(&mut self, session: &Session<D>, step: &Step<Features<D>>) {
        self.show(Matrix::of_learning(session, step.directions.as_ref()));
    }

    fn acted(&mut self, session: &Session<D>, player: &Player<D::Task>) {
        self.show(Matrix::of_state(session.driver().task(), player.state()));
    }
}

/// Lights the next row of the wiring.
#[interrupt]
fn TIMER1() {
    static mut LIT: u8 = 0;
    // SAFETY: after the start, only this handler uses the timer and the pins.
    let (timer, gpio) = unsafe { (&*TIMER1::ptr(), &*GPIO::ptr()) };
    timer.events_compare[0].reset();
    *LIT = (*LIT + 1) % 3;
    let shown = critical_section::with(|cs| SHOWN.borrow(cs).get());
    let mut columns = COLUMNS;
    for (y, row) in WIRING.iter().enumerate() {
        for (x, (turn, column)) in row.iter().enumerate() {
            if turn == LIT && shown.is_lit(x as u8, y as u8) {
                columns &= !(1 << (COLUMN + u32::from(*column)));
            }
        }
    }
    gpio.out
        .write(|w| unsafe { w.bits(columns | 1 << (ROW + u32::from(*LIT))) });
}
