//! Multinomial logistic regression with shrinkage toward equal weights (STEW).
//!
//! Given choice sets, each the features of all actions of a state and which of them was chosen, the
//! weights β minimise
//!
//! > −Σ log softmax(β·φ)\[chosen\] + λ Σ_{i<j} (βᵢ − βⱼ)²
//!
//! over features multiplied by their directions (and a [`RIDGE`], so that there always is a minimum). With soft
//! [labels](Label), log softmax(β·φ) is not that of the chosen action but the mean over all, weighted by their
//! shares. The stronger the penalty, the closer the weights are to each other; in the limit the policy knows
//! directions and nothing else (the paper's section 4).
//!
//! Newton's method, on choice sets that are read one at a time. Scores are those of the integer policy that the
//! weights stand for, so there is no rounding in them.

use super::labels::Label;
use crate::array::Array;
use crate::environment::Outcome;
use crate::exponential::{EXPONENT_ONE, POWER_BITS, power_of_half, whole};
use crate::math;
use crate::policy::Policy;
use core::f32::consts::{LN_2, LOG2_E};
use core::ops::Range;

/// Choice sets to learn from, with features of type `F`.
pub trait ChoiceSets<F> {
    /// What is remembered of a choice.
    type Label: Label;

    /// The number of choice sets.
    fn len(&self) -> usize;

    /// Returns whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Visits those in `range`: the legal actions, and the label of the choice.
    fn each(&self, range: Range<usize>, visit: &mut Visit<F, Self::Label>);
}

/// A visit to a choice set: its legal actions, and the label of the choice.
pub type Visit<'a, F, L> = dyn FnMut(&[Outcome<F>], &L) + 'a;

/// The function to minimise, apart from the data.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Objective<F: Array> {
    /// The worth of one step of each integer feature, times its direction.
    pub units: F::Of<f32>,
    /// Which features are shrunk toward zero, since their direction is not known, and not toward the others.
    pub free: F::Of<bool>,
    /// One more than the sum of the largest absolute values of all integer features.
    pub reach: u32,
    /// λ, the strength of the penalty over all choice sets together.
    pub lambda: f32,
}

/// The largest λ that is used: at single precision, weights are equal long before it.
pub const LAMBDA_MAX: f32 = 1e6;

/// A ridge penalty of this on every weight keeps the problem well-posed if the choices can be
/// explained perfectly or tell nothing about a weight.
pub const RIDGE: f32 = 1e-6;

/// Value and slope of the objective at some weights, and its curvature where it was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Expansion<F: Array> {
    /// The value.
    pub value: f32,
    /// What it would be if all weights were zero. Comes with the curvature.
    pub value_at_zero: f32,
    /// The first derivatives.
    pub gradient: F::Of<f32>,
    /// The second derivatives. Only the lower triangle is filled.
    pub hessian: F::Of<F::Of<f32>>,
}

#[expect(
    clippy::indexing_slicing,
    reason = "every index runs below the length of every array"
)]
impl<F: Array<Item = i16>> Objective<F> {
    /// The objective in the neighbourhood of the weights `beta`, which are finite. Its curvature is not needed
    /// for every step, and is half of the work.
    pub fn expand(
        &self,
        beta: &F::Of<f32>,
        data: &impl ChoiceSets<F>,
        with_curvature: bool,
    ) -> Expansion<F> {
        let mut sum = Expansion::zero();
        self.add_losses(&mut sum, beta, data, 0..data.len(), with_curvature);
        self.add_penalty(&mut sum, beta, with_curvature);
        sum
    }

    fn add_losses(
        &self,
        sum: &mut Expansion<F>,
        beta: &F::Of<f32>,
        data: &impl ChoiceSets<F>,
        range: Range<usize>,
        with_curvature: bool,
    ) {
        let (policy, scale) = self.scaled(beta);
        let scale = scale * (LOG2_E * EXPONENT_ONE);
        data.each(range, &mut |outcomes, label| {
            sum.add_loss(outcomes, label, &policy, scale, with_curvature);
        });
    }

