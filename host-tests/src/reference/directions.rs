//! What a choice says about the direction of each feature: Δ of the paper's Algorithm 1.

/// sign(Σ_{a ≠ ã} sign(φᵢ(ã) − φᵢ(a))) for every feature i.
pub fn delta<const P: usize>(actions: &[[i16; P]], chosen: usize) -> [i32; P] {
    std::array::from_fn(|i| {
        let mut sum = 0;
        for a in 0..actions.len() {
            if a != chosen {
                let difference = i32::from(actions[chosen][i]) - i32::from(actions[a][i]);
                sum += difference.signum();
            }
        }
        sum.signum()
    })
}

/// Whether action `one` dominates `other`: in none of the directions is it worse, and in at least one
/// it is better. Directions are −1, 0 and 1.
pub fn dominates<const P: usize>(directions: [i8; P], one: [i16; P], other: [i16; P]) -> bool {
    let advantage = |i: usize| i32::from(directions[i]) * (i32::from(one[i]) - i32::from(other[i]));
    (0..P).all(|i| advantage(i) >= 0) && (0..P).any(|i| advantage(i) > 0)
}
