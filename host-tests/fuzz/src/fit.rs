//! A fit to any choices.

use crate::bytes::Bytes;
use ipse::environment::{Action, Outcome};
use ipse::learner::labels::{Label, SoftLabel};
use ipse::learner::stew::{ChoiceSets, Fit, Objective, Visit};
use std::ops::Range;

type Features = [i16; 8];
/// Room for the shares of soft labels.
type Actions = [Action; 40];

/// However hard a problem is, a fit reads it no more often than this.
const PASSES_MAX: u16 = 60;

/// Any label.
#[derive(Clone, Copy, Debug)]
enum AnyLabel {
    Hard(Action),
    Soft(SoftLabel<Actions>),
}

impl Label for AnyLabel {
    fn action(&self) -> Action {
        match self {
            AnyLabel::Hard(label) => label.action(),
            AnyLabel::Soft(label) => label.action(),
        }
    }

    fn shares(&self) -> &[u8] {
        match self {
            AnyLabel::Hard(label) => label.shares(),
            AnyLabel::Soft(label) => label.shares(),
        }
    }
}

struct Sets(Vec<(Vec<Outcome<Features>>, AnyLabel)>);

impl ChoiceSets<Features> for Sets {
    type Label = AnyLabel;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn each(&self, range: Range<usize>, visit: &mut Visit<Features, AnyLabel>) {
        for (outcomes, label) in &self.0[range] {
            visit(outcomes, label);
        }
    }
}

/// A fit ends, at finite weights, and in slices it ends at the very same.
pub fn fit(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let objective = Objective::<Features> {
        units: std::array::from_fn(|_| bytes.likely(&[1.0, -1.0, 0.5, 0.0])),
        free: flags(&mut bytes),
        reach: bytes.word(),
        lambda: bytes.likely(&[0.0, 1.0, 0.05, 50.0, 1e9]),
    };
    let start = std::array::from_fn(|_| bytes.likely(&[0.0, 1.0, -1.0]));
    let slice = 1 + usize::from(bytes.byte() % 8);
    let sets = sets(&mut bytes);

    let mut whole = Fit::<Features>::new(&start);
    while !whole.pass(&objective, &sets) {
        assert!(whole.passes() < PASSES_MAX, "{whole:?}");
    }
    let finite = whole.beta().iter().all(|weight| weight.is_finite());
    assert!(finite, "{whole:?} of {objective:?}");

    let mut sliced = Fit::<Features>::new(&start);
    while !sliced.slice(&objective, &sets, slice) {}
    let [whole, sliced] = [&whole, &sliced].map(|fit| fit.beta().map(f32::to_bits));
    assert_eq!(whole, sliced);
}

fn flags<const N: usize>(bytes: &mut Bytes) -> [bool; N] {
    let bits = bytes.byte();
    std::array::from_fn(|i| bits >> (i % 8) & 1 == 1)
}

/// Features of any size, but mostly small ones; labels that are no legal action, with shares or without; actions
/// with the same number; no choices at all.
fn sets(bytes: &mut Bytes) -> Sets {
    let mut sets = Vec::new();
    while !bytes.is_empty() && sets.len() < 32 {
        let shift = bytes.byte() % 16;
        let features = |bytes: &mut Bytes| match shift {
            9.. => std::array::from_fn(|_| i16::from(bytes.byte() as i8)),
            _ => std::array::from_fn(|_| bytes.short() >> shift),
        };
        let outcomes = (0..bytes.byte() % 40).map(|number| Outcome {
            action: number % 38,
            promise: 0,
            features: features(bytes),
        });
        let outcomes = outcomes.collect();
        let chosen = bytes.byte();
        let action = chosen % 40;
        let label = match chosen >= 128 {
            true => AnyLabel::Soft(SoftLabel {
                action,
                shares: std::array::from_fn(|_| bytes.byte()),
            }),
            false => AnyLabel::Hard(action),
        };
        sets.push((outcomes, label));
    }
    Sets(sets)
}
