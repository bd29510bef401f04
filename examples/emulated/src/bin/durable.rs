//! Learns, keeps checkpoints in flash, and restarts from the newest of them after any trouble.
//!
//! Settings are words, as everywhere; `trouble=panic`, `trouble=fault` and `trouble=hang` ask for
//! trouble, one for each boot. What happens is told on the standard error, and in the end what came of
//! it on the standard output, one `name value` a line.
#![no_std]
#![no_main]

use board::{Event, Observer, Readings, Session, Settings, Storage};
use defmt_semihosting as _;
use embassy_executor::Spawner;
use embassy_time::Instant;
use emulated::clock::Clock;
use emulated::flash::{self, Flash};
use emulated::trouble::{self, Trouble};
use emulated::{arguments, watchdog};
use semihosting::{eprintln, println, process};

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let peripherals = cortex_m::Peripherals::take().expect("nobody else takes them");
    Clock::start(peripherals.SYST);
    eprintln!("turned on");
    let (settings, trouble) = read_arguments(trouble::count_boot());

    let flash = Flash::open().expect("the host has a file for the flash");
    let mut storage = Storage::new(flash, 0..flash::SIZE as u32).expect("it has enough pages");
    let mut session = Session::new(settings, || Instant::now().as_micros());
    let boot = session.resume(&mut storage).await;
    eprintln!("{}", Event::Booted(boot));

    watchdog::feed();
    let mut life = Life {
        iterations: 0,
        trouble,
    };
    let ended = session.learn_and_save(&mut storage, &mut life).await;
    println!("{}", Readings(&ended));
    let (longest, limit) = watchdog::longest();
    println!("wait_milliseconds {longest}");
    println!("limit_milliseconds {limit}");
    process::exit(0)
}

/// What has happened since the boot, and what will.
struct Life {
    iterations: u32,
    trouble: Option<Trouble>,
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

/// What to learn, and the trouble of this boot.
#[inline(never)]
fn read_arguments(boots: u32) -> (Settings, Option<Trouble>) {
    let mut settings = Settings::default();
    let (mut troubles, mut trouble) = (0, None);
    arguments::each(|word| {
        let Some(name) = word.strip_prefix("trouble=") else {
            return settings.set(word).unwrap_or_else(|error| panic!("{error}"));
        };
        let named = Trouble::named(name).expect("trouble is panic, fault or hang");
        if troubles == boots {
            trouble = Some(named);
        }
        troubles += 1;
    });
    (settings, trouble)
}
