//! The tasks of a lab, whatever their types: each can be trained, compared, played, explained and diagnosed.

use crate::commands::{compare, diagnose, explain, play, table, train, watch};
use crate::error::{Error, Result};
use crate::task::{Setup, Task};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command};
use ipse::array::Array;
use serde::Serialize;

/// A task of the lab: [`task`](crate::task()) or [`Setup`] makes one.
pub struct Entry {
    name: &'static str,
    about: &'static str,
    kind: Kind,
}

enum Kind {
    Bench(Box<dyn Bench>),
    /// Several that are told apart by options.
    Family {
        augment: fn(Command) -> Command,
        choose: Box<Choose>,
        /// Those with an [`Environment::NAME`](ipse::Environment::NAME) of their own, and the words that ask for them.
        members: Vec<(&'static str, Words)>,
    },
}

type Words = &'static [&'static str];

/// The task that the options of a command line ask for.
type Choose = dyn Fn(&ArgMatches) -> Result<Entry>;

impl<E: Task> From<Setup<E>> for Entry {
    fn from(setup: Setup<E>) -> Self {
        Entry {
            name: E::NAME,
            about: setup.about,
            kind: Kind::Bench(Box::new(setup)),
        }
    }
}

impl Entry {
    /// Tasks of one name that are told apart by options of the command line.
    pub(crate) fn family<A: Args>(
        name: &'static str,
        about: &'static str,
        choose: impl Fn(&A) -> Result<Entry> + 'static,
    ) -> Self {
        let choose = Box::new(move |matches: &ArgMatches| {
            let args = A::from_arg_matches(matches);
            let args = args.map_err(|error| Error::Usage(error.to_string()))?;
            choose(&args)
        });
        Entry {
            name,
            about,
            kind: Kind::Family {
                augment: A::augment_args,
                choose,
                members: Vec::new(),
            },
        }
    }

    /// Adds the name that one of a family goes by on a board, and the words that ask for it here.
    pub(crate) fn member(mut self, name: &'static str, words: Words) -> Self {
        if let Kind::Family { members, .. } = &mut self.kind {
            members.push((name, words));
        }
        self
    }

    /// Adds the options that tell its tasks apart to a command.
    pub(crate) fn augment(&self, command: Command) -> Command {
        match &self.kind {
            Kind::Bench(_) => command,
            Kind::Family { augment, .. } => {
                // Options bring a text of their own, which is not that of the command.
                let about = command.get_about().cloned().unwrap_or_default();
                let long_about = command.get_long_about().cloned().unwrap_or_default();
                let command = augment(command.next_help_heading(self.name));
                command.about(about).long_about(long_about)
            }
        }
    }

    /// The options that tell its tasks apart.
    fn options(&self) -> Vec<String> {
        let command = self.augment(Command::new(self.name));
        let options = command.get_arguments();
        options.map(|option| option.get_id().to_string()).collect()
    }
}

/// What can be done with a task.
pub(crate) trait Bench: Send + Sync {
    fn train(&self, args: &train::Args) -> Result;
    fn compare(&self, args: &compare::Args) -> Result;
    fn play(&self, args: &play::Args) -> Result;
    fn explain(&self, args: &explain::Args) -> Result;
    fn diagnose(&self, args: &diagnose::Args) -> Result;
    fn table(&self, args: &table::Args) -> Result<String>;
    /// What a random player and one with these weights earn.
    fn verdict(&self, weights: &[f32]) -> Option<String>;
    fn facts(&self) -> Facts;
}

/// What there is to know about a task before anything is learned.
#[derive(Serialize)]
pub(crate) struct Facts {
    pub name: &'static str,
    pub about: &'static str,
    pub features: Vec<&'static str>,
    /// The most legal actions in a state.
    pub actions: usize,
    pub unit: &'static str,
    pub policies: Vec<&'static str>,
    /// The learner that `train` takes unless told, if that is known in advance.
    pub learner: Option<&'static str>,
}

impl<E: Task> Bench for Setup<E> {
    fn train(&self, args: &train::Args) -> Result {
        train::run(self, args)
    }

    fn compare(&self, args: &compare::Args) -> Result {
        compare::run(self, args)
    }

    fn play(&self, args: &play::Args) -> Result {
        play::run(self, args)
    }

    fn explain(&self, args: &explain::Args) -> Result {
        explain::run(self, args)
    }

    fn diagnose(&self, args: &diagnose::Args) -> Result {
        diagnose::run(self, args)
    }

    fn table(&self, args: &table::Args) -> Result<String> {
        table::run(self, args)
    }

    fn verdict(&self, weights: &[f32]) -> Option<String> {
        watch::verdict(self, weights)
    }

    fn facts(&self) -> Facts {
        Facts {
            name: E::NAME,
            about: self.about,
            features: self.feature_names(),
            actions: E::Actions::LEN,
            unit: self.measure.unit,
            policies: self.policies(),
            learner: self.learner.map(|learner| learner.command()),
        }
    }
}

/// All tasks of a lab. The first is the default.
pub(crate) struct Entries(pub Vec<Entry>);

