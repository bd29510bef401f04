//! Learns, keeps checkpoints in flash, and restarts from the newest of them after any trouble.
//!
//! The run is set by words; `trouble=panic`, `trouble=fault` and `trouble=hang` ask for trouble, one for each
//! boot. What happens is written to the standard error, and the readings in the end to the standard output,
//! one `name value` a line.
#![no_std]
#![no_main]

use bench::{CHECKPOINT, Readings, Run, Visit};
use cortex_m_rt::entry;
use embassy_futures::block_on;
use emulated::clock::Clock;
use emulated::{storage, words};
use emulated_tests::trouble::{self, Trouble};
use emulated_tests::watchdog;
use ipse::prelude::*;
use ipse::{Driver, ResumableDriver, Step};
use ipse_device::{Boot, Features, Observer, Saved, Session, Settings};
use semihosting::{eprintln, println, process};

#[entry]
fn main() -> ! {
    let peripherals = cortex_m::Peripherals::take().expect("nobody else takes them");
    Clock::start(peripherals.SYST);
    eprintln!("turned on");
    let (run, trouble) = read_arguments(trouble::count_boot());
    let life = Life {
        iterations: 0,
        trouble,
    };
    run.visit(life)
        .unwrap_or_else(|invalid| panic!("{invalid}"));
    process::exit(0)
}

/// What has happened since the boot, and what will.
struct Life {
    iterations: u32,
    trouble: Option<Trouble>,
}

impl Visit for Life {
    type Output = ();

    fn visit<D: ResumableDriver>(
        mut self,
        settings: Settings,
        make: impl FnOnce(&mut XorShiftRng) -> D,
    ) {
        let mut storage = storage::<CHECKPOINT>();
        let mut session = Session::new(settings, || 0, make);
        block_on(session.resume(&mut storage, &mut self));

        watchdog::start();
        block_on(session.learn_and_save(&mut storage, &mut self));
        println!("{}", Readings::of(&mut session));
        let (longest, limit) = watchdog::longest();
        println!("wait_milliseconds {longest}");
        println!("limit_milliseconds {limit}");
    }
}

impl<D: Driver> Observer<D> for Life {
    /// Trouble comes in the middle of an iteration.
    fn progress(&mut self, _: &Session<D>, _: u32) {
        watchdog::feed();
        if let Some(trouble) = self.trouble {
            trouble.strike(self.iterations);
        }
    }

    fn booted(&mut self, _: &Session<D>, boot: Boot) {
        eprintln!("{boot}");
    }

    fn learned(&mut self, _: &Session<D>, step: &Step<Features<D>>) {
        eprintln!("learned {}", step.iteration);
        self.iterations += 1;
    }

    fn saved(&mut self, _: &Session<D>, saved: Saved) {
        if !saved.is_saved() {
            eprintln!("{saved}");
        }
    }
}

/// The run, and the trouble of this boot.
#[inline(never)]
fn read_arguments(boots: u32) -> (Run, Option<Trouble>) {
    let mut run = Run::default();
    let (mut troubles, mut trouble) = (0, None);
    words::each(|word| {
        let Some(name) = word.strip_prefix("trouble=") else {
            return run.set(word).unwrap_or_else(|error| panic!("{error}"));
        };
        let named = Trouble::named(name).expect("trouble is panic, fault or hang");
        if troubles == boots {
            trouble = Some(named);
        }
        troubles += 1;
    });
    (run, trouble)
}
