//! What must not link: one element of a list, at an index that nobody checks.
#![no_std]
#![no_main]

use core::hint::black_box;
use no_panic::any;

#[unsafe(no_mangle)]
extern "C" fn _start() {
    black_box([1, 2, 3][any(1)]);
}
