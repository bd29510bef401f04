//! The error for a parameter, or a field of a checkpoint, that is out of range.

use core::fmt;

/// A value that is out of range, with the name of its field and the allowed range.
///
/// ```
/// use ipse::prelude::*;
///
/// let error = Lfd::new().alpha(2.0).check().unwrap_err();
/// assert_eq!(error.to_string(), "alpha (2.000000) must be above 0 and below 1");
/// ```
#[derive(Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Invalid {
    field: &'static str,
    /// The position in the field, if it has several entries.
    index: Option<usize>,
    value: Number,
    allowed: Allowed,
}

#[derive(Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
enum Number {
    Integer(u32),
    Signed(i32),
    Real(f32),
}

#[derive(Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
enum Allowed {
    Range(u32, u32),
    SignedRange(i32, i32),
    Text(&'static str),
}

impl Invalid {
    /// Refuses an integer that is not from `low` to `high`.
    #[inline(always)]
    pub fn outside(field: &'static str, value: u32, low: u32, high: u32) -> Result<(), Self> {
        match (low..=high).contains(&value) {
            true => Ok(()),
            false => Err(Invalid {
                field,
                index: None,
                value: Number::Integer(value),
                allowed: Allowed::Range(low, high),
            }),
        }
    }

    /// Refuses an integer that is not from `low` to `high`, if they can be negative.
    pub fn outside_signed(
        field: &'static str,
        value: i32,
        low: i32,
        high: i32,
    ) -> Result<(), Self> {
        match (low..=high).contains(&value) {
            true => Ok(()),
            false => Err(Invalid {
                field,
                index: None,
                value: Number::Signed(value),
                allowed: Allowed::SignedRange(low, high),
            }),
        }
    }

    /// An integer that is not what `allowed` says.
    pub const fn text(field: &'static str, value: u32, allowed: &'static str) -> Self {
        Invalid {
            field,
            index: None,
            value: Number::Integer(value),
            allowed: Allowed::Text(allowed),
        }
    }

    /// A signed integer that is not what `allowed` says.
    pub const fn signed(field: &'static str, value: i32, allowed: &'static str) -> Self {
        Invalid {
            field,
            index: None,
            value: Number::Signed(value),
            allowed: Allowed::Text(allowed),
        }
    }

    /// A real number that is not what `allowed` says.
    pub const fn real(field: &'static str, value: f32, allowed: &'static str) -> Self {
        Invalid {
            field,
            index: None,
            value: Number::Real(value),
            allowed: Allowed::Text(allowed),
        }
    }

    /// The same, at a position of the field.
    #[must_use]
    pub const fn at(self, index: usize) -> Self {
        Invalid {
            index: Some(index),
            ..self
        }
    }

    /// The name of the field.
    pub const fn field(&self) -> &'static str {
        self.field
    }

    /// The position in the field, counted from 0, if it has several entries.
    pub const fn index(&self) -> Option<usize> {
        self.index
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.field)?;
        if let Some(index) = self.index {
            write!(f, "[{index}]")?;
        }
        write!(f, " ({}) must be ", self.value)?;
        match self.allowed {
            Allowed::Range(low, high) if low == high => write!(f, "{low}"),
            Allowed::Range(low, high) => write!(f, "from {low} to {high}"),
            Allowed::SignedRange(low, high) => write!(f, "from {low} to {high}"),
            Allowed::Text(allowed) => f.write_str(allowed),
        }
    }
}

/// The same text, since firmware that calls `expect` must not pay for the code that prints floats.
impl fmt::Debug for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Invalid {}

/// Reals with six decimals, without the code that prints floats, which is larger than the whole agent.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MILLION: u64 = 1_000_000;
        let real = match self {
            Number::Integer(integer) => return integer.fmt(f),
            Number::Signed(integer) => return integer.fmt(f),
            Number::Real(real) => *real,
        };
        let sign = if real < 0.0 { "-" } else { "" };
        match real.abs() {
            magnitude if magnitude.is_nan() => f.write_str("not a number"),
            magnitude if magnitude.is_infinite() => write!(f, "{sign}infinity"),
            magnitude if magnitude >= 1e12 => write!(f, "{sign}1000000000000 or more"),
            magnitude => {
                let whole = magnitude as u64;
                let rest = ((magnitude - whole as f32) * MILLION as f32) as u64;
                write!(f, "{sign}{whole}.{rest:06}")
            }
        }
    }
}
