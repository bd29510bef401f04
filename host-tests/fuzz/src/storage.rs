//! A session that learns and saves on flash that loses its power and fails, and is turned off and on.

use crate::bytes::Bytes;
use crate::checks::one_line;
use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::Settings;
use ipse_device::faults::{Effect, EraseOrder, FaultyFlash, FlashError, Operation};
use ipse_device::storage::{LoadFailed, READS, Restored, SaveFailed, Saved};
use std::pin::pin;
use std::sync::OnceLock;
use std::task::{Context, Poll, Waker};

/// A learner that remembers little, so that its checkpoints are small.
type Session = ipse_device::Session<Agent<Tetris10x10, Ipse<4>>>;
type Storage<F> = ipse_device::Storage<F, { Session::BUFFER }>;

const PAGE: usize = 1024;
const ITERATIONS: u32 = 20;
const ACTIONS: u32 = 40;

/// What can happen, by a byte: see [`World::act`].
const KINDS: u8 = 12;

/// Whatever happens, nothing panics, the number of operations is bounded, and a session that is restored is one that
/// was saved, or was about to be when a save failed.
///
/// It is not older than the last save that succeeded, if since then
/// - no bit has decayed, and
/// - all blocks could be read at every boot, and no read has returned wrong data, but for one.
///
/// Without a fault, a save succeeds after a boot that could read all blocks.
pub fn storage(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    match bytes.byte() % 4 {
        0 => live(&FaultyFlash::<1, PAGE, 2>::new(), bytes),
        1 => live(&FaultyFlash::<4, PAGE, 3>::new(), bytes),
        2 => live(&FaultyFlash::<8, PAGE, 4>::new(), bytes),
        _ => live(&FaultyFlash::<32, PAGE, 5>::new(), bytes),
    }
}

fn live<const WORD: usize, const PAGES: usize>(flash: &Flash<WORD, PAGES>, mut bytes: Bytes) {
    let mut world = World::new(flash);
    world.boot();
    for _ in 0..ACTIONS {
        if bytes.is_empty() {
            break;
        }
        world.act(&mut bytes);
    }
    // In the end all is well again.
    world.heal();
    world.boot();
    world.learn();
    world.save(None);
    world.boot();
}

type Flash<const WORD: usize, const PAGES: usize> = FaultyFlash<WORD, PAGE, PAGES>;

/// The flash, the board that uses it, and what is known of both.
struct World<'a, const WORD: usize, const PAGES: usize> {
    flash: &'a Flash<WORD, PAGES>,
    storage: Storage<&'a Flash<WORD, PAGES>>,
    session: Session,
    /// The iterations after which a save was attempted.
    attempted: [bool; ITERATIONS as usize + 1],
    /// No session that is restored has fewer iterations.
    floor: Option<u32>,
    /// Whether all blocks could be read at the last boot, and no read has lied since.
    is_certain: bool,
    faults: Faults,
}

/// The faults that are set.
#[derive(Clone, Copy, Default)]
struct Faults {
    /// One operation returns or writes wrong data.
    one_lie: bool,
    /// Reads may return wrong data, again and again.
    lies: bool,
    /// Operations may fail in any way.
    any: bool,
}

impl<'a, const WORD: usize, const PAGES: usize> World<'a, WORD, PAGES> {
    fn new(flash: &'a Flash<WORD, PAGES>) -> Self {
        World {
            flash,
            storage: new_storage(flash),
            session: new_session(),
            attempted: [false; ITERATIONS as usize + 1],
            floor: None,
            is_certain: true,
            faults: Faults::default(),
        }
    }

    fn act(&mut self, bytes: &mut Bytes) {
        let flash = self.flash;
        match bytes.byte() % KINDS {
            0..=2 => {
                self.learn();
                self.save(None);
            }
            3 => self.save(Some(bytes.byte().into())),
            4 => self.boot(),
            5 => {
                flash.seed(bytes.byte().into());
                flash.erase_in(bytes.pick(&[EraseOrder::Ascending, EraseOrder::Scattered]));
                flash.cut_power_after(bytes.short().unsigned_abs().into());
                self.faults.any = true;
            }
            6 | 7 => {
                let start = flash.counts().all() + u64::from(bytes.byte());
                let len = u64::from(bytes.byte());
                let effect = bytes.pick(&Effect::ALL);
                flash.fail(start..start + len, effect);
                self.faults.any = true;
                if is_lie(effect) {
                    // It takes the place of another, but that may have lied already.
                    let is_second = self.faults.one_lie || self.faults.lies;
                    self.faults.lies |= len > 1 || is_second;
                    self.faults.one_lie = true;
                }
            }
            8 => {
                let page = usize::from(bytes.byte()) % PAGES;
                let operation = bytes.pick(&Operation::ALL);
                let effect = bytes.pick(&Effect::ALL);
                flash.break_page(page, operation, effect);
                self.set_permanent(operation, effect);
            }
            9 => {
                let erases = bytes.byte().into();
                let operation = bytes.pick(&Operation::ALL);
                let effect = bytes.pick(&Effect::ALL);
                flash.wear_out_after(erases, operation, effect);
                self.set_permanent(operation, effect);
            }
            10 => {
                let bit = usize::from(bytes.short().unsigned_abs()) % (8 * PAGE * PAGES);
                flash.with_bytes(|bytes| bytes[bit / 8] ^= 1 << (bit % 8));
                self.floor = None;
            }
            _ => self.heal(),
        }
    }

    fn set_permanent(&mut self, operation: Operation, effect: Effect) {
        self.faults.any = true;
        // A lie of a write is noticed by reads, unless one of them lies as well.
        self.faults.lies |= is_lie(effect) && (operation == Operation::Read || self.faults.one_lie);
        self.faults.one_lie |= is_lie(effect);
    }

