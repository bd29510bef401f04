//! All replications that are complete.

use super::experiment::Experiment;
use super::replication::Replication;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Which run of which arm; replications count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub arm: usize,
    pub replication: u64,
}

#[derive(Default)]
pub struct Results {
    all: BTreeMap<Key, Replication>,
}

/// There is another result for the same replication.
#[derive(Debug)]
pub struct Contradiction;

impl Results {
    pub fn add(&mut self, key: Key, replication: Replication) -> Result<(), Contradiction> {
        match self.all.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(replication);
                Ok(())
            }
            Entry::Occupied(entry) if *entry.get() == replication => Ok(()),
            Entry::Occupied(_) => Err(Contradiction),
        }
    }

    pub fn has(&self, key: Key) -> bool {
        self.all.contains_key(&key)
    }

    /// Replications 1, 2, … of an arm with their numbers, up to the first that is missing. Later ones
    /// may be there because they were quick, and so would not stand for all.
    pub fn of(&self, arm: usize) -> Vec<(u64, &Replication)> {
        let find = |replication| {
            let run = self.all.get(&Key { arm, replication })?;
            Some((replication, run))
        };
        (1..).map_while(find).collect()
    }

    /// All of them as a file.
    pub fn all_to_csv(&self, experiment: &Experiment) -> String {
        let rows = self.all.iter();
        let rows = rows.map(|(key, run)| super::table::rows(experiment, *key, run));
        super::table::HEADER.to_owned() + &rows.collect::<String>()
    }

    /// As a file: sorted, whatever the order in which they came.
    pub fn to_csv(&self, experiment: &Experiment) -> String {
        let mut text = super::table::HEADER.to_owned();
        for arm in 0..experiment.arms.len() {
            for (replication, run) in self.of(arm) {
                text += &super::table::rows(experiment, Key { arm, replication }, run);
            }
        }
        text
    }
}
