//! What learning takes of a board: flash, memory and time, for docs/RESOURCES.md and the table in the README.

mod budget;
mod documents;
pub mod elf;
mod figures;
mod node;

use crate::bench::{self, Format};
use crate::firmware::{self, LEARN, M4, QEMU, SURVIVE, Time};
use crate::learning::{self, Profile};
use crate::readings::Readings;
use crate::setup::{self, Need};
use crate::silicon::{self, NODE, NPM, RP2040, STM32F446, Silicon};
use crate::workspace;
use elf::Footprint;
use figures::{Figures, Image, Long, Rows, Run, Surface, json, table};
use std::path::PathBuf;

/// What an instruction takes on average on a Cortex-M4, whose cycles QEMU does not know.
const CYCLES_PER_INSTRUCTION: f64 = 1.35;
const M4_HZ: f64 = 168e6;
const RP2040_HZ: f64 = 133e6;

pub const NEEDS: [Need; 5] = [
    Need::Target(M4.target),
    Need::Target(RP2040.target),
    QEMU,
    NODE,
    NPM,
];

/// How much to measure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// Everything.
    Full,
    /// All but what takes minutes: the whole search, and whatever is whole in rp2040js. Short ones stand
    /// in for them.
    Short,
}

/// Measures everything, and writes the tables into the documents, or prints it as JSON.
pub fn run(format: Format) -> Result<(), String> {
    let figures = measure(Effort::Full)?;
    if let Format::Text = format {
        documents::rewrite(&figures)?;
    }
    print(&figures, format)
}

/// Measures all but what takes minutes, and prints it.
pub fn run_short(format: Format) -> Result<(), String> {
    print(&measure(Effort::Short)?, format)
}

fn print(figures: &[Figures], format: Format) -> Result<(), String> {
    match format {
        Format::Json => println!("{}", json(figures)),
        Format::Text => print!("{}", table(figures, Rows::All)),
    }
    budget::check(figures)
}

/// Fails if a table in the documents is out of date by more than noise, or a figure beyond its budget.
pub fn check() -> Result<(), String> {
    let figures = measure(Effort::Short)?;
    documents::compare(&figures)?;
    budget::check(&figures)
}

fn measure(effort: Effort) -> Result<Vec<Figures>, String> {
    setup::require(&NEEDS)?;
    Ok(vec![emulated_m4(effort)?, rp2040(effort)?, stm32f4()?])
}

/// The words for the whole search.
const SEARCH: &str = "surface=1360000";

fn emulated_m4(effort: Effort) -> Result<Figures, String> {
    M4.build()?;
    M4.build_example()?;
    // Without reports, for the instructions of learning alone.
    let bare = |words: &[&str]| M4.learn("parity", words, Time::COUNTING);
    // The image without telemetry tells some figures in the end, and nothing else.
    let silent = silent_image(LEARN)?;
    let run = M4.figures(M4.qemu_with(&silent, &[], Time::M4))?;
    let sums = bench::Host::build()?.sums()?;
    Ok(Figures {
        board: "STM32F405, in QEMU",
        key: "stm32f405",
        logging: Footprint::of(&M4.image(LEARN))?,
        silent: Footprint::of(&silent)?,
        run: Some(Run {
            unit: "instructions",
            agent: run.get("agent_bytes")?,
            stack: run.get("stack_bytes")?,
            decision: bench::instructions_per("decision", &bench::on_board(&M4, &sums)?)?,
            short_run: bare(&["parity"])?.get("instructions")?,
            short_search: bare(&["short-search"])?.get("instructions")?,
            run: Some(long_on_m4(&run)?),
            surface: surface_on_m4(effort)?,
            hz: M4_HZ,
            node: node::on_stm32f405()?,
        }),
    })
}

/// What a run of an image of the board comes to.
fn long_on_m4(run: &Readings) -> Result<Long, String> {
    let count = run.get("microseconds")? * Time::M4.instructions_per_microsecond();
    Ok(Long {
        count,
        seconds: count * CYCLES_PER_INSTRUCTION / M4_HZ,
    })
}

