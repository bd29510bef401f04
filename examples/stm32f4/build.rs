//! Tells the linker what the memory looks like and where defmt's strings go.

use std::{env, fs, path::PathBuf};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::copy("memory.x", out.join("memory.x")).expect("the memory map can be copied");
    println!("cargo::rerun-if-changed=memory.x");
    println!("cargo::rustc-link-search={}", out.display());
    let defmt = env::var_os("CARGO_FEATURE_DEFMT").map(|_| "-Tdefmt.x");
    for argument in ["--nmagic", "-Tlink.x"].into_iter().chain(defmt) {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}
