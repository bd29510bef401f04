//! The default, on tasks that nobody has seen: one without an end in which one feature hardly ever varies and most
//! states leave nothing to choose, and one that leaves nothing to choose at all.

use crate::rng;
use crate::tasks::Watched;
use host_tests::boards::below;
use ipse::learner::labels::Hard;
use ipse::learner::m_learning::{Memory, Schedule};
use ipse::prelude::*;

/// A round of 200 places without an end. In every third there is a choice of three roads, each with a gain and a
/// toll; at the last of these places one of the roads is a shortcut, and that is worth more than anything else.
#[derive(Clone, Copy, Debug)]
struct Round;

const PLACES: u8 = 200;
const SHORTCUT: u8 = 198;
const WORTH: i16 = 20;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    number: u8,
    /// The gain and the toll of each road.
    roads: [[i16; 2]; 3],
    /// The road that is a shortcut, if there is one.
    shortcut: Option<Action>,
}

impl Place {
    fn arrive<R: Rng + ?Sized>(number: u8, rng: &mut R) -> Self {
        let mut below = |n: u32| (rng.next_u32() % n) as i16;
        Place {
            number,
            roads: std::array::from_fn(|_| [below(5), below(5)]),
            shortcut: (number == SHORTCUT).then(|| below(3) as Action),
        }
    }

    fn features(&self, action: Action) -> [i16; 3] {
        let [gain, toll] = self.roads[usize::from(action)];
        [gain, toll, i16::from(self.shortcut == Some(action))]
    }

    fn has_choice(&self) -> bool {
        self.number.is_multiple_of(3)
    }
}

