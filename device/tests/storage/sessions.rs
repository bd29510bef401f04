//! Sessions that learn, on flash that loses its power and fails: they end with the bits of one that was never
//! disturbed.

use embassy_futures::block_on;
use ipse::checkpoint::LoadError;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::faults::{Effect, EraseOrder, FaultyFlash, FlashError, Operation};
use ipse_device::storage::LoadFailed;
use ipse_device::{Boot, Ended, Failure, Observer, Refusal, Saved, Settings};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

type Learner = Agent<Tetris10x10, Ipse>;
type Session = ipse_device::Session<Learner>;
type Storage<F> = ipse_device::Storage<F, { Session::BUFFER }>;

const PAGE: usize = 4096;
const PAGES: usize = 4;

/// Flash with words of `WORD` bytes.
type Flash<const WORD: usize> = FaultyFlash<WORD, PAGE, PAGES>;

/// A run in which both phases are short.
const ITERATIONS: u32 = 40;

/// Every iteration is saved.
fn settings() -> Settings {
    Settings {
        iterations: Some(ITERATIONS),
        save_seconds: 0,
        ..Settings::default()
    }
}

/// A session with hardly any rollouts.
fn session(settings: Settings) -> Session {
    let rollouts = Rollouts {
        count: 1,
        length: 2,
        ..Rollouts::paper()
    };
    let learner = Ipse::paper().cap(4).rollouts(rollouts).check().unwrap();
    let new = |rng: &mut _| Agent::new(Tetris10x10::default(), learner, rng);
    Session::new(settings, || 0, new)
}

fn new_session() -> Session {
    session(settings())
}

/// A run after each of its iterations, from none on.
fn sessions() -> Vec<Session> {
    let mut sessions = vec![new_session()];
    while sessions.len() <= ITERATIONS as usize {
        let mut next = sessions[sessions.len() - 1].clone();
        while next.slice().is_none() {}
        sessions.push(next);
    }
    sessions
}

fn bytes_of(session: &mut Session) -> Vec<u8> {
    session.save(&mut [0; Session::MAX_BYTES]).unwrap().to_vec()
}

fn storage<const WORD: usize>(flash: &Flash<WORD>) -> Storage<&Flash<WORD>> {
    Storage::new(flash, 0..(PAGE * PAGES) as u32).unwrap()
}

/// A board that is turned on, and the checkpoint that its session goes on from, as it would save it.
fn boot<const WORD: usize>(
    flash: &Flash<WORD>,
) -> (
    Storage<&Flash<WORD>>,
    Result<Vec<u8>, LoadFailed<FlashError>>,
) {
    let mut storage = storage(flash);
    let mut session = new_session();
    let restored = block_on(storage.restore(&mut session));
    (storage, restored.map(|_| bytes_of(&mut session)))
}

#[test]
fn the_newest_checkpoint_is_the_last_that_was_saved() {
    let flash = Flash::<4>::new();
    assert_eq!(boot(&flash).1, Err(LoadFailed::Nothing));
    let mut storage = storage(&flash);
    for mut session in sessions() {
        block_on(storage.save(&mut session)).unwrap();
        assert_eq!(boot(&flash).1, Ok(bytes_of(&mut session)));
    }
}

#[test]
fn what_was_saved_with_other_settings_is_not_taken_but_replaced() {
    let flash = Flash::<4>::new();
    let other = Settings {
        seed: 2,
        ..settings()
    };
    for _ in 0..2 {
        let mut stranger = finished(session(other));
        block_on(storage(&flash).save(&mut stranger)).unwrap();
    }
    let foreign = Err(LoadFailed::Refused(LoadError::Foreign));
    assert_eq!(boot(&flash).1, foreign);
    for session in &mut sessions()[1..12] {
        let (mut storage, _) = boot(&flash);
        block_on(storage.save(session)).unwrap();
        assert_eq!(boot(&flash).1, Ok(bytes_of(session)));
    }
}

#[test]
fn a_newer_checkpoint_that_is_refused_gives_way_to_an_older_one() {
    let flash = Flash::<4>::new();
    let mut storage = storage(&flash);
    let mut session = sessions().swap_remove(9);
    block_on(storage.save(&mut session)).unwrap();
    // Its seed is found to be another one only when all of it is read.
    let mut stranger = finished(self::session(Settings {
        seed: 2,
        ..settings()
    }));
    block_on(storage.save(&mut stranger)).unwrap();

    let mut resumed = new_session();
    let boot = block_on(resumed.resume(&mut self::storage(&flash), &mut ()));
    assert_eq!(boot, Boot::Resumed(9));
    assert_eq!(finish(resumed), finish(new_session()));
}

