//! A picture in a file.

use super::Chart;
use crate::destination;
use crate::error::{Error, Result};
use std::path::Path;

/// Where a picture goes. The ending of its name says what it is.
pub struct Destination {
    destination: destination::Destination,
    is_png: bool,
}

impl Destination {
    pub fn new(path: &Path) -> Result<Self> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let is_png = match ending {
            Some("png") => true,
            Some("svg") => false,
            _ => {
                let path = path.display();
                let problem = format!("--plot {path}: the name has to end in .svg or .png");
                return Err(Error::Usage(problem));
            }
        };
        Ok(Destination {
            destination: destination::Destination::new(path)?,
            is_png,
        })
    }

    pub fn path(&self) -> &Path {
        self.destination.path()
    }

    pub fn write(&self, chart: &Chart) -> Result {
        let picture = chart.picture();
        match self.is_png {
            true => self.destination.write(picture.png),
            false => self.destination.write(picture.svg),
        }
    }
}
