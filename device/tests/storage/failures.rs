//! Flash that fails: nothing that was saved is lost while it can be read, and saving goes on while there are two
//! good blocks.

use super::counter::{Board, Flash, PAGE, newest};
use ipse_device::faults::{Effect, FlashError, Operation};
use ipse_device::storage::{Cause, READS};
use ipse_device::storage::{LoadFailed, SaveFailed};

/// The saves of a run. The board is turned off and on after every fourth of them.
const SAVES: u32 = 14;

/// What has happened in a run.
struct Run {
    /// The number that was saved last.
    last: Option<u32>,
    /// The number of saves that failed.
    failed: u32,
    /// Each save that succeeded, with its address.
    saved: Vec<(u32, u32)>,
}

/// Counts and saves, from where the board goes on. After each boot, the newest number must be the last that was saved.
fn run<const PAGES: usize>(flash: &Flash<PAGES>, numbers: std::ops::RangeInclusive<u32>) -> Run {
    let mut run = Run {
        last: newest(flash),
        failed: 0,
        saved: Vec::new(),
    };
    let mut board = Board::boot(flash).0;
    for number in numbers {
        match board.save(number) {
            Ok(saved) => {
                run.last = Some(number);
                run.saved.push((number, saved.address));
            }
            Err(_) => run.failed += 1,
        }
        if number % 4 == 0 {
            let (next, booted) = Board::boot(flash);
            assert_eq!(booted.ok().map(|(found, _)| found), run.last);
            board = next;
        }
    }
    run
}

fn operations<const PAGES: usize>(saves: u32) -> u64 {
    let flash = Flash::<PAGES>::new();
    assert_eq!(run(&flash, 1..=saves).failed, 0);
    assert_eq!(flash.counts().overwritten, 0);
    flash.counts().all()
}

/// Fails each operation of a run once, in each way. Returns how many failures that were.
fn fail_each_operation<const PAGES: usize>() -> u64 {
    let saves = 2 * SAVES;
    let operations = operations::<PAGES>(saves);
    for effect in Effect::ALL {
        for number in 0..operations {
            let flash = Flash::<PAGES>::new();
            flash.seed(number);
            flash.fail(number..number + 1, effect);
            let run = run(&flash, 1..=saves);
            assert_eq!(run.failed, 0, "{effect:?} in operation {number}");
            assert_eq!(
                newest(&flash),
                Some(saves),
                "{effect:?} in operation {number}"
            );
        }
    }
    operations * Effect::ALL.len() as u64
}

#[test]
fn one_failure_of_any_operation_costs_neither_a_save_nor_what_was_saved() {
    let failures = fail_each_operation::<2>() + fail_each_operation::<4>();
    println!("{failures} single failures");
    assert!(failures > 2_000, "{failures}");
}

#[test]
fn if_all_operations_fail_from_any_on_until_the_next_boot_nothing_is_lost() {
    let mut failures = 0;
    for effect in Effect::ALL {
        for number in 0..operations::<4>(SAVES) {
            let flash = Flash::<4>::new();
            flash.seed(number);
            // Some of the numbers are saved before that, by other boards.
            run(&flash, 1..=SAVES / 2);
            flash.reset_counts();
            flash.fail(number..u64::MAX, effect);
            let (mut board, booted) = Board::boot(&flash);
            let mut last = SAVES / 2;
            if let Ok((found, restored)) = booted {
                assert!(
                    found == last || restored.unreadable > 0,
                    "{found}, {restored:?}"
                );
            }
            for number in SAVES / 2 + 1..=SAVES {
                if board.save(number).is_ok() {
                    last = number;
                }
            }
            flash.heal();
            let found = newest(&flash);
            // What could not be read back may be there nevertheless.
            assert!(
                (Some(last)..=Some(SAVES)).contains(&found),
                "{found:?} after {last}, {effect:?} from operation {number} on"
            );
            let after = run(&flash, SAVES + 1..=2 * SAVES);
            assert_eq!((after.failed, after.last), (0, Some(2 * SAVES)));
            failures += 1;
        }
    }
    println!("{failures} failures until the next boot");
    assert!(failures > 500, "{failures}");
}

