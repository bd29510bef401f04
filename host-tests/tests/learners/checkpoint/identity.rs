//! A checkpoint is of one task and one set of parameters: whatever changes how bits go on changes the identity.

use super::*;
use crate::fields::{differences, fields};
use ipse::learner::m_learning::Schedule;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

fn identity<D: ResumableDriver>(mut driver: D, rng: &XorShiftRng) -> u32 {
    let bytes = bytes_of(&mut driver, rng);
    u32::from_le_bytes(bytes[5..9].try_into().unwrap())
}

fn identity_of<E: Resumable, L: ResumableLearner<E>>(task: E, learner: L) -> u32 {
    let mut rng = rng(1);
    identity(agent(task, learner, &mut rng), &rng)
}

fn identity_of_search<L, const N: usize>(search: Search<L, N>) -> u32
where
    L: ResumableLearner<Foraging> + DirectionLearner<Foraging>,
{
    let mut rng = rng(1);
    identity(searcher(Foraging, search, &mut rng), &rng)
}

/// The identities of different things, by what they are called. No two may be the same.
#[derive(Default)]
struct Different(BTreeMap<u32, String>);

impl Different {
    fn add(&mut self, identity: u32, name: impl Debug) {
        let name = format!("{name:?}");
        if let Some(same) = self.0.insert(identity, name.clone()) {
            panic!("{same} and {name} have the same identity");
        }
    }
}

/// Every parameter is changed, and any change of one changes the identity.
fn assert_identified<P: Debug + Copy>(original: P, changed: &[P], identity: impl Fn(P) -> u32) {
    let changes = changed
        .iter()
        .flat_map(|other| differences(&original, other));
    let changes: BTreeSet<String> = changes.collect();
    let all: BTreeSet<String> = fields(&original).into_keys().collect();
    assert_eq!(changes, all, "all parameters of {original:?}");
    let mut different = Different::default();
    different.add(identity(original), original);
    for other in changed {
        different.add(identity(*other), other);
    }
}

/// The same rollouts with another value of each parameter.
fn other_rollouts() -> [Rollouts; 5] {
    let quick = quick();
    [
        Rollouts { count: 3, ..quick },
        Rollouts { length: 4, ..quick },
        Rollouts {
            discount: 0.9,
            ..quick
        },
        Rollouts {
            common_random_numbers: true,
            ..quick
        },
        Rollouts {
            pass_over: 1,
            ..quick
        },
    ]
}

#[test]
fn every_parameter_of_lfd_is_part_of_its_identity() {
    let lfd = lfd();
    let mut changed = vec![
        lfd.alpha(0.01),
        lfd.reward_first(false),
        lfd.dominance_filter(true),
    ];
    changed.extend(other_rollouts().map(|rollouts| lfd.rollouts(rollouts)));
    assert_identified(lfd, &changed, |lfd| identity_of(Foraging, lfd));
}

#[test]
fn every_parameter_of_m_learning_is_part_of_its_identity() {
    let soft = scheduled().soft_labels(0.3);
    let schedule = |start, exponent| soft.regularisation(Schedule { start, exponent });
    let mut changed = vec![
        schedule(4., 1.),
        schedule(5., 0.5),
        soft.scaling(Scaling::Total),
        soft.soft_labels(0.4),
        soft.average(true),
        soft.dominance_filter(true),
    ];
    changed.extend(other_rollouts().map(|rollouts| soft.rollouts(rollouts)));
    assert_identified(soft, &changed, |learner| identity_of(Foraging, learner));
}

#[test]
fn every_parameter_of_a_learner_after_another_is_part_of_its_identity() {
    let ipse = ipse().soft_labels(0.3);
    let (first, second) = (ipse.first, ipse.second);
    let with = |first: Lfd, second: MLearning<MEMORY, Schedule, Soft>| {
        let then = first.then(second).cap(6);
        then.undecided(Undecided::Wait)
    };
    assert_eq!(with(first, second), ipse);
    let schedule = |start, exponent| second.regularisation(Schedule { start, exponent });
    let mut changed = vec![
        ipse.cap(7),
        ipse.cap(None),
        ipse.undecided(Undecided::Free),
        ipse.reuse_choices(true),
        ipse.alpha(0.01),
        ipse.reward_first(false),
        with(first.dominance_filter(true), second),
        with(first, second.dominance_filter(true)),
        with(first, schedule(4., 1.)),
        with(first, schedule(5., 0.5)),
        ipse.scaling(Scaling::Total),
        ipse.soft_labels(0.4),
        ipse.average(true),
    ];
    for rollouts in other_rollouts() {
        changed.push(with(first.rollouts(rollouts), second));
        changed.push(with(first, second.rollouts(rollouts)));
        changed.push(ipse.rollouts(rollouts));
    }
    assert_identified(ipse, &changed, |learner| identity_of(Foraging, learner));
}

