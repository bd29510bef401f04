//! `ipse watch`, on what sessions send, on damaged and foreign streams, and on emulators and ports that are not there,
//! fail, or do not end.
#![cfg(unix)]

mod common;
#[path = "common/streams.rs"]
mod streams;

use common::{Ran, run, scratch, spawn};
use ipse_device::{Beat, Event, FeatureName, Hello, Learned, MAX_FRAME, Reader, VERSION, encode};
use ipse_lab::formats;
use rand_core::{Rng, SeedableRng};
use rand_xorshift::XorShiftRng;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{
    LocalModes, OptionalActions, Termios, Winsize, tcgetattr, tcsetattr, tcsetwinsize,
};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use streams::{ACTIONS, CALLS, ITERATIONS, foraging, node, search, tetris};

/// Watches these bytes, from a file named after the test that needs it.
fn watch(name: &str, bytes: &[u8]) -> Ran {
    let file = scratch(&format!("watch-{name}"));
    fs::write(&file, bytes).unwrap();
    run(&["watch", &file], "")
}

/// What must have failed, with a last line that has all of these words in it.
fn refused(ran: &Ran, words: &[&str]) {
    assert!(!ran.ok, "{}", ran.out);
    let last = ran.err.lines().last().unwrap();
    assert!(last.starts_with("error: "), "{}", ran.err);
    for word in words {
        assert!(last.contains(word), "no {word:?} in: {last}");
    }
}

/// The last line.
fn last(ran: &Ran) -> &str {
    ran.out.lines().last().unwrap()
}

fn frame(event: &Event<'_>) -> Vec<u8> {
    encode(event, &mut [0; MAX_FRAME]).unwrap().to_vec()
}

/// The last weights that are in a stream.
fn sent_weights(stream: &[u8]) -> Vec<f32> {
    let mut weights = Vec::new();
    Reader::new().read(stream, |event| {
        if let Event::Ended(ended) = event {
            weights = ended.weights.to_vec();
        }
    });
    weights
}

/// The names and values of a line of weights.
fn parsed(line: &str) -> Vec<(String, f32)> {
    let mut rest = line.strip_prefix("weights").unwrap();
    let mut weights = Vec::new();
    while let Some(entry) = rest.strip_prefix(' ') {
        let mut names = serde_json::Deserializer::from_str(entry).into_iter::<String>();
        let name = names.next().unwrap().unwrap();
        let value = entry[names.byte_offset()..].strip_prefix('=').unwrap();
        let end = value.find(' ').unwrap_or(value.len());
        weights.push((name, value[..end].parse().unwrap()));
        rest = &value[end..];
    }
    assert_eq!(rest, "");
    weights
}

#[test]
fn a_run_is_told_a_line_an_iteration_and_at_the_end_in_weights_by_name() {
    let stream = tetris();
    let ran = watch("run", &stream);
    assert!(ran.ok && ran.err.is_empty(), "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "tetris by IPSE, seed 1, 120 iterations");
    for iteration in 1..=ITERATIONS {
        let told = format!(": iteration {iteration} of 120, learning ");
        let found = lines.iter().filter(|line| line.contains(&told)).count();
        assert_eq!(found, 1, "iteration {iteration}");
    }
    let ends = lines.iter().filter(|line| line.starts_with("learned in "));
    assert_eq!(ends.count(), 1);
    assert!(lines[lines.len() - 2].starts_with(&format!("action {ACTIONS}: reward ")));
    let weights = parsed(last(&ran));
    assert_eq!(weights[0].0, "landing height");
    assert_eq!(weights[1].0, "eroded piece cells");
    let values: Vec<f32> = weights.iter().map(|(_, weight)| *weight).collect();
    assert_eq!(values, sent_weights(&stream));
}

#[test]
fn a_task_is_shown_by_the_names_of_its_features() {
    let ran = watch("foraging", &foraging(7));
    assert!(ran.ok && ran.err.is_empty(), "{}", ran.err);
    assert!(
        ran.out
            .starts_with("foraging by IPSE, seed 7, 120 iterations\n")
    );
    let weights = parsed(last(&ran));
    let names: Vec<&str> = weights.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["seeds", "distance", "owls"]);
}

#[test]
fn a_search_is_told_in_calls() {
    let stream = search();
    let ran = watch("search", &stream);
    assert!(ran.ok && ran.err.is_empty(), "{}", ran.err);
    assert!(
        ran.out
            .starts_with("tetris by survival search, seed 1, 60000 calls\n")
    );
    assert!(
        ran.out
            .contains(" of 60,000 calls, learning weights by a search, ")
    );
    let screen = plain(&formats::watch(&stream, 80, 24).screen);
    assert!(screen.contains("60,000 calls"), "{screen}");
    assert!(!screen.contains(" of 4,294,967,295"), "{screen}");
    let mut most = 0;
    Reader::new().read(&stream, |event| {
        if let Event::Learned(learned) = event {
            most = learned.calls;
        }
    });
    assert!(most <= CALLS.into());
}

