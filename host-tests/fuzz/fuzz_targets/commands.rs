#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ipse_fuzz::commands(bytes));
