//! A run in the page: a session as on a board, and the players that try what it has learned.

use crate::answer::{Choice, Drawn, Entry, Sheet, Verdict, View};
use crate::duel::{Duel, description, mean};
use ipse::array::Array;
use ipse::checkpoint::{self, LoadError, SaveError};
use ipse::environment::PerFeature;
use ipse::policy::Policy;
use ipse::{Driver, Environment, ResumableDriver};
use ipse_device::label::Label;
use ipse_device::{Features, ITERATIONS, Observer, Record, Session, Settings, Telemetry};
use ipse_ledger::{Judged, Ledger, Reason, Scale, judge, total};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;
use std::cell::RefCell;
use std::rc::Rc;

/// A run of any learner in any task.
pub trait Live {
    /// Works for so many slices, or until so many iterations are complete, or all of them.
    fn learn(&mut self, slices: u32, iterations: u32);

    /// The telemetry since it was last asked for.
    fn telemetry(&mut self) -> Vec<u8>;

    fn iterations(&self) -> u32;

    fn is_done(&self) -> bool;

    /// The seed of its random generator.
    fn seed(&self) -> u64;

    /// The run as the file that the lab keeps.
    fn save(&mut self) -> Result<Vec<u8>, SaveError>;

    /// Lets both players take so many actions.
    fn play(&mut self, actions: u32);

    fn view(&self) -> View;

    /// The actions of the player that acts on what was learned, in its state of now.
    fn judge(&mut self) -> Verdict;

    /// What speaks for and against one of those that were last judged, by its rank, counted from 0. Meanwhile the player
    /// may have gone on.
    fn ledger(&self, rank: usize) -> Option<Sheet>;

    /// Has the player act on other weights, or again on those that were learned.
    fn weigh(&mut self, weights: Option<&[f32]>) -> Result<(), String>;

    /// What a game earns on average with what has been learned. Games are cut after so many actions.
    fn score(&self, games: u32, actions: u32, seed: u64) -> f64;
}

type Frames = Rc<RefCell<Vec<u8>>>;
type Sink = Box<dyn FnMut(&[u8]) -> bool>;
type Task<D> = <D as Driver>::Task;

/// A run by the driver `D`.
pub struct Run<D: Driver> {
    session: Session<D>,
    telemetry: Telemetry<D, Sink>,
    frames: Frames,
    duel: Duel<Task<D>>,
    /// Weights that someone has set by hand.
    by_hand: Option<PerFeature<Task<D>, f32>>,
    /// The state whose actions were last judged, and these.
    exhibit: Option<(State<D>, Vec<Judged>)>,
}

type State<D> = <Task<D> as Environment>::State;

impl<D: ResumableDriver> Run<D> {
    pub fn new(
        seed: u64,
        iterations: Option<u32>,
        make: impl FnOnce(&mut XorShiftRng) -> D,
    ) -> Self {
        let settings = Settings {
            seed,
            iterations,
            ..Settings::default()
        };
        let session = Session::new(settings, || 0, make);
        let frames = Frames::default();
        let sink: Sink = Box::new({
            let frames = frames.clone();
            move |frame| {
                frames.borrow_mut().extend_from_slice(frame);
                true
            }
        });
        let mut telemetry = Telemetry::new(sink);
        telemetry.began(&session);
        Run {
            duel: Duel::new(session.driver().task(), seed),
            session,
            telemetry,
            frames,
            by_hand: None,
            exhibit: None,
        }
    }

    /// The run of a checkpoint.
    pub fn resume(
        checkpoint: &[u8],
        make: impl Fn(&mut XorShiftRng) -> D,
    ) -> Result<Self, LoadError> {
        // A session goes on from checkpoints of its seed only, so the seed is found out first.
        let mut rng = XorShiftRng::seed_from_u64(0);
        let mut driver = make(&mut rng);
        let record: Record<Features<D>> = checkpoint::restore(&mut driver, &mut rng, checkpoint)?;
        let done = driver.progress();
        let is_longer = done.budget.is_none() && done.iterations > ITERATIONS;
        let iterations = is_longer.then_some(done.iterations);
        let mut run = Run::new(record.seed(), iterations, make);
        run.session.restore(checkpoint)?;
        run.telemetry.began(&run.session);
        if run.session.is_done() {
            run.telemetry.ended(&run.session);
        }
        Ok(run)
    }

    fn task(&self) -> &Task<D> {
        self.session.driver().task()
    }

    fn weights(&self) -> PerFeature<Task<D>, f32> {
        self.by_hand.unwrap_or(self.session.driver().weights())
    }

    fn policy(&self) -> Policy<Features<D>> {
        match &self.by_hand {
            // They were found to make a policy when they were set.
            Some(weights) => Policy::new::<Task<D>>(weights).unwrap_or(Policy::random()),
            None => self.session.driver().policy(),
        }
    }
}

