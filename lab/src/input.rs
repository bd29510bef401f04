//! Questions on standard input, one JSON object a line, each answered as it comes.

use crate::error::{Error, Result};
use crate::output::tell;
use indicatif::HumanCount;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Read, Write};
use std::path::Path;

/// Answers every question on standard input, a line that looks like `expected`, on standard output.
///
/// Answers are held back only while the next question is already there, so a large file is fast
/// and a dialogue still works.
///
/// A line may have `longest` bytes. At a terminal a line that is no question is told so and may be typed again; elsewhere
/// it ends everything, since what follows may be the answer to it.
pub fn answer_each<Q>(
    expected: &str,
    longest: usize,
    parse: impl Fn(&[u8]) -> Result<Q, String>,
    mut answer: impl FnMut(&Q, &mut dyn Write) -> io::Result<()>,
) -> Result {
    let stdin = io::stdin().lock();
    let is_typed = stdin.is_terminal();
    if is_typed {
        tell!("Type one {expected} a line; Ctrl-D ends.");
    }
    let mut input = BufReader::with_capacity(1 << 16, stdin);
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut line = Vec::new();
    let mut number = 0;
    while next_line(&mut input, &mut line, longest)? {
        number += 1;
        let parsed = match line.len() > longest {
            true => Err(format!(
                "it has more than {} bytes; expected {expected}",
                HumanCount(longest as u64)
            )),
            false if line.trim_ascii().is_empty() => Ok(None),
            false => parse(&line).map(Some),
        };
        match parsed {
            Ok(Some(question)) => answer(&question, &mut output)?,
            Ok(None) => {}
            Err(problem) => {
                output.flush()?;
                let error = Error::Line(number, problem);
                if !is_typed {
                    return Err(error);
                }
                tell!("{error}");
            }
        }
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
    Ok(output.flush()?)
}

/// What is in a file, unless it is larger than `most` bytes.
pub fn read_file(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(most as u64 + 1).read_to_end(&mut bytes)?;
    match bytes.len() > most {
        true => Err(io::Error::other(format!(
            "it has more than {} bytes",
            HumanCount(most as u64)
        ))),
        false => Ok(bytes),
    }
}

/// Reads a line, or as much of it as is too long by a byte.
fn next_line(
    input: &mut BufReader<impl Read>,
    line: &mut Vec<u8>,
    longest: usize,
) -> io::Result<bool> {
    line.clear();
    let mut bounded = input.take(longest as u64 + 1);
    Ok(bounded.read_until(b'\n', line)? > 0)
}
