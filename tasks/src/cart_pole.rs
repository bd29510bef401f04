//! A pole that is balanced on a cart: the classic of control, in fixed point.
//!
//! This is the physics of CartPole-v1 of Gymnasium (after Barto, Sutton and Anderson, 1983), computed with integers, so
//! that it is the same to the bit on every machine.
//!
//! # The task
//! A cart on a track is pushed left or right, with 10 N, every 20 ms. A pole stands on it, and falls if nobody does
//! anything about it. Every push brings a reward of 1. It is over when the pole leans by more than 12°, when the cart
//! is more than 2.4 m from the middle, or after 500 pushes.
//!
//! # The features, as arguments
//! "The pole leans to the right" speaks for a push in one state and against it in another. What speaks against a push
//! in *every* state is where it leads to. So the features look ahead, at the state after the push:
//!
//! | feature | for or against | the argument |
//! |---|---|---|
//! | position ahead | − | where the cart will be in a second, if nobody stops it: far from the middle |
//! | angle ahead | − | where the pole will be in a quarter of a second: far from upright |
//! | spin | − | a pole that turns fast is hard to catch |
//! | speed | − | a cart that is fast is hard to stop |
//!
//! All are absolute values. A second and a quarter of a second are about the times that a cart and a pole need.
//!
//! # Learning it
//! ```
//! use ipse::prelude::*;
//! use ipse_tasks::CartPole;
//!
//! let mut rng = XorShiftRng::seed_from_u64(1);
//! let mut agent = Agent::new(CartPole, Ipse::new().check()?, &mut rng);
//! while agent.progress().calls < 5_000 {
//!     agent.step(&mut rng);
//! }
//! let policy = agent.policy();
//! let mut state = CartPole.reset(&mut rng);
//! while let Some(action) = policy.choose(&CartPole, &state, &mut rng) {
//!     (state, _) = CartPole.step(&state, action, &mut rng);
//! }
//! assert_eq!(state.pushes, 500);
//! # Ok::<(), Invalid>(())
//! ```
//!
//! # Arithmetic
//! The state is in steps of 2⁻²⁴ (of a metre, a radian, or either per second), accelerations are in steps of 2⁻²⁸.
//! Every product is rounded to the nearest step, and halves away from zero, so that a mirrored state has the mirrored
//! future, exactly. In one push a coordinate differs from what Gymnasium computes in floating point by less than 2⁻²⁴.
//! Over many pushes the difference grows, as any does, by up to 8 % a push: a pole on a cart is unstable, and even two
//! runs in double precision part within 500 pushes unless a policy holds them together.

pub mod baselines;

use ipse::prelude::*;

/// One metre, one radian, one metre a second, one radian a second.
pub const ONE: i32 = 1 << FRACTION;
const FRACTION: u32 = 24;
/// The distance from the middle beyond which the cart is off the track: 2.4 m.
pub const TRACK: i32 = (24 * ONE as i64 / 10) as i32;
/// The angle beyond which the pole has fallen: 12°, in radians, rounded down.
pub const FALLEN: i32 = 3_513_811;
/// The number of pushes after which the episode is over.
pub const PUSHES: u16 = 500;
/// Every coordinate of a first state is at most 0.05.
const START: i32 = ONE / 20;

// Bounds of a state. Until it is over, accelerations are at most 10.6 m/s² and 18.9 rad/s² (by the formulas below, at 12°),
// and there are 4.8 m and 24° to accelerate along, so that from a start nearly at rest v² ≤ 2 · 10.6 · 4.8 and
// ω² ≤ 2 · 18.9 · 0.42: speeds stay below 10.2 m/s and 4 rad/s. The bounds are wider than that, and they hold whatever
// state is given: what is beyond them is cut off.

/// The largest speed, 16 m/s.
const FASTEST: i32 = 16 * ONE;
/// The largest angular speed, 8 rad/s.
const SPIN: i32 = 8 * ONE;
/// The farthest that a cart gets: in the last push, it moves by 20 ms at the largest speed.
const FARTHEST: i32 = TRACK + FASTEST / 50 + 1;
/// The same for the pole.
const LOWEST: i32 = FALLEN + SPIN / 50 + 1;

