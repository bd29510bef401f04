//! A learner and the clock of the board that it runs on.

use crate::event::{Began, Ended, Event, Learned, Played};
use crate::fingerprint::Fingerprint;
use crate::observer::Observer;
#[cfg(feature = "storage")]
use crate::storage::Storage;
use embassy_futures::yield_now;
#[cfg(feature = "storage")]
use embedded_storage_async::nor_flash::NorFlash;
use ipse::bytes::{Bytes, Flaw, Sink, Source};
use ipse::checkpoint::{self, Checkpoint, LoadError, SaveError, max_size};
use ipse::environment::Environment;
use ipse::policy::Policy;
use ipse::rollout::Rollouts;
use ipse::survival::Survival;
use ipse::tetris::{FEATURES, PLACEMENTS, State, Tetris10x10};
use ipse::{Agent, Checked, Config, ConfigError};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

/// So many choices are remembered.
pub const MEMORY: usize = 100;

/// The calls of a short search.
pub const SHORT_SEARCH: u32 = 60_000;

/// What learns on a board.
pub type Learner = Agent<Tetris10x10, FEATURES, PLACEMENTS, MEMORY>;

/// What a board is to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Of all random numbers.
    pub seed: u64,
    /// How long to learn.
    pub iterations: u32,
    /// How many pieces to play with in the end.
    pub pieces: u32,
    /// How to learn.
    pub config: Checked<FEATURES>,
    /// After how many iterations a checkpoint is saved, and then again; at least 1.
    #[cfg(feature = "storage")]
    pub save_every: u32,
}

impl Default for Settings {
    /// The paper's IPSE, for as long as the paper does.
    fn default() -> Self {
        Settings {
            seed: 1,
            iterations: 400,
            pieces: 200,
            config: Checked::default(),
            #[cfg(feature = "storage")]
            save_every: 10,
        }
    }
}

impl Settings {
    /// Directions for at most fifty iterations, and then weights that survive, with so many calls.
    pub fn survival(calls: u32) -> Result<Self, ConfigError> {
        let search = Survival {
            calls,
            ..Survival::default()
        };
        Ok(Settings {
            config: Config::survival(search).check()?,
            iterations: u32::MAX,
            ..Settings::default()
        })
    }

    /// A short search, to compare boards with each other.
    pub fn short_search() -> Self {
        Settings::survival(SHORT_SEARCH)
            .and_then(|settings| settings.with(|config| config.lfd_cap = Some(10)))
            .expect("a short search is possible")
    }

    /// A run with hardly any rollouts, for an emulator that takes its time.
    pub fn brief() -> Self {
        let settings = Settings {
            iterations: 12,
            #[cfg(feature = "storage")]
            save_every: 2,
            ..Settings::parity()
        };
        let brief = settings.with(|config| {
            config.lfd_cap = Some(4);
            config.rollouts = Rollouts {
                count: 1,
                length: 2,
                ..Rollouts::default()
            };
        });
        brief.expect("a brief run is possible")
    }

    /// A short run in which both phases are equally long, to compare boards with each other.
    pub fn parity() -> Self {
        let settings = Settings {
            iterations: 40,
            pieces: 0,
            ..Settings::default()
        };
        settings
            .with(|config| config.lfd_cap = Some(20))
            .expect("a short first phase is possible")
    }

    /// These settings with something changed about how to learn.
    pub fn with(self, change: impl FnOnce(&mut Config<FEATURES>)) -> Result<Self, ConfigError> {
        let mut config = *self.config.config();
        change(&mut config);
        Ok(Settings {
            config: config.check()?,
            ..self
        })
    }
}

/// A learner on a board.
#[derive(Clone)]
pub struct Session {
    settings: Settings,
    agent: Learner,
    rng: XorShiftRng,
    now: fn() -> u64,
    fingerprint: Fingerprint,
    calls: u64,
    rows: u32,
}

