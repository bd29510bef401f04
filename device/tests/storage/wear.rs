//! How often pages are erased, and what happens when they are worn out.

use super::counter::{Board, Flash, newest};
use ipse_device::faults::{Effect, Operation};

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

#[test]
fn after_years_as_many_checkpoints_as_promised_are_saved_on_the_flash_of_a_pico() {
    use ipse_device::Storage;
    use ipse_device::faults::FaultyFlash;
    // Four pages of 4 KiB, and checkpoints of 1,664 bytes.
    let flash = FaultyFlash::<1, 4096, 4>::new();
    let storage = Storage::<_, 1664>::new(&flash, 0..4 * 4096).unwrap();
    assert_eq!(storage.saves_per_erase(), 2);
    assert_eq!(storage.lifetime(100_000), 800_000);
}
