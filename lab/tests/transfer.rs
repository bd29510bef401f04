//! `ipse push` and `ipse pull`: from the lab to a board and back, to the bit.
#![cfg(unix)]

mod common;

use common::{Ran, fresh_folder, run};
use embassy_futures::block_on;
use embassy_futures::select::select;
use embassy_futures::yield_now;
use ipse::ResumableDriver;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse::tetris::surface::Surface10x10;
use ipse_device::faults::FaultyFlash;
use ipse_device::{Boot, Command, CommandReader, Session, Settings, Storage, Telemetry, uf2};
use ipse_tasks::{Foraging, SensorNode};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use std::fs::{self, File};
use std::future::poll_fn;
use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::Poll;
use std::thread::{self, JoinHandle};

/// The flash of a Pico, and what of it is for checkpoints.
const FLASH: usize = 2 * 1024 * 1024;
const PAGES: usize = 4 * 4096;
const ADDRESS: u32 = 0x101f_c000;

/// The iterations of the lab, of the board, and of the lab again.
const ITERATIONS: [u32; 3] = [20, 60, 90];

fn words(line: &str) -> Ran {
    run(&line.split(' ').collect::<Vec<_>>(), "")
}

fn succeeds(line: &str) -> Ran {
    let ran = words(line);
    assert!(ran.ok, "{line}: {}", ran.err);
    ran
}

/// Fails, in one line with these words.
fn refused(line: &str, reason: &[&str]) {
    let ran = words(line);
    let lines: Vec<_> = ran.err.lines().collect();
    assert!(!ran.ok && lines.len() == 1, "{line}: {}", ran.err);
    for word in reason {
        assert!(lines[0].contains(word), "no {word:?} in: {}", lines[0]);
    }
}

fn train(rest: &str) -> Ran {
    let line = "train --task foraging --algorithm ipse --evaluate-every 0";
    succeeds(&format!("{line} {rest}"))
}

/// A folder with `run.ckpt`, of a run after the first iterations.
fn folder(name: &str) -> String {
    let folder = fresh_folder(name);
    let [first, ..] = ITERATIONS;
    train(&format!(
        "--iterations {first} --checkpoint {folder}/run.ckpt"
    ));
    folder
}

/// The lab goes on from `back.ckpt` to the weights, and everything else, of a run that never left it.
fn ends_as_if_it_had_stayed(folder: &str) {
    let [_, board, last] = ITERATIONS;
    let back = train(&format!(
        "--iterations {last} --checkpoint {folder}/back.ckpt --out {folder}/back.json"
    ));
    let resumed = format!("resumed after iteration {board} ");
    assert!(back.err.contains(&resumed), "{}", back.err);
    train(&format!("--iterations {last} --out {folder}/stayed.json"));
    let [back, stayed] = ["back", "stayed"].map(|name| {
        let file = format!("{folder}/{name}.json");
        fs::read_to_string(file).unwrap()
    });
    assert_eq!(back, stayed);
}

fn session() -> Session<Agent<Foraging, Ipse>> {
    let settings = Settings {
        iterations: Some(ITERATIONS[1]),
        ..Settings::default()
    };
    let learner = Ipse::new().check().unwrap();
    Session::new(settings, || 0, |rng| Agent::new(Foraging, learner, rng))
}

