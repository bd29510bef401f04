//! The features: what they can tell about the actions of a state.
//!
//! A policy compares the actions of one state, so that all that matters is how a feature differs among them. What all
//! actions of a state have in common is taken away before anything else is measured.

use super::play::{Player, Purpose, Seeds, visit};
use super::watched::{Panic, Watched, caught};
use ipse::array::Array;
use ipse::environment::{Environment, Feature};
use serde::Serialize;

/// What was measured of all features.
#[derive(Clone, Debug, Serialize)]
pub struct Features {
    /// The number of states that are not terminal.
    pub states: u32,
    /// The number of them with several legal actions.
    pub choices: u32,
    /// The mean number of legal actions.
    pub actions: f64,
    pub features: Vec<Measured>,
}

/// What was measured of a feature.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    pub name: String,
    pub unit: f32,
    pub bound: i16,
    /// The share of choices in which it is not the same for all actions.
    pub varies: f64,
    /// Its standard deviation among the actions of a choice, over all choices, in steps of the integer value.
    pub spread: f64,
    /// The least and the largest value.
    pub range: (i16, i16),
    /// Its correlation with each feature, itself included, among the actions of a choice. 0 if one of them never varies.
    pub correlations: Vec<f64>,
    /// The share of its variance that all other features explain together, from 0 to 1.
    pub explained: f64,
}

/// Measures the features in `count` states, half of them under each of two policies. An episode that ends in a panic counts
/// for as far as it goes; the panic is returned if none goes anywhere.
pub fn measure<E: Environment>(
    task: &E,
    players: [&Player; 2],
    count: usize,
    seeds: Seeds,
) -> Result<Features, Panic> {
    let task = Watched::new(task);
    let mut sums = Sums::new(E::Features::LEN);
    let mut first = None;
    for (index, player) in players.into_iter().enumerate() {
        let end = sums.visited + count.div_ceil(2);
        while sums.visited < end {
            let before = sums.visited;
            let seed = seeds.get(Purpose::Features, (2 * before + index) as u64);
            let look = |state: &E::State, _: &_| sums.add(&task, state);
            if let Err(panic) = caught(|| visit(&task, player, seed, end - before, look)) {
                first.get_or_insert(panic);
                sums.visited = sums.visited.max(before + 1);
            }
        }
    }
    match first {
        Some(panic) if sums.states == 0 => Err(panic),
        _ => Ok(sums.finish::<E>()),
    }
}

/// Sums over states.
struct Sums {
    /// The number of states, terminal ones included.
    visited: usize,
    states: u32,
    choices: u32,
    actions: u64,
    varied: Vec<u32>,
    /// The covariances within a choice, summed over choices, row by row.
    covariances: Vec<Vec<f64>>,
    ranges: Vec<(i16, i16)>,
}

impl Sums {
    fn new(features: usize) -> Self {
        Sums {
            visited: 0,
            states: 0,
            choices: 0,
            actions: 0,
            varied: vec![0; features],
            covariances: vec![vec![0.; features]; features],
            ranges: vec![(i16::MAX, i16::MIN); features],
        }
    }

    fn add<E: Environment>(&mut self, task: &Watched<E>, state: &E::State) {
        let mut rows: Vec<E::Features> = Vec::new();
        task.outcomes(state, |outcome| rows.push(outcome.features));
        self.visited += 1;
        if rows.is_empty() {
            return;
        }
        self.states += 1;
        self.actions += rows.len() as u64;
        for row in &rows {
            for (range, value) in self.ranges.iter_mut().zip(row.as_ref()) {
                *range = (range.0.min(*value), range.1.max(*value));
            }
        }
        if rows.len() > 1 {
            self.choices += 1;
            self.compare(&rows.iter().map(AsRef::as_ref).collect::<Vec<_>>());
        }
    }

    /// Adds the differences among the actions of a choice.
    fn compare(&mut self, rows: &[&[i16]]) {
        let n = rows.len() as f64;
        let features = self.varied.len();
        let mean = |feature: usize| {
            let values = rows.iter().map(|row| f64::from(row[feature]));
            values.sum::<f64>() / n
        };
        let means: Vec<f64> = (0..features).map(mean).collect();
        for i in 0..features {
            self.varied[i] += u32::from(rows.iter().any(|row| row[i] != rows[0][i]));
            for j in 0..features {
                let products = rows
                    .iter()
                    .map(|row| (f64::from(row[i]) - means[i]) * (f64::from(row[j]) - means[j]));
                self.covariances[i][j] += products.sum::<f64>() / n;
            }
        }
    }