    /// The policy with the weights `beta`, and the worth of one point of its score.
    fn scaled(&self, beta: &F::Of<f32>) -> (Policy<F>, f32) {
        let (beta, units) = (beta.as_ref(), self.units.as_ref());
        Policy::scaled(F::from_fn(|i| beta[i] * units[i]), self.reach)
    }

    /// The policy with the weights `beta`.
    pub(super) fn policy(&self, beta: &F::Of<f32>) -> Policy<F> {
        self.scaled(beta).0
    }

    /// From the losses in terms of integer features to the objective in terms of the weights.
    fn add_penalty(&self, sum: &mut Expansion<F>, beta: &F::Of<f32>, with_curvature: bool) {
        let hessian = match with_curvature {
            true => F::flattened(&mut sum.hessian),
            false => &mut [],
        };
        let penalty = Penalty {
            units: self.units.as_ref(),
            free: self.free.as_ref(),
            lambda: self.lambda.clamp(0.0, LAMBDA_MAX),
        };
        let (value, gradient) = (&mut sum.value, sum.gradient.as_mut());
        penalty.add(beta.as_ref(), value, gradient, hessian);
    }
}

// What follows is done once a pass. It is not generic over the number of features, so that it is compiled once and
// for size, whatever the tasks.

/// The penalty, for any number of features.
struct Penalty<'a> {
    units: &'a [f32],
    free: &'a [bool],
    lambda: f32,
}

impl Penalty<'_> {
    /// Adds its value and slope, and its curvature if there is room for it.
    #[inline(never)]
    fn add(&self, beta: &[f32], value: &mut f32, gradient: &mut [f32], hessian: &mut [f32]) {
        let lambda = self.lambda;
        let size = beta.len();
        let features = || beta.iter().zip(self.units).zip(self.free).enumerate();
        for ((i, ((&weight, &unit), &is_free)), slope) in features().zip(gradient) {
            *value += RIDGE * weight * weight;
            *slope = *slope * unit + 2.0 * RIDGE * weight;
            // A free feature is shrunk as if it had a single neighbour, of weight zero.
            let mut neighbours = 0.0;
            if is_free {
                neighbours = 1.0;
                *value += lambda * weight * weight;
                *slope += 2.0 * lambda * weight;
            }
            for (j, ((&other, &its_unit), &is_other_free)) in features() {
                let is_pair = i != j && !is_free && !is_other_free;
                let difference = if is_pair { weight - other } else { 0.0 };
                *slope += 2.0 * lambda * difference;
                neighbours += f32::from(u8::from(is_pair));
                if j >= i {
                    continue;
                }
                *value += lambda * difference * difference;
                if let Some(curvature) = entry(hessian, size, i, j) {
                    *curvature = *curvature * unit * its_unit;
                    if is_pair {
                        *curvature -= 2.0 * lambda;
                    }
                }
            }
            if let Some(curvature) = entry(hessian, size, i, i) {
                *curvature = *curvature * unit * unit + 2.0 * lambda * neighbours + 2.0 * RIDGE;
            }
        }
    }
}

/// An entry of a square.
fn entry(square: &mut [f32], size: usize, row: usize, column: usize) -> Option<&mut f32> {
    square.get_mut(row.wrapping_mul(size).wrapping_add(column))
}

/// The value of an entry of a square, which is there.
fn at(square: &[f32], size: usize, row: usize, column: usize) -> f32 {
    let entry = square.get(row.wrapping_mul(size).wrapping_add(column));
    entry.copied().unwrap_or(0.0)
}

