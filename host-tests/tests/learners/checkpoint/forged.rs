//! Whatever is in a checkpoint under a right checksum, nothing goes on that could not have been saved, and
//! what is refused is told with the field, its value and what it may be.

use super::*;
use host_tests::forge::{Format, HEADER, LearnerFormat, sealed};
use ipse::learner::labels::FULL;
use ipse::learner::lfd::Tally;
use std::collections::BTreeSet;

/// A driver after some iterations, and a checkpoint of it.
struct Original<D> {
    driver: D,
    fields: Forged,
}

impl<D: ResumableDriver + Format + Clone> Original<D> {
    fn new(mut driver: D, rng: &XorShiftRng) -> Self {
        let bytes = bytes_of(&mut driver, rng);
        let fields = Forged::open(&driver, &bytes, NOTE_BITS);
        Original { driver, fields }
    }

    /// The error that a changed checkpoint is refused with, if it is.
    fn refusal(&self, fields: &Forged) -> Option<String> {
        let refused = reload(&mut self.driver.clone(), &fields.seal());
        refused.err().map(|error| error.to_string())
    }

    /// Each change of a field alone is refused with the text that comes with it.
    fn assert_refuses(&self, changes: &[(&str, u128, &str)]) {
        assert_eq!(self.refusal(&self.fields), None);
        for (field, value, text) in changes {
            let changed = self.fields.clone().with(field, *value);
            let expected = format!("checkpoint: {text}");
            assert_eq!(self.refusal(&changed), Some(expected), "{field} = {value}");
        }
    }

    /// Each change of a field alone is refused with a text of this beginning and end, and digits between them.
    fn assert_refuses_by_length(&self, changes: &[(&str, u128, &str, &str)]) {
        for (field, value, start, end) in changes {
            let changed = self.fields.clone().with(field, *value);
            let text = self.refusal(&changed).unwrap();
            let start = format!("checkpoint: {start}");
            assert!(text.starts_with(&start) && text.ends_with(end), "{text}");
        }
    }
}

fn learner<E, L>(task: E, learner: L, iterations: usize) -> Original<Agent<E, L>>
where
    E: Resumable,
    L: ResumableLearner<E> + LearnerFormat<E>,
    Agent<E, L>: Clone,
{
    let mut rng = rng(1);
    let mut agent = agent(task, learner, &mut rng);
    (0..iterations).for_each(|_| _ = agent.step(&mut rng));
    Original::new(agent, &rng)
}

fn bits_of(weight: f32) -> u128 {
    weight.to_bits().into()
}

/// The lowest row of a board with ten columns of ten rows.
const LOWEST_ROW: u128 = {
    let (mut row, mut column) = (0, 0);
    while column < 10 {
        row |= 1 << (10 * column);
        column += 1;
    }
    row
};

/// Where the piece is in a state.
const PIECE: usize = 100;

#[test]
fn what_an_agent_cannot_be_is_named_with_its_value_and_its_range() {
    let ipse = learner(Tetris10x10::default(), ipse(), 40);
    let zero = "random generator (0) must be in a state other than zero";
    let over = "first phase (5) must be over if all directions are decided or the cap is reached, and else not";
    ipse.assert_refuses(&[
        ("random generator", 0, zero),
        ("header iterations", 41, "iterations (40) must be 41"),
        ("iterations", 39, "iterations (39) must be 40"),
        ("state", 7 << PIECE, "piece (7) must be from 0 to 6"),
        (
            "state",
            1,
            "cells (1) must be a number that whole pieces leave",
        ),
        ("state", LOWEST_ROW << 3, "full rows (8) must be 0"),
        ("first phase", 7, "first phase (7) must be from 0 to 6"),
        ("first phase", 5, over),
    ]);
    // Otherwise nothing is written of the second learner before its time.
    let reuses = learner(Tetris10x10::default(), self::ipse().reuse_choices(true), 40);
    reuses.assert_refuses(&[("is second", 0, "first phase (6) must be 40")]);
    let least = ipse.fields.clone().with("header iterations", 5);
    let least = least.with("iterations", 5);
    let text = "checkpoint: first phase (6) must be from 0 to 5";
    assert_eq!(ipse.refusal(&least).as_deref(), Some(text));
}

