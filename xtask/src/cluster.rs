//! Shards of `ipse reproduce` under Slurm, on a cluster of one machine that is set up for the purpose.
//!
//! Slurm runs the recipe in `docs/recipes` as an array. One task is stopped in the middle, killed and requeued, and the
//! merged result must be that of a single process to the byte.

use crate::setup::Need;
use crate::workspace::{self, cargo};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

pub const NEEDS: [Need; 4] = [
    Need::Program {
        program: "sbatch",
        package: "slurm-client",
    },
    Need::Program {
        program: "munged",
        package: "munge",
    },
    Need::Program {
        program: "slurmctld",
        package: "slurmctld",
    },
    Need::Program {
        program: "slurmd",
        package: "slurmd",
    },
];

const RECIPE: &str = "docs/recipes/figure2.sbatch";
const TASKS: usize = 3;
/// The task that is killed.
const VICTIM: usize = 2;
/// Short runs, several for each task.
const SETTINGS: &str = "--iterations 8 --games 2 --seed 5 --algorithms lfd,m-none --replications 9";
const PLAN: &str = "--algorithms lfd,m-none --replications 9";
/// Nothing of this takes a minute on an idle machine.
const LIMIT: Duration = Duration::from_secs(600);

pub fn check() -> Result<(), String> {
    workspace::run(cargo("build --release --package ipse-lab --bin ipse"))?;
    let ipse = workspace::target().join("release/ipse");
    let folder = workspace::target().join("slurm");
    let _ = fs::remove_dir_all(&folder);
    // Only its owner may write to the folders above a key, or munge refuses it.
    create(&folder, 0o755)?;
    let alone = folder.join("alone");
    run(&ipse, &format!("reproduce figure2 {SETTINGS}"), &alone)?;

    let together = folder.join("together");
    let cluster = Cluster::start(&folder)?;
    let job = cluster.submit(&ipse, &together)?;
    let stopped = folder.join("stopped");
    wait_until("a task is in the middle of its work", || stopped.exists())?;
    cluster.run("scontrol", &["requeue", &format!("{job}_{VICTIM}")])?;
    println!("task {VICTIM} of {TASKS} was stopped in the middle, killed and requeued");
    wait_until("all tasks are done", || {
        let left = cluster.run("squeue", &["--noheader"]);
        left.is_ok_and(|left| left.trim().is_empty())
    })?;
    drop(cluster);

    let starts = read(&folder.join("starts"))?;
    let again = format!("{VICTIM} 1");
    if !starts.lines().any(|start| start == again) {
        return Err(format!("task {VICTIM} was not started again:\n{starts}"));
    }
    run(&ipse, &format!("reproduce merge {PLAN}"), &together)?;
    compare(&alone, &together)
}

/// Runs a command of the lab with a folder for its results.
fn run(ipse: &Path, arguments: &str, out: &Path) -> Result<(), String> {
    let mut command = Command::new(ipse);
    command.args(arguments.split(' ')).arg("--out").arg(out);
    workspace::output(command).map(|_| ())
}

/// Every result of one process is there, the same to the byte; the journals of shards are besides.
fn compare(alone: &Path, together: &Path) -> Result<(), String> {
    let names = fs::read_dir(alone).map_err(|error| refused(alone, &error))?;
    let mut compared = 0;
    for name in names.flatten().map(|entry| entry.file_name()) {
        if name.to_string_lossy().starts_with("runs-") {
            continue;
        }
        let [one, other] = [alone, together].map(|folder| fs::read(folder.join(&name)).ok());
        if one.is_none() || one != other {
            return Err(format!("{} is not the same under Slurm", name.display()));
        }
        compared += 1;
    }
    println!("{compared} files are the same to the byte");
    match compared {
        0..6 => Err("there should be more of them".into()),
        _ => Ok(()),
    }
}

/// Daemons of Slurm and munge, which end with their owner.
struct Cluster {
    folder: PathBuf,
    daemons: Vec<Child>,
}

impl Cluster {
    fn start(folder: &Path) -> Result<Self, String> {
        let mut cluster = Cluster {
            folder: folder.into(),
            daemons: Vec::new(),
        };
        cluster.configure()?;
        let file = |name: &str| folder.join(name).display().to_string();
        let socket = format!("--socket={}", file("munge.socket"));
        cluster.daemon(
            "munged",
            &[
                "--foreground",
                "--force",
                &socket,
                &format!("--key-file={}", file("munge.key")),
                &format!("--pid-file={}", file("munged.pid")),
                &format!("--log-file={}", file("munged.log")),
                &format!("--seed-file={}", file("munged.seed")),
            ],
        )?;
        wait_until("munge answers", || folder.join("munge.socket").exists())?;
        let configuration = file("slurm.conf");
        cluster.daemon("slurmctld", &["-D", "-f", &configuration])?;
        cluster.daemon("slurmd", &["-D", "-f", &configuration])?;
        wait_until("the node is idle", || {
            let nodes = cluster.run("sinfo", &["--noheader", "--format=%T"]);
            nodes.is_ok_and(|nodes| nodes.trim() == "idle")
        })?;
        Ok(cluster)
    }

