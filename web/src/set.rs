//! A task with a set of features, and the learners that the page offers for it.

use crate::answer::About;
use crate::live::{Live, Run};
use ipse::checkpoint::LoadError;
use ipse::environment::Resumable;
use ipse::prelude::*;
use ipse::{Invalid, ResumableDriver};
use ipse_device::label::Label;

/// A task with a set of features, and the learners that the page offers for it. It takes the first unless told.
pub struct Set<E> {
    task: E,
    pub(crate) offer: Offer,
}

/// What a module has to offer, whatever its task.
pub(crate) struct Offer {
    pub about: About,
    /// In the order of the learners' names.
    pub ways: Vec<Way>,
}

/// A way to learn.
pub(crate) struct Way {
    /// From a seed, for so many iterations or as many as are usual.
    pub start: Box<Start>,
    /// From a checkpoint.
    pub resume: Box<Resume>,
}

type Start = dyn Fn(u64, Option<u32>) -> Box<dyn Live>;
type Resume = dyn Fn(&[u8]) -> Result<Box<dyn Live>, LoadError>;

impl<E: Resumable + Copy + 'static> Set<E> {
    /// A task with a set of features. If it has several, the set has the name that the lab's `--features` has for it.
    pub fn new(name: &'static str, task: E) -> Self {
        let features = E::FEATURES;
        let about = About {
            task: E::NAME,
            set: name,
            unit: "reward",
            features: features.as_ref().iter().map(From::from).collect(),
            label: Label::<E>::default().to_string(),
            learners: Vec::new(),
        };
        let ways = Vec::new();
        Set {
            task,
            offer: Offer { about, ways },
        }
    }

    /// Sets what rewards are a number of.
    #[must_use]
    pub fn unit(mut self, unit: &'static str) -> Self {
        self.offer.about.unit = unit;
        self
    }

    /// IPSE with the defaults of the library.
    #[must_use]
    pub fn ipse(self) -> Self {
        self.agent("ipse", Ipse::new().check())
    }

    /// IPSE as in the paper, to the letter.
    #[must_use]
    pub fn ipse_paper(self) -> Self {
        self.agent("ipse-paper", Ipse::paper().check())
    }

    /// The search by survival.
    #[must_use]
    pub fn survival(self) -> Self {
        let task = self.task;
        let search = valid(Search::survival().suited_to::<E>().check());
        self.way("survival", move |rng| Searcher::new(task, search, rng))
    }

    /// The search by return, with trials of so many actions.
    #[must_use]
    pub fn returns(self, horizon: u16) -> Self {
        let task = self.task;
        let search = valid(Search::returns(horizon).check());
        self.way("returns", move |rng| Searcher::new(task, search, rng))
    }

    fn agent(self, name: &'static str, learner: Result<Checked<Ipse>, Invalid>) -> Self {
        let (task, learner) = (self.task, valid(learner));
        self.way(name, move |rng| Agent::new(task, learner, rng))
    }

    fn way<D: ResumableDriver + 'static>(
        mut self,
        name: &'static str,
        make: impl Fn(&mut XorShiftRng) -> D + Copy + 'static,
    ) -> Self {
        self.offer.about.learners.push(name);
        self.offer.ways.push(Way {
            start: Box::new(move |seed, iterations| Box::new(Run::new(seed, iterations, make))),
            resume: Box::new(move |checkpoint| Ok(Box::new(Run::resume(checkpoint, make)?))),
        });
        self
    }
}

fn valid<T>(parameters: Result<T, Invalid>) -> T {
    parameters.expect("presets are valid")
}
