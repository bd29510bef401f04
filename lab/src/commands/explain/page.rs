//! The ledgers of a state, laid out for eighty columns.

use super::ledger::{Ledger, Reason, Scale, total};
use super::{Case, Judged};
use crate::draw::{BOLD, CON, PRO, dim, paint};
use crate::task::{Setup, Task};
use anstyle::Style;
use console::measure_text_width;

/// The columns that a list of reasons may take, and what stands for those for which there is no room.
const LINE: usize = 73;
const MORE: &str = ", …";

const STRUCK: Style = Style::new().dimmed().strikethrough();

/// The widths of a name, of a number, and of a column with room for a letter in front.
const NAME: usize = 18;
const NUMBER: usize = 5;
const SIDE: usize = 2 + NAME + 1 + NUMBER;

pub fn write<E: Task>(case: &Case, setup: &Setup<E>, state: &E::State) -> String {
    let names = setup.feature_names();
    let reasons = case.best.iter().flat_map(|judged| &judged.reasons);
    let scale = Scale::of(reasons.copied());
    let mut page = String::new();
    for line in setup.view.state(&setup.task, state) {
        page += &format!("{line}\n");
    }
    page += &(heading(case, &setup.view.subject(state), setup.view.whole(), scale) + "\n");
    let mut struck = false;
    for (rank, judged) in (1..).zip(&case.best) {
        let ledger = Ledger::new(&judged.reasons, scale);
        let does = setup.view.action(&setup.task, state, judged.action);
        page += &format!(
            "{}\n",
            paint(&title(rank, &does, judged, &ledger, scale), BOLD)
        );
        if rank > 1 {
            page += &in_brief(&ledger, scale, &names);
            continue;
        }
        let picture = setup.view.picture(&setup.task, state, judged.action);
        struck |= ledger.pro.iter().any(|reason| reason.struck.is_some());
        let sheet = match judged.against {
            Some(_) => sheet(&ledger, scale, &names),
            None => Vec::new(),
        };
        page += &side_by_side(&picture, &sheet);
        if struck {
            page += &dim("Reasons with the same letter weigh about the same: they are struck out.");
            page += "\n";
        }
        page += "\n";
    }
    if case.best.len() > 1 {
        page += "\n";
    }
    page
}

/// The reasons of an action that is not the best, a line for each side, the weightiest first.
fn in_brief(ledger: &Ledger, scale: Scale, names: &[&str]) -> String {
    if ledger.pro.is_empty() && ledger.con.is_empty() {
        return "   Nothing speaks for it or against it.\n".into();
    }
    let side = |name: &str, style: Style, reasons: &[Reason]| {
        if reasons.is_empty() {
            return String::new();
        }
        let mut list = scale.print(total(reasons)) + ": ";
        for (i, reason) in reasons.iter().enumerate() {
            let name = names[reason.feature];
            let comma = if i == 0 { "" } else { ", " };
            let entry = format!("{comma}{name} {}", scale.print(reason.weight));
            let room = if i + 1 < reasons.len() {
                LINE - MORE.chars().count()
            } else {
                LINE
            };
            if list.chars().count() + entry.chars().count() > room {
                list += MORE;
                break;
            }
            list += &entry;
        }
        format!("   {} {list}\n", paint(name, style))
    };
    side("Pro", PRO, &ledger.pro) + &side("Con", CON, &ledger.con)
}

fn heading(case: &Case, subject: &str, whole: &str, scale: Scale) -> String {
    let Case {
        policy,
        noun,
        legal,
        best,
        ..
    } = case;
    let which = match (legal, best.len()) {
        (0, _) => return format!("No {noun}{subject} is legal: the {whole} is over.\n"),
        (1, _) => return format!("There is one legal {noun}{subject}.\n"),
        (_, 1) => "The best".into(),
        (_, n) => format!("The best {n}"),
    };
    let unit = match scale.exponent {
        0 => String::new(),
        exponent => format!(", in units of 1e{exponent}"),
    };
    format!("{which} of {legal} {noun}s{subject} under {policy}{unit}\n")
}

fn title(rank: usize, does: &str, judged: &Judged, ledger: &Ledger, scale: Scale) -> String {
    let rival = match (judged.against, ledger.balance()) {
        (None, _) => String::new(),
        (Some(1), 0) => ", even with the best".into(),
        (Some(1), balance) => format!(", {} behind the best", scale.print(balance.abs())),
        (Some(_), _) => ", rather than the second best".into(),
    };
    format!("{rank}. {does}{rival}")
}

/// The two columns, their totals, and the balance on the side where it lies.
fn sheet(ledger: &Ledger, scale: Scale, names: &[&str]) -> Vec<String> {
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
            Some(reason) => entry(reason, scale, names[reason.feature], style),
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

fn entry(reason: &Reason, scale: Scale, name: &str, style: Style) -> String {
    let name: String = name.chars().take(NAME).collect();
    let number = scale.print(reason.weight);
    let gap = " ".repeat((NAME + 1 + NUMBER).saturating_sub(name.chars().count() + number.len()));
    match reason.struck {
        None => format!("  {name}{gap}{}", paint(&number, style)),
        Some(letter) => {
            let letter = dim(&letter.to_string());
            format!(
                "{letter} {}{gap}{}",
                paint(&name, STRUCK),
                paint(&number, STRUCK)
            )
        }
    }
}

/// Puts two blocks of lines beside each other. The lines of the first are equally wide.
fn side_by_side(left: &[String], right: &[String]) -> String {
    let width = left.first().map_or(0, |line| measure_text_width(line));
    let blank = " ".repeat(width);
    let gap = if left.is_empty() { "" } else { "  " };
    let mut text = String::new();
    for i in 0..left.len().max(right.len()) {
        let (left, right) = (
            left.get(i).unwrap_or(&blank),
            right.get(i).map_or("", |line| line),
        );
        text += format!("{left}{gap}{right}").trim_end();
        text.push('\n');
    }
    text
}
