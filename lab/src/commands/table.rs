//! `ipse table`: every learner on every task, after several numbers of calls, beside the rules that people would write.

use crate::args::{SeriesArgs, TaskArgs, at_least_one, seed};
use crate::commands::compare::{Kind, Variant};
use crate::destination::Destination;
use crate::entry::Entries;
use crate::error::{Error, Result};
use crate::figures::decimal;
use crate::games::Series;
use crate::summary::Estimate;
use crate::task::{Setup, Task};
use crate::training::{FRESH_GAMES, Training, evaluation_seed};
use crate::{input, parallel, progress};
use indicatif::HumanCount;
use std::io::{self, Write};
use std::path::PathBuf;

/// Compare all learners on all tasks, as a table in Markdown
///
/// Every learner starts from nothing on every seed. An agent is scored when it
/// has made the calls of each column; a search, which plans with its calls, is
/// run anew for each. Scores are means over seeds, with their standard errors.
#[derive(clap::Args)]
#[command(
    after_long_help = format!("\
How it is scored:
{}

Examples:
  table --seeds 5 --calls 100000
  table --into TASKS.md", FRESH_GAMES)
)]
pub struct Args {
    #[command(flatten)]
    task: TaskArgs,

    /// After how many calls to score, with commas between
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = at_least_one::<u32>)]
    #[arg(default_value = "100000,300000,700000,1400000")]
    calls: Vec<u32>,

    /// How many runs of each
    #[arg(long, value_name = "N", default_value = "20", value_parser = at_least_one::<u64>)]
    seeds: u64,

    /// The seed of the first run; the others follow
    #[arg(long, value_name = "S", default_value = "5001", value_parser = seed)]
    first_seed: u64,

    #[command(flatten, next_help_heading = "Evaluation")]
    series: SeriesArgs,

    /// Put the table between the lines `<!-- table -->` and `<!-- /table -->` of FILE
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
}

/// The learners that are compared on every task.
const LEARNERS: [&str; 5] = [
    "ipse-paper",
    "ipse",
    "ipse --average",
    "search --returns",
    "search --survival",
];

pub fn all(args: &Args, entries: &Entries) -> Result {
    let into = match &args.into {
        Some(file) => Some((Destination::new(file)?, Page::read(file)?)),
        None => None,
    };
    let mut text = String::new();
    for table in entries.each(args.task.task.as_deref(), |bench| bench.table(args))? {
        text += &table?;
    }
    match into {
        Some((destination, page)) => destination.write(page.with(&text)),
        None => Ok(io::stdout().write_all(text.as_bytes())?),
    }
}

/// A page with a place for tables.
struct Page {
    before: String,
    after: String,
}

/// The largest page that is read, in bytes.
const LARGEST: usize = 1 << 24;
const START: &str = "<!-- table -->\n";
const END: &str = "<!-- /table -->";

impl Page {
    fn read(file: &std::path::Path) -> Result<Self> {
        let refused = |problem: &str| Error::File(format!("{}: {problem}", file.display()));
        let text = input::read_file(file, LARGEST).map_err(|error| refused(&error.to_string()))?;
        let text = String::from_utf8(text).map_err(|error| refused(&error.to_string()))?;
        let page = || {
            let (before, rest) = text.split_once(START)?;
            let (_, after) = rest.split_once(END)?;
            Some(Page {
                before: before.into(),
                after: after.into(),
            })
        };
        page().ok_or_else(|| {
            refused("it has no lines `<!-- table -->` and `<!-- /table -->` to put a table between")
        })
    }

    fn with(&self, table: &str) -> String {
        format!("{}{START}{table}{END}{}", self.before, self.after)
    }
}

/// The table of one task.
pub fn run<E: Task>(setup: &Setup<E>, args: &Args) -> Result<String> {
    if let Some(endless) = setup.measure.endless {
        return Err(Error::Usage(endless.into()));
    }
    let mut columns = args.calls.clone();
    columns.sort_unstable();
    columns.dedup();
    let learners: Vec<Row<E>> = LEARNERS
        .iter()
        .map(|name| Row::new(setup, name, &columns))
        .collect::<Result<_>>()?;
    let policies = setup
        .players
        .iter()
        .map(|(name, _)| *name)
        .chain(["random"]);
    let policies: Vec<Variant<E>> = policies
        .map(|name| Variant::parse(setup, name, u32::MAX))
        .collect::<Result<_>>()?;
    let jobs: Vec<Job<E>> = learners
        .iter()
        .flat_map(Row::jobs)
        .chain(policies.iter().map(|policy| (policy, &[][..])))
        .collect();
    let scores = scores(setup, args, &jobs);
    Ok(write(setup, args, &columns, &scores))
}

/// A learner, once for all columns or once for each.
struct Row<'a, E: Task> {
    variants: Vec<(Variant<'a, E>, Vec<u32>)>,
}

/// What is run, and after how many calls it is scored.
type Job<'v, E> = (&'v Variant<'v, E>, &'v [u32]);