#[test]
fn votes_that_cannot_have_been_cast_are_named_with_their_value_and_their_range() {
    let lfd = learner(Tetris10x10::default(), lfd(), 30);
    let varied = lfd.driver.memory().tallies()[7].varied;
    let con = lfd.driver.memory().tallies()[7].con;
    let votes = format!("votes[7] ({}) must be from 0 to {varied}", con + 30);
    lfd.assert_refuses(&[
        ("votes for[7]", 30, &votes),
        (
            "choices that vary[3]",
            31,
            "choices that vary[3] (31) must be from 0 to 30",
        ),
        ("direction[2]", 3, "direction[2] (2) must be from -1 to 1"),
    ]);
    // Seven to nothing decides, and nothing to nothing does not.
    for (pro, con, sign, text) in [
        (
            7,
            0,
            0,
            "direction[1] (-1) must be what follows from the votes",
        ),
        (
            7,
            0,
            1,
            "direction[1] (0) must be what follows from the votes",
        ),
        (
            0,
            7,
            2,
            "direction[1] (1) must be what follows from the votes",
        ),
        (
            0,
            0,
            2,
            "direction[1] (1) must be what follows from the votes",
        ),
    ] {
        let fields = lfd.fields.clone().with("choices that vary[1]", 7);
        let fields = fields
            .with("votes for[1]", pro)
            .with("votes against[1]", con);
        let refusal = lfd.refusal(&fields.with("direction[1]", sign));
        assert_eq!(refusal, Some(format!("checkpoint: {text}")));
    }
}

/// The walk over the terms of the test ends after some thousand of them, whatever the votes are: counts have 16
/// bits, and votes that are too one-sided for it are not walked to.
#[test]
fn the_largest_votes_of_the_longest_run_are_decided_as_they_should_be() {
    const LONGEST: u128 = 4_000_000_000;
    const MOST: u128 = Tally::MOST as u128;
    let lfd = learner(Tetris10x10::default(), lfd(), 30);
    let with = |iterations: u128, pro: u128, con: u128, sign: u128| {
        let mut fields = lfd.fields.clone();
        for counter in ["header iterations", "iterations"] {
            fields = fields.with(counter, iterations);
        }
        for feature in 0..8 {
            let field = |name: &str| format!("{name}[{feature}]");
            fields = fields.with(&field("votes for"), pro);
            fields = fields.with(&field("votes against"), con);
            fields = fields.with(&field("choices that vary"), MOST.min(iterations));
            fields = fields.with(&field("direction"), sign);
        }
        lfd.refusal(&fields)
    };
    // As many votes on both sides as possible, of which both directions may have come.
    for sign in 0..=2 {
        assert_eq!(with(LONGEST, MOST, MOST - 1, sign), None);
        assert_eq!(with(LONGEST, MOST - 1, MOST, sign), None);
    }
    // A surplus of two standard deviations is significant.
    let surplus = 2 * 362;
    for surplus in [surplus, 6 * surplus, 12 * surplus, MOST] {
        assert_eq!(with(LONGEST, MOST, MOST - surplus, 2), None, "{surplus}");
        assert_eq!(with(LONGEST, MOST - surplus, MOST, 0), None, "{surplus}");
        for (pro, con, sign) in [(MOST, MOST - surplus, 0), (MOST - surplus, MOST, 1)] {
            let refusal = with(LONGEST, pro, con, sign).unwrap();
            assert!(
                refusal.ends_with("must be what follows from the votes"),
                "{refusal}"
            );
        }
    }
    // More votes than there were iterations.
    let text = "checkpoint: votes[0] (131069) must be from 0 to 131068";
    assert_eq!(with(131_068, MOST, MOST - 1, 2).as_deref(), Some(text));
    assert_eq!(with(131_069, MOST, MOST - 1, 2), None);
    let text = "checkpoint: votes[0] (65535) must be from 0 to 50";
    assert_eq!(with(50, MOST, 0, 2).as_deref(), Some(text));
}

