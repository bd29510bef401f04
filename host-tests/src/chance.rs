//! Whether counts could be those of a fair source.

/// The value that χ² exceeds once in a thousand, after Wilson and Hilferty.
fn limit(degrees_of_freedom: usize) -> f64 {
    let spread = 2. / (9. * degrees_of_freedom as f64);
    degrees_of_freedom as f64 * (1. - spread + 3.09 * spread.sqrt()).powi(3)
}

/// Checks that what was counted is as likely each. A fair source fails once in a thousand times.
///
/// # Panics
/// If it is not.
pub fn assert_uniform(counts: &[u32]) {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    let chi_squared: f64 = counts
        .iter()
        .map(|&count| (f64::from(count) - expected).powi(2) / expected)
        .sum();
    let limit = limit(counts.len() - 1);
    assert!(
        chi_squared < limit,
        "χ² = {chi_squared:.1} is above {limit:.1} for {counts:?}"
    );
}
