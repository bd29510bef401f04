//! Tells the linker what the memory of the machine looks like that runs code for this target.

use std::{env, fs, path::PathBuf};

/// The stack is below the variables where the memory is small, so that an overflow faults.
fn memory(target: &str) -> Option<&'static str> {
    Some(match target {
        // A micro:bit, and the same addresses exist on an mps2-an385.
        "thumbv6m-none-eabi" => {
            "MEMORY {
                FLASH : ORIGIN = 0x00000000, LENGTH = 256K
                STACK : ORIGIN = 0x20000000, LENGTH = 15K
                RAM   : ORIGIN = 0x20003c00, LENGTH = 1K
            }
            _stack_end = ORIGIN(STACK);
            _stack_start = ORIGIN(STACK) + LENGTH(STACK);"
        }
        "thumbv7m-none-eabi" => {
            "MEMORY {
                FLASH : ORIGIN = 0x00000000, LENGTH = 4M
                RAM   : ORIGIN = 0x20000000, LENGTH = 4M
            }"
        }
        "thumbv8m.main-none-eabihf" => {
            "MEMORY {
                FLASH : ORIGIN = 0x10000000, LENGTH = 4M
                RAM   : ORIGIN = 0x38000000, LENGTH = 4M
            }"
        }
        "riscv32imac-unknown-none-elf" => {
            "MEMORY {
                FLASH : ORIGIN = 0x20400000, LENGTH = 4M
                RAM   : ORIGIN = 0x80000000, LENGTH = 16K
            }
            REGION_ALIAS(\"REGION_TEXT\", FLASH);
            REGION_ALIAS(\"REGION_RODATA\", FLASH);
            REGION_ALIAS(\"REGION_DATA\", RAM);
            REGION_ALIAS(\"REGION_BSS\", RAM);
            REGION_ALIAS(\"REGION_HEAP\", RAM);
            REGION_ALIAS(\"REGION_STACK\", RAM);"
        }
        _ => return None,
    })
}

fn main() {
    let target = env::var("TARGET").expect("cargo sets TARGET");
    if target.starts_with("wasm32") {
        return;
    }
    let map = memory(&target).unwrap_or_else(|| panic!("no machine here runs code for {target}"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("memory.x"), map).expect("the memory map can be written");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
}
