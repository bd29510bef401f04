//! A driver, its random generator, and the clock of the board that it runs on.

#[cfg(feature = "storage")]
use crate::command::Command;
#[cfg(feature = "storage")]
use crate::event::{Boot, Loaded, Refusal, Saved};
use crate::event::{Budget, Ended, Hello, VERSION, list};
use crate::fingerprint::Fingerprint;
use crate::observer::Observer;
use crate::play::Player;
#[cfg(feature = "storage")]
use crate::storage::{LoadFailed, Storage};
use core::future::{Future, pending, poll_fn};
use core::pin::{Pin, pin};
use core::task::Poll;
#[cfg(feature = "storage")]
use embassy_futures::select::{Either, select};
use embassy_futures::yield_now;
#[cfg(feature = "storage")]
use embedded_storage_async::nor_flash::NorFlash;
use ipse::array::Array;
use ipse::checkpoint::{self, Codec, LoadError, Note, SaveError, max_size};
use ipse::direction::Direction;
#[cfg(feature = "storage")]
use ipse::environment::Action;
use ipse::rand_core::SeedableRng;
use ipse::rand_xorshift::XorShiftRng;
use ipse::{Driver, Environment, Invalid, ResumableDriver, Step};

/// The features of the task of `D`.
pub type Features<D> = <<D as Driver>::Task as Environment>::Features;

/// A state of the task of `D`.
#[cfg(feature = "storage")]
type State<D> = <<D as Driver>::Task as Environment>::State;

/// The parameters of a session. How it learns is up to its driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The seed of the random generator.
    pub seed: u64,
    /// The number of iterations after which learning ends, if the driver has not finished before. If it is not given,
    /// learning ends with the budget of the driver, or after [`ITERATIONS`] if it has none.
    pub iterations: Option<u32>,
    /// The shortest time from one checkpoint to the next, in seconds. With 0 one is saved after every iteration. The
    /// last iteration is always saved.
    pub save_seconds: u32,
}

/// The number of iterations of a driver without a budget of its own: as many as in the paper.
pub const ITERATIONS: u32 = 400;

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 1,
            iterations: None,
            save_seconds: 60,
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
///
/// # Cancellation
///
/// A session waits only to give other tasks a turn, for flash, and for the event or the world that a method was given.
/// If a future of a session is dropped, as by `select`, the session is between two slices of work and can go on, by
/// the same method or another. If it was saving, the checkpoint before is still there, and
/// [`learn_and_save`](Self::learn_and_save) saves the next one when it is due. If it was [acting](Self::act), the
/// player is in the state before the action. Only the world knows whether the action was carried out; tell the player
/// by [`Player::set_state`].
#[derive(Clone, Debug)]
pub struct Session<D: Driver> {
    settings: Settings,
    driver: D,
    rng: XorShiftRng,
    now: fn() -> u64,
    record: Record<Features<D>>,
    /// The time in which it has learned since the board was started, and when it last began to, in microseconds.
    learned_in: u64,
    began_at: Option<u64>,
    /// When the last checkpoint was saved, or the session began.
    #[cfg(feature = "storage")]
    saved_at: u64,
    /// Whether the next iteration is to be saved whatever the time.
    #[cfg(feature = "storage")]
    is_save_due: bool,
}

/// The sums over all iterations of a run, which are saved with its driver: by a [`Session`], and by the lab, so that
/// either reads the checkpoints of the other.
#[derive(Clone, Copy, Debug)]
pub struct Record<F: Array> {
    seed: u64,
    fingerprint: Fingerprint,
    calls: u64,
    reward: i64,
    episodes: u32,
    directions: F::Of<Direction>,
    /// The votes for and against each feature, as its direction was decided.
    votes: F::Of<[u16; 2]>,
}

impl<F: Array> Default for Record<F> {
    fn default() -> Self {
        Record {
            seed: 0,
            fingerprint: Fingerprint::NEW,
            calls: 0,
            reward: 0,
            episodes: 0,
            directions: F::filled(Direction::Undecided),
            votes: F::filled([0; 2]),
        }
    }
}

impl<F: Array> Note for Record<F> {
    const BITS: usize = 4 * 64 + 32 + F::LEN * (2 + 2 * 16);

