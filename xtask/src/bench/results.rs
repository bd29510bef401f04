//! What was measured, for people and for programs.

use crate::firmware::{M0, M4};
use crate::web::Speed;
use crate::workspace::output;
use std::process::Command;

/// What one piece of work costs.
pub struct Cost {
    pub work: &'static str,
    pub per_s: f64,
    pub twin_per_s: f64,
    /// Instructions on the host, and on the two boards.
    pub host: f64,
    pub m4: f64,
    pub m0: f64,
}

/// What a part of one iteration of learning costs, with a full memory.
pub struct Part {
    pub name: &'static str,
    pub host_s: f64,
    /// Instructions.
    pub m4: f64,
    pub m0: f64,
}

/// The instructions of something that is done as a whole.
pub struct Total {
    pub work: &'static str,
    pub host: f64,
    pub m4: f64,
    pub m0: f64,
}

/// What it was measured with.
pub struct Setting {
    pub processor: String,
    pub rustc: String,
    pub valgrind: String,
    pub qemu: String,
}

pub struct Results {
    pub costs: Vec<Cost>,
    /// Decisions per second in many games at once.
    pub lockstep_per_s: f64,
    pub parts: Vec<Part>,
    pub totals: Vec<Total>,
    /// Of 400 iterations of IPSE on the host.
    pub run_s: f64,
    /// Of a search of 1,360,000 calls on the host.
    pub search_s: f64,
    /// The same by the lab and by the page.
    pub speed: Speed,
    pub setting: Setting,
}

impl Setting {
    pub fn this() -> Result<Self, String> {
        let version = |program: &str| {
            let mut command = Command::new(program);
            command.arg("--version");
            let text = output(command)?;
            Ok::<_, String>(text.lines().next().unwrap_or_default().to_string())
        };
        let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        Ok(Setting {
            processor: processor(&cpus)
                .unwrap_or("an unknown processor")
                .to_string(),
            rustc: version("rustc")?,
            valgrind: version("valgrind")?,
            qemu: version("qemu-system-arm")?,
        })
    }
}

/// The model's name in Linux's list of processors.
fn processor(cpus: &str) -> Option<&str> {
    let model = cpus.lines().find(|line| line.starts_with("model name"))?;
    Some(model.split_once(':')?.1.trim())
}

impl Results {
    pub fn text(&self) -> String {
        let Setting {
            processor,
            rustc,
            valgrind,
            qemu,
        } = &self.setting;
        let mut text = format!(
            "{:<24}{:>14}{:>14}{:>14}\n",
            "per second", "engine", "twin", "ratio"
        );
        for Cost {
            work,
            per_s,
            twin_per_s,
            ..
        } in &self.costs
        {
            let ratio = per_s / twin_per_s;
            text += &format!("{work:<24}{per_s:>14.0}{twin_per_s:>14.0}{ratio:>14.1}\n");
        }
        text += &format!("{:<24}{:>14.0}\n", "… in lockstep", self.lockstep_per_s);
        text += &format!("One core of {processor}, the best of several runs; {rustc}.\n\n");

        let host = std::env::consts::ARCH;
        text += &format!(
            "{:<24}{host:>14}{:>14}{:>14}\n",
            "instructions per", M4.core, M0.core
        );
        for Cost {
            work, host, m4, m0, ..
        } in &self.costs
        {
            text += &format!("{work:<24}{host:>14.1}{m4:>14.1}{m0:>14.1}\n");
        }
        for Total { work, host, m4, m0 } in &self.totals {
            text += &format!("{work:<24}{host:>14.0}{m4:>14.0}{m0:>14.0}\n");
        }
        text += "\nlearning, one iteration with 100 choices\n";
        for Part {
            name,
            host_s,
            m4,
            m0,
        } in &self.parts
        {
            let host_ms = 1000.0 * host_s;
            text += &format!("{name:<24}{host_ms:>11.3} ms{m4:>14.0}{m0:>14.0}\n");
        }
        text += &format!("{:<24}{:>11.2} s\n", "400 iterations", self.run_s);
        text += &format!("{:<24}{:>11.2} s\n", "a whole search", self.search_s);
        let Speed { lab_s, page_s } = self.speed;
        let ratio = page_s / lab_s;
        text += &format!(
            "400 iterations, CPU time{lab_s:>11.2} s in the lab, {page_s:.2} s in the page: {ratio:.2} times as much\n\n"
        );
        text += &format!("Counted by {valgrind} and by {qemu}, which knows no cycles.\n");
        text
    }

