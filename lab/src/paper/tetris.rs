//! Tetris in the lab: its options, and how boards and placements are shown.

use super::lockstep::InLockstep;
use super::picture::Picture;
use super::position;
use crate::args::at_least_one;
use crate::entry::Entry;
use crate::error::{Error, Result};
use crate::learner::Preset;
use crate::policy::policy;
use crate::task::{Measure, Setup, Task};
use crate::view::{Film, View};
use clap::{Args, ValueEnum};
use ipse::array::Array;
use ipse::direction::Direction;
use ipse::environment::{Action, Environment, PerFeature};
use ipse::tetris::diverse::{self, Diverse, Diverse10x10};
use ipse::tetris::featured::{FeatureSet, Featured};
use ipse::tetris::surface::{self, Surface10x10, SurfaceNine10x10};
use ipse::tetris::{self, BCTS, Column, Placed, State, Tetris, Tetris10x10};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The eight features of the paper.
pub type Eight = <Tetris10x10 as Environment>::Features;
/// The number of them.
pub const FEATURES: usize = Eight::LEN;

/// The task of the paper, with its options.
pub fn entry() -> Entry {
    Entry::family::<TetrisArgs>(Tetris10x10::NAME, ABOUT, |args: &TetrisArgs| args.entry())
        .member(Diverse10x10::NAME, &["--features", "diverse"])
        .member(Surface10x10::NAME, &["--features", "surface"])
        .member(SurfaceNine10x10::NAME, &["--features", "surface-nine"])
}

const ABOUT: &str = "the task of the paper, on 10 × 10";

impl TetrisArgs {
    fn entry(self) -> Result<Entry> {
        let rule = self.game.rule.into();
        let is_low = self.game.height == Height::Ten;
        Ok(match self.features {
            Features::Paper => {
                with_game!(self.game, |task| self.complete(eight(task).in_lockstep()))
            }
            Features::Diverse => with_game!(self.game, |task| self.complete(nine(task.into()))),
            Features::Surface if is_low => self.complete(by_surface(
                Surface10x10::new(rule),
                surface::DIRECTIONS,
                rule,
            )),
            Features::SurfaceNine if is_low => {
                let directions = surface::DIRECTIONS_OF_NINE;
                self.complete(by_surface(SurfaceNine10x10::new(rule), directions, rule))
            }
            // Each combination is one more copy of the lab in its binary.
            _ => {
                let problem = "--height 20 is not for the surface features; take paper or diverse";
                return Err(Error::Usage(problem.into()));
            }
        })
    }

    fn complete<E: Task>(self, setup: Setup<E>) -> Entry {
        let endless = (self.game.height == Height::Twenty && self.limit.max_rows.is_none())
            .then_some(
                "on 20 rows the games of a good policy hardly end; give --max-rows N, say 10000",
            );
        let (height, rule) = (self.game.height.rows(), self.game.rule.name());
        let features = match self.features {
            Features::Paper => "",
            Features::Diverse => ", nine features",
            Features::Surface => ", surface features",
            Features::SurfaceNine => ", nine surface features",
        };
        let (learner, best) = match self.features {
            Features::Paper | Features::Diverse => (Preset::Paper, 4_000.),
            Features::Surface | Features::SurfaceNine => (Preset::Survival, 9_000.),
        };
        let mut details = format!("10×{height}, rule {rule}{features}");
        if let Some(rows) = self.limit.max_rows {
            details += &format!(", games end at {} rows", indicatif::HumanCount(rows));
        }
        let measure = Measure {
            endless,
            ..self.limit.measure()
        };
        let mut setup = Setup {
            details,
            about: ABOUT,
            ..setup
                .measure(measure)
                .learner(learner)
                .best(best)
                .compared(&[
                    "lfd",
                    "ipse-paper",
                    "m-none",
                    "m-cv",
                    "m-schedule",
                    "m-known",
                ])
        };
        setup.facts.insert("height".into(), height.into());
        setup.facts.insert("rule".into(), rule.into());
        setup
            .facts
            .insert("feature_set".into(), json!(self.features));
        setup
            .facts
            .insert("max_rows".into(), json!(self.limit.max_rows));
        setup.into()
    }
}

/// The task with the features of the paper.
pub fn eight<const H: usize, C: Column + Send + Sync + 'static>(
    task: Tetris<10, H, C>,
) -> Setup<Tetris<10, H, C>> {
    Setup::new(task)
        .directions(tetris::DIRECTIONS)
        .weights("bcts", BCTS)
        .view(Board)
}

