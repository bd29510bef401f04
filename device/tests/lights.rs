//! What LEDs show: a single one, and 5×5 of them.

use ipse::prelude::*;
use ipse::tetris::Tetris10x10;
use ipse_device::{Activity, Matrix};

fn picture(matrix: Matrix) -> String {
    let lit = |x, y| if matrix.is_lit(x, y) { '#' } else { '.' };
    let row = |y| (0..5).map(move |x| lit(x, y)).collect::<String>();
    (0..5).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_feature_has_two_leds_and_progress_a_column() {
    use Direction::{Con, Pro, Undecided};
    let directions = [Con, Pro, Undecided, Con, Pro, Con, Undecided, Pro];
    let matrix = Matrix::of_directions(&directions, 2);
    assert_eq!(picture(matrix), "#..#.\n.#...\n....#\n#.#..\n.##..");
    assert_eq!(Matrix::of_directions(&[], 0), Matrix::DARK);
    // What there is no room for is left out.
    let full = Matrix::of_directions(&[Pro; 32], 9);
    assert_eq!(picture(full), [".##.#"; 5].join("\n"));
}

#[test]
fn a_game_is_shown_by_the_third() {
    let game = Tetris10x10::default();
    let mut rng = XorShiftRng::seed_from_u64(1);
    let mut state = game.reset(&mut rng);
    assert_eq!(Matrix::of_state(&game, &state), Matrix::DARK);
    let weights = Policy::new::<Tetris10x10>(&[-1.0; 8]).unwrap();
    for _ in 0..6 {
        let action = weights.choose(&game, &state, &mut rng).unwrap();
        (state, _) = game.step(&state, action, &mut rng);
    }
    let shown = picture(Matrix::of_state(&game, &state));
    // It fills from below.
    assert!(
        shown.ends_with('#') || shown.lines().last().unwrap().contains('#'),
        "{shown}"
    );
    assert!(shown.starts_with("....."), "{shown}");
}

const ALL: [Activity; 6] = [
    Activity::Directions,
    Activity::Weights,
    Activity::Search,
    Activity::Playing,
    Activity::Paused,
    Activity::Fault,
];

/// The number of flashes in a period, and the milliseconds that the LED is lit.
fn seen(activity: Activity) -> (u32, u32) {
    let lit = |millis: u32| activity.is_lit((Activity::PERIOD + millis).into());
    let begins =
        |millis: &u32| lit(*millis) && !activity.is_lit((Activity::PERIOD + millis - 1).into());
    let millis = 0..Activity::PERIOD;
    (
        millis.clone().filter(begins).count() as u32,
        millis.filter(|millis| lit(*millis)).count() as u32,
    )
}

#[test]
fn every_activity_can_be_told_from_all_others_by_its_flashes() {
    let seen: Vec<_> = ALL.map(seen).into();
    assert_eq!(
        seen,
        [
            (1, 125),
            (2, 250),
            (3, 375),
            (1, 1000),
            (1, 1875),
            (8, 1000)
        ]
    );
    for activity in ALL {
        let after_a_day = u64::from(Activity::PERIOD) * 43_200;
        assert_eq!(activity.is_lit(after_a_day), activity.is_lit(0));
    }
}
