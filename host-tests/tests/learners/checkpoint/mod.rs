//! Checkpoints: a driver goes on from one as if nothing had happened, and whatever the bytes are,
//! none goes on that could not have been saved.

mod forged;
mod golden;
mod identity;

use crate::rng;
use host_tests::forge::{Forged, crc32};
use ipse::checkpoint::{LoadError, SaveError, iterations, max_size, restore, save};
use ipse::driver::ResumableDriver;
use ipse::learner::labels::Soft;
use ipse::learner::m_learning::{CrossValidated, Scaling, Unregularised};
use ipse::prelude::Direction::{Con, Pro};
use ipse::prelude::*;
use ipse::search::DirectionLearner;
use ipse::tetris::diverse::Diverse10x10;
use ipse::tetris::surface::{Surface10x10, SurfaceNine10x10};
use ipse::tetris::{DIRECTIONS, Rule, Tetris10x10, Tetris10x20};
use ipse_tasks::Foraging;

/// What is saved with every driver.
const NOTE: u64 = 0x1234_5678_9abc_def0;
const NOTE_BITS: usize = 64;

/// A memory that is soon full.
const MEMORY: usize = 10;

/// Short rollouts, so that both phases are within a few iterations.
fn quick() -> Rollouts {
    Rollouts {
        count: 2,
        length: 3,
        ..Rollouts::paper()
    }
}

fn lfd() -> Lfd {
    Lfd::paper().rollouts(quick())
}

fn ipse() -> Ipse<MEMORY> {
    Ipse::paper().memory().cap(6).rollouts(quick())
}

/// What works on tasks that nobody has seen.
fn default() -> Ipse<MEMORY> {
    let rollouts = Rollouts {
        pass_over: 100,
        ..quick()
    };
    Ipse::new().memory().cap(6).rollouts(rollouts)
}

fn scheduled() -> MLearning<MEMORY> {
    MLearning::scheduled().memory().rollouts(quick())
}

fn soft() -> Ipse<MEMORY, Soft> {
    ipse().soft_labels(0.3).average(true)
}

fn search() -> Search<Lfd, MEMORY> {
    let search = Search::survival()
        .memory()
        .calls(9000)
        .episode(40)
        .trials(3);
    search.horizon(30).cap(6).rollouts(quick())
}

/// A search whose first trials come soon after the measurement.
fn returns() -> Search<Unknown, 0> {
    Search::returns(12).calls(3000)
}

fn agent<E: Environment, L: Learner<E>>(task: E, learner: L, rng: &mut XorShiftRng) -> Agent<E, L> {
    Agent::new(task, learner.check().unwrap(), rng)
}

fn searcher<E: Environment, L: DirectionLearner<E>, const N: usize>(
    task: E,
    search: Search<L, N>,
    rng: &mut XorShiftRng,
) -> Searcher<E, L, N> {
    Searcher::new(task, search.check().unwrap(), rng)
}

/// Calls a function with a task, every learner, and what comes with them.
macro_rules! every_learner {
    ($check:ident, $task:expr, $directions:expr $(, $argument:expr)*) => {{
        $check($task, lfd() $(, $argument)*);
        $check($task, ipse() $(, $argument)*);
        $check($task, default() $(, $argument)*);
        $check($task, scheduled().regularisation(Unregularised) $(, $argument)*);
        $check($task, scheduled().regularisation(CrossValidated) $(, $argument)*);
        $check($task, scheduled() $(, $argument)*);
        $check($task, Known($directions).then(scheduled()) $(, $argument)*);
        $check($task, soft() $(, $argument)*);
    }};
}

fn bytes_of<D: ResumableDriver>(driver: &mut D, rng: &XorShiftRng) -> Vec<u8> {
    let mut buffer = vec![0; max_size::<D, u64>()];
    save(driver, rng, NOTE, &mut buffer).unwrap().to_vec()
}

/// The random generator, and the note, if the bytes are a checkpoint for the driver.
fn reload<D: ResumableDriver>(driver: &mut D, bytes: &[u8]) -> Result<XorShiftRng, LoadError> {
    let mut rng = rng(77);
    let note = restore::<_, u64>(driver, &mut rng, bytes)?;
    assert_eq!(note, NOTE);
    Ok(rng)
}

