//! What would be published: six packages, each of which must build and be documented from nothing but its own files.
//!
//! Nothing is sent anywhere. The packages are unpacked into a workspace of their own, where they find each other in place
//! of the registry.

use crate::links;
use crate::setup::Need;
use crate::workspace;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const TAR: Need = Need::Program {
    program: "tar",
    package: "tar",
};
pub const NEEDS: [Need; 1] = [TAR];
pub const NEEDS_OF_DOCUMENTATION: [Need; 2] = [TAR, Need::Nightly];

/// The packages and their folders, each after those that it needs.
pub const PACKAGES: [(&str, &str); 6] = [
    ("ipse", "."),
    ("ipse-tasks", "tasks"),
    ("ipse-device", "device"),
    ("ipse-ledger", "ledger"),
    ("ipse-lockstep", "lab/lockstep"),
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

/// Builds the documentation as docs.rs does: of each package, by the nightly compiler, with all features, and with a label
/// on what needs one. The lab is left to the compiler that has built its dependencies already.
pub fn documentation() -> Result<(), String> {
    let unpacked = Unpacked::new()?;
    let mut lab = unpacked.cargo("doc --no-deps --lib --package ipse-lab");
    lab.env("RUSTDOCFLAGS", "-D warnings");
    workspace::run(lab)?;
    let mut small = workspace::nightly(
        "doc --no-deps --lib --all-features --package ipse --package ipse-tasks --package ipse-device --package ipse-ledger --package ipse-lockstep",
    );
    let target = workspace::target().join("docs");
    small.current_dir(&unpacked.folder);
    small.env("CARGO_TARGET_DIR", &target);
    small.env("RUSTDOCFLAGS", "-D warnings --cfg docsrs");
    workspace::run(small)?;
    let page = |page: &str| {
        let target = match page.starts_with("ipse_lab/") {
            true => workspace::target(),
            false => target.clone(),
        };
        let path = target.join("doc").join(page);
        fs::read_to_string(&path).map_err(|error| format!("{page} of the documentation: {error}"))
    };
    for (path, feature) in LABELS {
        let label = format!("Available on <strong>crate feature <code>{feature}</code></strong>");
        if !page(path)?.contains(&label) {
            return Err(format!(
                "{path}: no label says that this needs the feature `{feature}`"
            ));
        }
    }
    links::pages_of_documentation()?
        .iter()
        .try_for_each(|linked| page(linked).map(drop))
}

/// Pages of the documentation, and the feature that each must say it needs.
const LABELS: [(&str, &str); 3] = [
    ("ipse_device/storage/index.html", "storage"),
    ("ipse_device/faults/index.html", "faults"),
    ("ipse_device/struct.Piped.html", "pipe"),
];

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
            // With the time of today: packages have one of their own, by which Cargo would take changed files for old ones.
            tar.arg("-xzmf").arg(archive(name));
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

    /// Options of Cargo that put the packages in place of those of the registry, whatever is built.
    pub fn options(&self) -> Vec<String> {
        let patch = |(name, _): &(&str, &str)| {
            let path = self.path(name).display().to_string();
            [
                "--config".into(),
                format!("patch.crates-io.{name}.path={path:?}"),
            ]
        };
        PACKAGES.iter().flat_map(patch).collect()
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

fn manifest() -> String {
    let members: Vec<_> = PACKAGES.map(|(name, _)| folder_of(name)).into();
    let patches = PACKAGES.map(|(name, _)| format!("{name}.path = {:?}\n", folder_of(name)));
    let patches = patches.concat();
    format!("[workspace]\nmembers = {members:?}\nresolver = \"3\"\n\n[patch.crates-io]\n{patches}")
}

fn folder_of(name: &str) -> String {
    format!("{name}-{VERSION}")
}

fn archive(name: &str) -> PathBuf {
    let file = format!("{}.crate", folder_of(name));
    workspace::target().join("package").join(file)
}
