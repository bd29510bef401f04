//! A session that acts in the world, and learns in between.

use embassy_futures::block_on;
use ipse::prelude::*;
use ipse_device::faults::FaultyFlash;
use ipse_device::{Boot, Features, Observer, Player, Saved, Settings};
use ipse_tasks::SensorNode;
use ipse_tasks::sensor_node::{Node, Sky, Weather};
use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

type Learner = Searcher<SensorNode, Unknown, 0>;
type Session = ipse_device::Session<Learner>;
type Flash = FaultyFlash<4, 4096, 4>;
type Storage<'f> = ipse_device::Storage<&'f Flash, { Session::BUFFER }>;

static NODE: SensorNode = SensorNode::HAMBURG;
const CALLS: u32 = 6_000;

thread_local! {
    static MICROS: Cell<u64> = const { Cell::new(0) };
}

/// A clock on which a millisecond has passed whenever one looks at it.
fn clock() -> u64 {
    MICROS.with(|micros| micros.replace(micros.get() + 1_000))
}

fn session(save_seconds: u32) -> Session {
    let search = Search::returns(48).calls(CALLS).check().unwrap();
    let settings = Settings {
        save_seconds,
        ..Settings::default()
    };
    Session::new(settings, clock, |rng| Learner::new(NODE, search, rng))
}

fn finished() -> Session {
    let mut session = session(60);
    while !session.is_done() {
        session.slice();
    }
    session
}

fn storage(flash: &Flash) -> Storage<'_> {
    Storage::new(flash, 0..4 * 4096).unwrap()
}

/// Is over after so many turns.
async fn turns(mut turns: u32) {
    poll_fn(|_| match turns {
        0 => Poll::Ready(()),
        _ => {
            turns -= 1;
            Poll::Pending
        }
    })
    .await;
}

/// Counts what it is told.
#[derive(Default)]
struct Told {
    progress: u32,
    ended: u32,
    acted: u32,
    saves: u32,
}

impl Observer<Learner> for Told {
    fn progress(&mut self, _: &Session, _: u32) {
        self.progress += 1;
    }

    fn ended(&mut self, _: &Session) {
        self.ended += 1;
    }

    fn acted(&mut self, _: &Session, player: &Player<SensorNode>) {
        self.acted += 1;
        assert_eq!(self.acted, player.actions());
    }

    fn saved(&mut self, _: &Session, saved: Saved) {
        self.saves += u32::from(saved.is_saved());
    }
}

/// The world of a node whose hours take so many turns, and who was there.
struct World {
    hour: u32,
    sky: Sky,
    rng: XorShiftRng,
    hours: Vec<(Node, Action)>,
    reward: i64,
}

impl World {
    fn new(hour: u32) -> Self {
        World {
            hour,
            sky: Sky::new(Weather::GREY, 1),
            rng: XorShiftRng::seed_from_u64(1),
            hours: Vec::new(),
            reward: 0,
        }
    }

    async fn pass(&mut self, node: &Node, action: Action) -> (Node, i16) {
        turns(self.hour).await;
        self.hours.push((*node, action));
        let (next, reward) = NODE.step_in(&mut self.sky, node, action, &mut self.rng);
        self.reward += i64::from(reward);
        (next, reward)
    }
}

/// Acts until everything has been learned.
fn live(session: &mut Session, world: &mut World, told: &mut Told) -> Player<SensorNode> {
    let flash = Flash::new();
    let mut storage = storage(&flash);
    let mut player = session.player();
    while !session.is_done() {
        let hour = async |node: &Node, action| world.pass(node, action).await;
        block_on(session.act(&mut player, &mut storage, told, hour));
    }
    player
}

#[test]
fn what_is_learned_does_not_depend_on_who_acts_in_between() {
    let alone = finished().result();
    for hour in [1, 7, 100] {
        let mut session = session(60);
        let mut told = Told::default();
        live(&mut session, &mut World::new(hour), &mut told);
        let result = session.result();
        assert_eq!(
            (result.fingerprint, result.weights, result.calls),
            (alone.fingerprint, alone.weights.clone(), alone.calls)
        );
        assert!(told.acted > 2 && told.ended == 1, "{hour}");
        assert!(told.progress > told.acted * hour.min(100) / 2);
    }
}

/// The scores of all actions in a state.
fn scores(policy: &Policy<Features<Learner>>, node: &Node) -> Vec<(Action, i32)> {
    let mut scores = Vec::new();
    NODE.outcomes(node, |outcome| {
        scores.push((outcome.action, policy.score(&outcome.features)))
    });
    scores
}

#[test]
fn every_action_is_chosen_by_the_policy_of_the_moment() {
    let mut session = session(60);
    let flash = Flash::new();
    let mut storage = storage(&flash);
    let (mut player, mut world) = (session.player(), World::new(20));
    let (mut policies, mut undecided) = (0, 0);
    let mut last = session.driver().policy();
    while !session.is_done() {
        let policy = session.driver().policy();
        let hour = async |node: &Node, action| world.pass(node, action).await;
        block_on(session.act(&mut player, &mut storage, &mut (), hour));
        let (node, action) = world.hours[world.hours.len() - 1];
        let scores = scores(&policy, &node);
        let best = scores.iter().map(|(_, score)| *score).max();
        let chosen = scores.iter().find(|(number, _)| *number == action);
        assert_eq!(chosen.map(|(_, score)| *score), best);
        policies += u32::from(policy != last);
        undecided += u32::from(policy == Policy::random());
        last = policy;
    }
    assert!(policies > 3 && undecided > 0, "{policies}, {undecided}");
}

