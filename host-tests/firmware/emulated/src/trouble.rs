//! Trouble on purpose, a few iterations after a boot: each boot has the next kind of a list.

use core::mem::MaybeUninit;
use semihosting::eprintln;

/// The number of iterations after a boot that go well.
const AFTER: u32 = 3;

/// A kind of trouble.
#[derive(Clone, Copy)]
pub enum Trouble {
    /// A panic.
    Panic,
    /// A hard fault.
    Fault,
    /// An endless loop.
    Hang,
}

impl Trouble {
    /// The trouble with this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "panic" => Some(Trouble::Panic),
            "fault" => Some(Trouble::Fault),
            "hang" => Some(Trouble::Hang),
            _ => None,
        }
    }

    /// Happens, if it is time.
    pub fn strike(self, iterations_since_boot: u32) {
        if iterations_since_boot != AFTER {
            return;
        }
        match self {
            Trouble::Panic => panic!("trouble on purpose"),
            Trouble::Fault => cortex_m::asm::udf(),
            Trouble::Hang => {
                eprintln!("hangs on purpose");
                #[expect(clippy::empty_loop, reason = "that is what it is to hang")]
                loop {}
            }
        }
    }
}

/// The number of boots since the power was turned on, after a mark. Memory keeps it across resets.
#[unsafe(link_section = ".uninit.boots")]
static mut BOOTS: MaybeUninit<[u32; 2]> = MaybeUninit::uninit();

/// Tells `BOOTS` from what was in memory before.
const KNOWN: u32 = 0xb007_b007;

/// Counts a boot, once in each. Returns the number of those before.
pub fn count_boot() -> u32 {
    let boots = (&raw mut BOOTS).cast::<[u32; 2]>();
    // SAFETY: nobody else knows of it, and any bits are two integers. It is read as if by someone
    // outside, since nothing in this life has written it.
    unsafe {
        let [mark, count] = boots.read_volatile();
        let count = if mark == KNOWN { count } else { 0 };
        boots.write_volatile([KNOWN, count + 1]);
        count
    }
}
