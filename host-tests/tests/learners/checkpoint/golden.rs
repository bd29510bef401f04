//! Checkpoints of earlier days, in `golden/checkpoints`: they are read, and go on as they did then.
//!
//! Every file was made by a run that is described here, and is read by every release with the same
//! [`VERSION`](ipse::checkpoint::VERSION) of the format. `hashes.txt` tells how each of them goes on. If the
//! format changes, so does the version, and
//!
//! ```sh
//! MAKE_CHECKPOINTS=1 cargo test --package host-tests --test learners golden
//! ```
//!
//! makes all files anew. A file that is new is made by the same command; whatever else it changes is to be left as it was.

use super::*;
use crate::hash::Hash;
use ipse::prelude::Phase::{Directions, Weights};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of iterations after a checkpoint.
const AFTER: usize = 12;

fn path(file: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/checkpoints");
    Path::new(folder).join(file)
}

fn read(file: &str) -> Vec<u8> {
    fs::read(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Whether files are made, and not only read.
fn makes() -> bool {
    std::env::var_os("MAKE_CHECKPOINTS").is_some()
}

/// A task whose checkpoints have names that begin with this.
struct Runs<'a, E> {
    task: E,
    name: &'static str,
    /// How each of them goes on.
    hashes: &'a mut String,
}

impl<E: Resumable + Copy> Runs<'_, E> {
    fn learner<L: ResumableLearner<E>>(&mut self, kind: &str, saved: (usize, Phase), learner: L) {
        let task = self.task;
        self.check(kind, saved, |rng| agent(task, learner, rng));
    }

    fn search<L, const N: usize>(&mut self, kind: &str, saved: (usize, Phase), search: Search<L, N>)
    where
        L: ResumableLearner<E> + DirectionLearner<E>,
    {
        let task = self.task;
        self.check(kind, saved, |rng| searcher(task, search, rng));
    }

    fn check<D: ResumableDriver>(
        &mut self,
        kind: &str,
        (iterations, phase): (usize, Phase),
        new: impl Fn(&mut XorShiftRng) -> D,
    ) {
        let file = format!("{}-{kind}.bin", self.name);
        let mut rng = rng(1);
        let mut driver = new(&mut rng);
        (0..iterations).for_each(|_| _ = driver.step(&mut rng));
        let bytes = bytes_of(&mut driver, &rng);
        if makes() {
            fs::write(path(&file), &bytes).unwrap();
        }

        let saved = read(&file);
        let mut rng = crate::rng(2);
        let mut driver = new(&mut rng);
        let note = restore::<_, u64>(&mut driver, &mut rng, &saved);
        let note = note.unwrap_or_else(|error| panic!("{file}: {error}"));
        let progress = driver.progress();
        assert_eq!((note, progress.iterations), (NOTE, iterations as u32));
        let expected = (phase, kind.ends_with("-over"));
        assert_eq!((progress.phase, progress.is_finished), expected, "{file}");
        let hash = Hash::of_run(&mut driver, &mut rng, AFTER);
        writeln!(self.hashes, "{file}: {hash:?}").unwrap();
        // The same run still gives the same file.
        assert_eq!(bytes, saved, "{file}");
    }
}

fn every_kind<E: Resumable + Copy, D>(mut runs: Runs<E>, directions: D)
where
    D: Copy,
    Known<D>: ResumableLearner<E, Values = ()>,
{
    runs.learner("lfd", (20, Directions), lfd());
    runs.learner("ipse-directions", (4, Directions), ipse());
    runs.learner("ipse-weights", (30, Weights), ipse());
    runs.learner("default-directions", (4, Directions), default());
    runs.learner("default-weights", (30, Weights), default());
    let unregularised = scheduled().regularisation(Unregularised);
    runs.learner("unregularised", (20, Weights), unregularised);
    let cross_validated = scheduled().regularisation(CrossValidated);
    runs.learner("cross-validated", (20, Weights), cross_validated);
    runs.learner("scheduled", (20, Weights), scheduled());
    let known = Known(directions).then(scheduled());
    runs.learner("known", (20, Weights), known);
    runs.learner("soft-average", (20, Weights), soft());
    runs.search("search-directions", (4, Directions), search());
    runs.search("search-weights", (20, Phase::Search), search());
    runs.search("search-over", (500, Phase::Search), search());
    runs.search("returns-measured", (1, Phase::Search), returns());
    runs.search("returns-weights", (20, Phase::Search), returns());
    runs.search("returns-over", (500, Phase::Search), returns());
}

#[test]
fn golden_checkpoints_go_on_as_they_did() {
    let mut hashes = String::new();
    let foraging = Runs {
        task: Foraging,
        name: "foraging",
        hashes: &mut hashes,
    };
    every_kind(foraging, [Pro, Con, Con]);
    let tetris = Runs {
        task: Tetris10x10::default(),
        name: "tetris",
        hashes: &mut hashes,
    };
    every_kind(tetris, DIRECTIONS);
    if makes() {
        fs::write(path("hashes.txt"), &hashes).unwrap();
    }
    assert_eq!(hashes, String::from_utf8(read("hashes.txt")).unwrap());
}