    fn finish<E: Environment>(&self) -> Features {
        let choices = f64::from(self.choices.max(1));
        let correlations = self.correlations();
        let explained = explained(&correlations);
        let declared = E::FEATURES;
        let measured = |(index, feature): (usize, &Feature)| Measured {
            name: feature.name.into(),
            unit: feature.unit,
            bound: feature.bound,
            varies: f64::from(self.varied[index]) / choices,
            spread: (self.covariances[index][index] / choices).sqrt(),
            range: self.ranges[index],
            correlations: correlations[index].clone(),
            explained: explained[index],
        };
        Features {
            states: self.states,
            choices: self.choices,
            actions: self.actions as f64 / f64::from(self.states.max(1)),
            features: declared.as_ref().iter().enumerate().map(measured).collect(),
        }
    }

    fn correlations(&self) -> Vec<Vec<f64>> {
        let features = self.covariances.len();
        let correlation = |i: usize, j: usize| {
            let scale = (self.covariances[i][i] * self.covariances[j][j]).sqrt();
            match scale > 0. {
                true => (self.covariances[i][j] / scale).clamp(-1., 1.),
                false => 0.,
            }
        };
        let row = |i| (0..features).map(|j| correlation(i, j)).collect();
        (0..features).map(row).collect()
    }
}

/// The share of the variance of each feature that the others explain: R² = 1 − 1 / (C⁻¹)ᵢᵢ, with C the correlations. A
/// little is added to the diagonal, so that C has an inverse if features are collinear.
fn explained(correlations: &[Vec<f64>]) -> Vec<f64> {
    const LITTLE: f64 = 1e-6;
    let mut matrix = correlations.to_vec();
    for (index, row) in matrix.iter_mut().enumerate() {
        // A feature that never varies is explained by nothing.
        row[index] = 1. + LITTLE;
    }
    let inverse = inverse(matrix);
    let share = |index: usize| (1. - 1. / inverse[index][index]).clamp(0., 1.);
    (0..correlations.len()).map(share).collect()
}

/// The inverse of a positive definite matrix, by elimination without pivots, of which such a matrix needs none.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut inverse: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| f64::from(i == j)).collect())
        .collect();
    for pivot in 0..n {
        let scale = matrix[pivot][pivot];
        for entry in matrix[pivot].iter_mut().chain(&mut inverse[pivot]) {
            *entry /= scale;
        }
        let (row, inverse_row) = (matrix[pivot].clone(), inverse[pivot].clone());
        for other in (0..n).filter(|other| *other != pivot) {
            let factor = matrix[other][pivot];
            for j in 0..n {
                matrix[other][j] -= factor * row[j];
                inverse[other][j] -= factor * inverse_row[j];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_two_others_is_explained_and_a_lone_feature_is_not() {
        let mut sums = Sums::new(4);
        for [a, b, c] in [[1, 2, 3], [0, 5, -1], [4, 1, 1], [-3, 2, 2], [2, 2, -5]] {
            sums.compare(&[&[a, b, a + b, 0], &[b, c, b + c, 0], &[c, -a, c - a, 0]]);
        }
        let correlations = sums.correlations();
        assert!((correlations[0][0] - 1.).abs() < 1e-9);
        assert_eq!(correlations[3], [0.; 4]);
        let explained = explained(&correlations);
        assert!(
            explained[..3].iter().all(|share| *share > 0.9999),
            "{explained:?}"
        );
        assert!(explained[3] < 0.01, "{explained:?}");
    }

    #[test]
    fn what_all_actions_have_in_common_does_not_count() {
        let mut sums = Sums::new(2);
        sums.compare(&[&[7, 1], &[7, 3]]);
        sums.compare(&[&[-9, 4], &[-9, 4]]);
        assert_eq!(sums.varied, [0, 1]);
        assert_eq!(sums.covariances, [[0., 0.], [0., 1.]]);
    }
}
