//! Figures on the standard error of QEMU, one `name value` a line, without the code that formats text.

use crate::stack;
use core::ffi::CStr;
use ipse::Driver;
use ipse_device::Session;
use semihosting::sys::arm_compat::{sys_write0, sys_writec};

/// Writes what learning has taken: time, and bytes of the agent and of the stack.
pub fn session<D: Driver>(session: &Session<D>) {
    figure(c"microseconds", session.learned_in() as u32);
    figure(c"agent_bytes", size_of_val(session.driver()) as u32);
    figure(c"stack_bytes", stack::high_water_mark() as u32);
}

/// Writes a figure.
pub fn figure(name: &CStr, value: u32) {
    sys_write0(name);
    sys_writec(b' ');
    let mut divisor = 10u32.pow(value.checked_ilog10().unwrap_or(0));
    while divisor > 0 {
        sys_writec(b'0' + (value / divisor % 10) as u8);
        divisor /= 10;
    }
    sys_writec(b'\n');
}