/// A run that is stopped after every iteration, and resumed by someone else who was in the middle of
/// something, gives the steps and the bytes of one that is not.
fn assert_goes_on<D>(mut driver: D, mut rng: XorShiftRng, count: usize)
where
    D: ResumableDriver + Clone,
{
    let mut stranger = driver.clone();
    let mut its_rng = crate::rng(99);
    (0..count / 2).for_each(|_| _ = stranger.step(&mut its_rng));
    (0..3).for_each(|_| _ = stranger.slice(&mut its_rng));
    for _ in 0..count {
        let bytes = bytes_of(&mut driver, &rng);
        assert_eq!(
            iterations(&stranger, &bytes),
            Ok(driver.progress().iterations)
        );
        let mut resumed = stranger.clone();
        let mut its_rng = reload(&mut resumed, &bytes).unwrap();
        assert_eq!(its_rng, rng);
        assert_eq!(bytes_of(&mut resumed, &its_rng), bytes);
        assert_eq!(resumed.progress(), driver.progress());
        assert_eq!(resumed.step(&mut its_rng), driver.step(&mut rng));
        assert_eq!(its_rng, rng);
    }
}

fn learner_goes_on<E, L>(task: E, learner: L, iterations: usize)
where
    E: Resumable,
    L: ResumableLearner<E>,
    Agent<E, L>: Clone,
{
    let mut rng = rng(3);
    assert_goes_on(agent(task, learner, &mut rng), rng, iterations);
}

fn search_goes_on<E, L, const N: usize>(task: E, search: Search<L, N>, iterations: usize)
where
    E: Resumable + Clone,
    E::State: Clone,
    L: ResumableLearner<E> + DirectionLearner<E>,
{
    let mut rng = rng(3);
    assert_goes_on(searcher(task, search, &mut rng), rng, iterations);
}

#[test]
fn every_learner_goes_on_from_every_iteration_to_the_bit() {
    every_learner!(learner_goes_on, Tetris10x10::default(), DIRECTIONS, 24);
    every_learner!(learner_goes_on, Foraging, [Pro, Con, Con], 60);
}

#[test]
fn a_search_goes_on_from_every_iteration_to_the_bit() {
    search_goes_on(Tetris10x10::default(), search(), 24);
    search_goes_on(Foraging, search(), 80);
    // There are not even calls enough for directions.
    search_goes_on(Tetris10x10::default(), search().calls(100), 8);
    search_goes_on(Tetris10x10::default(), search().calls(1), 3);
}

/// Directions are learned from next to nothing, so that they fail their tests.
#[test]
fn a_search_with_a_guard_and_shrinkage_goes_on_from_every_iteration_to_the_bit() {
    let (actions, ends, repeats) = (60, 3, 3);
    let guard = Guard {
        actions,
        ends,
        repeats,
    };
    let search = search().guard(Some(guard)).shrinkage(0.7);
    let mut failed = 0;
    for seed in 0..6 {
        let mut rng = rng(seed);
        let driver = searcher(Surface10x10::default(), search, &mut rng);
        let mut run = driver.clone();
        let mut its_rng = rng.clone();
        while run.progress().phase == Phase::Directions {
            run.step(&mut its_rng);
        }
        failed += u32::from(run.progress().iterations > 7);
        let count = run.progress().iterations as usize + 12;
        assert_goes_on(driver, rng, count);
    }
    assert!(failed > 2, "{failed} of 6 have failed a test");
}

#[test]
fn a_search_by_returns_goes_on_from_every_iteration_to_the_bit() {
    search_goes_on(Tetris10x10::default(), returns(), 24);
    search_goes_on(Foraging, returns(), 80);
    let brinks = returns().starts(Starts::Brinks).memory::<MEMORY>();
    search_goes_on(Tetris10x10::default(), brinks.trials(2), 24);
    search_goes_on(Foraging, search().objective(Objective::Return), 40);
    let known = Known([Pro, Con, Con]);
    search_goes_on(
        Foraging,
        returns().scale(Scale::Units).directions(known),
        40,
    );
    // There are not even calls enough for the measurement.
    search_goes_on(Foraging, returns().calls(100), 4);
    search_goes_on(Foraging, returns().calls(1), 3);
}

#[test]
fn a_learner_with_every_option_goes_on_to_the_bit() {
    let rollouts = Rollouts {
        common_random_numbers: true,
        ..quick()
    };
    let options = soft().memory::<100>().rollouts(rollouts);
    let options = options.reuse_choices(true).dominance_filter(true);
    let options = options.scaling(Scaling::Total).reward_first(false);
    learner_goes_on(Tetris10x10::default(), options, 30);
    let strict = Tetris10x20::new(Rule::BeforeRemoval);
    learner_goes_on(strict, options.undecided(Undecided::Free), 20);
    learner_goes_on(Diverse10x10::default(), ipse(), 12);
    let soft = scheduled().regularisation(CrossValidated).soft_labels(0.3);
    learner_goes_on(Foraging, soft, 60);
}