    fn heal(&mut self) {
        self.flash.heal();
        self.flash.reboot();
        self.faults = Faults::default();
    }

    /// Learns for an iteration.
    fn learn(&mut self) {
        while !self.session.is_done() && self.session.slice().is_none() {}
    }

    /// Turns the board off and on.
    fn boot(&mut self) {
        self.flash.reboot();
        self.storage = new_storage(self.flash);
        self.session = new_session();
        let before = self.flash.counts();
        let result = complete(self.storage.restore(&mut self.session));
        let after = self.flash.counts();
        assert_eq!(
            (after.erases, after.programs),
            (before.erases, before.programs)
        );
        self.is_bounded(after.reads - before.reads, u64::from(self.slots()));

        let iterations = self.session.iterations();
        assert_eq!(
            bytes_of(&mut self.session),
            reference()[iterations as usize]
        );
        let is_restored = result.is_ok();
        assert!(!is_restored || self.attempted[iterations as usize]);
        let was_certain = self.is_certain;
        self.is_certain = self.is_all_read(&result) && !self.has_lied(before.faults);
        if was_certain
            && self.is_certain
            && let Some(floor) = self.floor
        {
            assert!(is_restored, "{result:?}");
            assert!(iterations >= floor, "{iterations} and not {floor}");
        }
        // What is saved from now on is newer than all that was seen.
        self.floor = (is_restored && self.is_certain).then_some(iterations);
    }

    fn is_all_read(&self, result: &Result<Restored, LoadFailed<FlashError>>) -> bool {
        match result {
            Ok(restored) => restored.unreadable == 0,
            Err(failed) => {
                one_line(failed);
                !matches!(failed, LoadFailed::Unreadable { .. })
            }
        }
    }

    /// Returns whether reads may have returned wrong data, since so many faults were counted.
    fn has_lied(&self, faults: u64) -> bool {
        self.faults.lies && self.flash.counts().faults > faults
    }

    /// Saves, or drops the save after so many polls.
    fn save(&mut self, polls: Option<u32>) {
        let iterations = self.session.iterations();
        self.attempted[iterations as usize] = true;
        let before = self.flash.counts();
        let (erases, must_succeed) = (self.flash.erases(), self.is_certain && !self.faults.any);
        let save = self.storage.save(&mut self.session);
        let result = match polls {
            None => Some(complete(save)),
            Some(polls) => {
                self.flash.yield_in_operations();
                poll(polls, save)
            }
        };
        let after = self.flash.counts();
        let erased = self.flash.erases().iter().sum::<u32>() - erases.iter().sum::<u32>();
        assert!(erased as usize <= PAGES + 1, "{erased} erases");
        assert!(after.programs - before.programs <= 2 * (PAGES as u64 + 2));
        // Each block is looked at, erased, written and read back once, and one of them twice.
        self.is_bounded(after.reads - before.reads, PAGES as u64 + 2);

        self.is_certain &= !self.has_lied(before.faults);
        match result {
            Some(Ok(Saved { .. })) => self.floor = self.is_certain.then_some(iterations),
            Some(Err(failed)) => {
                assert!(!must_succeed, "{failed}");
                assert!(!matches!(failed, SaveFailed::Refused(_)), "{failed}");
                one_line(failed);
            }
            None => {}
        }
    }

    fn slots(&self) -> u32 {
        self.storage.blocks() * self.storage.saves_per_erase()
    }

    /// Refuses more reads than it takes to look at all headers and at one slot, so often.
    fn is_bounded(&self, reads: u64, times: u64) {
        let reads_in_slot = (PAGE / 64) as u64;
        let once = u64::from(READS * self.slots()) + 3 * reads_in_slot;
        assert!(
            reads <= u64::from(READS) * once * (times + 1),
            "{reads} reads"
        );
    }
}

/// Returns whether an operation reports success that has none.
fn is_lie(effect: Effect) -> bool {
    matches!(effect, Effect::Ignored | Effect::Flip)
}

fn new_storage<const WORD: usize, const PAGES: usize>(
    flash: &Flash<WORD, PAGES>,
) -> Storage<&Flash<WORD, PAGES>> {
    Storage::new(flash, 0..(PAGE * PAGES) as u32).expect("a checkpoint fits a page")
}

fn new_session() -> Session {
    let rollouts = Rollouts {
        count: 1,
        length: 1,
        ..Rollouts::paper()
    };
    let learner = Ipse::paper()
        .memory::<4>()
        .cap(4)
        .rollouts(rollouts)
        .check();
    let learner = learner.expect("the parameters are valid");
    let settings = Settings {
        iterations: Some(ITERATIONS),
        ..Settings::default()
    };
    let new = |rng: &mut _| Agent::new(Tetris10x10::default(), learner, rng);
    Session::new(settings, || 0, new)
}

/// The checkpoints of a run without faults, after each iteration.
fn reference() -> &'static [Vec<u8>] {
    static REFERENCE: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    REFERENCE.get_or_init(|| {
        let mut session = new_session();
        let mut all = vec![bytes_of(&mut session)];
        while !session.is_done() {
            if session.slice().is_some() {
                all.push(bytes_of(&mut session));
            }
        }
        all
    })
}

fn bytes_of(session: &mut Session) -> Vec<u8> {
    let mut buffer = [0; Session::MAX_BYTES];
    let bytes = session.save(&mut buffer);
    bytes.expect("no iteration is under way").to_vec()
}

/// Polls a future so often, and drops it.
fn poll<T>(polls: u32, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    (0..polls).find_map(|_| match future.as_mut().poll(&mut context) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    })
}

fn complete<T>(future: impl Future<Output = T>) -> T {
    poll(u32::MAX, future).expect("it ends")
}