#[test]
fn a_run_is_not_resumed_beyond_the_iterations_that_it_is_set_to() {
    let flash = Flash::<4>::new();
    let set_to = |iterations| {
        let settings = Settings {
            iterations: Some(iterations),
            ..settings()
        };
        session(settings)
    };
    let boot_for = |iterations| {
        let mut session = set_to(iterations);
        let boot = block_on(session.resume(&mut storage(&flash), &mut ()));
        (boot, session)
    };
    for session in &mut sessions()[19..=20] {
        let (mut storage, _) = boot(&flash);
        block_on(storage.save(session)).unwrap();
    }
    let (new, short) = boot_for(10);
    let Boot::Refused(Refusal::TooFar(_)) = new else {
        panic!("{new}");
    };
    assert_eq!(finish(short), finish(set_to(10)));

    let (before, _) = boot_for(19);
    assert_eq!(before, Boot::Resumed(19));
    let (whole, session) = boot_for(20);
    assert_eq!(whole, Boot::Resumed(20));
    assert_eq!(finish(session), finish(set_to(20)));
    let (_, longer) = boot_for(21);
    assert_eq!(finish(longer), finish(set_to(21)));
}

#[test]
fn a_board_that_cannot_read_its_flash_says_so() {
    let flash = Flash::<4>::new();
    block_on(storage(&flash).save(&mut sessions()[3])).unwrap();
    flash.reset_counts();
    flash.fail(0..u64::MAX, Effect::Error);
    let boot = block_on(new_session().resume(&mut storage(&flash), &mut ()));
    assert_eq!(boot, Boot::Unreadable);
}

#[test]
fn from_every_checkpoint_a_run_ends_with_the_bits_of_one_without_cuts() {
    let expected = finish(new_session());
    for mut session in sessions() {
        let mut resumed = new_session();
        resumed.restore(&bytes_of(&mut session)).unwrap();
        assert_eq!(finish(resumed), expected);
    }
}

/// Cuts the power at every byte, or every so many, of every save of a run and of the erases that it takes. Returns
/// how many cuts that were.
fn cut_everywhere<const WORD: usize>(order: EraseOrder, step: usize) -> u64 {
    let mut sessions = sessions();
    let saved: Vec<Vec<u8>> = sessions.iter_mut().map(bytes_of).collect();
    let flash = Flash::<WORD>::new();
    flash.erase_in(order);
    block_on(storage(&flash).save(&mut sessions[0])).unwrap();
    let mut cuts = 0;
    for k in 1..sessions.len() - 1 {
        let before = flash.clone();
        flash.reset_counts();
        block_on(boot(&flash).0.save(&mut sessions[k])).unwrap();
        for cut in (0..flash.counts().bytes).step_by(step) {
            let torn = before.clone();
            torn.seed(cut);
            torn.cut_power_after(cut);
            let (mut storage, _) = boot(&torn);
            block_on(storage.save(&mut sessions[k])).unwrap_err();

            torn.reboot();
            let (mut storage, found) = boot(&torn);
            let found = found.unwrap();
            assert!(
                found == saved[k] || found == saved[k - 1],
                "neither {k} nor the one before after a cut at {cut}, {WORD} bytes, {order:?}"
            );
            block_on(storage.save(&mut sessions[k + 1])).unwrap();
            assert_eq!(boot(&torn).1.unwrap(), saved[k + 1], "after a cut at {cut}");
            cuts += 1;
        }
    }
    println!("{cuts} cuts in saves of a session {WORD} bytes at a time, erased {order:?}");
    cuts
}

/// Some bytes, if there is no time for all.
const SOME: usize = if cfg!(debug_assertions) { 997 } else { 97 };

/// All of it takes minutes; `cargo xtask power-cuts` asks for that.
#[test]
fn the_power_is_cut_at_every_byte_of_every_save_and_erase() {
    let step = match std::env::var_os("EVERY_BYTE") {
        Some(_) => 1,
        None => SOME,
    };
    let mut cuts = 0;
    for order in [EraseOrder::Ascending, EraseOrder::Scattered] {
        cuts += cut_everywhere::<1>(order, step);
        cuts += cut_everywhere::<4>(order, step);
        cuts += cut_everywhere::<32>(order, step);
    }
    assert!(cuts > 200_000 / step as u64, "{cuts}");
}