/// The frames of a stream up to and including the first that is like this.
fn up_to(stream: &[u8], is_it: impl Fn(&Event<'_>) -> bool) -> Vec<u8> {
    let mut reader = Reader::new();
    let found = stream
        .iter()
        .position(|byte| reader.push(*byte).as_ref().is_some_and(&is_it));
    stream[..=found.unwrap()].to_vec()
}

#[test]
fn a_board_that_acts_while_it_learns_is_watched_until_it_has_learned() {
    let stream = node();
    let learning = up_to(
        &stream,
        |event| matches!(event, Event::Acted(acted) if acted.actions == 5),
    );
    let screen = plain(&formats::watch(&learning, 80, 24).screen);
    assert!(screen.contains("learns weights by a search"), "{screen}");
    assert!(!screen.contains("plays"), "{screen}");
    let screen = plain(&formats::watch(&stream, 80, 24).screen);
    assert!(screen.contains("plays what it learned"), "{screen}");

    let file = scratch("watch-acting");
    fs::write(&file, &stream).unwrap();
    let ran = run(&["watch", "--actions", "3", &file], "");
    assert!(ran.ok, "{}", ran.err);
    let weights: Vec<f32> = parsed(last(&ran)).iter().map(|(_, w)| *w).collect();
    assert_eq!(weights, sent_weights(&stream));
}

#[test]
fn a_watcher_that_starts_in_the_middle_ends_with_the_same_weights() {
    let mut rng = XorShiftRng::seed_from_u64(1);
    let mut middle = |stream: &[u8]| rng.next_u32() as usize % last_description(stream);
    let stream = tetris();
    let weights = last(&watch("from-start", &stream)).to_owned();
    for _ in 0..50 {
        let start = middle(&stream);
        let ran = watch("from-middle", &stream[start..]);
        assert!(ran.ok, "from byte {start}: {}", ran.err);
        assert_eq!(last(&ran), weights, "from byte {start}");
    }
    for stream in [foraging(1), search()] {
        let weights = replayed(&stream);
        for _ in 0..50 {
            let start = middle(&stream);
            assert_eq!(replayed(&stream[start..]), weights, "from byte {start}");
        }
    }
}

/// The last line, without starting a program for it, of what must be a success.
fn replayed(stream: &[u8]) -> String {
    let shown = formats::watch(stream, 80, 24);
    assert_eq!(shown.result, Ok(()));
    shown.lines.lines().last().unwrap().to_owned()
}

/// Where the last description of the run begins. Whoever starts after it learns of nothing.
fn last_description(stream: &[u8]) -> usize {
    let (mut reader, mut begin, mut last) = (Reader::new(), 0, 0);
    for (place, byte) in stream.iter().enumerate() {
        match reader.push(*byte) {
            Some(Event::Hello(_)) => last = begin,
            Some(_) => begin = place,
            None => {}
        }
    }
    last
}

#[test]
fn a_watcher_that_loses_100_bytes_ends_with_the_same_weights() {
    let mut rng = XorShiftRng::seed_from_u64(2);
    let mut damaged = |stream: &[u8]| {
        let mut damaged = stream.to_vec();
        for _ in 0..100 {
            damaged.remove(rng.next_u32() as usize % damaged.len());
        }
        damaged
    };
    let stream = tetris();
    let weights = last(&watch("whole", &stream)).to_owned();
    for attempt in 0..50 {
        let ran = watch("damaged", &damaged(&stream));
        assert!(ran.ok, "attempt {attempt}: {}", ran.err);
        assert_eq!(last(&ran), weights, "attempt {attempt}");
        assert!(ran.err.starts_with("note: ") && ran.err.contains(" bytes skipped"));
    }
    for stream in [foraging(1), search()] {
        let weights = replayed(&stream);
        for attempt in 0..50 {
            assert_eq!(replayed(&damaged(&stream)), weights, "attempt {attempt}");
        }
    }
}

#[test]
fn text_and_garbage_between_frames_are_skipped_and_counted() {
    let stream = foraging(1);
    let clean = watch("clean", &stream);
    let mixed = [b"boot loader 1.0\r\n", &stream[..], b"\0\xff\x01garbage"].concat();
    let ran = watch("mixed", &mixed);
    assert!(ran.ok);
    assert_eq!(ran.out, clean.out);
    // What comes after the last zero may become a frame.
    assert_eq!(ran.err, "note: 17 bytes skipped\n");
}

#[test]
fn a_stream_that_ends_too_soon_is_a_failure_that_says_how_far_it_came() {
    let stream = foraging(1);
    refused(
        &watch("half", &stream[..stream.len() / 2]),
        &["before learning does, after iteration ", " of 120"],
    );
    refused(
        &watch("begun", &frame(&Event::Hello(hello(VERSION, &["a"])))),
        &["before the first iteration"],
    );
    refused(&watch("empty", b""), &["the stream is empty"]);
    refused(&watch("zeros", &[0; 100]), &["no telemetry"]);
    refused(
        &watch("text", b"hello\0"),
        &["no telemetry", "5 other bytes"],
    );
    let search = search();
    let half = &search[..search.len() / 2];
    refused(
        &watch("half-search", half),
        &["before learning does, after ", " of 60,000 calls"],
    );
}

#[test]
fn learning_that_has_used_its_budget_is_complete_even_if_the_end_was_lost() {
    let mut stream = Vec::new();
    Reader::new().read(&foraging(1), |event| {
        if !matches!(event, Event::Ended(_)) {
            stream.extend(frame(&event));
        }
    });
    let ran = watch("no-end", &stream);
    assert!(ran.ok, "{}", ran.err);
    assert_eq!(last(&ran), last(&watch("with-end", &foraging(1))));
}

#[test]
fn events_without_a_description_are_told_but_are_no_success() {
    let mut stream = Vec::new();
    Reader::new().read(&foraging(1), |event| {
        if !matches!(event, Event::Hello(_)) {
            stream.extend(frame(&event));
        }
    });
    let ran = watch("no-hello", &stream);
    refused(&ran, &["before the run is described, after iteration 120"]);
    assert!(ran.out.contains(": iteration 60, learning "));
}

fn hello<'a>(version: u8, names: &[&'a str]) -> Hello<'a> {
    let feature = |name: &&'a str| FeatureName {
        name,
        unit: 1.,
        bound: 1,
    };
    Hello {
        version,
        task: "task",
        learner: "learner",
        seed: 3,
        budget: None,
        features: names.iter().map(feature).collect(),
    }
}