#[test]
fn learners_of_another_kind_have_another_identity() {
    let mut different = Different::default();
    let mut add = |name: &str, identity| different.add(identity, name);
    let scheduled = scheduled();
    let (con, pro) = (Known([Pro, Con, Con]), Known([Pro, Con, Pro]));
    add("lfd", identity_of(Foraging, lfd()));
    add("ipse", identity_of(Foraging, ipse()));
    add("soft", identity_of(Foraging, ipse().soft_labels(0.3)));
    add("longer", identity_of(Foraging, ipse().memory::<11>()));
    add("scheduled", identity_of(Foraging, scheduled));
    add(
        "unregularised",
        identity_of(Foraging, scheduled.regularisation(Unregularised)),
    );
    add(
        "cross-validated",
        identity_of(Foraging, scheduled.regularisation(CrossValidated)),
    );
    add("known", identity_of(Foraging, con.then(scheduled)));
    add(
        "known otherwise",
        identity_of(Foraging, pro.then(scheduled)),
    );
    add("lfd twice", identity_of(Foraging, lfd().then(lfd())));
    add(
        "three, the first alone",
        identity_of(Foraging, lfd().then(lfd().then(lfd()))),
    );
    add(
        "three, the last alone",
        identity_of(Foraging, lfd().then(lfd()).then(lfd())),
    );
    add("search", identity_of_search(search()));
    add("search by returns", identity_of_search(returns()));
    let mut rng = rng(1);
    let longer = searcher(Foraging, search().memory::<11>(), &mut rng);
    add("search with more states", identity(longer, &rng));
    let unknown = search().directions(Unknown);
    add("search from zero", identity_of_search(unknown));
}

#[test]
fn labels_at_temperature_zero_are_hard_and_have_their_identity() {
    let cold = identity_of(Foraging, ipse().soft_labels(0.));
    assert_eq!(cold, identity_of(Foraging, ipse()));
    let mut rng = rng(1);
    let mut hard = agent(Foraging, ipse(), &mut rng);
    (0..30).for_each(|_| _ = hard.step(&mut rng));
    let mut cold = agent(Foraging, ipse().soft_labels(0.), &mut crate::rng(2));
    let mut its_rng = reload(&mut cold, &bytes_of(&mut hard, &rng)).unwrap();
    assert_eq!(cold.step(&mut its_rng), hard.step(&mut rng));
}

#[test]
fn a_task_with_other_rules_or_another_board_has_another_identity() {
    let mut different = Different::default();
    for rule in [Rule::AfterRemoval, Rule::BeforeRemoval] {
        different.add(identity_of(Tetris10x10::new(rule), lfd()), ("10x10", rule));
        different.add(identity_of(Tetris10x20::new(rule), lfd()), ("10x20", rule));
        different.add(identity_of(Diverse10x10::new(rule), lfd()), ("nine", rule));
        let (eight, nine) = (Surface10x10::new(rule), SurfaceNine10x10::new(rule));
        different.add(identity_of(eight, lfd()), ("surface", rule));
        different.add(identity_of(nine, lfd()), ("surface, nine", rule));
    }
    different.add(identity_of(Foraging, lfd()), "foraging");
}

