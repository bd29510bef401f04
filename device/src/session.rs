//! A driver, its random generator, and the clock of the board that it runs on.

use crate::event::{Began, Ended, Event, Features, Learned, Played};
use crate::fingerprint::Fingerprint;
use crate::observer::Observer;
#[cfg(feature = "storage")]
use crate::storage::Storage;
use embassy_futures::yield_now;
#[cfg(feature = "storage")]
use embedded_storage_async::nor_flash::NorFlash;
use ipse::checkpoint::{self, Codec, LoadError, Note, SaveError, max_size};
use ipse::policy::Policy;
use ipse::rand_core::SeedableRng;
use ipse::rand_xorshift::XorShiftRng;
use ipse::tetris::{State, Tetris10x10};
use ipse::{Environment, Invalid, ResumableDriver, Step};

/// The parameters of a session. How it learns is up to its driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The seed of the random generator.
    pub seed: u64,
    /// The number of iterations after which learning ends, if the driver has not finished before.
    pub iterations: u32,
    /// The number of pieces to play with in the end.
    pub pieces: u32,
    /// The number of iterations from one checkpoint to the next, if any are saved; at least 1.
    pub save_every: u32,
}

impl Default for Settings {
    /// As many iterations as in the paper.
    fn default() -> Self {
        Settings {
            seed: 1,
            iterations: 400,
            pieces: 200,
            save_every: 10,
        }
    }
}

impl Settings {
    /// The random generator in its first state.
    #[inline(never)]
    fn generator(&self) -> XorShiftRng {
        XorShiftRng::seed_from_u64(self.seed)
    }
}

/// A session of learning by the driver `D`: an [`Agent`](ipse::Agent) or a [`Searcher`](ipse::search::Searcher).
#[derive(Clone, Debug)]
pub struct Session<D> {
    settings: Settings,
    driver: D,
    rng: XorShiftRng,
    now: fn() -> u64,
    record: Record,
}

/// The sums over all iterations, which are saved with the driver.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    seed: u64,
    fingerprint: Fingerprint,
    calls: u64,
    rows: u32,
}

impl Note for Record {
    const BITS: usize = 3 * 64 + 32;

    fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u64(&mut self.seed)?;
        self.fingerprint.code(codec)?;
        codec.u64(&mut self.calls)?;
        codec.u32("rows", &mut self.rows, 0..=u32::MAX)
    }
}

impl Record {
    fn new(settings: &Settings) -> Self {
        Record {
            seed: settings.seed,
            ..Record::default()
        }
    }

    // Out of line, so that it is not compiled for speed with the driver.
    #[inline(never)]
    fn add(&mut self, step: &Step<Features>) {
        self.fingerprint.add(step);
        self.calls = self.calls.saturating_add(step.calls.into());
        self.rows = self.rows.saturating_add(step.reward.unsigned_abs());
    }
}

impl<D: ResumableDriver<Task = Tetris10x10>> Session<D> {
    /// A session with the driver that `make` returns, and a clock that counts microseconds.
    // Out of line, so that the driver is made where it is going to live, and not copied.
    #[inline(never)]
    pub fn new(
        settings: Settings,
        now: fn() -> u64,
        make: impl FnOnce(&mut XorShiftRng) -> D,
    ) -> Self {
        let mut rng = settings.generator();
        Session {
            driver: make(&mut rng),
            settings,
            rng,
            now,
            record: Record::new(&settings),
        }
    }

    /// Learns until the last iteration, and tells of each. After every slice of work, other tasks get a turn.
    pub async fn learn(&mut self, observer: &mut impl Observer) -> Ended {
        self.learn_with(observer, async |_: &mut Self| Ok(())).await
    }

    /// The same, and saves a checkpoint every so many iterations and after the last.
    #[cfg(feature = "storage")]
    pub async fn learn_and_save<F: NorFlash, const BUFFER: usize>(
        &mut self,
        storage: &mut Storage<F, BUFFER>,
        observer: &mut impl Observer,
    ) -> Ended {
        let every = self.settings.save_every.max(1);
        let save = async |session: &mut Self| {
            let is_due = session.iterations().is_multiple_of(every) || session.is_done();
            if is_due && storage.save(session).await.is_err() {
                return Err(Event::NotSaved);
            }
            Ok(())
        };
        self.learn_with(observer, save).await
    }

