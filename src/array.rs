//! Arrays whose length a task states once.
//!
//! A task writes `type Features = [i16; 3]` and `type Actions = [Action; 4]`. Everything else that has one
//! entry for each feature or action takes its length from there: [`Array::Of`] is an array as long as another,
//! and [`Array::List`] a list with room for as many.

use core::fmt::Debug;
use core::ops::Deref;

/// An entry of an array or a list: a number, a truth value, or a type of this crate that is made of them.
///
/// With the feature `defmt` it can be formatted, which is why it cannot be implemented elsewhere.
#[cfg(not(feature = "defmt"))]
pub trait Element: Copy + Debug + PartialEq + Send + Sync + sealed::Sealed {}

/// An entry of an array or a list: a number, a truth value, or a type of this crate that is made of them.
///
/// It can be formatted, which is why it cannot be implemented elsewhere.
#[cfg(feature = "defmt")]
pub trait Element: Copy + Debug + PartialEq + Send + Sync + sealed::Sealed + defmt::Format {}

/// Implements [`Element`].
macro_rules! elements {
    ($($element:ty),* $(,)?) => {$(
        impl crate::array::sealed::Sealed for $element {}
        impl crate::array::Element for $element {}
    )*};
}
pub(crate) use elements;

elements!(
    bool, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64
);

impl<T: Element, const N: usize> Element for [T; N] {}

/// An array type `[U; N]`, as the source of a length. Implemented for arrays and nothing else.
///
/// ```
/// use ipse::array::Array;
///
/// type Features = [i16; 3];
/// let weights: <Features as Array>::Of<f32> = [0.5, 1.0, 2.0];
/// assert_eq!(Features::LEN, weights.len());
/// ```
pub trait Array: Element + AsRef<[Self::Item]> {
    /// The type of its entries.
    type Item: Element;

    /// An array of the same length with other entries.
    type Of<T: Element>: Element + AsRef<[T]> + AsMut<[T]>;

    /// A list of at most as many entries: a `heapless::Vec`.
    type List<T: Element>: List<T>;

    /// The length.
    const LEN: usize;

    /// Makes an array of the same length from a function of the index.
    fn from_fn<T: Element>(entry: impl FnMut(usize) -> T) -> Self::Of<T>;

    /// The entries of a square, row by row.
    fn flattened<T: Element>(square: &mut Self::Of<Self::Of<T>>) -> &mut [T];

    /// Makes an array of the same length in which every entry is the same.
    #[inline(always)]
    fn filled<T: Element>(entry: T) -> Self::Of<T> {
        Self::from_fn(|_| entry)
    }
}

impl<U: Element, const N: usize> Array for [U; N] {
    type Item = U;
    type Of<T: Element> = [T; N];
    type List<T: Element> = heapless::Vec<T, N>;

    const LEN: usize = N;

    #[inline(always)]
    fn from_fn<T: Element>(entry: impl FnMut(usize) -> T) -> [T; N] {
        core::array::from_fn(entry)
    }

    fn flattened<T: Element>(square: &mut [[T; N]; N]) -> &mut [T] {
        square.as_flattened_mut()
    }
}

/// A list of bounded length. Implemented for `heapless::Vec` and nothing else.
pub trait List<T>: Clone + Debug + Default + Deref<Target = [T]> + sealed::Sealed {
    /// Appends an entry, unless the list is full.
    fn add(&mut self, entry: T);

    /// Removes and returns the last entry.
    fn take_last(&mut self) -> Option<T>;

    /// Removes all entries.
    fn empty(&mut self);
}

impl<T: Element, const N: usize> List<T> for heapless::Vec<T, N> {
    #[inline(always)]
    fn add(&mut self, entry: T) {
        let _ = self.push(entry);
    }

    fn take_last(&mut self) -> Option<T> {
        self.pop()
    }

    fn empty(&mut self) {
        self.clear();
    }
}

pub(crate) mod sealed {
    pub trait Sealed {}
    impl<U: super::Element, const N: usize> Sealed for [U; N] {}
    impl<T, const N: usize> Sealed for heapless::Vec<T, N> {}
}
