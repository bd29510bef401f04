//! The tasks of this repository, with the rules that what is learned is compared with.

use crate::entry::Entry;
use crate::learner::Preset;
use crate::paper::tetris;
use crate::task::{Measure, Setup};
use ipse::direction::Direction::{Con, Pro};
use ipse_tasks::intersection::baselines::{FixedTime, LongestQueue, MaxPressure};
use ipse_tasks::sensor_node::baselines::{EnergyNeutral, Greedy, Threshold};
use ipse_tasks::{CartPole, Foraging, Intersection, SensorNode, cart_pole};

/// All of them, the one of the paper first.
pub fn all() -> Vec<Entry> {
    vec![
        tetris::entry(),
        foraging(),
        sensor_node(),
        cart_pole(),
        intersection(),
    ]
}

fn foraging() -> Entry {
    Setup::new(Foraging)
        .about("a mouse that gathers seeds; the one to copy")
        .directions([Pro, Con, Con])
        .measure(Measure::episode("seeds").actions(10_000))
        .best(40.)
        .learner(Preset::Ipse)
        .into()
}

/// Ten thousand days with the usual thirty games.
fn sensor_node() -> Entry {
    Setup::new(SensorNode::default())
        .about("a sensor that lives on light: when to measure, when to send")
        .measure(Measure::rate("points a day", 24).actions(24 * 334))
        .best(600.)
        .horizon(6 * 24)
        .learner(Preset::Returns)
        .rule("energy-neutral", |task, node, _| {
            EnergyNeutral::TUNED.choose(task, node)
        })
        .rule("threshold", |task, node, _| {
            Threshold::TUNED.choose(task, node)
        })
        .rule("greedy", |task, node, _| Greedy.choose(task, node))
        .into()
}

fn cart_pole() -> Entry {
    Setup::new(CartPole)
        .about("a pole on a cart, with the physics of Gymnasium's CartPole-v1")
        .directions([Con; 4])
        .measure(Measure::episode("pushes"))
        .best(500.)
        .learner(Preset::Ipse)
        .rule("pd", |_, balance, _| {
            cart_pole::baselines::Pd::STEADY.choose(balance)
        })
        .into()
}

fn intersection() -> Entry {
    Setup::new(Intersection::default())
        .about("a traffic light: vehicles from four sides, and people on foot")
        .measure(Measure::rate("reward a slot", 1).actions(2_000))
        .learner(Preset::Returns)
        .rule("max-pressure", |_, crossing, _| {
            MaxPressure::TUNED.choose(crossing)
        })
        .rule("longest-queue", |_, crossing, _| {
            LongestQueue::TUNED.choose(crossing)
        })
        .rule("fixed-time", |_, crossing, _| {
            FixedTime::TUNED.choose(crossing)
        })
        .into()
}
