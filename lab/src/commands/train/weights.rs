//! What was learned, feature by feature.

use super::Job;
use crate::draw::{BOLD, CON, PRO, dim, paint};
use crate::figures::decimal;
use crate::task::Task;
use crate::training::Training;
use ipse::direction::Direction;
use ipse::learner::lfd::Tally;

/// The width of the longest bar on either side of zero.
const SIDE: usize = 7;

/// The weights, scaled so that the largest is 1 or −1.
pub fn table<E: Task>(job: &Job<E>, training: &Training<E>) -> String {
    let run = &training.run;
    let (weights, directions, features) = (run.weights(), run.directions(), E::FEATURES);
    let weights = weights.as_ref();
    let largest = weights.iter().fold(0., |most: f32, w| w.abs().max(most));
    let names = features
        .as_ref()
        .iter()
        .map(|feature| feature.name.chars().count());
    let width = names.fold("feature".len(), usize::max);
    let mut table = heading(job, width);
    let mut contradiction = false;
    let rows = features.as_ref().iter().zip(directions.as_ref());
    for (i, ((feature, decided), weight)) in rows.zip(weights).enumerate() {
        let weight = if largest > 0. {
            f64::from(*weight) / f64::from(largest)
        } else {
            0.
        };
        let mark = if contradicts(weight, *decided) {
            '!'
        } else {
            ' '
        };
        contradiction |= mark == '!';
        table += &format!(
            "  {:<width$}  {}  {:>6}{mark} {}",
            feature.name,
            direction(*decided),
            decimal(weight, 2),
            signed_bar(weight)
        );
        if let Some(votes) = run.votes() {
            let then = training.decisions[i].map_or("–".into(), pro_and_con);
            let now = pro_and_con(votes.tallies().as_ref()[i]);
            table += &format!("  {then:>9}  {now:>9}");
        }
        table += "\n";
    }
    if job.learner.learns_directions(job.algorithm) {
        table += "\nVotes are pro:con, when the direction was decided and now.\n";
    }
    if contradiction {
        table += "! The weight contradicts the direction.\n";
    }
    if let Some(file) = &job.args.out {
        let file = file.display();
        table += &format!("\nWritten to {file}; play with it by --policy {file}\n");
    }
    table
}

fn heading<E: Task>(job: &Job<E>, width: usize) -> String {
    let title = format!(
        "The weights, with directions {}",
        job.learner.origin_of_directions(job.algorithm)
    );
    let mut columns = format!(
        "  {:<width$}  {:<9}  {:>6}",
        "feature", "direction", "weight"
    );
    if job.learner.learns_directions(job.algorithm) {
        columns += &format!(
            "{:w$}  {:>9}  {:>9}",
            "",
            "decided",
            "now",
            w = 2 * SIDE + 3
        );
    }
    format!("\n{}\n\n{}\n", paint(&title, BOLD), dim(&columns))
}

/// Returns whether a weight has another sign than its direction.
fn contradicts(weight: f64, direction: Direction) -> bool {
    weight * f64::from(direction.sign()) < 0.
}

fn pro_and_con(tally: Tally) -> String {
    format!("{}:{}", tally.pro, tally.con)
}

fn direction(direction: Direction) -> String {
    let padded = |name| format!("{name:<9}");
    match direction {
        Direction::Pro => paint(&padded("pro"), PRO),
        Direction::Con => paint(&padded("con"), CON),
        Direction::Undecided => dim(&padded("undecided")),
    }
}

/// To the left of the axis or to the right of it, to half a character.
fn signed_bar(weight: f64) -> String {
    let halves = (weight.abs() * 2. * SIDE as f64).round() as usize;
    let (whole, odd) = ("█".repeat(halves / 2), halves % 2 == 1);
    let axis = dim("│");
    if weight < 0. {
        let bar = if odd { "▐" } else { "" }.to_owned() + &whole;
        format!("{}{axis}{:SIDE$}", paint(&format!("{bar:>SIDE$}"), CON), "")
    } else {
        let bar = whole + if odd { "▌" } else { "" };
        format!("{:SIDE$}{axis}{}", "", paint(&format!("{bar:<SIDE$}"), PRO))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_contradicts_the_opposite_direction_and_nothing_else() {
        assert!(contradicts(0.1, Direction::Con) && contradicts(-0.1, Direction::Pro));
        assert!(!contradicts(0.1, Direction::Pro) && !contradicts(-0.1, Direction::Con));
        assert!(!contradicts(0.1, Direction::Undecided) && !contradicts(0., Direction::Con));
    }
}
