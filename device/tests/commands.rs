//! What a board is told: how it gets there, and what becomes of it.

use embassy_futures::block_on;
use embassy_futures::select::select;
use embassy_futures::yield_now;
use ipse::prelude::*;
use ipse_device::faults::FaultyFlash;
use ipse_device::{
    Activity, Boot, Command, CommandReader, Event, Loaded, MAX_COMMAND, Observer, Part, Reader,
    Refusal, Saved, Settings, Status, Telemetry, encode_command,
};
use ipse_tasks::Foraging;
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::task::Poll;

type Session = ipse_device::Session<Agent<Foraging, Ipse>>;
type Flash = FaultyFlash<4, 4096, 4>;
type Storage<'f> = ipse_device::Storage<&'f Flash, { Session::BUFFER }>;

const ITERATIONS: u32 = 40;
/// Those that are typed, and those that are not.
const TYPED: usize = 6;
const COMMANDS: [Command; 8] = [
    Command::Restart,
    Command::Seed(0),
    Command::Seed(u64::MAX),
    Command::Pause,
    Command::Continue,
    Command::Save,
    Command::Read(1664),
    Command::Write(Part {
        of: u32::MAX,
        at: u32::MAX - 1,
        bytes: [0xff; Part::BYTES],
    }),
];

fn session(seed: u64) -> Session {
    let learner = Ipse::new().check().unwrap();
    let settings = Settings {
        seed,
        iterations: Some(ITERATIONS),
        ..Settings::default()
    };
    Session::new(settings, || 0, |rng| Agent::new(Foraging, learner, rng))
}

fn finished(seed: u64) -> Session {
    let mut session = session(seed);
    block_on(session.learn(&mut ()));
    session
}

fn frame(command: Command) -> Vec<u8> {
    encode_command(command, &mut [0; MAX_COMMAND])
        .unwrap()
        .to_vec()
}

fn read(bytes: &[u8]) -> Vec<Command> {
    let mut reader = CommandReader::new();
    bytes.iter().filter_map(|byte| reader.push(*byte)).collect()
}

#[test]
fn every_command_is_read_as_it_was_sent_and_typed() {
    for command in COMMANDS {
        assert_eq!(read(&frame(command)), [command]);
    }
    for command in &COMMANDS[..TYPED] {
        assert_eq!(command.to_string().parse(), Ok(*command));
    }
    for word in ["", "seed", "seed=", "seed=-1", "Restart", "stop"] {
        assert!(word.parse::<Command>().is_err(), "{word}");
    }
}

#[test]
fn the_bytes_of_a_command_are_those_of_its_version() {
    let golden = include_str!("golden/commands.txt");
    let hex = |bytes: &[u8]| -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
    let frames: Vec<String> = COMMANDS
        .iter()
        .map(|command| hex(&frame(*command)))
        .collect();
    assert_eq!(frames, golden.lines().collect::<Vec<_>>());
}

#[test]
fn damaged_foreign_and_long_bytes_are_skipped_and_the_next_command_is_read() {
    let save = frame(Command::Save);
    for at in 1..save.len() - 1 {
        for bit in 0..8 {
            let mut bytes = save.clone();
            bytes[at] ^= 1 << bit;
            bytes.extend(&save);
            let found = read(&bytes);
            assert_eq!(found.last(), Some(&Command::Save), "byte {at}, bit {bit}");
            assert_eq!(found.len(), 1, "byte {at}, bit {bit}");
        }
    }
    let long = [vec![b'x'; 10 * MAX_COMMAND], save.clone()].concat();
    assert_eq!(read(&long), [Command::Save]);
    // Telemetry that comes back is no command, whatever it says.
    let mut echo = Vec::new();
    let mut telemetry = Telemetry::new(|frame: &[u8]| {
        echo.extend_from_slice(frame);
        true
    });
    let mut echoed = session(1);
    for boot in [Boot::New, Boot::Resumed(3), Boot::Unreadable] {
        telemetry.booted(&echoed, boot);
    }
    block_on(echoed.learn(&mut telemetry));
    assert_eq!(read(&echo), []);
}

/// What happens, and how often.
#[derive(Default)]
struct Told {
    began: u32,
    progress: u32,
    /// The actions of a player when it was last seen.
    played: u32,
    actions: u32,
    saved: Vec<u32>,
    obeyed: Vec<Command>,
    parts: Vec<Part>,
    loaded: Vec<Loaded>,
}