    fn code(&mut self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.u64(&mut self.seed)?;
        self.fingerprint.code(codec)?;
        codec.u64(&mut self.calls)?;
        let mut reward = self.reward.cast_unsigned();
        codec.u64(&mut reward)?;
        self.reward = reward.cast_signed();
        codec.u32("episodes", &mut self.episodes, 0..=u32::MAX)?;
        let directions = self.directions.as_mut().iter_mut();
        for (direction, votes) in directions.zip(self.votes.as_mut()) {
            let mut sign = direction.sign().into();
            codec.i16("direction", &mut sign, -1..=1)?;
            *direction = Direction::of(sign.into());
            codec.u16("votes for", &mut votes[0], 0..=u16::MAX)?;
            codec.u16("votes against", &mut votes[1], 0..=u16::MAX)?;
        }
        Ok(())
    }
}

impl<F: Array<Item = i16>> Record<F> {
    /// The record of a run before its first iteration.
    pub fn new(seed: u64) -> Self {
        Record {
            seed,
            ..Record::default()
        }
    }

    /// The seed of the random generator.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The fingerprint of all iterations so far.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The calls of the generative model so far.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// The sum of rewards so far.
    pub fn reward(&self) -> i64 {
        self.reward
    }

    /// Adds an iteration.
    // Out of line, so that it is not compiled for speed with the driver.
    #[inline(never)]
    pub fn add(&mut self, step: &Step<F>) {
        self.fingerprint.add(step);
        self.calls = self.calls.saturating_add(step.calls.into());
        self.reward = self.reward.saturating_add(step.reward.into());
        self.episodes = self.episodes.saturating_add(step.episode_ended.into());
        let tallies = step.tallies.as_ref().iter().zip(step.directions.as_ref());
        let record = self.directions.as_mut().iter_mut();
        for ((tally, now), (direction, votes)) in tallies.zip(record.zip(self.votes.as_mut())) {
            if !direction.is_decided() || direction != now {
                (*direction, *votes) = (*now, [tally.pro, tally.con]);
            }
        }
    }
}

