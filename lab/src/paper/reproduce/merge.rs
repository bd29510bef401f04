//! `reproduce merge`: the parts that several machines made, as one result.

use super::experiment::Experiment;
use super::folder::{Folder, damaged, must_be};
use super::picture::X;
use super::results::{Key, Results};
use super::settings::{Settings, What};
use super::{PlanArgs, ablations, figure2, table};
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// Join what `--shard` made
///
/// The parts may be in one folder, if all machines can write to it, or in
/// several. Nothing is written until every replication is there; --algorithms
/// and --replications say which these are, as they did for the shards.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  parallel cargo ipse reproduce figure2 --shard {}/4 ::: 1 2 3 4
  cargo ipse reproduce merge --out results/figure2

  cargo ipse reproduce merge from-one/ from-two/ --out results/both")]
pub struct Args {
    /// Folders with parts, besides that of --out
    #[arg(value_name = "FOLDER")]
    parts: Vec<PathBuf>,

    /// The folder for the whole
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    #[command(flatten)]
    plan: PlanArgs,
}

pub fn run(args: &Args) -> Result {
    let mut folders: Vec<&Path> = args.parts.iter().map(|part| &**part).collect();
    if args.parts.is_empty() || args.out.exists() {
        folders.push(&args.out);
    }
    let (_, settings) = Folder::open(folders[0])?;
    let experiment = experiment(settings, folders[0])?;
    let mut results = Results::default();
    for path in &folders {
        let (folder, settings) = Folder::open(path)?;
        must_be(&settings.fields(), &experiment.settings.fields(), path)?;
        folder.read(&experiment, None, &mut results)?;
    }
    all_there(&experiment, &args.plan, &results)?;
    let folder = Folder::claim(&args.out, &experiment.settings.fields())?;
    match experiment.settings.reproduces {
        What::Ablations => ablations::show(&experiment, &folder, &results),
        _ => figure2::show(&experiment, &folder, &results, &[X::Iterations, X::Calls]),
    }
}

/// Reads the settings and the table of a folder and returns the table as it would be written.
pub fn reread(settings: &[u8], table: &[u8]) -> Result<String> {
    let path = Path::new("results");
    let settings = Settings::parse(settings).map_err(Error::File)?;
    let experiment = experiment(settings, path)?;
    let mut results = Results::default();
    table::read(table, &experiment, &mut results).map_err(|damage| damaged(path, &damage))?;
    Ok(results.to_csv(&experiment))
}

fn experiment(settings: Settings, path: &Path) -> Result<Experiment> {
    match settings.reproduces {
        What::Figure2 => Ok(figure2::experiment(settings)),
        What::Ablations => Ok(ablations::experiment(settings)),
        What::Figure1 => Err(Error::File(format!(
            "{} has a single run; there is nothing to merge",
            path.display()
        ))),
    }
}

fn all_there(experiment: &Experiment, plan: &PlanArgs, results: &Results) -> Result {
    let keys = plan.plan(experiment)?.keys();
    let missing: Vec<Key> = keys.into_iter().filter(|&key| !results.has(key)).collect();
    let Some(first) = missing.first() else {
        return Ok(());
    };
    Err(Error::File(format!(
        "{} replications are missing, the first is {}:{}; run the shards to their end, or give the \
         --algorithms and --replications that they had",
        missing.len(),
        experiment.arms[first.arm].name,
        first.replication
    )))
}
