//! `ipse watch`, on a run that was recorded from the firmware, and on emulators that are not there,
//! fail, or do not end.
//!
//! The recorded run is that of `learn` in `examples/emulated`, in QEMU, with the settings `parity`
//! and `pieces=20`. What decodes it is left of the image by
//! `objcopy -I elf32-little -O elf32-little --strip-debug --only-section=.defmt`.
#![cfg(unix)]

mod common;

use common::{Ran, run, scratch, spawn};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};

const ELF: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recorded/learn.elf");
const STREAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recorded/parity.defmt");
const ITERATIONS: usize = 40;

fn stream() -> Vec<u8> {
    fs::read(STREAM).unwrap()
}

/// Watches these bytes, from a file named after the test that needs it.
fn watch(name: &str, bytes: &[u8]) -> Ran {
    let file = scratch(name);
    fs::write(&file, bytes).unwrap();
    run(&["watch", "--elf", ELF, "--input", &file], "")
}

/// What must have failed, with one line that has all of these words in it.
fn refused(ran: &Ran, words: &[&str]) {
    assert!(!ran.ok, "{}", ran.out);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.starts_with("error: "), "{}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "no {word:?} in: {}", ran.err);
    }
}

#[test]
fn a_recorded_run_is_told_a_line_an_event() {
    let ran = watch("recorded", &stream());
    assert!(ran.ok && ran.err.is_empty(), "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "learning for 40 iterations from seed 1");
    for (number, line) in lines[1..=ITERATIONS].iter().enumerate() {
        let phase = if number < 20 { "directions" } else { "weights" };
        let said = format!("iteration {} of 40, learning {phase}, ", number + 1);
        assert!(line.contains(&said), "no {said:?} in {line}");
    }
    assert!(lines[ITERATIONS + 1].starts_with("learned in "));
    assert!(lines[ITERATIONS + 2].starts_with("piece 1: "));
    assert!(lines[lines.len() - 1].starts_with("piece 20: "));
}

#[test]
fn a_frame_that_does_not_end_is_refused_before_it_fills_the_memory() {
    let noise = vec![b'x'; 1 << 17];
    refused(&watch("endless", &noise), &["frame 1", "does not end"]);
    let file = scratch("endless-line");
    fs::write(&file, &noise).unwrap();
    refused(
        &run(&["watch", "--input", &file], ""),
        &["frame 1", "does not end", "--elf"],
    );
}

#[test]
fn what_a_stream_says_does_not_steer_the_terminal() {
    let file = scratch("steering");
    fs::write(&file, "beat delay=\u{1b}[2J\n").unwrap();
    let ran = run(&["watch", "--input", &file], "");
    refused(&ran, &["not an event", "[2J"]);
    assert!(!ran.err.contains('\u{1b}'), "{:?}", ran.err);
}

#[test]
fn a_stream_from_a_pipe_is_told_as_from_a_file() {
    let output = Command::new(env!("CARGO_BIN_EXE_ipse"))
        .args(["watch", "--elf", ELF])
        .stdin(fs::File::open(STREAM).unwrap())
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        watch("file", &stream()).out
    );
}

const DECODED: &str = "\
      Running on chip
[INFO ] began seed=9; iterations=1 (board src/frame.rs:29)
learned iteration=1; phase=Directions; directions=[Con, Pro, Con, Con, Con, Con, Undecided, Con]; \
weights=[-1, 1, -1, -1, -1, -1, 0, -1]; calls=3400; rows=0; over=false; ticks=1500000; \
columns=[3, 3, 0, 0, 0, 0, 0, 0, 0, 0]; piece=T
";
const END: &str = "\
ended fingerprint=85944171f73967e8; weights=[-1, 1, -1, -1, -1, -1, 0, -1]; calls=3400; rows=0; \
ticks=1500000
";

#[test]
fn lines_that_a_probe_has_decoded_need_no_image() {
    let ran = run(&["watch"], &format!("{DECODED}{END}"));
    assert!(ran.ok && ran.err.is_empty(), "{}", ran.err);
    assert_eq!(
        ran.out,
        "learning for 1 iteration from seed 9\n\
         1.500 s: iteration 1 of 1, learning directions, directions -+----?-, weights -1.000 1.000 \
         -1.000 -1.000 -1.000 -1.000 0.000 -1.000, 3,400 calls, 0 rows so far\n\
         learned in 1.500 s: weights -1.000 1.000 -1.000 -1.000 -1.000 -1.000 0.000 -1.000, 3,400 \
         calls, 0 rows, fingerprint 85944171f73967e8\n"
    );
}

