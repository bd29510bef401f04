//! `ipse features`: the eight features of every legal placement.

use crate::error::Result;
use crate::paper::position::answer_each;
use crate::paper::tetris::Eight;
use crate::paper::tetris::{GameArgs, with_game};
use ipse::environment::{Environment, Feature, Outcome};
use ipse::tetris::Tetris10x10;
use serde::ser::{Serialize, SerializeTuple, Serializer};

/// Measure the eight features of every legal placement
///
/// Reads positions from standard input, one JSON object a line: ten columns,
/// each an integer with the bottom row in bit 0, and a piece (I, O, S, Z, T, L
/// or J). Answers each with one JSON object a line: for every legal placement
/// its eight features, and then the number of rows that it removes. The
/// features are landing height, eroded piece cells, row transitions, column
/// transitions, holes, board wells, hole depth and rows with holes.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  echo '{\"columns\":[3,1,0,0,1,3,3,7,7,1],\"piece\":\"S\"}' | cargo ipse features")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
}

pub fn run(args: &Args) -> Result {
    with_game!(args.game, |task| answer_each(|state, out| {
        let mut placements = Vec::new();
        task.outcomes(state, |outcome| placements.push(Row(outcome)));
        serde_json::to_writer(&mut *out, &Answer { placements })?;
        writeln!(out)
    }))
}

#[derive(serde::Serialize)]
struct Answer {
    placements: Vec<Row>,
}

/// The features, in their true units, and then the rows removed.
struct Row(Outcome<Eight>);

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let features = Tetris10x10::FEATURES;
        let mut row = serializer.serialize_tuple(features.len() + 1)?;
        for (Feature { unit, .. }, &value) in features.iter().zip(&self.0.features) {
            if unit.fract() == 0. {
                row.serialize_element(&value)?;
            } else {
                row.serialize_element(&(unit * f32::from(value)))?;
            }
        }
        row.serialize_element(&self.0.promise)?;
        row.end()
    }
}
