//! `ipse reproduce`: the paper's experiments, from the runs to the pictures.

mod ablations;
mod contender;
mod curve;
mod experiment;
mod figure1;
mod figure2;
mod folder;
mod journal;
mod markdown;
mod merge;
mod picture;
mod replication;
mod report;
mod results;
mod runner;
mod settings;
mod shard;
mod table;

use crate::args::at_least_one;
use crate::error::{Error, Result};
use crate::output::tell;
use crate::parallel;
use experiment::Experiment;
use folder::Folder;
use replication::Replication;
use results::Key;
use runner::Plan;
use shard::Shard;
use std::io::Write;
use std::path::{Path, PathBuf};

pub use merge::reread;

/// Reproduce the experiments of the paper
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Figure1(figure1::Args),
    Figure2(figure2::Args),
    Ablations(ablations::Args),
    Merge(merge::Args),
}

pub fn run(args: &Args) -> Result {
    match &args.what {
        What::Figure1(args) => figure1::run(args),
        What::Figure2(args) => figure2::run(args),
        What::Ablations(args) => ablations::run(args),
        What::Merge(args) => merge::run(args),
    }
}

/// Which replications there shall be.
#[derive(clap::Args)]
struct PlanArgs {
    /// What to run, with commas between; everything if not given
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        visible_alias = "variants"
    )]
    algorithms: Vec<String>,

    /// How many runs of each; 100 if not given, but of cbmpi 20
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    replications: Option<u64>,
}

impl PlanArgs {
    fn plan(&self, experiment: &Experiment) -> Result<Plan> {
        let arms = experiment.positions(&self.algorithms)?;
        let count = |arm: usize| {
            self.replications
                .unwrap_or(experiment.arms[arm].replications)
        };
        Ok(Plan {
            replications: arms.into_iter().map(|arm| (arm, count(arm))).collect(),
        })
    }
}

/// How they are run.
#[derive(clap::Args)]
struct RunArgs {
    /// Run part I of N only, as one of several machines; `reproduce merge` joins the parts
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Run one replication, say ipse:17, print its rows and write nothing
    #[arg(long, value_name = "NAME:R", conflicts_with_all = ["shard", "algorithms", "replications"])]
    only: Option<String>,

    /// Threads to work on; all cores if not given
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    threads: Option<u64>,
}

/// Runs what is missing in the folder `out`. Returns nothing if there is nothing to be shown of it,
/// because others do their part.
fn carry_out(
    experiment: &Experiment,
    plan: &PlanArgs,
    args: &RunArgs,
    out: &Path,
) -> Result<Option<(Folder, results::Results)>> {
    if let Some(only) = &args.only {
        let key = parse_only(only, experiment)?;
        let run = Replication::run(
            experiment,
            &experiment.arms[key.arm],
            key.replication,
            |_| (),
        );
        let rows = table::rows(experiment, key, &run);
        std::io::stdout().write_all((table::HEADER.to_owned() + &rows).as_bytes())?;
        return Ok(None);
    }
    let plan = plan.plan(experiment)?;
    let folder = Folder::claim(out, &experiment.settings.fields())?;
    let threads = args.threads.unwrap_or_else(parallel::cores);
    let shard = args.shard.unwrap_or(Shard::ALL);
    let results = runner::run(experiment, &plan, &folder, shard, threads)?;
    if args.shard.is_some() {
        tell!(
            "shard {}/{} is done; when all are: cargo ipse reproduce merge --out {}",
            shard.part,
            shard.of,
            out.display()
        );
        return Ok(None);
    }
    Ok(Some((folder, results)))
}

fn parse_only(only: &str, experiment: &Experiment) -> Result<Key> {
    let wrong = || Error::Usage(format!("--only {only}: give NAME:R, as in ipse:17"));
    let (name, replication) = only.rsplit_once(':').ok_or_else(wrong)?;
    let replication = at_least_one(replication).map_err(|_| wrong())?;
    let arm = experiment
        .position(name)
        .ok_or_else(|| experiment.unknown(name))?;
    Ok(Key { arm, replication })
}

/// Where results go if the user does not say.
fn default_out(what: settings::What) -> PathBuf {
    Path::new("results").join(what.name())
}