#[test]
fn lines_that_end_too_soon_or_say_nothing_are_refused() {
    refused(
        &run(&["watch"], DECODED),
        &["before the learning", "iteration 1 of 1"],
    );
    refused(&run(&["watch"], ""), &["--elf"]);
    refused(&run(&["watch"], "hello\n"), &["--elf"]);
    let wrong = DECODED
        .replace("1023", "1024")
        .replace("phase=Directions", "phase=Sleep");
    refused(&run(&["watch"], &wrong), &["not an event", "phase=Sleep"]);
}

#[test]
fn a_stream_that_is_cut_off_is_refused_wherever_that_is() {
    let stream = stream();
    let frames: Vec<usize> = (1..=stream.len()).filter(|&n| stream[n - 1] == 0).collect();
    let cuts = frames[..30].iter().flat_map(|&end| [end, end + 5]);
    for cut in cuts.chain([0, 1]) {
        let ran = watch("cut", &stream[..cut]);
        refused(&ran, &["the stream ends"]);
    }
    refused(
        &watch("cut", &stream[..stream.len() - 5]),
        &["middle of a frame", "pieces"],
    );
}

#[test]
fn a_stream_that_does_not_belong_to_the_image_is_refused() {
    refused(&watch("zeros", &[0; 100]), &["the stream ends"]);
    refused(
        &watch("garbage", b"\x77\x77\x77\0\x55\0"),
        &["corrupt", "very image"],
    );
    let mut garbled = stream();
    garbled[100..140].fill(0xa5);
    refused(&watch("garbled", &garbled), &["corrupt"]);
}

#[test]
fn no_byte_that_is_wrong_makes_it_crash() {
    let good = stream();
    for position in (0..good.len().min(2000)).step_by(7) {
        let mut stream = good.clone();
        stream[position] ^= 0x55;
        let ran = watch("flipped", &stream);
        assert!(ran.ok == ran.err.is_empty(), "byte {position}: {}", ran.err);
        if !ran.ok {
            refused(&ran, &[]);
        }
    }
}

#[test]
fn images_without_frames_are_refused() {
    let refuse = |elf: &str, words: &[&str]| {
        refused(
            &run(&["watch", "--qemu", "--elf", elf], ""),
            &[&[elf], words].concat(),
        );
    };
    refuse("no-such-image", &["cannot read"]);
    refuse(env!("CARGO_MANIFEST_DIR"), &["cannot read"]);
    refuse(STREAM, &["not an image"]);
    refuse(
        env!("CARGO_BIN_EXE_ipse"),
        &["no defmt frames", "with its logs"],
    );
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let refuse = |args: &[&str], words: &[&str]| {
        refused(&run(&[&["watch"], args].concat(), ""), words);
    };
    refuse(&["--qemu"], &["--elf"]);
    refuse(&["--rp2040"], &["--elf"]);
    refuse(&["--qemu", "--rp2040", "--elf", ELF], &["--rp2040"]);
    refuse(&["--qemu", "--elf", ELF, "--input", STREAM], &["--input"]);
    refuse(&["--elf", ELF, "--", "seed=7"], &["--qemu"]);
    refuse(&["--pieces", "0"], &["--pieces", "at least 1"]);
    refuse(
        &["--input", "no-such-stream"],
        &["no-such-stream", "cannot read"],
    );
}

