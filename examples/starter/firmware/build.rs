//! Tells the linker how the board's memory is laid out: `emulated` has the map, and cortex-m-rt the script.

fn main() {
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
}
