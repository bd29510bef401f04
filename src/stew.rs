//! Multinomial logistic regression with shrinkage toward equal weights (STEW).
//!
//! Given choice sets, each the features of all actions of a state and which of them was chosen, the
//! weights β minimise
//!
//! > −Σ log softmax(β·φ)\[chosen\] + λ Σ_{i<j} (βᵢ − βⱼ)²
//!
//! over features multiplied by their directions (and a [`RIDGE`], so that there always is a minimum).
//! With soft [labels](Label), log softmax(β·φ) is not that of the chosen action but the mean over all,
//! weighed by their shares.
//! The stronger the penalty, the closer the weights are to each other; in the limit the policy knows
//! directions and nothing else (the paper's section 4).
//!
//! Newton's method, on choice sets that are read one at a time. Scores are those of the integer
//! policy that the weights stand for, so there is no rounding in them.

use crate::environment::Outcome;
use crate::exponential::{EXPONENT_ONE, POWER_BITS, power_of_half};
use crate::label::Label;
use crate::math;
use crate::policy::Policy;
use core::f32::consts::{LN_2, LOG2_E};
use core::ops::Range;

/// Choice sets to learn from, with `L` shares in a label.
pub trait ChoiceSets<const P: usize, const L: usize = 0> {
    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Visits those in `range`: the actions that there were, and which was chosen.
    fn each(&self, range: Range<usize>, visit: &mut dyn FnMut(&[Outcome<P>], &Label<L>));
}

/// What to minimise, but for the data.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Objective<const P: usize> {
    /// What a step of each integer feature is worth, times its direction.
    pub units: [f32; P],
    /// The largest absolute value of each integer feature.
    pub bounds: [i16; P],
    /// λ, the strength of the penalty over all choice sets together.
    pub lambda: f32,
}

/// No λ above this is used: at single precision, weights are equal long before it.
pub const LAMBDA_MAX: f32 = 1e6;

/// A ridge penalty of this on every weight keeps the problem well-posed if the choices can be
/// explained perfectly or tell nothing about a weight.
pub const RIDGE: f32 = 1e-6;

/// Value and slope of the objective at some weights, and its curvature where it was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Expansion<const P: usize> {
    /// The value.
    pub value: f32,
    /// What it would be if all weights were zero. Comes with the curvature.
    pub value_at_zero: f32,
    /// The first derivatives.
    pub gradient: [f32; P],
    /// The second derivatives. Only the lower triangle is filled.
    pub hessian: [[f32; P]; P],
}

#[expect(
    clippy::indexing_slicing,
    reason = "every index runs below P, the length of every array"
)]
impl<const P: usize> Objective<P> {
    /// The objective in the neighbourhood of the weights `beta`, which are finite. Its curvature is
    /// not needed for every step, and is half of the work.
    pub fn expand<const L: usize>(
        &self,
        beta: &[f32; P],
        data: &impl ChoiceSets<P, L>,
        with_curvature: bool,
    ) -> Expansion<P> {
        let mut sum = Expansion::ZERO;
        self.add_losses(&mut sum, beta, data, 0..data.len(), with_curvature);
        self.add_penalty(&mut sum, beta, with_curvature);
        sum
    }

    fn add_losses<const L: usize>(
        &self,
        sum: &mut Expansion<P>,
        beta: &[f32; P],
        data: &impl ChoiceSets<P, L>,
        range: Range<usize>,
        with_curvature: bool,
    ) {
        let (policy, scale) = Policy::scaled(beta, &self.units, &self.bounds);
        let scale = scale * (LOG2_E * EXPONENT_ONE);
        data.each(range, &mut |outcomes, label| {
            sum.add_loss(outcomes, label, &policy, scale, with_curvature);
        });
    }

    /// From the losses in terms of integer features to the objective in terms of the weights.
    fn add_penalty(&self, sum: &mut Expansion<P>, beta: &[f32; P], with_curvature: bool) {
        let Expansion {
            value,
            gradient,
            hessian,
            ..
        } = sum;
        let lambda = self.lambda.clamp(0.0, LAMBDA_MAX);
        for i in 0..P {
            *value += RIDGE * beta[i] * beta[i];
            gradient[i] = gradient[i] * self.units[i] + 2.0 * RIDGE * beta[i];
            for j in 0..P {
                let difference = beta[i] - beta[j];
                gradient[i] += 2.0 * lambda * difference;
                if j < i {
                    *value += lambda * difference * difference;
                }
                if j < i && with_curvature {
                    hessian[i][j] = hessian[i][j] * self.units[i] * self.units[j] - 2.0 * lambda;
                }
            }
            if with_curvature {
                hessian[i][i] = hessian[i][i] * self.units[i] * self.units[i]
                    + 2.0 * lambda * P.saturating_sub(1) as f32
                    + 2.0 * RIDGE;
            }
        }
    }
}

