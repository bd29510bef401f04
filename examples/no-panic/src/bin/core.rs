//! What must link: everything of the core that a board uses, on values of which the compiler knows
//! nothing but their types.
#![no_std]
#![no_main]

use core::hint::black_box;
use core::ops::Range;
use ipse::binomial;
use ipse::checkpoint::{LoadError, SaveError, load, max_size, save};
use ipse::choice::Choices;
use ipse::direction::{Direction, dominates, equal_weights, undominated};
use ipse::environment::{Environment, Outcome, Resumable};
use ipse::label::Label;
use ipse::lfd::Lfd;
use ipse::m_learning::{MLearner, Regularisation, Schedule};
use ipse::policy::Policy;
use ipse::rollout::{Deliberation, RolloutPolicy, Rollouts};
use ipse::stew::{ChoiceSets, Fit, Objective};
use ipse::tetris::{
    BCTS, Board, Column, DIRECTIONS, FEATURES, PLACEMENTS, Piece, Rule, State, Tetris,
};
use ipse::{Agent, Algorithm, Config};
use no_panic::{any, forget};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

const MEMORY: usize = 100;
/// Shares in a label.
const HARD: usize = 0;
const SOFT: usize = PLACEMENTS;

#[unsafe(no_mangle)]
extern "C" fn _start() {
    let rng = &mut XorShiftRng::seed_from_u64(any(1));
    game::<10, 10, u16>(rng);
    game::<10, 20, u32>(rng);
    directions();
    weights::<HARD>();
    weights::<SOFT>();
    errors();
}

/// Tetris on boards of one size, and agents that learn it.
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
    let policy = any(Policy::new::<Tetris<W, H, C>, _>(&any(BCTS)).unwrap_or(Policy::RANDOM));
    black_box(policy.choose(&task, &state, rng));
    black_box(policy.choose_reward_first(&task, &state, rng));
    rollouts(&task, &state, policy, rng);
    agents::<_, HARD>(task, rng);
    agents::<_, SOFT>(task, rng);
    checkpoints::<_, HARD>(task, rng);
    checkpoints::<_, SOFT>(task, rng);
}

fn rollouts<E: Environment<FEATURES, PLACEMENTS>>(
    task: &E,
    state: &E::State,
    policy: Policy<FEATURES>,
    rng: &mut XorShiftRng,
) {
    let policy = any(RolloutPolicy {
        policy,
        reward_first: true,
        filter: Some(DIRECTIONS),
    });
    let rollouts = any(Rollouts::default());
    let mut deliberation =
        Deliberation::<PLACEMENTS, SOFT>::new(task, state, &policy, &rollouts, rng);
    black_box(forget(&mut deliberation).advance(task, state, &policy, &rollouts, rng));
    black_box((deliberation.choice(), deliberation.calls()));
    black_box(deliberation.label(any(0.3)));
}

/// Agents of any algorithm and configuration, in any state of their work.
fn agents<E, const L: usize>(task: E, rng: &mut XorShiftRng)
where
    E: Environment<FEATURES, PLACEMENTS>,
{
    let algorithm = Algorithm::MLearningKnown(Regularisation::CrossValidated, DIRECTIONS);
    let config = any(Config {
        algorithm,
        ..Config::default()
    });
    let Ok(config) = config.check() else {
        return;
    };
    let mut agent = Agent::<_, FEATURES, PLACEMENTS, MEMORY, L>::new(task, config, rng);
    black_box(forget(&mut agent).slice(rng));
    black_box(forget(&mut agent).step(rng));
    let agent = forget(&mut agent);
    black_box((agent.policy(), agent.weights(), agent.directions()));
    black_box((agent.phase(), agent.iterations(), agent.is_deliberating()));
    black_box((agent.state(), agent.task(), agent.lfd(), agent.learner()));
    black_box((agent.calls(), agent.is_finished()));
}