struct Listener<'t>(&'t RefCell<Told>);

impl Observer<Agent<Foraging, Ipse>> for Listener<'_> {
    fn began(&mut self, _: &Session) {
        self.0.borrow_mut().began += 1;
    }

    fn progress(&mut self, _: &Session, _: u32) {
        self.0.borrow_mut().progress += 1;
    }

    fn saved(&mut self, _: &Session, saved: Saved) {
        assert_eq!(saved.failure, None);
        self.0.borrow_mut().saved.push(saved.iteration);
    }

    fn acted(&mut self, _: &Session, player: &ipse_device::Player<Foraging>) {
        let mut told = self.0.borrow_mut();
        told.actions += 1;
        told.played = player.actions();
    }

    fn obeyed(&mut self, _: &Session, command: Command) {
        self.0.borrow_mut().obeyed.push(command);
    }

    fn part(&mut self, _: &Session, part: Part) {
        self.0.borrow_mut().parts.push(part);
    }

    fn loaded(&mut self, _: &Session, loaded: Loaded) {
        self.0.borrow_mut().loaded.push(loaded);
    }
}

/// Runs a session for so many turns. `commands` come when as many of them have passed.
fn run<O: Observer<Agent<Foraging, Ipse>>>(
    session: &mut Session,
    flash: &Flash,
    mut observer: O,
    turns: u32,
    commands: &[(u32, Command)],
) {
    let mut storage = Storage::new(flash, 0..4 * 4096).unwrap();
    let turn = Cell::new(0);
    let next = Cell::new(0);
    let told = async || {
        poll_fn(|_| match commands.get(next.get()) {
            Some((at, command)) if turn.get() >= *at => {
                next.set(next.get() + 1);
                Poll::Ready(*command)
            }
            _ => Poll::Pending,
        })
        .await
    };
    let time = async {
        while turn.get() < turns {
            turn.set(turn.get() + 1);
            yield_now().await;
        }
    };
    let life = session.run(&mut storage, &mut observer, told, async || {
        yield_now().await
    });
    block_on(select(life, time));
}

#[test]
fn without_commands_a_session_learns_saves_and_plays() {
    let (flash, told) = (Flash::new(), RefCell::default());
    let mut session = session(1);
    run(&mut session, &flash, Listener(&told), 3000, &[]);
    assert_eq!(session.fingerprint(), finished(1).fingerprint());
    let told = told.into_inner();
    assert_eq!(told.saved, [ITERATIONS]);
    assert!(told.actions > 100);
}

#[test]
fn a_restart_and_another_seed_begin_the_run_of_that_seed() {
    for (command, seed) in [(Command::Restart, 1), (Command::Seed(7), 7)] {
        for at in [0, 50, 2900] {
            let (flash, told) = (Flash::new(), RefCell::default());
            let mut session = session(1);
            run(
                &mut session,
                &flash,
                Listener(&told),
                6000,
                &[(at, command)],
            );
            assert_eq!(session.fingerprint(), finished(seed).fingerprint());
            assert_eq!(told.into_inner().obeyed, [command]);
        }
    }
}

#[test]
fn what_was_forgotten_does_not_come_back_with_the_next_boot_but_after_another_seed_the_own_run_does()
 {
    for (command, iteration) in [(Command::Restart, 0), (Command::Seed(7), ITERATIONS)] {
        let flash = Flash::new();
        run(&mut session(1), &flash, (), 3000, &[(2999, command)]);
        let mut storage = Storage::new(&flash, 0..4 * 4096).unwrap();
        let boot = block_on(session(1).resume(&mut storage, &mut ()));
        assert_eq!(boot, Boot::Resumed(iteration), "{command}");
    }
}

#[test]
fn many_commands_neither_begin_anything_anew_nor_keep_a_watchdog_hungry() {
    // All parts but the last of a checkpoint, while it learns and while it plays; many more are told at once.
    let parts = written(&checkpoint(1, 20), 0);
    let parts: Vec<_> = parts[..parts.len() - 1]
        .iter()
        .map(|(_, part)| *part)
        .collect();
    for turn in [30, 2000] {
        let (flash, told) = (Flash::new(), RefCell::default());
        let commands: Vec<_> = parts.iter().map(|part| (turn, *part)).collect();
        run(
            &mut session(1),
            &flash,
            Listener(&told),
            turn + 10,
            &commands,
        );
        let told = told.into_inner();
        assert_eq!(told.obeyed, parts);
        assert_eq!(told.began, 1, "turn {turn}");
        assert!(told.progress >= turn + parts.len() as u32, "turn {turn}");
        assert_eq!(told.played, told.actions, "turn {turn}");
    }
}

