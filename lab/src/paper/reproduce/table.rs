//! Replications as lines of CSV, one for each point.

use super::experiment::{Arm, Experiment, Length};
use super::replication::{Point, Replication};
use super::results::{Key, Results};

pub const HEADER: &str =
    "algorithm,replication,seed,iteration,calls,rows,standard_error,games,switch\n";

pub fn rows(experiment: &Experiment, key: Key, run: &Replication) -> String {
    let seed = experiment.seed(key.replication);
    let name = experiment.arms[key.arm].name;
    let games = experiment.settings.games;
    let switch = optional(run.switch);
    run.points
        .iter()
        .map(|point| {
            let Point {
                iteration,
                calls,
                rows,
                standard_error,
            } = point;
            let error = optional(*standard_error);
            let replication = key.replication;
            format!(
                "{name},{replication},{seed},{iteration},{calls},{rows},{error},{games},{switch}\n"
            )
        })
        .collect()
}

fn optional<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// What is wrong with a file, in a line counted from 1.
#[derive(Debug, PartialEq)]
pub struct Damage {
    pub line: usize,
    pub problem: String,
}

/// What is left of a replication that was being written when the writer was stopped.
#[derive(Debug)]
pub struct Torn {
    pub line: usize,
    /// How long the file is without it.
    pub complete: usize,
}

/// Adds the replications in a file. What a writer that was stopped leaves behind is handed back.
pub fn read(
    text: &[u8],
    experiment: &Experiment,
    results: &mut Results,
) -> Result<Option<Torn>, Damage> {
    let mut lines = Lines {
        text,
        start: 0,
        number: 0,
    };
    match lines.next()? {
        Some(line) if format!("{line}\n") == HEADER => {}
        None if HEADER.as_bytes().starts_with(text) => {
            return Ok((!text.is_empty()).then_some(Torn {
                line: 1,
                complete: 0,
            }));
        }
        _ => {
            let problem = format!("it should be {}", HEADER.trim_end());
            return Err(Damage { line: 1, problem });
        }
    }
    loop {
        let (start, first) = (lines.start, lines.number + 1);
        if start == text.len() {
            return Ok(None);
        }
        let Some((key, run)) = block(&mut lines, experiment)? else {
            return Ok(Some(Torn {
                line: first,
                complete: start,
            }));
        };
        results.add(key, run).map_err(|_| Damage {
            line: first,
            problem: "another result for the same replication was found elsewhere".into(),
        })?;
    }
}

/// The lines that are complete.
struct Lines<'a> {
    text: &'a [u8],
    start: usize,
    /// Of the last line.
    number: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Result<Option<&'a str>, Damage> {
        let rest = &self.text[self.start..];
        let Some(length) = rest.iter().position(|&byte| byte == b'\n') else {
            return Ok(None);
        };
        self.start += length + 1;
        self.number += 1;
        let line = std::str::from_utf8(&rest[..length]);
        line.map(Some)
            .map_err(|_| self.damage("it is not text".into()))
    }

    fn damage(&self, problem: String) -> Damage {
        Damage {
            line: self.number,
            problem,
        }
    }
}

/// One replication, unless the file ends before it does.
fn block(lines: &mut Lines, experiment: &Experiment) -> Result<Option<(Key, Replication)>, Damage> {
    let mut run: Option<(Key, Replication)> = None;
    loop {
        let Some(line) = lines.next()? else {
            return Ok(None);
        };
        let (key, point, switch) =
            row(line, experiment).map_err(|problem| lines.damage(problem))?;
        let (first, replication) = run.get_or_insert((
            key,
            Replication {
                points: Vec::new(),
                switch,
            },
        ));
        if key != *first || switch != replication.switch {
            return Err(lines.damage("the replication before it is not complete".into()));
        }
        let arm = &experiment.arms[key.arm];
        let marks = arm.marks();
        check(arm, marks[replication.points.len()], &point)
            .map_err(|problem| lines.damage(problem))?;
        replication.points.push(point);
        if replication.points.len() == marks.len() {
            return Ok(run);
        }
    }
}

fn check(arm: &Arm, mark: u64, point: &Point) -> Result<(), String> {
    match arm.length {
        Length::Iterations(_) if u64::from(point.iteration) != mark => {
            Err(format!("iteration {mark} should be next"))
        }
        _ => Ok(()),
    }
}

