//! What the text of `--edc-library-str` says, in JSON or TOML.

use locox::cube::Dim;
use locox_models::machine::{Hypercube, Machine, Pool, StrategyKind};
use locox_models::replay::QueueKind;
use serde::Deserialize;
use std::str::FromStr;

/// The most jobs that may wait or run at once: what they take fits into a gigabyte.
const MOST_JOBS: u32 = 1_000_000;
const JOBS: u32 = 65_536;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    queue: Option<String>,
    strategy: Option<String>,
    jobs: Option<u32>,
}

/// Which queue, and which hosts it gives out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) queue: QueueKind,
    /// Subcubes of hosts by this strategy; any hosts if there is none.
    strategy: Option<StrategyKind>,
    pub(crate) jobs: usize,
}

impl FromStr for Settings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let settings = if text.starts_with('{') {
            serde_json::from_str(text).map_err(|error| error.to_string())
        } else {
            toml::from_str(text).map_err(|error| error.message().to_owned())
        };
        let Text { queue, strategy, jobs } =
            settings.map_err(|error| format!("the settings: {error}"))?;
        let queue: QueueKind = queue
            .as_deref()
            .unwrap_or("fcfs")
            .parse()
            .map_err(|error| format!("the settings: {error}"))?;
        let strategy = strategy.as_deref().map(str::parse::<StrategyKind>).transpose();
        let strategy = strategy.map_err(|error| format!("the settings: {error}"))?;
        if queue.plans() && strategy.is_some() {
            return Err(format!(
                "the settings: {queue} plans by numbers of hosts, and knows no subcubes"
            ));
        }
        let jobs = jobs.unwrap_or(JOBS);
        if !(1..=MOST_JOBS).contains(&jobs) {
            return Err(format!("the settings: jobs may be 1 to {MOST_JOBS}"));
        }
        Ok(Self { queue, strategy, jobs: jobs as usize })
    }
}

impl Settings {
    /// So many idle hosts.
    ///
    /// # Errors
    ///
    /// That they are no hypercube, if they have to be one.
    pub(crate) fn machine(&self, hosts: u32) -> Result<Box<dyn Machine>, String> {
        let Some(strategy) = self.strategy else { return Ok(Box::new(Pool::new(hosts))) };
        let dims = Dim::holding(hosts).filter(|dims| dims.nodes() == hosts);
        let dims =
            dims.ok_or_else(|| format!("{hosts} hosts are no hypercube: take a power of two"))?;
        Ok(Box::new(Hypercube::new(dims, strategy)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_toml_and_nothing_are_settings() {
        for (text, queue) in [
            ("", "fcfs"),
            (r#" {"queue": "easy:8", "jobs": 10} "#, "easy:8"),
            ("queue = \"conservative\"", "conservative"),
            ("queue = \"fcfs\"\nstrategy = \"buddy\"", "fcfs"),
        ] {
            assert_eq!(text.parse::<Settings>().unwrap().queue.to_string(), queue);
        }
    }

    #[test]
    fn what_is_none_is_answered_with_what_there_is() {
        for (text, part) in [
            ("{", "EOF"),
            ("{\"queue\": 4}", "invalid type"),
            ("queue = \"lifo\"", "unknown queue `lifo`; the queues are fcfs"),
            ("strategy = \"best\"", "unknown strategy `best`"),
            ("strategy = \"buddy\"\nqueue = \"easy\"", "easy plans by numbers of hosts"),
            ("colour = 1", "unknown field"),
            ("jobs = 0", "jobs may be 1 to 1000000"),
            ("jobs = -1", "invalid value"),
        ] {
            let error = text.parse::<Settings>().unwrap_err();
            assert!(error.starts_with("the settings: ") && error.contains(part), "{error}");
        }
        let cube: Settings = "strategy = \"buddy\"".parse().unwrap();
        assert!(cube.machine(6).is_err() && cube.machine(8).is_ok());
    }
}