/// Decomposes a Hessian after Cholesky, in place: the lower triangular matrix that is left times its transpose is
/// the Hessian. A pivot below `smallest`, as a part of the largest second derivative, is raised, which shortens steps in
/// a direction in which the objective is nearly flat.
#[inline(never)]
fn decompose(hessian: &mut [f32], size: usize, smallest: f32) {
    let diagonal = (0..size).map(|i| at(hessian, size, i, i));
    let largest = diagonal.fold(0.0, f32::max);
    for i in 0..size {
        for j in 0..=i {
            let products = (0..j).map(|k| at(hessian, size, i, k) * at(hessian, size, j, k));
            let dot: f32 = products.sum();
            let rest = at(hessian, size, i, j) - dot;
            let root = match i == j {
                true => math::sqrt(rest.max(largest * smallest)),
                false => rest / at(hessian, size, j, j),
            };
            if let Some(entry) = entry(hessian, size, i, j) {
                *entry = root;
            }
        }
    }
}

/// Turns a slope into the step to where it would be zero, by a decomposed Hessian. Returns twice what the objective
/// would lose on the way.
#[inline(never)]
fn newton_step(root: &[f32], step: &mut [f32]) -> f32 {
    let size = step.len();
    for i in 0..size {
        let known = step.iter().enumerate().take(i);
        let mut rest = step.get(i).map_or(0.0, |slope| -slope);
        known.for_each(|(k, x)| rest -= at(root, size, i, k) * x);
        if let Some(x) = step.get_mut(i) {
            *x = rest / at(root, size, i, i);
        }
    }
    let decrement = step.iter().map(|x| x * x).sum();
    for i in (0..size).rev() {
        let known = step.iter().enumerate().skip(i.saturating_add(1));
        let mut rest = step.get(i).copied().unwrap_or(0.0);
        known.for_each(|(k, x)| rest -= at(root, size, k, i) * x);
        if let Some(x) = step.get_mut(i) {
            *x = rest / at(root, size, i, i);
        }
    }
    decrement
}

/// Bits that a sum over the actions of a choice set may have.
const SUM_BITS: u32 = 30;
/// Bits of a feature in the curvature.
const COARSE: u32 = 9;
/// Bits of a likelihood, at the most: those that single precision has, nearly.
const FINE: u32 = 22;

