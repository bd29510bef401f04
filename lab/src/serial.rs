//! A serial port.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// In the place of a port: the only board that is plugged in.
pub const ANY: &str = "auto";

/// Where Linux and macOS list ports with names, and what those of boards begin with: a Pico with an image of this
/// project, the ST-Link of a Nucleo, a micro:bit.
const PORTS: [(&str, &[&str]); 2] = [
    (
        "/dev/serial/by-id",
        &[
            "usb-ipse_",
            "usb-STMicroelectronics_STM32_STLink",
            "usb-STMicroelectronics_STLINK",
            "usb-ARM_BBC_micro:bit",
            "usb-Arm_BBC_micro:bit",
        ],
    ),
    ("/dev", &["cu.usbmodemipse"]),
];

/// Which port.
#[derive(clap::Args)]
pub struct PortArgs {
    /// The serial port; without it, that of the only board that is plugged in
    #[arg(long, value_name = "PORT", default_value = ANY)]
    serial: PathBuf,

    /// The speed of the serial port
    #[arg(long, value_name = "N", default_value_t = 115_200)]
    baud: u32,
}

impl PortArgs {
    /// Opens it to read and to write, and returns its name too.
    pub fn open(&self) -> Result<(PathBuf, File)> {
        let port = resolve(&self.serial)?;
        let file = open(&port, self.baud, true);
        let file = file
            .map_err(|error| Error::Stream(format!("{}: cannot open: {error}", port.display())))?;
        Ok((port, file))
    }
}

/// The port that was given, or that of the only board that is plugged in.
pub fn resolve(port: &Path) -> Result<PathBuf> {
    match port == Path::new(ANY) {
        true => only(
            PORTS
                .iter()
                .flat_map(|(folder, names)| among(Path::new(folder), names)),
        ),
        false => Ok(port.into()),
    }
}

/// The ports in a folder whose names begin with one of `names`.
fn among(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut ports: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    ports.retain(|port| {
        let name = port
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| names.iter().any(|known| name.starts_with(known)))
    });
    ports.sort();
    ports
}

fn only(ports: impl Iterator<Item = PathBuf>) -> Result<PathBuf> {
    let ports: Vec<PathBuf> = ports.collect();
    match &ports[..] {
        [port] => Ok(port.clone()),
        [] => Err(Error::Stream(
            "no board was found: plug it in, or give its port, such as --serial /dev/ttyACM0"
                .into(),
        )),
        _ => {
            let names: Vec<_> = ports
                .iter()
                .map(|port| port.display().to_string())
                .collect();
            Err(Error::Stream(format!(
                "several boards were found: give --serial one of {}",
                names.join(", ")
            )))
        }
    }
}

/// Opens a port for bytes as they are, eight bits without parity, to read and, if that is asked for, to write. Reading waits
/// for them.
#[cfg(unix)]
pub fn open(port: &Path, baud: u32, is_written: bool) -> io::Result<File> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use rustix::termios::{ControlModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};
    use std::os::unix::fs::OpenOptionsExt;

    // A port without a carrier would keep whoever opens it waiting; whoever reads is to wait.
    let flags = OFlags::NOCTTY | OFlags::NONBLOCK;
    let file = File::options()
        .read(true)
        .write(is_written)
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
pub fn open(_port: &Path, _baud: u32, _is_written: bool) -> io::Result<File> {
    Err(io::Error::other(
        "serial ports are not supported on this system; pipe the bytes of another program in",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_board_is_found_and_of_several_none_is_guessed() {
        let folder = std::env::temp_dir().join(format!("ipse-ports-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (_, names) = PORTS[0];
        let find = || only(among(&folder, names).into_iter());
        let plug = |name: &str| File::create(folder.join(name)).unwrap();
        plug("usb-FTDI_FT232R-if00");
        assert!(find().unwrap_err().to_string().contains("no board"));
        plug("usb-ipse_learner_ipse-if00");
        assert_eq!(find().unwrap(), folder.join("usb-ipse_learner_ipse-if00"));
        plug("usb-ARM_BBC_micro:bit_CMSIS-DAP-if01");
        let error = find().unwrap_err().to_string();
        assert!(
            error.contains("micro:bit") && error.contains("usb-ipse_"),
            "{error}"
        );
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_port_that_was_given_is_taken() {
        assert_eq!(
            resolve(Path::new("/dev/ttyX")).unwrap(),
            Path::new("/dev/ttyX")
        );
    }
}
