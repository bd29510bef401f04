//! Hands the linker the memory map of the board that runs code for this target.

use std::{env, fs, path::PathBuf};

fn main() {
    let target = env::var("TARGET").unwrap_or_default();
    let map = if target.starts_with("thumbv6m") { "memory-an385.x" } else { "../../memory.x" };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::copy(map, out.join("memory.x")).expect("the memory map can be copied");
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rustc-link-arg=-Tlink.x");
    println!("cargo::rerun-if-changed={map}");
}
