//! How fast the engine is, here and on a microcontroller, all measured in one run.

mod host;
mod results;

use crate::firmware::{Board, M0, M4, Math, QEMU, Time};
use crate::learning::{self, Profile};
use crate::readings::Readings;
use crate::setup::{self, Need};
use crate::web::{self, Speed};
use results::{Cost, Part, Results, Setting, Total};
use std::time::Duration;

pub use host::Host;

/// Placements by each set of features that is measured.
pub const PLACEMENTS: [&str; 3] = [
    "placements",
    "surface_placements",
    "surface_nine_placements",
];

pub const VALGRIND: Need = Need::Program {
    program: "valgrind",
    package: "valgrind",
};

#[derive(Clone, Copy)]
pub enum Format {
    Text,
    Json,
}

pub fn run(format: Format) -> Result<(), String> {
    setup::require(&[
        Need::Target(M4.target),
        Need::Target(M0.target),
        QEMU,
        VALGRIND,
    ])?;
    setup::require(&web::NEEDS_OF_SPEED)?;
    let results = measure()?;
    match format {
        Format::Text => print!("{}", results.text()),
        Format::Json => println!("{}", results.json()),
    }
    Ok(())
}

fn measure() -> Result<Results, String> {
    let host = Host::build()?;
    M4.build()?;
    M0.build()?;
    let sums = host.sums()?;
    let m4 = on_board(&M4, &sums)?;
    let m0 = on_board(&M0, &sums)?;
    let rates = host.rates()?;
    let cost = |work: &'static str| {
        Ok::<_, String>(Cost {
            work,
            per_s: rates.get(&format!("{work}s_per_s"))?,
            twin_per_s: rates.get(&format!("twin_{work}s_per_s"))?,
            host: host.instructions(&format!("{work}s"))? / sums.get(&format!("{work}s"))?,
            m4: instructions_per(work, &m4)?,
            m0: instructions_per(work, &m0)?,
        })
    };
    let exact = Learning::measure(&host, &M4, &M0)?;
    let fast = Learning::measure(
        &Host::build_with(Math::Micromath)?,
        &M4.with(Math::Micromath),
        &M0.with(Math::Micromath),
    )?;
    Ok(Results {
        costs: vec![
            cost("placement")?,
            cost("surface_placement")?,
            cost("surface_nine_placement")?,
            cost("decision")?,
        ],
        lockstep_per_s: rates.get("lockstep_decisions_per_s")?,
        parts: vec![
            exact.part("rollouts", "rollouts")?,
            exact.part("fit", "fit")?,
            fast.part("fit", "fast_math_fit")?,
        ],
        totals: vec![exact.iteration(&host)?, short_search(&host)?],
        run_s: exact.host.get("run_s")?,
        search_s: exact.host.get("search_s")?,
        speed: Speed::measure()?,
        setting: Setting::this()?,
    })
}

/// What an agent that learns takes, in three places.
struct Learning {
    host: Readings,
    m4: Readings,
    m0: Readings,
}

impl Learning {
    fn measure(host: &Host, m4: &Board, m0: &Board) -> Result<Self, String> {
        let host = host.learning()?;
        m4.build()?;
        m0.build()?;
        let (m4, m0) = (learning_on(m4, &host)?, learning_on(m0, &host)?);
        Ok(Learning { host, m4, m0 })
    }

    /// What a part of an iteration takes, under a name of its own.
    fn part(&self, part: &str, name: &'static str) -> Result<Part, String> {
        Ok(Part {
            name,
            host_s: self.per_iteration(&self.host, &format!("{part}_s"))?,
            m4: self.per_iteration(&self.m4, &format!("{part}_instructions"))?,
            m0: self.per_iteration(&self.m0, &format!("{part}_instructions"))?,
        })
    }

    /// The instructions of all of an iteration, which `host` has to be asked for.
    fn iteration(&self, host: &Host) -> Result<Total, String> {
        let sum = |readings: &Readings| {
            let rollouts = self.per_iteration(readings, "rollouts_instructions")?;
            Ok::<_, String>(rollouts + self.per_iteration(readings, "fit_instructions")?)
        };
        Ok(Total {
            work: "iteration",
            host: host.instructions("iterations")? / self.host.get("iterations")?,
            m4: sum(&self.m4)?,
            m0: sum(&self.m0)?,
        })
    }

