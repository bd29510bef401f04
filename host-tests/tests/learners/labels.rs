//! Soft labels: the softmax of values, in bytes.

use crate::rng;
use host_tests::boards::below;
use ipse::environment::Action;
use ipse::learner::labels::{FULL, Label, SoftLabel};
use rand_core::Rng;

const A: usize = 34;

type Soft = SoftLabel<[Action; A]>;

/// Values of some actions, all different, and none of the others.
fn values<R: Rng>(rng: &mut R) -> ([f32; A], usize) {
    let mut values = [f32::NEG_INFINITY; A];
    let count = 1 + below(A, rng);
    for (i, value) in values[..count].iter_mut().enumerate() {
        *value = below(100, rng) as f32 / 50. + i as f32 / 10_000. - 1.;
    }
    (values, count)
}

fn best(values: &[f32; A]) -> usize {
    let by_value = |&a: &usize, &b: &usize| values[a].total_cmp(&values[b]);
    (0..A).max_by(by_value).unwrap()
}

#[test]
fn shares_are_the_softmax_of_the_values() {
    let mut rng = rng(50);
    for _ in 0..1_000 {
        let (values, count) = values(&mut rng);
        let best = best(&values);
        let temperature = [0.05, 0.3, 1., 7.][below(4, &mut rng)];
        let label = Soft::new(best as u8, &values, temperature);
        assert_eq!(usize::from(label.action), best);
        assert_eq!(label.shares[best], FULL);
        assert!(label.shares[count..].iter().all(|share| *share == 0));

        let odds = values.map(|value| f64::from((value - values[best]) / temperature).exp());
        for (odds, share) in odds.iter().zip(label.shares) {
            let off = odds * f64::from(FULL) - f64::from(share);
            assert!(off.abs() < 0.501, "{share}, not {odds} of {FULL}");
        }
        // And so, divided by their sum, they are probabilities that differ by no more than rounding.
        let total: f64 = odds.iter().sum();
        let sum: f64 = label.shares.iter().map(|share| f64::from(*share)).sum();
        for (odds, share) in odds.iter().zip(label.shares) {
            let off = odds / total - f64::from(share) / sum;
            assert!(off.abs() < 0.005, "{share} of {sum}, not {odds} of {total}");
        }
    }
}

#[test]
fn the_colder_it_is_the_less_is_left_but_the_best() {
    let mut rng = rng(51);
    for _ in 0..1_000 {
        let (values, _) = values(&mut rng);
        let best = best(&values);
        let at = |temperature| Soft::new(best as u8, &values, temperature).shares;
        let mut warmer = at(100.);
        for temperature in [10., 1., 0.1, 0.01, 1e-3, 1e-4] {
            let shares = at(temperature);
            assert!(
                shares
                    .iter()
                    .zip(warmer)
                    .all(|(colder, warmer)| *colder <= warmer)
            );
            warmer = shares;
        }
        let mut only_the_best = [0; A];
        only_the_best[best] = FULL;
        for temperature in [1e-6, 1e-30, f32::MIN_POSITIVE, 1e-45] {
            assert_eq!(at(temperature), only_the_best, "{temperature:e}");
        }
    }
}

#[test]
fn in_great_heat_all_are_equal() {
    let mut rng = rng(52);
    for temperature in [1e6, f32::MAX] {
        let (values, count) = values(&mut rng);
        let label = Soft::new(best(&values) as u8, &values, temperature);
        assert_eq!(label.shares[..count], [FULL; A][..count]);
        assert_eq!(label.shares[count..], [0; A][count..]);
    }
}

#[test]
fn without_temperature_no_action_has_a_share() {
    let (values, _) = values(&mut rng(53));
    let label = Soft::new(7, &values, 0.);
    assert_eq!((label.action(), label.shares()), (7, &[0; A][..]));
}

#[test]
fn a_hard_label_is_an_action_and_takes_no_more_room() {
    let label: Action = 7;
    assert_eq!((label.action(), label.shares()), (7, &[][..]));
    assert_eq!(size_of::<Soft>(), size_of::<Action>() + A);
}
