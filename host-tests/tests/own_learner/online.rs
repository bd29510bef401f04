//! Softmax regression that looks at each choice once: a step toward the features of what was chosen, and away from
//! those that the weights expected.

use ipse::direction::equal_weights;
use ipse::prelude::*;

/// The learner, with the length of a step.
#[derive(Clone, Copy, Debug)]
pub struct Online(pub f32);

impl Parameters for Online {
    fn validate(&self) -> Result<(), Invalid> {
        let is_sensible = self.0 > 0.0 && self.0 <= 1.0;
        let error = Invalid::real("rate", self.0, "above 0, and at most 1");
        is_sensible.then_some(()).ok_or(error)
    }
    fn identify(&self, codec: &mut impl Codec) -> Result<(), Invalid> {
        codec.text("online");
        codec.f32("rate", &mut self.0.clone())
    }
}

impl<E: Environment> Learner<E> for Online {
    type Memory = PerFeature<E, f32>;
    type Values = ();

    fn blank(&self) -> Self::Memory {
        E::Features::filled(0.0)
    }
    fn weights(&self, weights: &Self::Memory) -> PerFeature<E, f32> {
        *weights
    }
    fn inform(&self, weights: &mut Self::Memory, prior: &Prior<E::Features>) {
        *weights = equal_weights::<E::Features>(&prior.directions);
    }
    fn learn(&self, weights: &mut Self::Memory, task: &E, choice: Choice<E::State, ()>) {
        let mut odds = Vec::new();
        task.outcomes(choice.state, |outcome| {
            let pairs = weights.as_ref().iter().zip(outcome.features.as_ref());
            odds.push(pairs.map(|(w, x)| w * f32::from(*x)).sum::<f32>().exp());
        });
        let total: f32 = odds.iter().sum();
        let mut odds = odds.into_iter();
        task.outcomes(choice.state, |outcome| {
            let chosen = f32::from(u8::from(outcome.action == choice.action));
            let step = self.0 * (chosen - odds.next().unwrap_or(0.0) / total);
            let pairs = weights.as_mut().iter_mut().zip(outcome.features.as_ref());
            pairs.for_each(|(weight, x)| *weight += step * f32::from(*x));
        });
    }
}

impl<E: Resumable> ResumableLearner<E> for Online {
    const BITS: usize = 32 * E::Features::LEN;

    fn code(&self, weights: &mut Self::Memory, _: &E, c: &mut impl Codec) -> Result<(), Invalid> {
        let mut weights = weights.as_mut().iter_mut();
        weights.try_for_each(|weight| c.f32("weight", weight))
    }
}