/// A board that is turned on, learns and saves, until its power is cut or it has taken so many turns.
fn life<const WORD: usize>(flash: &Flash<WORD>, turns: u32) -> Option<Ended> {
    let mut failures = Failures(0);
    let ended = {
        let live = async {
            let mut storage = storage(flash);
            let mut session = new_session();
            session.resume(&mut storage, &mut ()).await;
            session.learn_and_save(&mut storage, &mut failures).await;
            session.result()
        };
        let mut live = pin!(live);
        let mut context = Context::from_waker(Waker::noop());
        let mut turn = || match live.as_mut().poll(&mut context) {
            _ if flash.is_off() => Some(None),
            Poll::Ready(ended) => Some(Some(ended)),
            Poll::Pending => None,
        };
        (0..turns).find_map(|_| turn()).flatten()
    };
    assert!(failures.0 == 0 || flash.is_off());
    ended
}

/// The number of checkpoints that were not saved.
struct Failures(u32);

impl Observer<Learner> for Failures {
    fn saved(&mut self, _: &Session, saved: Saved) {
        self.0 += u32::from(!saved.is_saved());
    }
}

#[test]
fn the_power_is_cut_at_random_times_again_and_again() {
    let expected = finish(new_session());
    let runs = if cfg!(debug_assertions) { 3 } else { 200 };
    let (mut cuts, mut longest) = (0, 0);
    let mut chance = XorShiftRng::seed_from_u64(7);
    for run in 0..runs {
        let flash = Flash::<4>::new();
        if run % 2 == 1 {
            flash.erase_in(EraseOrder::Scattered);
        }
        let mut in_a_row = 0;
        let ended = loop {
            flash.reboot();
            flash.seed(chance.next_u64());
            flash.cut_power_after(u64::from(chance.next_u32() % 6_000));
            match life(&flash, 1 + chance.next_u32() % 3_000) {
                Some(ended) => break ended,
                None => in_a_row += 1,
            }
        };
        assert_eq!(ended, expected);
        cuts += in_a_row;
        longest = longest.max(in_a_row);
    }
    println!("{cuts} cuts in {runs} runs, up to {longest} in a row");
    assert!(cuts > 5 * runs, "{cuts} cuts");
}

#[test]
fn operations_fail_once_each_and_pages_are_bad_and_the_run_ends_with_the_same_bits() {
    let expected = finish(new_session());
    let flash = Flash::<4>::new();
    assert_eq!(life(&flash, u32::MAX), Some(expected.clone()));
    let operations = flash.counts().all();
    let mut runs = 0;
    let step = if cfg!(debug_assertions) { 151 } else { 7 };
    for number in (0..operations).step_by(step) {
        for effect in Effect::ALL {
            let flash = Flash::<4>::new();
            flash.seed(number);
            flash.fail(number..number + 1, effect);
            assert_eq!(life(&flash, u32::MAX), Some(expected.clone()));
            assert_eq!(boot(&flash).1, Ok(bytes_of(&mut finished(new_session()))));
            runs += 1;
        }
    }
    for page in 0..PAGES {
        for operation in Operation::ALL {
            for effect in Effect::ALL {
                let flash = Flash::<4>::new();
                flash.break_page(page, operation, effect);
                assert_eq!(life(&flash, u32::MAX), Some(expected.clone()));
                assert_eq!(boot(&flash).1, Ok(bytes_of(&mut finished(new_session()))));
                runs += 1;
            }
        }
    }
    println!("{runs} runs of a session with a failure, of {operations} operations each");
}

/// The last failure that was told.
struct Told(Option<Failure>);

impl Observer<Learner> for Told {
    fn saved(&mut self, _: &Session, saved: Saved) {
        self.0 = saved.failure;
    }
}

#[test]
fn a_board_tells_why_a_checkpoint_was_not_saved() {
    for (operation, effect) in [
        (Operation::Program, Effect::Error),
        (Operation::Program, Effect::Ignored),
        (Operation::Erase, Effect::Error),
        (Operation::Erase, Effect::Ignored),
    ] {
        let flash = Flash::<4>::new();
        let mut storage = storage(&flash);
        block_on(new_session().learn_and_save(&mut storage, &mut ()));
        for page in 0..PAGES {
            flash.break_page(page, operation, effect);
        }
        let mut told = Told(None);
        block_on(new_session().learn_and_save(&mut storage, &mut told));
        let Some(Failure::Block(_, failed)) = told.0 else {
            panic!("{:?}", told.0);
        };
        assert_eq!(failed, operation);
    }
}

fn finished(mut session: Session) -> Session {
    while !session.is_done() {
        session.slice();
    }
    session
}

/// The result of a session that goes on to its end.
fn finish(session: Session) -> Ended {
    finished(session).result()
}