impl Session {
    /// A learner that knows nothing, and a clock that counts microseconds.
    // Apart, so that it is made where it is going to live, and not copied.
    #[inline(never)]
    pub fn new(settings: Settings, now: fn() -> u64) -> Self {
        let mut rng = XorShiftRng::seed_from_u64(settings.seed);
        Session {
            agent: Agent::new(Tetris10x10::default(), settings.config, &mut rng),
            settings,
            rng,
            now,
            fingerprint: Fingerprint::NEW,
            calls: 0,
            rows: 0,
        }
    }

    /// Learns for as long as it is set to, and tells of each iteration. After every slice of work,
    /// other tasks get a turn.
    pub async fn learn(&mut self, observer: &mut impl Observer) -> Ended {
        self.learn_with(observer, async |_: &Self| Ok(())).await
    }

    /// The same, and saves a checkpoint every so many iterations and after the last.
    #[cfg(feature = "storage")]
    pub async fn learn_and_save<F: NorFlash>(
        &mut self,
        storage: &mut Storage<F>,
        observer: &mut impl Observer,
    ) -> Ended {
        let every = self.settings.save_every.max(1);
        let save = async |session: &Self| {
            let is_due = session.iterations().is_multiple_of(every) || session.is_done();
            match is_due {
                true => storage.save(session).await.map_err(|_| Event::NotSaved),
                false => Ok(()),
            }
        };
        self.learn_with(observer, save).await
    }

    /// `keep` comes after each iteration, and what goes wrong in it is told.
    async fn learn_with(
        &mut self,
        observer: &mut impl Observer,
        mut keep: impl AsyncFnMut(&Self) -> Result<(), Event>,
    ) -> Ended {
        let Settings {
            seed, iterations, ..
        } = self.settings;
        observer
            .hear(&Event::Began(Began { seed, iterations }))
            .await;
        let start = (self.now)();
        while !self.is_done() {
            let learned = self.slice();
            observer.progress();
            if let Some(learned) = learned {
                observer.hear(&Event::Learned(learned)).await;
                if let Err(event) = keep(self).await {
                    observer.hear(&event).await;
                }
            }
            yield_now().await;
        }
        let ended = Ended {
            ticks: (self.now)().saturating_sub(start),
            ..self.ended()
        };
        observer.hear(&Event::Ended(ended)).await;
        ended
    }

    /// Learns, and then plays without end: all that a board does if nobody asks it to stop.
    pub async fn run(settings: Settings, now: fn() -> u64, observer: &mut impl Observer) -> ! {
        let mut session = Self::new(settings, now);
        session.learn(observer).await;
        loop {
            session.play(u32::MAX, observer).await;
        }
    }

    /// Learns for as long as it is set to, without a word and without a break.
    pub fn finish(&mut self) -> Ended {
        while !self.is_done() {
            self.slice();
        }
        self.ended()
    }

    /// Plays with what was learned until so many pieces are placed, and tells of each of them.
    pub async fn play(&mut self, pieces: u32, observer: &mut impl Observer) {
        let policy = self.agent.policy();
        let mut state = self.agent.task().reset(&mut self.rng);
        for number in 1..=pieces {
            let Some(played) = self.place(&policy, &state, number) else {
                return;
            };
            observer.progress();
            observer.hear(&Event::Played(played)).await;
            state = match played.over {
                true => self.agent.task().reset(&mut self.rng),
                false => played.state,
            };
            yield_now().await;
        }
    }

    /// Apart, so that what is on the stack meanwhile does not stay there.
    #[inline(never)]
    fn place(&mut self, policy: &Policy<FEATURES>, state: &State, number: u32) -> Option<Played> {
        let task = self.agent.task();
        let action = policy.choose(task, state, &mut self.rng)?;
        let (next, reward) = task.step(state, action, &mut self.rng);
        Some(Played {
            pieces: number,
            rows: reward.unsigned_abs().into(),
            over: task.is_terminal(&next),
            state: next,
            ticks: (self.now)(),
        })
    }

