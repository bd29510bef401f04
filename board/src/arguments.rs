//! Settings as words on a command line: `seed=7 iterations=40 cap=20 algorithm=lfd`, `parity` for
//! all of [`Settings::parity`], `brief` for all of [`Settings::brief`], `short-search` for all of
//! [`Settings::short_search`], or `survival=1360000` for a search with so many calls.

use crate::session::Settings;
use core::fmt;
use ipse::Algorithm;
use ipse::m_learning::{Regularisation, Schedule};
use ipse::tetris::{DIRECTIONS, FEATURES};

/// A word that says nothing about settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotASetting<'a>(pub &'a str);

impl fmt::Display for NotASetting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a setting: use parity, brief, short-search, survival=CALLS above 0, seed=N, iterations=N, pieces=N, cap=N above 0, or \
             algorithm=NAME with one of lfd, ipse, m-none, m-cv, m-schedule and m-known",
            self.0
        )
    }
}

impl core::error::Error for NotASetting<'_> {}

impl Settings {
    /// Changes what `word` says.
    pub fn set<'a>(&mut self, word: &'a str) -> Result<(), NotASetting<'a>> {
        self.try_set(word).ok_or(NotASetting(word))
    }

    fn try_set(&mut self, word: &str) -> Option<()> {
        let Some((name, value)) = word.split_once('=') else {
            *self = whole(word)?;
            return Some(());
        };
        match name {
            "seed" => self.seed = value.parse().ok()?,
            "iterations" => self.iterations = value.parse().ok()?,
            "pieces" => self.pieces = value.parse().ok()?,
            "survival" => *self = Settings::survival(value.parse().ok()?).ok()?,
            "cap" => {
                let cap = value.parse().ok()?;
                *self = self.with(|config| config.lfd_cap = Some(cap)).ok()?;
            }
            "algorithm" => {
                let algorithm = algorithm(value)?;
                *self = self.with(|config| config.algorithm = algorithm).ok()?;
            }
            #[cfg(feature = "storage")]
            "save" => self.save_every = value.parse().ok().filter(|every| *every > 0)?,
            _ => return None,
        }
        Some(())
    }
}

fn whole(word: &str) -> Option<Settings> {
    match word {
        "parity" => Some(Settings::parity()),
        "brief" => Some(Settings::brief()),
        "short-search" => Some(Settings::short_search()),
        _ => None,
    }
}

fn algorithm(name: &str) -> Option<Algorithm<FEATURES>> {
    let schedule = Regularisation::Schedule(Schedule::PAPER);
    Some(match name {
        "lfd" => Algorithm::Lfd,
        "ipse" => Algorithm::Ipse,
        "m-none" => Algorithm::MLearning(Regularisation::None),
        "m-cv" => Algorithm::MLearning(Regularisation::CrossValidated),
        "m-schedule" => Algorithm::MLearning(schedule),
        "m-known" => Algorithm::MLearningKnown(schedule, DIRECTIONS),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_can_be_set() {
        let mut settings = Settings::default();
        for word in [
            "seed=7",
            "iterations=40",
            "pieces=9",
            "cap=20",
            "algorithm=lfd",
            "save=3",
        ] {
            settings.set(word).unwrap();
        }
        assert_eq!((settings.seed, settings.iterations), (7, 40));
        assert_eq!(settings.pieces, 9);
        assert_eq!(settings.config.config().lfd_cap, Some(20));
        assert_eq!(settings.config.config().algorithm, Algorithm::Lfd);
        assert_eq!(settings.save_every, 3);
    }

    #[test]
    fn one_word_stands_for_each_run_by_which_boards_are_compared() {
        for (word, expected) in [
            ("parity", Settings::parity()),
            ("brief", Settings::brief()),
            ("short-search", Settings::short_search()),
        ] {
            let mut settings = Settings::default();
            settings.set(word).unwrap();
            assert_eq!(settings, expected);
        }
    }

    #[test]
    fn a_word_that_is_no_setting_changes_nothing() {
        let mut settings = Settings::default();
        for word in [
            "seed",
            "seed=",
            "seed=-1",
            "speed=1",
            "algorithm=magic",
            "cap=0",
            "survival=0",
            "save=0",
            "",
        ] {
            assert_eq!(settings.set(word), Err(NotASetting(word)));
        }
        assert_eq!(settings, Settings::default());
    }
}
