//! Parameters by their names.

use std::collections::BTreeMap;
use std::fmt::Debug;

/// Every parameter with its value as text, by its path: `second.rollouts.count`.
pub fn fields(parameters: &impl Debug) -> BTreeMap<String, String> {
    let text = format!("{parameters:#?}");
    let mut fields = BTreeMap::new();
    let mut path: Vec<&str> = Vec::new();
    for line in text.lines().map(|line| line.trim().trim_end_matches(',')) {
        let (name, value) = line.split_once(": ").unwrap_or(("", line));
        match value.chars().last() {
            Some('{' | '(' | '[') => path.push(name),
            Some('}' | ')' | ']') => _ = path.pop(),
            _ => {
                let names = path.iter().chain([&name]).copied();
                let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
                let value = value.to_string();
                let text = fields.entry(names.join(".")).or_insert(String::new());
                *text = [std::mem::take(text), value].concat();
            }
        }
    }
    fields
}

/// The paths of the parameters in which two sets of the same kind differ.
pub fn differences(one: &impl Debug, other: &impl Debug) -> Vec<String> {
    let (one, other) = (fields(one), fields(other));
    let all = one
        .keys()
        .chain(other.keys().filter(|path| !one.contains_key(*path)));
    let differ = all.filter(|path| one.get(*path) != other.get(*path));
    differ.cloned().collect()
}
