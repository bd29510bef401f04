//! What must link: everything of the core that a board uses, on values of which the compiler knows nothing but
//! their types.
#![no_std]
#![no_main]

use core::hint::black_box;
use core::ops::Range;
use ipse::checkpoint::{self, LoadError, SaveError, max_size, restore, save};
use ipse::direction::{dominates, equal_weights, undominated};
use ipse::environment::Outcomes;
use ipse::learner::average::Average;
use ipse::learner::binomial;
use ipse::learner::choices::Choices;
use ipse::learner::labels::{Label, SoftLabel};
use ipse::learner::lfd::Votes;
use ipse::learner::stew::{ChoiceSets, Fit, Objective, Visit};
use ipse::prelude::*;
use ipse::rollout::{Deliberation, RolloutPolicy};
use ipse::search::DirectionLearner;
use ipse::tetris::diverse::Diverse10x10;
use ipse::tetris::surface::{Surface10x10, SurfaceNine10x10};
use ipse::tetris::{BCTS, Board, Column, DIRECTIONS, Piece, Rule, State, Tetris};
use ipse_tasks::Foraging;
use no_panic::{any, forget};

type Features = [i16; 8];
type Actions = [Action; 34];

#[unsafe(no_mangle)]
extern "C" fn _start() {
    let rng = &mut XorShiftRng::seed_from_u64(any(1));
    game::<10, 10, u16>(rng);
    game::<10, 20, u32>(rng);
    learners(Diverse10x10::default(), rng);
    search(
        Surface10x10::new(any(Rule::AfterRemoval)),
        Search::survival(),
        rng,
    );
    search(SurfaceNine10x10::default(), Search::survival(), rng);
    learners(Foraging, rng);
    directions();
    choices::<Action>(any(1));
    choices(SoftLabel::<Actions>::new(any(1), &any([0.0; 34]), any(0.3)));
    errors();
}

/// Tetris on boards of one size, and everything that learns it.
fn game<const W: usize, const H: usize, C: Column>(rng: &mut XorShiftRng) {
    let task = Tetris::<W, H, C>::new(any(Rule::AfterRemoval));
    let board = Board::from_columns(any([0; W]));
    let board = any(board.unwrap_or(Board::empty()));
    let piece = any(Piece::draw(rng));
    black_box((
        board.columns(),
        piece.letter(),
        Piece::from_letter(any('T')),
    ));

    let state = State { board, piece };
    black_box(task.place(&state, any(1)));
    black_box(task.step(&state, any(1), rng));
    black_box((task.list(&state), task.is_terminal(&state)));
    task.draw(&state, &mut Pixels);
    let policy = Policy::new::<Tetris<W, H, C>>(&any(BCTS));
    let policy = any(policy.unwrap_or(Policy::random()));
    black_box(policy.choose(&task, &state, rng));
    black_box(policy.choose_reward_first(&task, &state, rng));
    rollouts(&task, &state, policy, rng);
    learners(task, rng);
    let known = Known(any(DIRECTIONS)).then(MLearning::scheduled());
    agent(task, known, rng);
}

fn rollouts<E: Environment<Features = Features>>(
    task: &E,
    state: &E::State,
    policy: Policy<Features>,
    rng: &mut XorShiftRng,
) {
    let policy = any(RolloutPolicy {
        policy,
        reward_first: true,
        filter: Some(DIRECTIONS),
    });
    let rollouts = any(Rollouts::default());
    let mut deliberation =
        Deliberation::<E::Actions, Values<E::Actions>>::new(task, state, &policy, &rollouts, rng);
    black_box(forget(&mut deliberation).advance(task, state, &policy, &rollouts, rng));
    black_box((deliberation.choice(), deliberation.calls()));
    black_box(deliberation.values().as_array().as_ref().first());
}

/// Every learner with any parameters, and the searches.
fn learners<E: Resumable + Copy>(task: E, rng: &mut XorShiftRng) {
    agent(task, Lfd::new(), rng);
    agent(task, Ipse::new(), rng);
    agent(task, Ipse::paper().soft_labels(0.3), rng);
    agent(task, MLearning::unregularised(), rng);
    agent(task, MLearning::cross_validated().soft_labels(0.3), rng);
    agent(task, MLearning::scheduled(), rng);
    search(task, Search::survival(), rng);
    search(task, Search::returns(144), rng);
    search(task, Search::returns(144).memory::<100>(), rng);
}

fn search<E, L, const N: usize>(task: E, search: Search<L, N>, rng: &mut XorShiftRng)
where
    E: Resumable + Copy,
    L: ResumableLearner<E> + DirectionLearner<E>,
{
    let Ok(search) = any(search).check() else {
        return;
    };
    let mut searcher = Searcher::new(task, search, rng);
    let searcher = forget(&mut searcher);
    black_box((
        searcher.policy(),
        searcher.brinks(),
        searcher.agent().state(),
    ));
    black_box(any(search.sigma).at(any(0.5)));
    driver(Searcher::new(task, search, rng), rng);
}

