//! Futures that are dropped wherever they wait.

use super::counter::{Board, Counter, Flash, newest};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Polls a future so often, and drops it. Returns its result, if there is one by then.
fn poll<T>(polls: u32, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..polls {
        if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
            return Some(result);
        }
    }
    None
}

#[test]
fn a_save_that_is_dropped_loses_nothing_and_the_next_one_works() {
    let flash = Flash::<2>::new();
    let mut drops = 0;
    for number in 1..=14 {
        let mut polls = 0;
        loop {
            let copy = flash.clone();
            copy.yield_in_operations();
            let (mut board, _) = Board::boot(&copy);
            let done = poll(polls, board.storage.save(&mut Counter(100 + number)));
            if done.is_some() {
                break;
            }
            // Both for a board that goes on, and for one that is turned off and on.
            let found = newest(&copy);
            let is_one = found == Some(100 + number) || found == (number > 1).then_some(number - 1);
            assert!(is_one, "{found:?} instead of {number}, after {polls} polls");
            for next in 200..208 {
                board.save(next).unwrap();
                assert_eq!(newest(&copy), Some(next), "after {polls} polls");
            }
            assert_eq!(copy.counts().overwritten, 0);
            (polls, drops) = (polls + 1, drops + 1);
        }
        Board::boot(&flash).0.save(number).unwrap();
    }
    println!("{drops} dropped saves");
    assert!(drops > 100, "{drops}");
}

#[test]
fn saves_that_are_dropped_again_and_again_lose_nothing() {
    let flash = Flash::<3>::new();
    flash.yield_in_operations();
    let (mut board, _) = Board::boot(&flash);
    let mut last = 0;
    let mut drops = 0;
    for number in 1..=500 {
        let mut counter = Counter(number);
        let attempt = board.storage.save(&mut counter);
        match poll(number * 13 % 70, attempt) {
            Some(saved) => {
                saved.unwrap();
                last = number;
            }
            None => drops += 1,
        }
        if let Some(found) = newest(&flash) {
            assert!((last..=number).contains(&found), "{found} after {last}");
        }
        assert!(last == 0 || newest(&flash).is_some());
    }
    assert!(drops > 100 && last > 400, "{drops}, {last}");
    assert_eq!(flash.counts().overwritten, 0);
}

#[test]
fn a_restore_that_is_dropped_changes_nothing_in_flash_and_the_next_save_is_beside_the_newest() {
    let flash = Flash::<2>::new();
    for number in 1..=10 {
        Board::boot(&flash).0.save(number).unwrap();
    }
    flash.yield_in_operations();
    for polls in 0.. {
        let copy = flash.clone();
        let mut board = Board::new(&copy);
        let mut counter = Counter(0);
        if poll(polls, board.storage.restore(&mut counter)).is_some() {
            assert_eq!(counter.0, 10);
            assert!(polls > 5, "it waits now and then");
            break;
        }
        assert_eq!(counter.0, 0);
        assert_eq!(newest(&copy), Some(10));
        for number in 11..=20 {
            // Should the power be cut now, the one before would still be there.
            let torn = copy.clone();
            torn.cut_power_after(100);
            let _ = board.save(number);
            assert_eq!(newest(&copy), Some(number));
        }
    }
}
