//! Whenever the power is cut, a board comes back with the last checkpoint or the one before, and
//! comes to the same result.

use super::flash::{Erase, Flash, Power};
use super::{bytes_of, new_session, newest, sessions, storage};
use embassy_futures::block_on;
use ipse::prelude::*;
use ipse_device::{Ended, Event};

/// Some bytes, if there is no time for all.
const SOME: usize = 499;

/// Every byte, if there is time.
const STEP: usize = if cfg!(debug_assertions) { SOME } else { 1 };

/// Cuts the power at every byte, or every so many, of every save of a run and of the erases that it
/// takes. Returns how many cuts that were.
fn cut_everywhere<const WORD: usize>(erase: Erase, step: usize) -> u64 {
    let mut sessions = sessions();
    let saved: Vec<Vec<u8>> = sessions.iter_mut().map(bytes_of).collect();
    let flash = Flash::<WORD>::new(erase);
    block_on(storage(flash.clone()).save(&mut sessions[0])).unwrap();
    let mut cuts = 0;
    for k in 1..sessions.len() - 1 {
        let boot = |flash: &Flash<WORD>| {
            let mut storage = storage(flash.clone());
            let found = newest(&mut storage).unwrap();
            (storage, found)
        };
        let before = flash.copy(Power::unlimited(), 0);
        flash.used.set(0);
        block_on(boot(&flash).0.save(&mut sessions[k])).unwrap();
        for cut in (0..flash.used.get()).step_by(step) {
            let power = Power::limited(cut);
            let torn = before.copy(power.clone(), cut);
            let (mut storage, _) = boot(&torn);
            let done = power.run(false, storage.save(&mut sessions[k]));
            assert_eq!(done, None, "the power was cut at {cut}");

            let back = torn.reboot(Power::unlimited(), cut);
            let (mut storage, found) = boot(&back);
            assert!(
                found == saved[k] || found == saved[k - 1],
                "neither {k} nor the one before after a cut at {cut}, {WORD} bytes, {erase:?}"
            );
            block_on(storage.save(&mut sessions[k + 1])).unwrap();
            assert_eq!(boot(&back).1, saved[k + 1], "after a cut at {cut}");
            cuts += 1;
        }
    }
    println!("{cuts} cuts in saves {WORD} bytes at a time, erased {erase:?}");
    cuts
}

#[test]
fn at_every_byte_of_every_save_and_erase() {
    assert!(cut_everywhere::<4>(Erase::InOrder, STEP) > 10_000 / STEP as u64);
}

#[test]
fn at_every_byte_even_if_erases_stop_with_any_bytes_erased() {
    assert!(cut_everywhere::<4>(Erase::Anywhere, STEP) > 10_000 / STEP as u64);
}

/// All of it takes a minute; `cargo xtask power-cuts` asks for that.
#[test]
fn whatever_the_size_of_a_word() {
    let step = match std::env::var_os("EVERY_BYTE") {
        Some(_) => 1,
        None => SOME,
    };
    for erase in [Erase::InOrder, Erase::Anywhere] {
        let cuts = cut_everywhere::<1>(erase, step) + cut_everywhere::<32>(erase, step);
        assert!(cuts > 20_000 / step as u64);
    }
}

#[test]
fn from_every_checkpoint_a_run_ends_with_the_bits_of_one_without_cuts() {
    let expected = new_session().finish();
    for mut session in sessions() {
        let mut resumed = new_session();
        resumed.restore(&bytes_of(&mut session)).unwrap();
        assert_eq!(resumed.finish(), expected);
    }
}

/// A board that is turned on with so much power, learns and saves.
fn life<const WORD: usize>(flash: &Flash<WORD>, power: &Power) -> Option<Ended> {
    let live = async {
        let mut storage = storage(flash.clone());
        let mut session = new_session();
        session.resume(&mut storage).await;
        let mut report = async |event: &Event| assert_ne!(*event, Event::NotSaved);
        session.learn_and_save(&mut storage, &mut report).await
    };
    power.run(true, live)
}

#[test]
fn at_random_times_again_and_again() {
    let expected = new_session().finish();
    let runs = if cfg!(debug_assertions) { 3 } else { 200 };
    let (mut cuts, mut longest) = (0, 0);
    let mut chance = XorShiftRng::seed_from_u64(7);
    for run in 0..runs {
        let erase = if run % 2 == 0 {
            Erase::InOrder
        } else {
            Erase::Anywhere
        };
        let mut flash = Flash::<4>::new(erase);
        let mut in_a_row = 0;
        let ended = loop {
            let power = Power::limited(1 + u64::from(chance.next_u32() % 3_000));
            flash = flash.reboot(power.clone(), chance.next_u64());
            match life(&flash, &power) {
                Some(ended) => break ended,
                None => in_a_row += 1,
            }
        };
        assert_eq!(ended, expected);
        cuts += in_a_row;
        longest = longest.max(in_a_row);
    }
    println!("{cuts} cuts in {runs} runs, up to {longest} in a row");
    assert!(cuts > 10 * runs, "{cuts} cuts");
}