impl<D: Driver> Session<D> {
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
            record: Record::new(settings.seed),
            learned_in: 0,
            began_at: None,
            #[cfg(feature = "storage")]
            saved_at: now(),
            #[cfg(feature = "storage")]
            is_save_due: false,
        }
    }

    /// Learns until the last iteration. After every slice of work, other tasks get a turn.
    pub async fn learn<O: Observer<D>>(&mut self, observer: &mut O) {
        let keep = async |_: &mut Self, _: &mut O| {};
        let never = pin!(pending::<()>());
        observer.began(self);
        self.learn_with(observer, never, keep).await;
    }

    /// Learns until the last iteration, or until `event`, and returns the output of the event. Calls `keep` after each
    /// iteration.
    async fn learn_with<O: Observer<D>, V: Future>(
        &mut self,
        observer: &mut O,
        mut event: Pin<&mut V>,
        mut keep: impl AsyncFnMut(&mut Self, &mut O),
    ) -> Option<V::Output> {
        self.began_at = Some((self.now)());
        let mut output = None;
        while !self.is_done() {
            // It is looked at between two slices only, so that it does not cut off a checkpoint.
            let look = poll_fn(|context| Poll::Ready(event.as_mut().poll(context)));
            if let Poll::Ready(ready) = look.await {
                output = Some(ready);
                break;
            }
            let begin = (self.now)();
            let step = self.slice();
            self.tell_progress(begin, observer);
            if let Some(step) = step {
                observer.learned(self, &step);
                keep(self, observer).await;
            }
            yield_now().await;
        }
        self.learned_in = self.learned_in();
        self.began_at = None;
        if self.is_done() {
            observer.ended(self);
        }
        output
    }

    /// Takes an action of a player in the model, and tells of it.
    pub fn play(&self, player: &mut Player<D::Task>, observer: &mut impl Observer<D>) {
        let begin = (self.now)();
        player.act(self.driver.task());
        self.tell_progress(begin, observer);
        observer.acted(self, player);
    }

    /// Tells of work that began at a time and is done.
    fn tell_progress(&self, begin: u64, observer: &mut impl Observer<D>) {
        let micros = (self.now)().saturating_sub(begin);
        observer.progress(self, u32::try_from(micros).unwrap_or(u32::MAX));
    }

    /// A player of what has been learned so far.
    pub fn player(&self) -> Player<D::Task> {
        let driver = &self.driver;
        Player::new(driver.task(), driver.policy(), self.rng.clone())
    }

    /// Does one slice of work. Returns what happened when the iteration is complete.
    // Out of line, as it is called from several places.
    #[inline(never)]
    pub fn slice(&mut self) -> Option<Step<Features<D>>> {
        let step = self.driver.slice(&mut self.rng)?;
        self.record.add(&step);
        Some(step)
    }

    /// Returns whether the last iteration is complete: the last of the settings, or the last of the driver.
    pub fn is_done(&self) -> bool {
        let progress = self.driver.progress();
        let limit = self.limit();
        let is_last = limit.is_some_and(|limit| progress.iterations >= limit);
        (is_last || progress.is_finished) && self.driver.is_between_iterations()
    }

    /// The number of iterations after which learning ends, if that is how it ends.
    fn limit(&self) -> Option<u32> {
        match (self.settings.iterations, self.driver.progress().budget) {
            (None, None) => Some(ITERATIONS),
            (limit, _) => limit,
        }
    }

    /// When learning ends.
    pub fn budget(&self) -> Option<Budget> {
        let calls = self.driver.progress().budget.map(Budget::Calls);
        self.limit().map(Budget::Iterations).or(calls)
    }

    /// How many of so many parts of the work are done.
    pub fn done_of(&self, parts: u32) -> u32 {
        let (done, all) = match self.budget() {
            Some(Budget::Iterations(all)) => (self.iterations(), all),
            Some(Budget::Calls(all)) => (self.driver.progress().calls, all),
            None => (0, 1),
        };
        let part = u64::from(done) * u64::from(parts) / u64::from(all.max(1));
        u32::try_from(part).unwrap_or(parts).min(parts)
    }

    /// The number of complete iterations.
    pub fn iterations(&self) -> u32 {
        self.driver.progress().iterations
    }

    /// The driver.
    pub fn driver(&self) -> &D {
        &self.driver
    }

    /// The parameters.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The time since the board was started, in microseconds.
    pub fn micros(&self) -> u64 {
        (self.now)()
    }

    /// The calls of the generative model so far.
    pub fn calls(&self) -> u64 {
        self.record.calls
    }

    /// The sum of rewards so far.
    pub fn reward(&self) -> i64 {
        self.record.reward
    }

    /// The number of episodes that have ended so far.
    pub fn episodes(&self) -> u32 {
        self.record.episodes
    }

    /// The fingerprint of all iterations so far.
    pub fn fingerprint(&self) -> Fingerprint {
        self.record.fingerprint
    }

    /// The votes for and against each feature: those that decided its direction, or those so far.
    pub fn votes(&self) -> &<Features<D> as Array>::Of<[u16; 2]> {
        &self.record.votes
    }

    /// The time in which it has learned since the board was started, in microseconds.
    pub fn learned_in(&self) -> u64 {
        let since = self
            .began_at
            .map(|began| (self.now)().saturating_sub(began));
        self.learned_in.saturating_add(since.unwrap_or(0))
    }

    /// What a reader needs to know about the run.
    pub fn hello(&self) -> Hello<'static> {
        Hello {
            version: VERSION,
            task: D::Task::NAME,
            learner: self.driver.name(),
            seed: self.settings.seed,
            budget: self.budget(),
            features: <D::Task as Environment>::FEATURES
                .as_ref()
                .iter()
                .map(From::from)
                .collect(),
        }
    }

    /// The result so far.
    pub fn result(&self) -> Ended {
        Ended {
            iterations: self.iterations(),
            fingerprint: self.record.fingerprint,
            calls: self.record.calls,
            reward: self.record.reward,
            episodes: self.record.episodes,
            micros: self.learned_in(),
            weights: list(self.driver.weights().as_ref()),
        }
    }
}

/// A session as a checkpoint.
impl<D: ResumableDriver> Session<D> {
    /// The most bytes of a checkpoint.
    pub const MAX_BYTES: usize = max_size::<D, Record<Features<D>>>();