#[test]
fn a_checkpoint_goes_to_the_flash_of_a_board_and_back() {
    let folder = folder("flash");
    let pushed = format!("push {folder}/run.ckpt --flash {folder}/flash");
    for (kind, what) in [("uf2", "RPI-RP2"), ("bin", "--base-address 0x101fc000")] {
        let ran = succeeds(&format!("{pushed}.{kind}"));
        assert!(ran.out.contains("after iteration 20"), "{}", ran.out);
        assert!(ran.err.contains(what), "{}", ran.err);
    }
    let pages = fs::read(format!("{folder}/flash.bin")).unwrap();
    let blocks = fs::read(format!("{folder}/flash.uf2")).unwrap();
    let mut dropped: Vec<u8> = Vec::new();
    for (address, block) in (ADDRESS..)
        .step_by(uf2::PAGE)
        .zip(blocks.chunks(uf2::BLOCK))
    {
        assert_eq!(block[12..16], address.to_le_bytes());
        dropped.extend(&block[32..][..uf2::PAGE]);
    }
    assert!(pages.len() == PAGES && dropped == pages);

    // The board goes on from there, in words of another size too, since they are all aligned.
    let flash = FaultyFlash::<4, 4096, 4>::new();
    flash.with_bytes(|bytes| bytes.copy_from_slice(&pages));
    let mut storage = Storage::<_, 2016>::new(&flash, 0..PAGES as u32).unwrap();
    let mut board = session();
    let boot = block_on(board.resume(&mut storage, &mut ()));
    assert_eq!(boot, Boot::Resumed(ITERATIONS[0]));
    block_on(board.learn_and_save(&mut storage, &mut ()));

    let pages = flash.with_bytes(|bytes| bytes.to_vec());
    let whole = [vec![0xff; FLASH - PAGES], pages.clone()].concat();
    for dump in [pages, whole] {
        fs::write(format!("{folder}/dump.bin"), dump).unwrap();
        succeeds(&format!(
            "pull {folder}/back.ckpt --flash {folder}/dump.bin"
        ));
        ends_as_if_it_had_stayed(&folder);
    }
}

#[test]
fn what_is_no_checkpoint_or_no_flash_is_refused_and_nothing_is_written() {
    let folder = folder("refused");
    let run = format!("{folder}/run.ckpt");
    let good = fs::read(&run).unwrap();
    let file = |name: &str, content: &[u8]| {
        let file = format!("{folder}/{name}");
        fs::write(&file, content).unwrap();
        file
    };
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    for (content, reason) in [
        (&b"text"[..], "do not begin with"),
        (&good[..good.len() - 1], "checksum"),
        (&damaged, "checksum"),
    ] {
        let bad = file("bad.ckpt", content);
        refused(
            &format!("push {bad} --flash {folder}/x.bin"),
            &["bad.ckpt", reason],
        );
    }
    refused(
        &format!("push {folder}/none --flash {folder}/x.bin"),
        &["none"],
    );
    refused(&format!("push {run} --flash {folder}/x"), &[".uf2", ".bin"]);
    refused(
        &format!("push {run} --serial {folder}/none"),
        &["cannot open"],
    );
    for (content, reason) in [
        (vec![0xff; PAGES], "nothing was saved"),
        (vec![0xff; PAGES - 1], "16,383 bytes"),
        (vec![], "0 bytes"),
    ] {
        let dump = file("dump.bin", &content);
        refused(
            &format!("pull {folder}/x.ckpt --flash {dump}"),
            &["dump.bin", reason],
        );
    }
    for name in ["x.bin", "x", "x.ckpt"] {
        assert!(!fs::exists(format!("{folder}/{name}")).unwrap(), "{name}");
    }
}

/// A board that learns in a thread, at the other end of a serial port.
struct Board {
    port: String,
    is_off: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    _kept: File,
}

impl Board {
    fn start() -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let port = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
        fcntl_setfl(&ours, fcntl_getfl(&ours).unwrap() | OFlags::NONBLOCK).unwrap();
        let kept = File::options().read(true).write(true).open(&port).unwrap();
        let mut settings = tcgetattr(&kept).unwrap();
        settings.make_raw();
        tcsetattr(&kept, OptionalActions::Now, &settings).unwrap();
        let is_off = Arc::new(AtomicBool::new(false));
        let switch = is_off.clone();
        let thread = thread::spawn(move || live(File::from(ours), &switch));
        Board {
            port,
            is_off,
            thread: Some(thread),
            _kept: kept,
        }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.is_off.store(true, Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(matches!(ended, Some(Ok(()))) || thread::panicking());
    }
}

