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
pub fn answer_each<Q>(
    expected: &str,
    parse: impl Fn(&[u8]) -> Result<Q, String>,
    mut answer: impl FnMut(&Q, &mut dyn Write) -> io::Result<()>,
) -> Result {
    let stdin = io::stdin().lock();
    if stdin.is_terminal() {
        tell!("Type one {expected} a line; Ctrl-D ends.");
    }
    let mut input = BufReader::with_capacity(1 << 16, stdin);
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut line = Vec::new();
    let mut number = 0;
    while next_line(&mut input, &mut line)? {
        number += 1;
        if !line.trim_ascii().is_empty() {
            match parse(&line) {
                Ok(question) => answer(&question, &mut output)?,
                Err(problem) => {
                    output.flush()?;
                    return Err(Error::Line(number, problem));
                }
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

fn next_line(input: &mut BufReader<impl Read>, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    Ok(input.read_until(b'\n', line)? > 0)
}
