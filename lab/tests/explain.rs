//! `ipse explain`, from outside.

mod common;

use common::{POSITION, SHAFT, answer, golden, json, json_lines, weights_file};
use ipse::policy::Policy;
use ipse::tetris::{BCTS, Board, Piece, State, Tetris10x10};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;
use serde_json::Value;

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_f64().unwrap())
        .collect()
}

fn some_positions() -> String {
    golden("afterstates.jsonl")
        .lines()
        .step_by(20)
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn reasons_add_up_to_the_balance_and_contributions_to_the_score() {
    for case in json_lines(&answer(
        &["explain", "--json", "--top", "34"],
        &some_positions(),
    )) {
        let placements = case["placements"].as_array().unwrap();
        assert_eq!(case["legal"], placements.len());
        for placement in placements {
            let number = |name: &str| placement[name].as_f64().unwrap();
            let sum = |name: &str| numbers(&placement[name]).iter().sum::<f64>();
            assert!((sum("reasons") - number("balance")).abs() < 1e-9);
            assert!((sum("contributions") - number("score")).abs() < 1e-9);
            let rival = placement["against"].as_u64().unwrap() as usize - 1;
            let margin = number("score") - placements[rival]["score"].as_f64().unwrap();
            assert!((margin - number("balance")).abs() < 1e-9);
        }
    }
}

#[test]
fn the_placements_are_those_of_features_with_the_best_first() {
    let positions = some_positions();
    let cases = json_lines(&answer(&["explain", "--json", "--top", "34"], &positions));
    let measured = json_lines(&answer(&["features"], &positions));
    for (case, measured) in cases.iter().zip(&measured) {
        let placements = case["placements"].as_array().unwrap();
        let scores: Vec<f64> = placements
            .iter()
            .map(|p| p["score"].as_f64().unwrap())
            .collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        let mut explained: Vec<Vec<f64>> = placements
            .iter()
            .map(|p| [numbers(&p["features"]), vec![p["rows"].as_f64().unwrap()]].concat())
            .collect();
        let mut expected: Vec<Vec<f64>> = measured["placements"]
            .as_array()
            .unwrap()
            .iter()
            .map(numbers)
            .collect();
        explained.sort_by(|a, b| a.partial_cmp(b).unwrap());
        expected.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(explained, expected);
    }
}

#[test]
fn the_first_placement_is_the_one_that_the_policy_takes() {
    let task = Tetris10x10::default();
    let policy = Policy::new::<Tetris10x10>(&BCTS).unwrap();
    let mut rng = XorShiftRng::seed_from_u64(1);
    let positions = some_positions();
    let cases = json_lines(&answer(&["explain", "--json"], &positions));
    for (case, position) in cases.iter().zip(json_lines(&positions)) {
        let columns = numbers(&position["columns"]);
        let columns: [u32; 10] = std::array::from_fn(|x| columns[x] as u32);
        let piece = position["piece"].as_str().unwrap().chars().next().unwrap();
        let board = Board::from_columns(columns).unwrap();
        let state = State {
            board,
            piece: Piece::from_letter(piece).unwrap(),
        };
        let Some(action) = policy.choose(&task, &state, &mut rng) else {
            assert_eq!(case["legal"], 0);
            continue;
        };
        let cells = serde_json::to_value(task.place(&state, action).unwrap().cells).unwrap();
        let listed = case["placements"].as_array().unwrap();
        let best = listed
            .iter()
            .filter(|other| other["score"] == listed[0]["score"]);
        assert!(
            best.map(|best| &best["cells"]).any(|best| *best == cells),
            "{position}"
        );
    }
}

/// The numbers at the ends of both sides of a line of a ledger, 0 where there is none.
fn sides(line: &str) -> [f64; 2] {
    let (pro, con) = line.rsplit_once('│').unwrap();
    [pro, con].map(|side| {
        side.split_whitespace()
            .next_back()
            .map_or(0., |n| n.parse().unwrap_or(0.))
    })
}

#[test]
fn what_is_printed_adds_up_to_what_is_printed() {
    for policy in ["bcts", "equal"] {
        let page = answer(&["explain", "--policy", policy], &some_positions());
        let lines: Vec<&str> = page.lines().collect();
        // A ledger is a heading, a rule, reasons, a rule, the totals and the balance.
        let rules: Vec<usize> = (0..lines.len())
            .filter(|&i| lines[i].contains('┼'))
            .collect();
        assert!(rules.len() > 60);
        for rule in rules.chunks(2) {
            let reasons = lines[rule[0] + 1..rule[1]].iter().map(|line| sides(line));
            let sum = reasons.fold([0.; 2], |[a, b], [pro, con]| [a + pro, b + con]);
            let [pro, con] = sides(lines[rule[1] + 1]);
            let [for_it, against_it] = sides(lines[rule[1] + 2]);
            assert!((sum[0] - pro).abs() < 1e-6 && (sum[1] - con).abs() < 1e-6);
            assert!((pro - con - (for_it - against_it)).abs() < 1e-6);
        }
        brief_reasons_add_up(&page);
    }
}

/// In what is told in brief, too.
fn brief_reasons_add_up(page: &str) {
    let mut sides = 0;
    for block in page.split("\n").collect::<Vec<_>>().windows(3) {
        let Some((_, title)) = block[0]
            .split_once(" behind the best")
            .map(|(title, _)| title.rsplit_once(", ").unwrap())
        else {
            continue;
        };
        let behind: f64 = title.parse().unwrap();
        let mut balance = 0.;
        for line in &block[1..] {
            let sign = match line.trim_start() {
                text if text.starts_with("Pro ") => 1.,
                text if text.starts_with("Con ") => -1.,
                _ => continue,
            };
            let (total, reasons) = line.trim_start()[4..].split_once(": ").unwrap();
            let total: f64 = total.parse().unwrap();
            balance += sign * total;
            sides += 1;
            // What weighs least may have no room.
            if reasons.ends_with('…') {
                continue;
            }
            let weights = reasons
                .split(", ")
                .map(|reason| reason.rsplit_once(' ').unwrap().1);
            let sum: f64 = weights.map(|weight| weight.parse::<f64>().unwrap()).sum();
            assert!((sum - total).abs() < 1e-6, "{line}");
        }
        assert!((balance + behind).abs() < 1e-6, "{block:?}");
    }
    assert!(sides > 60, "{sides}");
}

#[test]
fn the_best_is_first_and_all_of_it_is_on_one_screen() {
    for line in some_positions().lines() {
        let page = answer(&["explain"], line);
        // With a line for the prompt. A piece may stick out above the board.
        let sticks_out = page.lines().filter(|line| line.starts_with("  ")).count();
        assert!(page.lines().count() < 24 + sticks_out, "{page}");
        let first = page.find("\n1. ");
        assert!(first < page.find("\n2. ") || first.is_none(), "{page}");
    }
}

#[test]
fn the_position_that_is_shipped_is_explained() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/position.json");
    let page = answer(&["explain"], &std::fs::read_to_string(file).unwrap());
    assert!(
        page.starts_with("The best 3 of 17 placements of S under bcts"),
        "{page}"
    );
}