/// Each way in which a page can be bad.
fn defects() -> impl Iterator<Item = (Operation, Effect)> {
    let effects = |operation| Effect::ALL.map(|effect| (operation, effect));
    Operation::ALL.into_iter().flat_map(effects)
}

/// Returns the number of runs.
fn break_each_page<const PAGES: usize>() -> u32 {
    let mut runs = 0;
    for (operation, effect) in defects() {
        for page in 0..PAGES {
            for before in 0..SAVES {
                let flash = Flash::<PAGES>::new();
                let saved = run(&flash, 1..=before).saved;
                flash.break_page(page, operation, effect);
                // The newest that can still be read.
                let is_readable = |&&(_, address): &&(u32, u32)| {
                    operation != Operation::Read || address as usize / PAGE != page
                };
                let expected = saved.iter().rfind(is_readable).map(|(number, _)| *number);
                let found = newest(&flash);
                let case = format!("page {page}, {operation:?} {effect:?}, after {before} saves");
                assert!(
                    // Blocks are erased when they are full, so that there may be no other.
                    found >= expected || saved.len() <= 3,
                    "{found:?} and not {expected:?}: {case}"
                );
                let after = run(&flash, before + 1..=2 * SAVES);
                assert_eq!(after.failed, 0, "{case}");
                assert_eq!(newest(&flash), Some(2 * SAVES), "{case}");
                runs += 1;
            }
        }
    }
    runs
}

#[test]
fn a_bad_page_of_three_or_more_costs_no_save() {
    let runs = break_each_page::<3>() + break_each_page::<4>();
    println!("{runs} runs with one bad page");
}

#[test]
fn two_bad_pages_of_four_cost_no_save() {
    let mut runs = 0;
    for (operation, effect) in defects() {
        for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let flash = Flash::<4>::new();
            flash.break_page(one, operation, effect);
            flash.break_page(other, operation, effect);
            let run = run(&flash, 1..=2 * SAVES);
            assert_eq!(
                run.failed, 0,
                "pages {one} and {other}, {operation:?} {effect:?}"
            );
            assert_eq!(newest(&flash), Some(2 * SAVES));
            runs += 1;
        }
    }
    println!("{runs} runs with two bad pages");
}

#[test]
fn with_one_good_page_left_what_was_saved_stays() {
    for (operation, effect) in defects() {
        for page in 0..2 {
            for before in 1..SAVES {
                let flash = Flash::<2>::new();
                let saved = run(&flash, 1..=before).saved;
                flash.break_page(page, operation, effect);
                let (_, address) = saved[saved.len() - 1];
                if operation == Operation::Read && address as usize / PAGE == page {
                    continue;
                }
                let after = run(&flash, before + 1..=2 * SAVES);
                assert_eq!(
                    newest(&flash),
                    after.last,
                    "page {page}, {operation:?} {effect:?}"
                );
                assert!(after.last >= Some(before));
            }
        }
    }
}

#[test]
fn a_bad_page_is_reported_and_not_erased_again_until_the_next_boot() {
    let flash = Flash::<4>::new();
    flash.break_page(2, Operation::Program, Effect::Error);
    let (mut board, _) = Board::boot(&flash);
    let saves = (1..=50).map(|number| board.save(number).unwrap());
    let reported: Vec<u32> = saves.map(|saved| saved.bad).collect();
    assert!(reported.is_sorted() && reported[0] == 0 && reported[49] == 1);
    assert_eq!(flash.erases()[2], 1);
    let mut bad = board.storage.bad();
    assert_eq!(bad.next(), Some(2 * PAGE as u32..3 * PAGE as u32));
    assert_eq!(bad.next(), None);
}

/// Numbers up to ten, so that all pages are in use, and the newest is beside another in a page.
fn learned<const PAGES: usize>() -> Flash<PAGES> {
    let flash = Flash::new();
    assert_eq!(run(&flash, 1..=10 + 3).last, Some(13));
    flash
}

