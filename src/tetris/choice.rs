//! The best placement by a score, without the features of all.
//!
//! A placement is shown in two parts (see [`Visitor`]). After the first, its score can be bounded from above; if
//! even the bound is below the best score so far, the rest is not computed. Such a placement would have drawn no
//! random number, so that choices and random numbers are those of [`Environment::best`]'s own loop.
//!
//! # The bound
//!
//! For a placement that completes no row, with a piece of height h on a board of H rows:
//! - Landing height, column transitions, holes and hole depth are known after the first part, and nothing is eroded.
//! - In each of its h rows the piece is one run of cells. A run between two empty cells adds two row transitions; each
//!   of its two neighbours that is full takes two away. So row transitions change by at most 2h, either way.
//! - Wells outside the piece's columns and their two neighbours stay what they are. In the others, at most six columns,
//!   no two cells side by side are wells: at most three in a row, and a well in the r-th row from the floor counts for
//!   no more than r. So they come to between 0 and 3 · H(H + 1)/2.
//! - No hole vanishes: rows with holes are from what they were up to H more.
//!
//! So wᵢφᵢ ≤ wᵢ · (what is known of φᵢ) + (the most that the rest adds), whatever the sign of wᵢ. All sums stay within
//! 32 bits if no weight exceeds [`Choice::SAFE`], which holds for every [`Policy`](crate::policy::Policy) of this task.
//! With larger weights nothing is left out.

use super::column::Profile;
use super::piece::Shape;
use super::placement::{Placement, Sketch, Visitor};
use super::{Column, Eight, Tetris};
use crate::array::Array;
use crate::best::{Best, score};
use crate::environment::{Action, Environment};
use core::marker::PhantomData;
use rand_core::Rng;

/// The choice of a placement.
pub(super) struct Choice<'a, R: ?Sized, const W: usize, const H: usize, C> {
    weights: &'a <Eight as Array>::Of<i32>,
    reward_first: bool,
    /// Whether no sum can overflow.
    is_safe: bool,
    /// The most that row transitions and rows with holes, and wells beyond those that are known, add to a score, but
    /// for the height of the piece; and with it.
    beyond: i32,
    limit: i32,
    /// A placement that completes no row and has a lower score than this has no chance.
    least: i32,
    best: Best<(i16, i32), Action>,
    rng: &'a mut R,
    columns: PhantomData<C>,
}

impl<'a, R: Rng + ?Sized, const W: usize, const H: usize, C: Column> Choice<'a, R, W, H, C> {
    /// The most wells in the columns of a piece and their neighbours.
    const WELLS: i32 = 3 * (H * (H + 1) / 2) as i32;

    /// The largest weight with which no sum overflows: the bounds of all features, and the most that may be added.
    const SAFE: u32 = {
        let features = Tetris::<W, H, C>::FEATURES;
        let mut bounds = 2 * 4 + H as u32 + Self::WELLS as u32;
        let mut i = 0;
        while i < features.len() {
            bounds += features[i].bound as u32;
            i += 1;
        }
        i32::MAX as u32 / bounds
    };

    pub fn new(weights: &'a <Eight as Array>::Of<i32>, reward_first: bool, rng: &'a mut R) -> Self {
        Choice {
            weights,
            reward_first,
            is_safe: weights
                .iter()
                .all(|weight| weight.unsigned_abs() <= Self::SAFE),
            beyond: 0,
            limit: 0,
            least: i32::MIN,
            best: Best::new(),
            rng,
            columns: PhantomData,
        }
    }

    pub fn action(&self) -> Option<Action> {
        self.best.choice()
    }

    /// Out of line, since few placements come so far.
    #[inline(never)]
    fn offer(&mut self, promise: i16, score: i32, action: Action) {
        self.best.offer((promise, score), action, self.rng);
        self.least = match self.best.key() {
            Some((0, score)) if self.is_safe => score,
            Some((1.., _)) if self.is_safe => i32::MAX,
            _ => i32::MIN,
        };
    }
}

impl<R: Rng + ?Sized, const W: usize, const H: usize, C: Column> Visitor<()>
    for Choice<'_, R, W, H, C>
{
    /// The score by what is known.
    type Part = i32;

    fn survey(&mut self, seams: u32, rows_with_holes: u32) {
        let [_, _, row_transitions, _, _, wells, _, rows] = *self.weights;
        self.beyond = row_transitions
            .wrapping_mul((seams & 0xffff) as i32)
            .wrapping_add(rows.wrapping_mul(rows_with_holes as i32))
            .wrapping_add(rows.max(0).wrapping_mul(H as i32))
            .wrapping_add(wells.max(0).wrapping_mul(Self::WELLS));
    }

    #[inline(always)]
    fn turn(&mut self, shape: &Shape) {
        let row_transitions = self.weights[2].wrapping_abs();
        self.limit = self
            .beyond
            .wrapping_add(row_transitions.wrapping_mul(2 * shape.height as i32));
    }

    #[inline(always)]
    fn begin(&self, landing: u32, profile: Profile, kept: u32) -> Option<i32> {
        let [height, _, _, transitions, holes, wells, depth, _] = *self.weights;
        let part = height
            .wrapping_mul(landing as i32)
            .wrapping_add(transitions.wrapping_mul(profile.transitions().into()))
            .wrapping_add(holes.wrapping_mul(profile.holes().into()))
            .wrapping_add(depth.wrapping_mul(profile.hole_depth().into()));
        let most = part
            .wrapping_add(self.limit)
            .wrapping_add(wells.wrapping_mul((kept >> 16) as i32));
        (most >= self.least).then_some(part)
    }

    #[inline(always)]
    fn end(&mut self, part: i32, placement: &Placement) {
        let &Placement {
            action,
            seams,
            rows_with_holes,
            ..
        } = placement;
        let [_, _, row_transitions, _, _, wells, _, rows] = *self.weights;
        let score = part
            .wrapping_add(row_transitions.wrapping_mul((seams & 0xffff) as i32))
            .wrapping_add(wells.wrapping_mul((seams >> 16) as i32))
            .wrapping_add(rows.wrapping_mul(rows_with_holes as i32));
        if score >= self.least {
            self.offer(0, score, action as Action);
        }
    }

    fn completed(&mut self, sketch: &Sketch) {
        let outcome = sketch.outcome();
        let promise = if self.reward_first {
            outcome.promise
        } else {
            0
        };
        let score = score(self.weights, &outcome.features);
        self.offer(promise, score, outcome.action);
    }
}
