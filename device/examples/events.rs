//! Prints the telemetry of a board, a line for each event: `cargo run --example events < recorded.ipse`.

use ipse_device::Reader;
use std::io::{self, Read};

fn main() -> io::Result<()> {
    let mut reader = Reader::new();
    let mut bytes = [0; 4096];
    loop {
        match io::stdin().read(&mut bytes)? {
            0 => break,
            len => reader.read(&bytes[..len], |event| println!("{event}")),
        }
    }
    eprintln!("{} bytes were no part of a frame", reader.skipped());
    Ok(())
}