/// Bits that a sum over the actions of a choice set may have.
const SUM_BITS: u32 = 30;
/// Bits of a feature in the curvature.
const COARSE: u32 = 9;
/// Bits of a likelihood, at the most: those that single precision has, nearly.
const FINE: u32 = 22;

#[expect(
    clippy::indexing_slicing,
    reason = "every index runs below P, the length of every array"
)]
#[expect(clippy::arithmetic_side_effects, reason = "see `SUM_BITS`")]
impl<const P: usize> Expansion<P> {
    const ZERO: Self = Expansion {
        value: 0.0,
        value_at_zero: 0.0,
        gradient: [0.0; P],
        hessian: [[0.0; P]; P],
    };

    /// Adds −log p(chosen) of one choice set, or its mean by the shares of a soft label, with derivatives
    /// in terms of integer features.
    ///
    /// With e = exp(score − highest score) and x = φ − φ(best), they follow from Σe, Σe·x and Σe·x·xᵀ
    /// over the actions. On a processor without floating point the last two would take most of the
    /// time, so they are summed as integers of no more than [`SUM_BITS`]. If there are up to 2ⁿ actions
    /// and |x| < 2ᵇ, then e may have 30 − n − b bits in the slope, and 30 − n − 2b in the curvature:
    /// 18 and 12 for thirty placements that differ by less than 2⁷. Rounding e to f bits moves the
    /// logits where the fit ends by about 2⁻ᶠ. The curvature decides how a step is taken and not where
    /// the steps end; features that differ by more than [`COARSE`] bits are cropped in it.
    fn add_loss<const L: usize>(
        &mut self,
        outcomes: &[Outcome<P>],
        label: &Label<L>,
        policy: &Policy<P>,
        scale: f32,
        with_curvature: bool,
    ) {
        // There are no more different actions than this.
        let outcomes = outcomes.get(..256).unwrap_or(outcomes);
        let score = |outcome: &Outcome<P>| policy.score(&outcome.features);
        let Some(chosen) = outcomes
            .iter()
            .find(|outcome| outcome.action == label.action)
        else {
            return;
        };
        let (mut best, mut highest) = (chosen, score(chosen));
        for outcome in outcomes {
            let score = score(outcome);
            if score > highest {
                (best, highest) = (outcome, score);
            }
        }
        let lag = |outcome: &Outcome<P>| highest.saturating_sub(score(outcome));
        // How much less likely than the best an action is: the exponent of one half.
        let exponent = |lag: i32| lag as f32 * scale;
        let difference = |outcome: &Outcome<P>, i: usize| {
            i32::from(outcome.features[i]) - i32::from(best.features[i])
        };

        let mut spread = [0; P];
        for outcome in outcomes {
            for (i, spread) in spread.iter_mut().enumerate() {
                *spread |= difference(outcome, i).unsigned_abs();
            }
        }
        let bits = spread.map(|spread| u32::BITS - spread.leading_zeros());
        let widest = bits.iter().fold(0, |widest, &bits| bits.max(widest));
        let room = SUM_BITS - (usize::BITS - outcomes.len().leading_zeros());
        let fine = (room - widest).min(FINE);
        let coarse = (room - 2 * widest.min(COARSE)).min(fine);
        let crop = bits.map(|bits| bits.saturating_sub(COARSE));

        let mut total = 0;
        let mut first = [0; P];
        let (mut weight, mut middle) = (0, [0; P]);
        let mut second = [[0; P]; P];
        for outcome in outcomes {
            let e = power_of_half(exponent(lag(outcome)) as u32);
            total += e >> (POWER_BITS - FINE);
            let share = (((e >> (POWER_BITS - 1 - fine)) + 1) >> 1) as i32;
            let mut x: [i32; P] = core::array::from_fn(|i| difference(outcome, i));
            for (first, x) in first.iter_mut().zip(x) {
                *first += share * x;
            }
            let share = share >> (fine - coarse);
            if with_curvature && share != 0 {
                weight += share;
                for i in 0..P {
                    x[i] >>= crop[i];
                    let ex = share * x[i];
                    middle[i] += ex;
                    for j in 0..=i {
                        second[i][j] += ex * x[j];
                    }
                }
            }
        }

        let total = total as f32 / (1 << FINE) as f32;
        let target = label.mean(outcomes, lag, difference);
        let (lag, target) = target.unwrap_or_else(|| {
            let features = core::array::from_fn(|i| difference(chosen, i) as f32);
            (lag(chosen), features)
        });
        self.value += math::ln(total) + exponent(lag) * (LN_2 / EXPONENT_ONE);
        let share = 1.0 / (total * (1 << fine) as f32);
        for (i, sum) in first.into_iter().enumerate() {
            self.gradient[i] += sum as f32 * share - target[i];
        }
        if with_curvature {
            self.value_at_zero += math::ln(outcomes.len() as f32);
            // A covariance of the very shares that were summed, so that it has no negative direction.
            let share = 1.0 / weight as f32;
            let mean = middle.map(|sum| sum as f32 * share);
            for i in (0..P).filter(|&i| spread[i] != 0) {
                for j in (0..P).filter(|&j| j <= i && spread[j] != 0) {
                    let mut covariance = second[i][j] as f32 * share - mean[i] * mean[j];
                    if crop[i] + crop[j] != 0 {
                        covariance *= (1 << (crop[i] + crop[j])) as f32;
                    }
                    self.hessian[i][j] += covariance;
                }
            }
        }
    }
}

