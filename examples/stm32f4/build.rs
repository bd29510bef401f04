//! Tells the linker where the stack and defmt's strings go. What the memory looks like is known to
//! embassy-stm32.

use std::env;

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    println!("cargo::rerun-if-changed=stack.x");
    println!("cargo::rustc-link-search={folder}");
    let defmt = env::var_os("CARGO_FEATURE_DEFMT").map(|_| "-Tdefmt.x");
    // In this order: what stack.x defines, link.x leaves alone.
    let scripts = ["--nmagic", "-Tstack.x", "-Tlink.x"];
    for argument in scripts.into_iter().chain(defmt) {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}