/// A state: 20 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// The position of the cart, right of the middle, in steps of 2⁻²⁴ m.
    pub position: i32,
    /// Its speed to the right, in steps of 2⁻²⁴ m/s.
    pub speed: i32,
    /// The angle of the pole to the right, in steps of 2⁻²⁴ rad.
    pub angle: i32,
    /// Its angular speed, in steps of 2⁻²⁴ rad/s.
    pub spin: i32,
    /// The number of pushes so far.
    pub pushes: u16,
}

impl Balance {
    /// Returns whether the episode is over.
    pub const fn is_over(&self) -> bool {
        self.position.unsigned_abs() > TRACK as u32
            || self.angle.unsigned_abs() > FALLEN as u32
            || self.pushes >= PUSHES
    }

    /// The state after a push, 20 ms later. Positions advance with the old speeds, as in Gymnasium.
    #[must_use]
    pub fn pushed(&self, push: Push) -> Self {
        let (acceleration, angular) = self.accelerations(push);
        let advanced = |from: i32, rate: i64, bound: i32| {
            let to = i64::from(from) + rounded(rate, 50 * PER_STEP);
            to.clamp(-i64::from(bound), bound.into()) as i32
        };
        Balance {
            position: advanced(self.position, fine(self.speed), FARTHEST),
            speed: advanced(self.speed, acceleration, FASTEST),
            angle: advanced(self.angle, fine(self.spin), LOWEST),
            spin: advanced(self.spin, angular, SPIN),
            pushes: self.pushes.saturating_add(1),
        }
    }

    /// The accelerations of the cart and of the pole, in steps of 2⁻²⁸.
    ///
    /// With the force F, the masses 1.0 kg and 0.1 kg, and half the length of the pole, 0.5 m, in SI units:
    ///
    /// a₀ = (F + 0.05 ω² sin θ) / 1.1,
    /// α = (9.8 sin θ − a₀ cos θ) / (0.5 (4/3 − 0.1 cos² θ / 1.1)),
    /// a = a₀ − 0.05 α cos θ / 1.1.
    ///
    /// At |θ| ≤ 22° and |ω| ≤ 8, |a₀| ≤ 10.2, |α| ≤ 22 and |a| ≤ 11.2. The largest product is ω², with 2⁶² steps of 2⁻⁵⁶.
    fn accelerations(&self, push: Push) -> (i64, i64) {
        let (sine, cosine) = sine_and_cosine(fine(self.angle.clamp(-LOWEST, LOWEST)));
        let spin = fine(self.spin.clamp(-SPIN, SPIN));
        let force = match push {
            Push::Left => -10 * FINE,
            Push::Right => 10 * FINE,
        };
        let centrifugal = rounded(times(times(spin, spin), sine), 20);
        let lone = rounded(10 * (force + centrifugal), 11);
        let torque = rounded(98 * sine, 10) - times(lone, cosine);
        // 0.5 (4/3 − cos² / 11) = (44 − 3 cos²) / 66, and at least 0.62.
        let inertia = rounded(44 * FINE - 3 * times(cosine, cosine), 66);
        let angular = rounded(torque * FINE, inertia);
        // 0.05 / 1.1 = 1 / 22.
        let acceleration = lone - rounded(times(angular, cosine), 22);
        (acceleration, angular)
    }

    /// The same, with left and right exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Balance {
            position: -self.position,
            speed: -self.speed,
            angle: -self.angle,
            spin: -self.spin,
            ..self
        }
    }
}

/// One as a number of steps of accelerations.
const FINE: i64 = 1 << 28;
/// The number of those in one of the state.
const PER_STEP: i64 = FINE >> FRACTION;

fn fine(coarse: i32) -> i64 {
    i64::from(coarse) * PER_STEP
}

fn times(one: i64, other: i64) -> i64 {
    rounded(one * other, FINE)
}

