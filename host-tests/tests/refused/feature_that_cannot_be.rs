//! The bound and the unit of a feature are above zero.
// refused: the bound of a feature must be above 0
// refused: the unit of a feature must be finite and above 0
use ipse::prelude::Feature;

const OWLS: Feature = Feature::new("owls", if cfg!(refused) { 0 } else { 3 });
const SEEDS: Feature = Feature::new("seeds", 3).unit(if cfg!(refused) { -0.5 } else { 0.5 });

fn main() {
    let _ = (OWLS, SEEDS);
}