#[test]
fn if_nothing_can_be_read_at_boot_nothing_is_overwritten() {
    // Errors, and data that is never the same twice.
    for effect in [Effect::Error, Effect::Partial, Effect::Flip] {
        let flash = learned::<4>();
        let before = flash.with_bytes(|bytes| bytes.to_vec());
        flash.reset_counts();
        flash.fail(0..u64::MAX, effect);
        let (mut board, booted) = Board::boot(&flash);
        let Err(LoadFailed::Unreadable { blocks: 4, cause }) = booted else {
            panic!("{booted:?}");
        };
        let is_error = effect != Effect::Flip;
        assert_eq!(
            cause,
            is_error.then_some(FlashError::Injected(Operation::Read))
        );
        flash.heal();
        for number in 1..=9 {
            let failed = board.save(number);
            assert_eq!(failed, Err(SaveFailed::NoPlace { unreadable: 4 }));
        }
        assert!(flash.with_bytes(|bytes| *bytes == before));
        assert_eq!(newest(&flash), Some(13));
    }
}

#[test]
fn flash_that_seems_to_be_empty_at_boot_is_looked_at_again_before_it_is_erased() {
    let flash = learned::<4>();
    flash.reset_counts();
    flash.fail(0..u64::MAX, Effect::Ignored);
    let (mut board, booted) = Board::boot(&flash);
    assert_eq!(booted, Err(LoadFailed::Nothing));
    flash.heal();
    for number in 1..=9 {
        let _ = board.save(number);
    }
    assert_eq!(newest(&flash), Some(13));
}

#[test]
fn a_page_that_cannot_be_read_at_boot_is_left_as_it_is_until_it_can() {
    // Fewer saves than there are checkpoints in the page, and many.
    for (page, saves) in (0..4).flat_map(|page| [1, 2, 3, 40].map(|saves| (page, saves))) {
        let flash = learned::<4>();
        let of_page = |bytes: &mut [u8]| bytes[page * PAGE..][..PAGE].to_vec();
        let before = flash.with_bytes(of_page);
        flash.break_page(page, Operation::Read, Effect::Error);
        let (mut board, booted) = Board::boot(&flash);
        let (number, restored) = booted.unwrap();
        assert!(restored.unreadable == 1 && number >= 10);
        flash.heal();
        for next in number + 1..=number + saves {
            // Not what a board without that failure would have saved.
            assert_eq!(board.save(100 + next).unwrap().unreadable, 1);
        }
        assert_eq!(flash.with_bytes(of_page), before);
        // What was saved after it had been restored is newer than what could not be read.
        let (mut board, booted) = Board::boot(&flash);
        let (found, restored) = booted.unwrap();
        assert_eq!((found, restored.unreadable), (100 + number + saves, 0));
        let pages: Vec<u32> = (1..=12)
            .map(|next| board.save(found + next).unwrap().address / PAGE as u32)
            .collect();
        assert!(pages.contains(&(page as u32)), "it is in use again");
    }
}

#[test]
fn what_was_saved_by_a_board_that_could_read_nothing_gives_way_to_what_comes_back() {
    // The first two of four pages are in use.
    let flash = Flash::<4>::new();
    let (mut board, _) = Board::boot(&flash);
    let mut pages = Vec::new();
    for number in 101..=105 {
        pages.push(board.save(number).unwrap().address as usize / PAGE);
    }
    pages.dedup();
    assert_eq!(pages.len(), 2);
    for page in &pages {
        flash.break_page(*page, Operation::Read, Effect::Error);
    }
    let (mut board, booted) = Board::boot(&flash);
    assert!(matches!(
        booted,
        Err(LoadFailed::Unreadable { blocks: 2, .. })
    ));
    for number in 1..=50 {
        board.save(number).unwrap();
    }
    // Until then, it is what a board goes on from.
    let (mut board, booted) = Board::boot(&flash);
    assert_eq!(booted.unwrap().0, 50);
    for number in 51..=60 {
        board.save(number).unwrap();
    }
    flash.heal();
    assert_eq!(newest(&flash), Some(105));
}