/// The task with pattern diversity as well.
fn nine<const H: usize, C: Column + Send + Sync + 'static>(
    task: Diverse<10, H, C>,
) -> Setup<Diverse<10, H, C>> {
    let [a, b, c, d, e, f, g, h] = BCTS;
    Setup::new(task)
        .directions(diverse::DIRECTIONS)
        // It does not look at the ninth feature.
        .weights("bcts", [a, b, c, d, e, f, g, h, 0.])
        .weights("dt10", diverse::DT10)
        .view(Board)
}

/// The task with surface features. Policies over other features play the same game by these.
fn by_surface<F>(
    task: Featured<F>,
    directions: PerFeature<Featured<F>, Direction>,
    rule: tetris::Rule,
) -> Setup<Featured<F>>
where
    F: FeatureSet<10, 10, u16>,
    Featured<F>: Task<State = State>,
{
    let bcts = policy::<Tetris10x10>(&BCTS);
    let dt10 = policy::<Diverse10x10>(&diverse::DT10);
    let (paper, diverse) = (Tetris10x10::new(rule), Diverse10x10::new(rule));
    Setup::new(task)
        .directions(directions)
        .rule("bcts", move |_, state, rng| {
            bcts.choose(&paper, state, rng).unwrap_or_default()
        })
        .rule("dt10", move |_, state, rng| {
            dt10.choose(&diverse, state, rng).unwrap_or_default()
        })
        .view(Board)
}

/// Which game is played.
#[derive(Args, Clone, Copy)]
pub struct GameArgs {
    /// When a placement must fit on the board: after full rows are removed, or before
    #[arg(long, value_enum, default_value_t = Rule::After)]
    pub rule: Rule,

    /// Rows of the board; it always has ten columns
    #[arg(long, value_enum, default_value_t = Height::Ten)]
    pub height: Height,
}

/// Which game is played, with which features, and to which end.
#[derive(Args, Clone, Copy)]
pub struct TetrisArgs {
    #[command(flatten)]
    game: GameArgs,

    /// The features that learners and policy files see; bcts and dt10 play by their own
    #[arg(long, value_enum, default_value_t = Features::Paper)]
    features: Features,

    #[command(flatten)]
    limit: LimitArgs,
}

/// When a game ends at the latest.
#[derive(Args, Clone, Copy)]
pub struct LimitArgs {
    /// End a game at so many rows
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    pub max_rows: Option<u64>,
}

impl LimitArgs {
    /// Rows, up to the limit.
    pub fn measure(self) -> Measure {
        Measure {
            limit: self.max_rows,
            ..ROWS
        }
    }
}

/// How policies are scored.
pub const ROWS: Measure = Measure::episode("rows").unlimited();

#[derive(Clone, Copy, ValueEnum)]
pub enum Rule {
    After,
    Before,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Height {
    #[value(name = "10")]
    Ten,
    #[value(name = "20")]
    Twenty,
}

/// The features that a policy sees.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Features {
    /// The eight of the paper
    #[value(alias = "eight")]
    Paper,
    /// Pattern diversity as well; not in the paper
    #[value(alias = "nine")]
    Diverse,
    /// Eight others, of heights and of where holes are, on 10 rows; not in the paper
    Surface,
    /// These and rows with holes
    SurfaceNine,
}

impl From<Rule> for ipse::tetris::Rule {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::After => Self::AfterRemoval,
            Rule::Before => Self::BeforeRemoval,
        }
    }
}

impl Rule {
    pub fn name(self) -> &'static str {
        match self {
            Rule::After => "after",
            Rule::Before => "before",
        }
    }
}

impl Height {
    pub fn rows(self) -> usize {
        match self {
            Height::Ten => 10,
            Height::Twenty => 20,
        }
    }
}

/// Evaluates an expression with `$task` being the game that `$args` ask for. The height of the
/// board is part of the game's type, so this is where a number becomes a type.
macro_rules! with_game {
    ($args:expr, |$task:ident| $body:expr) => {{
        let args: $crate::paper::tetris::GameArgs = $args;
        match args.height {
            $crate::paper::tetris::Height::Ten => {
                let $task = ipse::tetris::Tetris10x10::new(args.rule.into());
                $body
            }
            $crate::paper::tetris::Height::Twenty => {
                let $task = ipse::tetris::Tetris10x20::new(args.rule.into());
                $body
            }
        }
    }};
}
pub(crate) use with_game;

