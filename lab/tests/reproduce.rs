//! `ipse reproduce`, from outside, on a setting that takes a moment.

mod common;

use common::{Ran, answer, json_lines, run, scratch, spawn};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

const SETTINGS: &str = "--iterations 3 --games 2 --seed 5";
const PLAN: &str = "--algorithms lfd,m-none --replications 3";

/// A folder that is not there yet.
fn fresh(name: &str) -> String {
    let folder = scratch(&format!("reproduce-{name}"));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn reproduce(args: &str) -> Ran {
    let args = format!("reproduce {args}");
    run(&args.split_whitespace().collect::<Vec<_>>(), "")
}

fn succeed(args: &str) -> Ran {
    let ran = reproduce(args);
    assert!(ran.ok, "{args}: {}", ran.err);
    ran
}

/// Runs what must fail with one line that has all of these words in it.
fn refuse(args: &str, words: &[&str]) {
    let ran = reproduce(args);
    assert!(!ran.ok, "{args} was taken");
    assert_eq!(ran.err.lines().count(), 1, "{args}: {}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "no {word:?} in: {}", ran.err);
    }
}

fn figure2(out: &str, more: &str) -> Ran {
    succeed(&format!("figure2 {SETTINGS} {PLAN} --out {out} {more}"))
}

fn file(folder: &str, name: &str) -> String {
    let path = Path::new(folder).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn csv(folder: &str) -> String {
    file(folder, "figure2.csv")
}

/// Every file in a folder and what is in it.
fn snapshot(folder: &str) -> BTreeSet<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

/// A folder with the result of a run that nothing has disturbed, only to be read.
fn undisturbed() -> &'static str {
    static FOLDER: OnceLock<String> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let out = fresh(&format!("undisturbed-{}", std::process::id()));
        figure2(&out, "--threads 1");
        out
    })
}

/// A folder of its own with the same.
fn copy(name: &str) -> String {
    let out = fresh(name);
    fs::create_dir_all(&out).unwrap();
    for (name, content) in snapshot(undisturbed()) {
        fs::write(Path::new(&out).join(name), content).unwrap();
    }
    out
}

#[test]
fn there_is_a_row_for_each_algorithm_replication_and_point() {
    let table = csv(undisturbed());
    let mut rows = table
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let heading =
        "algorithm,replication,seed,iteration,calls,rows,standard_error,games,switch,checksum-v2";
    assert_eq!(rows.next().unwrap().join(","), heading);
    let keys: Vec<_> = rows
        .map(|row| format!("{} {} {}", row[0], row[1], row[3]))
        .collect();
    let expected: Vec<_> = ["lfd", "m-none"]
        .iter()
        .flat_map(|name| (1..=3).flat_map(move |r| (1..=3).map(move |i| format!("{name} {r} {i}"))))
        .collect();
    assert_eq!(keys, expected);
}

#[test]
fn all_files_of_figure_2_are_written() {
    let names: Vec<_> = snapshot(undisturbed())
        .into_iter()
        .map(|(n, _)| n)
        .collect();
    for name in [
        "figure2.csv",
        "figure2.md",
        "figure2-iterations.svg",
        "figure2-iterations.png",
        "figure2-calls.svg",
        "figure2-calls.png",
    ] {
        assert!(names.iter().any(|found| found == name), "{name}: {names:?}");
    }
    let svg = file(undisturbed(), "figure2-iterations.svg");
    for text in [
        "LFD",
        "M-learning, not regularised",
        "iterations",
        "rows a game",
    ] {
        assert!(svg.contains(text), "no {text:?}");
    }
}

#[test]
fn nothing_depends_on_the_number_of_threads() {
    let out = fresh("threads");
    figure2(&out, "--threads 3");
    for name in ["figure2.csv", "figure2.md", "figure2-calls.svg"] {
        assert_eq!(file(&out, name), file(undisturbed(), name));
    }
}

#[test]
fn a_single_replication_is_the_same_run_alone() {
    let only = succeed(&format!("figure2 {SETTINGS} --only m-none:2")).out;
    let table = csv(undisturbed());
    let rows: Vec<_> = table
        .lines()
        .filter(|row| row.starts_with("m-none,2,"))
        .collect();
    assert_eq!(only.lines().skip(1).collect::<Vec<_>>(), rows);
}

