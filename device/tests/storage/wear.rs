//! How often pages are erased, and what happens when they are worn out.

use super::counter::{Board, Flash, newest};
use ipse_device::Storage;
use ipse_device::faults::{Effect, FaultyFlash, Operation};

#[test]
fn all_pages_wear_alike_and_the_flash_itself_counts_it() {
    let flash = Flash::<4>::new();
    let mut number = 0;
    // Boards that are turned off and on after any number of saves.
    for life in 1..=40 {
        let (mut board, booted) = Board::boot(&flash);
        let known = booted.map_or(0, |(_, restored)| restored.erases);
        let erases = flash.erases();
        assert_eq!(known, erases.iter().sum());
        assert!(erases[0].abs_diff(erases[3]) <= 1, "{erases:?}");
        for _ in 0..life % 7 + 1 {
            number += 1;
            let saved = board.save(number).unwrap();
            assert_eq!(saved.erases, flash.erases().iter().sum());
        }
    }
    // Three in a page.
    assert_eq!(flash.erases().iter().sum::<u32>(), number.div_ceil(3));
}

#[test]
fn the_lifetime_is_what_can_be_saved_until_pages_are_worn_out_and_then_nothing_is_lost() {
    for operation in [Operation::Program, Operation::Erase] {
        for effect in Effect::ALL {
            let flash = Flash::<4>::new();
            flash.wear_out_after(10, operation, effect);
            let (mut board, _) = Board::boot(&flash);
            let lifetime = board.storage.lifetime(10) as u32;
            assert_eq!(lifetime, 4 * 3 * 10);
            let mut last = 0;
            for number in 1..=lifetime + 30 {
                match board.save(number) {
                    Ok(_) => last = number,
                    Err(_) => assert!(number > lifetime, "{number}, {operation:?} {effect:?}"),
                }
                assert_eq!(newest(&flash), Some(last), "{operation:?} {effect:?}");
            }
        }
    }
}

/// The number of checkpoints of 1,664 bytes that can be saved.
fn lifetime<const WORD: usize, const PAGE: usize, const PAGES: usize>(cycles: u32) -> u64 {
    let flash = FaultyFlash::<WORD, PAGE, PAGES>::new();
    let storage = Storage::<_, 1664>::new(&flash, 0..(PAGE * PAGES) as u32);
    storage.unwrap().lifetime(cycles)
}

#[test]
fn the_lifetimes_in_the_documentation_are_right() {
    assert_eq!(lifetime::<1, 4096, 4>(100_000), 800_000);
    assert_eq!(lifetime::<1, 4096, 16>(100_000), 3_200_000);
    assert_eq!(lifetime::<4, 16_384, 2>(10_000), 180_000);
    assert_eq!(lifetime::<4, 131_072, 2>(10_000), 1_540_000);
}
