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
use emulated::arguments;
use emulated::clock::Clock;
use emulated_tests::flash::{self, Flash};
use emulated_tests::trouble::{self, Trouble};
use emulated_tests::watchdog;
use ipse::ResumableDriver;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::{Event, Observer, Session, Settings, Storage};
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

    fn visit<D: ResumableDriver<Task = Tetris10x10>>(
        mut self,
        settings: Settings,
        make: impl FnOnce(&mut XorShiftRng) -> D,
    ) {
        let flash = Flash::open().expect("the host has a file for the flash");
        let storage = Storage::<_, CHECKPOINT>::new(flash, 0..flash::SIZE as u32);
        let mut storage = storage.expect("it has enough pages");
        let mut session = Session::new(settings, || 0, make);
        let boot = block_on(session.resume(&mut storage));
        eprintln!("{}", Event::Booted(boot));

        watchdog::start();
        let ended = block_on(session.learn_and_save(&mut storage, &mut self));
        println!("{}", Readings(&ended));
        let (longest, limit) = watchdog::longest();
        println!("wait_milliseconds {longest}");
        println!("limit_milliseconds {limit}");
    }
}

impl Observer for Life {
    async fn hear(&mut self, event: &Event) {
        match event {
            Event::Learned(learned) => {
                eprintln!("learned {}", learned.step.iteration);
                self.iterations += 1;
            }
            Event::NotSaved => eprintln!("{event}"),
            _ => {}
        }
    }

    /// Trouble comes in the middle of an iteration.
    fn progress(&mut self) {
        watchdog::feed();
        if let Some(trouble) = self.trouble {
            trouble.strike(self.iterations);
        }
    }
}

/// The run, and the trouble of this boot.
#[inline(never)]
fn read_arguments(boots: u32) -> (Run, Option<Trouble>) {
    let mut run = Run::default();
    let (mut troubles, mut trouble) = (0, None);
    arguments::each(|word| {
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
