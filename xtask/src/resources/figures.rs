//! What was measured, as a table for people and as an object for programs.

use super::elf::Footprint;

/// What learning takes of one board.
pub struct Figures {
    pub board: &'static str,
    /// Its name among the names of JSON.
    pub key: &'static str,
    /// What time is counted in.
    pub unit: &'static str,
    /// The firmware with and without logs.
    pub logging: Footprint,
    pub silent: Footprint,
    /// Bytes of the agent, and of the stack when it was highest.
    pub agent: f64,
    pub stack: f64,
    /// What a decision takes, and a run of 400 iterations.
    pub decision: f64,
    pub run: f64,
    pub seconds: f64,
    /// The clock at which it takes so many seconds.
    pub hz: f64,
}

const ITERATIONS: f64 = 400.0;

impl Figures {
    fn rows(&self) -> Vec<(&'static str, String)> {
        let bytes = |bytes: f64| format!("{} B", grouped(bytes));
        let count = |count: f64| format!("{} {}", grouped(count), self.unit);
        vec![
            ("flash, with logs", bytes(self.logging.flash.into())),
            ("flash, without", bytes(self.silent.flash.into())),
            (
                "RAM for variables, with logs",
                bytes(self.logging.ram.into()),
            ),
            ("RAM for variables, without", bytes(self.silent.ram.into())),
            ("of that, the agent", bytes(self.agent)),
            ("stack, at its highest", bytes(self.stack)),
            ("a decision", count(self.decision)),
            ("an iteration, on average", count(self.run / ITERATIONS)),
            ("a run of 400 iterations", count(self.run)),
            (
                "the same in time",
                format!("{:.1} s at {:.0} MHz", self.seconds, self.hz / 1e6),
            ),
        ]
    }

    fn json(&self) -> String {
        let fields = [
            ("flash_bytes", self.logging.flash.into()),
            ("flash_bytes_without_logs", self.silent.flash.into()),
            ("ram_bytes", self.logging.ram.into()),
            ("ram_bytes_without_logs", self.silent.ram.into()),
            ("agent_bytes", self.agent),
            ("stack_bytes", self.stack),
            ("decision", self.decision.round()),
            ("iteration", (self.run / ITERATIONS).round()),
            ("run", self.run),
            ("seconds", (self.seconds * 10.0).round() / 10.0),
            ("hz", self.hz),
        ];
        let fields = fields.map(|(name, value): (_, f64)| format!("\"{name}\":{value}"));
        let Figures { key, unit, .. } = self;
        format!("\"{key}\":{{\"unit\":\"{unit}\",{}}}", fields.join(","))
    }
}

/// A column for each board.
pub fn table(boards: &[Figures]) -> String {
    let names: Vec<_> = boards.iter().map(|board| board.board).collect();
    let rules = " ---: |".repeat(boards.len());
    let mut table = format!("| | {} |\n| --- |{rules}\n", names.join(" | "));
    let columns: Vec<_> = boards.iter().map(Figures::rows).collect();
    let titles = columns
        .first()
        .into_iter()
        .flatten()
        .map(|(title, _)| title);
    for (row, title) in titles.enumerate() {
        let cells: Vec<_> = columns
            .iter()
            .map(|column| column[row].1.as_str())
            .collect();
        table += &format!("| {title} | {} |\n", cells.join(" | "));
    }
    table
}

/// One object with one object for each board.
pub fn json(boards: &[Figures]) -> String {
    let boards: Vec<_> = boards.iter().map(Figures::json).collect();
    format!("{{{}}}", boards.join(","))
}

/// A whole number with spaces between thousands.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures() -> Figures {
        Figures {
            board: "a board",
            key: "board",
            unit: "cycles",
            logging: Footprint {
                flash: 92_492,
                ram: 3_856,
            },
            silent: Footprint {
                flash: 67_680,
                ram: 3_800,
            },
            agent: 3_216.0,
            stack: 5_000.0,
            decision: 7_000.4,
            run: 3_400_224_154.0,
            seconds: 27.323,
            hz: 168e6,
        }
    }

    #[test]
    fn every_board_is_a_column() {
        let table = table(&[figures(), figures()]);
        assert!(table.starts_with("| | a board | a board |\n| --- | ---: | ---: |\n"));
        assert!(
            table.contains("| a run of 400 iterations | 3 400 224 154 cycles |"),
            "{table}"
        );
        assert!(table.contains("| 27.3 s at 168 MHz |"), "{table}");
        assert!(
            table.lines().all(|line| line.matches('|').count() == 4),
            "{table}"
        );
    }

    #[test]
    fn json_is_one_line_with_an_object_for_each_board() {
        let json = json(&[figures()]);
        assert!(
            json.starts_with("{\"board\":{\"unit\":\"cycles\",\"flash_bytes\":92492,"),
            "{json}"
        );
        assert!(
            json.ends_with("\"seconds\":27.3,\"hz\":168000000}}"),
            "{json}"
        );
        assert_eq!(json.lines().count(), 1);
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(7.0), "7");
        assert_eq!(grouped(128.0), "128");
        assert_eq!(grouped(1_234_567.0), "1 234 567");
    }
}
