//! The command line, which semihosting hands on: `seed=7 iterations=200`.

use ipse_device::Settings;
#[cfg(feature = "telemetry")]
use semihosting::experimental::env;

/// What can be set.
#[derive(Clone, Copy, Default)]
pub struct Words {
    /// `seed=N`, `iterations=N` and `save=SECONDS`.
    pub settings: Settings,
    /// `actions=N`: the number of actions that what was learned takes in the end.
    pub actions: Option<u32>,
    /// `calls=N`: the budget of a search.
    pub calls: Option<u32>,
}

impl Words {
    /// Reads the command line.
    // Out of line, so that the command line does not stay on the stack.
    #[cfg(feature = "telemetry")]
    #[inline(never)]
    pub fn read() -> Self {
        let mut words = Words::default();
        each(|word| words.set(word));
        words
    }

    /// Without telemetry nobody looks on, and nothing is set.
    #[cfg(not(feature = "telemetry"))]
    pub fn read() -> Self {
        Words {
            actions: Some(5),
            ..Words::default()
        }
    }

    #[cfg(feature = "telemetry")]
    fn set(&mut self, word: &str) {
        let (name, value) = word.split_once('=').expect("a word is `name=value`");
        let value: u32 = value.parse().expect("a value is a whole number");
        match name {
            "seed" => self.settings.seed = value.into(),
            "iterations" => self.settings.iterations = Some(value),
            "save" => self.settings.save_seconds = value,
            "actions" => self.actions = Some(value),
            "calls" => self.calls = Some(value),
            _ => panic!("`{name}` is not seed, iterations, save, actions or calls"),
        }
    }
}

/// Visits every word but the first, which is the name of the firmware.
#[cfg(feature = "telemetry")]
pub fn each(mut visit: impl FnMut(&str)) {
    let arguments = env::args::<256>().expect("the command line has at most 256 bytes");
    for word in (&arguments).skip(1) {
        visit(word.expect("the command line is text"));
    }
}