/// The nearest integer to a quotient, halves away from zero.
fn rounded(number: i64, divisor: i64) -> i64 {
    (number + number.signum() * (divisor / 2)) / divisor
}

/// The sine and cosine of an angle, by their series: x − x³/6 + x⁵/120 − x⁷/5040 and 1 − x²/2 + x⁴/24 − x⁶/720.
///
/// The terms that are left out alternate and fall, so that the first of them bounds the error. Up to 22°, that is
/// 0.38⁹/9! < 2⁻³⁰ and 0.38⁸/8! < 2⁻²⁶ (2⁻³³ up to 12°); each of the four roundings adds at most 2⁻²⁹.
fn sine_and_cosine(angle: i64) -> (i64, i64) {
    let square = times(angle, angle);
    // From the inside out: x (1 − x²/6 (1 − x²/20 (1 − x²/42))).
    let nested = |divisors: [i64; 3]| {
        divisors.iter().rev().fold(FINE, |inner, divisor| {
            FINE - rounded(times(square, inner), *divisor)
        })
    };
    (times(angle, nested([6, 20, 42])), nested([2, 12, 30]))
}

/// An action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Push {
    /// 10 N to the left: action 0.
    Left,
    /// 10 N to the right: action 1.
    Right,
}

impl Push {
    /// Both, in the order of their numbers.
    pub const ALL: [Self; 2] = [Push::Left, Push::Right];

    /// The number of the action.
    pub const fn action(self) -> Action {
        self as Action
    }

    /// The push with this number, if there is one.
    pub const fn of(action: Action) -> Option<Self> {
        match action {
            0 => Some(Push::Left),
            1 => Some(Push::Right),
            _ => None,
        }
    }
}

/// The task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CartPole;

/// The steps of a feature are 1/1024 of a metre (or a metre a second) and 1/4096 of a radian (or a radian a second).
const METRES: i32 = 1 << 10;
const RADIANS: i32 = 1 << 12;

/// The worth of a step, by how hard it is to undo: one is half the track, or the way from upright to fallen, in a
/// second, by the acceleration of a second. The pole gets to its angle ahead in a quarter of that time, which takes
/// sixteen times the acceleration to undo, and its spin four times.
const HALF_TRACK: f32 = 1.0 / (2.4 * METRES as f32);
const TILT: f32 = 1.0 / (0.2094 * RADIANS as f32);

/// The largest value of a state, in pushes.
const ROOM: u32 = 50;

impl Environment for CartPole {
    type State = Balance;
    type Features = [i16; 4];
    type Actions = [Action; 2];

    const NAME: &'static str = "cart-pole";

    /// The bounds are sums of those of a state: 2.8 m + 16 m/s · 1 s, 0.38 rad + 8 rad/s · ¼ s, 8 rad/s, 16 m/s. The
    /// units make them accelerations.
    const FEATURES: PerFeature<Self, Feature> = [
        Feature::new("position ahead", 19 * METRES as i16).unit(HALF_TRACK),
        Feature::new("angle ahead", 5 * RADIANS as i16 / 2).unit(16.0 * TILT),
        Feature::new("spin", (8 * RADIANS - 1) as i16).unit(4.0 * TILT),
        Feature::new("speed", 16 * METRES as i16).unit(HALF_TRACK),
    ];

    /// Every coordinate is uniform in ±0.05.
    fn reset<R: Rng + ?Sized>(&self, rng: &mut R) -> Balance {
        let width = 2 * START as u64 + 1;
        let mut draw = || ((u64::from(rng.next_u32()) * width) >> 32) as i32 - START;
        Balance {
            position: draw(),
            speed: draw(),
            angle: draw(),
            spin: draw(),
            pushes: 0,
        }
    }

    fn outcomes(&self, balance: &Balance, mut visit: impl FnMut(Outcome<Self::Features>)) {
        if balance.is_over() {
            return;
        }
        for push in Push::ALL {
            let next = balance.pushed(push);
            let metres = |value: i32| (value.unsigned_abs() >> 14) as i16;
            let radians = |value: i32| (value.unsigned_abs() >> 12).min(i16::MAX as u32) as i16;
            visit(Outcome {
                action: push.action(),
                promise: 1,
                features: [
                    metres(next.position + next.speed),
                    radians(next.angle + next.spin / 4),
                    radians(next.spin),
                    metres(next.speed),
                ],
            });
        }
    }

