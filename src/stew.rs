//! Multinomial logistic regression with shrinkage toward equal weights (STEW).
//!
//! Given choice sets, each the features of all actions of a state and which of them was chosen, the
//! weights β minimise
//!
//! > −Σ log softmax(β·φ)\[chosen\] + λ Σ_{i<j} (βᵢ − βⱼ)²
//!
//! over features multiplied by their directions. The stronger the penalty, the closer the weights are
//! to each other; in the limit the policy knows directions and nothing else (the paper's section 4).
//!
//! Newton's method, on choice sets that are read one at a time. Scores are those of the integer
//! policy that the weights stand for, so there is no rounding in them, and features relative to the
//! chosen action's keep the numbers small.

use crate::environment::{Action, Outcome};
use crate::exponential::{EXPONENT_ONE, POWER_BITS, power_of_half};
use crate::policy::Policy;
use core::f32::consts::{LN_2, LOG2_E};

/// Choice sets to learn from.
pub trait ChoiceSets<const P: usize> {
    /// Visits all choice sets: the actions that there were, and the one that was chosen.
    fn each(&self, visit: &mut dyn FnMut(&[Outcome<P>], Action));
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
    pub fn expand(
        &self,
        beta: &[f32; P],
        data: &impl ChoiceSets<P>,
        with_curvature: bool,
    ) -> Expansion<P> {
        let mut sum = Expansion {
            value: 0.0,
            gradient: [0.0; P],
            hessian: [[0.0; P]; P],
        };
        let (policy, scale) = Policy::scaled(beta, &self.units, &self.bounds);
        let scale = scale * (LOG2_E * EXPONENT_ONE);
        data.each(&mut |outcomes, chosen| {
            sum.add_loss(outcomes, chosen, &policy, scale, with_curvature);
        });

        let Expansion {
            value,
            gradient,
            hessian,
        } = &mut sum;
        let lambda = self.lambda.clamp(0.0, LAMBDA_MAX);
        for i in 0..P {
            *value += RIDGE * beta[i] * beta[i];
            gradient[i] = gradient[i] * self.units[i] + 2.0 * RIDGE * beta[i];
            for j in 0..P {
                let difference = beta[i] - beta[j];
                gradient[i] += 2.0 * lambda * difference;
                if j < i {
                    *value += lambda * difference * difference;
                    hessian[i][j] = hessian[i][j] * self.units[i] * self.units[j] - 2.0 * lambda;
                }
            }
            hessian[i][i] = hessian[i][i] * self.units[i] * self.units[i]
                + 2.0 * lambda * P.saturating_sub(1) as f32
                + 2.0 * RIDGE;
        }
        sum
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
    /// Adds −log p(chosen) of one choice set, with derivatives in terms of integer features.
    ///
    /// With e = exp(score − best score) and x = φ − φ(best), they follow from Σe, Σe·x and Σe·x·xᵀ
    /// over the actions. On a processor without floating point the last two would take most of the
    /// time, so they are summed as integers: e gets the bits that x leaves, and rounding it moves a
    /// logit by less than it moves in any fit. Curvature only has to be about right, since it decides
    /// how a step is taken and not where the steps end; features that differ much are cropped in it.
    fn add_loss(
        &mut self,
        outcomes: &[Outcome<P>],
        chosen: Action,
        policy: &Policy<P>,
        scale: f32,
        with_curvature: bool,
    ) {
        // There are no more different actions than this.
        let outcomes = outcomes.get(..256).unwrap_or(outcomes);
        let score = |outcome: &Outcome<P>| policy.score(&outcome.features);
        let Some(chosen) = outcomes.iter().find(|outcome| outcome.action == chosen) else {
            return;
        };
        let (mut best, mut highest) = (chosen, score(chosen));
        for outcome in outcomes {
            let score = score(outcome);
            if score > highest {
                (best, highest) = (outcome, score);
            }
        }
        // How much less likely than the best an action is: the exponent of one half.
        let exponent = |outcome| (highest - score(outcome)) as f32 * scale;
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
        let mut second = [[0; P]; P];
        for outcome in outcomes {
            let e = power_of_half(exponent(outcome) as u32);
            total += e >> (POWER_BITS - FINE);
            let share = (((e >> (POWER_BITS - 1 - fine)) + 1) >> 1) as i32;
            let mut x: [i32; P] = core::array::from_fn(|i| difference(outcome, i));
            for (first, x) in first.iter_mut().zip(x) {
                *first += share * x;
            }
            let share = share >> (fine - coarse);
            if with_curvature && share != 0 {
                for i in 0..P {
                    x[i] >>= crop[i];
                    let ex = share * x[i];
                    for j in 0..=i {
                        second[i][j] += ex * x[j];
                    }
                }
            }
        }

        let total = total as f32 / (1 << FINE) as f32;
        self.value += libm::logf(total) + exponent(chosen) * (LN_2 / EXPONENT_ONE);
        let share = 1.0 / (total * (1 << fine) as f32);
        let mut mean = [0.0; P];
        for i in 0..P {
            mean[i] = first[i] as f32 * share;
            self.gradient[i] += mean[i] - difference(chosen, i) as f32;
        }
        if with_curvature {
            let share = 1.0 / (total * (1 << coarse) as f32);
            for i in (0..P).filter(|&i| spread[i] != 0) {
                for j in (0..=i).filter(|&j| spread[j] != 0) {
                    let mut square = second[i][j] as f32 * share;
                    if crop[i] + crop[j] != 0 {
                        square *= (1 << (crop[i] + crop[j])) as f32;
                    }
                    self.hessian[i][j] += square - mean[i] * mean[j];
                }
            }
        }
    }
}

/// A curvature, decomposed after Cholesky.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Curvature<const P: usize> {
    /// Lower triangular; its product with its transpose is the Hessian.
    root: [[f32; P]; P],
}

