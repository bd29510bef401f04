//! The decisions of an iteration, laid out for a search that asks thousands of times what a policy
//! would lose on them.

use super::rollouts::Estimate;
use multiversion::multiversion;

/// So many decisions are made at once, one in each lane of a vector register or two.
const LANES: usize = 8;
type Lanes = [f32; LANES];

/// An action in each lane.
#[derive(Clone)]
struct Actions<const F: usize> {
    features: [Lanes; F],
    /// What is lost by taking it.
    regret: Lanes,
}

/// Decisions, and what each of their actions was found to be worth.
pub struct Decisions<const F: usize> {
    /// Groups of decisions with about as many actions each.
    groups: Vec<Vec<Actions<F>>>,
    number: usize,
}

impl<const F: usize> Decisions<F> {
    /// From the actions of each decision. One without any is none.
    pub fn new(mut decisions: Vec<Vec<Estimate<F>>>) -> Self {
        decisions.retain(|actions| !actions.is_empty());
        decisions.sort_by_key(Vec::len);
        Decisions {
            groups: decisions.chunks(LANES).map(group).collect(),
            number: decisions.len(),
        }
    }

    /// What the policy with the weights `beta` loses, on average over decisions, by not taking the
    /// action that seemed best. Of actions with the same score it takes the first.
    pub fn loss(&self, beta: &[f32; F]) -> f64 {
        let total = total(&self.groups, beta);
        total / self.number.max(1) as f64
    }
}

/// Twice as fast where vectors are twice as long, and the same to the bit.
#[multiversion(targets("x86_64+avx2"))]
fn total<const F: usize>(groups: &[Vec<Actions<F>>], beta: &[f32; F]) -> f64 {
    let mut total = 0.;
    for group in groups {
        total += f64::from(regrets(group, beta).iter().sum::<f32>());
    }
    total
}

/// Decisions side by side. Where one has fewer actions than another, its last is there again and
/// again; lanes without a decision have nothing to lose.
fn group<const F: usize>(decisions: &[Vec<Estimate<F>>]) -> Vec<Actions<F>> {
    let longest = decisions.iter().map(Vec::len).max().unwrap_or(0);
    let nothing = Actions {
        features: [[0.; LANES]; F],
        regret: [0.; LANES],
    };
    let mut group = vec![nothing; longest];
    for (lane, actions) in decisions.iter().enumerate() {
        let best = actions.iter().map(|a| a.value).fold(f64::MIN, f64::max);
        for (i, to) in group.iter_mut().enumerate() {
            let action = actions[i.min(actions.len() - 1)];
            to.regret[lane] = (best - action.value) as f32;
            for (to, feature) in to.features.iter_mut().zip(action.features) {
                to[lane] = feature;
            }
        }
    }
    group
}

/// What each decision of a group costs under a policy. Both numbers are read before one is taken, so that the compiler
/// blends registers and does not choose between addresses.
#[inline(always)]
fn regrets<const F: usize>(group: &[Actions<F>], beta: &[f32; F]) -> Lanes {
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut regrets = [0.; LANES];
    for actions in group {
        let mut scores = [0.; LANES];
        for (weight, features) in beta.iter().zip(&actions.features) {
            for (score, feature) in scores.iter_mut().zip(features) {
                *score += weight * feature;
            }
        }
        for lane in 0..LANES {
            let (score, regret) = (scores[lane], actions.regret[lane]);
            let is_better = score > best[lane];
            best[lane] = if is_better { score } else { best[lane] };
            regrets[lane] = if is_better { regret } else { regrets[lane] };
        }
    }
    regrets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::tetris::FEATURES;
    use rand_core::{Rng, SeedableRng};
    use rand_xorshift::XorShiftRng;

    fn random(lengths: &[usize], rng: &mut XorShiftRng) -> Vec<Vec<Estimate<FEATURES>>> {
        let mut draw = || f32::from(rng.next_u32() as i8);
        let mut action = || Estimate {
            features: std::array::from_fn(|_| draw()),
            value: draw().into(),
        };
        let actions = |&n: &usize| (0..n).map(|_| action()).collect();
        lengths.iter().map(actions).collect()
    }

    /// Without a single idea.
    fn obvious(decisions: &[Vec<Estimate<FEATURES>>], beta: &[f32; FEATURES]) -> f64 {
        let mut total = 0.;
        for actions in decisions {
            let score = |a: &Estimate<FEATURES>| -> f32 {
                (0..FEATURES).map(|i| beta[i] * a.features[i]).sum()
            };
            let mut taken = actions[0];
            let mut best = actions[0].value;
            for action in actions {
                best = best.max(action.value);
                if score(action) > score(&taken) {
                    taken = *action;
                }
            }
            total += best - taken.value;
        }
        total / decisions.len() as f64
    }

    #[test]
    fn the_loss_is_that_of_one_decision_after_the_other() {
        let mut rng = XorShiftRng::seed_from_u64(1);
        for lengths in [
            &[34][..],
            &[1, 2, 3],
            &[9; 16],
            &[34, 17, 9, 1, 17, 34, 34, 20, 9, 5],
        ] {
            let decisions = random(lengths, &mut rng);
            for beta in random(&[50], &mut rng)[0].iter().map(|a| a.features) {
                let expected = obvious(&decisions, &beta);
                let loss = Decisions::new(decisions.clone()).loss(&beta);
                assert!((loss - expected).abs() < 1e-3, "{loss} {expected}");
            }
        }
    }

    #[test]
    fn where_nothing_can_be_done_nothing_is_lost() {
        let mut rng = XorShiftRng::seed_from_u64(1);
        let mut decisions = random(&[5, 7], &mut rng);
        let loss = Decisions::new(decisions.clone()).loss(&[1.; FEATURES]);
        decisions.push(Vec::new());
        assert_eq!(Decisions::new(decisions).loss(&[1.; FEATURES]), loss);
        assert_eq!(
            Decisions::<FEATURES>::new(vec![Vec::new()]).loss(&[1.; FEATURES]),
            0.
        );
    }
}