#[test]
fn another_version_of_the_protocol_is_named() {
    let stream = [
        frame(&Event::Hello(hello(VERSION + 1, &["a"]))),
        learned(1, &[1.]),
    ]
    .concat();
    let theirs = format!("version {}", VERSION + 1);
    let ours = format!("version {VERSION}");
    refused(&watch("version", &stream), &[&theirs, &ours]);
    let screen = plain(&formats::watch(&stream, 80, 24).screen);
    assert!(screen.contains(&theirs), "{screen}");
}

/// An iteration with so many features.
fn learned(iteration: u32, weights: &[f32]) -> Vec<u8> {
    frame(&Event::Learned(Learned {
        iteration,
        phase: ipse::Phase::Weights,
        calls: u64::MAX,
        reward: i64::MIN,
        episodes: u32::MAX,
        micros: u64::MAX,
        directions: Default::default(),
        votes: [[u16::MAX; 2]].into_iter().collect(),
        weights: weights.iter().copied().collect(),
    }))
}

#[test]
fn whatever_a_stream_says_does_not_steer_the_terminal_or_break_a_line() {
    let names = ["a\x1b[2J\n", "q\"=1 \\", "日本\u{202e}"];
    let mut strange = hello(VERSION, &names);
    (strange.task, strange.learner) = ("\x1b]0;title\x07", "\r");
    let weights = [f32::NAN, f32::INFINITY, -0.1, f32::MAX, 1e-40];
    let beat = Beat {
        micros: u64::MAX,
        longest_slice: u32::MAX,
        dropped: u32::MAX,
    };
    let stream = [
        frame(&Event::Hello(strange)),
        learned(1, &weights),
        frame(&Event::Beat(beat)),
        learned(u32::MAX, &weights),
    ]
    .concat();
    let ran = watch("strange", &stream);
    assert!(!ran.out.replace('\n', "").contains(char::is_control));
    let parsed = parsed(last(&ran));
    let read: Vec<&str> = parsed.iter().map(|(name, _)| &**name).collect();
    assert_eq!(read, [&names[..], &["feature 4", "feature 5"]].concat());
    for ((_, weight), sent) in parsed.iter().zip(weights) {
        assert!(*weight == sent || weight.is_nan() && sent.is_nan());
    }
    for (width, height) in SIZES {
        fits(&stream, width, height);
    }
}

#[test]
fn a_board_that_is_reset_begins_again() {
    let (first, second) = (foraging(1), foraging(2));
    let ran = watch("two-runs", &[&first[..first.len() / 2], &second].concat());
    assert!(ran.ok, "{}", ran.err);
    assert!(
        ran.out
            .contains("the board was reset\nforaging by IPSE, seed 2, ")
    );
    assert_eq!(last(&ran), last(&watch("second-run", &second)));
    // The same run again: the description is the same, but iterations go back.
    let ran = watch(
        "again",
        &[&second[..], &second[..second.len() / 2]].concat(),
    );
    refused(&ran, &["before learning does, after iteration "]);
    assert_eq!(ran.out.matches("the board was reset").count(), 1);
}

const SIZES: [(usize, usize); 9] = [
    (60, 20),
    (80, 24),
    (120, 40),
    (200, 60),
    (100, 24),
    (300, 10),
    (20, 100),
    (5, 3),
    (1, 1),
];

