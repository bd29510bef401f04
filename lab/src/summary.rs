//! What a list of scores comes to.

use serde::Serialize;

/// A mean and how far it may be off.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Estimate {
    pub mean: f64,
    /// Of the mean. One number has none.
    pub standard_error: Option<f64>,
}

impl Estimate {
    /// From at least one number.
    pub fn of(numbers: &[f64]) -> Estimate {
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        Estimate {
            mean,
            standard_error: (numbers.len() > 1).then(|| (squares / (n - 1.) / n).sqrt()),
        }
    }
}

/// An estimate of the mean, and quantiles.
#[derive(Serialize)]
pub struct Summary {
    #[serde(flatten)]
    pub estimate: Estimate,
    pub median: f64,
    pub min: u64,
    pub max: u64,
}

impl Summary {
    /// The summary of at least one score.
    pub fn of(scores: &[u64]) -> Summary {
        let mut sorted = scores.to_vec();
        sorted.sort_unstable();
        let n = sorted.len();
        let numbers: Vec<f64> = sorted.iter().map(|&score| score as f64).collect();
        Summary {
            estimate: Estimate::of(&numbers),
            median: (sorted[(n - 1) / 2] + sorted[n / 2]) as f64 / 2.,
            min: sorted[0],
            max: sorted[n - 1],
        }
    }
}

/// How many scores fall into each of about ten equal ranges.
pub struct Histogram {
    /// The width of a range: 1, 2 or 5 times a power of ten.
    pub width: u64,
    pub counts: Vec<u64>,
}

impl Histogram {
    pub fn of(scores: &[u64]) -> Histogram {
        let max = scores.iter().copied().max().unwrap_or(0);
        let width = (0..)
            .flat_map(|power| [1, 2, 5].map(|digit| digit * 10u64.saturating_pow(power)))
            .find(|width| max / width < 12)
            .unwrap_or(u64::MAX);
        let mut counts = vec![0; (max / width) as usize + 1];
        for score in scores {
            counts[(score / width) as usize] += 1;
        }
        Histogram { width, counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_of_four_scores() {
        let summary = Summary::of(&[7, 1, 2, 2]);
        assert_eq!((summary.estimate.mean, summary.median), (3., 2.));
        assert_eq!((summary.min, summary.max), (1, 7));
        // Squared deviations 16 + 4 + 1 + 1, divided by 3 and by 4.
        assert_eq!(summary.estimate.standard_error, Some((22f64 / 12.).sqrt()));
    }

    #[test]
    fn the_median_of_an_odd_number_of_scores_is_one_of_them() {
        assert_eq!(Summary::of(&[9, 1, 4]).median, 4.);
    }

    #[test]
    fn one_score_has_no_standard_error() {
        assert_eq!(Estimate::of(&[5.]).standard_error, None);
    }

    #[test]
    fn a_histogram_counts_every_score_once() {
        let scores = [0, 999, 1000, 11_999, 11_999];
        let histogram = Histogram::of(&scores);
        assert_eq!(histogram.width, 1000);
        assert_eq!(histogram.counts, [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
    }
}
