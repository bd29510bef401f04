//! What was measured, as a table for people and as an object for programs.

use super::elf::Footprint;

/// What learning takes of one board.
pub struct Figures {
    pub board: &'static str,
    /// Its name among the names of JSON.
    pub key: &'static str,
    /// The firmware with and without telemetry.
    pub logging: Footprint,
    pub silent: Footprint,
    /// Nothing, if there is nothing here to run it.
    pub run: Option<Run>,
}

/// What was measured while it ran.
pub struct Run {
    /// What time is counted in.
    pub unit: &'static str,
    /// Bytes of the agent.
    pub agent: f64,
    /// Bytes of the stack when it was highest; on a slow emulator, in the short runs.
    pub stack: f64,
    /// What a decision takes, a run of 40 iterations, and a search of 60 000 calls.
    pub decision: f64,
    pub short_run: f64,
    pub short_search: f64,
    /// As long as in the paper. Nothing, if that was left out this time.
    pub run: Option<Long>,
    pub surface: Surface,
    pub hz: f64,
    pub node: Node,
}

/// The search by surface features.
pub struct Surface {
    /// All of the image without telemetry, if the board has such an image.
    pub image: Option<Image>,
    /// With as many calls as the paper allows, unless that was left out this time.
    pub search: Option<Long>,
}

/// An image that was run.
pub struct Image {
    pub footprint: Footprint,
    /// Bytes of the stack when it was highest.
    pub stack: f64,
}

impl Image {
    /// All of the RAM.
    pub fn ram_total(&self) -> f64 {
        f64::from(self.footprint.ram) + self.stack
    }
}

/// The sensor node, with telemetry and storage.
pub struct Node {
    pub image: Image,
    /// What a search of 60 000 calls takes, and one of 700 000, unless that was left out this time.
    pub short_search: f64,
    pub search: Option<Long>,
}

/// A run of 400 iterations, or a search of 1 360 000 calls, or of 700 000 for the sensor node.
pub struct Long {
    /// What it takes, and how long that is at the clock of the board.
    pub count: f64,
    pub seconds: f64,
}

const ITERATIONS: f64 = 400.0;

/// One of the three.
type LongOf = fn(&Run) -> Option<&Long>;

/// The rows of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    All,
    /// Those that tell whether it fits, and how long it takes.
    Headlines,
}

impl Rows {
    fn have(self, title: &str) -> bool {
        self == Rows::All || HEADLINES.contains(&title)
    }
}

const HEADLINES: [&str; 4] = [
    "flash, without logs",
    "**all RAM, without logs**: variables and stack",
    "a run of 400 iterations in time",
    "a surface search of 1 360 000 calls in time",
];

/// In the place of what cannot be measured.
const NEVER: &str = "–";
/// In the place of what was not measured this time.
pub const LEFT_OUT: &str = "";

