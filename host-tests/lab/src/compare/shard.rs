//! Which part of the work is done here.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A part of the runs, for one host of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 on.
    pub at: usize,
    pub of: usize,
}

impl Shard {
    const PARTS: RangeInclusive<usize> = 1..=10_000;

    /// The numbers that it is written with.
    pub fn ranges() -> String {
        format!("I 1 to N, N {} to {}", Self::PARTS.start(), Self::PARTS.end())
    }
}

/// All runs.
impl Default for Shard {
    fn default() -> Self {
        Self { at: 1, of: 1 }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.at, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(at, of)| Some((at.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.map(|(at, of)| Self { at, of });
        let shard = shard
            .filter(|shard| Self::PARTS.contains(&shard.of) && (1..=shard.of).contains(&shard.at));
        shard.ok_or_else(|| format!("write I/N, such as 1/4, with {}", Self::ranges()))
    }
}
