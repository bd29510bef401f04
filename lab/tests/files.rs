//! What `ipse` writes, whatever becomes of its readers, its process and the folder.
#![cfg(unix)]

mod common;

use common::{Ran, fresh_folder, run, spawn};
use fs4::FileExt;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File, Permissions};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Small enough to be fast without optimisation.
const SMALL: &str = "train --algorithm lfd --rollouts 1 --length 2 --games 2 --max-rows 5";
/// More iterations than anyone could wait for.
const FOREVER: &str = "--iterations 4000000000 --evaluate-every 0 --json";

fn words(args: &str) -> Vec<&str> {
    args.split_whitespace().collect()
}

fn train(args: &str) -> Ran {
    run(&words(&format!("{SMALL} {args}")), "")
}

fn path(folder: &str, name: &str) -> String {
    Path::new(folder).join(name).to_str().unwrap().to_owned()
}

/// The names of everything in a folder.
fn names(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// `ipse` with these arguments in place of a shell that has done something first, so that it has the shell's number.
fn after(first: &str, args: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{first}; exec \"$0\" {args}")])
        .arg(env!("CARGO_BIN_EXE_ipse"));
    command
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[test]
fn files_are_written_even_if_nobody_reads_the_screen() {
    for kind in ["", "--json"] {
        let folder = fresh_folder("unread");
        let files = ["w.json", "run.ckpt", "curve.svg"].map(|name| path(&folder, name));
        let [out, checkpoint, plot] = &files;
        let args = format!(
            "{SMALL} --iterations 30 {kind} --out {out} --checkpoint {checkpoint} --plot {plot}"
        );
        let content = || files.each_ref().map(|file| fs::read(file).unwrap());
        assert!(run(&words(&args), "").ok);
        let expected = content();
        for file in &files {
            fs::remove_file(file).unwrap();
        }
        // As `head -1` does.
        let mut child = spawn(&words(&args));
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0));
        assert!(content() == expected);
    }
}

#[test]
fn a_screen_that_takes_nothing_is_an_error_after_the_files_are_written() {
    let folder = fresh_folder("full-screen");
    let out = path(&folder, "w.json");
    let full = File::options().write(true).open("/dev/full").unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_ipse"))
        .args(words(&format!("{SMALL} --iterations 9 --out {out}")))
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(1));
    assert!(fs::read_to_string(out).unwrap().contains("\"weights\""));
}

#[test]
fn notes_that_nobody_reads_harm_nothing() {
    let folder = fresh_folder("unheard");
    let args = format!("{SMALL} --checkpoint {}", path(&folder, "run.ckpt"));
    assert!(run(&words(&format!("{args} --iterations 5")), "").ok);
    let mut child = spawn(&words(&format!("{args} --iterations 9")));
    drop(child.stderr.take());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}

#[test]
fn a_file_that_was_planted_where_a_process_number_leads_is_neither_followed_nor_taken() {
    for plant in ["ln -s victim", "cp victim"] {
        let folder = fresh_folder("planted");
        let victim = path(&folder, "victim");
        fs::write(&victim, "my only copy").unwrap();
        let first = format!("cd {folder}; {plant} .w.json.$$.tmp");
        let ran = after(&first, &format!("{SMALL} --iterations 3 --out w.json"))
            .output()
            .unwrap();
        assert!(ran.status.success());
        assert_eq!(fs::read_to_string(&victim).unwrap(), "my only copy");
        let planted = names(&folder)
            .into_iter()
            .find(|name| name.ends_with(".tmp"));
        let planted = path(&folder, &planted.unwrap());
        assert_eq!(fs::read_to_string(planted).unwrap(), "my only copy");
    }
}

#[test]
fn what_killed_processes_leave_behind_is_cleaned_up_and_what_others_write_is_not() {
    let folder = fresh_folder("left-behind");
    let [dead, alive] =
        [".w.json.aB3dE6gH9j.tmp", ".w.json.bB3dE6gH9j.tmp"].map(|n| path(&folder, n));
    fs::write(&dead, "half").unwrap();
    let alive = File::create(alive).unwrap();
    FileExt::lock(&alive).unwrap();
    assert!(train(&format!("--iterations 3 --out {}", path(&folder, "w.json"))).ok);
    assert_eq!(names(&folder), [".w.json.bB3dE6gH9j.tmp", "w.json"]);
}

