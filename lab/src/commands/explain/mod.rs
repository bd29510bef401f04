//! `ipse explain`: why a policy places a piece where it does.

mod ledger;
mod page;

use crate::args::{GameArgs, at_least_one, with_game};
use crate::draw::for_stdout;
use crate::error::Result;
use crate::policy::{self, Weights};
use crate::position::answer_each;
use ipse::environment::{Environment, Outcome};
use ipse::tetris::{Column, State, Tetris};
use serde::Serialize;

/// List what speaks for and against the best placements
///
/// Reads positions from standard input, as `features` does. For each of the
/// best placements it draws the board with the piece on it and lists, as
/// Benjamin Franklin advised, Pro in one column and Con in the other: how much
/// more or less each feature contributes to the policy's score here than in
/// the best other placement. Features that do not differ are left out. Reasons
/// that weigh about the same on either side are struck out.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Example:
  echo '{\"columns\":[3,1,0,0,1,3,3,7,7,1],\"piece\":\"S\"}' | cargo ipse explain --top 2"
)]
pub struct Args {
    /// bcts, equal, random, or a JSON file with eight weights
    #[arg(long, value_name = "POLICY", default_value = "bcts", long_help = policy::HELP)]
    policy: Weights,

    /// How many placements to list
    #[arg(long, value_name = "N", default_value = "3", value_parser = at_least_one::<u64>)]
    top: u64,

    #[command(flatten)]
    game: GameArgs,

    /// Print one JSON object a line, with features, contributions and balances
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result {
    with_game!(args.game, |task| answer_each(|state, out| {
        let case = Case::new(&task, state, &args.policy, args.top as usize);
        if args.json {
            serde_json::to_writer(&mut *out, &case)?;
            writeln!(out)
        } else {
            out.write_all(for_stdout(&page::write(&case, state)).as_bytes())
        }
    }))
}

/// All that can be said about a position, as JSON and as a page.
pub fn explain<const H: usize, C: Column>(
    weights: &Weights,
    state: &State<10, H, C>,
) -> serde_json::Result<(String, String)> {
    let case = Case::new(&Tetris::default(), state, weights, usize::MAX);
    Ok((serde_json::to_string(&case)?, page::write(&case, state)))
}

/// A position, and what a policy makes of it.
#[derive(Serialize)]
struct Case<'a> {
    policy: &'a str,
    piece: char,
    /// The number of legal placements.
    legal: usize,
    /// The best placements, the best first.
    placements: Vec<Placement>,
}

/// A legal placement and what speaks for it.
#[derive(Clone, Serialize)]
struct Placement {
    /// Column and row of each cell of the piece, counted from 0, before rows are removed.
    cells: [(u8, u8); 4],
    /// The number of rows that it removes.
    rows: i16,
    features: Vec<f64>,
    /// Weight times feature. Their sum is the score, which the policy compares.
    contributions: Vec<f64>,
    score: f64,
    /// The rank of the placement that it is held against, counted from 1, if there is another.
    against: Option<usize>,
    /// The contributions, less those of the placement that it is held against.
    reasons: Vec<f64>,
    /// The sum of the reasons.
    balance: f64,
}

impl<'a> Case<'a> {
    fn new<const H: usize, C: Column>(
        task: &Tetris<10, H, C>,
        state: &State<10, H, C>,
        weights: &'a Weights,
        top: usize,
    ) -> Self {
        let mut legal = Vec::new();
        task.outcomes(state, |outcome| {
            let placed = task.place(state, outcome.action);
            legal
                .extend(placed.map(|placed| Placement::new(task, &outcome, placed.cells, weights)));
        });
        legal.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut placements = legal.clone();
        placements.truncate(top);
        for (i, placement) in placements.iter_mut().enumerate() {
            let other = usize::from(i == 0);
            if let Some(rival) = legal.get(other) {
                placement.hold_against(rival, other + 1);
            }
        }
        let (policy, piece) = (&*weights.name, state.piece.letter());
        Case {
            policy,
            piece,
            legal: legal.len(),
            placements,
        }
    }
}

impl Placement {
    fn new<E: Environment>(
        _: &E,
        outcome: &Outcome<E::Features>,
        cells: [(u8, u8); 4],
        weights: &Weights<E::Features>,
    ) -> Self {
        let known = E::FEATURES;
        let values = known.as_ref().iter().zip(outcome.features.as_ref());
        let features: Vec<f64> = values
            .map(|(feature, value)| f64::from(feature.unit) * f64::from(*value))
            .collect();
        let weighed = weights.values.as_ref().iter().zip(&features);
        let contributions: Vec<f64> = weighed
            .map(|(weight, feature)| f64::from(*weight) * feature)
            .collect();
        Placement {
            cells,
            rows: outcome.promise,
            score: contributions.iter().sum(),
            against: None,
            reasons: vec![0.; features.len()],
            balance: 0.,
            features,
            contributions,
        }
    }

    fn hold_against(&mut self, rival: &Placement, rank: usize) {
        self.against = Some(rank);
        let pairs = self.contributions.iter().zip(&rival.contributions);
        self.reasons = pairs.map(|(ours, theirs)| ours - theirs).collect();
        self.balance = self.reasons.iter().sum();
    }
}
