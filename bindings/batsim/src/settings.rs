//! What the text of `--edc-library-str` says, in JSON or TOML.

use locox::cube::Dim;
use locox::grid::Placement;
use locox_models::machine::{
    BoxStrategy, GridMachine, Hypercube, Layout, Machine, Nearness, Pool, Racks, StrategyKind,
    tree_machine,
};
use locox_models::replay::{Live, QueueKind};
use serde::Deserialize;
use std::str::FromStr;

/// The most jobs that may wait or run at once: what they take fits into a gigabyte.
const MOST_JOBS: u32 = 1_000_000;
const JOBS: u32 = 65_536;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    queue: Option<String>,
    machine: Option<String>,
    strategy: Option<String>,
    jobs: Option<u32>,
}

/// Which queue, and which hosts it gives out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) queue: QueueKind,
    together: Together,
    pub(crate) jobs: usize,
}

/// Which hosts a job may have together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Together {
    /// Any.
    Any,
    /// A subcube, by this strategy.
    Subcube(StrategyKind),
    /// A box.
    Box(Layout, BoxStrategy),
    /// Those of a rack, or a block.
    Rack(Racks, Nearness),
}

impl Together {
    fn new(machine: Option<&str>, strategy: Option<&str>) -> Result<Self, String> {
        let Some(machine) = machine else {
            let kind = strategy.map(str::parse).transpose().map_err(told)?;
            return Ok(kind.map_or(Self::Any, Self::Subcube));
        };
        if machine.starts_with("tree:") {
            let nearness = strategy.map_or(Ok(Nearness::Preferred), str::parse).map_err(told)?;
            return Ok(Self::Rack(machine.parse().map_err(told)?, nearness));
        }
        let layout: Layout =
            machine.parse().map_err(|bad| told(format!("{bad}; or tree:RACKSxNODES")))?;
        let boxes: BoxStrategy =
            strategy.map_or(Ok(Placement::Corner.into()), str::parse).map_err(told)?;
        boxes.fits(layout).map_err(told)?;
        Ok(Self::Box(layout, boxes))
    }

    /// How many hosts there must be.
    fn hosts(self) -> Option<u32> {
        match self {
            Self::Any | Self::Subcube(_) => None,
            Self::Box(layout, _) => Some(layout.processors()),
            Self::Rack(racks, _) => Some(racks.processors()),
        }
    }
}

fn told(fault: impl std::fmt::Display) -> String {
    format!("the settings: {fault}")
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
        let Text { queue, machine, strategy, jobs } = settings.map_err(told)?;
        let queue: QueueKind = queue.as_deref().unwrap_or("fcfs").parse().map_err(told)?;
        let together = Together::new(machine.as_deref(), strategy.as_deref())?;
        if queue.plans_numbers() && together != Together::Any {
            return Err(told(format!(
                "{queue} plans by numbers of hosts, and knows no places; take promises:N"
            )));
        }
        let jobs = jobs.unwrap_or(JOBS);
        if !(1..=MOST_JOBS).contains(&jobs) {
            return Err(told(format!("jobs may be 1 to {MOST_JOBS}")));
        }
        Ok(Self { queue, together, jobs: jobs as usize })
    }
}

impl Settings {
    /// So many idle hosts, and the queue before them.
    ///
    /// # Errors
    ///
    /// That they are not as many as the machine has, or that it promises no places.
    pub(crate) fn live(&self, hosts: u32) -> Result<Live, String> {
        let machine = self.machine(hosts)?;
        let live = Live::new(self.queue, machine, self.jobs);
        live.ok_or_else(|| {
            told(format!("{} needs a strategy whose places it can know before", self.queue))
        })
    }

    fn machine(&self, hosts: u32) -> Result<Box<dyn Machine>, String> {
        if let Some(needed) = self.together.hosts().filter(|&needed| needed != hosts) {
            return Err(told(format!("the machine has {needed} hosts, the platform {hosts}")));
        }
        Ok(match self.together {
            Together::Any => Box::new(Pool::new(hosts)),
            Together::Box(layout, strategy) => Box::new(GridMachine::new(layout, strategy)),
            Together::Rack(racks, nearness) => tree_machine(racks, nearness),
            Together::Subcube(strategy) => {
                let dims = Dim::holding(hosts).filter(|dims| dims.nodes() == hosts);
                let no_cube = || format!("{hosts} hosts are no hypercube: take a power of two");
                Box::new(Hypercube::new(dims.ok_or_else(no_cube)?, strategy))
            }
        })
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
            ("machine = \"torus:4x4\"\nqueue = \"easy\"", "take promises:N"),
            ("machine = \"torus\"", "write torus:XxYxZ"),
            ("machine = \"tree:4\"", "write tree:RACKSxNODES"),
            ("machine = \"torus:4x4\"\nstrategy = \"buddy\"", "write first, corner or fewest"),
            ("machine = \"torus:4x4\"\nstrategy = \"corner@3\"", "does not divide"),
            (
                "machine = \"tree:4x4\"\nstrategy = \"near\"",
                "on racks use \"preferred\" or \"required\"",
            ),
            ("colour = 1", "unknown field"),
            ("jobs = 0", "jobs may be 1 to 1000000"),
            ("jobs = -1", "invalid value"),
        ] {
            let error = text.parse::<Settings>().unwrap_err();
            assert!(error.starts_with("the settings: ") && error.contains(part), "{error}");
        }
        let with_hosts = |text: &str, hosts| {
            let settings: Settings = text.parse().unwrap();
            settings.live(hosts).map(|_| ())
        };
        assert!(with_hosts("strategy = \"buddy\"", 6).unwrap_err().contains("no hypercube"));
        assert_eq!(with_hosts("strategy = \"buddy\"", 8), Ok(()));
        let torus = "machine = \"torus:4x4\"\nqueue = \"promises:1\"";
        assert!(with_hosts(torus, 15).unwrap_err().contains("has 16 hosts, the platform 15"));
        assert_eq!(with_hosts(torus, 16), Ok(()));
        let plain = "strategy = \"free-list-plain\"\nqueue = \"promises:1\"";
        assert!(with_hosts(plain, 8).unwrap_err().contains("needs a strategy"));
    }
}
