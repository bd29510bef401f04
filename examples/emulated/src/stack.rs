//! The stack: the lowest part of the memory, painted before anything is put on it.

use cortex_m_rt::STACK_PAINT_VALUE;

unsafe extern "C" {
    /// The lowest word, and the one above the highest. Only their addresses mean something.
    static _stack_end: u32;
    static _stack_start: u32;
}

/// The addresses of the stack, from the lowest.
pub fn bounds() -> core::ops::Range<usize> {
    (&raw const _stack_end).addr()..(&raw const _stack_start).addr()
}

/// The most bytes that were ever in use.
pub fn high_water_mark() -> usize {
    let lowest = &raw const _stack_end;
    let words = bounds().len() / size_of::<u32>();
    // SAFETY: these words are memory, and nobody holds a reference to those that are painted.
    let is_painted =
        |word: &usize| unsafe { lowest.wrapping_add(*word).read_volatile() == STACK_PAINT_VALUE };
    let untouched = (0..words).take_while(is_painted).count();
    (words - untouched) * size_of::<u32>()
}
