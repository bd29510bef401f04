//! The part of all work that one of several machines does.

use super::results::Key;
use std::str::FromStr;

/// Part `part` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    pub part: u64,
    pub of: u64,
}

impl Shard {
    pub const ALL: Shard = Shard { part: 1, of: 1 };

    pub fn has(self, key: Key) -> bool {
        (key.replication + key.arm as u64) % self.of == self.part - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(part, of)| {
            Some(Shard {
                part: part.parse().ok()?,
                of: of.parse().ok()?,
            })
        });
        match parsed {
            Some(shard) if (1..=shard.of).contains(&shard.part) => Ok(shard),
            _ => Err("it must be I/N, with I from 1 to N, as in 2/4".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_replication_is_in_exactly_one_shard() {
        for of in 1..6 {
            for arm in 0..4 {
                for replication in 1..20 {
                    let key = Key { arm, replication };
                    let shards = (1..=of).filter(|&part| Shard { part, of }.has(key));
                    assert_eq!(shards.count(), 1);
                }
            }
        }
    }
}