    /// Does one slice of work, and returns the iteration if that was its last.
    pub fn slice(&mut self) -> Option<Learned> {
        let step = self.agent.slice(&mut self.rng)?;
        self.fingerprint.add(&step);
        self.calls = self.calls.saturating_add(step.calls.into());
        self.rows = self.rows.saturating_add(step.reward.unsigned_abs().into());
        Some(Learned {
            step,
            state: *self.agent.state(),
            ticks: (self.now)(),
        })
    }

    /// Whether it has learned for as long as it is set to, or all that it can.
    fn is_done(&self) -> bool {
        self.agent.iterations() >= self.settings.iterations || self.agent.is_finished()
    }

    /// Whether it can be saved.
    #[cfg(feature = "storage")]
    pub(crate) fn is_between_iterations(&self) -> bool {
        self.agent.is_between_iterations()
    }

    /// How many iterations are complete.
    pub fn iterations(&self) -> u32 {
        self.agent.iterations()
    }

    /// What has been learned so far.
    pub fn ended(&self) -> Ended {
        Ended {
            fingerprint: self.fingerprint,
            weights: self.agent.weights(),
            calls: self.calls,
            rows: self.rows,
            ticks: (self.now)(),
        }
    }
}

/// What is kept of a session with its learner.
struct Note {
    seed: u64,
    fingerprint: Fingerprint,
    calls: u64,
    rows: u32,
}

impl Bytes for Note {
    const SIZE: usize = u64::SIZE + Fingerprint::SIZE + u64::SIZE + u32::SIZE;

    fn write(&self, to: &mut impl Sink) {
        self.seed.write(to);
        self.fingerprint.write(to);
        self.calls.write(to);
        self.rows.write(to);
    }

    fn read(from: &mut Source<'_>) -> Result<Self, Flaw> {
        Ok(Note {
            seed: u64::read(from)?,
            fingerprint: Fingerprint::read(from)?,
            calls: u64::read(from)?,
            rows: u32::read(from)?,
        })
    }
}

/// As a checkpoint.
impl Session {
    /// The most bytes of a checkpoint.
    pub const MAX_BYTES: usize = max_size::<Tetris10x10, Note, FEATURES, PLACEMENTS, MEMORY, 0>();

    /// Writes a session between two iterations to `buffer`, and returns what was written.
    pub fn save<'a>(&self, buffer: &'a mut [u8]) -> Result<&'a [u8], SaveError> {
        let note = Note {
            seed: self.settings.seed,
            fingerprint: self.fingerprint,
            calls: self.calls,
            rows: self.rows,
        };
        checkpoint::save(&self.agent, &self.rng, &note, buffer)
    }

    /// How many iterations were complete in a checkpoint of a session with the same seed and
    /// configuration: no more than this one is set to.
    pub fn check(&self, bytes: &[u8]) -> Result<u32, LoadError> {
        self.checked(bytes)
            .map(|checkpoint| checkpoint.iterations())
    }

    /// Goes on from a checkpoint of a session with the same seed and configuration, and no more
    /// iterations than this one is set to.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let checkpoint = self.checked(bytes)?;
        let note = checkpoint.restore(&mut self.agent, &mut self.rng)?;
        self.fingerprint = note.fingerprint;
        self.calls = note.calls;
        self.rows = note.rows;
        Ok(())
    }

    fn checked<'a>(&self, bytes: &'a [u8]) -> Result<Saved<'a>, LoadError> {
        let checkpoint = Saved::check(&self.agent, bytes)?;
        if checkpoint.note().seed != self.settings.seed {
            return Err(LoadError::Foreign);
        }
        match checkpoint.iterations() {
            iterations if iterations > self.settings.iterations => {
                Err(LoadError::TooFar { iterations })
            }
            _ => Ok(checkpoint),
        }
    }
}

type Saved<'a> = Checkpoint<'a, State, Note, FEATURES>;
