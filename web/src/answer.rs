//! What a module tells the page, as JSON.

use ipse::environment::Environment;
use ipse_device::{FeatureName, Picture, draw};
use serde::Serialize;

/// A task with a set of features.
#[derive(Clone, Serialize)]
pub struct About {
    pub task: &'static str,
    /// The name of the set.
    pub set: &'static str,
    /// What rewards are a number of.
    pub unit: &'static str,
    pub features: Vec<FeatureName<'static>>,
    /// The first line of its checkpoints.
    pub label: String,
    pub learners: Vec<&'static str>,
}

/// Why nothing came of a question.
#[derive(Serialize)]
pub struct Refusal {
    pub error: String,
    /// The bytes are a checkpoint of another learner or another task.
    pub is_foreign: bool,
}

/// A run that has begun, anew or from a checkpoint.
#[derive(Serialize)]
pub struct Begun {
    pub seed: String,
    pub iterations: u32,
}

/// The run after some work. The events follow.
#[derive(Serialize)]
pub struct Progress {
    pub iterations: u32,
    pub is_done: bool,
}

/// A picture of a state.
#[derive(Serialize)]
pub struct Drawn {
    width: u16,
    height: u16,
    /// A bit for each pixel, as in [`Picture`].
    pixels: Vec<u8>,
}

impl Drawn {
    /// `None` if the task draws nothing.
    pub fn new<E: Environment>(task: &E, state: &E::State) -> Option<Self> {
        let (width, height) = E::PICTURE;
        let mut pixels = vec![0; (usize::from(width) * usize::from(height)).div_ceil(8)];
        let Picture { width, .. } = draw(task, state, &mut pixels)?;
        Some(Drawn {
            width,
            height,
            pixels,
        })
    }
}

/// All games, as they stand.
#[derive(Serialize)]
pub struct View {
    /// That of the learner itself.
    pub own: Option<Drawn>,
    pub learned: Standing,
    pub random: Standing,
}

/// A player's game.
#[derive(Serialize)]
pub struct Standing {
    pub picture: Option<Drawn>,
    /// What was done last.
    pub does: String,
    /// Of this game.
    pub actions: u32,
    pub reward: i64,
    pub is_over: bool,
    /// The number of games before this one, and all that they earned.
    pub games: u32,
    pub earned: i64,
    /// Whether this game will be one of them.
    pub is_counted: bool,
}

/// The actions of a state, the best first.
#[derive(Serialize)]
pub struct Verdict {
    pub picture: Option<Drawn>,
    pub actions: Vec<Choice>,
}

/// An action that could be taken.
#[derive(Serialize)]
pub struct Choice {
    pub does: String,
    pub score: f64,
    /// What it leads to.
    pub picture: Option<Drawn>,
}

/// Reasons in two columns, as numbers to be printed.
#[derive(Serialize)]
pub struct Sheet {
    pub does: String,
    /// The rank of the action that it is held against.
    pub against: Option<usize>,
    pub pro: Vec<Entry>,
    pub con: Vec<Entry>,
    pub totals: [String; 2],
    pub balance: String,
    /// −1, 0 or 1.
    pub sign: i64,
    /// All numbers are in units of this power of ten.
    pub exponent: i32,
}

/// A reason.
#[derive(Serialize)]
pub struct Entry {
    pub feature: usize,
    /// How much more of it there is than with the action that it is held against.
    pub more: f64,
    pub weight: String,
    pub struck: Option<char>,
}
