//! The ledgers of a position, laid out for eighty columns.

use super::ledger::{Ledger, Reason, Scale, total};
use super::{Case, Placement};
use crate::draw::{BOLD, CON, PRO, Picture, dim, paint};
use anstyle::Style;
use ipse::environment::Environment;
use ipse::tetris::{Column, State, Tetris10x10};

const STRUCK: Style = Style::new().dimmed().strikethrough();

/// The widths of a name, of a number, and of a column with room for a letter in front.
const NAME: usize = 18;
const NUMBER: usize = 5;
const SIDE: usize = 2 + NAME + 1 + NUMBER;

pub fn write<const H: usize, C: Column>(case: &Case, state: &State<10, H, C>) -> String {
    let reasons = case
        .placements
        .iter()
        .flat_map(|placement| &placement.reasons);
    let scale = Scale::of(reasons.copied());
    let mut page = heading(case, scale) + "\n";
    let mut struck = false;
    for (rank, placement) in (1..).zip(&case.placements) {
        let mut picture = Picture::new(state.board.columns(), H);
        picture.put(state.piece, placement.cells);
        let ledger = Ledger::new(&placement.reasons, scale);
        struck |= ledger.pro.iter().any(|reason| reason.struck.is_some());
        let sheet = match placement.against {
            Some(_) => sheet(&ledger, scale),
            None => Vec::new(),
        };
        page += &format!("{}\n", paint(&title(rank, placement), BOLD));
        page += &side_by_side(&picture.lines(picture.rows()), &sheet);
        page += "\n";
    }
    if struck {
        page += &dim("Reasons with the same letter weigh about the same: they are struck out.");
        page += "\n\n";
    }
    page
}

fn heading(case: &Case, scale: Scale) -> String {
    let Case {
        policy,
        piece,
        legal,
        placements,
    } = case;
    let which = match (legal, placements.len()) {
        (0, _) => return format!("No placement of {piece} is legal: the game is over.\n"),
        (1, _) => return format!("There is one legal placement of {piece}.\n"),
        (_, 1) => "The best".into(),
        (_, n) => format!("The best {n}"),
    };
    let unit = match scale.exponent {
        0 => String::new(),
        exponent => format!(", in units of 1e{exponent}"),
    };
    format!("{which} of {legal} placements of {piece} under {policy}{unit}\n")
}

fn title(rank: usize, placement: &Placement) -> String {
    let columns = placement.cells.map(|(column, _)| column + 1);
    let (first, last) = columns
        .iter()
        .fold((u8::MAX, 0), |(a, b), &c| (a.min(c), b.max(c)));
    let place = match first == last {
        true => format!("column {first}"),
        false => format!("columns {first} to {last}"),
    };
    let removal = match placement.rows {
        0 => String::new(),
        1 => ", removing 1 row".into(),
        rows => format!(", removing {rows} rows"),
    };
    let rival = match placement.against {
        None => "",
        Some(1) => ", rather than the best",
        Some(_) => ", rather than the second best",
    };
    format!("{rank}. In {place}{removal}{rival}")
}

/// The two columns, their totals, and the balance on the side where it lies.
fn sheet(ledger: &Ledger, scale: Scale) -> Vec<String> {
    if ledger.pro.is_empty() && ledger.con.is_empty() {
        return vec!["  Nothing speaks for it or against it.".into()];
    }
    let line = |left: String, right: String| format!("{left} {} {right}", dim("│"));
    let rule = dim(&format!("{0}┼{0}", "─".repeat(SIDE + 1)));
    let blank = || " ".repeat(SIDE);
    let sum = |reasons| format!("{:>SIDE$}", scale.print(total(reasons)));

    let pro = format!("  {}{}", paint("Pro", PRO.bold()), " ".repeat(SIDE - 5));
    let con = format!("  {}", paint("Con", CON.bold()));
    let mut lines = vec![line(pro, con), rule.clone()];
    for i in 0..ledger.pro.len().max(ledger.con.len()) {
        let entry = |side: &[Reason], style| match side.get(i) {
            Some(reason) => entry(reason, scale, style),
            None => blank(),
        };
        lines.push(line(entry(&ledger.pro, PRO), entry(&ledger.con, CON)));
    }
    lines.push(rule);
    lines.push(line(sum(&ledger.pro), sum(&ledger.con)));
    let balance = ledger.balance();
    let text = format!("  balance{:>1$}", scale.print(balance.abs()), SIDE - 9);
    lines.push(match balance {
        0 => line("  even".to_owned() + &" ".repeat(SIDE - 6), String::new()),
        1.. => line(paint(&text, PRO.bold()), String::new()),
        _ => line(blank(), paint(&text, CON.bold())),
    });
    lines
}

fn entry(reason: &Reason, scale: Scale, style: Style) -> String {
    let name = Tetris10x10::FEATURES[reason.feature].name;
    let number = scale.print(reason.weight);
    let gap = " ".repeat((NAME + 1 + NUMBER).saturating_sub(name.len() + number.len()));
    match reason.struck {
        None => format!("  {name}{gap}{}", paint(&number, style)),
        Some(letter) => {
            let letter = dim(&letter.to_string());
            format!(
                "{letter} {}{gap}{}",
                paint(name, STRUCK),
                paint(&number, STRUCK)
            )
        }
    }
}

/// Puts two blocks of lines beside each other. The first is as wide as a picture.
fn side_by_side(left: &[String], right: &[String]) -> String {
    let blank = " ".repeat(Picture::WIDTH);
    let mut text = String::new();
    for i in 0..left.len().max(right.len()) {
        let (left, right) = (
            left.get(i).unwrap_or(&blank),
            right.get(i).map_or("", |line| line),
        );
        text += format!("{left}  {right}").trim_end();
        text.push('\n');
    }
    text
}
