//! A program that is watched while it runs, line by line, and stopped when its time is up.

use std::io::{self, BufRead, BufReader, PipeWriter, Read};
use std::ops::ControlFlow;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Runs `command` to its end and hands on every line that it writes. It is stopped when a line
/// cannot be handed on, and when it takes longer than `limit`.
pub fn watch(
    mut command: Command,
    limit: Duration,
    hand_on: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), String> {
    let (lines, writer) = pipe()?;
    let both = writer.try_clone().map_err(no_pipe)?;
    command.stdout(both).stderr(writer);
    watch_lines(command, lines, limit, hand_on)
}

/// The same, but only with the lines of the standard error; the rest is not text.
pub fn watch_errors(
    mut command: Command,
    limit: Duration,
    hand_on: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), String> {
    let (lines, writer) = pipe()?;
    command.stdout(Stdio::null()).stderr(writer);
    watch_lines(command, lines, limit, hand_on)
}

/// Runs `command` and hands on the bytes that it writes to its standard output, until `hand_on` has enough of them. It is
/// stopped then, and when it takes longer than `limit`.
pub fn watch_bytes(
    mut command: Command,
    limit: Duration,
    mut hand_on: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let deadline = Instant::now() + limit;
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = Stopped(child.map_err(|error| format!("{program} did not start: {error}"))?);
    let mut output = child.0.stdout.take().ok_or("it has no output")?;
    let (sender, chunks) = mpsc::channel();
    std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(len @ 1..) = output.read(&mut chunk) {
            if sender.send(chunk[..len].to_vec()).is_err() {
                break;
            }
        }
    });
    loop {
        match chunks.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(chunk) if hand_on(&chunk).is_break() => return Ok(()),
            Ok(_) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(format!("{program} ended too early"));
            }
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!(
                    "{program} did not tell enough within {limit:?} and was stopped"
                ));
            }
        }
    }
}

fn watch_lines(
    mut command: Command,
    lines: Receiver<String>,
    limit: Duration,
    mut hand_on: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let deadline = Instant::now() + limit;
    let child = command
        .stdin(Stdio::null())
        .spawn()
        .map_err(|error| format!("{program} did not start: {error}"))?;
    let mut child = Stopped(child);
    // The command holds the other end of the pipe, which would never end.
    drop(command);
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => hand_on(&line)?,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!(
                    "{program} did not end within {limit:?} and was stopped"
                ));
            }
        }
    }
    match child
        .0
        .wait()
        .map_err(|error| format!("{program} was lost: {error}"))?
    {
        status if status.success() => Ok(()),
        status => Err(format!("{program} ended with {status}")),
    }
}

/// Lines, and where to write them.
fn pipe() -> Result<(Receiver<String>, PipeWriter), String> {
    let (reader, writer) = io::pipe().map_err(no_pipe)?;
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(reader).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Ok((lines, writer))
}

fn no_pipe(error: io::Error) -> String {
    format!("no pipe: {error}")
}

/// A process that does not outlive its owner.
struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]);
        shell
    }

    fn fails_with(command: Command, part: &str) {
        let error = watch(command, Duration::from_secs(60), |_| Ok(())).unwrap_err();
        assert!(error.contains(part), "{error}");
    }

    #[test]
    fn lines_of_both_outputs_are_handed_on() {
        let mut lines = Vec::new();
        let hand_on = |line: &str| {
            lines.push(line.to_string());
            Ok(())
        };
        watch(
            shell("echo one; echo two >&2"),
            Duration::from_secs(60),
            hand_on,
        )
        .unwrap();
        assert_eq!(lines, ["one", "two"]);
    }

    #[test]
    fn what_is_not_text_can_be_left_out() {
        let mut lines = Vec::new();
        let hand_on = |line: &str| {
            lines.push(line.to_string());
            Ok(())
        };
        let script = shell("printf '\\377\\376'; echo two >&2");
        watch_errors(script, Duration::from_secs(60), hand_on).unwrap();
        assert_eq!(lines, ["two"]);
    }

    #[test]
    fn bytes_are_handed_on_until_there_are_enough() {
        let mut bytes = Vec::new();
        let enough = |chunk: &[u8]| {
            bytes.extend_from_slice(chunk);
            match bytes.contains(&0xfe) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let script = shell("printf '\\377\\376'; exec sleep 60");
        watch_bytes(script, Duration::from_secs(30), enough).unwrap();
        assert_eq!(bytes, [0xff, 0xfe]);
        let never = |_: &[u8]| ControlFlow::Continue(());
        let error = watch_bytes(shell("echo"), Duration::from_secs(30), never);
        assert!(error.unwrap_err().contains("ended too early"));
    }

    #[test]
    fn an_exit_code_a_signal_and_a_missing_program_are_told_apart() {
        fails_with(shell("exit 3"), "exit status: 3");
        fails_with(shell("kill -9 $$"), "signal: 9");
        fails_with(Command::new("no such program"), "did not start");
    }

    #[test]
    fn a_program_that_hangs_is_stopped() {
        let start = Instant::now();
        let error = watch(
            shell("exec sleep 60"),
            Duration::from_millis(50),
            |_| Ok(()),
        );
        assert!(error.unwrap_err().contains("did not end within 50ms"));
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_program_that_nobody_listens_to_is_stopped() {
        let start = Instant::now();
        let deaf = |_: &str| Err("nobody listens".into());
        let error = watch(
            shell("echo hello; exec sleep 60"),
            Duration::from_secs(60),
            deaf,
        );
        assert_eq!(error, Err("nobody listens".into()));
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
