//! A panic handler that cannot be linked.
//!
//! It calls a function that does not exist. A linker drops what nobody can reach, so an image links if
//! no panic is left in it after optimisation, and fails if one is.
#![no_std]

use core::hint::black_box;
use core::panic::PanicInfo;

unsafe extern "C" {
    fn a_panic_is_reachable() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    // SAFETY: there is no such function, so this is never run.
    unsafe { a_panic_is_reachable() }
}

/// A value of which the compiler knows nothing but its type.
pub fn any<T>(example: T) -> T {
    black_box(example)
}

/// Makes the compiler forget what it knows of a value.
pub fn forget<T>(value: &mut T) -> &mut T {
    black_box(value)
}