fn plain(lines: &[String]) -> String {
    anstream::adapter::strip_str(&lines.join("\n")).to_string()
}

/// A screen is as large as the terminal, at the most.
fn fits(stream: &[u8], width: usize, height: usize) {
    let screen = formats::watch(stream, width, height).screen;
    assert_eq!(screen.len(), height);
    for line in screen {
        let columns = console::measure_text_width(&line);
        assert!(columns <= width, "{columns} columns of {width}: {line:?}");
    }
}

#[test]
fn the_screen_fits_any_terminal_at_any_time() {
    for stream in [tetris(), foraging(1), search()] {
        for part in 0..=4 {
            for (width, height) in SIZES {
                fits(&stream[..stream.len() * part / 4], width, height);
            }
        }
    }
}

#[test]
fn the_screen_has_everything_at_the_usual_sizes() {
    let stream = tetris();
    for (width, height) in [(60, 20), (80, 24), (120, 40), (200, 60)] {
        let screen = plain(&formats::watch(&stream, width, height).screen);
        for text in [
            "tetris by IPSE on a board",
            "seed 1",
            "plays what it learned",
            "100 actions",
            "+ pro",
            "− con",
            "landing height",
            "rows with holes",
            "reward of an episode",
            "longest slice",
        ] {
            assert!(
                screen.contains(text),
                "no {text:?} at {width}x{height}:\n{screen}"
            );
        }
        // The picture, in dots or in blocks, and the curve.
        let is_drawn = |c: char| ('\u{2801}'..='\u{28ff}').contains(&c) || "▀▄█".contains(c);
        assert!(
            screen.chars().filter(|c| is_drawn(*c)).count() > 50,
            "{screen}"
        );
    }
    let half = plain(&formats::watch(&stream[..stream.len() / 2], 80, 24).screen);
    assert!(half.contains("learns weights  ━"), "{half}");
    assert!(half.contains(" of 120"), "{half}");
    let empty = plain(&formats::watch(b"", 80, 24).screen);
    assert!(
        empty.contains("waiting for the description of the run"),
        "{empty}"
    );
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let refuse = |args: &[&str], words: &[&str]| {
        let ran = run(&[&["watch"], args].concat(), "");
        assert!(!ran.ok && ran.err.lines().count() == 1, "{}", ran.err);
        for word in words {
            assert!(ran.err.contains(word), "no {word:?} in: {}", ran.err);
        }
    };
    refuse(&["--qemu", "a", "--rp2040", "b"], &["--rp2040"]);
    refuse(&["--qemu", "a", "file"], &["--qemu"]);
    refuse(&["--serial", "a", "file"], &["--serial"]);
    refuse(&["--rp2040", "a", "--", "seed=7"], &["--rp2040", "SETTING"]);
    refuse(&["--", "seed=7"], &["--qemu"]);
    refuse(&["file", "--baud", "9600"], &["--baud", "FILE"]);
    refuse(&["--baud", "9600"], &["--serial"]);
    refuse(&["--actions", "0"], &["--actions", "from 1 to"]);
    refuse(&["no-such-stream"], &["no-such-stream", "cannot read"]);
    refuse(
        &["--qemu", "no-such-image"],
        &["no-such-image", "cannot read"],
    );
    refuse(
        &["--serial", "no-such-port"],
        &["no-such-port", "cannot open"],
    );
    refuse(
        &["--serial", "/dev/null"],
        &["/dev/null", "not a serial port"],
    );
    refuse(
        &["--save", "no/such/folder"],
        &["no/such/folder", "cannot write"],
    );
}

#[test]
fn what_is_read_is_saved_as_it_is() {
    let (file, saved) = (scratch("watch-to-save"), scratch("watch-saved"));
    let stream = [b"noise", &foraging(1)[..]].concat();
    fs::write(&file, &stream).unwrap();
    assert!(run(&["watch", &file, "--save", &saved], "").ok);
    assert_eq!(fs::read(&saved).unwrap(), stream);
    let ran = run(&["watch", &file, "--save", &file], "");
    refused(&ran, &["--save", &file, "is watched"]);
    assert_eq!(fs::read(&file).unwrap(), stream, "it is not emptied");
    // All of it, even if nobody reads the lines.
    fs::remove_file(&saved).unwrap();
    let mut child = spawn(&["watch", &file, "--save", &saved]);
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read(&saved).unwrap(), stream);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_saved_is_a_failure_at_the_end() {
    let stream = foraging(1);
    let told = watch("unsaved", &stream).out;
    let ran = run(
        &["watch", &scratch("watch-unsaved"), "--save", "/dev/full"],
        "",
    );
    refused(&ran, &["cannot write /dev/full"]);
    assert_eq!(ran.out, told);
}

