//! Values as bits: the same on every machine, written and read by one declaration for each type.

use crate::invalid::Invalid;
use core::ops::RangeInclusive;

/// Writes fields, or reads them in the same order.
///
/// A type is declared once, as a function that hands each of its fields to a codec. One that writes leaves the
/// fields as they are; one that reads replaces them. Both refuse what is out of range. Fields take as many bits as
/// their range needs.
pub trait Codec: sealed::Sealed {
    /// A number of `bits` bits, at most 32.
    fn bits(&mut self, number: u32, bits: u32) -> Result<u32, Invalid>;

    /// Returns whether fields are being read, and not written.
    fn is_reading(&self) -> bool;

    /// A number within a range.
    fn u32(
        &mut self,
        field: &'static str,
        value: &mut u32,
        range: RangeInclusive<u32>,
    ) -> Result<(), Invalid> {
        let (low, high) = range.into_inner();
        if !self.is_reading() {
            Invalid::outside(field, *value, low, high)?;
        }
        let offset = self.bits(value.wrapping_sub(low), width(high.saturating_sub(low)))?;
        *value = low.saturating_add(offset);
        Invalid::outside(field, *value, low, high)
    }

    /// A number within a range.
    fn u16(
        &mut self,
        field: &'static str,
        value: &mut u16,
        range: RangeInclusive<u16>,
    ) -> Result<(), Invalid> {
        let (low, high) = range.into_inner();
        let mut wide = u32::from(*value);
        self.u32(field, &mut wide, low.into()..=high.into())?;
        *value = wide as u16;
        Ok(())
    }

    /// A number within a range.
    fn u8(
        &mut self,
        field: &'static str,
        value: &mut u8,
        range: RangeInclusive<u8>,
    ) -> Result<(), Invalid> {
        let (low, high) = range.into_inner();
        let mut wide = u32::from(*value);
        self.u32(field, &mut wide, low.into()..=high.into())?;
        *value = wide as u8;
        Ok(())
    }

    /// A number within a range, which may be negative.
    fn i16(
        &mut self,
        field: &'static str,
        value: &mut i16,
        range: RangeInclusive<i16>,
    ) -> Result<(), Invalid> {
        let (low, high) = range.into_inner();
        let (lowest, highest) = (i32::from(low), i32::from(high));
        if !self.is_reading() {
            Invalid::outside_signed(field, (*value).into(), lowest, highest)?;
        }
        let offset = value.wrapping_sub(low).cast_unsigned();
        let offset = self.bits(offset.into(), width(high.abs_diff(low).into()))?;
        let coded = lowest.saturating_add(offset as i32);
        *value = coded as i16;
        Invalid::outside_signed(field, coded, lowest, highest)
    }

    /// A number of 64 bits.
    fn u64(&mut self, value: &mut u64) -> Result<(), Invalid> {
        let low = self.bits(*value as u32, 32)?;
        let high = self.bits((*value >> 32) as u32, 32)?;
        *value = u64::from(high) << 32 | u64::from(low);
        Ok(())
    }

    /// A real number, which has to be finite.
    fn f32(&mut self, field: &'static str, value: &mut f32) -> Result<(), Invalid> {
        *value = f32::from_bits(self.bits(value.to_bits(), 32)?);
        match value.is_finite() {
            true => Ok(()),
            false => Err(Invalid::real(field, *value, "a finite number")),
        }
    }

    /// A truth value.
    fn bool(&mut self, value: &mut bool) -> Result<(), Invalid> {
        *value = self.bits((*value).into(), 1)? == 1;
        Ok(())
    }

    /// Text that is only ever written: a part of what identifies a task.
    fn text(&mut self, text: &str) {
        for byte in text.bytes() {
            let _ = self.bits(byte.into(), 8);
        }
        let _ = self.bits(0, 8);
    }
}

// Everything goes through these few, and none of it is urgent: they are kept out of line for the sake of size.

/// Writes to a buffer, and counts what there is no room for.
pub(crate) struct Encoder<'a> {
    buffer: &'a mut [u8],
    /// The number of whole bytes.
    len: usize,
    crc: Crc32,
    pending: u64,
    count: u32,
}

impl<'a> Encoder<'a> {
    pub fn new(buffer: &'a mut [u8]) -> Self {
        Encoder {
            buffer,
            len: 0,
            crc: Crc32::NEW,
            pending: 0,
            count: 0,
        }
    }

