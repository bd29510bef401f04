//! Runs the real binary.
#![allow(dead_code, reason = "each test file uses some of these")]

use serde_json::Value;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread;

pub const POSITION: &str = r#"{"columns":[3,1,0,0,1,3,3,7,7,1],"piece":"S"}"#;
/// Nine columns are filled to the top, so only an upright I fits.
pub const SHAFT: &str =
    r#"{"columns":[0,1023,1023,1023,1023,1023,1023,1023,1023,1023],"piece":"?"}"#;

pub struct Ran {
    pub ok: bool,
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

pub fn spawn(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ipse"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

pub fn run(args: &[&str], input: &str) -> Ran {
    let mut child = spawn(args);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // The binary may stop reading early, and then the pipe is closed.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran {
        ok: output.status.success(),
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs what must succeed without a word on standard error.
pub fn answer(args: &[&str], input: &str) -> String {
    let ran = run(args, input);
    assert!(ran.ok && ran.err.is_empty(), "{args:?}: {}", ran.err);
    ran.out
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

pub fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(json).collect()
}

/// What is in a file of golden data.
pub fn golden(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../host-tests/golden");
    std::fs::read_to_string(std::path::Path::new(folder).join(name)).unwrap()
}

/// The path of a file that a test may write, named after what needs it.
pub fn scratch(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().unwrap().to_owned()
}

/// A folder of a test's own, which is empty.
pub fn fresh_folder(name: &str) -> String {
    let folder = scratch(&format!("folder-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file of weights, named after the test that needs it.
pub fn weights_file(name: &str, text: &str) -> String {
    let path = scratch(name);
    std::fs::write(&path, text).unwrap();
    path
}