    /// Goes on from the newest checkpoint, if there is one for this task, these parameters and this seed.
    ///
    /// If the future is dropped, the session is as it was before, as long as the newest checkpoint was not refused, and
    /// the observer was told of no boot. Call it again before learning: what is learned from the beginning would be
    /// saved as newer than what was there.
    #[cfg(feature = "storage")]
    pub async fn resume<F: NorFlash, const BUFFER: usize, O: Observer<D>>(
        &mut self,
        storage: &mut Storage<F, BUFFER>,
        observer: &mut O,
    ) -> Boot {
        let boot = match storage.restore(self).await {
            Ok(_) => Boot::Resumed(self.iterations()),
            Err(LoadFailed::Nothing) => Boot::New,
            Err(LoadFailed::Refused(error)) => Boot::Refused(error.into()),
            Err(LoadFailed::OtherLayout { .. }) => Boot::Refused(Refusal::OtherLayout),
            Err(LoadFailed::Unreadable { .. }) => Boot::Unreadable,
        };
        observer.booted(self, boot);
        boot
    }

    /// Learns until the last iteration, and saves checkpoints.
    #[cfg(feature = "storage")]
    pub async fn learn_and_save<F: NorFlash, const BUFFER: usize, O: Observer<D>>(
        &mut self,
        storage: &mut Storage<F, BUFFER>,
        observer: &mut O,
    ) {
        let never = pin!(pending::<()>());
        observer.began(self);
        self.learn_and_save_with(storage, observer, never).await;
    }

    /// Learns and saves checkpoints until `event`, such as the tick of a clock or the end of a measurement, and returns
    /// its output. If everything has been learned before, it only waits. Nothing feeds a watchdog then, so the event
    /// must come before the watchdog's time is over.
    ///
    /// The event is looked at before every slice of work, and never while a checkpoint is being written. If it is
    /// ready at once, nothing is learned.
    #[cfg(feature = "storage")]
    pub async fn learn_until<F: NorFlash, const BUFFER: usize, O: Observer<D>, V: Future>(
        &mut self,
        storage: &mut Storage<F, BUFFER>,
        observer: &mut O,
        event: V,
    ) -> V::Output {
        let mut event = pin!(event);
        if !self.is_done() {
            observer.began(self);
            let learned = self.learn_and_save_with(storage, observer, event.as_mut());
            if let Some(output) = learned.await {
                return output;
            }
        }
        event.await
    }

    /// Learns and saves checkpoints, then plays, and does what it is told in between: the whole life of a board.
    ///
    /// `told` waits for the next command and `pause` for the time of the next action. Both are dropped whenever the other
    /// is first.
    ///
    /// If the future is dropped and this is called again, the session goes on where it was, but a pause is over and a
    /// player begins a new episode. A command is obeyed as soon as it is told, but for what it saves: if the future is
    /// dropped during that, [`Command::Save`] has saved or has not, and after [`Command::Restart`] or
    /// [`Command::Seed`] the flash may still hold what was forgotten, until the next checkpoint. After a
    /// [`Command::Write`], call [`resume`](Session::resume) before this: a checkpoint that was refused late may have left
    /// a session that has learned nothing.
    ///
    /// ```
    /// # use ipse_device::{Storage, faults::FaultyFlash};
    /// use embassy_futures::{block_on, select::select, yield_now};
    /// use ipse::prelude::*;
    /// use ipse_device::{Command, Session, Settings};
    /// use ipse_tasks::Foraging;
    /// use std::{cell::RefCell, future::pending};
    ///
    /// let learner = Ipse::new().check()?;
    /// let settings = Settings { iterations: Some(50), ..Settings::default() };
    /// let mut session = Session::new(settings, || 0, |rng| Agent::new(Foraging, learner, rng));
    /// # let flash = FaultyFlash::<4, 4096, 4>::new();
    /// # let mut storage = Storage::<_, 2016>::new(&flash, 0..4 * 4096).unwrap();
    /// let commands = RefCell::new(vec![Command::Seed(7)]);
    /// let told = async || {
    ///     let command = commands.borrow_mut().pop();
    ///     match command {
    ///         Some(command) => command,
    ///         None => pending().await,
    ///     }
    /// };
    /// let mut observer = ();
    /// let run = session.run(&mut storage, &mut observer, told, || yield_now());
    /// let time = async {
    ///     for _ in 0..10_000 {
    ///         yield_now().await;
    ///     }
    /// };
    /// block_on(select(run, time));
    /// assert_eq!((session.settings().seed, session.iterations()), (7, 50));
    /// # Ok::<(), Invalid>(())
    /// ```
    #[cfg(feature = "storage")]
    pub async fn run<F: NorFlash, const BUFFER: usize, O: Observer<D>>(
        &mut self,
        storage: &mut Storage<F, BUFFER>,
        observer: &mut O,
        mut told: impl AsyncFnMut() -> Command,
        mut pause: impl AsyncFnMut(),
    ) -> ! {
        let mut is_paused = false;
        let mut is_learning = false;
        let mut player = None;
        loop {
            let command = if is_paused || self.is_done() {
                is_learning = false;
                match is_paused {
                    true => observer.progress(self, 0),
                    false => {
                        let player = player.get_or_insert_with(|| self.player());
                        self.play(player, observer);
                    }
                }
                match select(told(), pause()).await {
                    Either::First(command) => command,
                    Either::Second(()) => continue,
                }
            } else {
                player = None;
                if !is_learning {
                    observer.began(self);
                    is_learning = true;
                }
                let command = pin!(told());
                match self.learn_and_save_with(storage, observer, command).await {
                    Some(command) => command,
                    None => continue,
                }
            };
            is_paused = match command {
                Command::Pause => true,
                Command::Save | Command::Read(_) | Command::Write(_) => is_paused,
                _ => false,
            };
            if self.obey(command, storage, observer).await {
                is_learning = false;
                player = None;
            }
            // However many commands come, a watchdog is fed.
            observer.progress(self, 0);
        }
    }

