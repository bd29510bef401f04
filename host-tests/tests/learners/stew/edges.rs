//! Problems at the edge of being problems.

use super::{PASSES_MAX, Problem};
use ipse::learner::stew::Fit;

const ZERO: [f32; 3] = [0.; 3];
const STARTS: [[f32; 3]; 4] = [ZERO, [1., 1., 1.], [-2., 3., 0.5], [-40., 40., 0.]];

/// Two choices that no weights explain perfectly, for they contradict each other.
const CONTRADICTION: [(&[[i16; 3]], usize); 3] = [
    (&[[2, 0, 1], [0, 3, 0], [1, 1, 4]], 0),
    (&[[2, 0, 1], [0, 3, 0], [1, 1, 4]], 2),
    (&[[1, 5, 0], [0, 2, 3]], 1),
];

/// More of everything was always chosen.
const SEPARABLE: [(&[[i16; 3]], usize); 2] = [
    (&[[1, 2, 3], [0, 1, 2], [1, 1, 1]], 0),
    (&[[4, 0, 0], [5, 1, 1]], 1),
];

fn assert_all_near(beta: &[f32], expected: f32, tolerance: f32) {
    let is_near = |b: &f32| (b - expected).abs() <= tolerance;
    assert!(beta.iter().all(is_near), "{beta:?}, not {expected}");
}

#[test]
fn perfectly_explained_choices_without_a_penalty_have_finite_weights() {
    let problem = Problem::new(0., &SEPARABLE);
    for start in STARTS {
        let fit = problem.fit(start);
        assert!(fit.value() < 0.01, "{fit:?}");
        let reference = problem.reference();
        let left = reference.value(&fit.beta().map(f64::from));
        assert!(left < 0.01, "{left} at the end of {fit:?}");
    }
}

#[test]
fn what_is_explained_perfectly_stays_so() {
    let problem = Problem::new(0., &[(&[[3, -3, 0], [-2, 3, 0]], 1)]);
    let fit = problem.fit([-1., 2., 0.]);
    let left = problem.reference().value(&fit.beta().map(f64::from));
    assert!(left < 0.01, "{left} at the end of {fit:?}");
}

#[test]
fn a_start_in_the_opposite_direction_is_overcome() {
    let problem = Problem::new(0., &[(&[[1, 5, 0], [-3, -3, 0]], 0)]);
    let fit = problem.fit([1., -1., 0.]);
    let left = problem.reference().value(&fit.beta().map(f64::from));
    assert!(left < 0.01, "{left} at the end of {fit:?}");
}

#[test]
fn a_single_choice_is_enough() {
    let problem = Problem::new(1., &SEPARABLE[..1]);
    for start in STARTS {
        let fit = problem.fit(start);
        assert!(fit.beta().iter().all(|b| *b > 0.), "{fit:?}");
    }
}

#[test]
fn where_there_is_no_alternative_there_is_nothing_to_learn() {
    let no_choices: [(&[[i16; 3]], usize); 0] = [];
    let one_action: [(&[[i16; 3]], usize); 2] = [(&[[7, -3, 9]], 0), (&[[1, 1, 1]], 0)];
    let identical: [(&[[i16; 3]], usize); 1] = [(&[[7, -3, 9], [7, -3, 9], [7, -3, 9]], 1)];
    let missing: [(&[[i16; 3]], usize); 1] = [(&[[7, -3, 9], [1, 1, 1]], 2)];
    for sets in [&no_choices[..], &one_action, &identical, &missing] {
        for lambda in [0., 1.] {
            for start in STARTS {
                let problem = Problem::new(lambda, sets);
                let fit = problem.fit(start);
                let value = |beta: &[f32; 3]| problem.reference().value(&beta.map(f64::from));
                let gain = value(&ZERO) - value(fit.beta());
                assert!(gain.abs() < 1e-4, "{gain} at the end of {fit:?}");
            }
        }
    }
}

#[test]
fn a_choice_of_what_was_not_there_is_left_out() {
    let mut sets = CONTRADICTION.to_vec();
    sets.push((&[[2, -1, 4], [1, 1, 1]], 2));
    let with = Problem::new(0.1, &sets);
    let without = Problem::new(0.1, &CONTRADICTION);
    assert_eq!(with.objective, without.objective);
    assert_eq!(with.fit(ZERO), without.fit(ZERO));
}

#[test]
fn a_huge_penalty_makes_all_weights_equal() {
    for lambda in [1e3, 1e6, 1e9, f32::MAX, f32::INFINITY] {
        for start in STARTS {
            let fit = Problem::new(lambda, &CONTRADICTION).fit(start);
            let [first, ..] = *fit.beta();
            assert!(first.abs() > 1e-3, "{fit:?}");
            assert_all_near(fit.beta(), first, 1e-2 * first.abs());
        }
    }
}

#[test]
fn a_penalty_below_zero_is_none() {
    let none = Problem::new(0., &CONTRADICTION).fit(ZERO);
    for lambda in [-0., -1., -1e30, f32::NEG_INFINITY] {
        assert_eq!(Problem::new(lambda, &CONTRADICTION).fit(ZERO), none);
    }
}

#[test]
fn a_penalty_that_is_not_a_number_still_gives_finite_weights() {
    let problem = Problem::new(f32::NAN, &CONTRADICTION);
    for start in STARTS {
        let mut fit = Fit::new(&start);
        while !fit.pass(&problem.objective, &problem) {}
        assert!(fit.passes() <= PASSES_MAX);
        assert!(fit.beta().iter().all(|b| b.is_finite()), "{fit:?}");
    }
}

#[test]
fn features_as_large_as_they_can_be_do_not_overflow() {
    const M: i16 = i16::MAX;
    let sets: [(&[[i16; 3]], usize); 3] = [
        (&[[M, -M, M], [-M, M, -M], [0, 0, 0]], 0),
        (&[[M, M, M], [-M, -M, -M]], 1),
        (&[[M, 0, -M], [M, 1, -M], [M, 0, 1 - M]], 2),
    ];
    for lambda in [0., 1e-3, 1., 1e6] {
        for start in STARTS {
            Problem::new(lambda, &sets).fit(start);
        }
    }
}

#[test]
fn a_feature_without_a_direction_weighs_as_much_as_the_others_on_average() {
    let problem = Problem::new(0.5, &CONTRADICTION).with_units([1., 0., -1.]);
    for start in STARTS {
        let [a, undecided, b] = *problem.fit(start).beta();
        assert_all_near(&[undecided], (a + b) / 2., 1e-3);
    }
}

#[test]
fn a_start_that_is_not_finite_is_zero() {
    let problem = Problem::new(0.1, &CONTRADICTION);
    let start = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    assert_eq!(problem.fit(start), problem.fit(ZERO));
}