impl<'a, E: Task> Row<'a, E> {
    fn new(setup: &'a Setup<E>, name: &str, columns: &[u32]) -> Result<Self> {
        let with = |calls: u32| {
            let text = format!("{name} --calls {calls}");
            let variant = Variant::parse(setup, &text, u32::MAX)?;
            Ok(Variant {
                name: name.into(),
                ..variant
            })
        };
        let plans = name.starts_with("search");
        let variants: Result<Vec<_>> = match (plans, columns.last()) {
            (true, _) => {
                let each = columns.iter();
                each.map(|&calls| Ok((with(calls)?, vec![calls]))).collect()
            }
            (false, Some(&last)) => with(last).map(|variant| vec![(variant, columns.to_vec())]),
            (false, None) => Ok(Vec::new()),
        };
        let variants = variants?;
        Ok(Row { variants })
    }

    fn jobs(&self) -> impl Iterator<Item = Job<'_, E>> {
        let variants = self.variants.iter();
        variants.map(|(variant, columns)| (variant, &columns[..]))
    }
}

/// What a learner or a policy comes to, with the number of calls if it learns.
struct Cell {
    name: String,
    calls: Option<u32>,
    score: Estimate,
}

/// All cells, from all runs.
fn scores<E: Task>(setup: &Setup<E>, args: &Args, jobs: &[Job<E>]) -> Vec<Cell> {
    let seeds = 0..args.seeds;
    let runs = args.seeds * jobs.len() as u64;
    let template = format!(
        "{}: {{bar:24.cyan/dim}} {{pos}} of {} runs{{left}}",
        setup.title(),
        HumanCount(runs)
    );
    let bar = progress::bar(runs, progress::style(&template));
    let all = seeds.flat_map(|seed| jobs.iter().map(move |job| (seed, job)));
    let runs: Vec<Vec<f64>> = parallel::map(args.series.threads(), all, |(number, job)| {
        let seed = args.first_seed.wrapping_add(number);
        let series = Series {
            threads: 1,
            ..args.series.with_seed(evaluation_seed(seed))
        };
        let scores = run_one(setup, job, seed, &series);
        bar.inc(1);
        scores
    });
    bar.finish_and_clear();
    let runs = &runs;
    let cells = jobs.iter().enumerate().flat_map(|(i, (variant, columns))| {
        let of = move |column: usize| -> Vec<f64> {
            let runs = runs.iter().skip(i).step_by(jobs.len());
            runs.map(|scores| scores[column]).collect()
        };
        (0..columns.len().max(1)).map(move |column| Cell {
            name: variant.name.clone(),
            calls: columns.get(column).copied(),
            score: Estimate::of(&of(column)),
        })
    });
    cells.collect()
}

/// The scores of a run after each of its columns, or the only one of a policy.
fn run_one<E: Task>(
    setup: &Setup<E>,
    (variant, columns): &Job<E>,
    seed: u64,
    series: &Series,
) -> Vec<f64> {
    match &variant.kind {
        Kind::Policy(named) => {
            let player = named.player();
            vec![series.score(setup, player.mind(), &setup.measure).mean]
        }
        Kind::Learner(learner) => {
            let mut training = Training::new(&learner.recipe, setup.task, seed);
            let policy_at = |&calls: &u32| {
                while training.calls < u64::from(calls) && !training.run.is_over() {
                    training.step();
                }
                training.run.policy()
            };
            let policies: Vec<_> = columns.iter().map(policy_at).collect();
            let scores = series.scores(setup, &policies, &setup.measure);
            scores.iter().map(|score| score.mean).collect()
        }
    }
}

fn write<E: Task>(setup: &Setup<E>, args: &Args, columns: &[u32], cells: &[Cell]) -> String {
    let short = |calls: u32| format!("{} M", f64::from(calls) / 1e6);
    let heads: Vec<String> = columns.iter().map(|&calls| short(calls)).collect();
    let mut text = format!(
        "## {}\n\nScored in {}, over {} seeds from {}, {} games each. The horizon of the return search is {}.\n\n\
         | learner, calls | {} |\n| --- | {}\n",
        setup.title(),
        setup.measure.unit,
        args.seeds,
        args.first_seed,
        args.series.games,
        setup.horizon,
        heads.join(" | "),
        "---: | ".repeat(heads.len()).trim_end(),
    );
    for name in LEARNERS {
        let row = cells.iter().filter(|cell| cell.name == name);
        let row: Vec<String> = row.map(|cell| estimate(&cell.score)).collect();
        let mark = match setup.learner {
            Some(preset) if preset.command() == name => " (default)",
            _ => "",
        };
        text += &format!("| `{name}`{mark} | {} |\n", row.join(" | "));
    }
    text += "\n| without learning | score |\n| --- | ---: |\n";
    for cell in cells.iter().filter(|cell| cell.calls.is_none()) {
        text += &format!("| {} | {} |\n", cell.name, estimate(&cell.score));
    }
    text + "\n"
}

/// With as many decimal places as its standard error needs.
fn estimate(estimate: &Estimate) -> String {
    let Some(error) = estimate.standard_error else {
        return decimal(estimate.mean, 1);
    };
    let places = match error {
        10.0.. => 0,
        0.095.. => 1,
        _ => 2,
    };
    format!(
        "{} ± {}",
        decimal(estimate.mean, places),
        decimal(error, places)
    )
}
