//! The choice buffer against a queue.

use crate::rng;
use host_tests::boards::below;
use ipse::environment::Action;
use ipse::learner::choices::Choices;
use std::collections::VecDeque;

fn behaves_like_a_queue<const N: usize>() {
    let mut rng = rng(N as u64);
    let mut choices = Choices::<u32, Action, N>::default();
    let mut queue = VecDeque::new();
    for state in 0..3 * N as u32 + 2 {
        let action = below(256, &mut rng) as u8;
        choices.push(state, action);
        queue.push_front((state, action));
        queue.truncate(N);

        assert_eq!(choices.len(), queue.len());
        assert_eq!(choices.is_empty(), queue.is_empty());
        for age in 0..2 * N + 2 {
            let recent = choices.recent(age).map(|(state, label)| (*state, *label));
            assert_eq!(recent, queue.get(age).copied(), "{age} of {N}");
        }
        assert_eq!(choices.recent(usize::MAX), None);
    }
}

#[test]
fn the_buffer_is_a_queue_that_drops_its_oldest() {
    behaves_like_a_queue::<2>();
    behaves_like_a_queue::<3>();
    behaves_like_a_queue::<10>();
    behaves_like_a_queue::<100>();
}

#[test]
fn a_buffer_for_one_choice_holds_the_last() {
    behaves_like_a_queue::<1>();
}

#[test]
fn a_new_buffer_is_empty() {
    let choices = Choices::<u32, Action, 5>::new();
    assert!(choices.is_empty());
    assert_eq!(choices.recent(0), None);
}
