//! `ipse fit`: the weights that explain choices best.

mod problem;

use crate::error::Result;
use crate::input;
use crate::paper::tetris::FEATURES;
use ipse::learner::stew::{Fit, RIDGE};
use problem::Problem;
use serde::Serialize;

/// Fit weights to choices, with shrinkage toward equal weights
///
/// Reads problems from standard input, one JSON object a line:
///   directions  eight of 1 (pro), -1 (con) and 0 (undecided)
///   lam         the strength of the penalty over all choices together
///   choices     a list of {"chosen":i,"features":[[8 numbers], …]}: one row
///               of features for each action, up to 255 of them, and the row
///               of the one that was chosen, counted from 0
/// Other fields are ignored. Each feature is counted in the largest of the steps
/// 1, 1/2, 1/4, … 1/1024 that all its values are multiples of, and none of them
/// may be more than 32767 steps from zero.
///
/// Answers each with one JSON object a line:
///   beta        the weights, on features multiplied by their directions
///   objective   what they minimise: the negative log-likelihood of the
///               choices, plus lam times the sum of (b_i - b_j)^2 over all
///               pairs of weights
///   steps       how often the choices were read
///   settled     whether the objective is at its minimum; if not, as without a
///               penalty on choices that can be explained perfectly, beta has the
///               lowest objective that was found in so many steps
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Example:
  cargo ipse fit < host-tests/golden/stew.jsonl"
)]
pub struct Args {}

pub fn run(Args {}: &Args) -> Result {
    input::answer_each(
        problem::EXPECTED,
        problem::LONGEST,
        problem::parse,
        |problem, out| {
            serde_json::to_writer(&mut *out, &Answer::to(problem))?;
            writeln!(out)
        },
    )
}

/// The answer to a line.
pub fn answer(line: &[u8]) -> Result<Answer, String> {
    problem::parse(line).map(|problem| Answer::to(&problem))
}

/// What is written about a problem.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The weights, on features multiplied by their directions.
    pub beta: [f32; FEATURES],
    /// What they minimise.
    pub objective: f32,
    /// How often the choices were read.
    pub steps: u16,
    /// Whether that is the minimum.
    pub settled: bool,
}

impl Answer {
    fn to(problem: &Problem) -> Answer {
        let mut fit = Fit::new(&[0.; FEATURES]);
        while !fit.pass(&problem.objective, &problem.sets) {}
        // The core's ridge is there for its own safety; the objective is what the user asked for.
        let ridge = RIDGE * fit.beta().iter().map(|weight| weight * weight).sum::<f32>();
        Answer {
            beta: *fit.beta(),
            objective: fit.value() - ridge,
            steps: fit.passes(),
            settled: fit.is_settled(),
        }
    }
}