impl Figures {
    /// All of the RAM of the image without telemetry.
    pub fn ram_total(&self, run: &Run) -> f64 {
        f64::from(self.silent.ram) + run.stack
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let bytes = |bytes: f64| format!("{} B", grouped(bytes));
        let of_run = |cell: &dyn Fn(&Run) -> String| self.run.as_ref().map_or(NEVER.into(), cell);
        let count = |run: &Run, count: f64| format!("{} {}", grouped(count), run.unit);
        let of_long = |long: LongOf, cell: &dyn Fn(&Run, &Long) -> String| {
            of_run(&|run| long(run).map_or(LEFT_OUT.into(), |long| cell(run, long)))
        };
        let (run, search): (LongOf, LongOf) =
            (|run| run.run.as_ref(), |run| run.surface.search.as_ref());
        let of_image = |cell: &dyn Fn(&Image) -> String| {
            of_run(&|run| run.surface.image.as_ref().map_or(NEVER.into(), cell))
        };
        let node: LongOf = |run| run.node.search.as_ref();
        let whole = |run: &Run, long: &Long| count(run, long.count);
        let time =
            |run: &Run, long: &Long| format!("{:.1} s at {:.0} MHz", long.seconds, run.hz / 1e6);
        vec![
            ("flash, with logs", bytes(self.logging.flash.into())),
            ("flash, without logs", bytes(self.silent.flash.into())),
            (
                "RAM for variables, with logs",
                bytes(self.logging.ram.into()),
            ),
            (
                "RAM for variables, without logs",
                bytes(self.silent.ram.into()),
            ),
            (
                "of RAM for variables, the agent",
                of_run(&|run| bytes(run.agent)),
            ),
            ("stack, at its highest", of_run(&|run| bytes(run.stack))),
            (
                "**all RAM, without logs**: variables and stack",
                of_run(&|run| bytes(self.ram_total(run))),
            ),
            ("a decision", of_run(&|run| count(run, run.decision))),
            (
                "a run of 40 iterations",
                of_run(&|run| count(run, run.short_run)),
            ),
            ("a run of 400 iterations", of_long(run, &whole)),
            (
                "an iteration of these, on average",
                of_long(run, &|run, long| count(run, long.count / ITERATIONS)),
            ),
            ("a run of 400 iterations in time", of_long(run, &time)),
            (
                "a search of 60 000 calls",
                of_run(&|run| count(run, run.short_search)),
            ),
            (
                "surface search, without logs: flash",
                of_image(&|image| bytes(image.footprint.flash.into())),
            ),
            (
                "**all its RAM, without logs**: variables and stack",
                of_image(&|image| bytes(image.ram_total())),
            ),
            (
                "a surface search of 1 360 000 calls",
                of_long(search, &whole),
            ),
            (
                "a surface search of 1 360 000 calls in time",
                of_long(search, &time),
            ),
            (
                "sensor node, with logs and storage: flash",
                of_run(&|run| bytes(run.node.image.footprint.flash.into())),
            ),
            (
                "its RAM for variables",
                of_run(&|run| bytes(run.node.image.footprint.ram.into())),
            ),
            (
                "its stack, at its highest",
                of_run(&|run| bytes(run.node.image.stack)),
            ),
            (
                "**all its RAM**: variables and stack",
                of_run(&|run| bytes(run.node.image.ram_total())),
            ),
            (
                "its search of 60 000 calls",
                of_run(&|run| count(run, run.node.short_search)),
            ),
            ("its search of 700 000 calls", of_long(node, &whole)),
            ("its search of 700 000 calls in time", of_long(node, &time)),
        ]
    }

    fn json(&self) -> String {
        let run = self.run.as_ref();
        let whole = run.and_then(|run| run.run.as_ref());
        let surface = run.and_then(|run| run.surface.image.as_ref());
        let search = run.and_then(|run| run.surface.search.as_ref());
        let rounded = |long: &Long| (long.seconds * 10.0).round() / 10.0;
        let node = run.map(|run| &run.node);
        let node_search = node.and_then(|node| node.search.as_ref());
        let fields: [(_, Option<f64>); 25] = [
            ("flash_bytes", Some(self.logging.flash.into())),
            ("flash_bytes_without_logs", Some(self.silent.flash.into())),
            ("ram_bytes", Some(self.logging.ram.into())),
            ("ram_bytes_without_logs", Some(self.silent.ram.into())),
            ("agent_bytes", run.map(|run| run.agent)),
            ("stack_bytes", run.map(|run| run.stack)),
            ("ram_total", run.map(|run| self.ram_total(run))),
            ("decision", run.map(|run| run.decision.round())),
            ("short_run", run.map(|run| run.short_run)),
            ("run", whole.map(|run| run.count)),
            (
                "iteration",
                whole.map(|run| (run.count / ITERATIONS).round()),
            ),
            ("seconds", whole.map(rounded)),
            ("short_search", run.map(|run| run.short_search)),
            (
                "surface_flash_bytes_without_logs",
                surface.map(|image| image.footprint.flash.into()),
            ),
            ("surface_ram_total", surface.map(Image::ram_total)),
            ("surface_search", search.map(|search| search.count)),
            ("surface_search_seconds", search.map(rounded)),
            ("hz", run.map(|run| run.hz)),
            (
                "node_flash_bytes",
                node.map(|node| node.image.footprint.flash.into()),
            ),
            (
                "node_ram_bytes",
                node.map(|node| node.image.footprint.ram.into()),
            ),
            ("node_stack_bytes", node.map(|node| node.image.stack)),
            ("node_ram_total", node.map(|node| node.image.ram_total())),
            (
                "node_short_search",
                node.map(|node| node.short_search.round()),
            ),
            (
                "node_search",
                node_search.map(|search| search.count.round()),
            ),
            ("node_search_seconds", node_search.map(rounded)),
        ];
        let fields = fields.map(|(name, value)| match value {
            Some(value) => format!("\"{name}\":{value}"),
            None => format!("\"{name}\":null"),
        });
        let unit = run.map_or("null".into(), |run| format!("\"{}\"", run.unit));
        format!("\"{}\":{{\"unit\":{unit},{}}}", self.key, fields.join(","))
    }
}

