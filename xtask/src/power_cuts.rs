//! A board that loses its power again and again, and must come to the result of one that does not.

use crate::firmware::{M4, QEMU, Time};
use crate::learning::{self, Profile, RESULT};
use crate::readings::Readings;
use crate::setup::{self, Need};
use crate::workspace::{self, cargo};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// So many lines from the board, at the most, and then so much time, until the power is cut. Lines
/// see to it that even a board on a slow machine gets anywhere, and time that it is cut anywhere.
const LINES: u32 = 5;
const LONGEST: Duration = Duration::from_millis(60);
/// What the board tells of its watchdog: how long it waited at the most, and may wait.
const WATCHDOG: [&str; 2] = ["wait_milliseconds", "limit_milliseconds"];
/// No run takes as long as this.
const LIMIT: Duration = Duration::from_secs(600);

/// A search in which directions take one iteration, so that every checkpoint is one of the search.
pub const SEARCH: [&str; 2] = ["short-search", "cap=1"];

/// All that takes too long for `cargo xtask test`.
pub fn run(cuts: u32) -> Result<(), String> {
    setup::require(&[Need::Target(M4.target), QEMU])?;
    trouble()?;
    cut(cuts, &[])?;
    cut(cuts, &SEARCH)?;
    let tests = "test --release --package ipse-device --test storage";
    let mut command = cargo(&format!("{tests} -- --nocapture"));
    command.env("EVERY_BYTE", "1");
    workspace::run(command)
}

/// Kills the emulated board at random times, so often, while it learns with these settings.
pub fn cut(cuts: u32, words: &[&str]) -> Result<(), String> {
    let host = learning::on_host(Profile::Release, words)?;
    M4.build_durable()?;
    let board = Board::new("power-cuts", words)?;
    let mut chance = Chance(1 + u64::from(cuts));
    let (mut done, mut runs) = (0, 0);
    let mut boots = Boots::default();
    let mut waited = 0.0f64;
    while done < cuts {
        board.wipe()?;
        runs += 1;
        while done < cuts {
            let time = LONGEST * chance.up_to(1000) / 1000;
            if board.live(chance.up_to(LINES) as usize, time)? {
                break;
            }
            done += 1;
            boots.add(&board.told()?);
        }
        // It has resumed where it was, at the end or before, and tells the result once more.
        let readings = board.finish()?;
        learning::same(&host, &readings)?;
        waited = waited.max(margin(&readings)?);
        boots.add(&board.told()?);
    }
    println!(
        "{done} cuts in {runs} runs, after which {} boots resumed and {} started anew: nothing was lost",
        boots.resumed, boots.anew
    );
    println!("the watchdog waited for {waited} ms at the most");
    match boots.resumed {
        0 => Err("no boot has resumed, so this has shown nothing".into()),
        _ => Ok(()),
    }
}

/// How long the watchdog waited at the most. A tenth of its time must be enough for anything that goes
/// well.
fn margin(readings: &Readings) -> Result<f64, String> {
    let [wait, limit] = WATCHDOG.map(|name| readings.get(name));
    let (wait, limit) = (wait?, limit?);
    match wait <= limit / 10.0 {
        true => Ok(wait),
        false => Err(format!("the watchdog waited for {wait} ms, of {limit} ms")),
    }
}

/// The board panics, then faults, then hangs, and each time restarts from its checkpoint.
pub fn trouble() -> Result<(), String> {
    let words = ["parity"];
    let host = learning::on_host(Profile::Release, &words)?;
    M4.build_durable()?;
    let mut with_trouble = words.to_vec();
    with_trouble.extend(["trouble=panic", "trouble=fault", "trouble=hang"]);
    let board = Board::new("trouble", &with_trouble)?;
    board.wipe()?;
    let readings = board.finish()?;
    let told = board.told()?;
    println!("{told}");
    let expected = [
        "new: there is no checkpoint",
        "panicked",
        "resumed after iteration 3",
        "hard fault",
        "resumed after iteration 6",
        "watchdog: no progress",
        "resumed after iteration 9",
    ];
    let mut rest = told.as_str();
    for part in expected {
        let (_, after) = rest
            .split_once(part)
            .ok_or_else(|| format!("the board did not tell, in its turn: {part}"))?;
        rest = after;
    }
    learning::same(&host, &readings)
}

/// The emulated board that keeps checkpoints, and the folder with its flash.
struct Board<'a> {
    folder: PathBuf,
    words: &'a [&'a str],
}

impl<'a> Board<'a> {
    fn new(name: &str, words: &'a [&'a str]) -> Result<Self, String> {
        let folder = workspace::target().join(name);
        fs::create_dir_all(&folder).map_err(|error| refused(&folder, &error))?;
        Ok(Board { folder, words })
    }

    /// Flash as it comes from the factory.
    fn wipe(&self) -> Result<(), String> {
        let flash = self.folder.join("flash.bin");
        match fs::remove_file(&flash) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(refused(&flash, &error))
            }
            _ => Ok(()),
        }
    }

    /// Runs the board until it ends or its power does: so many lines and so much time after it was
    /// turned on, which it tells in the first line. Returns whether it came to its end.
    fn live(&self, lines: usize, power: Duration) -> Result<bool, String> {
        let told = self.folder.join("told.txt");
        let file = File::create(&told).map_err(|error| refused(&told, &error))?;
        let both = file.try_clone().map_err(|error| refused(&told, &error))?;
        let mut command = M4.qemu("durable", self.words, Time::M4);
        command.current_dir(&self.folder);
        command.stdin(Stdio::null()).stdout(both).stderr(file);
        let lost = |error| format!("QEMU was lost: {error}");
        let mut qemu = command.spawn().map_err(lost)?;
        let start = Instant::now();
        let mut heard = None;
        while heard.is_none_or(|heard: Instant| heard.elapsed() < power) && start.elapsed() < LIMIT
        {
            if heard.is_none() && self.told()?.lines().count() > lines {
                heard = Some(Instant::now());
            }
            match qemu.try_wait().map_err(lost)? {
                None => sleep(Duration::from_millis(1)),
                Some(status) if status.success() => return Ok(true),
                Some(status) => return Err(format!("{}QEMU ended with {status}", self.told()?)),
            }
        }
        qemu.kill().map_err(lost)?;
        qemu.wait().map_err(lost)?;
        match heard {
            Some(_) => Ok(false),
            None => Err(format!(
                "{}it did not get on within {LIMIT:?}",
                self.told()?
            )),
        }
    }

    /// Lets the board go on to its end.
    fn finish(&self) -> Result<Readings, String> {
        self.live(usize::MAX, LIMIT)?;
        let told = self.told()?;
        let is_reading = |line: &&str| {
            let mut names = RESULT.iter().chain(&WATCHDOG);
            names.any(|name| line.split(' ').next() == Some(*name))
        };
        let readings: Vec<&str> = told.lines().filter(is_reading).collect();
        Readings::parse(&readings.join("\n"))
    }

    /// What the board told since it was turned on.
    fn told(&self) -> Result<String, String> {
        let told = self.folder.join("told.txt");
        let bytes = fs::read(&told).map_err(|error| refused(&told, &error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn refused(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// What boots began with.
#[derive(Default)]
struct Boots {
    resumed: usize,
    anew: usize,
}

impl Boots {
    fn add(&mut self, told: &str) {
        self.resumed += told.matches("resumed after iteration").count();
        self.anew += told.matches("new: ").count();
    }
}

/// Marsaglia's xorshift. When exactly the power is cut is up to the machine as well.
struct Chance(u64);

impl Chance {
    fn up_to(&mut self, most: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32 % (most + 1)
    }
}