#[expect(
    clippy::indexing_slicing,
    reason = "every index runs below the length of every array"
)]
#[expect(clippy::arithmetic_side_effects, reason = "see `SUM_BITS`")]
impl<F: Array<Item = i16>> Expansion<F> {
    fn zero() -> Self {
        Expansion {
            value: 0.0,
            value_at_zero: 0.0,
            gradient: F::filled(0.0),
            hessian: F::filled(F::filled(0.0)),
        }
    }

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
    #[inline(never)]
    fn add_loss(
        &mut self,
        outcomes: &[Outcome<F>],
        label: &impl Label,
        policy: &Policy<F>,
        scale: f32,
        with_curvature: bool,
    ) {
        // There are no more different actions than this.
        let outcomes = outcomes.get(..256).unwrap_or(outcomes);
        let score = |outcome: &Outcome<F>| score(policy, &outcome.features);
        let Some(chosen) = Outcome::find(outcomes, label.action()) else {
            return;
        };
        let (mut best, mut highest) = (chosen, score(chosen));
        for outcome in outcomes {
            let score = score(outcome);
            if score > highest {
                (best, highest) = (outcome, score);
            }
        }
        let lag = |outcome: &Outcome<F>| highest.saturating_sub(score(outcome));
        // How much less likely than the best an action is: the exponent of one half.
        let exponent = |lag: i32| lag as f32 * scale;
        let best = best.features.as_ref();
        let difference = |outcome: &Outcome<F>, i: usize| {
            i32::from(outcome.features.as_ref()[i]) - i32::from(best[i])
        };

        let mut spread = F::filled(0u32);
        let spread = spread.as_mut();
        for outcome in outcomes {
            for (i, spread) in spread.iter_mut().enumerate() {
                *spread |= difference(outcome, i).unsigned_abs();
            }
        }
        let bits = F::from_fn(|i| u32::BITS - spread[i].leading_zeros());
        let bits = bits.as_ref();
        let widest = bits.iter().fold(0, |widest, &bits| bits.max(widest));
        let room = SUM_BITS - (usize::BITS - outcomes.len().leading_zeros());
        let fine = (room - widest).min(FINE);
        let coarse = (room - 2 * widest.min(COARSE)).min(fine);
        let crop = F::from_fn(|i| bits[i].saturating_sub(COARSE));
        let crop = crop.as_ref();

        // A mask, since a condition would make two loops of one.
        let wanted = if with_curvature { !0 } else { 0 };
        let mut total = 0;
        let mut first = F::filled(0i32);
        let (mut weight, mut middle) = (0, F::filled(0i32));
        let mut second = F::filled(F::filled(0i32));
        let (first, middle, rows) = (first.as_mut(), middle.as_mut(), second.as_mut());
        for outcome in outcomes {
            let e = power_of_half(whole(exponent(lag(outcome))));
            total += e >> (POWER_BITS - FINE);
            let share = (((e >> (POWER_BITS - 1 - fine)) + 1) >> 1) as i32;
            let mut x = F::from_fn(|i| difference(outcome, i));
            let x = x.as_mut();
            for (first, x) in first.iter_mut().zip(x.iter()) {
                *first += share * x;
            }
            let share = share >> (fine - coarse) & wanted;
            if share != 0 {
                weight += share;
                for (i, row) in rows.iter_mut().enumerate() {
                    x[i] >>= crop[i];
                    let ex = share * x[i];
                    middle[i] += ex;
                    let lower = row.as_mut().iter_mut().zip(x.iter()).take(i + 1);
                    lower.for_each(|(second, x)| *second += ex * x);
                }
            }
        }

        let total = total as f32 / (1 << FINE) as f32;
        let target = soft_target::<F>(label.shares(), outcomes, lag, difference);
        let (lag, target) = target.unwrap_or_else(|| {
            let features = F::from_fn(|i| difference(chosen, i) as f32);
            (lag(chosen), features)
        });
        self.value += math::ln(total) + exponent(lag) * (LN_2 / EXPONENT_ONE);
        let share = 1.0 / (total * (1 << fine) as f32);
        add_slope(self.gradient.as_mut(), first, share, target.as_ref());
        if with_curvature {
            self.value_at_zero += math::ln(outcomes.len() as f32);
            let share = 1.0 / weight as f32;
            let mean = F::from_fn(|i| middle[i] as f32 * share);
            let moments = Moments {
                share,
                mean: mean.as_ref(),
                second: F::flattened(&mut second),
                spread,
                crop,
            };
            moments.add_covariance(F::flattened(&mut self.hessian));
        }
    }
}

/// The score, out of line, since it is needed in several places.
#[inline(never)]
fn score<F: Array<Item = i16>>(policy: &Policy<F>, features: &F) -> i32 {
    policy.score(features)
}

/// Adds the mean of x, from its sum, less that of the label.
#[inline(never)]
fn add_slope(gradient: &mut [f32], sums: &[i32], share: f32, target: &[f32]) {
    for ((slope, sum), target) in gradient.iter_mut().zip(sums).zip(target) {
        *slope += *sum as f32 * share - target;
    }
}

/// Sums over the actions of a choice set, for any number of features.
struct Moments<'a> {
    /// 1 / Σe.
    share: f32,
    /// Σe·x / Σe.
    mean: &'a [f32],
    /// Σe·x·xᵀ, of which the lower triangle is filled.
    second: &'a [i32],
    /// The bits that x has, none if it is always zero.
    spread: &'a [u32],
    /// The number of bits by which x was cropped.
    crop: &'a [u32],
}

