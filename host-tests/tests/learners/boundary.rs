//! The boundary between learners and tasks: what a task may say beside its actions, and who listens.

use crate::rng;
use crate::tasks::Liar;
use host_tests::picture::Picture;
use ipse::environment::Outcomes;
use ipse::prelude::*;
use ipse_tasks::foraging::{Bush, Foraging, Mouse};
use std::cell::Cell;

/// A reservoir that can be filled or emptied by one unit at a time. Nothing is ever paid for that, but a task that
/// `looks_ahead` knows what the water will be worth.
struct Reservoir {
    looks_ahead: bool,
}

impl Environment for Reservoir {
    type State = i16;
    type Features = [i16; 1];
    type Actions = [Action; 2];
    const NAME: &'static str = "reservoir";
    const FEATURES: PerFeature<Self, Feature> = [Feature::new("water", 50)];

    fn reset<R: Rng + ?Sized>(&self, _: &mut R) -> i16 {
        25
    }

    fn outcomes(&self, water: &i16, mut visit: impl FnMut(Outcome<[i16; 1]>)) {
        for (action, change) in [(0, -1), (1, 1)] {
            visit(Outcome {
                action,
                promise: 0,
                features: [(water + change).clamp(0, 50)],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, water: &i16, action: Action, _: &mut R) -> (i16, i16) {
        let change = if action == 1 { 1 } else { -1 };
        ((water + change).clamp(0, 50), 0)
    }

    fn value(&self, water: &i16) -> i16 {
        if self.looks_ahead { *water } else { 0 }
    }
}

#[test]
fn what_pays_only_after_the_end_of_a_rollout_is_learned_by_the_value_of_its_last_state() {
    let direction = |looks_ahead, seed| {
        let mut rng = rng(seed);
        let lfd = Lfd::new().check().unwrap();
        let mut agent = Agent::new(Reservoir { looks_ahead }, lfd, &mut rng);
        (0..20).for_each(|_| _ = agent.step(&mut rng));
        let [direction] = agent.directions();
        direction
    };
    for seed in 0..20 {
        assert_eq!(direction(true, seed), Direction::Pro, "seed {seed}");
    }
    let without = |seed| direction(false, seed).is_decided();
    let decided = (0..20).filter(|seed| without(*seed)).count();
    assert!(decided < 8, "{decided} of 20 by chance");
}

/// The steps of a learner as text, with all bits of the weights.
fn course<E: Environment<Features = [i16; 3]>, L: Learner<E>>(task: E, learner: L) -> Vec<String> {
    let mut rng = rng(2);
    let mut agent = Agent::new(task, learner.check().unwrap(), &mut rng);
    let step = |_| format!("{:?}", agent.step(&mut rng));
    (0..40).map(step).collect()
}

#[test]
fn a_promise_is_used_by_reward_first_and_by_nothing_else() {
    let lfd = Lfd::new().reward_first(false);
    let ipse = Ipse::new().memory::<20>().cap(15).reward_first(false);
    let filter = ipse.dominance_filter(true).soft_labels(0.3);
    assert_eq!(course(Liar(Foraging), lfd), course(Foraging, lfd));
    assert_eq!(course(Liar(Foraging), ipse), course(Foraging, ipse));
    assert_eq!(course(Liar(Foraging), filter), course(Foraging, filter));
    let scheduled = MLearning::scheduled().memory::<20>();
    assert_eq!(
        course(Liar(Foraging), scheduled),
        course(Foraging, scheduled)
    );

    let lfd = lfd.reward_first(true);
    assert_ne!(course(Liar(Foraging), lfd), course(Foraging, lfd));
    let filter = lfd.dominance_filter(true);
    assert_ne!(course(Liar(Foraging), filter), course(Foraging, filter));
}

#[test]
fn a_search_uses_promises_while_it_learns_directions_and_only_if_it_is_told_to() {
    fn course<E: Environment<Features = [i16; 3]>>(task: E, reward_first: bool) -> Vec<String> {
        let mut rng = rng(2);
        let search = Search::survival().calls(9000).episode(30).trials(3).cap(6);
        let search = search.directions(search.directions.reward_first(reward_first));
        let search = search.memory::<10>().check().unwrap();
        let mut searcher = Searcher::new(task, search, &mut rng);
        let step = |_| format!("{:?}", searcher.step(&mut rng));
        (0..20).map(step).collect()
    }
    assert_eq!(course(Liar(Foraging), false), course(Foraging, false));
    assert_ne!(course(Liar(Foraging), true), course(Foraging, true));
}

/// A task of which nobody must ask for a list.
struct Unlisted {
    actions: u8,
    visits: Cell<u32>,
}

impl Environment for Unlisted {
    type State = ();
    type Features = [i16; 1];
    type Actions = [Action; 200];
    const NAME: &'static str = "unlisted";
    const FEATURES: PerFeature<Self, Feature> = [Feature::new("nothing", 1)];

    fn reset<R: Rng + ?Sized>(&self, _: &mut R) {}

    fn outcomes(&self, (): &(), mut visit: impl FnMut(Outcome<[i16; 1]>)) {
        for action in 0..self.actions {
            self.visits.set(self.visits.get() + 1);
            visit(Outcome {
                action,
                promise: 0,
                features: [0],
            });
        }
    }

    fn step<R: Rng + ?Sized>(&self, (): &(), _: Action, _: &mut R) -> ((), i16) {
        ((), 0)
    }

    fn list(&self, (): &()) -> Outcomes<Self> {
        panic!("a list of 200 actions was asked for");
    }

    fn fill(&self, (): &(), _: &mut Outcomes<Self>) {
        panic!("a list of 200 actions was asked for");
    }
}

#[test]
fn whether_a_state_is_terminal_is_found_out_without_a_list() {
    for actions in [0, 1, 2, 200] {
        let visits = Cell::new(0);
        let task = Unlisted { actions, visits };
        assert_eq!(task.is_terminal(&()), actions == 0);
        assert!(task.visits.get() <= actions.into());
    }
}

#[test]
fn a_policy_chooses_without_a_list() {
    let visits = Cell::new(0);
    let task = Unlisted {
        actions: 200,
        visits,
    };
    let choice = Policy::random().choose(&task, &(), &mut rng(1));
    assert!(choice.is_some_and(|action| action < 200));
    assert_eq!(task.visits.get(), 200);
}

#[test]
fn a_mouse_is_drawn_with_its_strength_and_what_it_sees() {
    let bush = |seeds, distance, owls| Bush {
        seeds,
        distance,
        owls,
    };
    let mouse = Mouse {
        strength: 6,
        bushes: [bush(3, 1, 0), bush(0, 4, 3), bush(1, 2, 1), bush(2, 3, 2)],
    };
    assert_eq!(Picture::of(&Foraging, &mouse).to_string(), MOUSE);
}

/// Strength at the left; of each bush the owls at the top, the distance below them, and the seeds.
const MOUSE: &str = "\
..............####..####..####..
..............####..####..####..
................................
................................
..............####........####..
..............####........####..
................................
................................
..............####..............
..............####..............
................................
................................
................................
.........#.....#.....#.....#....
###......#.....#.....#.....#....
###............#.....#.....#....
###............#.....#.....#....
###............#...........#....
###............#...........#....
###............#................
###............#................
###.............................
###.............................
###.....##......................
###.....##......................
###.............................
###.....##................##....
###.....##................##....
###.............................
###.....##..........##....##....
###.....##..........##....##....
###.............................
";

/// Without a picture there is nothing to draw.
#[test]
fn a_task_need_not_have_a_picture() {
    let reservoir = Reservoir { looks_ahead: true };
    assert_eq!(Picture::of(&reservoir, &25).to_string(), "");
}
