//! What is used of an FE310: its UART, and its clock of 32,768 Hz.

use core::cell::RefCell;
use heapless::Deque;
use ipse::Driver;
use ipse_device::{Observer, Session, Sink};

/// The registers of UART0, and a flag of the one that sends.
const TXDATA: *mut u32 = 0x1001_3000 as *mut u32;
const TXCTRL: *mut u32 = 0x1001_3008 as *mut u32;
const DIV: *mut u32 = 0x1001_3018 as *mut u32;
const FULL: u32 = 1 << 31;
/// The pins of UART0 are its, and not general ones.
const IOF_EN: *mut u32 = 0x1001_2038 as *mut u32;
const UART_PINS: u32 = 0b11 << 16;
/// 115200 baud from the 16 MHz that the chip starts with, after its boot loader has chosen the crystal.
const DIVISOR: u32 = 16_000_000 / 115_200 - 1;
/// The clock that always runs.
const MTIME: *const u32 = 0x0200_bff8 as *const u32;
const HZ: u64 = 32_768;

/// The time since the board was started, in microseconds.
pub fn micros() -> u64 {
    // SAFETY: this register can be read at any time.
    let read = |word| u64::from(unsafe { MTIME.add(word).read_volatile() });
    loop {
        let (high, low) = (read(1), read(0));
        if high == read(1) {
            return (high << 32 | low) * 1_000_000 / HZ;
        }
    }
}

/// The UART at the end of a queue, so that nobody waits for it. Frames that do not fit are dropped, and counted.
pub struct Uart(RefCell<Deque<u8, 1024>>);

impl Uart {
    pub fn start() -> Self {
        // SAFETY: nobody else uses the UART, and its pins have no other use.
        unsafe {
            DIV.write_volatile(DIVISOR);
            TXCTRL.write_volatile(1);
            IOF_EN.write_volatile(IOF_EN.read_volatile() | UART_PINS);
        }
        Uart(RefCell::new(Deque::new()))
    }

    /// Hands on as much as the UART has room for, which is up to eight bytes.
    pub fn pump(&self) {
        let mut queue = self.0.borrow_mut();
        // SAFETY: nobody else uses the UART.
        while let Some(byte) = queue.front()
            && unsafe { TXDATA.read_volatile() } & FULL == 0
        {
            unsafe { TXDATA.write_volatile((*byte).into()) };
            queue.pop_front();
        }
    }
}

impl Sink for &Uart {
    fn try_send(&mut self, frame: &[u8]) -> bool {
        let mut queue = self.0.borrow_mut();
        let fits = queue.capacity() - queue.len() >= frame.len();
        if fits {
            queue.extend(frame.iter().copied());
        }
        fits
    }
}

/// A slice of work takes less time than eight bytes on the wire.
impl<D: Driver> Observer<D> for &Uart {
    fn progress(&mut self, _: &Session<D>, _micros: u32) {
        self.pump();
    }
}
