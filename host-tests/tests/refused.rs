//! What must not compile.
//!
//! Every program in `refused/` compiles as it is. With `--cfg refused` it has one mistake for each of its lines
//! `// refused: …`, and the compiler finds each of them, with that text in its message, and no other.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

/// Where the crates are that this test was built with.
fn dependencies() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().to_path_buf()
}

/// The crate as it was built last, whatever it was built for.
fn ipse() -> PathBuf {
    let is_ipse = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libipse-") && name.ends_with(".rlib")
    };
    let built = |path: &PathBuf| -> SystemTime {
        let metadata = fs::metadata(path).unwrap();
        metadata.modified().unwrap()
    };
    let files = fs::read_dir(dependencies()).unwrap();
    let files = files.map(|file| file.unwrap().path()).filter(is_ipse);
    files.max_by_key(built).expect("the crate was built")
}

/// Compiles a program, down to the code of every function: some mistakes are found there only.
fn compile(program: &Path, ipse: &Path, options: &[&str]) -> Output {
    let object = std::env::temp_dir().join(format!("refused-{}.o", std::process::id()));
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let output = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "bin", "--emit", "obj"])
        .args(["--check-cfg", "cfg(refused)"])
        .args(options)
        .arg("--extern")
        .arg(format!("ipse={}", ipse.display()))
        .arg("-L")
        .arg(format!("dependency={}", dependencies().display()))
        .arg("-o")
        .args([&object, program])
        .output()
        .unwrap();
    let _ = fs::remove_file(object);
    output
}

/// What the compiler has to say about each error.
fn errors(text: &str) -> Vec<String> {
    let mut errors: Vec<String> = Vec::new();
    for line in text
        .lines()
        .take_while(|line| !line.starts_with("error: aborting"))
    {
        match errors.last_mut() {
            Some(last) if !line.starts_with("error") => *last += line,
            _ => errors.push(line.to_string()),
        }
    }
    errors
}

fn check(program: &Path, ipse: &Path) {
    let name = program.display();
    let output = compile(program, ipse, &[]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name} without a mistake: {text}");

    let output = compile(program, ipse, &["--cfg", "refused"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{name} with a mistake");
    let source = fs::read_to_string(program).unwrap();
    let expected = source
        .lines()
        .filter_map(|line| line.strip_prefix("// refused: "));
    let expected: Vec<&str> = expected.collect();
    let errors = errors(&text);
    assert_eq!(errors.len(), expected.len(), "{name}: {text}");
    for expected in expected {
        let has_all = |error: &String| expected.split(" … ").all(|part| error.contains(part));
        assert!(
            errors.iter().any(has_all),
            "{name}: no {expected:?} in {text}"
        );
    }
}

#[test]
fn every_mistake_is_refused_with_its_message_and_without_it_the_program_compiles() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refused");
    let ipse = ipse();
    let mut programs = 0;
    for file in fs::read_dir(folder).unwrap() {
        check(&file.unwrap().path(), &ipse);
        programs += 1;
    }
    assert!(programs >= 7, "{programs}");
}