#[test]
fn what_is_remembered_and_cannot_be_is_named_with_its_value_and_its_range() {
    let ipse = learner(Tetris10x10::default(), ipse(), 40);
    let weights = "k (0) must be 34";
    ipse.assert_refuses(&[
        (
            "second.states.count",
            11,
            "states (11) must be from 0 to 10",
        ),
        (
            "second.states.oldest",
            10,
            "oldest state (10) must be from 0 to 9",
        ),
        (
            "second.labels.count",
            12,
            "labels (12) must be from 0 to 10",
        ),
        (
            "second.labels.oldest",
            15,
            "oldest label (15) must be from 0 to 9",
        ),
        ("second.states[2]", LOWEST_ROW, "full rows (1) must be 0"),
        (
            "second.weight[4]",
            bits_of(f32::NAN),
            "weight (not a number) must be a finite number",
        ),
        (
            "second.weight[4]",
            bits_of(-f32::INFINITY),
            "weight (-infinity) must be a finite number",
        ),
        (
            "second.direction[1]",
            3,
            "direction[1] (2) must be from -1 to 1",
        ),
        (
            "second.iterations of choices",
            35,
            "iterations of choices (35) must be 34",
        ),
        ("second.k", 35, "k (35) must be 34"),
        ("second.k", 0, weights),
    ]);
    // The choice is found by its age, the newest first.
    let oldest = ipse.fields.get("second.labels.oldest");
    for index in 0..MEMORY {
        let age = (oldest as usize + MEMORY - 1 - index) % MEMORY;
        let text = format!("choice[{age}] (34) must be a legal action");
        ipse.assert_refuses(&[(&format!("second.labels[{index}]"), 34, &text)]);
    }
    let other = (oldest + 1) % MEMORY as u128;
    let text = format!("oldest label ({other}) must be {oldest}");
    ipse.assert_refuses(&[("second.labels.oldest", other, &text)]);

    let scheduled = learner(Foraging, scheduled(), 40);
    scheduled.assert_refuses(&[
        ("state", 10, "strength (10) must be from 0 to 9"),
        ("states[2]", 15, "strength (15) must be from 0 to 9"),
        ("direction[1]", 1, "direction[1] (0) must be 1 or -1"),
        (
            "iterations of choices",
            41,
            "iterations of choices (41) must be 40",
        ),
        ("k", 41, "k (41) must be 40"),
    ]);
    let mut few = scheduled.fields.clone();
    for field in [
        "header iterations",
        "iterations",
        "iterations of choices",
        "k",
    ] {
        few = few.with(field, 9);
    }
    let text = "checkpoint: choices (10) must be from 0 to 9";
    assert_eq!(scheduled.refusal(&few).as_deref(), Some(text));
}

#[test]
fn directions_that_the_first_learner_has_not_handed_on_are_refused() {
    let handed_on =
        |sign| format!("direction[0] ({sign}) must be what the first learner has handed on");
    // What waits may be decided, and is then not turned around any more.
    let waits = learner(Foraging, ipse(), 40);
    let [_, pro] = ["second.direction[0]", "first.direction[0]"].map(|f| waits.fields.get(f));
    assert_eq!(pro, 2);
    waits.assert_refuses(&[("second.direction[0]", 1, &handed_on(0))]);
    let turned = waits.fields.clone().with("second.direction[0]", 0);
    assert_eq!(waits.refusal(&turned), None);
    // What is free is what most votes are for, and stays so.
    let free = learner(Foraging, default(), 40);
    assert_eq!(free.fields.get("second.direction[0]"), 2);
    free.assert_refuses(&[
        ("second.direction[0]", 1, &handed_on(0)),
        ("second.direction[0]", 0, &handed_on(-1)),
    ]);
    let known = learner(Foraging, Known([Pro, Con, Con]).then(scheduled()), 20);
    known.assert_refuses(&[
        ("second.direction[0]", 1, &handed_on(0)),
        ("second.direction[0]", 0, &handed_on(-1)),
    ]);
}

#[test]
fn an_average_that_is_none_is_refused() {
    let soft = learner(Tetris10x10::default(), soft(), 40);
    soft.assert_refuses(&[
        (
            "second.average[0]",
            bits_of(f32::NAN),
            "average (not a number) must be a finite number",
        ),
        (
            "second.average.count",
            35,
            "average.count (35) must be from 0 to 34",
        ),
    ]);
    let end = "must be at most 1, and 0 before there is an average";
    soft.assert_refuses_by_length(&[
        (
            "second.average[0]",
            bits_of(1.5),
            "squared length of the average (2.",
            end,
        ),
        (
            "second.average.count",
            0,
            "squared length of the average (0.",
            end,
        ),
    ]);
}

