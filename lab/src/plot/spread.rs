//! Labels that would overlap, moved apart.

/// Moves ascending positions to be at least `gap` apart and within `from..=to`, if they fit there,
/// and otherwise as little as is needed.
pub fn spread(positions: &mut [f64], gap: f64, from: f64, to: f64) {
    let mut least = from;
    for position in positions.iter_mut() {
        *position = position.max(least);
        least = *position + gap;
    }
    let mut most = to;
    for position in positions.iter_mut().rev() {
        *position = position.min(most);
        most = *position - gap;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_order_and_a_distance() {
        let mut positions = [1., 2., 3., 50., 99.];
        spread(&mut positions, 10., 0., 95.);
        assert_eq!(positions, [1., 11., 21., 50., 95.]);
    }

    #[test]
    fn labels_at_the_end_move_back() {
        let mut positions = [90., 91., 92.];
        spread(&mut positions, 10., 0., 95.);
        assert_eq!(positions, [75., 85., 95.]);
    }
}
