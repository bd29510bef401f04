//! Traits that are implemented in the crate and nowhere else. What an implementation elsewhere also lacks are the
//! items of the trait; with them, the other half of the errors would be left.
// refused: the trait bound `MyArray: … is not satisfied
// refused: the trait bound `MyList: … is not satisfied
// refused: the trait bound `MyCodec: … is not satisfied
// refused: the trait bound `MyLabels: … is not satisfied
// refused: the trait bound `MyRegularisation: … is not satisfied
// refused: the trait bound `MyValues: … is not satisfied
// refused: not all trait items implemented … Array for MyArray
// refused: not all trait items implemented … List<i16> for MyList
// refused: not all trait items implemented … Codec for MyCodec
// refused: not all trait items implemented … Labels for MyLabels
// refused: not all trait items implemented … Regularisation for MyRegularisation
// refused: not all trait items implemented … Valuation<[u8; 4]> for MyValues
fn main() {}

#[cfg(refused)]
mod mine {
    use ipse::array::{Array, List};
    use ipse::learner::labels::Labels;
    use ipse::learner::m_learning::Regularisation;
    use ipse::prelude::Codec;
    use ipse::rollout::Valuation;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct MyArray;

    impl AsRef<[i16]> for MyArray {
        fn as_ref(&self) -> &[i16] {
            &[]
        }
    }

    impl Array for MyArray {
        type Item = i16;
    }

    #[derive(Clone, Debug, Default)]
    struct MyList;

    impl std::ops::Deref for MyList {
        type Target = [i16];

        fn deref(&self) -> &[i16] {
            &[]
        }
    }

    impl List<i16> for MyList {}

    struct MyCodec;

    impl Codec for MyCodec {}

    #[derive(Clone, Copy, Debug)]
    struct MyLabels;

    impl Labels for MyLabels {}

    #[derive(Clone, Copy, Debug)]
    struct MyRegularisation;

    impl Regularisation for MyRegularisation {}

    #[derive(Clone, Debug)]
    struct MyValues;

    impl Valuation<[u8; 4]> for MyValues {}
}
