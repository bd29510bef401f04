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
    #[serde(serialize_with = "crate::json::number")]
    pub min: f64,
    #[serde(serialize_with = "crate::json::number")]
    pub max: f64,
}

impl Summary {
    /// The summary of at least one score.
    pub fn of(scores: &[f64]) -> Summary {
        let mut sorted = scores.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sorted.len();
        Summary {
            estimate: Estimate::of(&sorted),
            median: (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.,
            min: sorted[0],
            max: sorted[n - 1],
        }
    }
}

/// How many scores fall into each of about ten equal ranges.
pub struct Histogram {
    /// Where the first range begins: a multiple of the width.
    pub start: f64,
    /// The width of a range: 1, 2 or 5 times a power of ten.
    pub width: f64,
    pub counts: Vec<u64>,
}

impl Histogram {
    pub fn of(scores: &[f64]) -> Histogram {
        let max = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let min = scores.iter().copied().fold(f64::INFINITY, f64::min);
        // Counts begin at zero.
        let is_whole = scores.iter().all(|score| score.fract() == 0.);
        let min = if is_whole { min.min(0.) } else { min };
        let smallest = if is_whole { 0 } else { -9 };
        let widths =
            (smallest..30).flat_map(|power| [1., 2., 5.].map(|digit| digit * 10f64.powi(power)));
        let ranges = |width: f64| (max / width).floor() - (min / width).floor();
        let mut widths = widths.filter(|&width| ranges(width) < 12.);
        let width = widths.next().unwrap_or(f64::MAX);
        let first = (min / width).floor();
        let mut counts = vec![0; ranges(width) as usize + 1];
        for score in scores {
            counts[((score / width).floor() - first) as usize] += 1;
        }
        Histogram {
            start: first * width,
            width,
            counts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_of_four_scores() {
        let summary = Summary::of(&[7., 1., 2., 2.]);
        assert_eq!((summary.estimate.mean, summary.median), (3., 2.));
        assert_eq!((summary.min, summary.max), (1., 7.));
        // Squared deviations 16 + 4 + 1 + 1, divided by 3 and by 4.
        assert_eq!(summary.estimate.standard_error, Some((22f64 / 12.).sqrt()));
    }

    #[test]
    fn the_median_of_an_odd_number_of_scores_is_one_of_them() {
        assert_eq!(Summary::of(&[9., 1., 4.]).median, 4.);
    }

    #[test]
    fn one_score_has_no_standard_error() {
        assert_eq!(Estimate::of(&[5.]).standard_error, None);
    }

    #[test]
    fn a_histogram_counts_every_score_once() {
        let scores = [0., 999., 1000., 11_999., 11_999.];
        let histogram = Histogram::of(&scores);
        assert_eq!((histogram.start, histogram.width), (0., 1000.));
        assert_eq!(histogram.counts, [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
    }

    #[test]
    fn a_histogram_of_negative_and_broken_scores_counts_them_all_too() {
        for scores in [vec![-16.2, -15.9, -15.95], vec![-3.], vec![576.25; 4]] {
            let histogram = Histogram::of(&scores);
            assert_eq!(histogram.counts.iter().sum::<u64>(), scores.len() as u64);
            assert!(histogram.counts.len() <= 12, "{:?}", histogram.counts);
            assert!(histogram.start <= scores[0]);
        }
    }
}