impl Moments<'_> {
    /// Adds the covariance of x. It is that of the very shares that were summed, so that it has no negative
    /// direction.
    #[inline(never)]
    fn add_covariance(&self, hessian: &mut [f32]) {
        let size = self.mean.len();
        let features = || self.mean.iter().zip(self.spread).zip(self.crop).enumerate();
        let rows = hessian.chunks_exact_mut(size.max(1));
        let rows = rows.zip(self.second.chunks_exact(size.max(1)));
        for ((i, ((mean, spread), crop)), (row, sums)) in features().zip(rows) {
            if *spread == 0 {
                continue;
            }
            let entries = row.iter_mut().zip(sums).zip(features());
            for ((entry, sum), (j, ((its_mean, its_spread), its_crop))) in entries {
                if j > i {
                    break;
                }
                if *its_spread == 0 {
                    continue;
                }
                let mut covariance = *sum as f32 * self.share - mean * its_mean;
                let bits = crop.saturating_add(*its_crop);
                if bits != 0 {
                    covariance *= 1u32.wrapping_shl(bits) as f32;
                }
                *entry += covariance;
            }
        }
    }
}

/// The means of the lag and of the features of all actions, weighted by the shares of a soft label. `None` if the
/// label is hard.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "shares have 8 bits, their sum 16, and what they weigh has no more than 32"
)]
#[inline(always)]
fn soft_target<F: Array>(
    shares: &[u8],
    outcomes: &[Outcome<F>],
    lag: impl Fn(&Outcome<F>) -> i32,
    difference: impl Fn(&Outcome<F>, usize) -> i32,
) -> Option<(i32, F::Of<f32>)> {
    let (mut total, mut lags, mut sums) = (0i64, 0i64, F::filled(0i64));
    for (outcome, &share) in outcomes.iter().zip(shares) {
        total += i64::from(share);
        lags += i64::from(share) * i64::from(lag(outcome));
        for (i, sum) in sums.as_mut().iter_mut().enumerate() {
            *sum += i64::from(i32::from(share) * difference(outcome, i));
        }
    }
    let lag = lags.checked_div(total)? as i32;
    let mut sums = sums.as_ref().iter();
    let mean = F::from_fn(|_| sums.next().map_or(0.0, |sum| *sum as f32 / total as f32));
    Some((lag, mean))
}

/// A fit under way. Each pass reads all choice sets once.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Fit<F: Array> {
    beta: F::Of<f32>,
    value: f32,
    /// Where the next pass looks: this far along this step from `beta`.
    step: F::Of<f32>,
    fraction: f32,
    /// Twice what the whole step should gain.
    decrement: f32,
    /// Whether the curvature in `sum` is of an earlier pass and decomposed; where steps are short it
    /// hardly changes, and is not looked at again.
    keeps_curvature: bool,
    /// Whether no part of a whole step has led to lower values, and steps are shorter since where the objective is flat.
    is_damped: bool,
    /// How many choice sets the pass under way has read, and what it has found.
    read: usize,
    sum: Expansion<F>,
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
/// A fit does not end without a lower value while a step is expected to gain half of this.
const WORTHWHILE: f32 = 0.01;
/// The smallest pivot that single precision leaves of a Hessian, as a part of its largest entry.
const ROUNDED: f32 = 2e-7;
/// The smallest pivot for steps that rounding cannot lead astray.
const DAMPED: f32 = 1e-3;
/// The most passes of a fit. In the problems that learners come across, more are of no use.
pub const PASSES_MAX: u16 = 60;

impl<F: Array<Item = i16>> Fit<F> {
    /// Starts from the weights `beta`. Where it starts decides how soon it ends, and but for rounding not where.
    /// Rounding counts if features differ by hundreds within a choice set: then likelihoods have few bits left,
    /// and a fit may end a little short of the minimum.
    pub fn new(beta: &F::Of<f32>) -> Self {
        let mut weights = beta.as_ref().iter();
        let finite = |weight: &f32| if weight.is_finite() { *weight } else { 0.0 };
        Fit {
            beta: F::from_fn(|_| weights.next().map_or(0.0, finite)),
            value: f32::INFINITY,
            step: F::filled(0.0),
            fraction: 1.0,
            decrement: f32::INFINITY,
            keeps_curvature: false,
            is_damped: false,
            read: 0,
            sum: Expansion::zero(),
            passes: 0,
        }
    }