/// A command that watches an emulator, which is really a script for the shell, in a folder named
/// after the test that needs it.
fn emulated(name: &str, program: &str, script: &str) -> Command {
    let folder = scratch(name);
    fs::create_dir_all(&folder).unwrap();
    let emulator = format!("{folder}/{program}");
    fs::write(&emulator, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&emulator, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ipse"));
    command.args(["watch", "--elf", ELF]);
    command.env("PATH", format!("{folder}:/usr/bin:/bin"));
    command.env("STREAM", STREAM).env("FOLDER", folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ran(output: Output) -> Ran {
    Ran {
        ok: output.status.success(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn qemu(name: &str, script: &str) -> Ran {
    let mut command = emulated(name, "qemu-system-arm", script);
    ran(command.arg("--qemu").output().unwrap())
}

#[test]
fn an_emulator_that_is_missing_is_named_with_what_to_install() {
    for (flag, words) in [
        ("--qemu", ["qemu-system-arm is missing", "install"]),
        ("--rp2040", ["node is missing", "install"]),
    ] {
        let mut command = emulated("missing", "none", "");
        command.env("PATH", scratch("missing")).arg(flag);
        refused(&ran(command.output().unwrap()), &words);
    }
}

#[test]
fn an_emulator_that_does_its_work_is_a_success_whatever_it_notes() {
    let ran = qemu("works", r#"cat "$STREAM"; echo "fingerprint 0" >&2"#);
    assert!(ran.ok && ran.err.is_empty(), "{}", ran.err);
    assert_eq!(ran.out, watch("works-file", &stream()).out);
}

#[test]
fn an_emulator_that_is_killed_in_the_middle_is_a_failure_that_says_when() {
    let ran = qemu("killed", r#"head -c 1000 "$STREAM"; kill -9 $$"#);
    refused(
        &ran,
        &["qemu-system-arm", "SIGKILL", "after iteration", "of 40"],
    );
    assert!(ran.out.lines().count() > 5, "{}", ran.out);
}

#[test]
fn an_emulator_that_fails_is_quoted() {
    let ran = qemu(
        "fails",
        "echo one >&2; echo panicked at somewhere >&2; exit 101",
    );
    refused(&ran, &["status: 101", "(panicked at somewhere)"]);
    let mut node = emulated("fails-too", "node", "echo rp2040js is missing >&2; exit 1");
    let ran = self::ran(node.arg("--rp2040").output().unwrap());
    refused(&ran, &["node", "status: 1", "(rp2040js is missing)"]);
}

#[test]
fn settings_reach_the_image() {
    let mut command = emulated("settings", "qemu-system-arm", r#"echo "$@" >&2; exit 1"#);
    command.args(["--qemu", "--", "seed=7", "a,b"]);
    let ran = ran(command.output().unwrap());
    refused(&ran, &["arg=learn,arg=seed=7,arg=a,,b", ELF]);
}

/// An emulator that writes everything and then never ends.
const ENDLESS: &str = r#"echo $$ > "$FOLDER/pid"; cat "$STREAM"; exec sleep 600"#;

fn is_running(name: &str) -> bool {
    let pid = fs::read_to_string(format!("{}/pid", scratch(name))).unwrap();
    let status = Command::new("sh")
        .args(["-c", &format!("kill -0 {pid}")])
        .stderr(Stdio::null())
        .status();
    status.unwrap().success()
}

#[test]
fn an_emulator_is_stopped_when_enough_pieces_were_placed() {
    let mut command = emulated("enough", "qemu-system-arm", ENDLESS);
    let ran = ran(command.args(["--qemu", "--pieces", "3"]).output().unwrap());
    assert!(ran.ok && ran.err.is_empty(), "{}", ran.err);
    assert!(ran.out.lines().last().unwrap().starts_with("piece 3: "));
    assert!(!is_running("enough"));
}

#[test]
fn an_emulator_is_stopped_when_the_one_who_watches_is_interrupted() {
    let mut command = emulated("interrupted", "qemu-system-arm", ENDLESS);
    let mut child = command.arg("--qemu").spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.find(|line| line.as_ref().unwrap().starts_with("piece 20: "));
    let interrupt = format!("kill -INT {}", child.id());
    Command::new("sh")
        .args(["-c", &interrupt])
        .status()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told, "interrupted after 20 pieces\n");
    assert!(!is_running("interrupted"));
}

#[test]
fn whoever_stops_reading_has_seen_enough() {
    let mut child = spawn(&["watch", "--elf", ELF, "--input", STREAM]);
    drop(child.stdout.take());
    let ran = ran(child.wait_with_output().unwrap());
    assert!(ran.ok && ran.err.is_empty(), "{}", ran.err);
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_there_is_one_picture_and_the_cursor_comes_back() {
    let watch = format!(
        "stty rows 24 cols 80; {} watch --elf {ELF} --input {STREAM} --pieces 3",
        env!("CARGO_BIN_EXE_ipse")
    );
    let output = Command::new("script")
        .args(["-qec", &watch, "/dev/null"])
        .env_remove("NO_COLOR")
        .env("TERM", "xterm-256color")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success());
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(
        shown.starts_with("\x1b[?25l") && shown.ends_with("\x1b[?25h"),
        "{shown:?}"
    );
    assert!(
        shown.contains("iteration 40 of 40") && shown.contains("3 pieces"),
        "{shown}"
    );
    let last = shown.rsplit("\x1b[23A").next().unwrap();
    assert_eq!(last.matches('\n').count(), 23, "{last}");
}