/// A command that watches an emulator, which is really a script for the shell, in a folder named after the test that
/// needs it.
fn emulated(name: &str, program: &str, script: &str) -> Command {
    let folder = scratch(&format!("watch-{name}"));
    fs::create_dir_all(&folder).unwrap();
    let emulator = format!("{folder}/{program}");
    fs::write(&emulator, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&emulator, fs::Permissions::from_mode(0o755)).unwrap();
    let stream = format!("{folder}/stream");
    fs::write(&stream, tetris()).unwrap();
    let image = format!("{folder}/image");
    fs::write(&image, "").unwrap();
    // Signals count, even if the tests were started with some of them ignored, as by `nohup`.
    let mut command = Command::new("/usr/bin/env");
    command.args(["--default-signal", env!("CARGO_BIN_EXE_ipse"), "watch"]);
    command.arg(if program == "node" {
        "--rp2040"
    } else {
        "--qemu"
    });
    command.arg(image);
    command.env("PATH", format!("{folder}:/usr/bin:/bin"));
    command.env("STREAM", stream).env("FOLDER", folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ran(output: Output) -> Ran {
    Ran {
        ok: output.status.success(),
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

const QEMU: &str = "qemu-system-arm";

fn qemu(name: &str, script: &str) -> Ran {
    ran(emulated(name, QEMU, script).output().unwrap())
}

#[test]
fn an_emulator_that_is_missing_is_named_with_what_to_install() {
    for (program, words) in [
        (QEMU, ["qemu-system-arm is missing", "install"]),
        ("node", ["node is missing", "install"]),
    ] {
        let mut command = emulated("missing", program, "");
        command.env("PATH", "");
        refused(&ran(command.output().unwrap()), &words);
    }
}

#[test]
fn an_emulator_that_does_its_work_is_a_success_whatever_it_notes() {
    let ran = qemu("works", r#"cat "$STREAM"; echo "fingerprint 0" >&2"#);
    assert!(ran.ok && ran.err.is_empty(), "{}", ran.err);
    assert_eq!(ran.out, watch("works-file", &tetris()).out);
}

#[test]
fn an_emulator_that_is_killed_in_the_middle_is_a_failure_that_says_when() {
    let ran = qemu("killed", r#"head -c 5000 "$STREAM"; kill -9 $$"#);
    refused(
        &ran,
        &["qemu-system-arm", "SIGKILL", "after iteration", "of 120"],
    );
    assert!(ran.out.lines().count() > 5, "{}", ran.out);
}

#[test]
fn an_emulator_that_fails_is_quoted() {
    let script = "echo one >&2; echo panicked at somewhere >&2; exit 101";
    refused(
        &qemu("fails", script),
        &["status: 101", "(panicked at somewhere)"],
    );
    let mut node = emulated("fails-too", "node", "echo rp2040js is missing >&2; exit 1");
    let ran = ran(node.output().unwrap());
    refused(&ran, &["node", "status: 1", "(rp2040js is missing)"]);
}

#[test]
fn emulators_are_told_the_image_and_its_settings() {
    let mut command = emulated("settings", QEMU, r#"echo "$@" >&2; exit 1"#);
    command.args(["--", "seed=7", "a,b"]);
    let image = scratch("watch-settings/image");
    let words = ["arg=learn,arg=seed=7,arg=a,,b", &*image];
    refused(&ran(command.output().unwrap()), &words);
    let mut node = emulated("node", "node", r#"echo "$@" >&2; exit 1"#);
    let words = format!("run.mjs {}/image --telemetry -", scratch("watch-node"));
    refused(&ran(node.output().unwrap()), &[&words]);
}

/// An emulator that writes everything and then never ends.
const ENDLESS: &str = r#"echo $$ > "$FOLDER/pid"; cat "$STREAM"; exec sleep 600"#;

fn is_running(name: &str) -> bool {
    let pid = fs::read_to_string(format!("{}/pid", scratch(&format!("watch-{name}")))).unwrap();
    let status = Command::new("sh")
        .args(["-c", &format!("kill -0 {pid}")])
        .stderr(Stdio::null())
        .status();
    status.unwrap().success()
}

fn interrupt(process: u32) {
    let kill = format!("kill -INT {process}");
    Command::new("sh").args(["-c", &kill]).status().unwrap();
}

#[test]
fn an_emulator_is_stopped_when_enough_actions_were_taken() {
    let mut command = emulated("enough", QEMU, ENDLESS);
    let ran = ran(command.args(["--actions", "3"]).output().unwrap());
    assert!(ran.ok && ran.err.is_empty(), "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[lines.len() - 2].starts_with("action 3: "));
    assert!(lines[lines.len() - 1].starts_with("weights "));
    assert!(!is_running("enough"));
}

#[test]
fn an_emulator_is_stopped_when_the_one_who_watches_is_interrupted() {
    let mut command = emulated("interrupted", QEMU, ENDLESS);
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.find(|line| line.as_ref().unwrap().starts_with("action 100: "));
    interrupt(child.id());
    // Whoever is interrupted still tells the weights.
    assert!(lines.next().unwrap().unwrap().starts_with("weights "));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told, "interrupted after 100 actions\n");
    assert!(!is_running("interrupted"));
}

#[test]
fn whoever_stops_reading_has_seen_enough() {
    let file = scratch("watch-closed");
    fs::write(&file, foraging(1)).unwrap();
    let mut child = spawn(&["watch", &file]);
    drop(child.stdout.take());
    let ran = ran(child.wait_with_output().unwrap());
    assert!(ran.ok && ran.err.is_empty(), "{}", ran.err);
}

/// A pseudo-terminal: the end that a person or a board has, and the name of the other.
fn terminal(columns: u16, rows: u16) -> (File, String) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
    tcsetwinsize(&ours, size(columns, rows)).unwrap();
    (File::from(ours), name)
}

fn size(columns: u16, rows: u16) -> Winsize {
    Winsize {
        ws_col: columns,
        ws_row: rows,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}

/// Reads up to some text, or up to the end of what was written to a terminal.
fn read_until(terminal: &mut File, text: &str) -> String {
    let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&read).contains(text) {
        // Without anyone at the other end there is an error.
        match terminal.read(&mut buffer) {
            Ok(length) if length > 0 => read.extend(&buffer[..length]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&read).into_owned()
}

fn open(terminal: &str) -> File {
    let mut options = File::options();
    options.read(true).write(true).open(terminal).unwrap()
}

/// Starts a command on a terminal, which can do all that a screen needs.
fn start_on(terminal: &str, mut command: Command) -> Child {
    let open = || open(terminal);
    command.stdin(open()).stdout(open()).stderr(open());
    command.env("TERM", "xterm-256color").spawn().unwrap()
}

/// What a watcher of an emulator that never ends shows on a terminal, up to some text, and after a key was pressed.
fn pressed(name: &str, until: &str, key: &[u8], no_color: bool) -> (Option<i32>, String) {
    let (mut ours, theirs) = terminal(80, 24);
    let kept = open(&theirs);
    let before = tcgetattr(&kept).unwrap();
    let mut command = emulated(name, QEMU, ENDLESS);
    command.env_remove("NO_COLOR");
    if no_color {
        command.env("NO_COLOR", "1");
    }
    let mut child = start_on(&theirs, command);
    let mut shown = read_until(&mut ours, until);
    ours.write_all(key).unwrap();
    shown += &read_until(&mut ours, "weights \"");
    let code = child.wait().unwrap().code();
    let is_line_by_line = |settings: &Termios| settings.local_modes.contains(LocalModes::ICANON);
    let after = tcgetattr(&kept).unwrap();
    assert!(is_line_by_line(&before) && is_line_by_line(&after));
    assert_eq!(before.local_modes, after.local_modes);
    assert!(!is_running(name));
    (code, shown)
}

const ENTER: &str = "\x1b[?1049h";
const LEAVE: &str = "\x1b[?1049l";

#[test]
fn q_quits_and_the_terminal_is_as_before() {
    let (code, shown) = pressed("q", " of 120", b"q", false);
    assert_eq!(code, Some(0));
    let (screen, summary) = shown.split_once(LEAVE).unwrap();
    assert!(screen.contains(ENTER) && screen.contains("\x1b[?25l"));
    assert!(
        screen.ends_with("\x1b[?25h"),
        "the cursor is back: {screen:?}"
    );
    assert!(summary.contains("tetris by IPSE on an emulated STM32F405, seed 1"));
}

#[test]
fn ctrl_c_leaves_the_terminal_as_before() {
    let (code, shown) = pressed("ctrl-c", " of 120", b"\x03", false);
    assert_eq!(code, Some(130));
    assert!(shown.contains(LEAVE));
}

#[test]
fn keys_change_the_speed_and_pause() {
    let (code, shown) = pressed("speed", " of 120", b"++ q", false);
    assert_eq!(code, Some(0));
    assert!(shown.contains("speed ×1"), "{shown}");
}

/// Sends the same run again and again, until nobody reads it.
const AGAIN: &str = "while cat \"$STREAM\"; do sleep 0.01; done";

/// A watcher of an emulator that goes on and on, and its terminal.
struct GoingOn {
    watcher: Child,
    terminal: File,
    shown: mpsc::Receiver<Vec<u8>>,
}

impl GoingOn {
    fn start(name: &str) -> Self {
        let (terminal, theirs) = terminal(80, 24);
        let watch = emulated(name, QEMU, AGAIN);
        // With this terminal for its own, whatever the tests were started from.
        let mut command = Command::new("setsid");
        command.arg("--ctty").arg(watch.get_program());
        command.args(watch.get_args());
        command.envs(
            watch
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        let watcher = start_on(&theirs, command);
        let mut reader = terminal.try_clone().unwrap();
        let (sender, shown) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        GoingOn {
            watcher,
            terminal,
            shown,
        }
    }

    /// What is shown until nothing new comes for so long, or until some text has come.
    fn show(&self, quiet: Duration, until: &str) -> String {
        let mut shown = Vec::new();
        while !String::from_utf8_lossy(&shown).contains(until) {
            match self.shown.recv_timeout(quiet) {
                Ok(bytes) => shown.extend(bytes),
                Err(_) => break,
            }
        }
        String::from_utf8_lossy(&shown).into_owned()
    }

    /// What is shown up to some text, and to the end of the picture that it is in.
    fn picture(&self, with: &str) -> String {
        const END: &str = "\x1b[?2026l";
        let mut shown = self.show(LONG, with);
        let (_, after) = shown.split_once(with).expect("it is shown");
        if !after.contains(END) {
            shown += &self.show(LONG, END);
        }
        shown
    }

    fn press(&mut self, key: &[u8]) {
        self.terminal.write_all(key).unwrap();
    }

    fn resize(&self, columns: u16, rows: u16) {
        tcsetwinsize(&self.terminal, size(columns, rows)).unwrap();
    }

    fn quit(mut self) {
        self.press(b"q");
        assert_eq!(self.watcher.wait().unwrap().code(), Some(0));
    }
}

impl Drop for GoingOn {
    /// A test that fails leaves nothing behind that goes on.
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.watcher.kill();
    }
}

const LONG: Duration = Duration::from_secs(60);
const NEVER: &str = "\0no such text";

#[test]
fn nothing_is_drawn_during_a_pause() {
    let mut watched = GoingOn::start("pause");
    watched.picture(" of 120");
    watched.press(b" ");
    watched.picture("PAUSED");
    // Many periods of pictures.
    let later = watched.show(Duration::from_secs(2), NEVER);
    assert_eq!(later, "", "nothing new is drawn");
    watched.press(b" ");
    watched.picture("space pause");
    watched.picture(" of 120");
    watched.quit();
}

/// The rows of a screen that something was written to.
fn rows(shown: &str) -> Vec<u16> {
    let moves = shown
        .split("\x1b[")
        .filter_map(|code| code.split_once(";1H"));
    moves.filter_map(|(row, _)| row.parse().ok()).collect()
}

#[test]
fn a_window_that_is_resized_is_used_as_a_whole() {
    const CLEARED: &str = "\x1b[2J";
    let watched = GoingOn::start("resize");
    watched.picture(" of 120");
    for (columns, last) in [(120, 40), (60, 20)] {
        watched.resize(columns, last);
        let shown = watched.picture(CLEARED);
        let (_, picture) = shown.split_once(CLEARED).unwrap();
        assert_eq!(rows(picture).into_iter().max(), Some(last), "{picture}");
    }
    watched.quit();
}

#[test]
fn without_colours_there_is_none_and_signs_tell_pro_from_con() {
    let (_, shown) = pressed("no-color", " of 120", b"q", true);
    let style = |text: &str| {
        let styles = text.split("\x1b[").skip(1);
        let ends = styles.filter_map(|rest| rest.chars().find(char::is_ascii_alphabetic));
        ends.filter(|end| *end == 'm').count()
    };
    assert_eq!(style(&shown), 0, "{shown:?}");
    assert!(shown.contains("+ pro") && shown.contains("− con"));
}

#[test]
fn a_terminal_that_can_only_print_gets_lines() {
    let (mut ours, theirs) = terminal(80, 24);
    let file = scratch("watch-dumb");
    fs::write(&file, foraging(1)).unwrap();
    let slave = || {
        File::options()
            .read(true)
            .write(true)
            .open(&theirs)
            .unwrap()
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_ipse"));
    command.args(["watch", &file]).env("TERM", "dumb");
    command.stdin(slave()).stdout(slave());
    let mut child = command.spawn().unwrap();
    drop(command);
    let shown = read_until(&mut ours, "weights \"");
    assert!(child.wait().unwrap().success());
    assert!(shown.contains("iteration 120 of 120") && !shown.contains('\x1b'));
}

#[test]
fn a_serial_port_is_read_as_bytes_and_waited_for_when_it_is_gone() {
    let link = scratch("watch-port");
    let _ = fs::remove_file(&link);
    let plug = || {
        let (ours, theirs) = terminal(80, 24);
        let kept = File::options().read(true).open(&theirs).unwrap();
        let mut settings = tcgetattr(&kept).unwrap();
        settings.make_raw();
        tcsetattr(&kept, OptionalActions::Now, &settings).unwrap();
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(theirs, &link).unwrap();
        (ours, kept)
    };
    let mut port = plug();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ipse"));
    command.args(["watch", "--actions", "100", "--serial", &link]);
    command.args(["--baud", "57600"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut notes = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut note = || notes.next().unwrap().unwrap();
    let stream = tetris();
    let (before, after) = stream.split_at(stream.len() / 4);
    port.0.write_all(before).unwrap();
    let is_tenth = |line: &str| line.contains(": iteration 10 of 120");
    assert!(lines.any(|line| is_tenth(&line.unwrap())));
    drop(port);
    assert_eq!(note(), format!("{link}: disconnected"));
    port = plug();
    assert_eq!(note(), format!("{link}: connected again"));
    port.0.write_all(after).unwrap();
    let last = lines.last().unwrap().unwrap();
    assert!(child.wait().unwrap().success());
    let weights = parsed(&last).into_iter().map(|(_, weight)| weight);
    assert_eq!(weights.collect::<Vec<_>>(), sent_weights(&stream));
}

#[test]
fn a_command_goes_to_the_port_as_its_frame_and_others_are_refused() {
    let (mut ours, theirs) = terminal(80, 24);
    let _kept = File::options().read(true).open(&theirs).unwrap();
    let port = theirs;
    let sent = run(&["send", "seed=7", "--serial", &port], "");
    assert!(sent.ok, "{}", sent.err);
    let mut reader = ipse_device::CommandReader::new();
    let mut byte = [0];
    let command = loop {
        ours.read_exact(&mut byte).unwrap();
        if let Some(command) = reader.push(byte[0]) {
            break command;
        }
    };
    assert_eq!(command, ipse_device::Command::Seed(7));
    for (word, port, reason) in [
        ("stop", &*port, "restart, seed=N, pause, continue or save"),
        ("save", "no-such-port", "cannot open"),
    ] {
        let ran = run(&["send", word, "--serial", port], "");
        assert!(!ran.ok && ran.err.contains(reason), "{}", ran.err);
    }
}

/// `ipse` on a terminal of this size: what it shows, after keys that are pressed when some text has come.
fn on_terminal(
    args: &[&str],
    size: (u16, u16),
    keys: &[(&str, &[u8])],
) -> (Option<i32>, String, bool) {
    let (mut ours, theirs) = terminal(size.0, size.1);
    let kept = open(&theirs);
    let before = tcgetattr(&kept).unwrap().local_modes;
    let mut command = Command::new(env!("CARGO_BIN_EXE_ipse"));
    command.args(args);
    let mut child = start_on(&theirs, command);
    let mut shown = String::new();
    for (until, key) in keys {
        shown += &read_until(&mut ours, until);
        ours.write_all(key).unwrap();
    }
    let reader = std::thread::spawn(move || read_until(&mut ours, "\0no such text"));
    let code = child.wait().unwrap().code();
    let is_as_before = tcgetattr(&kept).unwrap().local_modes == before;
    drop(kept);
    shown += &reader.join().unwrap();
    (code, shown, is_as_before)
}

#[test]
fn a_watched_game_has_keys_and_a_summary_whenever_it_ends() {
    let args = ["play", "--watch", "--pace", "200"];
    let first = "1049h";
    for (key, code) in [(&b"q"[..], 0), (b"\x03", 130)] {
        let keys = [
            ("policy", &b" "[..]),
            ("paused", b" "),
            ("(× 1)", b"+"),
            ("(× 2)", key),
        ];
        let (found, shown, is_as_before) = on_terminal(&args, (80, 24), &keys);
        assert_eq!(found, Some(code), "{shown}");
        assert!(is_as_before && shown.contains(first));
        let (_, after) = shown.split_once(LEAVE).unwrap();
        let summary = after.trim_end().lines().last().unwrap();
        assert!(
            summary.starts_with("Stopped after ") && summary.contains(" rows."),
            "{after}"
        );
    }
}

#[test]
fn help_fits_the_window_and_tells_what_can_be_named() {
    for (columns, command) in [
        (60, "train"),
        (80, "compare"),
        (80, "explain"),
        (60, "watch"),
    ] {
        let (code, shown, _) = on_terminal(&[command, "--help"], (columns, 24), &[]);
        assert_eq!(code, Some(0));
        let shown = console::strip_ansi_codes(&shown).into_owned();
        for line in shown
            .lines()
            .filter(|line| line.split_whitespace().count() > 1)
        {
            assert!(line.chars().count() <= columns.into(), "{columns}: {line}");
        }
    }
    let top = common::run(&["--help"], "").out;
    for text in [
        "Examples:\n  tasks",
        "\n  train --task sensor-node",
        "Let a learner learn",
        "Play games with a policy",
        "List what speaks for",
    ] {
        assert!(top.contains(text), "no {text:?} in {top}");
    }
    let train = common::run(&["train", "-h"], "").out;
    assert!(train.contains("The task: tetris, "), "{train}");
}

#[test]
fn a_typo_at_a_terminal_can_be_typed_again() {
    let position = format!("{}\n", common::POSITION);
    let keys = [
        ("Ctrl-D ends.", &b"nonsense\n"[..]),
        ("line 1: not a JSON object", position.as_bytes()),
        ("behind the best", b"\x04"),
    ];
    let (code, shown, _) = on_terminal(&["explain"], (80, 24), &keys);
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("The best 3 of 17 placements"), "{shown}");
}