    /// Goes over the choice sets once. Returns whether the fit is done.
    pub fn pass(&mut self, objective: &Objective<F>, data: &impl ChoiceSets<F>) -> bool {
        self.slice(objective, data, usize::MAX)
    }

    /// Reads no more than `count` choice sets, and takes a step when all have been read. Returns whether the fit
    /// is done.
    pub fn slice(
        &mut self,
        objective: &Objective<F>,
        data: &impl ChoiceSets<F>,
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

    /// Out of line, so that what it takes of the stack is not there while choice sets are read.
    #[inline(never)]
    fn end_pass(&mut self, objective: &Objective<F>, target: F::Of<f32>) -> bool {
        objective.add_penalty(&mut self.sum, &target, !self.keeps_curvature);
        let is_done = self.advance(target);
        self.read = 0;
        self.sum.value = 0.0;
        self.sum.value_at_zero = 0.0;
        self.sum.gradient.as_mut().fill(0.0);
        if !self.keeps_curvature {
            self.sum.hessian.as_mut().fill(F::filled(0.0));
        }
        is_done
    }

    /// Takes a step from what was found at `target`.
    fn advance(&mut self, target: F::Of<f32>) -> bool {
        self.passes = self.passes.saturating_add(1);
        let here = &mut self.sum;
        // Where weights explain less than none at all would, there may be no way out.
        let is_sensible = here.value <= here.value_at_zero;
        if self.passes == 1 && !is_sensible && largest(self.beta.as_ref()) != 0.0 {
            self.beta.as_mut().fill(0.0);
            return false;
        }
        if !self.keeps_curvature {
            let smallest = if self.is_damped { DAMPED } else { ROUNDED };
            decompose(F::flattened(&mut here.hessian), F::LEN, smallest);
        }
        let mut step = here.gradient;
        let decrement = newton_step(F::flattened(&mut here.hessian), step.as_mut());

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
            if decrement * left <= SETTLED
                && largest(step.as_ref()) <= SLIGHT * largest(target.as_ref())
            {
                self.beta = self.along(1.0);
                self.value -= decrement / 2.0;
                self.decrement *= left;
                return true;
            }
        } else {
            self.fraction *= 0.25;
            self.keeps_curvature = false;
        }
        if self.fraction < SHORTEST && self.decrement > WORTHWHILE && !self.is_damped {
            // Once more from here.
            self.is_damped = true;
            self.step.as_mut().fill(0.0);
            self.fraction = 1.0;
            self.decrement = f32::INFINITY;
        }
        self.passes >= PASSES_MAX || self.fraction < SHORTEST
    }

    fn along(&self, fraction: f32) -> F::Of<f32> {
        let mut beta = self.beta;
        for (weight, step) in beta.as_mut().iter_mut().zip(self.step.as_ref()) {
            *weight += fraction * step;
        }
        beta
    }

    /// The best weights so far.
    pub fn beta(&self) -> &F::Of<f32> {
        &self.beta
    }

    /// The objective at these weights.
    pub fn value(&self) -> f32 {
        self.value
    }

    /// Returns whether the objective is at its minimum, by an estimate that is good to a thousandth. A fit that is done
    /// and has not settled has the best weights that it has seen, and was ended by one of these:
    ///
    /// - It has read the data [`PASSES_MAX`] times. That is usual if the choices can be explained perfectly and λ is
    ///   zero: there is no minimum but for the [`RIDGE`], far away. The choices are explained by then (the objective is
    ///   within 0.02 of its minimum as long as features differ by tens), but how weights compare is arbitrary within
    ///   what explains them, and may still be far from the minimum's.
    /// - No part of a step has led to a lower value, since rounding outweighs it: features differ by hundreds within a
    ///   choice set, and likelihoods have few bits left.
    pub fn is_settled(&self) -> bool {
        self.decrement <= SETTLED && !self.is_damped
    }

    /// How often the data was read.
    pub fn passes(&self) -> u16 {
        self.passes
    }
}

fn largest(vector: &[f32]) -> f32 {
    vector.iter().fold(0.0, |largest, x| x.abs().max(largest))
}