/// Boards, with the piece where it comes to lie.
struct Board;

/// A game that can place a piece.
pub trait Places<const H: usize, C: Column> {
    fn placed(&self, state: &State<10, H, C>, action: Action) -> Option<Placed<10, H, C>>;
}

impl<const H: usize, C: Column> Places<H, C> for Tetris<10, H, C> {
    fn placed(&self, state: &State<10, H, C>, action: Action) -> Option<Placed<10, H, C>> {
        self.place(state, action)
    }
}

impl<F, const H: usize, C: Column> Places<H, C> for Featured<F, 10, H, C> {
    fn placed(&self, state: &State<10, H, C>, action: Action) -> Option<Placed<10, H, C>> {
        self.place(state, action)
    }
}

impl<const H: usize, C: Column, E> View<E> for Board
where
    E: Task<State = State<10, H, C>> + Places<H, C>,
{
    fn noun(&self) -> &'static str {
        "placement"
    }

    fn whole(&self) -> &'static str {
        "game"
    }

    fn subject(&self, state: &E::State) -> String {
        format!(" of {}", state.piece.letter())
    }

    fn state(&self, _: &E, _: &E::State) -> Vec<String> {
        Vec::new()
    }

    fn picture(&self, task: &E, state: &E::State, action: Action) -> Vec<String> {
        let mut picture = Picture::new(state.board.columns(), H);
        if let Some(placed) = task.placed(state, action) {
            picture.put(state.piece, placed.cells);
        }
        picture.lines(picture.rows())
    }

    fn state_facts(&self, _: &E, state: &E::State) -> Map<String, Value> {
        let mut facts = Map::new();
        facts.insert("piece".into(), json!(state.piece.letter()));
        facts
    }

    fn action_facts(&self, task: &E, state: &E::State, action: Action) -> Map<String, Value> {
        let mut facts = Map::new();
        if let Some(placed) = task.placed(state, action) {
            facts.insert("cells".into(), json!(placed.cells));
            facts.insert("rows".into(), json!(placed.rows));
        }
        facts
    }

    fn read(&self, line: &[u8]) -> Option<Result<E::State, String>> {
        Some(position::parse(line))
    }

    fn expected(&self) -> Option<&'static str> {
        Some(position::EXPECTED)
    }

    fn film(&self) -> Film<E> {
        let mut picture = Picture::new([0; 10], H);
        Box::new(move |task: &E, state: &E::State, action| {
            let Some(placed) = task.placed(state, action) else {
                return Vec::new();
            };
            let mut falling = picture.clone();
            falling.put(state.piece, lifted(placed.cells, H));
            picture.put(state.piece, placed.cells);
            let frames = vec![falling.lines(H + SKY), picture.lines(picture.rows().max(H))];
            picture.settle();
            frames
        })
    }
}

/// So many rows above the board are shown. Together with a board of twenty rows, its floor and the cursor's line they
/// fill a terminal of twenty-four.
const SKY: usize = 2;

/// The cells of a piece that has not fallen yet, just above the board.
fn lifted(cells: [(u8, u8); 4], height: usize) -> [(u8, u8); 4] {
    let lowest = cells.iter().map(|&(_, row)| row).min().unwrap_or(0);
    cells.map(|(column, row)| (column, row - lowest + height as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Entries;

    /// Without weights, since games are short then.
    fn assert_has_a_verdict<E: Environment>() {
        let names: Vec<&str> = E::FEATURES.as_ref().iter().map(|f| f.name).collect();
        let entries = Entries(vec![entry()]);
        let verdict = entries.verdict(E::NAME, &names, &vec![0.; names.len()]);
        let verdict = verdict.unwrap_or_else(|| panic!("{} is not known", E::NAME));
        assert!(verdict.contains("random player"), "{}: {verdict}", E::NAME);
    }

    #[test]
    fn what_a_board_learned_has_a_verdict_whatever_its_features() {
        assert_has_a_verdict::<Tetris10x10>();
        assert_has_a_verdict::<Diverse10x10>();
        assert_has_a_verdict::<Surface10x10>();
        assert_has_a_verdict::<SurfaceNine10x10>();
    }
}
