//! Values as bytes: the same on every machine, without allocation, and checked when they are read.

use core::fmt;

/// Where bytes go.
pub trait Sink {
    /// Takes one more.
    fn byte(&mut self, byte: u8);
}

/// A value that has a form in bytes.
pub trait Bytes: Sized {
    /// The most bytes of any value.
    const SIZE: usize;

    /// Writes the value.
    fn write(&self, to: &mut impl Sink);

    /// Reads a value, and refuses what no value has written.
    fn read(from: &mut Source<'_>) -> Result<Self, Flaw>;
}

/// What bytes say that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Flaw(pub &'static str);

impl Flaw {
    /// Nothing if `holds`, else that `what` is impossible.
    pub fn unless(holds: bool, what: &'static str) -> Result<(), Flaw> {
        if holds { Ok(()) } else { Err(Flaw(what)) }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl core::error::Error for Flaw {}

/// Bytes that are written one after the other. Those for which there is no room are counted.
pub struct Writer<'a> {
    buffer: &'a mut [u8],
    len: usize,
}

impl<'a> Writer<'a> {
    /// Writes from the beginning of `buffer`.
    pub fn new(buffer: &'a mut [u8]) -> Self {
        Writer { buffer, len: 0 }
    }

    /// What was written, or how many bytes there would have been.
    pub fn finish(self) -> Result<&'a [u8], usize> {
        self.buffer.get(..self.len).ok_or(self.len)
    }

    /// What was written so far, if there was room.
    pub fn written(&self) -> &[u8] {
        self.buffer.get(..self.len).unwrap_or_default()
    }
}

// All goes through these few, byte by byte, and none of it is urgent: they are kept apart for the
// sake of their size.

impl Sink for Writer<'_> {
    #[inline(never)]
    fn byte(&mut self, byte: u8) {
        if let Some(place) = self.buffer.get_mut(self.len) {
            *place = byte;
        }
        self.len = self.len.saturating_add(1);
    }
}

/// Bytes that are read one after the other.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    rest: &'a [u8],
}

impl<'a> Source<'a> {
    /// Reads from the beginning of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Source { rest: bytes }
    }

    /// The next byte.
    #[inline(never)]
    pub fn byte(&mut self) -> Result<u8, Flaw> {
        let (first, rest) = self.rest.split_first().ok_or(Flaw("too few bytes"))?;
        self.rest = rest;
        Ok(*first)
    }

    /// Refuses bytes that nobody has read.
    pub fn end(&self) -> Result<(), Flaw> {
        Flaw::unless(self.rest.is_empty(), "too many bytes")
    }
}

/// Puts numbers of a few bits next to each other, the lowest bits first.
pub struct BitWriter<'a, W> {
    to: &'a mut W,
    pending: u64,
    count: u32,
}

impl<'a, W: Sink> BitWriter<'a, W> {
    /// Writes to `to`, from a whole byte on.
    pub fn new(to: &'a mut W) -> Self {
        BitWriter {
            to,
            pending: 0,
            count: 0,
        }
    }

    /// Writes the lowest `bits` of a number, at most 32 of them.
    #[inline(never)]
    pub fn write(&mut self, number: u32, bits: u32) {
        self.pending |= (u64::from(number) & mask(bits)).wrapping_shl(self.count);
        self.count = self.count.saturating_add(bits);
        while self.count >= 8 {
            self.to.byte(self.pending as u8);
            self.pending >>= 8;
            self.count = self.count.saturating_sub(8);
        }
    }

    /// Writes the last, incomplete byte.
    pub fn finish(self) {
        if self.count > 0 {
            self.to.byte(self.pending as u8);
        }
    }
}

/// Reads what a [`BitWriter`] wrote.
pub struct BitReader<'a, 'b> {
    from: &'a mut Source<'b>,
    pending: u64,
    count: u32,
}

impl<'a, 'b> BitReader<'a, 'b> {
    /// Reads from a whole byte on.
    pub fn new(from: &'a mut Source<'b>) -> Self {
        BitReader {
            from,
            pending: 0,
            count: 0,
        }
    }

