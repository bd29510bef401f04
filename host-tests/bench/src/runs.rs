//! Runs as words on a command line: `algorithm=lfd seed=7 iterations=40`.
//!
//! | word | what it sets |
//! |---|---|
//! | `algorithm=NAME` | the learner: `ipse-paper`, which is the default, `ipse`, `lfd`, `m-none`, `m-cv`, `m-schedule`, `m-known` or `soft` |
//! | `survival=N` | a search of N calls for weights that survive, until it is finished |
//! | `surface=N` | a search of N calls for weights that survive, of surface features, with the guard and the shrinkage |
//! | `returns=N` | a search of N calls for the highest return, with trials of 40 placements |
//! | `seed=N`, `iterations=N` | the [`Settings`] of the session, which saves after every iteration |
//! | `cap=N` | the number of iterations of the first phase |
//! | `rollouts=MxT` | the number and the length of the rollouts |
//! | `parity` | a short run of the paper's IPSE, in which both phases are equally long |
//! | `brief` | a run with hardly any rollouts, for a slow emulator |
//! | `short-search` | a search of 60 000 calls |
//! | `short-surface` | a surface search of 30 000 calls, whose directions fail their first test |
//!
//! The last four set several things at once. What another word sets explicitly takes precedence over them, in
//! whatever order the words are given.

use core::fmt;
use core::str::FromStr;
use ipse::ResumableDriver;
use ipse::prelude::*;
use ipse::search::DirectionLearner;
use ipse::tetris::surface::Surface10x10;
use ipse::tetris::{DIRECTIONS, Tetris10x10};
use ipse_device::Settings;

/// The runs by which machines are compared, one a line: every learner, and all searches.
pub const COMPARED: &str = include_str!("../runs.txt");

/// A run, as far as it has been set by words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    given: Choices,
    preset: Option<Choices>,
}

/// Everything that can be set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Choices {
    algorithm: Option<Algorithm>,
    seed: Option<u64>,
    iterations: Option<u32>,
    cap: Option<u32>,
    rollouts: Option<[u16; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Algorithm {
    IpsePaper,
    Ipse,
    Lfd,
    Unregularised,
    CrossValidated,
    Scheduled,
    Known,
    Soft,
    Survival { calls: u32 },
    Surface { calls: u32 },
    Returns { calls: u32 },
}

/// A word that is not a setting, or that sets what another word has set before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotASetting<'a>(pub &'a str);

impl fmt::Display for NotASetting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a setting, or set twice: use parity, brief, short-search, short-surface, survival=CALLS, \
             surface=CALLS, returns=CALLS, seed=N, iterations=N, cap=N, rollouts=MxT, or algorithm=NAME with one of \
             ipse-paper, ipse, lfd, m-none, m-cv, m-schedule, m-known and soft",
            self.0
        )
    }
}

impl core::error::Error for NotASetting<'_> {}

/// Something that is done with a run: the driver of each is of another type.
pub trait Visit {
    /// What comes of it.
    type Output;

    /// Is called with the settings of the session, and a function that makes the driver.
    fn visit<D: ResumableDriver>(
        self,
        settings: Settings,
        make: impl FnOnce(&mut XorShiftRng) -> D,
    ) -> Self::Output;
}

impl Run {
    /// The run that `words` set.
    pub fn of(words: &str) -> Result<Self, NotASetting<'_>> {
        let mut run = Run::default();
        words
            .split_whitespace()
            .try_for_each(|word| run.set(word))?;
        Ok(run)
    }

    /// Sets what `word` says.
    pub fn set<'a>(&mut self, word: &'a str) -> Result<(), NotASetting<'a>> {
        let set = match word.split_once('=') {
            None => preset(word).and_then(|preset| put(&mut self.preset, preset)),
            Some((name, value)) => self.given.set(name, value),
        };
        set.ok_or(NotASetting(word))
    }

    /// The settings of the session.
    pub fn settings(&self) -> Settings {
        let choices = self.choices();
        Settings {
            seed: choices.seed.unwrap_or(Settings::default().seed),
            iterations: choices.iterations,
            save_seconds: 0,
        }
    }

    fn choices(&self) -> Choices {
        self.given.or(self.preset.unwrap_or_default())
    }

    /// Has `visitor` visit the driver of this run.
    pub fn visit<V: Visit>(&self, visitor: V) -> Result<V::Output, Invalid> {
        let choices = self.choices();
        let rollouts = choices.rollouts(Rollouts::paper());
        let to = (visitor, self.settings());
        Ok(match choices.algorithm.unwrap_or(Algorithm::IpsePaper) {
            Algorithm::IpsePaper => {
                let ipse = Ipse::paper().rollouts(rollouts).cap(choices.cap);
                hand_on(to, ipse.check()?)
            }
            Algorithm::Ipse => {
                let ipse = Ipse::new();
                let ipse = ipse.cap(choices.cap.or(ipse.cap));
                let rollouts = choices.rollouts(Rollouts::default());
                hand_on(to, ipse.rollouts(rollouts).check()?)
            }
            Algorithm::Lfd => hand_on(to, Lfd::paper().rollouts(rollouts).check()?),
            Algorithm::Unregularised => {
                hand_on(to, MLearning::unregularised().rollouts(rollouts).check()?)
            }
            Algorithm::CrossValidated => {
                hand_on(to, MLearning::cross_validated().rollouts(rollouts).check()?)
            }
            Algorithm::Scheduled => hand_on(to, MLearning::scheduled().rollouts(rollouts).check()?),
            Algorithm::Known => hand_on(to, known(rollouts).check()?),
            Algorithm::Soft => {
                let soft = known(rollouts).memory::<20>().soft_labels(0.3);
                hand_on(to, soft.check()?)
            }
            Algorithm::Survival { calls } => {
                hand_on_search::<Tetris10x10, _, _, _>(to, choices.survival(calls).check()?)
            }
            Algorithm::Surface { calls } => {
                let search = choices.survival(calls).suited_to::<Surface10x10>();
                hand_on_search::<Surface10x10, _, _, _>(to, search.check()?)
            }
            Algorithm::Returns { calls } => {
                let search = Search::returns(40).calls(calls);
                hand_on_search::<Tetris10x10, _, _, _>(to, search.check()?)
            }
        })
    }
}

