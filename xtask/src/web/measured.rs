//! How long boards take, from docs/RESOURCES.md, which `cargo xtask resources` writes.

/// Where the table is.
pub const DOCUMENT: &str = "docs/RESOURCES.md";

/// The whole runs of the table: the name that the page has for them, what the title of their time begins with, and the unit
/// of their length.
const RUNS: [(&str, &str, &str); 3] = [
    ("tetris ipse", "a run of ", "iterations"),
    ("tetris search", "a surface search of ", "calls"),
    ("sensor-node search", "its search of ", "calls"),
];

/// The whole runs as JSON.
pub fn json(document: &str) -> Result<String, String> {
    let rows: Vec<Vec<&str>> = document
        .lines()
        .filter(|line| line.starts_with("| "))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let runs = RUNS.map(|(name, before, unit)| {
        let after = format!(" {unit} in time");
        let missing = || format!("{DOCUMENT}: its table has no `{before}…{after}`");
        let time_of = |row: &Vec<&str>| {
            let amount = row.first()?.strip_prefix(before)?.strip_suffix(&after)?;
            let amount: u64 = amount.replace(' ', "").parse().ok()?;
            let seconds = |column: usize| -> Option<f64> {
                row.get(column)?.split_once(" s at ")?.0.parse().ok()
            };
            Some((amount, seconds(1)?, seconds(2)?))
        };
        let (amount, stm32f405, rp2040) = rows.iter().find_map(time_of).ok_or_else(missing)?;
        Ok::<_, String>(format!(
            "\"{name}\":{{\"unit\":\"{unit}\",\"amount\":{amount},\
             \"seconds\":{{\"stm32f405\":{stm32f405},\"rp2040\":{rp2040}}}}}"
        ))
    });
    let runs: Result<Vec<String>, String> = runs.into_iter().collect();
    Ok(format!("{{{}}}", runs?.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn the_document_has_the_time_of_every_run() {
        let document = std::fs::read_to_string(workspace::root().join(DOCUMENT)).unwrap();
        let json = json(&document).unwrap();
        assert!(
            json.contains("\"tetris ipse\":{\"unit\":\"iterations\",\"amount\":400,"),
            "{json}"
        );
        assert!(
            json.contains("\"sensor-node search\":{\"unit\":\"calls\""),
            "{json}"
        );
    }

    #[test]
    fn a_table_without_them_is_refused_by_name() {
        let error = json("| a run of 400 iterations | 1 | 2 |\n").unwrap_err();
        assert!(error.contains("a run of … iterations in time"), "{error}");
    }
}
