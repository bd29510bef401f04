//! The search for a policy: CMA-ES over the weights.

use cmaes::{CMAESOptions, DVector};

/// How long and how widely weights are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// λ, the weights tried in each generation, for each weight.
    pub population: usize,
    /// The number of generations, unless the search has converged before.
    pub generations: u32,
    /// σ, the spread of the first generation around weights of length 1.
    pub spread: f64,
    /// Whether every search starts from nowhere instead of the last policy. Then the first
    /// generation has weights in all directions alike.
    pub afresh: bool,
}

impl Default for Search {
    fn default() -> Self {
        Search {
            population: 15,
            generations: 100,
            spread: 0.5,
            afresh: false,
        }
    }
}

impl Search {
    /// The weights, of length 1, that lose least of all tried. `last` is 0, or of length 1 too.
    pub fn run<const F: usize>(
        &self,
        last: &[f32; F],
        loss: impl Fn(&[f32; F]) -> f64,
        seed: u64,
    ) -> [f32; F] {
        let start = match self.afresh {
            true => [0.; F],
            false => last.map(f64::from),
        };
        let mut search = CMAESOptions::new(start.to_vec(), self.spread)
            .population_size(self.population * F)
            .max_generations(self.generations as usize)
            .seed(seed)
            .build(|beta: &DVector<f64>| loss(&std::array::from_fn(|i| beta[i] as f32)))
            .expect("there are weights, a population and a spread");
        let best = search.run().overall_best.expect("no loss is NaN");
        let best = best.point.normalize();
        std::array::from_fn(|i| best[i] as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::tetris::FEATURES;

    const TARGET: [f32; FEATURES] = [-0.4, 0.1, -0.3, -0.5, -0.3, 0., -0.1, 0.6];

    fn dot(a: &[f32; FEATURES], b: &[f32; FEATURES]) -> f64 {
        let products = a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b));
        products.sum()
    }

    /// The same for all lengths of `beta`.
    fn cosine(beta: &[f32; FEATURES]) -> f64 {
        dot(beta, &TARGET) / (dot(beta, beta) * dot(&TARGET, &TARGET)).sqrt()
    }

    #[test]
    fn the_direction_of_least_loss_is_found_from_anywhere() {
        let search = Search {
            generations: 100,
            ..Search::default()
        };
        for start in [[0.; FEATURES], [1.; FEATURES], TARGET.map(|t| -t)] {
            let found = search.run(&start, |beta| -cosine(beta), 1);
            assert!(cosine(&found) > 0.9999, "{found:?}");
        }
    }

    #[test]
    fn a_valley_a_hundred_times_as_long_as_wide_is_no_obstacle() {
        let search = Search {
            generations: 150,
            ..Search::default()
        };
        let valley = |beta: &[f32; FEATURES]| {
            let squares = beta.iter().zip(TARGET).enumerate();
            squares
                .map(|(i, (b, t))| 10f64.powf(i as f64 * 4. / 7.) * f64::from(b - t).powi(2))
                .sum()
        };
        let found = search.run(&[0.; FEATURES], valley, 1);
        assert!(cosine(&found) > 0.9999, "{found:?}");
    }

    #[test]
    fn a_search_afresh_does_not_depend_on_the_last_policy() {
        let found = |afresh, last: [f32; FEATURES]| {
            let generations = 5;
            let search = Search {
                generations,
                afresh,
                ..Search::default()
            };
            search.run(&last, |beta| -cosine(beta), 1)
        };
        assert_eq!(found(true, TARGET), found(true, [1.; FEATURES]));
        assert_ne!(found(false, TARGET), found(false, [1.; FEATURES]));
    }

    #[test]
    fn weights_that_cannot_be_told_apart_do_no_harm() {
        let found = Search::default().run(&[0.; FEATURES], |_| 1., 1);
        let length: f32 = found.iter().map(|b| b * b).sum();
        assert!((length - 1.).abs() < 1e-5);
    }
}