fn known(rollouts: Rollouts) -> Then<Known<[Direction; 8]>, MLearning> {
    Known(DIRECTIONS).then(MLearning::scheduled().rollouts(rollouts))
}

// Out of line, so that only one of many drivers is on the stack.
#[inline(never)]
fn hand_on<V, L>((visitor, settings): (V, Settings), learner: Checked<L>) -> V::Output
where
    V: Visit,
    L: ResumableLearner<Tetris10x10>,
{
    visitor.visit(settings, |rng| {
        Agent::new(Tetris10x10::default(), learner, rng)
    })
}

#[inline(never)]
fn hand_on_search<E, V, L, const N: usize>(
    (visitor, settings): (V, Settings),
    search: Checked<Search<L, N>>,
) -> V::Output
where
    E: Resumable + Default,
    V: Visit,
    L: ResumableLearner<E> + DirectionLearner<E>,
{
    visitor.visit(settings, |rng| Searcher::new(E::default(), search, rng))
}

/// The word for several settings at once.
fn preset(word: &str) -> Option<Choices> {
    let parity = Choices {
        algorithm: Some(Algorithm::IpsePaper),
        iterations: Some(40),
        cap: Some(20),
        ..Choices::default()
    };
    match word {
        "parity" => Some(parity),
        "brief" => Some(Choices {
            iterations: Some(12),
            cap: Some(4),
            rollouts: Some([1, 2]),
            ..parity
        }),
        "short-search" => Some(Choices {
            algorithm: Some(Algorithm::Survival { calls: 60_000 }),
            cap: Some(10),
            ..Choices::default()
        }),
        "short-surface" => Some(Choices {
            algorithm: Some(Algorithm::Surface { calls: 30_000 }),
            seed: Some(17),
            cap: Some(5),
            rollouts: Some([1, 3]),
            ..Choices::default()
        }),
        _ => None,
    }
}

impl Choices {
    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "algorithm" => put(&mut self.algorithm, algorithm(value)?),
            "survival" => {
                let calls = parse(value)?;
                put(&mut self.algorithm, Algorithm::Survival { calls })
            }
            "surface" => {
                let calls = parse(value)?;
                put(&mut self.algorithm, Algorithm::Surface { calls })
            }
            "returns" => {
                let calls = parse(value)?;
                put(&mut self.algorithm, Algorithm::Returns { calls })
            }
            "seed" => put(&mut self.seed, parse(value)?),
            "iterations" => put(&mut self.iterations, parse(value)?),
            "cap" => put(&mut self.cap, parse(value)?),
            "rollouts" => {
                let (count, length) = value.split_once('x')?;
                put(&mut self.rollouts, [parse(count)?, parse(length)?])
            }
            _ => None,
        }
    }

    /// These, and where nothing is set, those of `preset`.
    fn or(self, preset: Choices) -> Choices {
        Choices {
            algorithm: self.algorithm.or(preset.algorithm),
            seed: self.seed.or(preset.seed),
            iterations: self.iterations.or(preset.iterations),
            cap: self.cap.or(preset.cap),
            rollouts: self.rollouts.or(preset.rollouts),
        }
    }

    /// A search for weights that survive.
    fn survival(&self, calls: u32) -> Search {
        let search = Search::survival().calls(calls);
        let search = search.rollouts(self.rollouts(Rollouts::paper()));
        search.cap(self.cap.unwrap_or(search.cap))
    }

    fn rollouts(&self, default: Rollouts) -> Rollouts {
        let [count, length] = self.rollouts.unwrap_or([default.count, default.length]);
        Rollouts {
            count,
            length,
            ..default
        }
    }
}

