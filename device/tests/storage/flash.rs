//! NOR flash that loses its power at any byte, and all that runs with it.

use embedded_storage_async::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use ipse::prelude::*;
use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::future::{Future, pending};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

pub const PAGE: usize = 2048;
pub const PAGES: usize = 4;

/// What an erase leaves behind if it is interrupted.
#[derive(Clone, Copy, Debug)]
pub enum Erase {
    /// The bytes before that at which it was are erased.
    InOrder,
    /// So many bytes are erased, anywhere in the page.
    Anywhere,
}

/// Power for so many bytes to be written or erased, and turns to be taken by what runs.
#[derive(Clone, Default)]
pub struct Power(Rc<Cell<Option<u64>>>);

impl Power {
    pub fn unlimited() -> Self {
        Self::default()
    }

    pub fn limited(units: u64) -> Self {
        Power(Rc::new(Cell::new(Some(units))))
    }

    /// Uses one unit. Returns whether there was one left.
    fn draw(&self) -> bool {
        match self.0.get() {
            None => true,
            Some(left) => {
                self.0.set(Some(left.saturating_sub(1)));
                left > 0
            }
        }
    }

    fn is_gone(&self) -> bool {
        self.0.get() == Some(0)
    }

    /// Runs `future` to its end, or until the power is gone. Turns count only if `takes_time`.
    pub fn run<T>(&self, takes_time: bool, future: impl Future<Output = T>) -> Option<T> {
        let mut future = pin!(future);
        let mut context = Context::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
                return Some(result);
            }
            if self.is_gone() || takes_time && !self.draw() {
                return None;
            }
        }
    }
}

/// Flash with words of `WORD` bytes, and what is on it.
#[derive(Clone)]
pub struct Flash<const WORD: usize> {
    pub bytes: Rc<RefCell<Vec<u8>>>,
    pub power: Power,
    pub erase: Erase,
    /// How many bytes were written or erased.
    pub used: Rc<Cell<u64>>,
    /// For how each interruption is different.
    pub seed: u64,
}

impl<const WORD: usize> Flash<WORD> {
    pub fn new(erase: Erase) -> Self {
        Flash {
            bytes: Rc::new(RefCell::new(vec![0xff; PAGE * PAGES])),
            power: Power::unlimited(),
            erase,
            used: Rc::default(),
            seed: 0,
        }
    }

    /// Another with the same bytes.
    pub fn copy(&self, power: Power, seed: u64) -> Self {
        Flash {
            bytes: Rc::new(RefCell::new(self.bytes.borrow().clone())),
            power,
            erase: self.erase,
            used: Rc::default(),
            seed,
        }
    }

    /// The same, after the power has come back.
    pub fn reboot(&self, power: Power, seed: u64) -> Self {
        Flash {
            power,
            seed,
            ..self.clone()
        }
    }

    /// Changes a byte, or only some of its bits if the power goes meanwhile.
    async fn change(&self, position: usize, to: u8) {
        self.used.set(self.used.get() + 1);
        let mut chance = XorShiftRng::seed_from_u64(self.seed ^ self.used.get() << 32);
        let mask = if self.power.draw() {
            0xff
        } else {
            chance.next_u32() as u8
        };
        {
            let byte = &mut self.bytes.borrow_mut()[position];
            *byte ^= (*byte ^ to) & mask;
        }
        if mask != 0xff || self.power.is_gone() {
            pending::<()>().await;
        }
    }
}

impl<const WORD: usize> ErrorType for Flash<WORD> {
    type Error = Infallible;
}

impl<const WORD: usize> ReadNorFlash for Flash<WORD> {
    const READ_SIZE: usize = WORD;

    async fn read(&mut self, offset: u32, to: &mut [u8]) -> Result<(), Infallible> {
        let offset = offset as usize;
        assert!(offset.is_multiple_of(WORD) && to.len().is_multiple_of(WORD));
        to.copy_from_slice(&self.bytes.borrow()[offset..offset + to.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        PAGE * PAGES
    }
}

impl<const WORD: usize> NorFlash for Flash<WORD> {
    const WRITE_SIZE: usize = WORD;
    const ERASE_SIZE: usize = PAGE;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), Infallible> {
        let (from, to) = (from as usize, to as usize);
        assert!(from.is_multiple_of(PAGE) && to.is_multiple_of(PAGE));
        let mut order: Vec<usize> = (from..to).collect();
        if let Erase::Anywhere = self.erase {
            let mut chance = XorShiftRng::seed_from_u64(self.seed);
            for page in order.chunks_mut(PAGE) {
                for i in (1..PAGE).rev() {
                    page.swap(i, chance.next_u32() as usize % (i + 1));
                }
            }
        }
        for position in order {
            self.change(position, 0xff).await;
        }
        Ok(())
    }

    async fn write(&mut self, offset: u32, from: &[u8]) -> Result<(), Infallible> {
        let offset = offset as usize;
        assert!(offset.is_multiple_of(WORD) && from.len().is_multiple_of(WORD));
        for (position, byte) in (offset..).zip(from) {
            let before = self.bytes.borrow()[position];
            // Bits can only be cleared.
            self.change(position, before & byte).await;
        }
        Ok(())
    }
}
