//! Tells the linker about the start-up code. `rp2040` has the memory map.

fn main() {
    for argument in ["--nmagic", "-Tlink.x", "-Tlink-rp.x"] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}
