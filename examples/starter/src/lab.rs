//! The lab of this task: `cargo run --release -- train`, and all else that `cargo run --release -- help` lists.

use ipse_lab::task;
use starter::Heater;

fn main() {
    ipse_lab::run([task(Heater)])
}
