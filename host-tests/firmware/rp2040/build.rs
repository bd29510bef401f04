//! Tells the linker about the start-up code and where defmt's strings go. `rp2040` has the memory map.

use std::env;

fn main() {
    let defmt = env::var_os("CARGO_FEATURE_DEFMT").map(|_| "-Tdefmt.x");
    for argument in ["--nmagic", "-Tlink.x", "-Tlink-rp.x"]
        .into_iter()
        .chain(defmt)
    {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}
