//! Checkpoints, bit by bit: the slow, obvious twin of the format of `ipse::checkpoint`.
//!
//! It follows the documentation of the format and shares no code with the core, so that the two can only agree by
//! both being right. A checkpoint is opened, looked at and changed by the names of its fields, and sealed again
//! with the checksum that it needs.

use ipse::Agent;
use ipse::array::Array;
use ipse::environment::Resumable;
use ipse::learner::labels::{Hard, Soft};
use ipse::learner::{Known, Learner, Lfd, MLearning, Then, Unknown};
use ipse::search::{DirectionLearner, Scale, Searcher};
use std::collections::BTreeMap;

/// The bytes before the content.
pub const HEADER: usize = 4 + 1 + 4 + 4 + 16;
const CHECKSUM: usize = 4;

/// The checksum CRC-32 of zip files, by long division.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut remainder = !0u32;
    for bit in bits(bytes) {
        let carry = (remainder & 1 == 1) != bit;
        remainder >>= 1;
        if carry {
            remainder ^= 0xedb8_8320;
        }
    }
    !remainder
}

/// The lowest bit of every byte first.
fn bits(bytes: &[u8]) -> Vec<bool> {
    let of_byte = |byte: &u8| [0, 1, 2, 3, 4, 5, 6, 7].map(|shift| byte >> shift & 1 == 1);
    bytes.iter().flat_map(of_byte).collect()
}

fn bytes(bits: &[bool]) -> Vec<u8> {
    let byte = |bits: &[bool]| {
        bits.iter()
            .rev()
            .fold(0, |byte, bit| byte << 1 | u8::from(*bit))
    };
    bits.chunks(8).map(byte).collect()
}

/// Any bytes with the checksum that they need.
pub fn sealed(bytes: &[u8]) -> Vec<u8> {
    [bytes, &crc32(bytes).to_le_bytes()].concat()
}

/// A checkpoint that is taken apart.
#[derive(Clone, Debug)]
pub struct Forged {
    bits: Vec<bool>,
    /// The position and the number of bits of every field.
    fields: BTreeMap<String, (usize, usize)>,
    /// Where the next field begins.
    at: usize,
    /// What the names of the next fields begin with.
    prefix: String,
}

impl Forged {
    /// Takes a checkpoint of `driver` apart, with a note of so many bits.
    ///
    /// # Panics
    /// If the fields do not add up to the checkpoint.
    pub fn open<D: Format>(driver: &D, bytes: &[u8], note: usize) -> Self {
        let covered = bytes.len() - CHECKSUM;
        assert_eq!(bytes[covered..], crc32(&bytes[..covered]).to_le_bytes());
        let mut forged = Forged {
            bits: bits(&bytes[..covered]),
            fields: BTreeMap::new(),
            at: 0,
            prefix: String::new(),
        };
        forged.field("magic", 32);
        forged.field("version", 8);
        forged.field("identity", 32);
        forged.field("header iterations", 32);
        forged.field("random generator", 128);
        driver.walk(&mut forged);
        forged.field("note", note);
        let padding = forged.bits.len() - forged.at;
        assert!(padding < 8, "{padding} bits are left");
        forged.field("padding", padding);
        forged
    }

    /// The checkpoint, with the checksum that it needs.
    pub fn seal(&self) -> Vec<u8> {
        sealed(&bytes(&self.bits))
    }

    /// The names of all fields, in the order of the alphabet.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.keys().map(String::as_str)
    }

    /// The number of bits of a field.
    ///
    /// # Panics
    /// If there is no such field.
    pub fn width(&self, field: &str) -> usize {
        self.place(field).1
    }

    /// The bits of a field as a number, the lowest first.
    pub fn get(&self, field: &str) -> u128 {
        let (at, width) = self.place(field);
        let bits = self.bits[at..at + width].iter().rev();
        bits.fold(0, |number, bit| number << 1 | u128::from(*bit))
    }

    /// Replaces the bits of a field.
    #[must_use]
    pub fn with(mut self, field: &str, number: u128) -> Self {
        let (at, width) = self.place(field);
        for (shift, bit) in self.bits[at..at + width].iter_mut().enumerate() {
            *bit = number
                .checked_shr(shift as u32)
                .is_some_and(|number| number & 1 == 1);
        }
        self
    }

    /// Flips a bit of a field.
    #[must_use]
    pub fn flipped(mut self, field: &str, bit: usize) -> Self {
        let (at, width) = self.place(field);
        assert!(bit < width, "{field} has {width} bits");
        self.bits[at + bit] ^= true;
        self
    }

    fn place(&self, field: &str) -> (usize, usize) {
        let place = self.fields.get(field);
        *place.unwrap_or_else(|| panic!("no field {field:?} among {:?}", self.fields.keys()))
    }

    /// The next field has so many bits. Returns what it says.
    fn field(&mut self, name: &str, width: usize) -> u128 {
        let name = format!("{}{name}", self.prefix);
        let place = (self.at, width);
        assert_eq!(self.fields.insert(name.clone(), place), None, "{name}");
        self.at += width;
        assert!(self.at <= self.bits.len(), "{name} is beyond the end");
        if width > 128 { 0 } else { self.get(&name) }
    }

    /// The next fields have so many bits each.
    fn all(&mut self, name: &str, count: usize, width: usize) {
        for index in 0..count {
            self.field(&format!("{name}[{index}]"), width);
        }
    }

    /// A ring of at most so many entries.
    fn ring(&mut self, name: &str, most: usize, width: usize) {
        let count = self.field(&format!("{name}.count"), width_of(most)) as usize;
        let last = if count == most {
            most.saturating_sub(1)
        } else {
            0
        };
        self.field(&format!("{name}.oldest"), width_of(last));
        self.all(name, count, width);
    }

    /// The fields of a learner that is a part of another.
    fn within(&mut self, prefix: &str, walk: impl FnOnce(&mut Self)) {
        let outer = self.prefix.len();
        self.prefix.push_str(prefix);
        walk(self);
        self.prefix.truncate(outer);
    }
}

