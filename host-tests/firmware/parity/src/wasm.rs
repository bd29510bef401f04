//! A module of WebAssembly: `run.mjs` has what it imports.

use core::fmt::{self, Arguments, Write};
use core::panic::PanicInfo;

#[link(wasm_import_module = "machine")]
unsafe extern "C" {
    /// Fills in the command line, and returns its length.
    fn words(to: *mut u8, capacity: usize) -> usize;
    fn write(text: *const u8, length: usize);
}

struct Output;

impl Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // SAFETY: the text is only read.
        unsafe { write(text.as_ptr(), text.len()) };
        Ok(())
    }
}

/// Prints a line.
pub fn print(line: Arguments<'_>) {
    let _ = writeln!(Output, "{line}");
}

#[unsafe(no_mangle)]
extern "C" fn main() {
    let mut line = [0; 128];
    // SAFETY: no more is written than there is room for.
    let length = unsafe { words(line.as_mut_ptr(), line.len()) };
    let line = line.get(..length).expect("the command line is short");
    crate::run(core::str::from_utf8(line).expect("it is text").split(' '));
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    print(format_args!("{info}"));
    core::arch::wasm32::unreachable()
}
