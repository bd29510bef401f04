//! What the results in a folder depend on.

use crate::args::{at_least_one, seed};
use crate::json;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    Figure1,
    Figure2,
    Ablations,
}

impl What {
    /// The beginning of the names of its files.
    pub fn name(self) -> &'static str {
        match self {
            What::Figure1 => "figure1",
            What::Figure2 => "figure2",
            What::Ablations => "ablations",
        }
    }
}

/// What every replication depends on. Results with other settings are not to be mixed with these.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Settings {
    pub reproduces: What,
    pub seed: u64,
    pub iterations: u32,
    pub games: u64,
    pub cbmpi_budget: u32,
    pub survival_calls: u32,
}

/// What a user can choose about them.
#[derive(clap::Args, Clone, Copy)]
pub struct SettingsArgs {
    /// From which the seeds of all replications are derived
    #[arg(long, value_name = "S", default_value = "1", value_parser = seed)]
    pub seed: u64,

    /// How many iterations a run has
    #[arg(long, value_name = "N", default_value = "400", value_parser = at_least_one::<u32>)]
    pub iterations: u32,

    /// How many games score a policy
    #[arg(long, value_name = "N", default_value = "30", value_parser = at_least_one::<u64>)]
    pub games: u64,
}

pub const CBMPI_BUDGET: u32 = 170_000;
/// As many as the paper allows the others.
pub const SURVIVAL_CALLS: u32 = 1_360_000;

const EXPECTED: &str = r#"{"reproduces":"figure2","seed":1,"iterations":400,"games":30,"cbmpi-budget":170000,"survival-calls":1360000}"#;

/// Settings of any experiment, by the names of the options that choose them.
pub type Fields = Map<String, Value>;

impl Settings {
    pub fn new(reproduces: What, args: &SettingsArgs) -> Self {
        Settings {
            reproduces,
            seed: args.seed,
            iterations: args.iterations,
            games: args.games,
            cbmpi_budget: CBMPI_BUDGET,
            survival_calls: SURVIVAL_CALLS,
        }
    }

    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let settings: Self = json::object(text, EXPECTED)?;
        let counts = settings.fields().into_iter();
        let zero = counts
            .filter(|(name, _)| name != "seed")
            .find(|(_, count)| *count == 0);
        match zero {
            Some((name, _)) => Err(format!("{name} is 0, but is at least 1 in any results")),
            None => Ok(settings),
        }
    }

    pub fn fields(&self) -> Fields {
        fields(self)
    }
}

pub fn fields(settings: &impl Serialize) -> Fields {
    match serde_json::to_value(settings) {
        Ok(Value::Object(fields)) => fields,
        _ => unreachable!("settings are an object"),
    }
}
