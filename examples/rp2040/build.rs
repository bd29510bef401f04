//! Tells the linker what the memory looks like and where defmt's strings go.

use std::{env, fs, path::PathBuf};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let feature = |name| env::var_os(name).is_some();
    let (map, scripts) = match feature("CARGO_FEATURE_RP2350") {
        true => ("memory-rp2350.x", &["--nmagic", "-Tlink.x"][..]),
        false => (
            "memory-rp2040.x",
            &["--nmagic", "-Tlink.x", "-Tlink-rp.x"][..],
        ),
    };
    fs::copy(map, out.join("memory.x")).expect("the memory map can be copied");
    println!("cargo::rerun-if-changed={map}");
    println!("cargo::rustc-link-search={}", out.display());
    let defmt = feature("CARGO_FEATURE_DEFMT").then_some("-Tdefmt.x");
    for argument in scripts.iter().copied().chain(defmt) {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}
