//! Time, by TIMER0.

use core::cell::Cell;
use critical_section::Mutex;
use nrf51_pac::TIMER0;

/// The time when it was last asked for, in microseconds. The timer has 32 bits, and is asked more often than once an hour.
static LAST: Mutex<Cell<u64>> = Mutex::new(Cell::new(0));

/// Lets the timer count microseconds: 16 MHz, divided by 2⁴.
pub fn start(timer: &TIMER0) {
    timer.bitmode.write(|w| w.bitmode()._32bit());
    timer.prescaler.write(|w| unsafe { w.bits(4) });
    timer.tasks_start.write(|w| unsafe { w.bits(1) });
}

/// The time since the board was started, in microseconds.
pub fn micros() -> u64 {
    // SAFETY: nobody else captures the time of this timer.
    let timer = unsafe { &*TIMER0::ptr() };
    critical_section::with(|cs| {
        timer.tasks_capture[0].write(|w| unsafe { w.bits(1) });
        let low = timer.cc[0].read().bits();
        let last = LAST.borrow(cs).get();
        let now = last + u64::from(low.wrapping_sub(last as u32));
        LAST.borrow(cs).set(now);
        now
    })
}