#[test]
fn shares_that_no_choice_has_are_refused() {
    let soft = learner(Tetris10x10::default(), soft(), 40);
    let choices = soft.driver.memory().second().choices();
    let oldest = soft.fields.get("second.labels.oldest") as usize;
    let mut refused = 0;
    for age in 0..MEMORY {
        let (state, label) = choices.recent(age).unwrap();
        let outcomes = soft.driver.task().list(state);
        let chosen = outcomes.iter().position(|o| o.action == label.action);
        let field = format!("second.labels[{}]", (oldest + MEMORY - 1 - age) % MEMORY);
        for place in 0..34 {
            // A share more or less, after the action.
            let changed = changed_share(&soft.fields, &field, place);
            let share = label.shares[place] ^ 1;
            let expected = match place {
                _ if Some(place) == chosen => Some(format!(
                    "share of the choice[{age}] ({share}) must be {FULL}"
                )),
                _ if place < outcomes.len() => None,
                _ => Some(format!(
                    "share of an action that is not legal[{age}] ({share}) must be 0"
                )),
            };
            let expected = expected.map(|text| format!("checkpoint: {text}"));
            refused += usize::from(expected.is_some());
            assert_eq!(soft.refusal(&changed), expected, "{place} in {label:?}");
        }
    }
    assert!(refused > 10, "{refused}");

    /// A label has 35 bytes, which are more than a number: one bit of it is flipped.
    fn changed_share(fields: &Forged, label: &str, place: usize) -> Forged {
        fields.clone().flipped(label, 8 * (1 + place))
    }
}

fn searching(iterations: usize) -> Original<Searcher<Tetris10x10, Lfd, MEMORY>> {
    let mut rng = rng(1);
    let mut searcher = searcher(Tetris10x10::default(), search(), &mut rng);
    (0..iterations).for_each(|_| _ = searcher.step(&mut rng));
    Original::new(searcher, &rng)
}

#[test]
fn a_search_that_has_just_begun_has_nothing_but_its_start() {
    let begun = searching(6);
    let calls = begun.fields.get("calls");
    let left = 9000 - calls;
    let budget = format!("budget (1) must be {left}");
    let calls = format!("budget ({left}) must be {}", left - 1);
    let early = "iterations (6) must be followed by a search if all directions are decided, at the cap, or without calls left";
    let mean = "squared length of the mean (1.250000) must be 1 in a search, and 0 before";
    begun.assert_refuses(&[
        ("calls", 9000 - left + 1, &calls),
        ("calls", 9001, "calls (9001) must be from 0 to 9000"),
        ("is searching", 0, early),
        ("generations", 1, "iterations (7) must be 6"),
        ("mean[0]", bits_of(0.5), mean),
        ("averaged", 1, "averaged (1) must be 0"),
        ("budget", 1, &budget),
        ("used", 1, "used (1) must be 0"),
        (
            "trail.age",
            18,
            "trail.age (18) must be 19 if there are no states yet",
        ),
        ("trail.age", 20, "trail.age (20) must be from 0 to 19"),
        ("votes for[0]", 7, "votes[0] (10) must be from 0 to 6"),
    ]);
    // The mean is what most votes are for: here, one feature alone.
    assert_eq!(begun.fields.get("mean[4]"), bits_of(1.));
    let other = begun.fields.clone().with("mean[4]", bits_of(-1.));
    let text = "checkpoint: squared length of the mean (1.000000) must be 1, in the directions of the votes";
    assert_eq!(begun.refusal(&other).as_deref(), Some(text));

    let directions = searching(5);
    let early = "iterations (5) must be followed by a search if all directions are decided, at the cap, or without calls left";
    let blank = "squared length of the mean (1.000000) must be 1 in a search, and 0 before";
    directions.assert_refuses(&[
        ("is searching", 1, early),
        ("budget", 1, "budget (1) must be 0"),
        ("mean[4]", bits_of(1.), blank),
    ]);
}