impl Entries {
    /// Returns an error unless there is a task, and each has a name of its own.
    pub fn check(&self) -> Result {
        let mut names: Vec<&str> = self.0.iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
        match (names.is_empty(), twice) {
            (true, _) => Err(Error::Usage("this lab has no task; give it one".into())),
            (_, Some(pair)) => Err(Error::Usage(format!(
                "two tasks of this lab are called {}; give one of them another Environment::NAME",
                pair[0]
            ))),
            _ => Ok(()),
        }
    }

    /// Adds the options of all tasks to a command.
    pub fn augment(&self, command: Command) -> Command {
        let names: Vec<&str> = self.0.iter().map(|entry| entry.name).collect();
        let first = names.first().copied().unwrap_or_default();
        let help = format!("The task: {}; {first} if not given", names.join(", "));
        let command = command.mut_arg("task", |task| task.help(help));
        self.0
            .iter()
            .fold(command, |command, entry| entry.augment(command))
    }

    /// Hands the task that was asked for to `work`. Refuses options that only another task has.
    pub fn with<T>(
        &self,
        name: Option<&str>,
        matches: &ArgMatches,
        work: impl FnOnce(&dyn Bench) -> Result<T>,
    ) -> Result<T> {
        let entry = self.named(name)?;
        let others = self.0.iter().filter(|other| other.name != entry.name);
        for (other, option) in
            others.flat_map(|other| other.options().into_iter().map(move |o| (other, o)))
        {
            if matches.value_source(&option) == Some(ValueSource::CommandLine) {
                return Err(Error::Usage(format!(
                    "--{} is an option of the task {}, not of {}",
                    option.replace('_', "-"),
                    other.name,
                    entry.name
                )));
            }
        }
        entry.with(matches, work)
    }

    /// What weights are worth in the task with this name, which may be one of a family.
    pub fn verdict(&self, name: &str, features: &[&str], weights: &[f32]) -> Option<String> {
        let mut entries = self.0.iter();
        let (entry, words) = entries.find_map(|entry| Some((entry, entry.words_for(name)?)))?;
        entry.asked_for(words, |bench| match bench.facts().features == features {
            true => bench.verdict(weights),
            false => Some(format!(
                "no verdict: {name} has other features here, {}",
                bench.facts().features.join(", ")
            )),
        })?
    }

    /// Hands each task to `work` as it is without options, or only the one with this name.
    pub fn each<T>(&self, name: Option<&str>, work: impl Fn(&dyn Bench) -> T) -> Result<Vec<T>> {
        let only = name.map(|name| self.named(Some(name))).transpose()?;
        let chosen = self
            .0
            .iter()
            .filter(|entry| only.is_none_or(|only| only.name == entry.name));
        Ok(chosen.filter_map(|entry| entry.plainly(&work)).collect())
    }

    /// What there is to know about each task.
    pub fn facts(&self) -> Vec<Facts> {
        let facts = |entry: &Entry| {
            let facts = entry.plainly(|bench| bench.facts())?;
            Some(Facts {
                about: entry.about,
                ..facts
            })
        };
        self.0.iter().filter_map(facts).collect()
    }

    fn named(&self, name: Option<&str>) -> Result<&Entry> {
        let is_it = |entry: &&Entry| name.is_none_or(|name| entry.name == name);
        self.0.iter().find(is_it).ok_or_else(|| {
            let known: Vec<&str> = self.0.iter().map(|entry| entry.name).collect();
            let name = name.unwrap_or_default();
            Error::Usage(format!(
                "--task {name} is not a task of this lab; give {}",
                known.join(", ")
            ))
        })
    }
}

impl Entry {
    fn with<T>(
        &self,
        matches: &ArgMatches,
        work: impl FnOnce(&dyn Bench) -> Result<T>,
    ) -> Result<T> {
        match &self.kind {
            Kind::Bench(bench) => work(&**bench),
            Kind::Family { choose, .. } => choose(matches)?.with(matches, work),
        }
    }

    /// Hands the task to `work` as it is if no option is given.
    fn plainly<T>(&self, work: impl FnOnce(&dyn Bench) -> T) -> Option<T> {
        self.asked_for(&[], work)
    }

    /// The words that ask for the task that goes by this name on a board, if it is here.
    fn words_for(&self, name: &str) -> Option<Words> {
        let members = match &self.kind {
            Kind::Bench(_) => &[][..],
            Kind::Family { members, .. } => members,
        };
        let plain: (_, Words) = (self.name, &[]);
        let mut all = members.iter().copied().chain([plain]);
        all.find_map(|(member, words)| (member == name).then_some(words))
    }

    /// Hands the task that these words ask for to `work`.
    fn asked_for<T>(&self, words: Words, work: impl FnOnce(&dyn Bench) -> T) -> Option<T> {
        let command = self.augment(Command::new(self.name).no_binary_name(true));
        let matches = command.try_get_matches_from(words).ok()?;
        self.with(&matches, |bench| Ok(work(bench))).ok()
    }
}
