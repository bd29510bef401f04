//! The moving picture of the README: the page, as a browser shows it.

use super::{built, node};
use crate::setup::{self, Need};
use crate::web::serve::Server;
use crate::workspace;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const WEBP: Need = Need::Program {
    program: "img2webp",
    package: "webp",
};

/// The milliseconds of a frame.
const FRAME: &str = "100";

/// Has a browser show the page for a while, and writes what it showed as an animated WebP.
pub fn shoot(file: &Path) -> Result<(), String> {
    setup::require(&[WEBP])?;
    let file = std::path::absolute(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let server = Server::new(built()?, 0)?.in_background();
    let frames = workspace::target().join("web-film");
    let _ = fs::remove_dir_all(&frames);
    fs::create_dir_all(&frames).map_err(|error| format!("{}: {error}", frames.display()))?;
    let mut camera = node("film.mjs")?;
    camera.arg(format!("http://{server}/")).arg(&frames);
    workspace::run(camera)?;
    let mut pictures: Vec<PathBuf> = fs::read_dir(&frames)
        .map_err(|error| format!("{}: {error}", frames.display()))?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    pictures.sort();
    let mut webp = Command::new("img2webp");
    webp.args(["-loop", "0", "-mixed", "-d", FRAME, "-q", "60", "-m", "6"]);
    webp.args(&pictures).arg("-o").arg(&file);
    workspace::run(webp)?;
    let bytes = fs::metadata(&file).map_or(0, |metadata| metadata.len());
    println!("{}: {bytes} B, {} pictures", file.display(), pictures.len());
    Ok(())
}
