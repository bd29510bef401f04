//! Figures on the standard error of QEMU, one `name value` a line, without the code that formats text.

use core::ffi::CStr;
use semihosting::sys::arm_compat::{sys_write0, sys_writec};

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
