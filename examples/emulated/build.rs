//! Tells the linker and the code which board runs code for this target.

use std::{env, fs, path::PathBuf};

fn main() {
    let target = env::var("TARGET").expect("cargo sets TARGET");
    let (board, map) = match target.as_str() {
        "thumbv6m-none-eabi" => ("mps2-an385", "memory-an385.x"),
        "thumbv7em-none-eabihf" => ("netduinoplus2", "../../memory.x"),
        "thumbv8m.main-none-eabihf" => ("mps2-an505", "memory-an505.x"),
        _ => panic!("no board here runs code for {target}: give --target thumbv7em-none-eabihf"),
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::copy(map, out.join("memory.x")).expect("the memory map can be copied");
    println!("cargo::rerun-if-changed={map}");
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    println!(
        "cargo::rustc-check-cfg=cfg(board, values(\"mps2-an385\", \"mps2-an505\", \"netduinoplus2\"))"
    );
    println!("cargo::rustc-cfg=board=\"{board}\"");
}