impl Environment for Round {
    type State = Place;
    type Features = [i16; 3];
    type Actions = [Action; 3];
    const NAME: &'static str = "round";
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("gain", 4),
        Feature::new("toll", 4),
        Feature::new("shortcut", 1),
    ];

    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Place {
        Place::arrive(0, rng)
    }

    fn outcomes(&self, place: &Place, mut visit: impl FnMut(Outcome<[i16; 3]>)) {
        let roads = if place.has_choice() { 3 } else { 1 };
        for action in 0..roads {
            visit(Outcome {
                action,
                promise: 0,
                features: place.features(action),
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, place: &Place, action: Action, rng: &mut R) -> (Place, i16) {
        let [gain, toll, shortcut] = place.features(action);
        let next = Place::arrive((place.number + 1) % PLACES, rng);
        (next, gain - toll + WORTH * shortcut)
    }
}

const SEEDS: u64 = 20;
/// Enough for the window of choices to be as long as a round.
const ITERATIONS: usize = 230;

/// Short rollouts: a road pays at once.
fn short(rollouts: Rollouts) -> Rollouts {
    Rollouts {
        count: 2,
        length: 4,
        ..rollouts
    }
}

fn default() -> Ipse {
    Ipse::new().rollouts(short(Rollouts::default()))
}

fn paper() -> Ipse {
    Ipse::paper().rollouts(short(Rollouts::paper()))
}

fn agent<E: Environment, L: Learner<E>>(task: E, learner: L, rng: &mut XorShiftRng) -> Agent<E, L> {
    Agent::new(task, learner.check().unwrap(), rng)
}

/// The last of so many iterations.
fn learn<L: Learner<Round>>(
    agent: &mut Agent<Round, L>,
    iterations: usize,
    rng: &mut XorShiftRng,
) -> Step<[i16; 3]> {
    (1..iterations).for_each(|_| _ = agent.step(rng));
    agent.step(rng)
}

#[test]
fn the_default_leaves_its_first_phase_where_the_paper_does_not() {
    for seed in 0..SEEDS {
        let mut rng = rng(seed);
        let mut agent = self::agent(Round, default(), &mut rng);
        learn(&mut agent, 50, &mut rng);
        assert!(agent.memory().switched_after().is_some(), "seed {seed}");
        assert_eq!(agent.progress().phase, Phase::Weights);

        let mut rng = crate::rng(seed);
        let mut agent = self::agent(Round, paper(), &mut rng);
        learn(&mut agent, ITERATIONS, &mut rng);
        assert_eq!(agent.memory().switched_after(), None, "seed {seed}");
        let [.., shortcut] = agent.directions();
        assert_eq!(shortcut, Direction::Undecided);
    }
}

#[test]
fn a_feature_without_votes_takes_a_weight_of_the_right_sign_once_it_matters() {
    for seed in 0..SEEDS {
        let mut rng = rng(seed);
        let mut agent = self::agent(Round, default(), &mut rng);
        // The first round passes the shortcut after 67 choices.
        let before = learn(&mut agent, 66, &mut rng);
        assert_eq!(
            (before.tallies[2].varied, before.weights[2]),
            (0, 0.),
            "seed {seed}"
        );
        let first = agent.step(&mut rng);
        assert!(first.weights[2] > 0., "{first:?}, seed {seed}");
        if seed < 4 {
            let last = learn(&mut agent, ITERATIONS - 67, &mut rng);
            let [gain, toll, shortcut] = last.weights;
            assert!(
                gain > 0. && toll < 0. && shortcut > 0.,
                "{last:?}, seed {seed}"
            );
        }
    }
}

#[test]
fn a_feature_that_waits_for_votes_has_no_weight_until_there_are_six() {
    for seed in 0..4 {
        let mut rng = rng(seed);
        let waiting = default().undecided(Undecided::Wait);
        let mut agent = agent(Round, waiting, &mut rng);
        let last = learn(&mut agent, ITERATIONS, &mut rng);
        assert_eq!(
            (last.tallies[2].varied, last.weights[2]),
            (3, 0.),
            "seed {seed}"
        );
    }
}

/// Whether each feature differs among the roads of a place.
fn varies(place: &Place) -> [bool; 3] {
    let outcomes = Round.list(place);
    std::array::from_fn(|i| {
        outcomes
            .iter()
            .any(|o| o.features[i] != outcomes[0].features[i])
    })
}

#[test]
fn a_step_counts_the_choices_in_which_a_feature_varies() {
    check(Lfd::new(), 150, ITERATIONS);
    check(Lfd::paper(), 40, ITERATIONS);
    // The votes of the second phase are not counted.
    check(default(), 30, 50);

    fn check<L: Learner<Watched<Round>>>(learner: L, least: u16, iterations: usize) {
        let mut rng = rng(3);
        let mut agent = agent(Watched::new(Round), learner, &mut rng);
        let mut expected = [0; 3];
        for _ in 0..iterations {
            agent.task().tried.take();
            let step = agent.step(&mut rng);
            let tried = agent.task().tried.take();
            let (place, ..) = tried.last().unwrap();
            for (expected, varies) in expected.iter_mut().zip(varies(place)) {
                *expected += u16::from(varies);
            }
            assert_eq!(step.tallies.map(|tally| tally.varied), expected);
        }
        assert!(expected[0] >= least, "{expected:?}");
    }
}

#[test]
fn no_choice_without_an_alternative_is_remembered_unless_as_in_the_paper() {
    let scheduled = MLearning::scheduled();
    assert_eq!(
        without_alternative(scheduled.rollouts(short(Rollouts::default()))),
        0
    );
    assert!(without_alternative(scheduled.rollouts(short(Rollouts::paper()))) > 50);

    fn without_alternative(learner: MLearning) -> usize {
        let mut rng = rng(4);
        let mut agent = agent(Round, learner, &mut rng);
        (0..100).for_each(|_| _ = agent.step(&mut rng));
        let memory: &Memory<Round, 100, Schedule, Hard> = agent.memory();
        let choices = (0..100).map(|age| memory.choices().recent(age).unwrap());
        choices.filter(|(place, _)| !place.has_choice()).count()
    }
}

#[test]
fn what_is_passed_over_is_rewarded_and_simulated_by_nobody() {
    let mut rng = rng(5);
    let mut agent = agent(Watched::new(Round), default(), &mut rng);
    for iteration in 1..70 {
        let before = *agent.state();
        let step = agent.step(&mut rng);
        let tried = agent.task().tried.take();
        // Two places without a choice lie between two with one; at the end of the round, one.
        let passed_over = usize::from((3 - before.number % 3) % 3);
        let passed_over = passed_over.min(usize::from(PLACES - before.number));
        let rollouts = &tried[passed_over..tried.len() - 1];
        assert_eq!(rollouts.len(), step.calls as usize, "{before:?}");
        assert_eq!(step.calls, 3 * 2 * 4);
        assert!(rollouts[0].0.has_choice());
        let in_earnest = tried[..passed_over].iter().chain(tried.last());
        assert_eq!(
            step.reward,
            in_earnest
                .map(|(.., reward)| i32::from(*reward))
                .sum::<i32>()
        );
        assert_eq!(step.iteration, iteration);
    }
}

/// A task with one action in each state, that ends after so many, if it does.
#[derive(Clone, Copy, Debug)]
struct Treadmill {
    length: Option<u16>,
}

impl Environment for Treadmill {
    type State = u16;
    type Features = [i16; 1];
    type Actions = [Action; 2];
    const NAME: &'static str = "treadmill";
    const FEATURES: PerFeature<Self, Feature> = [Feature::new("effort", 1)];

    fn reset<R: Rng + ?Sized>(&self, _: &mut R) -> u16 {
        0
    }

    fn outcomes(&self, steps: &u16, mut visit: impl FnMut(Outcome<[i16; 1]>)) {
        if Some(*steps) != self.length {
            visit(Outcome {
                action: 0,
                promise: 1,
                features: [1],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, steps: &u16, _: Action, _: &mut R) -> (u16, i16) {
        (steps.wrapping_add(1), 1)
    }
}

#[test]
fn where_there_is_never_a_choice_every_iteration_ends() {
    check(Lfd::new());
    check(default());
    check(MLearning::scheduled());
    check(MLearning::cross_validated());
    check(Known([Direction::Pro]).then(MLearning::scheduled()));

    fn check<L: Learner<Watched<Treadmill>>>(learner: L) {
        let mut rng = rng(6);
        let task = Watched::new(Treadmill { length: None });
        let mut agent = agent(task, learner, &mut rng);
        for iteration in 1..=60 {
            agent.task().tried.take();
            let mut slices = 1;
            let step = loop {
                let tried = agent.task().tried.borrow().len();
                let step = agent.slice(&mut rng);
                assert!(
                    agent.task().tried.borrow().len() <= tried + 1,
                    "one action in a slice"
                );
                match step {
                    Some(step) => break step,
                    None => slices += 1,
                }
            };
            assert_eq!(agent.task().tried.borrow().len(), 100);
            assert_eq!(slices, 101);
            assert_eq!(
                (step.iteration, step.calls, step.reward),
                (iteration, 0, 100)
            );
            assert_eq!((step.action, step.episode_ended), (Some(0), false));
            assert_eq!(step.tallies, [Tally::default()]);
        }
    }
}

#[test]
fn an_episode_that_ends_while_states_are_passed_over_ends_the_iteration() {
    let mut rng = rng(7);
    let length = Some(30);
    let mut agent = agent(Treadmill { length }, Ipse::new(), &mut rng);
    for _ in 0..60 {
        let step = agent.step(&mut rng);
        assert_eq!((step.reward, step.calls, step.episode_ended), (30, 0, true));
        assert_eq!(*agent.state(), 0);
    }
    assert_eq!(agent.memory().switched_after(), Some(50));
}

#[test]
fn passing_over_is_a_choice_of_those_who_set_it() {
    for pass_over in [0, 1, 7, 500] {
        let rollouts = Rollouts {
            pass_over,
            ..short(Rollouts::paper())
        };
        let mut rng = rng(8);
        let lfd = Lfd::new().rollouts(rollouts);
        let mut agent = agent(Treadmill { length: None }, lfd, &mut rng);
        for _ in 0..3 {
            let step = agent.step(&mut rng);
            let (calls, reward) = match pass_over {
                // With nothing to choose from, the only action is evaluated and taken.
                0 => (2 * 4, 1),
                _ => (0, pass_over.into()),
            };
            assert_eq!((step.calls, step.reward), (calls, reward));
        }
    }
}

/// What a place is like is left to chance, but the number of choices is not.
#[test]
fn the_shortcut_is_one_of_two_hundred_places() {
    let mut rng = rng(9);
    let mut place = Round.reset(&mut rng);
    let mut counts = [0; 2];
    for _ in 0..PLACES {
        counts[0] += u32::from(place.has_choice());
        counts[1] += u32::from(varies(&place)[2]);
        let actions = Round.list(&place).len();
        let action = below(actions, &mut rng) as Action;
        place = Round.step(&place, action, &mut rng).0;
    }
    assert_eq!(counts, [67, 1]);
}