    fn per_iteration(&self, readings: &Readings, name: &str) -> Result<f64, String> {
        Ok(readings.get(name)? / self.host.get("iterations")?)
    }
}

/// The instructions of a search of 60 000 calls, which must come to the same everywhere.
fn short_search(host: &Host) -> Result<Total, String> {
    let words = ["short-search"];
    let expected = learning::on_host(Profile::Release, &words)?;
    let on_board = |board: &Board| {
        let found = board.learn("parity", &words, Time::COUNTING)?;
        learning::same(&expected, &found)?;
        found.get("instructions")
    };
    Ok(Total {
        work: "short_search",
        host: host.instructions("short_search")?,
        m4: on_board(&M4)?,
        m0: on_board(&M0)?,
    })
}

/// Does the work on a board, which must come to the same sums as on the host.
pub fn on_board(board: &Board, sums: &Readings) -> Result<Readings, String> {
    let readings = Readings::parse(&board.output("bench", Time::COUNTING)?)?;
    for name in PLACEMENTS {
        for name in [name.to_string(), format!("{name}_sum")] {
            let (host, found) = (sums.get(&name)?, readings.get(&name)?);
            same(&name, host, board.core, found)?;
        }
    }
    same_decisions(sums, board.core, &readings)?;
    Ok(readings)
}

/// Fails if the decisions of another board are not those of the host.
pub fn same_decisions(sums: &Readings, board: &str, readings: &Readings) -> Result<(), String> {
    for name in ["decisions", "decisions_sum"] {
        same(name, sums.get(name)?, board, readings.get(name)?)?;
    }
    Ok(())
}

/// Learns on a board, where it must come to the same weights as on the host.
fn learning_on(board: &Board, host: &Readings) -> Result<Readings, String> {
    let mut output = String::new();
    board.run(
        "learning",
        Time::COUNTING,
        Duration::from_secs(600),
        |line| {
            output.push_str(line);
            output.push('\n');
            Ok(())
        },
    )?;
    let readings = Readings::parse(&output)?;
    same(
        "weights_sum",
        host.get("weights_sum")?,
        board.core,
        readings.get("weights_sum")?,
    )?;
    Ok(readings)
}

/// Fails if a fit to a hundred choices takes more than this multiple of the rollouts of an iteration.
pub fn fits_within_rollouts(board: &Board, most: f64) -> Result<(), String> {
    let host = Host::build()?.learning()?;
    within_rollouts(&learning_on(board, &host)?, "instructions", most)
}

/// The same by time, which is also told of a whole run.
pub fn fits_within_rollouts_on_host(host: &Host, most: f64) -> Result<(), String> {
    let learning = host.learning()?;
    println!(
        "400 iterations of IPSE: {:.2} s, and {RUN_S} s is the aim",
        learning.get("run_s")?
    );
    within_rollouts(&learning, "s", most)
}

/// What 400 iterations of IPSE should take on one core, which depends on the machine.
const RUN_S: f64 = 0.4;

fn within_rollouts(learning: &Readings, unit: &str, most: f64) -> Result<(), String> {
    let fit = learning.get(&format!("fit_{unit}"))?;
    let rollouts = learning.get(&format!("rollouts_{unit}"))?;
    let share = fit / rollouts;
    println!(
        "a fit to 100 choices takes {share:.2} times the rollouts of an iteration, of at most {most}"
    );
    match share <= most {
        true => Ok(()),
        false => Err("that is too long".into()),
    }
}

/// The instructions of one `work`.
pub fn instructions_per(work: &str, readings: &Readings) -> Result<f64, String> {
    Ok(readings.get(&format!("{work}s_instructions"))? / readings.get(&format!("{work}s"))?)
}

fn same(name: &str, host: f64, other: &str, value: f64) -> Result<(), String> {
    if host == value {
        return Ok(());
    }
    Err(format!(
        "{name} is {host} on the host and {value} on {other}: they do not do the same"
    ))
}
