//! `ipse tasks`: what there is to learn.

use crate::draw::{BOLD, dim, for_stdout, paint, wrapped};
use crate::entry::{Entries, Facts};
use crate::error::Result;
use std::io::{self, Write};

/// List the tasks of this lab
#[derive(clap::Args)]
pub struct Args {
    /// Print one JSON object a task
    #[arg(long)]
    json: bool,
}

pub fn run(entries: &Entries, args: &Args) -> Result {
    let mut text = String::new();
    for facts in entries.facts() {
        text += &match args.json {
            true => serde_json::to_string(&facts).expect("facts are JSON") + "\n",
            false => paragraph(&facts),
        };
    }
    let text = match args.json {
        true => text,
        false => for_stdout(&text),
    };
    Ok(io::stdout().write_all(text.as_bytes())?)
}

fn paragraph(facts: &Facts) -> String {
    let about = match facts.about {
        "" => String::new(),
        about => format!("  {about}"),
    };
    let learner = facts.learner.unwrap_or("found out by train");
    let mut text = format!("{}{about}\n", paint(facts.name, BOLD));
    for (name, value) in [
        ("features", facts.features.join(", ")),
        ("actions", format!("at most {}", facts.actions)),
        ("scored in", facts.unit.into()),
        ("policies", facts.policies.join(", ")),
        ("learner", learner.into()),
    ] {
        text += &entry(name, &value);
    }
    text + "\n"
}

/// The width of the value of an entry.
const WIDTH: usize = 64;

/// A name, and its value in as many lines as it takes.
fn entry(name: &str, value: &str) -> String {
    let lines = wrapped(value, WIDTH);
    let name = dim(&format!("{name:<10}"));
    format!("  {name}  {}\n", lines.join(&format!("\n{:14}", "")))
}
