//! The sensor node on the host, in the light that it sees on emulated boards: there it has to come to the same.

use crate::user_tasks::Heard;
use ipse::prelude::*;
use ipse_device::faults::FaultyFlash;
use ipse_device::{Session, Settings, Storage};
use ipse_tasks::SensorNode;
use ipse_tasks::sensor_node::{Light, Node, Sky, Weather};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// The calls of a search that is short, and the hours of the day that it then lives on what it has learned.
pub const CALLS: u32 = 60_000;
pub const HOURS: u32 = 24;

type Learner = Searcher<SensorNode, Unknown, 0>;

static NODE: SensorNode = SensorNode::HAMBURG;

/// Fails if a board has not learned what the host learns, has not acted meanwhile, or has not acted on the light that it
/// was shown after that.
pub fn check(first: &Heard, second: &Heard) -> Result<(), String> {
    let session = learned()?;
    let fingerprint = first.ended.as_ref().map(|ended| ended.fingerprint);
    if fingerprint != Some(session.fingerprint()) {
        let expected = session.fingerprint();
        return Err(format!("{fingerprint:?}, but on the host {expected}"));
    }
    let hours = first.acted_while_learning;
    if hours == 0 {
        return Err("the node has not acted before everything was learned".into());
    }
    let expected = live(session.clone(), &mut Sky::new(Weather::GREY, 1))?;
    if live(session, &mut |_: u8| None)? == expected {
        return Err("the node earns as much without light, so that nothing is shown".into());
    }
    let found = second
        .acted
        .iter()
        .map(|acted| (acted.actions, acted.reward));
    let found: Vec<_> = found.take_while(|(hours, _)| *hours <= HOURS).collect();
    match found == expected {
        true => {
            println!("{hours} hours while it learned, and {HOURS} hours as on the host");
            Ok(())
        }
        false => Err(format!("{found:?}, but on the host {expected:?}")),
    }
}

/// Learns as the firmware does.
fn learned() -> Result<Session<Learner>, String> {
    let search = Search::returns(144).calls(CALLS).check();
    let search = search.map_err(|invalid| invalid.to_string())?;
    let make = |rng: &mut XorShiftRng| Learner::new(NODE, search, rng);
    let mut session = Session::new(Settings::default(), || 0, make);
    while !session.is_done() {
        session.slice();
    }
    Ok(session)
}

/// Lives on what was learned, as the firmware does after it was resumed. Returns hours, and the sum of rewards after
/// each of them.
fn live(mut session: Session<Learner>, light: &mut impl Light) -> Result<Vec<(u32, i64)>, String> {
    let flash = FaultyFlash::<4, 4096, 4>::new();
    let storage = Storage::<_, { Session::<Learner>::BUFFER }>::new(&flash, 0..4 * 4096);
    let mut storage = storage.map_err(|unfit| unfit.to_string())?;
    let (mut player, mut rng) = (session.player(), XorShiftRng::seed_from_u64(1));
    let mut rewards = Vec::new();
    while player.actions() < HOURS {
        let hour = async |node: &Node, action| NODE.step_in(light, node, action, &mut rng);
        at_once(session.act(&mut player, &mut storage, &mut (), hour))?;
        rewards.push((player.actions(), player.reward()));
    }
    Ok(rewards)
}

/// The result of a future that has nothing to wait for.
fn at_once<T>(future: impl Future<Output = T>) -> Result<T, String> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Ok(result),
        Poll::Pending => Err("it waits, and there is nothing to wait for".into()),
    }
}