#[test]
fn a_pause_holds_until_it_ends_while_a_watchdog_is_fed_and_changes_no_bit() {
    let (flash, told) = (Flash::new(), RefCell::default());
    let mut paused = session(1);
    run(
        &mut paused,
        &flash,
        Listener(&told),
        500,
        &[(50, Command::Pause)],
    );
    let iterations = paused.iterations();
    assert!(iterations < ITERATIONS && told.borrow().progress > 400);
    assert_eq!(told.borrow().actions, 0);
    run(
        &mut paused,
        &flash,
        Listener(&told),
        500,
        &[(0, Command::Pause)],
    );
    assert_eq!(paused.iterations(), iterations);
    let commands = [
        (0, Command::Pause),
        (5, Command::Save),
        (10, Command::Continue),
    ];
    run(&mut paused, &flash, Listener(&told), 3000, &commands);
    assert_eq!(paused.fingerprint(), finished(1).fingerprint());
    // A pause while it plays is one too.
    let actions = told.borrow().actions;
    run(
        &mut paused,
        &flash,
        Listener(&told),
        500,
        &[(0, Command::Pause)],
    );
    assert!(told.borrow().actions <= actions + 1);
}

#[test]
fn a_save_comes_with_the_end_of_the_iteration_and_only_once() {
    let (flash, told) = (Flash::new(), RefCell::default());
    run(
        &mut session(1),
        &flash,
        Listener(&told),
        300,
        &[(50, Command::Save)],
    );
    let saved = told.into_inner().saved;
    let [iteration] = saved[..] else {
        panic!("{saved:?}")
    };
    let mut resumed = session(1);
    let mut storage = Storage::new(&flash, 0..4 * 4096).unwrap();
    block_on(resumed.resume(&mut storage, &mut ()));
    assert_eq!(resumed.iterations(), iteration);
    block_on(resumed.learn(&mut ()));
    assert_eq!(resumed.fingerprint(), finished(1).fingerprint());
}

#[test]
fn telemetry_tells_what_was_obeyed_and_the_seed_that_follows() {
    let mut stream = Vec::new();
    let telemetry = Telemetry::new(|frame: &[u8]| {
        stream.extend_from_slice(frame);
        true
    });
    let flash = Flash::new();
    run(
        &mut session(1),
        &flash,
        telemetry,
        3000,
        &[(60, Command::Seed(9))],
    );
    let (mut obeyed, mut seeds) = (Vec::new(), Vec::new());
    Reader::new().read(&stream, |event| match event {
        Event::Obeyed(command) => obeyed.push(command),
        Event::Hello(hello) => seeds.push(hello.seed),
        _ => {}
    });
    seeds.dedup();
    assert_eq!((obeyed, seeds), (vec![Command::Seed(9)], vec![1, 9]));
}

#[test]
fn the_status_follows_the_session() {
    static STATUS: Status = Status::new();
    let flash = Flash::new();
    let mut learned = session(1);
    assert_eq!(STATUS.activity(), Activity::Directions);
    run(&mut learned, &flash, &STATUS, 50, &[(40, Command::Pause)]);
    assert_eq!(STATUS.activity(), Activity::Paused);
    run(&mut learned, &flash, &STATUS, 3000, &[]);
    assert_eq!(STATUS.activity(), Activity::Playing);
}

/// A checkpoint of a run with this seed after so many iterations.
fn checkpoint(seed: u64, iterations: u32) -> Vec<u8> {
    let mut session = session(seed);
    while session.iterations() < iterations {
        session.slice();
    }
    session.save(&mut [0; Session::BUFFER]).unwrap().to_vec()
}

/// The commands that give a board a checkpoint, one at a turn from this one on.
fn written(checkpoint: &[u8], turn: u32) -> Vec<(u32, Command)> {
    let parts = Part::all(checkpoint).map(Command::Write);
    (turn..).zip(parts).collect()
}

