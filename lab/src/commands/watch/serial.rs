//! A serial port.

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a port for bytes as they are, eight bits without parity. Reading from it waits for them.
#[cfg(unix)]
pub fn open(port: &Path, baud: u32) -> io::Result<File> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use rustix::termios::{ControlModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};
    use std::os::unix::fs::OpenOptionsExt;

    // A port without a carrier would keep whoever opens it waiting; whoever reads is to wait.
    let flags = OFlags::NOCTTY | OFlags::NONBLOCK;
    let file = File::options()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(port)?;
    let mut settings = tcgetattr(&file).map_err(|error| match error {
        rustix::io::Errno::NOTTY => io::Error::other("not a serial port"),
        error => error.into(),
    })?;
    settings.make_raw();
    settings.set_speed(baud)?;
    settings.control_modes |= ControlModes::CLOCAL | ControlModes::CREAD;
    settings.special_codes[SpecialCodeIndex::VMIN] = 1;
    settings.special_codes[SpecialCodeIndex::VTIME] = 0;
    tcsetattr(&file, OptionalActions::Now, &settings)?;
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

/// Elsewhere another program has to read it.
#[cfg(not(unix))]
pub fn open(_port: &Path, _baud: u32) -> io::Result<File> {
    Err(io::Error::other(
        "serial ports are not supported on this system; pipe the bytes of another program in",
    ))
}
