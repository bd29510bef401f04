//! Everything that the lab reads from outside, as functions of bytes: for tests that feed them anything.
//!
//! What they return is what a command would have answered, or the line with which it would have refused.

use crate::commands::{explain, watch};
use crate::error::Error;
use crate::learner::{Algorithm, PAPER};
use crate::paper::tetris::{self, FEATURES};
use crate::paper::{position, reproduce};
use crate::policy;
use crate::run::Recipe;
use crate::training::Training;
use ipse::tetris::{Column, State, Tetris, Tetris10x10};
use ipse_tasks::sensor_node::Weather;

pub use crate::commands::watch::Shown;
pub use crate::paper::fit::{Answer, answer as fit};

/// A position, as `features` and `explain` read it.
pub fn position<const H: usize, C: Column>(line: &[u8]) -> Result<State<10, H, C>, String> {
    position::parse(line)
}

/// A file of weights.
pub fn weights(text: &[u8]) -> Result<[f32; FEATURES], String> {
    policy::parse::<Tetris10x10>(text)
}

/// What `explain` says about a position under finite weights, as JSON and as a page.
pub fn explain<const H: usize, C: Column + Send + Sync + 'static>(
    weights: [f32; FEATURES],
    state: &State<10, H, C>,
) -> Result<(String, String), String> {
    let setup = tetris::eight(Tetris::default());
    explain::explain(&setup, &weights, state).map_err(|error| error.to_string())
}

/// The weather of a trace of irradiance, as `weather` fits it.
pub fn weather(text: &[u8]) -> Result<Weather, String> {
    crate::weather::weather(text).map_err(|problem| Error::File(problem).to_string())
}

/// What `watch` shows of a stream, on a terminal of this size and without one.
pub fn watch(stream: &[u8], width: usize, height: usize) -> Shown {
    watch::replay(stream, width, height)
}

/// The table of a folder that `reproduce` wrote, as it would write it again.
pub fn results(settings: &[u8], table: &[u8]) -> Result<String, String> {
    reproduce::reread(settings, table).map_err(|error| error.to_string())
}

/// A checkpoint of `train` with default options, from the beginning of its run.
pub fn fresh_checkpoint() -> Vec<u8> {
    Training::new(&recipe(), Tetris10x10::default(), 1).save()
}

/// Goes on with a run of `train` from a checkpoint, for an iteration, and returns the next.
pub fn resume(checkpoint: &[u8]) -> Result<Vec<u8>, String> {
    let loaded = Training::load(&recipe(), Tetris10x10::default(), checkpoint);
    let mut training = loaded.map_err(|error| error.to_string())?;
    training.step();
    Ok(training.save())
}

fn recipe() -> Recipe<Tetris10x10> {
    let setup = tetris::eight(Tetris10x10::default());
    let recipe = PAPER.recipe(Algorithm::IpsePaper, &setup);
    recipe.expect("the paper's options are in range")
}