#[test]
fn a_replication_is_the_run_that_train_makes_from_its_seed() {
    let table = csv(undisturbed());
    for row in table.lines().skip(1) {
        let row: Vec<&str> = row.split(',').collect();
        let args = format!(
            "train --algorithm {} --seed {} --iterations {} --games 2 --json",
            row[0], row[2], row[3]
        );
        if row[3] != "3" {
            continue;
        }
        let records = json_lines(&answer(&args.split(' ').collect::<Vec<_>>(), ""));
        let last = records.last().unwrap();
        assert_eq!(last["total_calls"].to_string(), row[4]);
        assert_eq!(last["mean"].as_f64(), row[5].parse().ok());
        assert_eq!(last["standard_error"].as_f64(), row[6].parse().ok());
    }
}

#[test]
fn a_second_start_finds_everything_and_changes_nothing() {
    let out = copy("again");
    let before = snapshot(&out);
    let again = figure2(&out, "");
    assert!(
        again.err.contains("found 6 of 6 replications"),
        "{}",
        again.err
    );
    assert!(!again.err.contains("running"));
    assert_eq!(snapshot(&out), before);
}

#[test]
fn an_algorithm_can_be_added_later_and_only_that_runs() {
    let out = fresh("later");
    let args = format!("figure2 {SETTINGS} --replications 3 --out {out} --algorithms");
    succeed(&format!("{args} m-none"));
    let second = succeed(&format!("{args} lfd,m-none"));
    assert!(
        second.err.contains("running 3 replications"),
        "{}",
        second.err
    );
    assert_eq!(csv(&out), csv(undisturbed()));
}

