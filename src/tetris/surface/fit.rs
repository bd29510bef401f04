//! Which pieces find a place where they leave no new hole.
//!
//! Such a place shows in one difference of neighbouring heights, or in two that follow each other. So the places of all
//! pieces are counted seam by seam, in one word with a field for each piece; sums of such words are sums of places.

/// The number of pieces that are counted: all but the I, which fits wherever three columns or one are even.
const PIECES: u32 = 6;

/// The bits of a field. No piece has more than 9 places with one difference and 8 with two on ten columns.
const FIELD: u32 = 5;

/// One place for each piece.
const ONES: u32 = {
    let (mut ones, mut piece) = (0, 0);
    while piece < PIECES {
        ones |= 1 << (FIELD * piece);
        piece += 1;
    }
    ones
};

/// The most points: three for each piece.
pub const MOST: u32 = 3 * PIECES;

/// A difference of heights, as far as it is small, in three bits: 3 if the heights are equal, 0 and 6 if they differ by
/// more than two.
pub type Step = u8;

/// A step at which no piece finds a place.
pub const CLIFF: Step = 0;

/// The largest difference that can be looked up. Walls are higher than that above any board, but no higher than twice.
const REACH: i32 = 64;

static STEPS: [Step; 2 * REACH as usize] = {
    let mut steps = [0; 2 * REACH as usize];
    let mut i = 0;
    while i < steps.len() {
        steps[i] = step_of(i as i32 - REACH);
        i += 1;
    }
    steps
};

const fn step_of(difference: i32) -> Step {
    match difference {
        -2..=2 => (difference + 3) as Step,
        3.. => 6,
        _ => CLIFF,
    }
}

/// The step from one height to the next.
#[inline(always)]
pub const fn step(from: u32, to: u32) -> Step {
    let difference = to.wrapping_sub(from).wrapping_add(REACH as u32);
    STEPS[difference as usize % STEPS.len()]
}

/// The places that a step adds: those of its own, and those together with the step before.
static PLACES: [u32; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < table.len() {
        table[i] = places_of(i as i32 / 8 - 3, i as i32 % 8 - 3);
        i += 1;
    }
    table
};

const fn places_of(before: i32, step: i32) -> u32 {
    let [o, t, s, z, l, j] = [0, 1, 2, 3, 4, 5];
    let alone = match step {
        -2 => field(l),
        -1 => field(t) + field(s),
        0 => field(o) + field(l) + field(j),
        1 => field(t) + field(z),
        2 => field(j),
        _ => 0,
    };
    let together = match (before, step) {
        (0, 0) => field(t) + field(l) + field(j),
        (-1, 1) => field(t),
        (0, 1) => field(s),
        (-1, 0) => field(z),
        (1, 0) => field(l),
        (0, -1) => field(j),
        _ => 0,
    };
    alone + together
}

const fn field(piece: u32) -> u32 {
    1 << (FIELD * piece)
}

/// The places that `step` adds after `before`.
#[inline(always)]
pub const fn places(before: Step, step: Step) -> u32 {
    PLACES[((before as usize) << 3 | step as usize) % PLACES.len()]
}

/// The points for these places: for each piece 2 for the first and 1 for having more.
#[inline(always)]
pub fn points(places: u32) -> u32 {
    const HALF: u32 = (1 << (FIELD - 1)) - 1;
    // A field without its lowest bit is at most 15, and with 15 more it has its highest bit, unless it was 0.
    let several = (((places >> 1) & (HALF * ONES)) + HALF * ONES) >> (FIELD - 1) & ONES;
    let any = (places | several) & ONES;
    // The product has the sum of all fields in the highest one.
    ((2 * any + several).wrapping_mul(ONES) >> (FIELD * (PIECES - 1))) & ((1 << FIELD) - 1)
}