    /// There is no chance in it. Without a legal action nothing happens.
    fn step<R: Rng + ?Sized>(
        &self,
        balance: &Balance,
        action: Action,
        _: &mut R,
    ) -> (Balance, i16) {
        match Push::of(action) {
            Some(push) if !balance.is_over() => (balance.pushed(push), 1),
            _ => (*balance, 0),
        }
    }

    /// A rollout of ten pushes is a fifth of a second, and few poles fall in that time. What tells good pushes from bad ones
    /// earlier is the room that is left: 50 pushes, a second, for a pole upright in the middle of the track, and less
    /// in proportion to the nearer end.
    fn value(&self, balance: &Balance) -> i16 {
        if balance.is_over() {
            return 0;
        }
        let cart = balance.position.unsigned_abs() / (TRACK as u32 / ROOM);
        let pole = balance.angle.unsigned_abs() / (FALLEN as u32 / ROOM);
        ROOM.saturating_sub(cart.max(pole)) as i16
    }

    fn describe(
        &self,
        _: &Balance,
        action: Action,
        out: &mut impl core::fmt::Write,
    ) -> core::fmt::Result {
        out.write_str(match Push::of(action) {
            Some(Push::Left) => "push left",
            Some(Push::Right) => "push right",
            None => "nothing",
        })
    }

    /// The track with its ends below it, the cart, and the pole, which leans three times as far as it does.
    const PICTURE: (u16, u16) = (64, 32);

    fn draw(&self, balance: &Balance, canvas: &mut impl Canvas) {
        let position = balance.position.clamp(-TRACK, TRACK);
        let angle = balance.angle.clamp(-FALLEN, FALLEN);
        // 16 pixels are 2.4 m, and leave room for a pole that leans out.
        let cart = (32 + position / (TRACK / 16)) as u16;
        canvas.fill(0, 30, 64, 1);
        canvas.fill(15, 31, 1, 1);
        canvas.fill(49, 31, 1, 1);
        canvas.fill(cart - 4, 26, 9, 4);
        for height in 0..24 {
            // 12° are 0.21 rad, and 0.63 of the height.
            let aside = height * (angle / 1024) / (FALLEN / 1024) * 5 / 8;
            canvas.fill((i32::from(cart) + aside) as u16, 25 - height as u16, 1, 1);
        }
    }
}

/// A number of so many bits, with a sign.
fn code(
    codec: &mut impl Codec,
    field: &'static str,
    value: &mut i32,
    bits: u32,
    bound: i32,
) -> Result<(), Invalid> {
    if !codec.is_reading() {
        Invalid::outside_signed(field, *value, -bound, bound)?;
    }
    let coded = codec.bits(value.cast_unsigned(), bits)?;
    let unused = u32::BITS - bits;
    *value = (coded << unused).cast_signed() >> unused;
    Invalid::outside_signed(field, *value, -bound, bound)
}

impl Resumable for CartPole {
    /// The bits of the fields: 2.8 m, 16 m/s, 0.38 rad and 8 rad/s in steps of 2⁻²⁴, with a sign, and 500 pushes.
    const STATE_BITS: usize = 27 + 30 + 24 + 29 + 9;

    fn identify(&self, codec: &mut impl Codec) {
        codec.text(Self::NAME);
    }

    fn code_state(&self, balance: &mut Balance, codec: &mut impl Codec) -> Result<(), Invalid> {
        code(codec, "position", &mut balance.position, 27, FARTHEST)?;
        code(codec, "speed", &mut balance.speed, 30, FASTEST)?;
        code(codec, "angle", &mut balance.angle, 24, LOWEST)?;
        code(codec, "spin", &mut balance.spin, 29, SPIN)?;
        codec.u16("pushes", &mut balance.pushes, 0..=PUSHES)
    }
}