impl<const L: usize> Label<L> {
    /// What it makes of the score that actions lack and of their features, if it is soft: the means
    /// weighed by the shares.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "shares have 8 bits, their sum 16, and what they weigh has no more than 32"
    )]
    fn mean<const P: usize>(
        &self,
        outcomes: &[Outcome<P>],
        lag: impl Fn(&Outcome<P>) -> i32,
        difference: impl Fn(&Outcome<P>, usize) -> i32,
    ) -> Option<(i32, [f32; P])> {
        let (mut total, mut lags, mut sums) = (0i64, 0i64, [0i64; P]);
        for (outcome, &share) in outcomes.iter().zip(&self.shares) {
            total += i64::from(share);
            lags += i64::from(share) * i64::from(lag(outcome));
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += i64::from(i32::from(share) * difference(outcome, i));
            }
        }
        let lag = lags.checked_div(total)? as i32;
        Some((lag, sums.map(|sum| sum as f32 / total as f32)))
    }
}

/// Decomposes a Hessian after Cholesky, in place: the lower triangular matrix that is left times its
/// transpose is the Hessian. A pivot that rounding has left too small is raised, which shortens steps
/// in a direction in which the objective is nearly flat.
#[expect(clippy::indexing_slicing, reason = "every index runs below P")]
fn decompose<const P: usize>(hessian: &mut [[f32; P]; P]) {
    let largest = (0..P).map(|i| hessian[i][i]).fold(0.0, f32::max);
    for i in 0..P {
        for j in 0..=i {
            let dot: f32 = (0..j).map(|k| hessian[i][k] * hessian[j][k]).sum();
            let rest = hessian[i][j] - dot;
            hessian[i][j] = if i == j {
                math::sqrt(rest.max(largest * 2e-7))
            } else {
                rest / hessian[j][j]
            };
        }
    }
}

/// The step to where the slope would be zero, by a decomposed Hessian, and twice what the objective
/// would lose on the way.
#[expect(clippy::indexing_slicing, reason = "every index runs below P")]
fn newton_step<const P: usize>(root: &[[f32; P]; P], gradient: &[f32; P]) -> ([f32; P], f32) {
    let mut step = gradient.map(|slope| -slope);
    for i in 0..P {
        for k in 0..i {
            step[i] -= root[i][k] * step[k];
        }
        step[i] /= root[i][i];
    }
    let decrement = step.iter().map(|x| x * x).sum();
    for i in (0..P).rev() {
        for k in i.saturating_add(1)..P {
            step[i] -= root[k][i] * step[k];
        }
        step[i] /= root[i][i];
    }
    (step, decrement)
}

/// A fit under way. Each pass reads all choice sets once.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Fit<const P: usize> {
    beta: [f32; P],
    value: f32,
    /// Where the next pass looks: this far along this step from `beta`.
    step: [f32; P],
    fraction: f32,
    /// Twice what the whole step should gain.
    decrement: f32,
    /// Whether the curvature in `sum` is of an earlier pass and decomposed; where steps are short it
    /// hardly changes, and is not looked at again.
    keeps_curvature: bool,
    /// How many choice sets the pass under way has read, and what it has found.
    read: usize,
    sum: Expansion<P>,
    passes: u16,
}

/// A curvature is kept as long as a step along it leaves less than this part of the decrement.
const KEEP: f32 = 0.3;
/// The end leaves the objective within half of this of its minimum, by an estimate.
const SETTLED: f32 = 3e-8;
/// A step that changes no weight by more than this part of the largest may be the last one without
/// a look at where it led.
const SLIGHT: f32 = 0.01;
/// A shorter part of a step changes nothing.
const SHORTEST: f32 = 1e-5;
/// More passes are of no use.
const PASSES_MAX: u16 = 60;