/// Agents to bytes, and any bytes to an agent.
fn checkpoints<E, const L: usize>(task: E, rng: &mut XorShiftRng)
where
    E: Resumable<FEATURES, PLACEMENTS> + Copy,
{
    type Note = [u64; 3];
    let Ok(config) = any(Config::default()).check() else {
        return;
    };
    let mut buffer = [0; 8192];
    let buffer = forget(&mut buffer);
    let mut agent = Agent::<_, FEATURES, PLACEMENTS, MEMORY, L>::new(task, config, rng);
    black_box(save(forget(&mut agent), rng, &any::<Note>([0; 3]), buffer).ok());
    let length = any(max_size::<E, Note, FEATURES, PLACEMENTS, MEMORY, L>());
    let bytes = buffer.get(..length).unwrap_or_default();
    let loaded = load::<E, Note, FEATURES, PLACEMENTS, MEMORY, L>(task, config, bytes);
    black_box(loaded.is_ok());
}

fn directions() {
    let mut lfd = Lfd::<FEATURES>::new();
    forget(&mut lfd).learn(&outcomes(), any(1), any(0.05));
    let lfd = forget(&mut lfd);
    let directions = lfd.directions();
    black_box((lfd.is_complete(), equal_weights(directions)));
    let [one, other, ..] = outcomes();
    black_box(dominates(directions, &one.features, &other.features));
    black_box(undominated(directions, &outcomes()).count());
    black_box(Direction::of(any(1)).sign());
    black_box(binomial::p_value(any(1), any(2)));
}

fn weights<const L: usize>() {
    let mut choices = Choices::<u32, MEMORY, L>::new();
    forget(&mut choices).push(any(1), any(Label::from(1)));
    black_box(forget(&mut choices).recent(any(1)));
    let mut learner = MLearner::<u32, FEATURES, MEMORY, L>::new();
    let learner = forget(&mut learner);
    black_box((*learner.beta(), learner.choices().len()));
    let schedule = Schedule::new(any(5.0), any(0.5)).unwrap_or(Schedule::PAPER);
    black_box(schedule.lambda(any(1)));

    let objective = any(Objective {
        units: BCTS,
        bounds: [1; FEATURES],
        lambda: 1.0,
    });
    let mut fit = Fit::new(any(BCTS));
    black_box(forget(&mut fit).pass(&objective, &Data::<L>));
    black_box(forget(&mut fit).slice(&objective, &Data::<L>, any(1)));
    black_box((fit.beta(), fit.value(), fit.passes()));
    black_box(objective.expand(&any(BCTS), &Data::<L>, any(true)));
}

/// Any choice sets.
struct Data<const L: usize>;

impl<const L: usize> ChoiceSets<FEATURES, L> for Data<L> {
    fn len(&self) -> usize {
        any(3)
    }

    fn each(&self, range: Range<usize>, visit: &mut dyn FnMut(&[Outcome<FEATURES>], &Label<L>)) {
        for _ in range {
            let outcomes = outcomes();
            let length = any(outcomes.len());
            let label = any(Label::from(1));
            visit(outcomes.get(..length).unwrap_or(&outcomes), &label);
        }
    }
}

fn outcomes() -> [Outcome<FEATURES>; PLACEMENTS] {
    let outcome = Outcome {
        action: 1,
        reward: 1,
        features: [1; FEATURES],
    };
    any([outcome; PLACEMENTS])
}

/// What an error says.
fn errors() {
    use core::fmt::Write;
    let _ = write!(Sink, "{}", any(ipse::ConfigError::NoRollouts));
    let _ = write!(Sink, "{}", any(ipse::tetris::AboveBoard { column: 1 }));
    let _ = write!(Sink, "{}", any(ipse::policy::NotFinite { index: 1 }));
    let _ = write!(Sink, "{}", any(SaveError::InTheMiddle));
    let _ = write!(Sink, "{}", any(LoadError::Damaged));
}

struct Sink;

impl core::fmt::Write for Sink {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        black_box(text);
        any(Ok(()))
    }
}