/// A task in which nothing happens.
#[derive(Clone, Copy)]
struct Named<T>(&'static str, T);

/// The rest of what tells tasks apart.
trait Description: Copy {
    const FIRST: Feature;
    type Room: Array<Item = Action>;
}

impl<T: Description> Environment for Named<T> {
    type State = ();
    type Features = [i16; 2];
    type Actions = T::Room;
    const NAME: &'static str = "named";
    const FEATURES: PerFeature<Self, Feature> = [T::FIRST, Feature::new("b", 5)];

    fn reset<R: Rng + ?Sized>(&self, _: &mut R) {}
    fn outcomes(&self, (): &(), _: impl FnMut(Outcome<[i16; 2]>)) {}
    fn step<R: Rng + ?Sized>(&self, (): &(), _: Action, _: &mut R) -> ((), i16) {
        ((), 0)
    }
}

impl<T: Description> Resumable for Named<T> {
    const STATE_BITS: usize = 0;

    fn identify(&self, codec: &mut impl Codec) {
        codec.text(self.0);
    }

    fn code_state(&self, (): &mut (), _: &mut impl Codec) -> Result<(), Invalid> {
        Ok(())
    }
}

macro_rules! description {
    ($name:ident, $feature:expr, $room:ty) => {
        #[derive(Clone, Copy)]
        struct $name;

        impl Description for $name {
            const FIRST: Feature = $feature;
            type Room = $room;
        }
    };
}

description!(Usual, Feature::new("a", 5), [Action; 3]);
description!(OtherName, Feature::new("ab", 5), [Action; 3]);
description!(OtherBound, Feature::new("a", 6), [Action; 3]);
description!(OtherUnit, Feature::new("a", 5).unit(0.5), [Action; 3]);
description!(MoreActions, Feature::new("a", 5), [Action; 4]);

#[test]
fn every_feature_and_the_room_for_actions_are_part_of_the_identity_of_a_task() {
    let mut different = Different::default();
    let mut add = |name: &str, identity| different.add(identity, name);
    add("usual", identity_of(Named("", Usual), lfd()));
    add("name of the task", identity_of(Named("a", Usual), lfd()));
    add(
        "name of a feature",
        identity_of(Named("", OtherName), lfd()),
    );
    add("bound", identity_of(Named("", OtherBound), lfd()));
    add("unit", identity_of(Named("", OtherUnit), lfd()));
    add("room", identity_of(Named("", MoreActions), lfd()));
}

/// Parameters of one learner are found by its identity, and so are those that are a part of another.
#[test]
fn a_checkpoint_of_other_parameters_is_foreign() {
    let bytes = checkpoint(9);
    let mut rng = rng(1);
    let task = Tetris10x10::default();
    let foreign = Err(LoadError::Foreign);
    assert_eq!(
        reload(&mut agent(task, ipse().cap(7), &mut rng), &bytes),
        foreign
    );
    assert_eq!(
        reload(&mut agent(task, ipse().alpha(0.01), &mut rng), &bytes),
        foreign
    );
    assert_eq!(reload(&mut agent(task, lfd(), &mut rng), &bytes), foreign);
    assert_eq!(
        reload(&mut searcher(task, search(), &mut rng), &bytes),
        foreign
    );
    let strict = Tetris10x10::new(Rule::BeforeRemoval);
    assert_eq!(
        reload(&mut agent(strict, ipse(), &mut rng), &bytes),
        foreign
    );
    let agent = agent(strict, ipse(), &mut rng);
    assert_eq!(iterations(&agent, &bytes), Err(LoadError::Foreign));
    let text = "checkpoint: it was saved for another task or with other parameters";
    assert_eq!(LoadError::Foreign.to_string(), text);
}

/// The generator goes on where it was: the next number depends on all of its state.
#[test]
fn every_bit_of_the_random_generator_is_saved() {
    let (mut agent, rng) = player(9);
    let bytes = bytes_of(&mut agent, &rng);
    let fields = Forged::open(&agent, &bytes, NOTE_BITS);
    let resumed = |fields: &Forged| reload(&mut player(0).0, &fields.seal()).unwrap();
    assert_eq!(resumed(&fields), rng);
    let mut generators = vec![rng];
    for bit in 0..128 {
        let other = resumed(&fields.clone().flipped("random generator", bit));
        assert!(!generators.contains(&other));
        generators.push(other);
    }
}

fn guard(actions: u16, ends: u16, repeats: u8) -> Guard {
    Guard {
        actions,
        ends,
        repeats,
    }
}

#[test]
fn every_parameter_of_a_search_is_part_of_its_identity() {
    let search = search().guard(Some(Guard::new()));
    let (from, to) = (0.15, 0.12);
    let mut changed = vec![
        search.cap(7),
        search.calls(9001),
        search.episode(41),
        search.trials(4),
        search.horizon(31),
        search.starts(Starts::Visited),
        search.objective(Objective::Return),
        search.scale(Scale::Spread),
        search.sigma(Sigma::Linear { from: 0.16, to }),
        search.sigma(Sigma::Linear { from, to: 0.11 }),
        search.sigma(Sigma::Geometric { from, to }),
        search.guard(Some(guard(299, 5, 3))),
        search.guard(Some(guard(300, 4, 3))),
        search.guard(Some(guard(300, 5, 2))),
        search.shrinkage(0.7),
        search.directions(search.directions.alpha(0.01)),
        search.directions(search.directions.reward_first(false)),
        search.directions(search.directions.dominance_filter(true)),
    ];
    changed.extend(other_rollouts().map(|rollouts| search.rollouts(rollouts)));
    assert_identified(search, &changed, identity_of_search);
    let unguarded = identity_of_search(search.guard(None));
    assert_ne!(identity_of_search(search), unguarded);
    assert_ne!(
        identity_of_search(search.shrinkage(0.3)),
        identity_of_search(search.shrinkage(0.7))
    );
    // One value in the place of another does not make up for it.
    let (one, other) = (search.trials(30).horizon(3), search.trials(3).horizon(30));
    assert_ne!(identity_of_search(one), identity_of_search(other));
}
