//! What the sources of the core, and firmware that users copy, may mention.

use std::fs;
use std::path::{Path, PathBuf};

fn core() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../src")
}

/// Every file of the core below a folder but those of the task that it comes with.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let others = entries.filter(|path| !path.ends_with("src/tetris"));
    let files = others.flat_map(|path| match path.is_dir() {
        true => sources(&path),
        false => vec![path],
    });
    // Guides are documentation.
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// The lines of code that mention the task, with their numbers. Documentation may: it has examples.
fn mentions(text: &str) -> Vec<(usize, &str)> {
    let code = |line: &str| !line.trim().starts_with("//!") && !line.trim().starts_with("///");
    let lines = (1..).zip(text.lines()).filter(|(_, line)| code(line));
    let mentions = |line: &str| line.to_lowercase().contains("tetris");
    lines.filter(|(_, line)| mentions(line)).collect()
}

#[test]
fn nothing_in_the_core_knows_that_a_task_is_tetris() {
    let sources = sources(&core());
    assert!(sources.len() > 20, "{sources:?}");
    for path in sources {
        let text = fs::read_to_string(&path).unwrap();
        let mut mentions = mentions(&text);
        if path.ends_with("src/lib.rs") {
            // The module itself.
            mentions.retain(|(_, line)| *line != "pub mod tetris;");
        }
        assert_eq!(mentions, [], "{}", path.display());
    }
}

#[test]
fn the_firmware_to_be_copied_is_short_and_knows_no_tetris() {
    for board in ["emulated", "rp2040"] {
        let path = core().join(format!("../examples/{board}/src/bin/forage.rs"));
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains("Foraging"));
        assert!(text.lines().count() <= 40, "{board}");
        assert!(!text.to_lowercase().contains("tetris"), "{board}");
    }
}

#[test]
fn a_mention_is_found_in_code_and_comments_and_not_in_documentation() {
    let text = "//! Tetris\n/// Tetris\nlet a = 1; // TETRIS\nuse crate::tetris::Board;\n";
    let lines: Vec<usize> = mentions(text).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [3, 4]);
}
