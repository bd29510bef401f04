//! How sure one can be of a mean, and of a difference between two.

use crate::summary::Estimate;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// How much larger numbers of one kind are than those of another, on average.
#[derive(Clone, Copy, Debug)]
pub struct Difference {
    pub mean: f64,
    pub standard_error: f64,
    /// Half the width of the 95 % interval.
    pub margin: f64,
    /// Of the two-sided t test that there is none.
    pub p: f64,
    pub paired: bool,
}

impl Difference {
    /// From at least two pairs, by what is in each.
    pub fn paired(pairs: &[(f64, f64)]) -> Option<Difference> {
        if pairs.len() < 2 {
            return None;
        }
        let differences: Vec<f64> = pairs.iter().map(|(one, other)| one - other).collect();
        let freedom = pairs.len() as f64 - 1.;
        Self::new(Estimate::of(&differences), freedom, true)
    }

    /// From at least two numbers of each kind, by Welch's test.
    pub fn unpaired(one: &[f64], other: &[f64]) -> Option<Difference> {
        if one.len().min(other.len()) < 2 {
            return None;
        }
        let (estimate, freedom) = welch(one, other);
        Self::new(estimate, freedom, false)
    }

    fn new(estimate: Estimate, freedom: f64, paired: bool) -> Option<Difference> {
        let standard_error = estimate.standard_error?;
        let t = StudentsT::new(0., 1., freedom).ok()?;
        let p = match standard_error > 0. {
            true => 2. * t.cdf(-(estimate.mean / standard_error).abs()),
            // All pairs differ by the same.
            false => f64::from(estimate.mean == 0.),
        };
        Some(Difference {
            mean: estimate.mean,
            standard_error,
            margin: t.inverse_cdf(0.975) * standard_error,
            p,
            paired,
        })
    }
}

/// The difference of means, and its degrees of freedom.
fn welch(one: &[f64], other: &[f64]) -> (Estimate, f64) {
    let [a, b] = [one, other].map(Estimate::of);
    let variance = |estimate: &Estimate| estimate.standard_error.unwrap_or(0.).powi(2);
    let (va, vb) = (variance(&a), variance(&b));
    let share = |variance: f64, n: usize| variance * variance / (n as f64 - 1.);
    let freedom = match va + vb > 0. {
        true => (va + vb).powi(2) / (share(va, one.len()) + share(vb, other.len())),
        false => (one.len() + other.len() - 2) as f64,
    };
    let estimate = Estimate {
        mean: a.mean - b.mean,
        standard_error: Some((va + vb).sqrt()),
    };
    (estimate, freedom)
}

/// Half the width of the 95 % interval of a mean of so many numbers; nothing if there is one only.
pub fn margin(estimate: &Estimate, count: usize) -> Option<f64> {
    let t = StudentsT::new(0., 1., count as f64 - 1.).ok()?;
    Some(t.inverse_cdf(0.975) * estimate.standard_error?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-4
    }

    #[test]
    fn pairs_are_compared_one_by_one() {
        // Differences 1, 2, 3, 2: t = 2 / (0.8165 / 2) = 4.899 with 3 degrees of freedom.
        let it = Difference::paired(&[(5., 4.), (7., 5.), (9., 6.), (3., 1.)]).unwrap();
        assert!(it.paired);
        assert!(near(it.mean, 2.) && near(it.standard_error, 0.408_248));
        assert!(near(it.p, 0.016_28), "{}", it.p);
        assert!(near(it.margin, 3.182_45 * 0.408_248), "{}", it.margin);
    }

    #[test]
    fn what_is_not_paired_is_compared_by_welchs_test() {
        // Means 3 and 11, variances 2.5/5 and 4/3, so t = −8 / 1.3540 with 3.59 degrees of freedom.
        let it = Difference::unpaired(&[1., 2., 3., 4., 5.], &[9., 11., 13.]).unwrap();
        assert!(!it.paired);
        assert!(near(it.mean, -8.) && near(it.standard_error, (0.5f64 + 4. / 3.).sqrt()));
        assert!(0.005 < it.p && it.p < 0.01, "{}", it.p);
    }

    #[test]
    fn equal_numbers_do_not_differ() {
        let it = Difference::paired(&[(1., 1.), (2., 2.)]).unwrap();
        assert_eq!((it.mean, it.p), (0., 1.));
    }
}