fn surface_on_m4(effort: Effort) -> Result<Surface, String> {
    let silent = silent_image(SURVIVE)?;
    let words: &[&str] = match effort {
        Effort::Short => &["actions=0", "calls=60000"],
        Effort::Full => &["actions=0"],
    };
    let run = M4.figures(M4.qemu_with(&silent, words, Time::M4))?;
    Ok(Surface {
        image: Some(Image {
            footprint: Footprint::of(&silent)?,
            stack: run.get("stack_bytes")?,
        }),
        search: match effort {
            Effort::Short => None,
            Effort::Full => Some(long_on_m4(&run)?),
        },
    })
}

fn rp2040(effort: Effort) -> Result<Figures, String> {
    let (logging, silent) = footprints(&RP2040)?;
    let sums = bench::Host::build()?.sums()?;
    let bench = silicon::emulate("bench", "agent_bytes")?.readings()?;
    bench::same_decisions(&sums, RP2040.name, &bench)?;
    let seconds = bench.get("decisions_microseconds")? / 1e6;
    let short_run = silicon::short_run()?.readings()?;
    let short_search = silicon::short_search()?.readings()?;
    let (short_cycles, search_cycles) = (short_run.get("cycles")?, short_search.get("cycles")?);
    // The long ones are not always run, and the figure must not depend on that.
    let stack = highest_stack(&[short_run, short_search])?;
    let [run, search] = match effort {
        Effort::Short => [None, None],
        Effort::Full => long_runs()?.map(Some),
    };
    Ok(Figures {
        board: "RP2040, in rp2040js",
        key: "rp2040",
        logging,
        silent,
        run: Some(Run {
            unit: "cycles",
            agent: bench.get("agent_bytes")?,
            stack,
            decision: seconds * RP2040_HZ / bench.get("decisions")?,
            short_run: short_cycles,
            short_search: search_cycles,
            run,
            surface: Surface {
                // Its images have telemetry and storage.
                image: None,
                search,
            },
            hz: RP2040_HZ,
            node: node::on_rp2040(effort)?,
        }),
    })
}

/// The whole run and the whole search in rp2040js, both at once, since they take minutes.
fn long_runs() -> Result<[Long; 2], String> {
    let long = |image: &str, words: &[&str]| {
        let seen = silicon::emulate(image, "fingerprint")?;
        let host = learning::on_host(Profile::Release, words)?;
        learning::same_fingerprint(&host, seen.fingerprint()?)?;
        let count = seen.readings()?.get("cycles")?;
        let seconds = count / RP2040_HZ;
        Ok::<_, String>(Long { count, seconds })
    };
    std::thread::scope(|scope| {
        let search = scope.spawn(|| long("whole-search", &[SEARCH]));
        let run = long("whole", &[])?;
        let search = search.join().map_err(|_| "the search was lost")?;
        Ok([run, search?])
    })
}

fn highest_stack(runs: &[Readings]) -> Result<f64, String> {
    let mut stacks = runs.iter().map(|readings| readings.get("stack_bytes"));
    stacks.try_fold(0.0, |highest: f64, stack| Ok(highest.max(stack?)))
}

fn stm32f4() -> Result<Figures, String> {
    let (logging, silent) = footprints(&STM32F446)?;
    Ok(Figures {
        board: "STM32F446, not run",
        key: "stm32f446",
        logging,
        silent,
        run: None,
    })
}

/// With logs and without. What is left to be run is the image with logs.
fn footprints(board: &Silicon) -> Result<(Footprint, Footprint), String> {
    let image = board.image("learn");
    board.build_silent()?;
    let silent = Footprint::of(&image)?;
    board.build()?;
    Ok((Footprint::of(&image)?, silent))
}

/// The firmware that learns, without anything to tell it by.
fn silent_image(name: &str) -> Result<PathBuf, String> {
    let folder = workspace::target().join("example/silent");
    let arguments = "build --release --no-default-features --target";
    let mut command = firmware::example(&format!("{arguments} {}", M4.target));
    command.env("CARGO_TARGET_DIR", &folder);
    workspace::run(command)?;
    Ok(folder.join(M4.target).join("release").join(name))
}