    /// Does what a command says, but for pauses, and tells of it. Returns whether the session goes on from elsewhere.
    #[cfg(feature = "storage")]
    async fn obey<F: NorFlash, const BUFFER: usize, O: Observer<D>>(
        &mut self,
        command: Command,
        storage: &mut Storage<F, BUFFER>,
        observer: &mut O,
    ) -> bool {
        if let Command::Seed(seed) = command {
            self.settings.seed = seed;
        }
        observer.obeyed(self, command);
        match command {
            Command::Restart | Command::Seed(_) => {
                self.forget();
                // What was forgotten must not come back with the next boot. A board boots with its own seed, though: after
                // another one, it goes on from the newest checkpoint of its own that is left.
                self.save_now(storage, observer).await;
                return true;
            }
            Command::Save if self.driver.is_between_iterations() => {
                self.save_now(storage, observer).await;
            }
            Command::Save => self.is_save_due = true,
            Command::Read(at) => observer.part(self, storage.part(at).await),
            Command::Write(part) => {
                storage.keep(&part);
                if part.is_last() {
                    return self.load(part.of, storage, observer).await;
                }
            }
            Command::Pause | Command::Continue => {}
        }
        false
    }

    /// Goes on from the checkpoint of so many bytes that has come in parts, and tells of it. If it is refused, what is
    /// in flash is still there. Returns whether the session goes on from elsewhere.
    #[cfg(feature = "storage")]
    async fn load<F: NorFlash, const BUFFER: usize, O: Observer<D>>(
        &mut self,
        bytes: u32,
        storage: &mut Storage<F, BUFFER>,
        observer: &mut O,
    ) -> bool {
        let before = self.fingerprint();
        let refusal = match storage.kept(bytes) {
            Some(checkpoint) => self.restore(checkpoint).err().map(Refusal::from),
            None => Some(Refusal::OtherLayout),
        };
        let has_changed = self.fingerprint() != before;
        if refusal.is_some() && has_changed {
            // It was refused so late that nothing was left of what the session had learned.
            let _ = storage.restore(self).await;
        }
        let iteration = self.iterations();
        observer.loaded(self, Loaded { iteration, refusal });
        if refusal.is_none() {
            self.save_now(storage, observer).await;
        }
        has_changed
    }

    /// Saves a session between two iterations, and tells of it.
    #[cfg(feature = "storage")]
    async fn save_now<F: NorFlash, const BUFFER: usize, O: Observer<D>>(
        &mut self,
        storage: &mut Storage<F, BUFFER>,
        observer: &mut O,
    ) {
        self.saved_at = (self.now)();
        self.is_save_due = false;
        let failure = storage.save(self).await.err().map(Into::into);
        let left_out = storage.bad().chain(storage.unreadable()).count();
        let saved = Saved {
            iteration: self.iterations(),
            failure,
            bad_pages: left_out as u16,
            erases: storage.erases(),
        };
        observer.saved(self, saved);
    }