#[test]
fn learners_in_a_row_go_on_to_the_bit() {
    learner_goes_on(Foraging, lfd().then(lfd().alpha(0.2)).cap(4), 30);
    learner_goes_on(
        Foraging,
        lfd().then(lfd()).cap(4).then(scheduled()).cap(9),
        30,
    );
    learner_goes_on(Foraging, lfd().then(ipse()).cap(4), 30);
    let known = Known([Pro, Con, Con]);
    learner_goes_on(Foraging, known.then(ipse()), 30);
    learner_goes_on(Foraging, known.then(lfd()).cap(4).then(scheduled()), 30);
    let reused = lfd().then(scheduled()).cap(4).reuse_choices(true);
    learner_goes_on(Foraging, reused, 30);
    learner_goes_on(Foraging, lfd().then(reused).cap(4).reuse_choices(true), 30);
}

fn player(iterations: usize) -> (Agent<Tetris10x10, Ipse<MEMORY>>, XorShiftRng) {
    let mut rng = rng(1);
    let mut agent = agent(Tetris10x10::default(), ipse(), &mut rng);
    (0..iterations).for_each(|_| _ = agent.step(&mut rng));
    (agent, rng)
}

fn checkpoint(iterations: usize) -> Vec<u8> {
    let (mut agent, rng) = player(iterations);
    bytes_of(&mut agent, &rng)
}

fn refusal(bytes: &[u8]) -> LoadError {
    reload(&mut player(0).0, bytes).unwrap_err()
}

#[test]
fn while_an_iteration_is_under_way_nothing_is_saved() {
    let (mut agent, mut rng) = player(8);
    assert_eq!(agent.slice(&mut rng), None);
    let mut buffer = [0; 1000];
    loop {
        let saved = save(&mut agent, &rng, (), &mut buffer).map(drop);
        assert_eq!(saved, Err(SaveError::UnderWay));
        if agent.slice(&mut rng).is_some() {
            break;
        }
    }
    assert!(save(&mut agent, &rng, (), &mut buffer).is_ok());
    let text = "checkpoint: an agent can only be saved between two iterations";
    assert_eq!(SaveError::UnderWay.to_string(), text);
}