    /// Reads a number of at most 32 bits.
    #[inline(never)]
    pub fn read(&mut self, bits: u32) -> Result<u32, Flaw> {
        while self.count < bits {
            self.pending |= u64::from(self.from.byte()?).wrapping_shl(self.count);
            self.count = self.count.saturating_add(8);
        }
        let number = (self.pending & mask(bits)) as u32;
        self.pending = self.pending.wrapping_shr(bits);
        self.count = self.count.saturating_sub(bits);
        Ok(number)
    }

    /// Refuses anything in the last, incomplete byte that no writer leaves there.
    pub fn finish(self) -> Result<(), Flaw> {
        Flaw::unless(self.pending == 0, "bits that mean nothing")
    }
}

const fn mask(bits: u32) -> u64 {
    1u64.wrapping_shl(bits).wrapping_sub(1)
}

/// The checksum CRC-32 of all bytes so far, as in Ethernet and in zip files.
#[derive(Clone, Copy, Debug)]
pub struct Crc32(u32);

impl Crc32 {
    /// Of no bytes.
    pub const NEW: Self = Crc32(!0);

    /// Of these bytes.
    pub fn of(bytes: &[u8]) -> u32 {
        let mut crc = Self::NEW;
        for byte in bytes {
            crc.byte(*byte);
        }
        crc.value()
    }

    /// The checksum.
    pub fn value(self) -> u32 {
        !self.0
    }
}

impl Sink for Crc32 {
    #[inline(never)]
    fn byte(&mut self, byte: u8) {
        self.0 ^= u32::from(byte);
        for _ in 0..8 {
            let odd = self.0 & 1;
            self.0 = self.0 >> 1 ^ 0xedb8_8320 & odd.wrapping_neg();
        }
    }
}

/// Integers begin with their lowest byte.
macro_rules! integer {
    ($($integer:ty),*) => {$(
        impl Bytes for $integer {
            const SIZE: usize = size_of::<$integer>();

            #[inline(never)]
            fn write(&self, to: &mut impl Sink) {
                for byte in self.to_le_bytes() {
                    to.byte(byte);
                }
            }

            #[inline(never)]
            fn read(from: &mut Source<'_>) -> Result<Self, Flaw> {
                let mut bytes = [0; size_of::<$integer>()];
                for byte in &mut bytes {
                    *byte = from.byte()?;
                }
                Ok(<$integer>::from_le_bytes(bytes))
            }
        }
    )*};
}
integer!(u8, u16, u32, u64);

/// Floats are the integers with the same bits. Any of them can be read.
impl Bytes for f32 {
    const SIZE: usize = u32::SIZE;

    fn write(&self, to: &mut impl Sink) {
        self.to_bits().write(to);
    }

    fn read(from: &mut Source<'_>) -> Result<Self, Flaw> {
        u32::read(from).map(f32::from_bits)
    }
}

impl Bytes for bool {
    const SIZE: usize = 1;

    fn write(&self, to: &mut impl Sink) {
        to.byte((*self).into());
    }

    fn read(from: &mut Source<'_>) -> Result<Self, Flaw> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Flaw("neither true nor false")),
        }
    }
}

impl<T: Bytes + Copy + Default, const K: usize> Bytes for [T; K] {
    const SIZE: usize = T::SIZE.saturating_mul(K);

    fn write(&self, to: &mut impl Sink) {
        for item in self {
            item.write(to);
        }
    }

    fn read(from: &mut Source<'_>) -> Result<Self, Flaw> {
        let mut items = [T::default(); K];
        for item in &mut items {
            *item = T::read(from)?;
        }
        Ok(items)
    }
}

/// Nothing, in no bytes.
impl Bytes for () {
    const SIZE: usize = 0;

    fn write(&self, _: &mut impl Sink) {}

    fn read(_: &mut Source<'_>) -> Result<Self, Flaw> {
        Ok(())
    }
}
