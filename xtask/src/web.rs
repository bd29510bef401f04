//! The page: built from its modules and sources, served, tested and filmed.

mod browser;
mod film;
mod link;
mod measured;
mod serve;
mod speed;

use crate::setup::{self, Need};
use crate::silicon::{NODE, NPM};
use crate::workspace::{self, cargo};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use browser::check;
pub use speed::{NEEDS as NEEDS_OF_SPEED, Speed};

pub const WASM: Need = Need::Target("wasm32-unknown-unknown");
pub const CHROMIUM: Need = Need::Program {
    program: "chromium",
    package: "chromium",
};
/// What it takes to drive the page in a browser.
pub const BROWSER: [Need; 4] = [WASM, CHROMIUM, NODE, NPM];

/// The most bytes that are transferred before the page can be used, compressed.
const FIRST_PAINT: usize = 100_000;

/// Builds all modules.
const BUILD: &str =
    "build --package ipse-web-modules --examples --target wasm32-unknown-unknown --profile web";

const USAGE: &str = "usage: cargo xtask web [--port N | --out DIR | --film FILE]";

/// `cargo xtask web`.
pub fn run(words: &[&str]) -> Result<(), String> {
    match words {
        [] => serve(0),
        ["--port", port] => match port.parse() {
            Ok(port) => serve(port),
            Err(_) => Err(format!("`--port {port}` is not a port; {USAGE}")),
        },
        ["--out", folder] => {
            setup::require(&[WASM])?;
            let folder =
                std::path::absolute(folder).map_err(|error| format!("{folder}: {error}"))?;
            build(&folder)?;
            println!("{}", folder.join("index.html").display());
            Ok(())
        }
        ["--film", file] => {
            setup::require(&BROWSER)?;
            film::shoot(Path::new(file))
        }
        _ => Err(format!("`{}` is not understood; {USAGE}", words.join(" "))),
    }
}

fn serve(port: u16) -> Result<(), String> {
    setup::require(&[WASM])?;
    let folder = built()?;
    let server = serve::Server::new(folder, port)?;
    println!("http://{}/", server.address);
    println!("Ctrl-C ends it.");
    server.run();
    Ok(())
}

/// The page in the folder of builds.
pub fn built() -> Result<PathBuf, String> {
    let folder = workspace::target().join("web");
    build(&folder)?;
    Ok(folder)
}

/// Builds the modules, and writes the page to a folder.
pub fn build(folder: &Path) -> Result<(), String> {
    workspace::run(cargo(BUILD))?;
    let modules = folder.join("modules");
    fs::create_dir_all(&modules).map_err(|error| format!("{}: {error}", modules.display()))?;
    let page = source().join("page");
    for name in modules_of_the_catalog(&read(&page.join("catalog.js"))?) {
        pack(&module(&name), &modules, &name)?;
    }
    pack(&source().join("recordings/pico.ipse"), &modules, "pico")?;
    let measured = measured::json(&read(&workspace::root().join(measured::DOCUMENT))?)?;
    let html = link::link(&page, &measured)?;
    write(&folder.join("index.html"), html.as_bytes())
}

/// The bytes that are transferred before the page can be used, compressed.
pub fn first_paint(folder: &Path) -> Result<usize, String> {
    let first = modules_of_the_catalog(&read(&source().join("page/catalog.js"))?);
    let first = first.first().ok_or("the catalog of the page is empty")?;
    let files = ["index.html".to_string(), format!("modules/{first}.js")];
    files
        .iter()
        .map(|file| compressed(&folder.join(file)))
        .sum()
}

/// Fails if the page is too large.
pub fn check_size(folder: &Path) -> Result<(), String> {
    let bytes = first_paint(folder)?;
    println!("{bytes} B are transferred before the page can be used, of at most {FIRST_PAINT} B");
    match bytes <= FIRST_PAINT {
        true => Ok(()),
        false => Err("the page is too large".into()),
    }
}

/// The size of a file as a server sends it.
fn compressed(file: &Path) -> Result<usize, String> {
    let mut gzip = Command::new("gzip");
    gzip.arg("--stdout").arg(file);
    let output = gzip
        .output()
        .map_err(|error| format!("gzip did not start: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout.len()),
        false => Err(format!("{} cannot be compressed", file.display())),
    }
}

/// Writes a file as a script that hands over its bytes, so that the page works from a folder without a server.
fn pack(file: &Path, folder: &Path, name: &str) -> Result<(), String> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let to = folder.join(format!("{name}.js"));
    let mut packed = Vec::new();
    let options = zopfli::Options {
        iteration_count: std::num::NonZero::<u64>::MIN.saturating_add(4),
        ..zopfli::Options::default()
    };
    zopfli::compress(options, zopfli::Format::Deflate, &bytes[..], &mut packed)
        .map_err(|error| format!("{}: {error}", file.display()))?;
    let text = BASE64_STANDARD.encode(packed);
    write(&to, format!("ipseBytes({name:?},{text:?});\n").as_bytes())
}

/// The names of the modules, in the order of the page's catalog.
fn modules_of_the_catalog(catalog: &str) -> Vec<String> {
    let name = |line: &str| {
        let (_, rest) = line.split_once("module: \"")?;
        Some(rest.split_once('"')?.0.to_string())
    };
    catalog.lines().filter_map(name).collect()
}

/// A module that was built.
fn module(name: &str) -> PathBuf {
    let file = format!("{}.wasm", name.replace('-', "_"));
    let examples = workspace::target().join("wasm32-unknown-unknown/web/examples");
    examples.join(file)
}

/// The folder of the sources.
fn source() -> PathBuf {
    workspace::root().join("web")
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(file, bytes).map_err(|error| format!("{}: {error}", file.display()))
}

/// Node in the folder of the browser tests, with what they need.
fn node(script: &str) -> Result<Command, String> {
    let folder = source().join("tests");
    if !folder.join("node_modules").is_dir() {
        eprintln!("will install: playwright-core, in {}", folder.display());
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]);
    npm.current_dir(&folder);
    workspace::output(npm)?;
    let mut node = Command::new("node");
    node.arg(script).current_dir(&folder);
    Ok(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_of_the_catalog_is_built() {
        let modules = modules_of_the_catalog(&read(&source().join("page/catalog.js")).unwrap());
        let manifest = read(&source().join("modules/Cargo.toml")).unwrap();
        assert!(modules.len() >= 6, "{modules:?}");
        for name in modules {
            assert!(manifest.contains(&format!("name = {name:?}")), "{name}");
        }
    }
}
