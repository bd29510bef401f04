//! `reproduce figure1`: the weights of one run, as they develop.

use super::default_out;
use super::experiment::replication_seed;
use super::folder::Folder;
use super::settings::{What, fields};
use crate::args::{at_least_one, seed};
use crate::error::Result;
use crate::learner::{Algorithm, PAPER};
use crate::output::{print, tell};
use crate::paper::tetris::{Eight, FEATURES, eight};
use crate::plot::{Axis, Chart, Line, Marker, PATTERNS, Panel, Panels, Sample, Scale, colour};
use crate::training::{Training, phase_name};
use ipse::environment::Environment;
use ipse::tetris::Tetris10x10;
use ipse::{Phase, Step};
use serde::Serialize;
use std::path::PathBuf;

/// Weight trajectories of one IPSE run (figure 1)
///
/// The run is a replication of `reproduce figure2`. Weights are scaled so that
/// that of rows with holes is 1 or −1; as long as that is undecided, the others
/// are 0, 1 or −1. Beside the run (figure1.svg) there are others in small
/// (figure1-others.svg), so that one odd run is not the message.
#[derive(clap::Args, Serialize)]
pub struct Args {
    /// From which the seeds of all replications are derived
    #[arg(long, value_name = "S", default_value = "1", value_parser = seed)]
    seed: u64,

    /// Which replication
    #[arg(long, value_name = "R", default_value = "1", value_parser = at_least_one::<u64>)]
    replication: u64,

    /// How many iterations it has
    #[arg(long, value_name = "N", default_value = "400", value_parser = at_least_one::<u32>)]
    iterations: u32,

    /// How many of the replications that follow it are drawn beside it
    #[arg(long, value_name = "N", default_value_t = 6)]
    others: u64,

    /// The folder for the results; results/figure1 if not given
    #[arg(long, value_name = "FOLDER")]
    #[serde(skip)]
    out: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result {
    let what = What::Figure1;
    let out = args.out.clone().unwrap_or_else(|| default_out(what));
    let mut settings = fields(args);
    settings.insert("reproduces".into(), what.name().into());
    let folder = Folder::claim(&out, &settings)?;
    let steps = learn(args, args.replication)?;
    folder.write("figure1.csv", csv(&steps))?;
    let picture = chart(args, &steps).picture();
    folder.write("figure1.svg", picture.svg)?;
    folder.write("figure1.png", picture.png)?;
    let others = (1..=args.others).map(|i| args.replication.saturating_add(i));
    let others = others
        .map(|replication| Ok((replication, learn(args, replication)?)))
        .collect::<Result<Vec<_>>>()?;
    if !others.is_empty() {
        let picture = panels(args, &others).picture();
        folder.write("figure1-others.svg", picture.svg)?;
        folder.write("figure1-others.png", picture.png)?;
    }
    let told = match switch(&steps) {
        Some(iteration) => format!("it went on to weights after iteration {iteration}\n"),
        None => "it did not go on to weights; give more --iterations\n".into(),
    };
    print(&told)?;
    tell!("written to {}", out.display());
    Ok(())
}

fn learn(args: &Args, replication: u64) -> Result<Vec<Step<Eight>>> {
    let seed = replication_seed(args.seed, replication);
    let recipe = PAPER.recipe(Algorithm::IpsePaper, &eight(Tetris10x10::default()))?;
    let mut training = Training::new(&recipe, Tetris10x10::default(), seed);
    Ok((0..args.iterations).map(|_| training.step()).collect())
}

/// The last iteration that was spent on directions, if another came after it.
fn switch(steps: &[Step<Eight>]) -> Option<u32> {
    let first = steps.iter().find(|step| step.phase == Phase::Weights)?;
    Some(first.iteration - 1)
}

/// Weights in units of the last.
fn scaled(step: &Step<Eight>) -> [f64; FEATURES] {
    let weights = step.weights.map(f64::from);
    match weights[FEATURES - 1].abs() {
        0. => weights,
        unit => weights.map(|weight| weight / unit),
    }
}

fn names() -> [&'static str; FEATURES] {
    Tetris10x10::FEATURES.map(|feature| feature.name)
}

fn csv(steps: &[Step<Eight>]) -> String {
    let mut text = format!("iteration,phase,{}\n", names().join(","));
    for step in steps {
        let weights = scaled(step).map(|weight| weight.to_string());
        let phase = phase_name(step.phase);
        text += &format!("{},{phase},{}\n", step.iteration, weights.join(","));
    }
    text
}

const COLOURS: [&str; FEATURES] = [
    colour::ORANGE,
    colour::GREEN,
    colour::SKY,
    colour::BLUE,
    colour::VERMILION,
    colour::PURPLE,
    colour::BLACK,
    colour::BLACK,
];

/// A line for each feature, with a pattern of its own.
fn lines(steps: &[Step<Eight>], width: f64) -> Vec<Line> {
    let line = |i: usize| Line {
        label: names()[i].into(),
        colour: COLOURS[i],
        // The last is the unit of all, and solid.
        dashes: PATTERNS[(i + 1) % FEATURES],
        width,
        samples: steps
            .iter()
            .map(|step| Sample {
                x: step.iteration.into(),
                y: scaled(step)[i],
                margin: None,
            })
            .collect(),
    };
    (0..FEATURES).map(line).collect()
}

fn iterations(args: &Args) -> Axis {
    Axis {
        label: "iterations".into(),
        scale: Scale::Linear,
        from: 0.,
        to: args.iterations.into(),
    }
}

fn weights(from: f64, to: f64) -> Axis {
    Axis {
        label: "weight, as against that of rows with holes".into(),
        scale: Scale::Linear,
        from,
        to,
    }
}

fn chart(args: &Args, steps: &[Step<Eight>]) -> Chart {
    let values = || steps.iter().flat_map(scaled);
    let (least, most) = (values().fold(-1., f64::min), values().fold(1., f64::max));
    let replication = args.replication;
    let marker = |iteration| Marker {
        x: f64::from(iteration) + 0.5,
        label: format!(
            "replication {replication} (n = 1), from directions to weights after {iteration}"
        ),
        colour: "#555555",
    };
    Chart {
        title: format!("Weights of IPSE over iterations, in replication {replication} (n = 1)"),
        x: iterations(args),
        y: weights(least * 1.05, most * 1.15),
        lines: lines(steps, 1.8),
        markers: switch(steps).map(marker).into_iter().collect(),
    }
}

/// This share of the weights on either side is beyond the axis of small charts, and drawn at its end.
const BEYOND: f64 = 0.005;

fn panels(args: &Args, runs: &[(u64, Vec<Step<Eight>>)]) -> Panels {
    let steps = runs.iter().flat_map(|(_, steps)| steps);
    let mut values: Vec<f64> = steps.flat_map(scaled).collect();
    values.sort_by(f64::total_cmp);
    let beyond = (values.len() as f64 * BEYOND) as usize;
    let (least, most) = (values[beyond], values[values.len() - 1 - beyond]);
    let panel = |(replication, steps): &(u64, Vec<Step<Eight>>)| {
        let switch = switch(steps);
        let after = switch.map_or("no switch".into(), |after| format!("switch after {after}"));
        Panel {
            label: format!("replication {replication}, {after}"),
            lines: lines(steps, 1.3),
            mark: switch.map(f64::from),
        }
    };
    Panels {
        title: format!(
            "Weights of IPSE over iterations, in {} other replications",
            runs.len()
        ),
        x: iterations(args),
        y: weights(least.min(-1.) * 1.05, most.max(1.) * 1.1),
        panels: runs.iter().map(panel).collect(),
    }
}
