//! What ends a process early: Ctrl-C, a request to terminate, a terminal that is gone.

use crate::error::{Error, Result};

/// Has `stop` called, on a thread of its own, with the exit code that a shell expects then.
///
/// A signal that whoever started the process has told it to ignore, as `nohup` does, stays ignored.
pub fn on_interrupt(stop: impl Fn(i32) + Send + 'static) -> Result {
    handle(stop).map_err(|error| Error::Stream(format!("signals cannot be handled: {error}")))
}

#[cfg(unix)]
fn handle(stop: impl Fn(i32) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = ignored(&status);
    let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter();
    let mut signals = Signals::new(heeded.filter(|signal| ignored >> (signal - 1) & 1 == 0))?;
    std::thread::spawn(move || signals.forever().for_each(|signal| stop(128 + signal)));
    Ok(())
}

#[cfg(not(unix))]
fn handle(stop: impl Fn(i32) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || stop(130))
}

/// The signals that a process ignores, the first in the lowest bit, from what the kernel says of it.
#[cfg(unix)]
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}
