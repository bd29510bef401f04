//! `reproduce figure1`: the weights of one run, as they develop.

use super::default_out;
use super::experiment::replication_seed;
use super::folder::Folder;
use super::settings::{What, fields};
use crate::args::at_least_one;
use crate::error::Result;
use crate::learner::{Algorithm, PAPER};
use crate::output::{print, tell};
use crate::paper::tetris::{Eight, FEATURES, eight};
use crate::plot::{self, Axis, Chart, Line, Marker, Sample, Scale, colour};
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
/// are 0, 1 or −1.
#[derive(clap::Args, Serialize)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// From which the seeds of all replications are derived
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Which replication
    #[arg(long, value_name = "R", default_value = "1", value_parser = at_least_one::<u64>)]
    replication: u64,

    /// How many iterations it has
    #[arg(long, value_name = "N", default_value = "400", value_parser = at_least_one::<u32>)]
    iterations: u32,

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
    let steps = learn(args)?;
    folder.write("figure1.csv", csv(&steps))?;
    let svg = chart(&steps).svg();
    folder.write("figure1.svg", &svg)?;
    folder.write("figure1.png", plot::png(&svg))?;
    let told = match switch(&steps) {
        Some(iteration) => format!("it went on to weights after iteration {iteration}\n"),
        None => "it did not go on to weights; give more --iterations\n".into(),
    };
    print(&told)?;
    tell!("written to {}", out.display());
    Ok(())
}

fn learn(args: &Args) -> Result<Vec<Step<Eight>>> {
    let seed = replication_seed(args.seed, args.replication);
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

const STYLES: [(&str, Option<&str>); FEATURES] = [
    (colour::ORANGE, None),
    (colour::GREEN, None),
    (colour::SKY, None),
    (colour::BLUE, None),
    (colour::VERMILION, None),
    (colour::PURPLE, None),
    (colour::BLACK, Some("7 3")),
    (colour::BLACK, None),
];

fn chart(steps: &[Step<Eight>]) -> Chart {
    let all: Vec<_> = steps
        .iter()
        .map(|step| (step.iteration, scaled(step)))
        .collect();
    let values = || all.iter().flat_map(|(_, weights)| *weights);
    let (least, most) = (values().fold(-1., f64::min), values().fold(1., f64::max));
    let line = |i: usize| Line {
        label: names()[i].into(),
        colour: STYLES[i].0,
        dashes: STYLES[i].1,
        width: 1.8,
        samples: all
            .iter()
            .map(|&(iteration, weights)| Sample {
                x: iteration.into(),
                y: weights[i],
                margin: None,
            })
            .collect(),
    };
    let marker = |iteration| Marker {
        x: f64::from(iteration) + 0.5,
        label: format!("from directions to weights, after {iteration}"),
        colour: "#555555",
    };
    Chart {
        x: Axis {
            label: "iterations".into(),
            scale: Scale::Linear,
            from: 0.,
            to: all.len() as f64,
        },
        y: Axis {
            label: "weight, as against that of rows with holes".into(),
            scale: Scale::Linear,
            from: least * 1.05,
            to: most * 1.15,
        },
        lines: (0..FEATURES).map(line).collect(),
        markers: switch(steps).map(marker).into_iter().collect(),
    }
}
