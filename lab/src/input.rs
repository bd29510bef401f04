//! Questions on standard input, one JSON object a line, each answered as it comes.

use crate::error::{Error, Result};
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Read, Write};

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
        eprintln!("Type one {expected} a line; Ctrl-D ends.");
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

fn next_line(input: &mut BufReader<impl Read>, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    Ok(input.read_until(b'\n', line)? > 0)
}
