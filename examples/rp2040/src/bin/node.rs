//! A sensor on a solar cell: it acts once an hour on the light that it has seen, and learns in between.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use embassy_time::{Duration, Instant, Ticker};
use ipse::prelude::*;
use ipse_device::{Session, Telemetry};
use ipse_tasks::sensor_node::{Node, SensorNode, Sky, Weather};
use rp2040::{Pico, number, settings};

static NODE: SensorNode = SensorNode::HAMBURG;
const CALLS: Option<u32> = number(option_env!("IPSE_CALLS"));

#[embassy_executor::main]
async fn main(spawner: Spawner) -> ! {
    let mut pico = Pico::start(spawner);
    // More bring little: docs/TASKS.md.
    let search = Search::returns(144).calls(CALLS.unwrap_or(700_000));
    let Ok(search) = search.check() else {
        panic!("the parameters are invalid");
    };
    let micros = || Instant::now().as_micros();
    let mut session = Session::new(settings(), micros, |rng| Searcher::new(NODE, search, rng));
    let usb = pico.usb.start(spawner);
    let telemetry = Telemetry::new(((usb, pico.uart), pico.display));
    let mut observers = ((pico.watchdog, pico.status), (pico.log, telemetry));
    session.resume(&mut pico.checkpoints, &mut observers).await;

    let mut player = session.player();
    // There is no sensor here, the weather is not that of the model, and an hour is short.
    let (mut sky, mut rng) = (Sky::new(Weather::GREY, 1), XorShiftRng::seed_from_u64(1));
    let mut hours = Ticker::every(Duration::from_millis(100));
    loop {
        let hour = async |node: &Node, action| {
            hours.next().await;
            NODE.step_in(&mut sky, node, action, &mut rng)
        };
        let turn = session.act(&mut player, &mut pico.checkpoints, &mut observers, hour);
        turn.await;
    }
}
