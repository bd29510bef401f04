//! What would be published: four packages, each of which must build and be documented from nothing but its own files.
//!
//! Nothing is sent anywhere. The packages are unpacked into a workspace of their own, where they find each other in place
//! of the registry.

use crate::setup::Need;
use crate::workspace;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub const NEEDS: [Need; 1] = [Need::Program {
    program: "tar",
    package: "tar",
}];

/// The packages and their folders, each after those that it needs.
pub const PACKAGES: [(&str, &str); 4] = [
    ("ipse", "."),
    ("ipse-tasks", "tasks"),
    ("ipse-device", "device"),
    ("ipse-lab", "lab"),
];

/// They share one version, which is that of the workspace.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The most bytes of the compressed core.
const CORE_BYTES: u64 = 120_000;

/// Packages everything, prints the sizes, and builds from the packages.
pub fn check() -> Result<(), String> {
    let unpacked = Unpacked::new()?;
    let core = unpacked.bytes(PACKAGES[0].0)?;
    if core > CORE_BYTES {
        return Err(format!(
            "the package of the core has {core} B, more than {CORE_BYTES}: look at `include` in Cargo.toml"
        ));
    }
    unpacked.run("check --workspace --lib --bins --examples")?;
    let learned =
        workspace::output(unpacked.cargo("run --quiet --package ipse --example own_task"))?;
    match learned.trim() {
        "" => Err("the example of the core has printed nothing".into()),
        lines => {
            println!("{lines}");
            Ok(())
        }
    }
}

/// The packages in a folder of their own.
pub struct Unpacked {
    folder: PathBuf,
}

impl Unpacked {
    pub fn new() -> Result<Self, String> {
        let names: Vec<_> = PACKAGES
            .iter()
            .map(|(name, _)| format!("--package {name}"))
            .collect();
        let command = format!(
            "package --quiet --no-verify --allow-dirty {}",
            names.join(" ")
        );
        workspace::run(workspace::cargo(&command))?;
        let folder = workspace::target().join("packages");
        let unpacked = Unpacked { folder };
        // What is no longer in a package must not be found.
        let _ = fs::remove_dir_all(&unpacked.folder);
        let refused = |error| format!("{}: {error}", unpacked.folder.display());
        fs::create_dir_all(&unpacked.folder).map_err(refused)?;
        for (name, _) in PACKAGES {
            println!("{name:12} {:>7} B compressed", unpacked.bytes(name)?);
            let mut tar = Command::new("tar");
            tar.arg("-xzf").arg(archive(name));
            tar.current_dir(&unpacked.folder);
            workspace::run(tar)?;
        }
        fs::write(unpacked.folder.join("Cargo.toml"), manifest()).map_err(refused)?;
        let lock = workspace::root().join("Cargo.lock");
        fs::copy(lock, unpacked.folder.join("Cargo.lock")).map_err(refused)?;
        Ok(unpacked)
    }

    /// The folder of a package.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(folder_of(name))
    }

    /// Cargo among the packages. What they need is built where everything else is.
    pub fn cargo(&self, arguments: &str) -> Command {
        let mut cargo = workspace::cargo(arguments);
        cargo.current_dir(&self.folder);
        cargo
    }

    /// The same, run to its end.
    pub fn run(&self, arguments: &str) -> Result<(), String> {
        workspace::run(self.cargo(arguments))
    }

    fn bytes(&self, name: &str) -> Result<u64, String> {
        let archive = archive(name);
        let data =
            fs::metadata(&archive).map_err(|error| format!("{}: {error}", archive.display()))?;
        Ok(data.len())
    }
}

/// Lines of a manifest that put packages in `folder` in place of those of the registry.
pub fn patch(folder: &Path) -> String {
    let mut lines = String::from("[patch.crates-io]\n");
    for (name, _) in PACKAGES {
        let path = folder.join(folder_of(name)).display().to_string();
        lines += &format!("{name} = {{ path = {path:?} }}\n");
    }
    lines
}

fn manifest() -> String {
    let members: Vec<_> = PACKAGES.map(|(name, _)| folder_of(name)).into();
    format!(
        "[workspace]\nmembers = {members:?}\nresolver = \"3\"\n\n{}",
        patch(Path::new(""))
    )
}

fn folder_of(name: &str) -> String {
    format!("{name}-{VERSION}")
}

fn archive(name: &str) -> PathBuf {
    let file = format!("{}.crate", folder_of(name));
    workspace::target().join("package").join(file)
}