impl<D: ResumableDriver> Live for Run<D> {
    fn learn(&mut self, slices: u32, iterations: u32) {
        let last = self.iterations().saturating_add(iterations);
        for _ in 0..slices {
            if self.session.is_done() || self.iterations() >= last {
                break;
            }
            let step = self.session.slice();
            self.telemetry.progress(&self.session, 0);
            if let Some(step) = step {
                self.telemetry.learned(&self.session, &step);
                if self.session.is_done() {
                    self.telemetry.ended(&self.session);
                    self.duel.learned.count_anew();
                }
            }
        }
    }

    fn telemetry(&mut self) -> Vec<u8> {
        self.frames.take()
    }

    fn iterations(&self) -> u32 {
        self.session.iterations()
    }

    fn is_done(&self) -> bool {
        self.session.is_done()
    }

    fn seed(&self) -> u64 {
        self.session.settings().seed
    }

    fn save(&mut self) -> Result<Vec<u8>, SaveError> {
        let mut buffer = vec![0; Session::<D>::MAX_BYTES];
        let checkpoint = self.session.save(&mut buffer)?;
        let label = Label::<Task<D>>::default();
        Ok([label.line().to_string().as_bytes(), checkpoint].concat())
    }

    fn play(&mut self, actions: u32) {
        let policy = self.policy();
        let task = self.session.driver().task();
        self.duel.play(task, &policy, actions);
    }

    fn view(&self) -> View {
        let task = self.task();
        View {
            own: Drawn::new(task, self.session.driver().state()),
            learned: self.duel.learned.standing(task),
            random: self.duel.random.standing(task),
        }
    }

    fn judge(&mut self) -> Verdict {
        let (task, game) = (self.task(), &self.duel.learned);
        let judged = judge(task, &game.state, &self.weights());
        let choice = |judged: &Judged| Choice {
            does: description(task, &game.state, judged.action),
            score: judged.score,
            picture: Drawn::new(task, &game.after(task, judged.action)),
        };
        let verdict = Verdict {
            picture: Drawn::new(task, &game.state),
            actions: judged.iter().map(choice).collect(),
        };
        self.exhibit = Some((game.state, judged));
        verdict
    }

    fn ledger(&self, rank: usize) -> Option<Sheet> {
        let (state, judged) = self.exhibit.as_ref()?;
        sheet(self.task(), state, judged, rank)
    }

    fn weigh(&mut self, weights: Option<&[f32]>) -> Result<(), String> {
        let Some(weights) = weights else {
            if self.by_hand.take().is_some() {
                self.duel.learned.count_anew();
            }
            return Ok(());
        };
        let length = Features::<D>::LEN;
        if weights.len() != length {
            let given = weights.len();
            return Err(format!("{given} weights; the task has {length} features"));
        }
        let weights = Features::<D>::from_fn(|i| weights.get(i).copied().unwrap_or(0.));
        Policy::new::<Task<D>>(&weights).map_err(|invalid| invalid.to_string())?;
        self.by_hand = Some(weights);
        self.duel.learned.count_anew();
        Ok(())
    }

    fn score(&self, games: u32, actions: u32, seed: u64) -> f64 {
        mean(
            self.task(),
            &self.session.driver().policy(),
            games,
            actions,
            seed,
        )
    }
}

/// What speaks for and against one of the actions of a state, by its rank.
// Not of the run, so that a module has it once and not for each learner.
fn sheet<E: Environment>(task: &E, state: &E::State, all: &[Judged], rank: usize) -> Option<Sheet> {
    let reasons = all.iter().flat_map(|judged| judged.reasons.iter().copied());
    let scale = Scale::of(reasons);
    let judged = all.get(rank)?;
    let rival = judged
        .against
        .and_then(|rank| all.get(rank.checked_sub(1)?));
    let value = |of: &Judged, feature: usize| of.features.get(feature).copied().unwrap_or(0.);
    let ledger = Ledger::new(&judged.reasons, scale);
    let entry = |reason: &Reason| Entry {
        feature: reason.feature,
        more: value(judged, reason.feature)
            - rival.map_or(0., |rival| value(rival, reason.feature)),
        weight: scale.print(reason.weight),
        struck: reason.struck,
    };
    let balance = ledger.balance();
    Some(Sheet {
        does: description(task, state, judged.action),
        against: judged.against,
        pro: ledger.pro.iter().map(entry).collect(),
        con: ledger.con.iter().map(entry).collect(),
        totals: [&ledger.pro, &ledger.con].map(|side| scale.print(total(side))),
        balance: scale.print(balance.abs()),
        sign: balance.signum(),
        exponent: scale.exponent,
    })
}
