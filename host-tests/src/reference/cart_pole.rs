//! CartPole-v1 of Gymnasium, line by line, in double precision.

/// Position, speed, angle and angular speed.
pub type State = [f64; 4];

/// One step of 20 ms with a force to the right, or else to the left.
pub fn step([x, x_dot, theta, theta_dot]: State, is_right: bool) -> State {
    let (gravity, masscart, masspole, length) = (9.8, 1.0, 0.1, 0.5);
    let total_mass = masspole + masscart;
    let polemass_length = masspole * length;
    let force = if is_right { 10.0 } else { -10.0 };
    let tau = 0.02;
    let (costheta, sintheta) = (theta.cos(), theta.sin());
    let temp = (force + polemass_length * theta_dot.powi(2) * sintheta) / total_mass;
    let thetaacc = (gravity * sintheta - costheta * temp)
        / (length * (4.0 / 3.0 - masspole * costheta.powi(2) / total_mass));
    let xacc = temp - polemass_length * thetaacc * costheta / total_mass;
    [
        x + tau * x_dot,
        x_dot + tau * xacc,
        theta + tau * theta_dot,
        theta_dot + tau * thetaacc,
    ]
}

/// Returns whether the cart is off the track, or the pole has fallen.
pub fn is_over([x, _, theta, _]: State) -> bool {
    let limit = 12.0 * 2.0 * std::f64::consts::PI / 360.0;
    x.abs() > 2.4 || theta.abs() > limit
}

/// The features of a push, in metres, radians, and those per second: what they are of the next state.
pub fn features(state: State, is_right: bool) -> [f64; 4] {
    let [x, x_dot, theta, theta_dot] = step(state, is_right);
    [x + x_dot, theta + theta_dot / 4.0, theta_dot, x_dot].map(f64::abs)
}