#[test]
fn a_search_is_saved_between_two_generations_only() {
    let mut rng = rng(1);
    let mut searcher = searcher(Tetris10x10::default(), search(), &mut rng);
    let mut buffer = [0; 1000];
    let mut refused = 0;
    while !searcher.progress().is_finished {
        let is_complete = searcher.slice(&mut rng).is_some();
        let saved = save(&mut searcher, &rng, (), &mut buffer).map(drop);
        let expected = if is_complete {
            Ok(())
        } else {
            Err(SaveError::UnderWay)
        };
        assert_eq!(saved, expected);
        refused += u32::from(!is_complete);
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn a_buffer_that_is_too_small_is_told_how_large_it_has_to_be() {
    let (mut agent, rng) = player(30);
    let needed = checkpoint(30).len();
    for len in 0..needed {
        let mut buffer = vec![0; len];
        let saved = save(&mut agent, &rng, NOTE, &mut buffer).unwrap_err();
        let buffer = len;
        assert_eq!(saved, SaveError::TooSmall { needed, buffer });
        let text = format!("checkpoint: the buffer has {len} bytes, and {needed} are needed");
        assert_eq!(saved.to_string(), text);
    }
    assert!(save(&mut agent, &rng, NOTE, &mut vec![0; needed]).is_ok());
}

/// No checkpoint is larger than the bound, and it is not much larger than a full memory needs: the numbers of
/// entries in a ring are counted with 64 bits.
#[test]
fn the_largest_size_is_about_that_of_a_full_memory() {
    every_learner!(assert_bounded, Tetris10x10::default(), DIRECTIONS);
    every_learner!(assert_bounded, Foraging, [Pro, Con, Con]);

    fn assert_bounded<E: Resumable, L: ResumableLearner<E>>(task: E, learner: L) {
        let mut rng = rng(1);
        let mut agent = agent(task, learner, &mut rng);
        let bound = max_size::<Agent<E, L>, u64>();
        let mut largest = 0;
        for _ in 0..20 {
            agent.step(&mut rng);
            largest = bytes_of(&mut agent, &rng).len().max(largest);
        }
        // The average is counted even if there is none.
        let slack = 2 * 8 + 4 * (E::Features::LEN + 1);
        assert!(
            largest <= bound && bound <= largest + slack,
            "{largest} and {bound}"
        );
    }

    let mut rng = rng(1);
    let mut searcher = searcher(Tetris10x10::default(), search(), &mut rng);
    let bound = max_size::<Searcher<Tetris10x10, Lfd, MEMORY>, u64>();
    let mut largest = 0;
    while !searcher.progress().is_finished {
        searcher.step(&mut rng);
        largest = bytes_of(&mut searcher, &rng).len().max(largest);
    }
    // The trail, of two states, is hardly ever full when the ring is, and spreads are counted even if none are
    // measured.
    let slack = 8 + 2 * 13 + 4 + 4 * 8;
    assert!(
        largest <= bound && bound <= largest + slack,
        "{largest} and {bound}"
    );
}

#[test]
fn an_agent_with_the_memory_of_the_paper_takes_less_than_two_kilobytes() {
    assert_eq!(max_size::<Agent<Tetris10x10, Ipse>, ()>(), 1590);
}

#[test]
fn checksums_are_those_of_the_standard() {
    assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    assert_eq!(crc32(b""), 0);
    let bytes = checkpoint(9);
    let (covered, checksum) = bytes.split_last_chunk().unwrap();
    assert_eq!(u32::from_le_bytes(*checksum), crc32(covered));
}

/// The content as the format is documented, against what an agent says of itself.
#[test]
fn every_field_is_where_it_is_documented() {
    let (mut agent, rng) = player(40);
    let bytes = bytes_of(&mut agent, &rng);
    let fields = Forged::open(&agent, &bytes, NOTE_BITS);
    assert_eq!(fields.seal(), bytes);
    assert_eq!(fields.get("magic"), u32::from_le_bytes(*b"IPSE").into());
    assert_eq!(fields.get("version"), 2);
    assert_eq!(fields.get("note"), NOTE.into());
    assert_eq!(fields.get("header iterations"), 40);
    assert_eq!(fields.get("iterations"), 40);
    assert_eq!(fields.get("calls"), agent.progress().calls.into());
    assert_eq!(fields.get("state"), state_bits(agent.state()));

    let memory = agent.memory();
    assert_eq!(fields.get("is second"), 1);
    let switched_after = memory.switched_after().unwrap();
    assert_eq!(fields.get("first phase"), switched_after.into());
    let sign = |direction: &Direction| (direction.sign() + 1) as u128;
    let votes = memory
        .first()
        .tallies()
        .iter()
        .zip(memory.first().directions());
    for (feature, (tally, direction)) in votes.enumerate() {
        let field = |name: &str| fields.get(&format!("first.{name}[{feature}]"));
        assert_eq!(field("votes for"), tally.pro.into());
        assert_eq!(field("votes against"), tally.con.into());
        assert_eq!(field("choices that vary"), tally.varied.into());
        assert_eq!(field("direction"), sign(direction));
    }
    let weights = memory.second().beta().iter().zip(agent.directions());
    for (feature, (weight, direction)) in weights.enumerate() {
        let field = |name: &str| fields.get(&format!("second.{name}[{feature}]"));
        assert_eq!(field("weight"), weight.to_bits().into());
        assert_eq!(field("direction"), sign(&direction));
    }
    let choices = memory.second().choices();
    assert_eq!(choices.len(), MEMORY);
    let oldest = fields.get("second.states.oldest") as usize;
    assert_eq!(fields.get("second.labels.oldest") as usize, oldest);
    for age in 0..MEMORY {
        let (state, label) = choices.recent(age).unwrap();
        let index = (oldest + MEMORY - 1 - age) % MEMORY;
        let field = |name: &str| fields.get(&format!("second.{name}[{index}]"));
        assert_eq!(field("states"), state_bits(state));
        assert_eq!(field("labels"), (*label).into());
    }
    let second_phase = u128::from(40 - switched_after);
    assert_eq!(fields.get("second.iterations of choices"), second_phase);
    assert_eq!(fields.get("second.k"), second_phase);
}

/// Ten columns of ten cells, and a piece.
fn state_bits(state: &<Tetris10x10 as Environment>::State) -> u128 {
    let columns = state.board.columns();
    let cells = columns
        .iter()
        .rev()
        .fold(0, |bits, c| bits << 10 | u128::from(*c));
    cells | (state.piece as u128) << 100
}

#[test]
fn a_byte_that_is_changed_missing_or_too_many_is_noticed() {
    let bytes = checkpoint(30);
    for position in 0..bytes.len() {
        for flipped in [1, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[position] ^= flipped;
            let expected = match position {
                0..4 => LoadError::NotACheckpoint,
                4 => LoadError::Version(2 ^ flipped),
                _ => LoadError::Damaged,
            };
            assert_eq!(refusal(&changed), expected);
        }
        let expected = match position {
            0..4 => LoadError::NotACheckpoint,
            _ => LoadError::Damaged,
        };
        assert_eq!(refusal(&bytes[..position]), expected);
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(refusal(&longer), LoadError::Damaged);
}

#[test]
fn a_checkpoint_of_the_first_version_is_refused_as_such() {
    let mut bytes = checkpoint(9);
    bytes[4] = 1;
    // Whatever follows: its checksum was elsewhere, too.
    for len in 5..bytes.len() {
        assert_eq!(refusal(&bytes[..len]), LoadError::Version(1));
    }
    let text = "checkpoint: format version 1 is not supported, only 2";
    assert_eq!(LoadError::Version(1).to_string(), text);
}

#[test]
fn what_is_refused_by_its_header_or_checksum_changes_nothing() {
    let bytes = checkpoint(30);
    let (agent, _) = player(0);
    let foreign = Forged::open(&agent, &bytes, NOTE_BITS).with("identity", 1);
    let without_numbers = Forged::open(&agent, &bytes, NOTE_BITS).with("random generator", 0);
    let refused = [
        [&[0], &bytes[1..]].concat(),
        [&bytes[..4], &[1], &bytes[5..]].concat(),
        [&bytes[..60], &[!bytes[60]], &bytes[61..]].concat(),
        foreign.seal(),
        without_numbers.seal(),
    ];
    for bytes in refused {
        let (mut agent, mut rng) = player(12);
        // Even an iteration that is under way goes on.
        agent.slice(&mut rng);
        let (mut twin, mut its_rng) = (agent.clone(), rng.clone());
        assert!(restore::<_, u64>(&mut agent, &mut rng, &bytes).is_err());
        assert_eq!(rng, its_rng);
        assert_eq!(agent.step(&mut rng), twin.step(&mut its_rng));
        assert_eq!(bytes_of(&mut agent, &rng), bytes_of(&mut twin, &its_rng));
    }
}

/// It can be as new as the generator that it is given makes it.
#[test]
fn what_is_refused_by_its_content_leaves_a_driver_that_is_as_new() {
    every_learner!(learner_is_as_new, Tetris10x10::default(), DIRECTIONS);
    every_learner!(learner_is_as_new, Foraging, [Pro, Con, Con]);
    assert_is_as_new(|rng| searcher(Tetris10x10::default(), search(), rng));
    assert_is_as_new(|rng| searcher(Foraging, search(), rng));
    assert_is_as_new(|rng| searcher(Foraging, returns(), rng));

    fn learner_is_as_new<E, L>(task: E, learner: L)
    where
        E: Resumable + Copy,
        L: ResumableLearner<E>,
    {
        assert_is_as_new(|rng| agent(task, learner, rng));
    }

    fn assert_is_as_new<D: ResumableDriver>(new: impl Fn(&mut XorShiftRng) -> D) {
        let mut rng = rng(4);
        let mut driver = new(&mut rng);
        (0..20).for_each(|_| _ = driver.step(&mut rng));
        let bytes = bytes_of(&mut driver, &rng);
        // Everything is read before the end is found to be missing.
        let end = bytes.len() - 5;
        let shorter = host_tests::forge::sealed(&bytes[..end]);
        driver.slice(&mut rng);
        let mut its_rng = rng.clone();
        let mut fresh = new(&mut its_rng);
        let refused = restore::<_, u64>(&mut driver, &mut rng, &shorter);
        assert!(matches!(refused, Err(LoadError::Invalid(_))), "{refused:?}");
        assert_eq!(rng, its_rng);
        for _ in 0..12 {
            assert_eq!(bytes_of(&mut driver, &rng), bytes_of(&mut fresh, &its_rng));
            assert_eq!(driver.step(&mut rng), fresh.step(&mut its_rng));
        }
    }
}

#[test]
fn saving_changes_nothing() {
    let ((mut saved, mut rng), (mut twin, mut its_rng)) = (player(0), player(0));
    for _ in 0..30 {
        bytes_of(&mut saved, &rng);
        assert_eq!(saved.step(&mut rng), twin.step(&mut its_rng));
    }
}