    #[cfg(feature = "storage")]
    async fn learn_and_save_with<F: NorFlash, const BUFFER: usize, O: Observer<D>, V: Future>(
        &mut self,
        storage: &mut Storage<F, BUFFER>,
        observer: &mut O,
        event: Pin<&mut V>,
    ) -> Option<V::Output> {
        let interval = u64::from(self.settings.save_seconds) * 1_000_000;
        let save = async |session: &mut Self, observer: &mut O| {
            let elapsed = (session.now)().saturating_sub(session.saved_at);
            if elapsed >= interval || session.is_done() || session.is_save_due {
                session.save_now(storage, observer).await;
            }
        };
        self.learn_with(observer, event, save).await
    }

    /// Acts in the world with what has been learned so far, and learns until it is known what came of it.
    ///
    /// The player chooses an action in its state by the policy of the moment. `world` carries it out, which may take as
    /// long as it likes, and returns the state that it has led to, as far as that was measured, and the reward.
    /// Meanwhile learning goes on independently, and checkpoints are saved. If an episode has ended, the player begins
    /// the next one in a state of the model; [`Player::set_state`] puts it into the one that was measured. A world
    /// that does not wait leaves no time to learn.
    ///
    /// ```
    /// # use ipse_device::{Storage, faults::FaultyFlash};
    /// use embassy_futures::block_on;
    /// use ipse::prelude::*;
    /// use ipse_device::{Session, Settings};
    /// use ipse_tasks::SensorNode;
    /// use ipse_tasks::sensor_node::{Node, Sky, Weather};
    ///
    /// static NODE: SensorNode = SensorNode::HAMBURG;
    ///
    /// let search = Search::returns(144).calls(5_000).check()?;
    /// let make = |rng: &mut XorShiftRng| Searcher::new(NODE, search, rng);
    /// let mut session = Session::new(Settings::default(), || 0, make);
    /// # let flash = FaultyFlash::<4, 4096, 4>::new();
    /// # let mut storage = Storage::<_, 2016>::new(&flash, 0..4 * 4096).unwrap();
    /// let mut player = session.player();
    /// let mut sky = Sky::new(Weather::GREY, 1);
    /// let mut rng = XorShiftRng::seed_from_u64(1);
    /// block_on(async {
    ///     while player.actions() < 48 {
    ///         let hour = async |node: &Node, action| {
    ///             // Here a board takes readings, sends, and waits for the end of the hour.
    ///             for _ in 0..10 {
    ///                 embassy_futures::yield_now().await;
    ///             }
    ///             NODE.step_in(&mut sky, node, action, &mut rng)
    ///         };
    ///         session.act(&mut player, &mut storage, &mut (), hour).await;
    ///     }
    /// });
    /// assert!(session.iterations() > 0);
    /// # Ok::<(), Invalid>(())
    /// ```
    #[cfg(feature = "storage")]
    pub async fn act<F: NorFlash, const BUFFER: usize, O: Observer<D>>(
        &mut self,
        player: &mut Player<D::Task>,
        storage: &mut Storage<F, BUFFER>,
        observer: &mut O,
        world: impl AsyncFnOnce(&State<D>, Action) -> (State<D>, i16),
    ) {
        let begin = (self.now)();
        player.follow(self.driver.policy());
        let action = player.choose(self.driver.task());
        self.tell_progress(begin, observer);
        if let Some(action) = action {
            let state = *player.state();
            let outcome = self.learn_until(storage, observer, world(&state, action));
            let (next, reward) = outcome.await;
            player.arrive(self.driver.task(), next, reward);
        } else {
            player.go_on(self.driver.task());
            yield_now().await;
        }
        observer.acted(self, player);
    }

    /// Writes a session between two iterations to `buffer`, and returns what was written.
    pub fn save<'a>(&mut self, buffer: &'a mut [u8]) -> Result<&'a [u8], SaveError> {
        checkpoint::save(&mut self.driver, &self.rng, self.record, buffer)
    }

    /// Goes on from a checkpoint of a session with the same task, parameters and seed, and of no more iterations than
    /// the settings allow.
    ///
    /// If the bytes are refused by their header or checksum, nothing has changed. If their content or their seed is
    /// refused, the session is reset to a new one.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let limit = self.limit().unwrap_or(u32::MAX);
        let (driver, rng) = (&mut self.driver, &mut self.rng);
        let refused = match checkpoint::restore_up_to(limit, driver, rng, bytes) {
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
        self.record = Record::new(self.settings.seed);
    }
}
