//! `ipse play`: games with frozen weights, and what they come to.

mod report;
mod watch;

use crate::args::{GameArgs, Height, SeriesArgs, with_game};
use crate::draw::for_stdout;
use crate::error::Result;
use crate::games::Progress;
use crate::policy::{self, Weights};
use std::io::{self, Write};

/// Play games with a policy and report the rows removed
///
/// A game ends when the piece to place has no legal placement. The mean comes
/// with its standard error. The same seed gives the same games, on however many
/// threads.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo ipse play --policy bcts --games 3000 --seed 1
  cargo ipse play --policy weights.json --height 20 --max-rows 100000 --json
  cargo ipse play --watch --pace 50"
)]
pub struct Args {
    /// bcts, equal, random, or a JSON file with eight weights
    #[arg(long, value_name = "POLICY", default_value = "bcts", long_help = policy::HELP)]
    policy: Weights,

    /// Where the games' random numbers start from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    series: SeriesArgs,

    #[command(flatten)]
    game: GameArgs,

    /// Print one JSON object, with the rows of every game
    #[arg(long)]
    json: bool,

    /// Draw one game, the first of the series, move by move
    #[arg(long, conflicts_with = "json")]
    watch: bool,

    /// Milliseconds between two pictures of the watched game
    #[arg(long, value_name = "MS", default_value_t = 120, requires = "watch")]
    pace: u64,
}

pub fn run(args: &Args) -> Result {
    if args.watch {
        return with_game!(args.game, |task| watch::run(&task, args));
    }
    if args.game.height == Height::Twenty && args.series.max_rows.is_none() {
        eprintln!(
            "note: on 20 rows a good policy removes millions of rows a game; \
             --max-rows N ends games sooner"
        );
    }
    let series = args.series.with_seed(args.seed);
    let progress = Progress::new(series.games);
    let played = with_game!(args.game, |task| {
        series.play(&task, &args.policy.policy_for(&task), &progress)
    });
    progress.bar.finish_and_clear();
    let report = match args.json {
        true => report::json(args, &played),
        false => for_stdout(&report::text(args, &played)),
    };
    Ok(io::stdout().write_all(report.as_bytes())?)
}