#[expect(
    clippy::indexing_slicing,
    reason = "every index runs below P, the length of every array"
)]
impl<const P: usize> Curvature<P> {
    /// A pivot that rounding has left too small is raised, which shortens steps in a direction in
    /// which the objective is nearly flat.
    fn new(mut hessian: [[f32; P]; P]) -> Self {
        let largest = (0..P).map(|i| hessian[i][i]).fold(0.0, f32::max);
        for i in 0..P {
            for j in 0..=i {
                let dot: f32 = (0..j).map(|k| hessian[i][k] * hessian[j][k]).sum();
                let rest = hessian[i][j] - dot;
                hessian[i][j] = if i == j {
                    libm::sqrtf(rest.max(largest * 1e-6))
                } else {
                    rest / hessian[j][j]
                };
            }
        }
        Curvature { root: hessian }
    }

    /// The step to where the slope would be zero, and twice what the objective would lose on the
    /// way.
    fn step(&self, gradient: &[f32; P]) -> ([f32; P], f32) {
        let mut step = gradient.map(|slope| -slope);
        for i in 0..P {
            for k in 0..i {
                step[i] -= self.root[i][k] * step[k];
            }
            step[i] /= self.root[i][i];
        }
        let decrement = step.iter().map(|x| x * x).sum();
        for i in (0..P).rev() {
            for k in i.saturating_add(1)..P {
                step[i] -= self.root[k][i] * step[k];
            }
            step[i] /= self.root[i][i];
        }
        (step, decrement)
    }
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
    /// As of the last pass that looked at it; where steps are short it hardly changes.
    curvature: Option<Curvature<P>>,
    passes: u16,
}

/// A curvature is kept as long as a step along it leaves less than this part of the decrement.
const KEEP: f32 = 0.3;
/// The last step leaves the objective within half of this of its minimum, by an estimate.
const SETTLED: f32 = 3e-8;
/// More passes are of no use.
const PASSES_MAX: u16 = 60;
/// A shorter part of a step changes nothing.
const SHORTEST: f32 = 1e-5;

impl<const P: usize> Fit<P> {
    /// Starts from the weights `beta`. Where it starts makes no difference to where it ends, only to
    /// how soon.
    pub fn new(beta: [f32; P]) -> Self {
        Fit {
            beta: beta.map(|weight| if weight.is_finite() { weight } else { 0.0 }),
            value: f32::INFINITY,
            step: [0.0; P],
            fraction: 1.0,
            decrement: f32::INFINITY,
            curvature: None,
            passes: 0,
        }
    }

    /// Goes over the choice sets once. Returns whether the fit is done.
    pub fn pass(&mut self, objective: &Objective<P>, data: &impl ChoiceSets<P>) -> bool {
        self.passes = self.passes.saturating_add(1);
        let target = self.along(self.fraction);
        let here = objective.expand(&target, data, self.curvature.is_none());
        let curvature = self
            .curvature
            .unwrap_or_else(|| Curvature::new(here.hessian));
        let (step, decrement) = curvature.step(&here.gradient);

        // Near the end the value changes by less than its own rounding; then the slope decides.
        let noise = 1e-6 * self.value.abs();
        let better = here.value <= self.value
            || (here.value <= self.value + noise && decrement <= self.decrement);
        if better && decrement.is_finite() {
            // What a step leaves of the decrement: with an old curvature as much as the last one
            // did, with a new one the square.
            let left = match self.curvature {
                Some(_) => decrement / self.decrement,
                None => decrement,
            };
            *self = Fit {
                beta: target,
                value: here.value,
                step,
                fraction: 1.0,
                decrement,
                curvature: (left < KEEP).then_some(curvature),
                passes: self.passes,
            };
            if decrement * left <= SETTLED {
                self.beta = self.along(1.0);
                self.value -= decrement / 2.0;
                return true;
            }
        } else {
            self.fraction *= 0.25;
            self.curvature = None;
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
