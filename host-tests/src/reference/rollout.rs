//! Algorithm 2 of the paper, line by line.

/// The estimated value of taking `action` in `state` and following `policy` from there: the mean over
/// `count` rollouts of `length` actions each.
///
/// The policy has no action to give in a terminal state. That ends a rollout. One that is not ended goes on to a
/// state that is worth what `value` says; in the paper, nothing.
pub fn rollout<S: Copy, A: Copy>(
    state: S,
    action: A,
    (count, length, discount): (u16, u16, f64),
    mut model: impl FnMut(S, A) -> (S, f64),
    mut policy: impl FnMut(S) -> Option<A>,
    value: impl Fn(S) -> f64,
) -> f64 {
    let mut total = 0.;
    for _ in 0..count {
        let (mut s, mut u) = model(state, action);
        let mut is_over = false;
        for t in 1..length {
            let Some(a) = policy(s) else {
                is_over = true;
                break;
            };
            let (next, r) = model(s, a);
            u += discount.powi(t.into()) * r;
            s = next;
        }
        if !is_over {
            u += discount.powi(length.into()) * value(s);
        }
        total += u;
    }
    total / f64::from(count)
}