    /// One object on one line.
    pub fn json(&self) -> String {
        let mut fields = Vec::new();
        for Cost {
            work,
            per_s,
            twin_per_s,
            host,
            m4,
            m0,
        } in &self.costs
        {
            fields.push(format!("\"{work}s_per_s\":{per_s:.0}"));
            fields.push(format!("\"twin_{work}s_per_s\":{twin_per_s:.0}"));
            for (place, instructions) in [("host", host), ("m4", m4), ("m0", m0)] {
                fields.push(format!(
                    "\"{place}_instructions_per_{work}\":{instructions:.1}"
                ));
            }
        }
        fields.push(format!(
            "\"lockstep_decisions_per_s\":{:.0}",
            self.lockstep_per_s
        ));
        for Part {
            name,
            host_s,
            m4,
            m0,
        } in &self.parts
        {
            fields.push(format!("\"{name}_s_per_iteration\":{host_s:.6}"));
            fields.push(format!("\"m4_{name}_instructions_per_iteration\":{m4:.0}"));
            fields.push(format!("\"m0_{name}_instructions_per_iteration\":{m0:.0}"));
        }
        for Total { work, host, m4, m0 } in &self.totals {
            for (place, instructions) in [("host", host), ("m4", m4), ("m0", m0)] {
                fields.push(format!("\"{place}_{work}_instructions\":{instructions:.0}"));
            }
        }
        fields.push(format!("\"run_s\":{:.3}", self.run_s));
        fields.push(format!("\"search_s\":{:.3}", self.search_s));
        fields.push(format!("\"lab_cpu_s\":{:.3}", self.speed.lab_s));
        fields.push(format!("\"page_cpu_s\":{:.3}", self.speed.page_s));
        let Setting {
            processor,
            rustc,
            valgrind,
            qemu,
        } = &self.setting;
        let names = ["processor", "rustc", "valgrind", "qemu"];
        for (name, value) in names.iter().zip([processor, rustc, valgrind, qemu]) {
            fields.push(format!("\"{name}\":\"{}\"", escaped(value)));
        }
        format!("{{{}}}", fields.join(","))
    }
}

/// The text as it stands between the quotes of a JSON string.
fn escaped(text: &str) -> String {
    let printable = text.chars().filter(|c| !c.is_control());
    printable
        .flat_map(|c| {
            matches!(c, '"' | '\\')
                .then_some('\\')
                .into_iter()
                .chain([c])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results() -> Results {
        let placement = Cost {
            work: "placement",
            per_s: 80_910_737.15,
            twin_per_s: 586_891.03,
            host: 150.06,
            m4: 204.04,
            m0: 286.89,
        };
        let setting = Setting {
            processor: "a \"fast\" one".into(),
            rustc: "rustc 1.87.0".into(),
            valgrind: "valgrind-3.19.0".into(),
            qemu: "QEMU 7.2".into(),
        };
        let fit = Part {
            name: "fit",
            host_s: 0.000_5,
            m4: 2_800_000.0,
            m0: 10_000_000.0,
        };
        let search = Total {
            work: "short_search",
            host: 3e8,
            m4: 4e8,
            m0: 5e8,
        };
        Results {
            costs: vec![placement],
            lockstep_per_s: 7_500_000.4,
            parts: vec![fit],
            totals: vec![search],
            run_s: 0.4,
            search_s: 2.0,
            speed: Speed {
                lab_s: 0.4,
                page_s: 0.5,
            },
            setting,
        }
    }

    #[test]
    fn json_is_one_flat_object_on_one_line() {
        assert_eq!(
            results().json(),
            "{\"placements_per_s\":80910737,\"twin_placements_per_s\":586891,\
             \"host_instructions_per_placement\":150.1,\"m4_instructions_per_placement\":204.0,\
             \"m0_instructions_per_placement\":286.9,\"lockstep_decisions_per_s\":7500000,\"fit_s_per_iteration\":0.000500,\
             \"m4_fit_instructions_per_iteration\":2800000,\
             \"m0_fit_instructions_per_iteration\":10000000,\
             \"host_short_search_instructions\":300000000,\"m4_short_search_instructions\":400000000,\
             \"m0_short_search_instructions\":500000000,\"run_s\":0.400,\"search_s\":2.000,\
             \"lab_cpu_s\":0.400,\"page_cpu_s\":0.500,\"processor\":\"a \\\"fast\\\" one\",\
             \"rustc\":\"rustc 1.87.0\",\"valgrind\":\"valgrind-3.19.0\",\"qemu\":\"QEMU 7.2\"}"
        );
    }

    #[test]
    fn text_says_what_it_was_measured_with() {
        let text = results().text();
        for part in [
            "a \"fast\" one",
            "rustc 1.87.0",
            "valgrind-3.19.0",
            "QEMU 7.2",
            "137.9",
        ] {
            assert!(text.contains(part), "{part} is not in:\n{text}");
        }
    }

    #[test]
    fn rates_end_in_the_same_column() {
        let text = results().text();
        let rates: Vec<Vec<char>> = text.lines().take(3).map(|l| l.chars().collect()).collect();
        for line in rates {
            let ends = line.get(38).is_none_or(|&after| after == ' ');
            assert!(ends && line[37] != ' ', "{text}");
        }
    }

    #[test]
    fn the_processor_is_found_in_the_list_of_linux() {
        let cpus = "processor\t: 0\nmodel name\t: Fast CPU @ 3 GHz\nflags\t: fpu\n";
        assert_eq!(processor(cpus), Some("Fast CPU @ 3 GHz"));
        assert_eq!(processor(""), None);
    }
}
