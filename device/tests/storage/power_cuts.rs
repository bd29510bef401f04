//! Whenever the power is cut, a board comes back with the last checkpoint or the one before.

use super::counter::{Board, newest};
use ipse_device::faults::{EraseOrder, FaultyFlash};

/// As many saves as it takes to come back to the first page, and to its last slot.
const SAVES: u32 = 14;

/// Cuts the power at every byte of every save and of the erases that it takes. Returns how many cuts that were.
fn cut_everywhere<const WORD: usize, const PAGE: usize, const PAGES: usize>() -> u64 {
    let mut cuts = 0;
    for order in [EraseOrder::Ascending, EraseOrder::Scattered] {
        let flash = FaultyFlash::<WORD, PAGE, PAGES>::new();
        flash.erase_in(order);
        Board::boot(&flash).0.save(0).unwrap();
        for number in 1..=SAVES {
            let before = flash.clone();
            flash.reset_counts();
            Board::boot(&flash).0.save(number).unwrap();
            for cut in 0..flash.counts().bytes {
                let torn = before.clone();
                torn.seed(cut);
                torn.cut_power_after(cut);
                let (mut board, _) = Board::boot(&torn);
                assert!(board.save(number).is_err() && torn.is_off());

                torn.reboot();
                torn.reset_counts();
                let (mut board, booted) = Board::boot(&torn);
                let (found, _) = booted.unwrap();
                let case = format!("save {number}, cut at {cut}, {WORD}, {PAGE}, {order:?}");
                assert!(found == number || found == number - 1, "{found}: {case}");
                board.save(number + 1).unwrap();
                assert_eq!(newest(&torn), Some(number + 1), "{case}");
                // Many kinds of flash do not allow that.
                assert_eq!(torn.counts().overwritten, 0, "{case}");
                cuts += 1;
            }
        }
    }
    println!("{cuts} cuts in {PAGES} pages of {PAGE} bytes, words of {WORD}");
    cuts
}

#[test]
fn at_every_byte_of_every_save_and_erase_with_any_words_and_pages() {
    let cuts = cut_everywhere::<1, 256, 2>()
        + cut_everywhere::<2, 64, 4>()
        + cut_everywhere::<4, 256, 4>()
        + cut_everywhere::<8, 512, 2>()
        + cut_everywhere::<16, 128, 3>()
        + cut_everywhere::<32, 1024, 2>();
    println!("{cuts} cuts in all");
    assert!(cuts > 10_000, "{cuts}");
}

#[test]
fn again_and_again_while_a_save_is_attempted() {
    let flash = FaultyFlash::<4, 256, 2>::new();
    flash.erase_in(EraseOrder::Scattered);
    let mut last = None;
    let mut cuts = 0;
    for number in 1..=400 {
        // The power lasts for none of the attempts but the last.
        for attempt in 0..number % 20 {
            flash.seed(u64::from(20 * number + attempt));
            flash.cut_power_after(u64::from((number * 7 + attempt * 31) % 300));
            let (mut board, booted) = Board::boot(&flash);
            assert_eq!(booted.ok().map(|(found, _)| found), last);
            if board.save(number).is_ok() {
                last = Some(number);
            }
            cuts += u32::from(flash.is_off());
            flash.reboot();
            // All of it may have been written.
            last = newest(&flash).max(last);
        }
        Board::boot(&flash).0.save(number).unwrap();
        last = Some(number);
    }
    println!("{cuts} cuts, up to 19 in a row");
    assert!(cuts > 1_000, "{cuts}");
}