#[test]
fn an_older_checkpoint_behind_a_newer_one_in_the_same_page_does_not_hide_it() {
    let flash = Flash::<2>::new();
    let (mut board, _) = Board::boot(&flash);
    for number in 1..=6 {
        board.save(number).unwrap();
    }
    // Half of the page with the first three is erased, and then, by an erase that does nothing, not the rest.
    flash.break_page(1, Operation::Erase, Effect::Partial);
    board.save(7).unwrap_err();
    flash.break_page(1, Operation::Erase, Effect::Ignored);
    assert_eq!(board.save(8).unwrap().address, PAGE as u32);
    assert_eq!(newest(&flash), Some(8));
    flash.heal();
    for number in 9..=20 {
        board.save(number).unwrap();
        assert_eq!(newest(&flash), Some(number));
    }
}

#[test]
fn a_read_is_attempted_three_times() {
    assert_eq!(READS, 3);
    for failures in 1..=4 {
        let flash = learned::<2>();
        flash.reset_counts();
        flash.fail(0..failures, Effect::Error);
        let (_, booted) = Board::boot(&flash);
        let unreadable = booted.map(|(_, restored)| restored.unreadable);
        assert_eq!(
            unreadable,
            Ok(u32::from(failures >= 3)),
            "{failures} failures"
        );
    }
}

#[test]
fn attempts_are_bounded_however_the_flash_fails() {
    for (operation, effect) in defects() {
        let flash = learned::<4>();
        let (mut board, _) = Board::boot(&flash);
        for page in 0..4 {
            flash.break_page(page, operation, effect);
        }
        let mut erases = 0;
        for number in 1..=20 {
            flash.reset_counts();
            let _ = board.save(number);
            let counts = flash.counts();
            let case = format!("{operation:?} {effect:?}: {counts:?}");
            assert!(
                counts.erases <= 4 && counts.programs <= 2 * (4 + 1),
                "{case}"
            );
            // The three headers of a page are read before it is erased, and a slot, in two reads, up to three times.
            let reads = u64::from(READS) * (4 + 1) * (3 * u64::from(READS) + 3 * 2);
            assert!(counts.reads <= reads, "{case}");
            erases += counts.erases;
        }
        // One save finds out that all pages are bad. From then on, each tries one of them again.
        assert!(
            erases <= 4 + 20,
            "{operation:?} {effect:?}: {erases} erases"
        );
    }
}

#[test]
fn a_failure_names_its_address_and_its_cause() {
    let flash = Flash::<2>::new();
    let (mut board, booted) = Board::boot(&flash);
    assert_eq!(booted, Err(LoadFailed::Nothing));
    let cause = |operation, effect| {
        let mut board = Board::boot(&flash).0;
        for page in 0..2 {
            flash.break_page(page, operation, effect);
        }
        let failed = board.save(1).unwrap_err();
        flash.heal();
        failed
    };
    let failed = |cause| move |failed: SaveFailed<FlashError>| matches!(failed, SaveFailed::Failed { cause: found, .. } if found == cause);
    let error = FlashError::Injected;
    use Operation::{Erase, Program, Read};
    assert!(failed(Cause::Erase(error(Erase)))(cause(
        Erase,
        Effect::Error
    )));
    assert!(failed(Cause::Program(error(Program)))(cause(
        Program,
        Effect::Error
    )));
    assert!(failed(Cause::NotProgrammed)(cause(
        Program,
        Effect::Ignored
    )));
    assert!(failed(Cause::Read(error(Read)))(cause(Read, Effect::Error)));
    assert!(failed(Cause::Unstable)(cause(Read, Effect::Flip)));

    for number in 1..=4 {
        board.save(number).unwrap();
    }
    flash.break_page(0, Erase, Effect::Ignored);
    flash.break_page(1, Erase, Effect::Ignored);
    let text = (5..=20)
        .find_map(|number| board.save(number).err())
        .unwrap()
        .to_string();
    assert!(
        text == "storage: block at 0x0: not erased by an erase"
            || text == "storage: block at 0x100: not erased by an erase",
        "{text}"
    );
}
