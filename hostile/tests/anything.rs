//! Every target on the bytes of its corpus, and on thousands of mutations of them.

use hostile::TARGETS;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;
use std::path::{Path, PathBuf};

const MUTATIONS: usize = match (cfg!(miri), cfg!(debug_assertions)) {
    (true, _) => 3,
    (_, true) => 200,
    _ => 20_000,
};

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

fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(target);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let read = |file: PathBuf| (file.clone(), std::fs::read(file).unwrap());
    files.into_iter().map(read).collect()
}

#[test]
fn all_that_is_in_the_corpus_is_survived() {
    for (name, target) in TARGETS {
        let seeds = seeds(name);
        assert!(seeds.len() > 1, "{name} has hardly a corpus");
        for (file, bytes) in seeds {
            println!("{}", file.display());
            target(&bytes);
        }
    }
}

#[test]
fn nothing_at_all_is_survived() {
    for (_, target) in TARGETS {
        target(&[]);
    }
}

/// Mutations that begin with what is refused would not get far. If the form of a checkpoint is new, set
/// `REWRITE` to put new ones into the corpus.
#[test]
fn the_checkpoints_of_the_corpus_are_accepted() {
    // One without weights has no labels.
    let kinds = (0..7).map(|algorithm| (algorithm, false));
    let kinds = kinds.chain((1..6).map(|algorithm| (algorithm, true)));
    let each = |task| kinds.clone().map(move |kind| (task, kind));
    for (task, (algorithm, is_soft)) in (0..3).flat_map(each) {
        let soft = if is_soft { "-soft" } else { "" };
        let name = format!("corpus/checkpoint/task-{task}-algorithm-{algorithm}{soft}");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(&name);
        if std::env::var_os("REWRITE").is_some() {
            std::fs::write(&file, hostile::seed(task, algorithm, is_soft, 6)).unwrap();
        }
        let is_accepted = hostile::is_accepted(&std::fs::read(file).unwrap());
        assert!(
            is_accepted,
            "{name} is refused; if the form is new, set REWRITE"
        );
    }
}

/// What `train` has written, with totals that are as large as they can be.
#[test]
fn a_run_of_the_lab_with_the_largest_totals_goes_on() {
    let fresh = lab::formats::fresh_checkpoint();
    let (header, checksum, totals) = (9, 4, 16);
    let content = &fresh[header..fresh.len() - checksum];
    let mut bytes = vec![1];
    bytes.extend(&content[..content.len() - totals]);
    bytes.extend([0xff; 16]);
    hostile::training(&bytes);
    if std::env::var_os("REWRITE").is_some() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/training");
        std::fs::write(corpus.join("largest-totals"), &bytes).unwrap();
        std::fs::write(corpus.join("fresh"), [&[1], content].concat()).unwrap();
        std::fs::write(corpus.join("whole-file"), [&[0], &fresh[..]].concat()).unwrap();
    }
}

#[test]
fn mutations_are_survived() {
    for (number, (name, target)) in (0..).zip(TARGETS) {
        let seeds = seeds(name);
        let rng = &mut XorShiftRng::seed_from_u64(number);
        let mut bytes = Vec::new();
        for mutation in 0..MUTATIONS {
            // A few mutations on top of each other.
            if mutation % 4 == 0 {
                bytes.clone_from(&seeds[below(seeds.len(), rng)].1);
            }
            mutate(&mut bytes, &seeds, rng);
            bytes.truncate(4096);
            run(name, target, &bytes);
        }
    }
}

/// Runs a target and tells which bytes made it panic.
fn run(name: &str, target: hostile::Target, bytes: &[u8]) {
    if std::panic::catch_unwind(|| target(bytes)).is_err() {
        let text = String::from_utf8_lossy(bytes);
        panic!("{name} does not survive {bytes:?}, which reads {text}");
    }
}

fn mutate(bytes: &mut Vec<u8>, seeds: &[(PathBuf, Vec<u8>)], rng: &mut XorShiftRng) {
    let at = below(bytes.len() + 1, rng);
    let until = at + below(bytes.len() - at + 1, rng);
    let other = &seeds[below(seeds.len(), rng)].1;
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