fn agent<E: Resumable + Copy, L: ResumableLearner<E>>(task: E, learner: L, rng: &mut XorShiftRng) {
    let Ok(learner) = any(learner).check() else {
        return;
    };
    let mut agent = Agent::new(task, learner, rng);
    let agent = forget(&mut agent);
    black_box((agent.is_learning(), agent.policy(), agent.directions()));
    black_box((agent.learner(), agent.memory()));
    black_box(Outcomes::<E>::default());
    driver(Agent::new(task, learner, rng), rng);
}

/// A driver in any state of its work, to bytes, and any bytes to a driver.
fn driver<D: ResumableDriver>(mut driver: D, rng: &mut XorShiftRng) {
    type Note = [u64; 3];
    black_box(forget(&mut driver).slice(rng));
    black_box(forget(&mut driver).step(rng));
    black_box((driver.weights(), driver.progress(), driver.policy()));
    black_box((driver.state(), driver.task()));

    let mut buffer = [0; 8192];
    let buffer = forget(&mut buffer);
    black_box(save(forget(&mut driver), rng, any::<Note>([0; 3]), buffer).ok());
    let length = any(max_size::<D, Note>());
    let bytes = buffer.get(..length).unwrap_or_default();
    black_box(checkpoint::iterations(&driver, bytes).is_ok());
    let restored = restore::<D, Note>(forget(&mut driver), rng, bytes);
    black_box(restored.is_ok());
}

fn directions() {
    let mut votes = Votes::<Features>::none();
    forget(&mut votes).count(&outcomes(), any(1), any(0.05));
    let votes = forget(&mut votes);
    let directions = votes.directions();
    black_box((votes.is_complete(), votes.leanings(), votes.tallies()));
    black_box(equal_weights::<Features>(directions));
    let [one, other, ..] = outcomes();
    black_box(dominates(directions, &one.features, &other.features));
    black_box(undominated(directions, &outcomes()).count());
    black_box(Direction::of(any(1)).sign());
    black_box(binomial::p_value(any(1), any(2)));
}

fn choices<L: Label>(label: L) {
    let mut choices = Choices::<u32, L, 100>::new();
    forget(&mut choices).push(any(1), any(label));
    black_box(forget(&mut choices).recent(any(1)));
    black_box(any(Schedule::PAPER).lambda(any(1)));
    let mut average = Average::<Features>::empty();
    forget(&mut average).add(any(BCTS));
    black_box(average.mean());

    let objective = any(Objective::<Features> {
        units: BCTS,
        free: [false; 8],
        reach: 1,
        lambda: 1.0,
    });
    let data = Data(label);
    let mut fit = Fit::new(&any(BCTS));
    black_box(forget(&mut fit).pass(&objective, &data));
    black_box(forget(&mut fit).slice(&objective, &data, any(1)));
    black_box((fit.beta(), fit.value(), fit.passes()));
    black_box(objective.expand(&any(BCTS), &data, any(true)));
}

/// Any choice sets.
struct Data<L>(L);

impl<L: Label> ChoiceSets<Features> for Data<L> {
    type Label = L;

    fn len(&self) -> usize {
        any(3)
    }

    fn each(&self, range: Range<usize>, visit: &mut Visit<Features, L>) {
        for _ in range {
            let outcomes = outcomes();
            let length = any(outcomes.len());
            visit(outcomes.get(..length).unwrap_or(&outcomes), &any(self.0));
        }
    }
}

fn outcomes() -> [Outcome<Features>; 34] {
    let outcome = Outcome {
        action: 1,
        promise: 1,
        features: [1; 8],
    };
    any([outcome; 34])
}

struct Pixels;

impl Canvas for Pixels {
    fn fill(&mut self, x: u16, y: u16, width: u16, height: u16) {
        black_box((x, y, width, height));
    }
}

/// The texts of errors.
fn errors() {
    use core::fmt::Write;
    let invalid = Invalid::real("weight", 1.0, "finite").at(1);
    let _ = write!(Sink, "{}", any(invalid));
    let _ = write!(Sink, "{:?}", any(Invalid::outside("k", 2, 0, 1)));
    let _ = write!(Sink, "{}", any(ipse::tetris::AboveBoard { column: 1 }));
    let _ = write!(Sink, "{}", any(SaveError::UnderWay));
    let _ = write!(Sink, "{}", any(LoadError::Damaged));
}

struct Sink;

impl core::fmt::Write for Sink {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        black_box(text);
        any(Ok(()))
    }
}