#[test]
fn a_search_that_cannot_have_been_is_refused() {
    let mut iterations = 6;
    let later = loop {
        let searching = searching(iterations);
        if searching.fields.get("averaged") > 0 {
            break searching;
        }
        iterations += 1;
    };
    let generations = iterations - 6;
    let averaged = format!("averaged (100) must be from 0 to {generations}");
    let budget = later.fields.get("budget");
    let used = format!("used (9000) must be from 0 to {budget}");
    let told = format!("iterations ({}) must be {iterations}", iterations - 1);
    later.assert_refuses(&[
        ("generations", generations as u128 - 1, &told),
        (
            "mean[0]",
            bits_of(f32::NAN),
            "mean (not a number) must be a finite number",
        ),
        (
            "average[0]",
            bits_of(f32::INFINITY),
            "average (infinity) must be a finite number",
        ),
        ("averaged", 100, &averaged),
        ("used", 9000, &used),
        ("brinks.count", 11, "brinks (11) must be from 0 to 10"),
        ("brinks.oldest", 10, "oldest brink (10) must be from 0 to 9"),
        ("brinks[0]", 7 << PIECE, "piece (7) must be from 0 to 6"),
        (
            "brinks[0]",
            1,
            "cells (1) must be a number that whole pieces leave",
        ),
    ]);
    let mean = "must be 1 in a search, and 0 before";
    let average = "must be at most 1, and 0 before there is an average";
    later.assert_refuses_by_length(&[
        (
            "mean[0]",
            bits_of(2.),
            "squared length of the mean (4.",
            mean,
        ),
        (
            "average[0]",
            bits_of(2.),
            "squared length of the average (4.",
            average,
        ),
        ("averaged", 0, "squared length of the average (0.", average),
        // An average from before the search has settled.
        ("used", 1, "squared length of the average (0.", average),
    ]);
}

fn returning(iterations: usize) -> Original<Searcher<Foraging, Unknown, 0>> {
    let mut rng = rng(1);
    let mut searcher = searcher(Foraging, returns(), &mut rng);
    (0..iterations).for_each(|_| _ = searcher.step(&mut rng));
    Original::new(searcher, &rng)
}

#[test]
fn a_search_by_returns_that_cannot_have_been_is_refused() {
    let begun = returning(0);
    let measured = "must be 0 before it is measured, and then the sum of 200 variances";
    let text = format!("spread[1] (1.000000) {measured}");
    let early = "iterations (0) must be followed by a search if all directions are decided, at the cap, or without calls left";
    let mean = "squared length of the mean (1.000000) must be 1, in the directions of the votes";
    begun.assert_refuses(&[
        ("is searching", 0, early),
        ("calls", 1, "calls (1) must be 0"),
        ("iterations", 1, "iterations (1) must be 0"),
        ("spread[1]", bits_of(1.), &text),
        ("mean[0]", bits_of(1.), mean),
        ("used", 1, "used (1) must be 0"),
        ("budget", 2999, "budget (2999) must be 3000"),
    ]);
    // The iterations of a learner that is never in charge.
    let learned = begun.fields.clone().with("iterations", 1);
    let learned = learned.with("header iterations", 1);
    let text = "checkpoint: iterations (1) must be 0";
    assert_eq!(begun.refusal(&learned).as_deref(), Some(text));

    let later = returning(20);
    let negative = format!("spread[0] (-1.000000) {measured}");
    let large = format!("spread[2] (1000000000000 or more) {measured}");
    later.assert_refuses(&[
        (
            "spread[0]",
            bits_of(f32::NAN),
            "spread (not a number) must be a finite number",
        ),
        ("spread[0]", bits_of(-1.), &negative),
        ("spread[2]", bits_of(1e12), &large),
        ("used", 3001, "used (3001) must be from 0 to 3000"),
    ]);
    let trailing = later.fields.clone().with("trail.age", 3);
    let text = "checkpoint: trail.age (3) must be 19 if there are no states yet";
    assert_eq!(later.refusal(&trailing).as_deref(), Some(text));

    // Brinks that nobody keeps.
    let visited = search().starts(Starts::Visited);
    let mut rng = rng(1);
    let mut visiting = searcher(Foraging, search().starts(Starts::Brinks), &mut rng);
    (0..12).for_each(|_| _ = visiting.step(&mut rng));
    let bytes = bytes_of(&mut visiting, &rng);
    let identity = bytes_of(&mut searcher(Foraging, visited, &mut rng), &rng);
    let fields = Forged::open(&visiting, &bytes, NOTE_BITS);
    let own = u32::from_le_bytes(identity[5..9].try_into().unwrap());
    let fields = fields.with("identity", own.into());
    let refused = reload(&mut searcher(Foraging, visited, &mut rng), &fields.seal());
    let text = refused.unwrap_err().to_string();
    assert_eq!(text, "checkpoint: brinks (10) must be 0");
}