fn parse<T: FromStr>(value: &str) -> Option<T> {
    value.parse().ok()
}

/// Sets what is not set yet.
fn put<T>(place: &mut Option<T>, value: T) -> Option<()> {
    match place {
        Some(_) => None,
        None => {
            *place = Some(value);
            Some(())
        }
    }
}

fn algorithm(name: &str) -> Option<Algorithm> {
    Some(match name {
        "ipse-paper" => Algorithm::IpsePaper,
        "ipse" => Algorithm::Ipse,
        "lfd" => Algorithm::Lfd,
        "m-none" => Algorithm::Unregularised,
        "m-cv" => Algorithm::CrossValidated,
        "m-schedule" => Algorithm::Scheduled,
        "m-known" => Algorithm::Known,
        "soft" => Algorithm::Soft,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(words: &str) -> Run {
        Run::of(words).unwrap()
    }

    #[test]
    fn every_setting_can_be_set() {
        let run = run("seed=7 iterations=40 cap=20 rollouts=2x4 algorithm=lfd");
        let settings = run.settings();
        assert_eq!((settings.seed, settings.iterations), (7, Some(40)));
        let choices = run.choices();
        assert_eq!(choices.cap, Some(20));
        assert_eq!(choices.rollouts, Some([2, 4]));
        assert_eq!(choices.algorithm, Some(Algorithm::Lfd));
    }

    #[test]
    fn no_setting_overwrites_another_in_whatever_order() {
        let search = run("seed=7 survival=60000");
        assert_eq!(search.settings().seed, 7);
        assert_eq!(search.settings().iterations, None);
        assert_eq!(search, run("survival=60000 seed=7"));

        let long = run("iterations=50 parity seed=3");
        let settings = long.settings();
        assert_eq!((settings.iterations, settings.seed), (Some(50), 3));
        assert_eq!(long.choices().cap, Some(20));
        assert_eq!(long, run("seed=3 parity iterations=50"));
    }

    #[test]
    fn what_is_set_cannot_be_set_again() {
        for words in [
            ["seed=1", "seed=2"],
            ["parity", "brief"],
            ["survival=100", "algorithm=lfd"],
            ["survival=100", "returns=100"],
            ["surface=100", "survival=100"],
        ] {
            let mut run = Run::default();
            assert_eq!(run.set(words[0]), Ok(()));
            assert_eq!(run.set(words[1]), Err(NotASetting(words[1])));
        }
    }

    #[test]
    fn a_word_that_is_no_setting_changes_nothing() {
        let mut run = Run::default();
        for word in [
            "seed",
            "seed=",
            "seed=-1",
            "speed=1",
            "algorithm=magic",
            "rollouts=3",
            "",
        ] {
            assert_eq!(run.set(word), Err(NotASetting(word)));
        }
        assert_eq!(run, Run::default());
    }

    const NAMES: &str = "ipse-paper ipse lfd m-none m-cv m-schedule m-known soft";

    /// The driver's parameters and settings are valid.
    struct Nothing;

    impl Visit for Nothing {
        type Output = u32;

        fn visit<D: ResumableDriver>(
            self,
            settings: Settings,
            make: impl FnOnce(&mut XorShiftRng) -> D,
        ) -> u32 {
            let mut rng = XorShiftRng::seed_from_u64(settings.seed);
            make(&mut rng).progress().iterations
        }
    }

    #[test]
    fn every_run_has_a_driver() {
        for name in NAMES.split(' ') {
            let mut run = Run::default();
            assert_eq!(run.given.set("algorithm", name), Some(()));
            assert_eq!(run.visit(Nothing), Ok(0), "{name}");
        }
        for word in [
            "parity",
            "brief",
            "short-search",
            "short-surface",
            "survival=100",
            "surface=100",
            "returns=100",
        ] {
            assert_eq!(run(word).visit(Nothing), Ok(0), "{word}");
        }
    }

    #[test]
    fn every_learner_and_both_searches_are_compared() {
        let first_words = || COMPARED.lines().filter_map(|words| words.split(' ').next());
        for name in NAMES.split(' ') {
            let mut algorithms = first_words().filter_map(|word| word.strip_prefix("algorithm="));
            assert!(algorithms.any(|algorithm| algorithm == name), "{name}");
        }
        for search in ["survival=", "returns="] {
            assert!(first_words().any(|word| word.starts_with(search)));
        }
        for words in COMPARED.lines() {
            assert_eq!(run(words).visit(Nothing), Ok(0), "{words}");
        }
    }

    #[test]
    fn invalid_parameters_are_refused() {
        for words in [
            "cap=0",
            "survival=0",
            "surface=0",
            "returns=0",
            "rollouts=0x1",
        ] {
            assert!(run(words).visit(Nothing).is_err(), "{words}");
        }
    }
}