    /// Calls `keep` after each iteration, and tells what goes wrong in it.
    async fn learn_with(
        &mut self,
        observer: &mut impl Observer,
        mut keep: impl AsyncFnMut(&mut Self) -> Result<(), Event>,
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

    /// Learns until the last iteration, without a report and without a break.
    pub fn finish(&mut self) -> Ended {
        while !self.is_done() {
            self.slice();
        }
        self.ended()
    }

    /// Plays with what was learned until so many pieces are placed, and tells of each of them.
    pub async fn play(&mut self, pieces: u32, observer: &mut impl Observer) {
        let policy = self.driver.policy();
        let mut state = self.driver.task().reset(&mut self.rng);
        for number in 1..=pieces {
            let Some(played) = self.place(&policy, &state, number) else {
                return;
            };
            observer.progress();
            observer.hear(&Event::Played(played)).await;
            state = match played.over {
                true => self.driver.task().reset(&mut self.rng),
                false => played.state,
            };
            yield_now().await;
        }
    }

    // Out of line, so that what is on the stack meanwhile does not stay there.
    #[inline(never)]
    fn place(&mut self, policy: &Policy<Features>, state: &State, number: u32) -> Option<Played> {
        let task = self.driver.task();
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

    /// Does one slice of work. Returns the iteration when it is complete.
    // Out of line, as it is called from several places.
    #[inline(never)]
    pub fn slice(&mut self) -> Option<Learned> {
        let step = self.driver.slice(&mut self.rng)?;
        self.record.add(&step);
        Some(Learned {
            step,
            state: *self.driver.state(),
            ticks: (self.now)(),
        })
    }

    /// Returns whether the last iteration is complete: the last of the settings, or the last of the driver.
    pub fn is_done(&self) -> bool {
        let progress = self.driver.progress();
        let is_last = progress.iterations >= self.settings.iterations || progress.is_finished;
        is_last && self.driver.is_between_iterations()
    }

    /// The number of complete iterations.
    pub fn iterations(&self) -> u32 {
        self.driver.progress().iterations
    }

    /// The driver.
    pub fn driver(&self) -> &D {
        &self.driver
    }

    /// The result so far.
    pub fn ended(&self) -> Ended {
        let Record {
            fingerprint,
            calls,
            rows,
            ..
        } = self.record;
        Ended {
            fingerprint,
            weights: self.driver.weights(),
            calls,
            rows,
            ticks: (self.now)(),
        }
    }
}

/// A session as a checkpoint.
impl<D: ResumableDriver<Task = Tetris10x10>> Session<D> {
    /// The most bytes of a checkpoint.
    pub const MAX_BYTES: usize = max_size::<D, Record>();

    /// Writes a session between two iterations to `buffer`, and returns what was written.
    pub fn save<'a>(&mut self, buffer: &'a mut [u8]) -> Result<&'a [u8], SaveError> {
        checkpoint::save(&mut self.driver, &self.rng, self.record, buffer)
    }

    /// The number of complete iterations in a checkpoint, if it is intact, of a driver with the same parameters,
    /// and of no more iterations than the settings allow. The seed is checked by [`restore`](Self::restore).
    pub fn check(&self, bytes: &[u8]) -> Result<u32, LoadError> {
        let limit = self.settings.iterations;
        match checkpoint::iterations(&self.driver, bytes)? {
            iterations if iterations > limit => Err(LoadError::TooFar { iterations, limit }),
            iterations => Ok(iterations),
        }
    }

    /// Goes on from a checkpoint that passes the [check](Self::check) and is of a session with the same seed.
    ///
    /// If it does not pass, nothing has changed. If it does, but its content is refused, the session is as new.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let limit = self.settings.iterations;
        let (driver, rng) = (&mut self.driver, &mut self.rng);
        let restored = checkpoint::restore_up_to(limit, driver, rng, bytes);
        let refused = match restored {
            Ok(record @ Record { seed, .. }) if seed == self.settings.seed => {
                self.record = record;
                return Ok(());
            }
            Ok(_) => LoadError::Foreign,
            Err(invalid @ LoadError::Invalid(_)) => invalid,
            Err(unread) => return Err(unread),
        };
        self.forget();
        Err(refused)
    }

    /// Becomes as new.
    fn forget(&mut self) {
        self.rng = self.settings.generator();
        self.driver.forget(&mut self.rng);
        self.record = Record::new(&self.settings);
    }
}