    fn byte(&mut self, byte: u8) {
        if let Some(place) = self.buffer.get_mut(self.len) {
            *place = byte;
        }
        self.crc.add(byte);
        self.len = self.len.saturating_add(1);
    }

    /// Completes the last byte with zeros.
    pub fn align(&mut self) {
        if self.count > 0 {
            self.byte(self.pending as u8);
            (self.pending, self.count) = (0, 0);
        }
    }

    /// The checksum of all whole bytes so far.
    pub fn checksum(&self) -> u32 {
        self.crc.value()
    }

    /// What was written, or how many bytes that would have been.
    pub fn finish(mut self) -> Result<&'a [u8], usize> {
        self.align();
        self.buffer.get(..self.len).ok_or(self.len)
    }
}

impl Codec for Encoder<'_> {
    #[inline(never)]
    fn bits(&mut self, number: u32, bits: u32) -> Result<u32, Invalid> {
        self.pending |= (u64::from(number) & mask(bits)).wrapping_shl(self.count);
        self.count = self.count.saturating_add(bits);
        while self.count >= 8 {
            self.byte(self.pending as u8);
            self.pending >>= 8;
            self.count = self.count.saturating_sub(8);
        }
        Ok(number)
    }

    fn is_reading(&self) -> bool {
        false
    }
}

/// Reads what an [`Encoder`] wrote.
pub(crate) struct Decoder<'a> {
    rest: &'a [u8],
    pending: u64,
    count: u32,
}

impl<'a> Decoder<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Decoder {
            rest: bytes,
            pending: 0,
            count: 0,
        }
    }

    /// Refuses bits that nobody has read, but for the zeros that complete the last byte.
    pub fn end(&self) -> Result<(), Invalid> {
        let left = self.rest.len() as u32;
        Invalid::outside("bytes after the content", left, 0, 0)?;
        Invalid::outside("bits after the content", self.pending as u32, 0, 0)
    }
}

impl Codec for Decoder<'_> {
    #[inline(never)]
    fn bits(&mut self, _: u32, bits: u32) -> Result<u32, Invalid> {
        while self.count < bits {
            let Some((byte, rest)) = self.rest.split_first() else {
                return Err(Invalid::text("bytes left to read", 0, "at least 1"));
            };
            self.rest = rest;
            self.pending |= u64::from(*byte).wrapping_shl(self.count);
            self.count = self.count.saturating_add(8);
        }
        let number = (self.pending & mask(bits)) as u32;
        self.pending = self.pending.wrapping_shr(bits);
        self.count = self.count.saturating_sub(bits);
        Ok(number)
    }

    fn is_reading(&self) -> bool {
        true
    }
}

/// Tells the names and values of fields, and writes nothing.
pub(crate) struct Lister<F>(pub F);

impl<F: FnMut(&'static str, f64)> Codec for Lister<F> {
    fn bits(&mut self, number: u32, _: u32) -> Result<u32, Invalid> {
        Ok(number)
    }

    fn is_reading(&self) -> bool {
        false
    }

    fn u32(
        &mut self,
        field: &'static str,
        value: &mut u32,
        _: RangeInclusive<u32>,
    ) -> Result<(), Invalid> {
        (self.0)(field, f64::from(*value));
        Ok(())
    }

    fn i16(
        &mut self,
        field: &'static str,
        value: &mut i16,
        _: RangeInclusive<i16>,
    ) -> Result<(), Invalid> {
        (self.0)(field, f64::from(*value));
        Ok(())
    }

    fn f32(&mut self, field: &'static str, value: &mut f32) -> Result<(), Invalid> {
        (self.0)(field, f64::from(*value));
        Ok(())
    }
}

/// The number of bits of a number from 0 to `most`.
const fn width(most: u32) -> u32 {
    u32::BITS.saturating_sub(most.leading_zeros())
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
            crc.add(*byte);
        }
        crc.value()
    }

    /// Adds a byte.
    #[inline(never)]
    pub fn add(&mut self, byte: u8) {
        self.0 ^= u32::from(byte);
        for _ in 0..8 {
            let odd = self.0 & 1;
            self.0 = self.0 >> 1 ^ 0xedb8_8320 & odd.wrapping_neg();
        }
    }

    /// The checksum.
    pub fn value(self) -> u32 {
        !self.0
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Encoder<'_> {}
    impl Sealed for super::Decoder<'_> {}
    impl<F> Sealed for super::Lister<F> {}
}