fn row(line: &str, experiment: &Experiment) -> Result<(Key, Point, Option<u32>), String> {
    let fields: Vec<&str> = line.split(',').collect();
    let [
        name,
        replication,
        seed,
        iteration,
        calls,
        rows,
        error,
        games,
        switch,
    ] = *fields
    else {
        return Err(format!("{} fields instead of 9", fields.len()));
    };
    let arm = experiment
        .position(name)
        .ok_or_else(|| format!("no algorithm {name:?} is known"))?;
    let replication = number(replication, "replication")?;
    if replication == 0 || number::<u64>(seed, "seed")? != experiment.seed(replication) {
        return Err("the seed is not that of the replication".into());
    }
    if number::<u64>(games, "games")? != experiment.settings.games {
        return Err("another number of games".into());
    }
    let rows: f64 = number(rows, "rows")?;
    let standard_error: Option<f64> = optional_number(error, "standard_error")?;
    if ![Some(rows), standard_error]
        .iter()
        .flatten()
        .all(|number| number.is_finite() && *number >= 0.)
    {
        return Err("rows and standard_error must be 0 or more".into());
    }
    let point = Point {
        iteration: number(iteration, "iteration")?,
        calls: number(calls, "calls")?,
        rows,
        standard_error,
    };
    let switch = optional_number(switch, "switch")?;
    Ok((Key { arm, replication }, point, switch))
}

fn number<T: std::str::FromStr>(text: &str, name: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| format!("{name} cannot be {text:?}"))
}

fn optional_number<T: std::str::FromStr>(text: &str, name: &str) -> Result<Option<T>, String> {
    match text {
        "" => Ok(None),
        _ => number(text, name).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::super::figure2;
    use super::super::settings::{Settings, SettingsArgs, What};
    use super::*;

    fn experiment() -> Experiment {
        let args = SettingsArgs {
            seed: 1,
            iterations: 5,
            games: 30,
        };
        figure2::experiment(Settings::new(What::Figure2, &args))
    }

    fn run(experiment: &Experiment, key: Key) -> Replication {
        let point = |mark: &u64| Point {
            iteration: *mark as u32,
            calls: mark * 2000,
            rows: *mark as f64 / 3.,
            standard_error: (*mark > 1).then_some(0.1),
        };
        Replication {
            points: experiment.arms[key.arm].marks().iter().map(point).collect(),
            switch: key.replication.is_multiple_of(2).then_some(3),
        }
    }

    const KEYS: [Key; 3] = [
        Key {
            arm: 1,
            replication: 2,
        },
        Key {
            arm: 0,
            replication: 1,
        },
        Key {
            arm: 0,
            replication: 2,
        },
    ];

    fn file(experiment: &Experiment) -> String {
        let rows = KEYS.map(|key| rows(experiment, key, &run(experiment, key)));
        HEADER.to_owned() + &rows.concat()
    }

    #[test]
    fn what_was_written_is_read_to_the_last_bit() {
        let experiment = experiment();
        let mut results = Results::default();
        let text = file(&experiment);
        assert!(read(text.as_bytes(), &experiment, &mut results).is_ok_and(|torn| torn.is_none()));
        for key in KEYS {
            assert!(results.add(key, run(&experiment, key)).is_ok());
        }
        assert_eq!(results.of(0).len(), 2);
    }

    #[test]
    fn wherever_a_file_is_cut_off_the_complete_replications_are_read() {
        let experiment = experiment();
        let text = file(&experiment);
        let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let length = experiment.arms[0].marks().len();
        for cut in 0..=text.len() {
            let mut results = Results::default();
            let torn = read(&text.as_bytes()[..cut], &experiment, &mut results).unwrap();
            let complete = lines.iter().step_by(length).rfind(|&&end| end <= cut);
            let complete = complete.copied().unwrap_or(0);
            assert_eq!(torn.map_or(cut, |torn| torn.complete), complete);
            let read = KEYS.iter().filter(|&&key| results.has(key)).count();
            let ends = lines.iter().skip(length).step_by(length);
            assert_eq!(read, ends.filter(|&&end| end <= cut).count());
        }
    }
}
