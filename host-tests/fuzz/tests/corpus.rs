//! Every target on its corpus, and on thousands of mutations of it.

use ipse_fuzz::seeds::{self, Seed};
use ipse_fuzz::{TARGETS, Target, is_accepted};
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;
use std::path::{Path, PathBuf};

const MUTATIONS: usize = if cfg!(debug_assertions) { 200 } else { 20_000 };

/// What parsers stumble over.
const WORDS: [&str; 16] = [
    "null",
    "-1",
    "-0",
    "1e999",
    "1e38",
    "1e-45",
    "0.5",
    "4294967296",
    "18446744073709551616",
    "[",
    "]",
    "{}",
    "\"",
    "\\u0000",
    "\n",
    "\u{feff}",
];

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder);
    let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let files = names(&folder().join("corpus").join(target)).into_iter();
    files
        .map(|file| (file.clone(), std::fs::read(file).unwrap()))
        .collect()
}

#[test]
fn every_target_has_a_program_and_a_corpus() {
    let targets = TARGETS.map(|(name, _)| name);
    for part in ["corpus", "fuzz_targets"] {
        let names = names(&folder().join(part));
        let stem = |name: &PathBuf| name.file_stem().unwrap().to_str().unwrap().to_string();
        let names: Vec<String> = names.iter().map(stem).collect();
        assert_eq!(names, targets, "{part}");
    }
    let manifest = std::fs::read_to_string(folder().join("Cargo.toml")).unwrap();
    for target in targets {
        let file = format!("fuzz_targets/{target}.rs");
        let program = std::fs::read_to_string(folder().join(&file)).unwrap();
        assert!(program.contains(&format!("ipse_fuzz::{target}(")), "{file}");
        let entry = format!("[[bin]]\nname = \"{target}\"\npath = \"{file}\"\n");
        assert!(manifest.contains(&entry), "{file} is not in Cargo.toml");
    }
}

#[test]
fn every_target_survives_its_corpus() {
    for (name, target) in TARGETS {
        let inputs = corpus(name);
        assert!(inputs.len() > 1, "{name} has hardly a corpus");
        for (file, bytes) in inputs {
            println!("{}", file.display());
            target(&bytes);
        }
    }
}

#[test]
fn every_target_survives_the_empty_input() {
    for (_, target) in TARGETS {
        target(&[]);
    }
}

/// Refuses a corpus that does not fit the code any more: mutations of it would not get far. Set `REWRITE` to
/// write it anew.
fn is_up_to_date(target: &str, seeds: &[Seed]) {
    for (name, bytes) in seeds {
        let file = folder().join("corpus").join(target).join(name);
        if std::env::var_os("REWRITE").is_some() {
            std::fs::write(&file, bytes).unwrap();
        }
        let is_same = std::fs::read(&file).is_ok_and(|found| found == *bytes);
        assert!(is_same, "{} is out of date: set REWRITE", file.display());
    }
}

#[test]
fn the_agents_of_the_corpus_are_up_to_date() {
    is_up_to_date("agent", &seeds::agents());
}

#[test]
fn the_checkpoints_of_the_corpus_are_up_to_date_and_accepted() {
    let seeds = seeds::checkpoints();
    is_up_to_date("checkpoint", &seeds);
    for (name, bytes) in seeds {
        assert!(is_accepted(&bytes) || name.starts_with("liar"), "{name}");
    }
}

#[test]
fn the_telemetry_of_the_corpus_is_up_to_date() {
    is_up_to_date("telemetry", &seeds::telemetries());
}

#[test]
fn the_trainings_of_the_corpus_are_up_to_date() {
    is_up_to_date("training", &seeds::trainings());
}

#[test]
fn every_target_survives_mutations_of_its_corpus() {
    for (number, (name, target)) in (0..).zip(TARGETS) {
        let corpus = corpus(name);
        let rng = &mut XorShiftRng::seed_from_u64(number);
        let mut bytes = Vec::new();
        for mutation in 0..MUTATIONS {
            // A few mutations on top of each other.
            if mutation % 4 == 0 {
                bytes.clone_from(&corpus[below(corpus.len(), rng)].1);
            }
            mutate(&mut bytes, &corpus, rng);
            bytes.truncate(4096);
            run(name, target, &bytes);
        }
    }
}

/// Runs a target and tells which bytes made it panic.
fn run(name: &str, target: Target, bytes: &[u8]) {
    if std::panic::catch_unwind(|| target(bytes)).is_err() {
        let text = String::from_utf8_lossy(bytes);
        panic!("{name} does not survive {bytes:?}, which reads {text}");
    }
}

fn mutate(bytes: &mut Vec<u8>, corpus: &[(PathBuf, Vec<u8>)], rng: &mut XorShiftRng) {
    let at = below(bytes.len() + 1, rng);
    let until = at + below(bytes.len() - at + 1, rng);
    let other = &corpus[below(corpus.len(), rng)].1;
    match below(7, rng) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..until)),
        2 => bytes.insert(at, rng.next_u32() as u8),
        3 => drop(bytes.splice(at..until, WORDS[below(WORDS.len(), rng)].bytes())),
        4 => drop(bytes.splice(
            at..until,
            other.iter().copied().skip(below(other.len() + 1, rng)),
        )),
        5 => bytes[at..until].rotate_left(below(until - at + 1, rng)),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << below(8, rng);
            }
        }
    }
}

fn below(n: usize, rng: &mut XorShiftRng) -> usize {
    rng.next_u32() as usize % n
}