#[test]
fn results_are_found_again_in_the_table_alone() {
    let out = copy("table-alone");
    fs::remove_file(Path::new(&out).join("runs-1-of-1.csv")).unwrap();
    let again = figure2(&out, "");
    assert!(again.err.contains("found 6 of 6"), "{}", again.err);
    assert_eq!(csv(&out), csv(undisturbed()));
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_table() {
    let out = fresh("killed");
    let args = format!("reproduce figure2 {SETTINGS} {PLAN} --threads 2 --out {out}");
    let args: Vec<&str> = args.split_whitespace().collect();
    let mut kills = 0;
    for pause in [5, 20, 45, 80, 130, 210, 340] {
        let mut child = spawn(&args);
        thread::sleep(Duration::from_millis(pause));
        kills += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(kills > 0, "it was always faster");
    figure2(&out, "");
    assert_eq!(csv(&out), csv(undisturbed()));
    assert_eq!(file(&out, "figure2.md"), file(undisturbed(), "figure2.md"));
}

#[test]
fn a_replication_that_was_cut_short_is_named_and_run_again() {
    let out = copy("torn");
    for name in ["figure2.csv", "figure2.md"] {
        fs::remove_file(Path::new(&out).join(name)).unwrap();
    }
    let journal = Path::new(&out).join("runs-1-of-1.csv");
    let text = fs::read_to_string(&journal).unwrap();
    // In the last of 1 + 6 × 3 lines; that replication began three lines from the end.
    fs::write(&journal, &text[..text.len() - 5]).unwrap();
    let again = figure2(&out, "");
    for words in [
        "runs-1-of-1.csv, line 17",
        "found 5 of 6",
        "running 1 replication ",
    ] {
        assert!(again.err.contains(words), "no {words:?} in {}", again.err);
    }
    assert_eq!(csv(&out), csv(undisturbed()));
}

fn shard(out: &str, part: u64) -> String {
    format!("reproduce figure2 {SETTINGS} {PLAN} --threads 1 --out {out} --shard {part}/3")
}

#[test]
fn shards_that_run_at_once_in_one_folder_merge_to_the_same_result() {
    let out = fresh("shards");
    let shards: Vec<_> = (1..=3)
        .map(|part| spawn(&shard(&out, part).split_whitespace().collect::<Vec<_>>()))
        .collect();
    for shard in shards {
        let ended = shard.wait_with_output().unwrap();
        assert!(
            ended.status.success(),
            "{}",
            String::from_utf8_lossy(&ended.stderr)
        );
    }
    succeed(&format!("merge {PLAN} --out {out}"));
    for name in ["figure2.csv", "figure2.md", "figure2-iterations.svg"] {
        assert_eq!(file(&out, name), file(undisturbed(), name));
    }
}

#[test]
fn shards_in_folders_of_their_own_merge_to_the_same_result() {
    let parts: Vec<String> = (1..=3).map(|part| fresh(&format!("part-{part}"))).collect();
    for (part, out) in (1..).zip(&parts) {
        let args = shard(out, part);
        assert!(run(&args.split_whitespace().collect::<Vec<_>>(), "").ok);
    }
    let out = fresh("parts");
    let missing = format!("merge {} {} {PLAN} --out {out}", parts[0], parts[2]);
    refuse(&missing, &["2 replications are missing", "m-none:2"]);
    assert!(!Path::new(&out).exists(), "nothing was written");
    succeed(&format!("merge {} {PLAN} --out {out}", parts.join(" ")));
    assert_eq!(csv(&out), csv(undisturbed()));
}

#[test]
fn shards_under_gnu_parallel_merge_to_the_same_result() {
    let found = Command::new("parallel").arg("--version").output();
    assert!(
        found.is_ok_and(|it| it.stdout.starts_with(b"GNU parallel")),
        "GNU parallel is missing: `cargo xtask test` installs it (Debian: parallel)"
    );
    let out = fresh("gnu-parallel");
    let command = shard(&out, 7).replace("7/3", "{}/3");
    let ran = Command::new("parallel")
        .args(["--will-cite", "--jobs", "3", env!("CARGO_BIN_EXE_ipse")])
        .args(command.split_whitespace())
        .args([":::", "1", "2", "3"])
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    succeed(&format!("merge {PLAN} --out {out}"));
    assert_eq!(csv(&out), csv(undisturbed()));
}

#[test]
fn a_second_process_is_kept_out_of_a_journal() {
    let out = fresh("twice");
    let args = format!("reproduce figure2 --out {out} --algorithms m-cv --threads 1");
    let mut first = spawn(&args.split_whitespace().collect::<Vec<_>>());
    while !Path::new(&out).join("runs-1-of-1.csv").exists() {
        assert!(first.try_wait().unwrap().is_none());
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(50));
    refuse(
        &format!("figure2 --out {out} --algorithms m-cv"),
        &["another process", "--out"],
    );
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn damage_is_reported_with_file_and_line_and_nothing_is_overwritten() {
    let damages: [(&str, &str, &str, &str); 6] = [
        ("figure2.csv", "lfd,1,", "lfd,1x,", "line 2: replication"),
        (
            "figure2.csv",
            "m-none,3,",
            "m-nine,3,",
            "line 17: no algorithm \"m-nine\"",
        ),
        (
            "figure2.csv",
            "algorithm,",
            "algorithms,",
            "line 1: it should be",
        ),
        (
            "runs-1-of-1.csv",
            "lfd,2,",
            "lfd,3,",
            "the seed is not that of the replication",
        ),
        ("runs-1-of-1.csv", ",2,,", ",3,,", "another number of games"),
        ("runs-1-of-1.csv", ",2,,", ",2,1,", "its checksum is"),
    ];
    for (i, (name, right, wrong, words)) in damages.into_iter().enumerate() {
        let out = copy(&format!("damaged-{i}"));
        let path = Path::new(&out).join(name);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen(right, wrong, 1)).unwrap();
        let before = snapshot(&out);
        let args = format!("figure2 {SETTINGS} {PLAN} --out {out}");
        refuse(&args, &[name, "line ", words, "nothing was changed"]);
        refuse(&format!("merge {PLAN} --out {out}"), &[name, words]);
        assert_eq!(snapshot(&out), before);
    }
}

#[test]
fn silent_changes_of_digits_and_bits_are_not_merged_and_the_replication_is_named() {
    let out = copy("silent");
    fs::remove_file(Path::new(&out).join("figure2.csv")).unwrap();
    let path = Path::new(&out).join("runs-1-of-1.csv");
    let text = fs::read(&path).unwrap();
    let header = text.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let digits = (header..text.len()).filter(|&at| text[at].is_ascii_digit());
    for (i, at) in digits.step_by(17).enumerate() {
        let mut changed = text.clone();
        changed[at] = match i % 2 {
            0 => b'0' + (text[at] - b'0' + 1) % 10,
            _ => text[at] ^ 1 << (i / 2 % 8),
        };
        fs::write(&path, &changed).unwrap();
        let words = [
            "runs-1-of-1.csv, line ",
            "nothing was changed: to make ",
            " again, delete its lines ",
        ];
        refuse(&format!("merge {PLAN} --out {out}"), &words);
    }
    fs::write(&path, &text).unwrap();
    succeed(&format!("merge {PLAN} --out {out}"));
}

#[test]
fn what_the_advice_about_a_damaged_replication_says_makes_it_again() {
    let out = copy("advice");
    for name in ["figure2.csv", "figure2.md"] {
        fs::remove_file(Path::new(&out).join(name)).unwrap();
    }
    let path = Path::new(&out).join("runs-1-of-1.csv");
    let text = fs::read_to_string(&path).unwrap();
    let (line, _) = text
        .lines()
        .enumerate()
        .find(|(_, line)| line.starts_with("m-none,2,"))
        .unwrap();
    let changed = text.replacen("m-none,2,", "m-none,3,", 1);
    fs::write(&path, changed).unwrap();
    let lines = format!(
        "to make m-none:2 again, delete its lines {} to {}",
        line + 1,
        line + 3
    );
    refuse(&format!("merge {PLAN} --out {out}"), &[&lines]);
    let kept: String = text
        .lines()
        .enumerate()
        .filter(|(i, _)| !(line..line + 3).contains(i))
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    fs::write(&path, kept).unwrap();
    let again = figure2(&out, "");
    assert!(
        again.err.contains("running 1 replication "),
        "{}",
        again.err
    );
    assert_eq!(csv(&out), csv(undisturbed()));
}

#[test]
fn a_folder_of_the_first_version_of_the_format_goes_on_and_gets_checksums() {
    let out = copy("first-version");
    let unchecked = |text: &str| -> String {
        let lines = text.lines().map(|line| line.rsplit_once(',').unwrap().0);
        lines.map(|line| format!("{line}\n")).collect()
    };
    for name in ["figure2.csv", "runs-1-of-1.csv"] {
        let path = Path::new(&out).join(name);
        let old = unchecked(&fs::read_to_string(&path).unwrap());
        // The last replication of the journal was not run yet.
        let lines = if name == "figure2.csv" { 19 } else { 16 };
        let old: String = old
            .lines()
            .take(lines)
            .map(|line| format!("{line}\n"))
            .collect();
        fs::write(path, old).unwrap();
    }
    fs::remove_file(Path::new(&out).join("figure2.csv")).unwrap();
    let again = figure2(&out, "");
    for words in [
        "runs-1-of-1.csv had no checksums",
        "found 5 of 6",
        "running 1 replication ",
    ] {
        assert!(again.err.contains(words), "no {words:?} in {}", again.err);
    }
    assert_eq!(csv(&out), csv(undisturbed()));
    let journal = file(&out, "runs-1-of-1.csv");
    assert_eq!(journal.lines().count(), 19);
    assert!(journal.starts_with("algorithm,") && journal.contains(",checksum-v2\n"));
    succeed(&format!("merge {PLAN} --out {out}"));
}

#[test]
fn the_stored_results_are_intact() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/results");
    for (name, files) in [
        ("figure2", ["figure2.csv", "figure2.md"]),
        ("ablations", ["ablations.csv", "ablations.md"]),
    ] {
        let out = fresh(&format!("stored-{name}"));
        let ran = succeed(&format!(
            "merge {} --out {out}",
            stored.join(name).display()
        ));
        assert!(!ran.err.contains("checksums"), "{}", ran.err);
        for file_name in files {
            let stored = fs::read_to_string(stored.join(name).join(file_name)).unwrap();
            assert!(file(&out, file_name) == stored, "{file_name}");
        }
    }
}

#[test]
fn two_results_for_one_replication_are_not_chosen_between() {
    let out = copy("contradiction");
    let path = Path::new(&out).join("runs-1-of-1.csv");
    let text = fs::read_to_string(&path).unwrap();
    // In the first version of the format, nothing else would tell.
    let text: String = text
        .lines()
        .map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n")
        .collect();
    let line = text.lines().nth(1).unwrap();
    let mut fields: Vec<&str> = line.split(',').collect();
    fields[5] = "123456";
    fs::write(&path, text.replacen(line, &fields.join(","), 1)).unwrap();
    refuse(
        &format!("figure2 {SETTINGS} {PLAN} --out {out}"),
        &[
            "runs-1-of-1.csv, line 2",
            "another result for the same replication",
        ],
    );
}

#[test]
fn a_folder_with_other_settings_is_refused() {
    let out = copy("settings");
    let before = snapshot(&out);
    let other = |settings: &str| format!("figure2 {settings} {PLAN} --out {out}");
    refuse(
        &other("--iterations 4 --games 2 --seed 5"),
        &["--iterations 3", "not 4", "--out"],
    );
    refuse(
        &other("--iterations 3 --games 9 --seed 5"),
        &["--games 2", "not 9"],
    );
    refuse(&other("--iterations 3 --games 2"), &["--seed 5", "not 1"]);
    refuse(
        &format!("ablations {SETTINGS} --out {out}"),
        &["figure2", "ablations"],
    );
    assert_eq!(snapshot(&out), before);
}

#[test]
fn a_foreign_or_unwritable_folder_is_refused() {
    let out = fresh("foreign");
    fs::create_dir_all(&out).unwrap();
    let thesis = Path::new(&out).join("thesis.tex");
    fs::write(&thesis, "precious").unwrap();
    for what in ["figure1", "figure2", "ablations"] {
        refuse(&format!("{what} --out {out}"), &["thesis.tex", "--out"]);
    }
    refuse(&format!("merge --out {out}"), &["reproduce.json"]);
    assert_eq!(snapshot(&out).len(), 1);
    refuse(
        &format!("figure2 --out {}", thesis.display()),
        &["cannot make", "thesis.tex"],
    );
    refuse(
        "figure2 --out /proc/nowhere",
        &["cannot make /proc/nowhere"],
    );
    assert_eq!(fs::read_to_string(&thesis).unwrap(), "precious");
}

#[test]
fn bad_flags_are_refused() {
    let out = fresh("flags");
    for (args, words) in [
        ("figure2 --shard 3/2", "I from 1 to N"),
        ("figure2 --shard 0/2", "I from 1 to N"),
        ("figure2 --shard two", "I/N"),
        (
            "figure2 --algorithms ipse,magic",
            "no algorithm \"magic\"; give ipse, lfd",
        ),
        ("figure2 --replications 0", "from 1 to"),
        ("figure2 --games x", "whole number"),
        ("figure2 --only ipse", "ipse:17"),
        ("figure2 --only magic:1", "no algorithm"),
        ("figure2 --only ipse:0", "ipse:17"),
        ("figure2 --x time", "iterations"),
        (
            "ablations --variants magic",
            "no algorithm \"magic\"; give default",
        ),
        ("merge somewhere", "--out"),
    ] {
        let args = match args.starts_with("merge") {
            true => args.to_owned(),
            false => format!("{args} --out {out}"),
        };
        refuse(&args, &[words]);
    }
    assert!(!Path::new(&out).exists(), "nothing was written");
}

#[test]
fn the_weights_of_figure_1_are_in_units_of_the_last() {
    let out = fresh("figure1");
    succeed(&format!("figure1 --iterations 12 --out {out}"));
    let table = file(&out, "figure1.csv");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(1)
        .map(|l| l.split(',').collect())
        .collect();
    assert_eq!(rows.len(), 12);
    for row in &rows {
        assert_eq!((row.len(), row[1]), (10, "directions"));
        assert!(["-1", "0", "1"].contains(&row[9]), "{row:?}");
    }
    assert!(file(&out, "figure1.svg").contains("rows with holes"));
    assert!(Path::new(&out).join("figure1.png").exists());
}

#[test]
fn ablations_are_compared_with_the_default() {
    let out = fresh("ablations");
    let args = "--iterations 2 --games 2 --replications 2 --variants default,filter,rule-before";
    let ran = succeed(&format!("ablations {args} --out {out}"));
    assert_eq!(ran.out, file(&out, "ablations.md"));
    let rows: Vec<&str> = ran
        .out
        .lines()
        .filter(|line| line.contains(" | 2 | "))
        .collect();
    assert_eq!(rows.len(), 3, "{}", ran.out);
    assert!(rows[0].starts_with("| the default") && rows[0].contains("| – |"));
    assert!(rows[1].starts_with("| dominance filter") && rows[1].contains(" to "));
}
