//! Tells the linker about the start-up code. The example of the board has the memory map.

use std::env;

fn main() {
    let boot = env::var_os("CARGO_FEATURE_RP2040").map(|_| "-Tlink-rp.x");
    for argument in ["--nmagic", "-Tlink.x"].into_iter().chain(boot) {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}