#[test]
fn bytes_that_are_missing_or_too_many_under_a_right_checksum_are_refused() {
    let bytes = checkpoint(40);
    let covered = &bytes[..bytes.len() - 4];
    let refusal = |bytes: &[u8]| refusal(&sealed(bytes)).to_string();
    for more in 1..9 {
        let longer = [covered, &vec![0; more]].concat();
        let text = format!("checkpoint: bytes after the content ({more}) must be 0");
        assert_eq!(refusal(&longer), text);
    }
    for len in HEADER..covered.len() {
        let text = refusal(&covered[..len]);
        assert!(text.starts_with("checkpoint: bytes left to read"), "{text}");
        assert!(text.ends_with(" (0) must be at least 1"), "{text}");
    }
    for len in 5..HEADER {
        let text = "checkpoint: the checksum is wrong";
        assert_eq!(refusal(&covered[..len]), text, "{len}");
    }
}

#[test]
fn bits_beyond_the_last_field_must_be_zero() {
    let lfd = learner(Foraging, lfd(), 5);
    let width = lfd.fields.width("padding");
    assert!(width > 0);
    for bit in 0..width {
        let text = format!("bits after the content ({}) must be 0", 1 << bit);
        lfd.assert_refuses(&[("padding", 1 << bit, &text)]);
    }
}

#[test]
fn what_is_resumed_from_random_changes_under_a_right_checksum_learns_on_with_finite_weights() {
    let tries = if cfg!(debug_assertions) { 150 } else { 4_000 };
    let task = Tetris10x10::default();
    let mut refused = BTreeSet::new();
    for iterations in [0, 4, 40] {
        refused.extend(assert_survives(&learner(task, ipse(), iterations), tries));
        refused.extend(assert_survives(
            &learner(Foraging, soft(), iterations),
            tries,
        ));
        refused.extend(assert_survives(&searching(iterations), tries));
        refused.extend(assert_survives(&returning(iterations), tries));
    }
    assert!(refused.len() > 15, "{refused:?}");

    /// Returns the names of the fields that were refused.
    fn assert_survives<D>(original: &Original<D>, tries: usize) -> BTreeSet<&'static str>
    where
        D: ResumableDriver + Format + Clone,
    {
        let mut rng = rng(5);
        let names: Vec<&str> = original.fields.names().collect();
        let names: Vec<&str> = names.into_iter().filter(|n| !HEADERS.contains(n)).collect();
        let (mut resumed, mut refused) = (0, BTreeSet::new());
        for _ in 0..tries {
            let mut fields = original.fields.clone();
            for _ in 0..1 + rng.next_u32() % 3 {
                let name = names[rng.next_u32() as usize % names.len()];
                let bit = rng.next_u32() as usize;
                fields = match rng.next_u32() % 4 {
                    0 => fields.with(name, 0),
                    1 => fields.with(name, u128::MAX),
                    2 if fields.width(name) > 0 => {
                        let bit = bit % fields.width(name);
                        fields.flipped(name, bit)
                    }
                    _ => fields.with(name, rng.next_u64().into()),
                };
            }
            let mut driver = original.driver.clone();
            match restore::<_, u64>(&mut driver, &mut rng.clone(), &fields.seal()) {
                Err(LoadError::Invalid(invalid)) => _ = refused.insert(invalid.field()),
                Err(other) => panic!("{other}"),
                Ok(_) => {
                    resumed += 1;
                    for _ in 0..3 {
                        let weights = driver.step(&mut rng).weights;
                        assert!(weights.as_ref().iter().all(|weight| weight.is_finite()));
                    }
                    let saved = bytes_of(&mut driver, &rng);
                    assert!(reload(&mut driver, &saved).is_ok());
                }
            }
        }
        assert!(resumed > 0, "{resumed} of {tries}");
        refused
    }

    /// Without these it is no checkpoint.
    const HEADERS: [&str; 3] = ["magic", "version", "identity"];
}

#[test]
fn noise_is_never_an_agent() {
    let mut rng = rng(6);
    let header = checkpoint(0)[..9].to_vec();
    for len in 20..1_500 {
        let mut bytes = vec![0; len];
        rng.fill_bytes(&mut bytes);
        assert_eq!(refusal(&bytes), LoadError::NotACheckpoint);
        let noise = sealed(&[&header[..], &bytes].concat());
        assert!(matches!(refusal(&noise), LoadError::Invalid(_)), "{len}");
    }
}
