//! Replications as lines of CSV, one for each point.
//!
//! This is version 2 of the format. The last field of a line is the CRC-32, in eight hexadecimal digits, of the settings
//! and of the lines of its replication up to and including itself, without that field: a replication of which anything
//! was changed, or that was made with other settings, is noticed. Version 1 had no such field. It can be read.

use super::experiment::{Arm, Experiment, Length};
use super::replication::{Point, Replication};
use super::results::{Key, Results};
use super::settings::Settings;
use ipse::checkpoint::Crc32;

pub const HEADER: &str =
    "algorithm,replication,seed,iteration,calls,rows,standard_error,games,switch,checksum-v2\n";
/// The largest file that is read, in bytes: many times that of any experiment here.
pub const LARGEST: usize = 1 << 28;
const HEADER_V1: &str =
    "algorithm,replication,seed,iteration,calls,rows,standard_error,games,switch\n";

pub fn rows(experiment: &Experiment, key: Key, run: &Replication) -> String {
    let seed = experiment.seed(key.replication);
    let name = experiment.arms[key.arm].name;
    let games = experiment.settings.games;
    let switch = optional(run.switch);
    let mut checksum = Checksum::new(&experiment.settings);
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
            let row = format!(
                "{name},{replication},{seed},{iteration},{calls},{rows},{error},{games},{switch}"
            );
            let checksum = checksum.add(&row);
            format!("{row},{checksum}\n")
        })
        .collect()
}

fn optional<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// The checksum of a replication, line by line.
struct Checksum(Crc32);

impl Checksum {
    fn new(settings: &Settings) -> Self {
        let Settings {
            reproduces,
            seed,
            iterations,
            games,
            cbmpi_budget,
            survival_calls,
        } = settings;
        let mut checksum = Checksum(Crc32::NEW);
        let name = reproduces.name();
        checksum.add(&format!(
            "{name},{seed},{iterations},{games},{cbmpi_budget},{survival_calls}"
        ));
        checksum
    }

    fn add(&mut self, row: &str) -> String {
        for byte in row.bytes().chain([b'\n']) {
            self.0.add(byte);
        }
        format!("{:08x}", self.0.value())
    }
}

/// What is wrong with a file, in a line counted from 1.
#[derive(Debug, PartialEq)]
pub struct Damage {
    pub line: usize,
    pub problem: String,
    pub replication: Option<Lost>,
}

/// The replication that is damaged.
#[derive(Debug, PartialEq)]
pub struct Lost {
    /// As `--only` takes it.
    pub name: String,
    /// Its first and its last line.
    pub lines: (usize, usize),
}

/// What was found in a file, besides replications.
#[derive(Debug, Default)]
pub struct Found {
    /// What a writer that was stopped has left behind.
    pub torn: Option<Torn>,
    /// Whether nothing could be checked, since the file is of version 1.
    pub is_unchecked: bool,
}

/// What is left of a replication that was being written when the writer was stopped.
#[derive(Debug)]
pub struct Torn {
    pub line: usize,
    /// How long the file is without it.
    pub complete: usize,
}

/// Adds the replications in a file.
pub fn read(text: &[u8], experiment: &Experiment, results: &mut Results) -> Result<Found, Damage> {
    let mut lines = Lines {
        text,
        start: 0,
        number: 0,
    };
    let is_unchecked = match lines.next()? {
        Some(line) if format!("{line}\n") == HEADER => false,
        Some(line) if format!("{line}\n") == HEADER_V1 => true,
        None if HEADER.as_bytes().starts_with(text) => {
            let torn = Torn {
                line: 1,
                complete: 0,
            };
            return Ok(Found {
                torn: (!text.is_empty()).then_some(torn),
                is_unchecked: false,
            });
        }
        _ => {
            return Err(Damage {
                line: 1,
                problem: format!("it should be {}", HEADER.trim_end()),
                replication: None,
            });
        }
    };
    loop {
        let (start, first) = (lines.start, lines.number + 1);
        let torn = match start == text.len() {
            true => None,
            false => {
                let lost = |damage| Damage {
                    replication: lost(&text[start..], first, experiment),
                    ..damage
                };
                if let Some((key, run)) =
                    block(&mut lines, experiment, is_unchecked).map_err(lost)?
                {
                    let problem = "another result for the same replication was found elsewhere";
                    results
                        .add(key, run)
                        .map_err(|_| lost(Damage::new(first, problem.into())))?;
                    continue;
                }
                Some(Torn {
                    line: first,
                    complete: start,
                })
            }
        };
        return Ok(Found { torn, is_unchecked });
    }
}

