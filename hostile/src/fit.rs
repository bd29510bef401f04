//! A fit to any choices.

use crate::bytes::Bytes;
use ipse::environment::Outcome;
use ipse::label::Label;
use ipse::stew::{ChoiceSets, Fit, Objective};
use std::ops::Range;

const P: usize = 8;
/// However hard a problem is, a fit reads it no more often than this.
const PASSES_MAX: u16 = 60;

/// The most actions, for which labels have shares.
const A: usize = 40;

struct Sets(Vec<(Vec<Outcome<P>>, Label<A>)>);

impl ChoiceSets<P, A> for Sets {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn each(&self, range: Range<usize>, visit: &mut dyn FnMut(&[Outcome<P>], &Label<A>)) {
        for (outcomes, label) in &self.0[range] {
            visit(outcomes, label);
        }
    }
}

/// A fit ends, at finite weights, and in slices it ends at the very same.
pub fn fit(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let objective = Objective {
        units: std::array::from_fn(|_| bytes.likely(&[1.0, -1.0, 0.5, 0.0])),
        bounds: std::array::from_fn(|_| bytes.short()),
        lambda: bytes.likely(&[0.0, 1.0, 0.05, 50.0, 1e9]),
    };
    let start = std::array::from_fn(|_| bytes.likely(&[0.0, 1.0, -1.0]));
    let slice = 1 + usize::from(bytes.byte() % 8);
    let sets = sets(&mut bytes);

    let mut whole = Fit::new(start);
    while !whole.pass(&objective, &sets) {
        assert!(whole.passes() < PASSES_MAX, "{whole:?}");
    }
    let finite = whole.beta().iter().all(|weight| weight.is_finite());
    assert!(finite, "{whole:?} of {objective:?}");

    let mut sliced = Fit::new(start);
    while !sliced.slice(&objective, &sets, slice) {}
    assert_eq!(
        whole.beta().map(f32::to_bits),
        sliced.beta().map(f32::to_bits)
    );
}

/// Features of any size, but mostly small ones; choices of what was not there, with shares or without;
/// actions that are there twice; nothing at all.
fn sets(bytes: &mut Bytes) -> Sets {
    let mut sets = Vec::new();
    while !bytes.is_empty() && sets.len() < 32 {
        let shift = bytes.byte() % 16;
        let features = |bytes: &mut Bytes| match shift {
            9.. => std::array::from_fn(|_| i16::from(bytes.byte() as i8)),
            _ => std::array::from_fn(|_| bytes.short() >> shift),
        };
        let outcomes: Vec<Outcome<P>> = (0..bytes.byte() % 40)
            .map(|number| Outcome {
                action: number % 38,
                reward: 0,
                features: features(bytes),
            })
            .collect();
        let chosen = bytes.byte();
        let mut label = Label::from(chosen % 40);
        if chosen >= 128 {
            label.shares = std::array::from_fn(|_| bytes.byte());
        }
        sets.push((outcomes, label));
    }
    Sets(sets)
}