#[test]
fn a_run_that_is_killed_while_it_writes_leaves_nothing_but_its_checkpoint() {
    let folder = fresh_folder("killed");
    let checkpoint = path(&folder, "run.ckpt");
    let args = format!("{SMALL} {FOREVER} --checkpoint {checkpoint} --checkpoint-every 1");
    for lines in [1, 4, 9, 16, 25] {
        let mut child = spawn(&words(&args));
        let stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.lines().nth(lines).unwrap().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let ran = train(&format!(
        "--iterations 2000 --checkpoint-every 500 --evaluate-every 0 --json --checkpoint {checkpoint}"
    ));
    assert!(
        ran.ok && ran.err.starts_with("resumed after iteration"),
        "{}",
        ran.err
    );
    assert_eq!(names(&folder), ["run.ckpt"]);
}

#[test]
fn the_mode_of_a_file_is_kept_and_that_of_a_new_one_is_the_usual() {
    let folder = fresh_folder("modes");
    let mode = |name: &str| {
        let found = fs::metadata(path(&folder, name)).unwrap();
        found.permissions().mode() & 0o7777
    };
    let old = path(&folder, "old.json");
    fs::write(&old, "before").unwrap();
    fs::set_permissions(&old, Permissions::from_mode(0o604)).unwrap();
    for name in ["old.json", "new.json"] {
        let file = path(&folder, name);
        let mut command = after("umask 027", &format!("{SMALL} --iterations 3 --out {file}"));
        assert!(command.output().unwrap().status.success());
        assert!(fs::read_to_string(file).unwrap().contains("\"weights\""));
    }
    assert_eq!((mode("old.json"), mode("new.json")), (0o604, 0o640));
}

#[test]
fn a_write_protected_file_is_refused_and_stays_as_it_is() {
    let folder = fresh_folder("protected");
    let file = path(&folder, "w.json");
    fs::write(&file, "my only copy").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
    let ran = train(&format!("{FOREVER} --out {file}"));
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("w.json: it is write-protected"),
        "{}",
        ran.err
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "my only copy");
}

#[test]
fn a_link_stays_one_whether_or_not_it_leads_to_a_file() {
    let folder = fresh_folder("links");
    fs::create_dir(path(&folder, "elsewhere")).unwrap();
    fs::write(path(&folder, "elsewhere/old.json"), "before").unwrap();
    for name in ["old.json", "new.json"] {
        let link = PathBuf::from(path(&folder, name));
        symlink(Path::new("elsewhere").join(name), &link).unwrap();
        assert!(train(&format!("--iterations 3 --out {}", link.display())).ok);
        assert!(link.is_symlink());
        let target = path(&folder, &format!("elsewhere/{name}"));
        assert!(fs::read_to_string(target).unwrap().contains("\"weights\""));
    }
    let circle = path(&folder, "circle");
    symlink("circle", &circle).unwrap();
    let ran = train(&format!("{FOREVER} --out {circle}"));
    assert!(ran.err.contains("too many links"), "{}", ran.err);
}

#[test]
fn a_disk_that_is_full_loses_neither_the_old_file_nor_the_run() {
    let folder = fresh_folder("full-disk");
    let [plot, checkpoint] = ["curve.svg", "run.ckpt"].map(|name| path(&folder, name));
    fs::write(&plot, "my only copy").unwrap();
    let args = format!("{SMALL} --iterations 12 --plot {plot} --checkpoint {checkpoint}");
    // A write beyond a few kilobytes fails in the middle.
    let ran = after("trap '' XFSZ; ulimit -f 3", &args).output().unwrap();
    assert_eq!(ran.status.code(), Some(1));
    let told = String::from_utf8(ran.stderr).unwrap();
    assert!(told.contains(&format!("cannot write {plot}")), "{told}");
    assert_eq!(fs::read_to_string(&plot).unwrap(), "my only copy");
    assert_eq!(names(&folder), ["curve.svg", "run.ckpt"]);
}