/// The replication that a block of lines belongs to: as one of the first says whose seed is right.
fn lost(block: &[u8], first: usize, experiment: &Experiment) -> Option<Lost> {
    let lines: Vec<Option<&str>> = block
        .split(|&byte| byte == b'\n')
        .map(|line| std::str::from_utf8(line).ok())
        .collect();
    let key = |line: &Option<&str>| {
        let mut fields = line.as_ref()?.split(',');
        let key = key(fields.next()?, fields.next()?, fields.next()?, experiment);
        key.ok()
    };
    let owner = lines.iter().take(3).find_map(key)?;
    // A line that is damaged itself may be in between.
    let length = lines
        .iter()
        .take_while(|line| key(line).is_none_or(|key| key == owner));
    let last = length.collect::<Vec<_>>();
    let length = last.iter().rposition(|line| key(line).is_some())? + 1;
    let name = experiment.arms[owner.arm].name;
    Some(Lost {
        name: format!("{name}:{}", owner.replication),
        lines: (first, first + length - 1),
    })
}

impl Damage {
    pub fn new(line: usize, problem: String) -> Self {
        let replication = None;
        Damage {
            line,
            problem,
            replication,
        }
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
        Damage::new(self.number, problem)
    }
}

/// One replication, unless the file ends before it does.
fn block(
    lines: &mut Lines,
    experiment: &Experiment,
    is_unchecked: bool,
) -> Result<Option<(Key, Replication)>, Damage> {
    let mut checksum = Checksum::new(&experiment.settings);
    let mut run: Option<(Key, Replication)> = None;
    loop {
        let Some(line) = lines.next()? else {
            return Ok(None);
        };
        let (line, found) = match is_unchecked {
            true => (line, None),
            false => line
                .rsplit_once(',')
                .map_or((line, Some("")), |(line, found)| (line, Some(found))),
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
        let right = checksum.add(line);
        if let Some(found) = found.filter(|found| *found != right) {
            let problem = format!("its checksum is {found:?}, but that of what it says is {right}");
            return Err(lines.damage(problem));
        }
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
    let key = key(name, replication, seed, experiment)?;
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
    Ok((key, point, switch))
}

/// The replication with this name and this number, which must have this seed.
fn key(name: &str, replication: &str, seed: &str, experiment: &Experiment) -> Result<Key, String> {
    let arm = experiment
        .position(name)
        .ok_or_else(|| format!("no algorithm {name:?} is known"))?;
    let replication = number(replication, "replication")?;
    if replication == 0 || number::<u64>(seed, "seed")? != experiment.seed(replication) {
        return Err("the seed is not that of the replication".into());
    }
    Ok(Key { arm, replication })
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
        let found = read(text.as_bytes(), &experiment, &mut results).unwrap();
        assert!(found.torn.is_none() && !found.is_unchecked);
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
            let found = read(&text.as_bytes()[..cut], &experiment, &mut results).unwrap();
            let torn = found.torn;
            let complete = lines.iter().step_by(length).rfind(|&&end| end <= cut);
            let complete = complete.copied().unwrap_or(0);
            assert_eq!(torn.map_or(cut, |torn| torn.complete), complete);
            let read = KEYS.iter().filter(|&&key| results.has(key)).count();
            let ends = lines.iter().skip(length).step_by(length);
            assert_eq!(read, ends.filter(|&&end| end <= cut).count());
        }
    }
    #[test]
    fn every_change_of_a_byte_is_noticed_and_told_with_the_replication() {
        let experiment = experiment();
        let text = file(&experiment);
        let length = experiment.arms[0].marks().len();
        let names = ["lfd:2", "ipse:1", "ipse:2"];
        for at in HEADER.len()..text.len() {
            let line = text[HEADER.len()..at].matches('\n').count();
            for other in [b'0', b'9', b',', b'.', b'\n', text.as_bytes()[at] ^ 1] {
                let mut changed = text.clone().into_bytes();
                if std::mem::replace(&mut changed[at], other) == other {
                    continue;
                }
                let damage = match read(&changed, &experiment, &mut Results::default()) {
                    Err(damage) => damage,
                    // The last line has no end any more.
                    Ok(found) => {
                        assert!(found.torn.is_some() && at + 1 == text.len());
                        continue;
                    }
                };
                let Some(lost) = damage.replication else {
                    panic!("{at}: {damage:?}");
                };
                assert_eq!(lost.name, names[line / length], "{at}: {}", damage.problem);
                assert_eq!(lost.lines.0, 2 + line / length * length);
            }
        }
    }

    #[test]
    fn results_of_other_settings_are_noticed() {
        let text = file(&experiment());
        let mut other = experiment();
        other.settings.cbmpi_budget += 1;
        assert!(read(text.as_bytes(), &other, &mut Results::default()).is_err());
    }

    #[test]
    fn a_file_of_version_1_is_read_and_said_to_be_unchecked() {
        let experiment = experiment();
        let text = file(&experiment);
        let old: String = text
            .lines()
            .map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n")
            .collect();
        let mut results = Results::default();
        let found = read(old.as_bytes(), &experiment, &mut results).unwrap();
        assert!(found.is_unchecked && found.torn.is_none());
        for key in KEYS {
            assert!(results.add(key, run(&experiment, key)).is_ok());
        }
    }
}
