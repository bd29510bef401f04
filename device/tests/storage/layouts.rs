//! Any pages, any words, and ranges that are refused.

use super::counter::{BUFFER, Board, Counter, Flash, newest};
use embassy_futures::block_on;
use ipse::checkpoint::{LoadError, SaveError};
use ipse_device::faults::FaultyFlash;
use ipse_device::storage::{LoadFailed, Persistent, SaveFailed, Storage, UnfitRange};

/// Saves on flash of some geometry, and reads it back after each save.
fn use_up<const WORD: usize, const PAGE: usize, const PAGES: usize>(slots: u32, blocks: u32) {
    let flash = Box::new(FaultyFlash::<WORD, PAGE, PAGES>::new());
    let flash: &FaultyFlash<WORD, PAGE, PAGES> = &flash;
    let (mut board, booted) = Board::boot(flash);
    assert_eq!(booted, Err(LoadFailed::Nothing));
    assert_eq!(board.storage.saves_per_erase(), slots, "{PAGE} bytes");
    assert_eq!(board.storage.blocks(), blocks, "{PAGE} bytes");
    let step = (slots / 16).max(1);
    for number in 0..=2 * slots * blocks {
        let erases = board.save(number).unwrap().erases;
        assert_eq!(erases, number / slots + 1);
        if number % step == 0 {
            let (next, booted) = Board::boot(flash);
            let (found, restored) = booted.unwrap();
            assert_eq!((found, restored.erases), (number, erases));
            board = next;
        }
    }
    assert_eq!(flash.counts().overwritten, 0);
}

#[test]
fn pages_of_any_size_are_used_in_words_of_any_size() {
    // A slot has 64 bytes and a header.
    use_up::<1, 256, 2>(3, 2);
    use_up::<2, 256, 5>(3, 5);
    use_up::<4, 4096, 2>(48, 2);
    use_up::<8, 2048, 3>(23, 3);
    use_up::<16, 128, 2>(1, 2);
    use_up::<32, 1024, 4>(10, 4);
    // One that is larger than a page takes two.
    use_up::<4, 64, 4>(1, 2);
    use_up::<4, 64, 5>(1, 2);
    use_up::<32, 32, 7>(1, 2);
}

#[test]
fn pages_of_16_and_128_kib_are_used_to_the_end_before_they_are_erased() {
    let test = || {
        use_up::<4, 16_384, 2>(195, 2);
        use_up::<32, 131_072, 2>(1_365, 2);
    };
    // The flash is made on the stack.
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(test);
    thread.unwrap().join().unwrap();
}

fn unfit<const PAGES: usize>(range: std::ops::Range<u32>) -> (UnfitRange, String) {
    let flash = FaultyFlash::<4, 64, PAGES>::new();
    let unfit = Storage::<_, BUFFER>::new(&flash, range).err().unwrap();
    (unfit, unfit.to_string())
}

#[test]
fn a_range_that_cannot_hold_two_checkpoints_is_refused_with_numbers() {
    let (found, text) = unfit::<8>(1..256);
    assert_eq!(
        found,
        UnfitRange::Unaligned {
            address: 1,
            page: 64
        }
    );
    assert_eq!(
        text,
        "storage: address 0x1 is not a multiple of the page size (64)"
    );
    let (found, _) = unfit::<8>(0..65);
    assert_eq!(
        found,
        UnfitRange::Unaligned {
            address: 65,
            page: 64
        }
    );

    let (end, capacity) = (576, 512);
    let (found, text) = unfit::<8>(0..end);
    assert_eq!(found, UnfitRange::OutOfBounds { end, capacity });
    assert!(text.contains("0x240") && text.contains("0x200"), "{text}");
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
    let (found, _) = unfit::<8>(128..64);
    assert_eq!(found, UnfitRange::OutOfBounds { end: 64, capacity });

    // A slot takes two pages.
    for pages in [0, 1, 2, 3, 129] {
        let (found, text) = unfit::<130>(0..64 * pages);
        let (least, most) = (4, 128);
        assert_eq!(found, UnfitRange::Pages { pages, least, most });
        assert_eq!(
            text,
            format!("storage: pages ({pages}) must be from 4 to 128")
        );
    }
}

/// A counter with more room than it needs.
struct Roomy(Counter);

impl Persistent for Roomy {
    const MAX_BYTES: usize = 96;

    fn save<'a>(&mut self, buffer: &'a mut [u8]) -> Result<&'a [u8], SaveError> {
        self.0.save(buffer)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        self.0.restore(bytes)
    }
}