#[test]
fn a_player_is_in_the_state_that_the_world_has_returned() {
    let mut session = session(60);
    let mut world = World::new(5);
    let player = live(&mut session, &mut world, &mut Told::default());
    let World { sky, rng, .. } = World::new(5);
    let (mut sky, mut rng) = (sky, rng);
    for hours in world.hours.windows(2) {
        let [(node, action), (next, _)] = hours else {
            unreachable!();
        };
        let (expected, _) = NODE.step_in(&mut sky, node, *action, &mut rng);
        assert_eq!(expected, *next);
    }
    assert_eq!(player.actions() as usize, world.hours.len());
    assert_eq!(player.reward(), world.reward);
    assert!(world.reward > 0);
}

#[test]
fn a_player_can_be_put_into_a_state_that_was_measured() {
    let mut session = finished();
    let flash = Flash::new();
    let mut player = session.player();
    let measured = Node {
        hour: 12,
        charge: 1_234,
        ..*player.state()
    };
    player.set_state(measured);
    let mut world = World::new(0);
    let hour = async |node: &Node, action| world.pass(node, action).await;
    block_on(session.act(&mut player, &mut storage(&flash), &mut (), hour));
    assert_eq!(world.hours[0].0, measured);
}

#[test]
fn an_action_whose_future_is_dropped_is_not_counted_and_learning_goes_on() {
    let whole = finished().result();
    let flash = Flash::new();
    let mut storage = storage(&flash);
    let mut session = session(60);
    let mut player = session.player();
    let before = *player.state();
    let mut context = Context::from_waker(Waker::noop());
    for polls in 1..40 {
        let mut world = World::new(u32::MAX);
        let hour = async |node: &Node, action| world.pass(node, action).await;
        let mut observer = ();
        let mut acting = pin!(session.act(&mut player, &mut storage, &mut observer, hour));
        for _ in 0..polls {
            assert!(acting.as_mut().poll(&mut context).is_pending());
        }
    }
    assert_eq!((player.actions(), *player.state()), (0, before));
    assert!(session.calls() > 0 && !session.is_done());
    live(&mut session, &mut World::new(3), &mut Told::default());
    assert_eq!(session.fingerprint(), whole.fingerprint);
}

#[test]
fn when_everything_is_learned_a_session_waits_feeds_the_watchdog_and_does_not_end_again() {
    let mut session = finished();
    let flash = Flash::new();
    let mut storage = storage(&flash);
    let (mut player, mut world) = (session.player(), World::new(30));
    let mut told = Told::default();
    for hours in 1..=48 {
        let hour = async |node: &Node, action| world.pass(node, action).await;
        block_on(session.act(&mut player, &mut storage, &mut told, hour));
        assert_eq!(world.hours.len(), hours);
        assert_eq!((told.acted, told.progress), (hours as u32, hours as u32));
    }
    assert_eq!((told.ended, told.saves), (0, 0));
}

#[test]
fn the_end_of_an_hour_does_not_cut_off_a_checkpoint() {
    for hour in 0..60 {
        let flash = Flash::new();
        flash.yield_in_operations();
        let mut session = session(0);
        let mut told = Told::default();
        block_on(session.learn_until(&mut storage(&flash), &mut told, turns(hour)));
        // Every iteration is saved, so that the newest checkpoint has all of them.
        assert_eq!(told.saves, session.iterations());
        let mut resumed = self::session(0);
        let boot = block_on(resumed.resume(&mut storage(&flash), &mut ()));
        match session.iterations() {
            0 => assert_eq!(boot, Boot::New),
            iterations => assert_eq!(boot, Boot::Resumed(iterations)),
        }
    }
}

#[test]
fn checkpoints_are_due_by_time_however_short_the_hours_are() {
    let (mut session, mut told) = (session(1), Told::default());
    live(&mut session, &mut World::new(3), &mut told);
    // Every look at the clock takes a millisecond.
    let seconds = clock() / 1_000_000;
    let saves = u64::from(told.saves);
    assert!(saves > 2 && saves <= seconds + 1, "{saves} in {seconds} s");
    assert!(session.learned_in() > 1_000_000 * (seconds / 2));
}

#[test]
fn an_event_tells_what_came_of_it_and_is_not_missed() {
    let flash = Flash::new();
    let mut storage = storage(&flash);
    let mut session = session(60);
    for turn in 0..10 {
        let event = async {
            turns(turn).await;
            turn
        };
        assert_eq!(
            block_on(session.learn_until(&mut storage, &mut (), event)),
            turn
        );
    }
    let begun = session.calls();
    assert!(!session.is_done());
    block_on(session.learn_until(&mut storage, &mut (), async {}));
    assert_eq!(session.calls(), begun, "it was over before the next slice");
    block_on(session.learn_until(&mut storage, &mut (), turns(u32::MAX >> 12)));
    assert!(
        session.is_done(),
        "it waits for the event after the last slice"
    );
}
