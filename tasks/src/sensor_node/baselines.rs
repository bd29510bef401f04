//! Rules for the node that a person would write, to compare with what was learned.
//!
//! A rule that takes every action with the same probability is [`Policy::random`](ipse::prelude::Policy::random).
//! Parameters are tuned by `cargo run --release --example tune_baselines --package ipse-tasks`, on other weather than
//! that on which the rules are compared.

use super::{IDLE, Node, Plan, QUEUE, READING, READINGS, STORE, Send, SensorNode};
use ipse::prelude::Action;

/// Takes all readings and sends them at once, as long as the store has the energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Greedy;

impl Greedy {
    /// The action in a state: the one that delivers most of those that the store can pay for, and the cheapest of them.
    pub fn choose(&self, _: &SensorNode, node: &Node) -> Action {
        let affordable = Plan::all().filter_map(|plan| {
            let effect = node.effect(plan)?;
            let is_paid = effect.energy <= node.charge;
            is_paid.then_some((effect.delivered, u16::MAX - effect.energy, plan.action()))
        });
        affordable.max().map_or(0, |(_, _, action)| action)
    }
}

/// When the queue is sent: when it is worth the energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sending {
    /// The energy, in millijoules, that a point of the queue may cost.
    pub per_point: u16,
}

impl Sending {
    /// As many of the readings as there is room and energy for, and the queue if it is time.
    fn choose(self, node: &Node, readings: u16) -> Action {
        let room = u16::from(QUEUE.saturating_sub(node.queue));
        let paid = node.charge.saturating_sub(IDLE) / READING;
        let readings = readings.min(READINGS.into()).min(room).min(paid) as u8;
        let is_time = |plan| {
            node.effect(plan).is_some_and(|effect| {
                let worth = u32::from(effect.delivered) * u32::from(self.per_point);
                u32::from(effect.frames) <= worth && effect.energy <= node.charge
            })
        };
        let [send, wait] = [Send::All, Send::None].map(|send| Plan { readings, send });
        match (node.is_on(), is_time(send)) {
            (true, true) => send.action(),
            (true, false) => wait.action(),
            (false, _) => 0,
        }
    }
}

/// Takes the more readings, the fuller the store is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The charge for the first reading, in millijoules.
    pub first: u16,
    /// The charge for each further one.
    pub step: u16,
    /// When to send.
    pub sending: Sending,
}

impl Threshold {
    /// The best parameters that were found.
    pub const TUNED: Self = Threshold {
        first: 0,
        step: 12_000,
        sending: Sending { per_point: 24 },
    };

    /// The action in a state.
    pub fn choose(&self, _: &SensorNode, node: &Node) -> Action {
        let readings = match node.charge.checked_sub(self.first) {
            None => 0,
            Some(above) => 1 + above / self.step.max(1),
        };
        self.sending.choose(node, readings)
    }
}

/// Spends what the cell is expected to bring (Kansal, Hsu, Zahedi and Srivastava, *Power management in energy harvesting
/// sensor networks*, ACM Transactions on Embedded Computing Systems 6, 2007): an equal share in each hour of the day, and
/// a correction that keeps the store near a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnergyNeutral {
    /// The share of the expected income that is for readings, of 16.
    pub share: u16,
    /// The level of the store, of 16.
    pub level: u16,
    /// The hours in which a difference from that level is to be made up for.
    pub hours: u16,
    /// When to send.
    pub sending: Sending,
}

impl EnergyNeutral {
    /// The best parameters that were found.
    pub const TUNED: Self = EnergyNeutral {
        share: 12,
        level: 8,
        hours: 36,
        sending: Sending { per_point: 24 },
    };

    /// The action in a state.
    pub fn choose(&self, task: &SensorNode, node: &Node) -> Action {
        let income = i32::from(task.expected_income(node)) * i32::from(self.share) / 16 / 24;
        let level = i32::from(STORE / 16) * i32::from(self.level);
        let correction = (i32::from(node.charge) - level) / i32::from(self.hours.max(1));
        let budget = (income + correction).max(0);
        // To the nearest number of readings.
        let readings = (budget + i32::from(READING) / 2) / i32::from(READING);
        self.sending.choose(node, readings as u16)
    }
}
