//! Checkpoints in flash, and what power cuts do to them.

mod flash;
mod power_cuts;

use embassy_futures::block_on;
use flash::{Erase, Flash, PAGE, PAGES};
use ipse::checkpoint::LoadError;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::{Boot, Missing, Settings, UnfitRange};

type Learner = Agent<Tetris10x10, Ipse>;
type Session = ipse_device::Session<Learner>;
type Storage<F> = ipse_device::Storage<F, { Session::BUFFER }>;

const RANGE: std::ops::Range<u32> = 0..(PAGE * PAGES) as u32;

/// A run in which both phases are short.
fn settings() -> Settings {
    Settings {
        iterations: 40,
        save_every: 1,
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
    Session::new(settings, clock, new)
}

fn clock() -> u64 {
    0
}

fn new_session() -> Session {
    session(settings())
}

/// A run after each of its iterations, from none on.
fn sessions() -> Vec<Session> {
    let mut sessions = vec![new_session()];
    while sessions.len() <= settings().iterations as usize {
        let mut next = sessions[sessions.len() - 1].clone();
        while next.slice().is_none() {}
        sessions.push(next);
    }
    sessions
}

fn bytes_of(session: &mut Session) -> Vec<u8> {
    session.save(&mut [0; Session::MAX_BYTES]).unwrap().to_vec()
}

fn storage<const WORD: usize>(flash: Flash<WORD>) -> Storage<Flash<WORD>> {
    Storage::new(flash, RANGE).unwrap()
}

/// The checkpoint that a new session is restored from, as it would save it.
fn newest<const WORD: usize>(storage: &mut Storage<Flash<WORD>>) -> Result<Vec<u8>, Missing> {
    let mut session = new_session();
    block_on(storage.restore(&mut session))?;
    Ok(bytes_of(&mut session))
}

/// The same after the board was turned off and on.
fn newest_on<const WORD: usize>(flash: &Flash<WORD>) -> Result<Vec<u8>, Missing> {
    newest(&mut storage(flash.clone()))
}

#[test]
fn the_newest_checkpoint_is_the_last_that_was_saved() {
    let flash = Flash::<4>::new(Erase::InOrder);
    assert_eq!(newest_on(&flash), Err(Missing::Nothing));
    let mut storage = storage(flash.clone());
    for mut session in sessions() {
        block_on(storage.save(&mut session)).unwrap();
        assert_eq!(newest_on(&flash), Ok(bytes_of(&mut session)));
    }
}

#[test]
fn after_every_boot_the_next_is_saved_beside_the_newest() {
    let flash = Flash::<4>::new(Erase::InOrder);
    let mut before = Err(Missing::Nothing);
    for mut session in sessions() {
        let mut storage = storage(flash.clone());
        assert_eq!(newest(&mut storage), before);
        block_on(storage.save(&mut session)).unwrap();
        before = Ok(bytes_of(&mut session));
    }
}

#[test]
fn what_was_saved_with_other_settings_is_not_taken_but_replaced() {
    let flash = Flash::<4>::new(Erase::InOrder);
    let other = Settings {
        seed: 2,
        ..settings()
    };
    for _ in 0..2 {
        let mut stranger = session(other);
        stranger.finish();
        block_on(storage(flash.clone()).save(&mut stranger)).unwrap();
    }
    let foreign = Err(Missing::Unusable(LoadError::Foreign));
    assert_eq!(newest_on(&flash), foreign);
    for session in &mut sessions()[1..5] {
        let mut storage = storage(flash.clone());
        let _ = newest(&mut storage);
        block_on(storage.save(session)).unwrap();
        assert_eq!(newest_on(&flash), Ok(bytes_of(session)));
    }
}

#[test]
fn a_newer_checkpoint_that_cannot_be_restored_gives_way_to_an_older_one() {
    let flash = Flash::<4>::new(Erase::InOrder);
    let mut storage = storage(flash.clone());
    let mut session = sessions().swap_remove(9);
    block_on(storage.save(&mut session)).unwrap();
    // Its seed is found to be another one only when all of it is read.
    let mut stranger = self::session(Settings {
        seed: 2,
        ..settings()
    });
    stranger.finish();
    block_on(storage.save(&mut stranger)).unwrap();

    let mut resumed = new_session();
    let boot = block_on(resumed.resume(&mut self::storage(flash)));
    assert_eq!(boot, Boot::Resumed { iterations: 9 });
    assert_eq!(resumed.finish(), new_session().finish());
}

#[test]
fn a_run_is_not_resumed_beyond_the_iterations_that_it_is_set_to() {
    let flash = Flash::<4>::new(Erase::InOrder);
    let set_to = |iterations| {
        let settings = Settings {
            iterations,
            ..settings()
        };
        session(settings)
    };
    let boot = |iterations| {
        let mut session = set_to(iterations);
        let boot = block_on(session.resume(&mut storage(flash.clone())));
        (boot, session)
    };
    for session in &mut sessions()[19..=20] {
        let mut storage = storage(flash.clone());
        let _ = newest(&mut storage);
        block_on(storage.save(session)).unwrap();
    }
    let (anew, mut short) = boot(10);
    let Boot::Anew(Missing::Unusable(LoadError::TooFar { limit: 10, .. })) = anew else {
        panic!("{anew}");
    };
    let ended = short.finish();
    assert_eq!(ended.fingerprint, set_to(10).finish().fingerprint);

    let (before, _) = boot(19);
    assert_eq!(before, Boot::Resumed { iterations: 19 });
    let (finished, mut session) = boot(20);
    assert_eq!(finished, Boot::Resumed { iterations: 20 });
    let expected = set_to(20).finish();
    assert_eq!(session.finish(), expected);
    let (_, mut longer) = boot(21);
    assert_eq!(longer.finish(), set_to(21).finish());
}

#[test]
fn flash_that_is_full_of_anything_is_put_to_use() {
    for byte in [0, 0x55, 0xfe] {
        let flash = Flash::<4>::new(Erase::InOrder);
        flash.bytes.borrow_mut().fill(byte);
        assert!(newest_on(&flash).is_err());
        let mut storage = storage(flash.clone());
        for session in &mut sessions()[..6] {
            block_on(storage.save(session)).unwrap();
            assert_eq!(newest_on(&flash), Ok(bytes_of(session)));
        }
    }
}

#[test]
fn a_checkpoint_that_decays_gives_way_to_the_one_before() {
    let flash = Flash::<4>::new(Erase::InOrder);
    let mut storage = storage(flash.clone());
    let mut sessions = sessions();
    block_on(storage.save(&mut sessions[20])).unwrap();
    let before = flash.bytes.borrow().clone();
    block_on(storage.save(&mut sessions[21])).unwrap();
    let written: Vec<usize> = (0..before.len())
        .filter(|&i| flash.bytes.borrow()[i] != before[i])
        .collect();
    for position in written {
        let decayed = flash.copy(flash.power.clone(), 0);
        decayed.bytes.borrow_mut()[position] ^= 0x18;
        let found = newest_on(&decayed).unwrap();
        let is_one = [20, 21]
            .iter()
            .any(|&i| found == bytes_of(&mut sessions[i]));
        assert!(is_one, "at {position}");
    }
}

#[test]
fn a_range_that_cannot_hold_two_checkpoints_is_refused() {
    let page = PAGE as u32;
    for range in [
        0..0,
        0..page,
        0..2 * page,
        0..3 * page,
        1..4 * page + 1,
        std::ops::Range { start: 9, end: 3 },
    ] {
        let flash = Flash::<4>::new(Erase::InOrder);
        assert_eq!(Storage::new(flash, range).err(), Some(UnfitRange));
    }
}
