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
use crate::policy::Policy;

/// Choice sets to learn from.
pub trait ChoiceSets<const P: usize> {
    /// Visits all choice sets: the actions that there were, and the one that was chosen.
    fn each(&self, visit: &mut dyn FnMut(&[Outcome<P>], Action));
}

/// What to minimise, but for the data.
#[derive(Clone, Copy, Debug, PartialEq)]
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
pub const RIDGE: f32 = 1e-5;

/// An action is left out if it is less likely than the most likely one by e to the power of this:
/// single precision would not notice it.
const UNLIKELY: f32 = -16.0;

/// Value, gradient and curvature of the objective at some weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expansion<const P: usize> {
    /// The value.
    pub value: f32,
    /// The first derivatives.
    pub gradient: [f32; P],
    /// The second derivatives; the upper triangle is not filled.
    pub hessian: [[f32; P]; P],
}

#[expect(
    clippy::indexing_slicing,
    reason = "every index runs below P, the length of every array"
)]
impl<const P: usize> Objective<P> {
    /// The objective in the neighbourhood of the weights `beta`, which are finite.
    pub fn expand(&self, beta: &[f32; P], data: &impl ChoiceSets<P>) -> Expansion<P> {
        let mut sum = Expansion {
            value: 0.0,
            gradient: [0.0; P],
            hessian: [[0.0; P]; P],
        };
        let (policy, scale) = Policy::scaled(beta, &self.units, &self.bounds);
        data.each(&mut |outcomes, chosen| sum.add_loss(outcomes, chosen, &policy, scale));

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

#[expect(
    clippy::indexing_slicing,
    reason = "every index runs below P, the length of every array"
)]
impl<const P: usize> Expansion<P> {
    /// Adds −log p(chosen) of one choice set, with derivatives in terms of integer features.
    fn add_loss(
        &mut self,
        outcomes: &[Outcome<P>],
        chosen: Action,
        policy: &Policy<P>,
        scale: f32,
    ) {
        let Some(chosen) = outcomes.iter().find(|outcome| outcome.action == chosen) else {
            return;
        };
        let score = |outcome: &Outcome<P>| policy.score(&outcome.features);
        let best = outcomes.iter().map(score).fold(i32::MIN, i32::max);
        let logit = |outcome| score(outcome).wrapping_sub(best) as f32 * scale;

        // Σ e, Σ e·x and Σ e·x·xᵀ over actions, with e = exp(logit) and x = φ − φ(chosen).
        let mut total = 0.0;
        let mut first = [0.0; P];
        let mut second = [[0.0; P]; P];
        for outcome in outcomes {
            let logit = logit(outcome);
            if logit < UNLIKELY {
                continue;
            }
            let e = libm::expf(logit);
            total += e;
            let mut x = [0.0; P];
            for i in 0..P {
                x[i] = f32::from(outcome.features[i]) - f32::from(chosen.features[i]);
                if x[i] == 0.0 {
                    continue;
                }
                let ex = e * x[i];
                first[i] += ex;
                for j in 0..=i {
                    second[i][j] += ex * x[j];
                }
            }
        }
        self.value += libm::logf(total) - logit(chosen);
        let share = 1.0 / total;
        for i in 0..P {
            first[i] *= share;
            self.gradient[i] += first[i];
            for j in 0..=i {
                self.hessian[i][j] += second[i][j] * share - first[i] * first[j];
            }
        }
    }

    /// The step to the minimum of the quadratic that this expansion is, and how much the value
    /// falls on the way, twice.
    ///
    /// By Cholesky decomposition. A pivot that rounding has left too small is raised, which makes
    /// the step shorter in a direction in which the objective is nearly flat.
    fn newton_step(mut self) -> ([f32; P], f32) {
        let h = &mut self.hessian;
        let largest = (0..P).map(|i| h[i][i]).fold(0.0, f32::max);
        let floor = largest * 1e-6;
        for i in 0..P {
            for j in 0..=i {
                let mut rest = h[i][j];
                for k in 0..j {
                    rest -= h[i][k] * h[j][k];
                }
                h[i][j] = if i == j {
                    libm::sqrtf(rest.max(floor))
                } else {
                    rest / h[j][j]
                };
            }
        }
        let mut step = self.gradient.map(|slope| -slope);
        for i in 0..P {
            for k in 0..i {
                step[i] -= h[i][k] * step[k];
            }
            step[i] /= h[i][i];
        }
        let decrement = step.iter().map(|x| x * x).sum();
        for i in (0..P).rev() {
            for k in i.saturating_add(1)..P {
                step[i] -= h[k][i] * step[k];
            }
            step[i] /= h[i][i];
        }
        (step, decrement)
    }
}

/// A fit under way. Each pass reads all choice sets once.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit<const P: usize> {
    beta: [f32; P],
    value: f32,
    /// Where the next pass looks: this far along this step from `beta`.
    step: [f32; P],
    fraction: f32,
    /// Twice what the whole step should gain.
    decrement: f32,
    passes: u16,
}

/// A step that should gain half of this is the last one, and it is not looked at any more: there the
/// error of the quadratic is of the order of its square.
const LAST_STEP: f32 = 1e-4;
/// More passes are of no use: each halves the error at the least.
const PASSES_MAX: u16 = 60;
/// A shorter step changes nothing.
const SHORTEST: f32 = 1e-5;

impl<const P: usize> Fit<P> {
    /// Starts from the weights `beta`. Where it starts makes no difference to where it ends, only to
    /// how soon.
    pub fn new(beta: [f32; P]) -> Self {
        let beta = beta.map(|weight| if weight.is_finite() { weight } else { 0.0 });
        Fit {
            beta,
            value: f32::INFINITY,
            step: [0.0; P],
            fraction: 1.0,
            decrement: f32::INFINITY,
            passes: 0,
        }
    }

    /// Goes over the choice sets once. Returns whether the fit is done.
    pub fn pass(&mut self, objective: &Objective<P>, data: &impl ChoiceSets<P>) -> bool {
        self.passes = self.passes.saturating_add(1);
        let target = self.along(self.fraction);
        let here = objective.expand(&target, data);
        let value = here.value;
        let (step, decrement) = here.newton_step();

        // At the end the value changes by less than its own rounding; then the slope decides.
        let noise = 1e-6 * self.value.abs();
        let better =
            value <= self.value || (value <= self.value + noise && decrement <= self.decrement);
        let sound = decrement.is_finite() && step.iter().all(|x| x.is_finite());
        if better && sound {
            *self = Fit {
                beta: target,
                value,
                step,
                fraction: 1.0,
                decrement,
                ..*self
            };
            if decrement <= LAST_STEP {
                self.beta = self.along(1.0);
                self.value -= decrement / 2.0;
                return true;
            }
        } else {
            self.fraction *= 0.25;
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
