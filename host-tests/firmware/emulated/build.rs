//! Tells the linker about the start-up code. `emulated` has the memory map of each board.

fn main() {
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
}
