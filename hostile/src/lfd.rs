//! Directions from any votes.

use crate::bytes::Bytes;
use ipse::binomial::p_value;
use ipse::direction::Direction;
use ipse::environment::Outcome;
use ipse::lfd::Lfd;

const P: usize = 3;

/// A p-value is a probability, more so the more one-sided the votes are; and whatever the choices, a
/// feature has a direction that was voted for, or none.
pub fn lfd(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let (pro, con) = (
        bytes.word() >> (bytes.byte() % 32),
        bytes.word() >> (bytes.byte() % 32),
    );
    let p = p_value(pro, con);
    assert!((0.0..=1.0).contains(&p), "{p} of {pro} and {con}");
    assert_eq!(p.to_bits(), p_value(con, pro).to_bits());

    let mut lfd = Lfd::<P>::new();
    let alpha = bytes.likely(&[0.05, 0.5]);
    while !bytes.is_empty() {
        let outcomes: Vec<Outcome<P>> = (0..bytes.byte() % 8)
            .map(|_| Outcome {
                action: bytes.byte(),
                reward: bytes.short(),
                features: std::array::from_fn(|_| bytes.short()),
            })
            .collect();
        lfd.learn(&outcomes, bytes.byte(), alpha);
    }
    for (tally, direction) in lfd.tallies().iter().zip(lfd.directions()) {
        match direction {
            Direction::Pro => assert!(tally.pro > 0),
            Direction::Con => assert!(tally.con > 0),
            Direction::Undecided => assert!(!lfd.is_complete()),
        }
    }
}