    /// Writes the key and the configuration.
    fn configure(&self) -> Result<(), String> {
        for name in ["state", "spool"] {
            create(&self.folder.join(name), 0o755)?;
        }
        let mut key = [0; 1024];
        let random = Path::new("/dev/urandom");
        let mut source = fs::File::open(random).map_err(|error| refused(random, &error))?;
        std::io::Read::read_exact(&mut source, &mut key)
            .map_err(|error| refused(random, &error))?;
        let path = self.folder.join("munge.key");
        let options = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o400)
            .open(&path);
        let written = options.and_then(|mut file| std::io::Write::write_all(&mut file, &key));
        written.map_err(|error| refused(&path, &error))?;

        let host = text(Command::new("hostname").arg("-s"))?;
        let user = text(Command::new("id").arg("-un"))?;
        let [controller, node] = [free_port()?, free_port()?];
        let folder = self.folder.display();
        let configuration = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={controller}\nSlurmdPort={node}\n\
             SlurmUser={user}\nSlurmdUser={user}\nAuthType=auth/munge\n\
             AuthInfo=socket={folder}/munge.socket,cred_expire=5\nCryptoType=crypto/munge\n\
             StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n\
             SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n\
             SlurmctldLogFile={folder}/slurmctld.log\nSlurmdLogFile={folder}/slurmd.log\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\nMpiDefault=none\n\
             JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=2\nSlurmdParameters=config_overrides\nKillWait=1\n\
             MailProg=/bin/true\nNodeName={host} NodeAddr=127.0.0.1 CPUs={TASKS} State=UNKNOWN\n\
             PartitionName=all Nodes={host} Default=YES State=UP OverSubscribe=FORCE:{TASKS}\n"
        );
        write(&self.folder.join("slurm.conf"), &configuration)
    }

    fn daemon(&mut self, program: &str, arguments: &[&str]) -> Result<(), String> {
        let path = self.folder.join(format!("{program}.out"));
        let output = fs::File::create(&path).map_err(|error| refused(&path, &error))?;
        let mut command = self.command(program);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(output);
        let child = command
            .spawn()
            .map_err(|error| format!("{program} did not start: {error}"))?;
        self.daemons.push(child);
        Ok(())
    }

    /// A program that finds this cluster and no other. Debian has daemons outside the path of users.
    fn command(&self, program: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(program);
        command.env("PATH", format!("{path}:/usr/sbin:/sbin"));
        command.env("SLURM_CONF", self.folder.join("slurm.conf"));
        command.current_dir(workspace::root());
        command
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<String, String> {
        let mut command = self.command(program);
        command.args(arguments);
        workspace::output(command)
    }

    /// Submits the recipe as an array, and returns the number of the job.
    fn submit(&self, ipse: &Path, out: &Path) -> Result<String, String> {
        let program = self.folder.join("ipse.sh");
        write(&program, &self.program(ipse, out))?;
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&program, executable).map_err(|error| refused(&program, &error))?;
        let mut command = self.command("sbatch");
        command.env("IPSE", &program);
        command.args(["--parsable", &format!("--array=1-{TASKS}")]);
        command.arg(format!("--output={}/task-%a.log", self.folder.display()));
        command
            .arg(RECIPE)
            .args(SETTINGS.split(' '))
            .arg("--out")
            .arg(out);
        Ok(workspace::output(command)?.trim().into())
    }

    /// The lab, which notes every start. The first time, the victim stops for good when it has done some of its work.
    fn program(&self, ipse: &Path, out: &Path) -> String {
        let (folder, ipse, out) = (self.folder.display(), ipse.display(), out.display());
        format!(
            "#!/bin/sh\n\
             echo \"$SLURM_ARRAY_TASK_ID ${{SLURM_RESTART_COUNT:-0}}\" >> '{folder}/starts'\n\
             if [ \"$SLURM_ARRAY_TASK_ID\" != {VICTIM} ] || [ -n \"$SLURM_RESTART_COUNT\" ]; then\n\
             exec '{ipse}' \"$@\"\n\
             fi\n\
             '{ipse}' \"$@\" &\n\
             until [ \"$(wc -l < '{out}/runs-{VICTIM}-of-{TASKS}.csv')\" -gt 9 ]; do sleep 0.01; done 2> /dev/null\n\
             kill -STOP $! && touch '{folder}/stopped'\n\
             wait\n"
        )
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            // Slurm ends its tasks if it is asked to, and not if it is killed.
            let _ = Command::new("kill").arg(daemon.id().to_string()).status();
            let _ = daemon.wait();
        }
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) -> Result<(), String> {
    let deadline = Instant::now() + LIMIT;
    while !is_so() {
        if Instant::now() > deadline {
            let logs = workspace::target().join("slurm");
            return Err(format!(
                "{what}: not within {LIMIT:?}; the logs are in {}",
                logs.display()
            ));
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// A port that nobody listens on.
fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    listener
        .map(|address| address.port())
        .map_err(|error| format!("no port is free: {error}"))
}

fn text(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().into())
}

fn create(folder: &Path, mode: u32) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| refused(folder, &error))?;
    let mode = fs::Permissions::from_mode(mode);
    fs::set_permissions(folder, mode).map_err(|error| refused(folder, &error))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| refused(path, &error))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| refused(path, &error))
}

fn refused(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
