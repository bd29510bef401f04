//! Input without an end: refused with a line, in bounded memory.
#![cfg(unix)]

mod common;

use common::{Ran, fresh_folder};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

/// `ipse` with two gigabytes of address space at the most.
fn bounded(args: &str, input: Stdio) -> Ran {
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit -v 2000000; exec \"$0\" {args}")])
        .arg(env!("CARGO_BIN_EXE_ipse"))
        .stdin(input)
        .output()
        .unwrap();
    Ran {
        ok: output.status.success(),
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn refused(ran: &Ran, words: &[&str]) {
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(!ran.ok && ran.out.is_empty());
    for word in words {
        assert!(ran.err.contains(word), "no {word:?} in: {}", ran.err);
    }
}

#[test]
fn a_line_without_an_end_is_refused() {
    for (command, most) in [
        ("explain", "65,536 bytes"),
        ("explain --json", "65,536 bytes"),
        ("features", "65,536 bytes"),
        ("fit", "16,777,216 bytes"),
    ] {
        let zeros = File::open("/dev/zero").unwrap();
        let ran = bounded(command, zeros.into());
        refused(&ran, &["line 1: it has more than", most, "expected {"]);
    }
}

#[test]
fn a_file_without_an_end_is_refused() {
    let most = "it has more than 1,048,576 bytes";
    for command in [
        "play --policy /dev/zero",
        "explain --after 3 --policy /dev/zero",
    ] {
        refused(&bounded(command, Stdio::null()), &["/dev/zero", most]);
    }
    let ran = bounded("table --calls 1 --into /dev/zero", Stdio::null());
    refused(&ran, &["/dev/zero"]);
    refused(&bounded("weather /dev/zero", Stdio::null()), &["/dev/zero"]);
    refused(
        &bounded("train --checkpoint /dev/zero", Stdio::null()),
        &["not a regular file"],
    );
}

#[test]
fn a_file_that_is_too_large_is_refused() {
    let folder = fresh_folder("large");
    let sparse = |name: &str| {
        let path = Path::new(&folder).join(name);
        File::create(&path).unwrap().set_len(1 << 32).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let checkpoint = sparse("large.ckpt");
    let ran = bounded(&format!("train --checkpoint {checkpoint}"), Stdio::null());
    refused(
        &ran,
        &[
            "large.ckpt",
            "more than 16,777,216 bytes",
            "it stays as it is",
        ],
    );
    sparse("reproduce.json");
    let merge = format!("reproduce merge --out {folder}");
    refused(
        &bounded(&merge, Stdio::null()),
        &["reproduce.json", "more than 65,536 bytes"],
    );
}