#[test]
fn a_page_fits_in_eighty_columns_and_is_plain_off_the_terminal() {
    let scaled = weights_file(
        "scaled.json",
        r#"{"weights":[-3e30,1e30,-1,-2e29,0,-1e30,-1e30,5e28]}"#,
    );
    for policy in ["bcts", "equal", "random", &scaled] {
        let page = answer(
            &["explain", "--policy", policy, "--top", "5"],
            &some_positions(),
        );
        assert!(!page.contains('\x1b'));
        for line in page.lines().filter(|line| !line.starts_with("The best")) {
            assert!(line.chars().count() <= 80, "{line}");
            assert_eq!(line, line.trim_end());
        }
    }
}

#[test]
fn the_piece_is_drawn_on_the_board_of_the_best() {
    let page = answer(&["explain", "--top", "4"], POSITION);
    assert_eq!(page.matches('└').count(), 1);
    assert_eq!(page.matches("██").count(), 4);
    // The board itself has 15 cells.
    assert_eq!(page.matches("▒▒").count(), 15);
}

#[test]
fn the_best_placement_completes_a_row_and_says_so() {
    let page = answer(&["explain", "--top", "1"], POSITION);
    assert!(
        page.contains("1. In columns 3 to 5, removing 1 row"),
        "{page}"
    );
    assert!(page.contains("├▒▒▒▒████▒▒▒▒▒▒▒▒▒▒▒▒┤"), "{page}");
}

#[test]
fn reasons_that_cancel_carry_a_letter_and_a_note() {
    // Here holes and eroded piece cells weigh nearly the same, one on each side.
    let position = golden("afterstates.jsonl")
        .lines()
        .nth(699)
        .unwrap()
        .to_owned();
    let page = answer(&["explain", "--top", "1"], &position);
    assert!(page.contains("a holes              "), "{page}");
    assert!(page.contains("a eroded piece cells "), "{page}");
    assert!(page.contains("struck out"), "{page}");
}

#[test]
fn three_placements_are_listed_unless_told_otherwise() {
    let listed = |args: &[&str]| {
        let page = answer(&[&["explain"], args].concat(), POSITION);
        page.lines()
            .filter(|line| line.contains(". In column"))
            .count()
    };
    assert_eq!(listed(&[]), 3);
    assert_eq!(listed(&["--top", "1"]), 1);
    assert_eq!(listed(&["--top", "99"]), 17);
}

#[test]
fn a_lost_game_is_said_to_be_lost() {
    let lost = SHAFT.replace('?', "O");
    assert_eq!(
        answer(&["explain"], &lost),
        "No placement of O is legal: the game is over.\n\n"
    );
    assert_eq!(
        json(&answer(&["explain", "--json"], &lost))["placements"],
        json("[]")
    );
}

#[test]
fn an_only_placement_is_drawn_without_a_ledger() {
    let page = answer(&["explain"], &SHAFT.replace('?', "I"));
    assert!(
        page.starts_with("There is one legal placement of I.\n"),
        "{page}"
    );
    assert!(
        page.contains("1. In column 1, removing 4 rows\n") && !page.contains("Pro"),
        "{page}"
    );
}

#[test]
fn a_policy_that_weighs_nothing_has_nothing_to_say() {
    let page = answer(&["explain", "--policy", "random"], POSITION);
    assert_eq!(
        page.matches("Nothing speaks for it or against it.").count(),
        3,
        "{page}"
    );
}
