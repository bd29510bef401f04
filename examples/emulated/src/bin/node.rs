//! A sensor on a solar cell: it acts once an hour on the light that it has seen, and learns in between.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use embassy_time::{Duration, Ticker};
use emulated::{micros, observer, report, start, storage};
use ipse::prelude::*;
use ipse_device::Session;
use ipse_tasks::sensor_node::{Node, SensorNode, Sky, Weather};

type Learner = Searcher<SensorNode, Unknown, 0>;
static NODE: SensorNode = SensorNode::HAMBURG;

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let words = start();
    // More bring little: docs/TASKS.md.
    let search = Search::returns(144).calls(words.calls.unwrap_or(700_000));
    let search = search.check().expect("there are calls");
    let make = |rng: &mut XorShiftRng| Learner::new(NODE, search, rng);
    let mut session = Session::new(words.settings, micros, make);
    let (mut storage, mut observer) = (storage::<{ Session::<Learner>::BUFFER }>(), observer());
    session.resume(&mut storage, &mut observer).await;

    let mut player = session.player();
    // There is no sensor here, the weather is not that of the model, and an hour is short.
    let (mut sky, mut rng) = (Sky::new(Weather::GREY, 1), XorShiftRng::seed_from_u64(1));
    let mut hours = Ticker::every(Duration::from_millis(100));
    while !session.is_done() || player.actions() < words.actions.unwrap_or(200) {
        let hour = async |node: &Node, action| {
            hours.next().await;
            NODE.step_in(&mut sky, node, action, &mut rng)
        };
        let turn = session.act(&mut player, &mut storage, &mut observer, hour);
        turn.await;
    }
    report::session(&session);
    semihosting::process::exit(0)
}
