//! Tetris in the lab: its options, and how boards and placements are shown.

use super::lockstep::InLockstep;
use super::picture::Picture;
use super::position;
use crate::args::at_least_one;
use crate::entry::Entry;
use crate::learner::Preset;
use crate::task::{Measure, Setup, Task};
use crate::view::{Film, View};
use clap::{Args, ValueEnum};
use ipse::array::Array;
use ipse::environment::{Action, Environment};
use ipse::tetris::diverse::{self, Diverse};
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
}

const ABOUT: &str = "the task of the paper, on 10 × 10";

impl TetrisArgs {
    fn entry(self) -> Entry {
        with_game!(self.game, |task| match self.features {
            Features::Eight => self.complete(eight(task).in_lockstep()),
            Features::Nine => self.complete(nine(task.into())),
        })
    }

    fn complete<E: Task>(self, setup: Setup<E>) -> Entry {
        let endless = (self.game.height == Height::Twenty && self.limit.max_rows.is_none())
            .then_some(
                "on 20 rows the games of a good policy hardly end; give --max-rows N, say 10000",
            );
        let (height, rule) = (self.game.height.rows(), self.game.rule.name());
        let features = match self.features {
            Features::Eight => "",
            Features::Nine => ", nine features",
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
                .learner(Preset::Paper)
                .best(4_000.)
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

    /// The features that policies and learners see; bcts ignores the ninth
    #[arg(long, value_enum, default_value_t = Features::Eight)]
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
    /// Those of the paper
    Eight,
    /// Pattern diversity as well; not in the paper
    Nine,
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

impl<const H: usize, C: Column> Places<H, C> for Diverse<10, H, C> {
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

    fn action(&self, task: &E, state: &E::State, action: Action) -> String {
        let Some(placed) = task.placed(state, action) else {
            return format!("Action {action}");
        };
        let columns = placed.cells.map(|(column, _)| column + 1);
        let (first, last) = columns
            .iter()
            .fold((u8::MAX, 0), |(a, b), &c| (a.min(c), b.max(c)));
        let place = match first == last {
            true => format!("column {first}"),
            false => format!("columns {first} to {last}"),
        };
        let removal = match placed.rows {
            0 => String::new(),
            1 => ", removing 1 row".into(),
            rows => format!(", removing {rows} rows"),
        };
        format!("In {place}{removal}")
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