/// A column for each board.
pub fn table(boards: &[Figures], rows: Rows) -> String {
    let names: Vec<_> = boards.iter().map(|board| board.board).collect();
    let rules = " ---: |".repeat(boards.len());
    let mut table = format!("| | {} |\n| --- |{rules}\n", names.join(" | "));
    let columns: Vec<_> = boards.iter().map(Figures::rows).collect();
    let titles = columns
        .first()
        .into_iter()
        .flatten()
        .map(|(title, _)| title);
    for (row, title) in titles.enumerate().filter(|(_, title)| rows.have(title)) {
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
            logging: Footprint {
                flash: 92_492,
                ram: 3_856,
            },
            silent: Footprint {
                flash: 67_680,
                ram: 3_800,
            },
            run: Some(Run {
                unit: "cycles",
                agent: 3_216.0,
                stack: 5_000.0,
                decision: 7_000.4,
                short_run: 400_000_000.0,
                short_search: 300_000_000.0,
                run: Some(Long {
                    count: 3_400_224_154.0,
                    seconds: 27.323,
                }),
                surface: Surface {
                    image: None,
                    search: None,
                },
                hz: 168e6,
                node: Node {
                    image: Image {
                        footprint: Footprint {
                            flash: 81_000,
                            ram: 3_700,
                        },
                        stack: 4_600.0,
                    },
                    short_search: 310_000_000.0,
                    search: None,
                },
            }),
        }
    }

    fn not_run() -> Figures {
        Figures {
            run: None,
            ..figures()
        }
    }

    #[test]
    fn every_board_is_a_column() {
        let table = table(&[figures(), not_run()], Rows::All);
        assert!(table.starts_with("| | a board | a board |\n| --- | ---: | ---: |\n"));
        assert!(
            table.contains("| a run of 400 iterations | 3 400 224 154 cycles | – |"),
            "{table}"
        );
        assert!(table.contains("| 27.3 s at 168 MHz |"), "{table}");
        assert!(
            table.lines().all(|line| line.matches('|').count() == 4),
            "{table}"
        );
    }

    #[test]
    fn headlines_are_rows_of_the_whole_table() {
        let [all, headlines] = [Rows::All, Rows::Headlines].map(|rows| table(&[figures()], rows));
        assert_eq!(headlines.lines().count(), 2 + HEADLINES.len());
        assert!(
            headlines
                .lines()
                .all(|line| all.lines().any(|row| row == line))
        );
    }

    #[test]
    fn json_is_one_line_with_an_object_for_each_board() {
        let json = json(&[figures(), not_run()]);
        assert!(
            json.starts_with("{\"board\":{\"unit\":\"cycles\",\"flash_bytes\":92492,"),
            "{json}"
        );
        assert!(
            json.contains("\"seconds\":27.3,") && json.contains("\"hz\":168000000,"),
            "{json}"
        );
        assert!(json.contains("\"run\":null"), "{json}");
        assert!(json.contains("\"node_ram_total\":8300,"), "{json}");
        assert!(json.contains("\"node_search_seconds\":null}"), "{json}");
        assert_eq!(json.lines().count(), 1);
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(7.0), "7");
        assert_eq!(grouped(128.0), "128");
        assert_eq!(grouped(1_234_567.0), "1 234 567");
    }
}
