//! How long boards take, from the README's table, which `cargo xtask resources` measures.

/// The whole runs of the table: how it names their length and their time, and the name that the page has for them.
const RUNS: [(&str, &str, &str, &str); 3] = [
    (
        "tetris ipse",
        "a run of ",
        " iterations",
        "the whole run in time",
    ),
    (
        "tetris search",
        "a search of ",
        " calls",
        "the whole search in time",
    ),
    (
        "sensor-node search",
        "its search of ",
        " calls",
        "its whole search in time",
    ),
];

/// The whole runs as JSON.
pub fn json(readme: &str) -> Result<String, String> {
    let rows: Vec<Vec<&str>> = readme
        .lines()
        .filter(|line| line.starts_with("| "))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let runs = RUNS.map(|(name, before, after, time)| {
        let missing = || format!("README.md: its table has no `{before}…{after}` with `{time}`");
        let amount = |row: &Vec<&str>| {
            let amount = row.first()?.strip_prefix(before)?.strip_suffix(after)?;
            amount.replace(' ', "").parse::<u64>().ok()
        };
        let amount = rows.iter().filter_map(amount).max().ok_or_else(missing)?;
        let row = rows.iter().find(|row| row.first() == Some(&time));
        let seconds = |column: usize| {
            let cell = row.and_then(|row| row.get(column));
            let seconds = cell.and_then(|cell| cell.split_once(" s at "))?.0;
            seconds.parse::<f64>().ok()
        };
        let (stm32f405, rp2040) = (
            seconds(1).ok_or_else(missing)?,
            seconds(2).ok_or_else(missing)?,
        );
        let unit = after.trim_start();
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
    fn the_readme_has_the_time_of_every_run() {
        let readme = std::fs::read_to_string(workspace::root().join("README.md")).unwrap();
        let json = json(&readme).unwrap();
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
        assert!(error.contains("the whole run in time"), "{error}");
    }
}
