//! Directions from any votes.

use crate::bytes::Bytes;
use ipse::direction::Direction;
use ipse::environment::Outcome;
use ipse::learner::binomial::p_value;
use ipse::learner::lfd::Votes;

type Features = [i16; 3];

/// A p-value is a probability, and the same for votes for and against. Whatever the choices, they give no more
/// votes than there are choices in which a feature varies, and a direction has votes.
pub fn lfd(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let mut votes = || bytes.word() >> (bytes.byte() % 32);
    let (pro, con) = (votes(), votes());
    let p = p_value(pro, con);
    assert!((0.0..=1.0).contains(&p), "{p} of {pro} and {con}");
    assert_eq!(p.to_bits(), p_value(con, pro).to_bits());

    let mut votes = Votes::<Features>::none();
    let alpha = bytes.likely(&[0.05, 0.5]);
    let mut choices = 0u32;
    while !bytes.is_empty() {
        let outcomes = (0..bytes.byte() % 8).map(|_| Outcome {
            action: bytes.byte(),
            promise: bytes.short(),
            features: std::array::from_fn(|_| bytes.short()),
        });
        let outcomes: Vec<Outcome<Features>> = outcomes.collect();
        votes.count(&outcomes, bytes.byte(), alpha);
        choices += 1;
    }
    for (tally, direction) in votes.tallies().iter().zip(votes.directions()) {
        assert!(u32::from(tally.varied) <= choices);
        assert!(tally.pro + tally.con <= tally.varied, "{tally:?}");
        match direction {
            Direction::Pro => assert!(tally.pro > 0),
            Direction::Con => assert!(tally.con > 0),
            Direction::Undecided => assert!(!votes.is_complete()),
        }
    }
}