/// The number of bits of a number from 0 to `most`.
fn width_of(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()) as usize
}

/// A driver whose content is documented here.
pub trait Format {
    /// Goes through its fields.
    fn walk(&self, fields: &mut Forged);
}

/// A learner whose memory is documented here.
pub trait LearnerFormat<E: Resumable>: Learner<E> {
    /// Goes through the fields of its memory.
    fn walk(&self, fields: &mut Forged);
}

impl<E: Resumable, L: LearnerFormat<E>> Format for Agent<E, L> {
    fn walk(&self, fields: &mut Forged) {
        fields.field("iterations", 32);
        fields.field("calls", 32);
        fields.field("state", E::STATE_BITS);
        self.learner().walk(fields);
    }
}

impl<E: Resumable> LearnerFormat<E> for Lfd {
    fn walk(&self, fields: &mut Forged) {
        for feature in 0..E::Features::LEN {
            for count in ["votes for", "votes against", "choices that vary"] {
                fields.field(&format!("{count}[{feature}]"), 16);
            }
        }
        fields.all("direction", E::Features::LEN, 2);
    }
}

impl<E: Resumable, D> LearnerFormat<E> for Known<D>
where
    Known<D>: Learner<E>,
{
    fn walk(&self, _: &mut Forged) {}
}

impl<E: Resumable> LearnerFormat<E> for Unknown {
    fn walk(&self, _: &mut Forged) {}
}

/// What is written of a label beside the action.
pub trait LabelFormat: ipse::learner::labels::Labels {
    /// The number of bits.
    fn shares(&self, actions: usize) -> usize;
}

impl LabelFormat for Hard {
    fn shares(&self, _: usize) -> usize {
        0
    }
}

impl LabelFormat for Soft {
    fn shares(&self, actions: usize) -> usize {
        if self.temperature == 0. {
            0
        } else {
            8 * actions
        }
    }
}

impl<E: Resumable, const N: usize, R, L: LabelFormat> LearnerFormat<E> for MLearning<N, R, L>
where
    MLearning<N, R, L>: Learner<E>,
{
    fn walk(&self, fields: &mut Forged) {
        let features = E::Features::LEN;
        let label = 8 + self.labels.shares(E::Actions::LEN);
        fields.ring("states", N, E::STATE_BITS);
        fields.ring("labels", N, label);
        fields.all("weight", features, 32);
        fields.all("direction", features, 2);
        fields.field("iterations of choices", 32);
        fields.field("k", 32);
        if self.average {
            fields.all("average", features, 32);
            fields.field("average.count", 32);
        }
    }
}

impl<E: Resumable, A, B> LearnerFormat<E> for Then<A, B>
where
    Then<A, B>: Learner<E>,
    A: LearnerFormat<E>,
    B: LearnerFormat<E>,
{
    fn walk(&self, fields: &mut Forged) {
        let is_second = fields.field("is second", 1) == 1;
        fields.field("first phase", 32);
        fields.within("first.", |fields| self.first.walk(fields));
        if is_second || self.reuse_choices {
            fields.within("second.", |fields| self.second.walk(fields));
        }
    }
}

impl<E, L, const N: usize> Format for Searcher<E, L, N>
where
    E: Resumable,
    L: LearnerFormat<E> + DirectionLearner<E>,
{
    fn walk(&self, fields: &mut Forged) {
        self.agent().walk(fields);
        fields.field("is searching", 1);
        fields.field("generations", 32);
        fields.all("mean", E::Features::LEN, 32);
        fields.all("average", E::Features::LEN, 32);
        for name in ["averaged", "budget", "used"] {
            fields.field(name, 32);
        }
        fields.ring("brinks", N, E::STATE_BITS);
        fields.field("trail.age", 5);
        for name in ["later", "earlier"] {
            if fields.field(&format!("trail has {name}"), 1) == 1 {
                fields.field(&format!("trail.{name}"), E::STATE_BITS);
            }
        }
        if self.parameters().scale == Scale::Spread {
            fields.all("spread", E::Features::LEN, 32);
        }
    }
}