#[test]
fn checkpoints_for_another_size_of_buffer_are_refused_and_replaced() {
    let flash = Flash::<2>::new();
    Board::boot(&flash).0.save(7).unwrap();
    let mut storage = Storage::<_, 96>::new(&flash, 0..512).unwrap();
    let mut roomy = Roomy(Counter(0));
    let failed = block_on(storage.restore(&mut roomy)).unwrap_err();
    let other = LoadFailed::OtherLayout {
        slot: 84,
        expected: 116,
    };
    assert_eq!(failed, other);
    assert_eq!(
        failed.to_string(),
        "storage: the slots have 84 bytes, and 116 are expected"
    );
    for number in 1..=8 {
        block_on(storage.save(&mut Roomy(Counter(number)))).unwrap();
        block_on(storage.restore(&mut roomy)).unwrap();
        assert_eq!(roomy.0, Counter(number));
    }
}

/// Something that is never ready.
struct UnderWay;

impl Persistent for UnderWay {
    const MAX_BYTES: usize = 1;

    fn save<'a>(&mut self, _: &'a mut [u8]) -> Result<&'a [u8], SaveError> {
        Err(SaveError::UnderWay)
    }

    fn restore(&mut self, _: &[u8]) -> Result<(), LoadError> {
        Err(LoadError::Foreign)
    }
}

#[test]
fn what_cannot_be_saved_or_restored_says_why_and_costs_no_erase() {
    let flash = Flash::<2>::new();
    Board::boot(&flash).0.save(7).unwrap();
    let before = flash.erases();
    let mut storage = Storage::<_, BUFFER>::new(&flash, 0..512).unwrap();
    let refused = block_on(storage.restore(&mut UnderWay));
    assert_eq!(refused, Err(LoadFailed::Refused(LoadError::Foreign)));
    let failed = block_on(storage.save(&mut UnderWay));
    assert_eq!(failed, Err(SaveFailed::Refused(SaveError::UnderWay)));
    assert_eq!(flash.erases(), before);
    assert_eq!(newest(&flash), Some(7));
}

#[test]
fn flash_that_is_full_of_anything_is_put_to_use() {
    for byte in [0, 0x55, 0xfe] {
        let flash = Flash::<2>::new();
        flash.with_bytes(|bytes| bytes.fill(byte));
        let (mut board, booted) = Board::boot(&flash);
        assert_eq!(booted, Err(LoadFailed::Nothing));
        for number in 1..=20 {
            board.save(number).unwrap();
            assert_eq!(newest(&flash), Some(number));
        }
    }
}

/// Saves without a look at what was saved before, and loses power when so many bytes were written.
fn save_blindly(flash: &FaultyFlash<4, 128, 2>, number: u32, cut: u64) {
    flash.cut_power_after(cut);
    let _ = Board::new(flash).save(number);
    flash.reboot();
}

#[test]
fn saves_before_any_restore_are_beside_the_newest_even_if_the_power_is_cut_in_each() {
    // A page has room for one.
    let flash = FaultyFlash::<4, 128, 2>::new();
    for number in 1..=6 {
        let before = flash.clone();
        Board::new(&flash).save(number).unwrap();
        assert_eq!(newest(&flash), Some(number));
        for cut in 0..220 {
            let torn = before.clone();
            torn.seed(cut);
            save_blindly(&torn, number, cut);
            for again in (0..220).step_by(20) {
                let torn = torn.clone();
                save_blindly(&torn, number, again);
                let found = newest(&torn).unwrap_or(0);
                assert!(
                    found >= number - 1,
                    "{found} and not {number}: {cut}, {again}"
                );
            }
        }
    }
}

#[test]
fn a_bit_that_decays_costs_the_newest_checkpoint_and_no_other() {
    let flash = Flash::<2>::new();
    for number in 1..=8 {
        Board::boot(&flash).0.save(number).unwrap();
    }
    let bits = 8 * 512;
    for bit in 0..bits {
        let decayed = flash.clone();
        decayed.with_bytes(|bytes| bytes[bit / 8] ^= 1 << (bit % 8));
        let (mut board, booted) = Board::boot(&decayed);
        let (found, _) = booted.unwrap();
        assert!(found == 8 || found == 7, "{found}, bit {bit}");
        board.save(9).unwrap();
        assert_eq!(newest(&decayed), Some(9));
    }
    println!("{bits} bits that decay");
}