impl<const P: usize> Fit<P> {
    /// Starts from the weights `beta`. Where it starts decides how soon it ends, and but for rounding
    /// not where. Rounding counts if features differ by hundreds within a choice set: then likelihoods
    /// have few bits left, and a fit may end a little short of the minimum.
    pub fn new(beta: [f32; P]) -> Self {
        Fit {
            beta: beta.map(|weight| if weight.is_finite() { weight } else { 0.0 }),
            value: f32::INFINITY,
            step: [0.0; P],
            fraction: 1.0,
            decrement: f32::INFINITY,
            keeps_curvature: false,
            read: 0,
            sum: Expansion::ZERO,
            passes: 0,
        }
    }

    /// Goes over the choice sets once. Returns whether the fit is done.
    pub fn pass<const L: usize>(
        &mut self,
        objective: &Objective<P>,
        data: &impl ChoiceSets<P, L>,
    ) -> bool {
        self.slice(objective, data, usize::MAX)
    }

    /// Reads no more than so many choice sets, and takes a step when all have been read. Returns
    /// whether the fit is done.
    pub fn slice<const L: usize>(
        &mut self,
        objective: &Objective<P>,
        data: &impl ChoiceSets<P, L>,
        count: usize,
    ) -> bool {
        let target = self.along(self.fraction);
        let sets = data.len();
        let range = self.read..self.read.saturating_add(count).min(sets);
        self.read = range.end;
        let with_curvature = !self.keeps_curvature;
        objective.add_losses(&mut self.sum, &target, data, range, with_curvature);
        if self.read < sets {
            return false;
        }
        self.end_pass(objective, target)
    }

    /// Apart, so that what it takes of the stack is not there while choice sets are read.
    #[inline(never)]
    fn end_pass(&mut self, objective: &Objective<P>, target: [f32; P]) -> bool {
        objective.add_penalty(&mut self.sum, &target, !self.keeps_curvature);
        let is_done = self.advance(target);
        self.read = 0;
        self.sum = Expansion {
            hessian: match self.keeps_curvature {
                true => self.sum.hessian,
                false => Expansion::ZERO.hessian,
            },
            ..Expansion::ZERO
        };
        is_done
    }

    /// Takes a step from what was found at `target`.
    fn advance(&mut self, target: [f32; P]) -> bool {
        self.passes = self.passes.saturating_add(1);
        let here = &mut self.sum;
        // Where weights explain less than none at all would, there may be no way out.
        let is_sensible = here.value <= here.value_at_zero;
        if self.passes == 1 && !is_sensible && self.beta != [0.0; P] {
            self.beta = [0.0; P];
            return false;
        }
        if !self.keeps_curvature {
            decompose(&mut here.hessian);
        }
        let (step, decrement) = newton_step(&here.hessian, &here.gradient);

        // Near the end the value changes by less than its own rounding; then the slope decides.
        let noise = 1e-6 * self.value.abs();
        let better = here.value <= self.value
            || (here.value <= self.value + noise && decrement <= self.decrement);
        if better && decrement.is_finite() {
            // What a step leaves of the decrement: along an old curvature as much as the last one
            // did, along a new one the square.
            let left = match self.keeps_curvature {
                true => decrement / self.decrement,
                false => decrement,
            };
            self.keeps_curvature = left < KEEP;
            (self.beta, self.value) = (target, here.value);
            (self.step, self.fraction, self.decrement) = (step, 1.0, decrement);
            if decrement <= SETTLED {
                return true;
            }
            if decrement * left <= SETTLED && largest(&step) <= SLIGHT * largest(&target) {
                self.beta = self.along(1.0);
                self.value -= decrement / 2.0;
                return true;
            }
        } else {
            self.fraction *= 0.25;
            self.keeps_curvature = false;
        }
        self.passes >= PASSES_MAX || self.fraction < SHORTEST
    }

    fn along(&self, fraction: f32) -> [f32; P] {
        let mut beta = self.beta;
        for (weight, step) in beta.iter_mut().zip(&self.step) {
            *weight += fraction * step;
        }
        beta
    }

    /// The best weights so far.
    pub fn beta(&self) -> &[f32; P] {
        &self.beta
    }

    /// The objective at these weights.
    pub fn value(&self) -> f32 {
        self.value
    }

    /// How often the data was read.
    pub fn passes(&self) -> u16 {
        self.passes
    }
}

fn largest<const P: usize>(vector: &[f32; P]) -> f32 {
    vector.iter().fold(0.0, |largest, x| x.abs().max(largest))
}