#[test]
fn a_checkpoint_that_a_board_is_given_is_gone_on_from_to_the_bit_and_saved() {
    let given = checkpoint(1, 20);
    // While it learns, while it plays, and while it is paused.
    for (turn, before) in [(30, None), (2000, None), (300, Some((250, Command::Pause)))] {
        let (flash, told) = (Flash::new(), RefCell::default());
        let mut session = session(1);
        let commands = [Vec::from_iter(before), written(&given, turn)].concat();
        run(&mut session, &flash, Listener(&told), turn + 200, &commands);
        let taken = Loaded {
            iteration: 20,
            refusal: None,
        };
        assert_eq!(told.borrow().loaded, [taken], "turn {turn}");
        assert!(told.borrow().saved.contains(&20));
        block_on(session.learn(&mut ()));
        assert_eq!(session.fingerprint(), finished(1).fingerprint());
        assert_eq!(session.iterations(), ITERATIONS);
    }
}

#[test]
fn what_is_refused_changes_neither_what_is_learned_nor_what_is_saved() {
    let good = checkpoint(1, 20);
    let damaged = |at: usize| {
        let mut damaged = good.clone();
        damaged[at] ^= 1;
        written(&damaged, 100)
    };
    let long = [&good[..], &[0; Session::BUFFER]].concat();
    let mut incomplete = written(&good, 100);
    incomplete.remove(1);
    // An iteration ends, and is saved, before the last parts come.
    let mut interrupted = written(&good, 100);
    let late = interrupted.split_off(2);
    interrupted.push((102, Command::Save));
    interrupted.extend(late.iter().map(|(turn, part)| (turn + 60, *part)));
    let version = Refusal::Version(good[4] ^ 1);
    let learner = Ipse::paper().check().unwrap();
    let mut other = ipse_device::Session::new(
        Settings::default(),
        || 0,
        |rng| Agent::new(Foraging, learner, rng),
    );
    let other = other.save(&mut [0; Session::BUFFER]).unwrap().to_vec();
    for (commands, refusal) in [
        (written(b"text", 100), Refusal::Damaged),
        (damaged(0), Refusal::Damaged),
        (damaged(4), version),
        (damaged(60), Refusal::Damaged),
        (written(&good[..good.len() - 1], 100), Refusal::Damaged),
        (incomplete, Refusal::Damaged),
        (interrupted, Refusal::Damaged),
        (written(&long, 100), Refusal::OtherLayout),
        (written(&other, 100), Refusal::Foreign),
        // The seed shows only when everything was read.
        (written(&checkpoint(2, 20), 100), Refusal::Foreign),
    ] {
        let (flash, told) = (Flash::new(), RefCell::default());
        let mut session = session(1);
        run(&mut session, &flash, (), 60, &[(40, Command::Save)]);
        run(&mut session, &flash, Listener(&told), 300, &commands);
        let told = told.into_inner();
        let [loaded] = told.loaded[..] else {
            panic!("{refusal:?}: {:?}", told.loaded)
        };
        assert_eq!(loaded.refusal, Some(refusal));
        assert!(loaded.iteration > 0, "{refusal:?}");
        let mut next = self::session(1);
        let mut storage = Storage::new(&flash, 0..4 * 4096).unwrap();
        let boot = block_on(next.resume(&mut storage, &mut ()));
        assert!(matches!(boot, Boot::Resumed(1..)), "{refusal:?}: {boot:?}");
        for mut session in [session, next] {
            block_on(session.learn(&mut ()));
            assert_eq!(session.fingerprint(), finished(1).fingerprint());
        }
    }
}

#[test]
fn the_newest_checkpoint_is_read_in_parts() {
    let (flash, told) = (Flash::new(), RefCell::default());
    let mut session = session(1);
    // There is none yet.
    let commands = [(5, Command::Read(0)), (10, Command::Save)];
    run(&mut session, &flash, Listener(&told), 200, &commands);
    let nothing = told.borrow_mut().parts.remove(0);
    assert_eq!((nothing.of, nothing.content()), (0, &[][..]));
    let iteration = told.borrow().saved[0];
    let expected = checkpoint(1, iteration);
    let reads = (0..=expected.len() as u32 + 64).step_by(Part::BYTES);
    let commands: Vec<_> = (200..).zip(reads.map(Command::Read)).collect();
    run(&mut session, &flash, Listener(&told), 400, &commands);
    let parts = told.into_inner().parts;
    assert_eq!(parts.len(), commands.len());
    let mut found: Vec<u8> = Vec::new();
    for part in &parts {
        assert_eq!(part.of as usize, expected.len());
        found.truncate(part.at as usize);
        found.extend(part.content());
    }
    assert!(found == expected);
    block_on(session.learn(&mut ()));
    assert_eq!(session.fingerprint(), finished(1).fingerprint());
}
