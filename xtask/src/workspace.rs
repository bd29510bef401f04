//! Where things are, and how programs are called there.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask)
}

/// Where builds go.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => std::path::absolute(&folder).unwrap_or(folder.into()),
        None => root().join("target"),
    }
}

/// Cargo in the root, with arguments as one would type them.
pub fn cargo(arguments: &str) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.args(arguments.split(' ')).current_dir(root());
    command.env("CARGO_TARGET_DIR", target());
    command
}

/// The lab, as its own tests have it built.
pub fn lab() -> Result<PathBuf, String> {
    run(cargo("build --release --package ipse-lab --bin ipse"))?;
    Ok(target().join("release/ipse"))
}

/// Cargo of the nightly toolchain, in the root.
pub fn nightly(arguments: &str) -> Command {
    // Not the Cargo that runs this, which is of one toolchain only.
    let mut command = Command::new("cargo");
    command.arg("+nightly").args(arguments.split(' '));
    command.current_dir(root());
    command
}

/// Runs a command with nothing to read, its output for all to see.
pub fn run(mut command: Command) -> Result<(), String> {
    let status = command.stdin(Stdio::null()).status();
    match status.map_err(|error| format!("{} did not start: {error}", name(&command)))? {
        status if status.success() => Ok(()),
        status => Err(format!("`{}` failed: {status}", line(&command))),
    }
}

/// What a command writes to its standard output.
pub fn output(mut command: Command) -> Result<String, String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output();
    let output = output.map_err(|error| format!("{} did not start: {error}", name(&command)))?;
    match output.status {
        status if status.success() => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        status => Err(format!("`{}` failed: {status}", line(&command))),
    }
}

fn name(command: &Command) -> String {
    let program = Path::new(command.get_program());
    program
        .file_name()
        .unwrap_or(program.as_os_str())
        .to_string_lossy()
        .into_owned()
}

/// A command as one would type it.
fn line(command: &Command) -> String {
    let mut line = name(command);
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    line
}
