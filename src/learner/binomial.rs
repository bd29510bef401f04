//! The exact two-sided binomial test with probability one half: is a coin with so many heads and so
//! many tails fair?
//!
//! The p-value is twice the probability of at least as many of the more frequent side. The terms of
//! that sum are found from the central one, which has a closed form, by their ratios. Everything is
//! positive, so no digit is lost to cancellation, and terms that underflow do not matter.

/// The p-value of `pro` against `con`.
pub fn p_value(pro: u32, con: u32) -> f32 {
    let n = u64::from(pro).saturating_add(con.into());
    let k = u64::from(pro.max(con));
    let centre = n.div_ceil(2);
    // Hoeffding: the p-value is below 2·exp(−d²/2n), with d the difference. After years of votes this
    // saves a walk over hundreds of thousands of terms to one that is negligible.
    let d = u64::from(pro.abs_diff(con));
    if d.saturating_mul(d) > n.saturating_mul(144) {
        return 0.0;
    }

    // C(n, j) / 2ⁿ for j from the centre to k, and then on to n.
    let ratio = |j: u64| n.saturating_sub(j) as f32 / j.saturating_add(1) as f32;
    let mut term = central(centre);
    for j in centre..k {
        term *= ratio(j);
        if term < NEGLIGIBLE {
            return 0.0;
        }
    }
    let mut tail = term;
    for j in k..n {
        term *= ratio(j);
        tail += term;
        if term < tail * f32::EPSILON / 4.0 {
            break;
        }
    }
    (2.0 * tail).min(1.0)
}

/// No significance level is near this.
const NEGLIGIBLE: f32 = 1e-30;

/// C(2m, m) / 4ᵐ, which is also C(2m − 1, m) / 2²ᵐ⁻¹: the largest term for n = 2m and n = 2m − 1.
fn central(m: u64) -> f32 {
    if m < 16 {
        (1..=m)
            .map(|i| i as f32)
            .fold(1.0, |term, i| term * (i - 0.5) / i)
    } else {
        // Stirling's series; what is left out is below 2⁻²⁵.
        let x = 1.0 / m as f32;
        let series = 1.0 - x * (1.0 / 8.0 - x * (1.0 / 128.0 + x * (5.0 / 1024.0)));
        libm::sqrtf(x * core::f32::consts::FRAC_1_PI) * series
    }
}