#[test]
fn two_runs_do_not_keep_themselves_in_one_file() {
    let folder = fresh_folder("twice");
    let checkpoint = path(&folder, "run.ckpt");
    let args = format!("{SMALL} {FOREVER} --checkpoint {checkpoint} --checkpoint-every 1");
    let mut first = spawn(&words(&args));
    let mut lines = BufReader::new(first.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    let second = run(&words(&args), "");
    assert_eq!((second.code, second.err.lines().count()), (Some(1), 1));
    assert!(
        second.err.contains("another process keeps its run in"),
        "{}",
        second.err
    );
    // By another name, too.
    let link = path(&folder, "link");
    symlink("run.ckpt", &link).unwrap();
    let third = run(&words(&args.replace("run.ckpt", "link")), "");
    assert!(third.err.contains("another process"), "{}", third.err);
    // A lock does not outlive its process.
    while fs::metadata(&checkpoint).unwrap().len() == 0 {
        assert_eq!(first.try_wait().unwrap(), None);
        thread::sleep(Duration::from_millis(10));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let mut fourth = hearing_signals(&args);
    let mut lines = BufReader::new(fourth.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    signal(&fourth, Signal::TERM);
    drop(lines);
    let told = String::from_utf8(fourth.wait_with_output().unwrap().stderr).unwrap();
    assert!(told.starts_with("resumed"), "{told}");
    assert_eq!(names(&folder), ["link", "run.ckpt"]);
}

/// A run that ends by signals, even if the tests were started with some of them ignored, as by `nohup`.
fn hearing_signals(args: &str) -> Child {
    Command::new("env")
        .args(["--default-signal", env!("CARGO_BIN_EXE_ipse")])
        .args(words(args))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_run_that_is_told_to_stop_keeps_its_last_iteration_and_says_so() {
    let whole = train("--iterations 60 --evaluate-every 0 --json").out;
    let whole: Vec<&str> = whole.lines().collect();
    for (name, which, code) in [
        ("int", Signal::INT, 130),
        ("term", Signal::TERM, 143),
        ("hup", Signal::HUP, 129),
    ] {
        let folder = fresh_folder(name);
        let checkpoint = path(&folder, "run.ckpt");
        let args =
            format!("{SMALL} {FOREVER} --checkpoint {checkpoint} --checkpoint-every 4000000000");
        let mut child = hearing_signals(&args);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut shown: Vec<String> = lines.by_ref().take(20).map(Result::unwrap).collect();
        signal(&child, which);
        shown.extend(lines.map(Result::unwrap));
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(code));
        let done = shown.len();
        let told = String::from_utf8(ended.stderr).unwrap();
        let expected = format!("stopped after iteration {done}, which is kept in {checkpoint}");
        assert!(told.starts_with(&expected), "{told}");
        assert_eq!(names(&folder), ["run.ckpt"]);
        let end = done.max(60);
        let rest = train(&format!(
            "--iterations {end} --evaluate-every 0 --json --checkpoint {checkpoint}"
        ));
        assert!(rest.ok, "{}", rest.err);
        shown.extend(rest.out.lines().map(str::to_owned));
        assert_eq!(shown[..60], whole);
    }
}

#[test]
fn a_run_whose_reader_has_stopped_reading_keeps_its_last_iteration_too() {
    let folder = fresh_folder("stalled");
    let checkpoint = path(&folder, "run.ckpt");
    let args = format!("{SMALL} {FOREVER} --checkpoint {checkpoint} --checkpoint-every 400000000");
    let child = spawn(&words(&args));
    // More than a pipe holds.
    thread::sleep(Duration::from_millis(1500));
    signal(&child, Signal::TERM);
    let mut child = child;
    let mut told = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut told)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(told.starts_with("stopped after iteration"), "{told}");
    assert!(Path::new(&checkpoint).exists());
}

#[test]
fn a_signal_that_is_to_be_ignored_stays_ignored() {
    let folder = fresh_folder("nohup");
    let args = format!(
        "{SMALL} {FOREVER} --checkpoint {}",
        path(&folder, "run.ckpt")
    );
    let mut child = after("trap '' HUP", &args)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().is_ok());
    signal(&child, Signal::HUP);
    assert_eq!(lines.by_ref().take(500).count(), 500);
    signal(&child, Signal::TERM);
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), Some(143));
}
