//! Plays Tetris with the BCTS weights and draws every placement: `#` is what lay there before, a
//! letter is the piece. An empty line ends each drawing.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use emulated::clock::Clock;
use ipse::environment::Environment;
use ipse::tetris::{Placed, State, Tetris10x10};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;
use semihosting::{print, println, process};

const PIECES: u32 = 250;

#[entry]
fn main() -> ! {
    let peripherals = cortex_m::Peripherals::take().expect("nobody else takes them");
    let clock = Clock::start(peripherals.SYST);
    let task = Tetris10x10::default();
    let policy = bench::bcts();
    let mut rng = XorShiftRng::seed_from_u64(4);

    let mut state = task.reset(&mut rng);
    let mut rows = 0;
    for piece in 1..=PIECES {
        let Some(action) = policy.choose(&task, &state, &mut rng) else {
            break;
        };
        if let Some(placed) = task.place(&state, action) {
            draw(&state, &placed);
        }
        let (next, reward) = task.step(&state, action, &mut rng);
        state = next;
        rows += reward;
        println!("piece {piece}, {rows} rows removed\n");
        clock.sleep();
    }
    process::exit(0)
}

fn draw(state: &State, placed: &Placed) {
    let columns = state.board.columns();
    for row in (0..10).rev() {
        for (x, column) in columns.iter().enumerate() {
            let cell = if placed.cells.contains(&(x as u8, row)) {
                state.piece.letter()
            } else if column >> row & 1 == 1 {
                '#'
            } else {
                '.'
            };
            print!("{cell}");
        }
        println!();
    }
}