/// Learns and plays until the board is turned off. What nobody reads is dropped.
fn live(port: File, is_off: &AtomicBool) {
    let (mut input, mut output) = (port.try_clone().unwrap(), port);
    let mut telemetry = Telemetry::new(|frame: &[u8]| match output.write(frame) {
        Ok(len) => len == frame.len(),
        Err(error) if error.kind() == ErrorKind::WouldBlock => false,
        Err(error) => panic!("{error}"),
    });
    let mut reader = CommandReader::new();
    let mut told = async || -> Command {
        poll_fn(|_| {
            let mut byte = [0];
            while let Ok(1) = input.read(&mut byte) {
                if let Some(command) = reader.push(byte[0]) {
                    return Poll::Ready(command);
                }
            }
            Poll::Pending
        })
        .await
    };
    let flash = FaultyFlash::<4, 4096, 4>::new();
    let mut storage = Storage::<_, 2016>::new(&flash, 0..PAGES as u32).unwrap();
    let mut session = session();
    let off = poll_fn(|_| match is_off.load(Relaxed) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    });
    let pause = async || {
        thread::sleep(std::time::Duration::from_millis(1));
        yield_now().await;
    };
    let life = session.run(&mut storage, &mut telemetry, &mut told, pause);
    block_on(select(life, off));
}

#[test]
fn a_checkpoint_goes_to_a_board_over_its_port_and_back() {
    let folder = folder("port");
    let board = Board::start();
    let port = &board.port;
    let taken = succeeds(&format!("push {folder}/run.ckpt --serial {port}"));
    assert!(
        taken.out.contains("goes on after iteration 20"),
        "{}",
        taken.out
    );
    // When it has learned everything it saves at once.
    let back = format!("pull {folder}/back.ckpt --serial {port}");
    let last = format!("after iteration {}\n", ITERATIONS[1]);
    while !succeeds(&back).out.ends_with(&last) {}
    ends_as_if_it_had_stayed(&folder);

    // The run of another seed, another learner, and a longer one.
    for (options, reason) in [
        ("--seed 2 --iterations 20", "another task, seed"),
        ("--alpha 0.2 --iterations 20", "set of parameters"),
        ("--iterations 61", "61 iterations, more than this run"),
    ] {
        let other = format!("{folder}/other.ckpt");
        let _ = fs::remove_file(&other);
        train(&format!("{options} --checkpoint {other}"));
        refused(
            &format!("push {other} --serial {port}"),
            &["refused", reason, "goes on after iteration 60"],
        );
    }
    // It has kept what it had.
    fs::remove_file(format!("{folder}/back.ckpt")).unwrap();
    succeeds(&back);
    ends_as_if_it_had_stayed(&folder);
}

fn fresh<D: ResumableDriver>(make: impl FnOnce(&mut XorShiftRng) -> D) -> Vec<u8> {
    let mut session = Session::new(Settings::default(), || 0, make);
    session.save(&mut [0; 4096]).unwrap().to_vec()
}

#[test]
fn the_options_in_the_recipe_are_those_of_each_image() {
    let (paper, ipse) = (Ipse::paper().check().unwrap(), Ipse::new().check().unwrap());
    let survival = Search::survival().suited_to::<Surface10x10>();
    let survival = survival.check().unwrap();
    let returns = Search::returns(144).calls(700_000).check().unwrap();
    let tetris = Tetris10x10::default();
    let recipe = include_str!("../../docs/TRANSFER.md");
    let file = format!("{}/run.ckpt", fresh_folder("images"));
    for (image, checkpoint) in [
        ("learn", fresh(|rng| Agent::new(tetris, paper, rng))),
        (
            "survive",
            fresh(|rng| Searcher::new(Surface10x10::default(), survival, rng)),
        ),
        ("forage", fresh(|rng| Agent::new(Foraging, ipse, rng))),
        (
            "node",
            fresh(|rng| Searcher::new(SensorNode::HAMBURG, returns, rng)),
        ),
    ] {
        fs::write(&file, checkpoint).unwrap();
        let (_, row) = recipe.split_once(&format!("| `{image}` | `")).unwrap();
        let (options, _) = row.split_once('`').unwrap();
        let line = format!("train {options} --iterations 1 --evaluate-every 0");
        let ran = succeeds(&format!("{line} --checkpoint {file}"));
        assert!(ran.err.contains("resumed after iteration 0"), "{image}");
    }
}
