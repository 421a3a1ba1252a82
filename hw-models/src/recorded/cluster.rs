//! Recorded runs of [`locox_coordinators::cluster`].

use crate::streams::stream;
use crate::timeshare::fluid::{Setup, history};
use locox::timeshare::Placement;
use locox_recorded::cluster::{MadeOf, Rule, UnderPlacement};

/// Runs a stream of jobs and writes down what its coordinator was told, up to so many commands.
/// Same setup, rule and seed, same bytes.
pub fn record_cluster(setup: Setup<'_>, rule: Rule, seed: u64, most: u64) -> Vec<u8> {
    let made_of = MadeOf {
        rule,
        queue: setup.queue,
        levels: setup.levels,
        hosts: setup.hosts,
        jobs: setup.arrivals.len(),
        config: setup.config(),
    };
    let mut bytes = made_of.head();
    bytes.extend(rule.with(Record { setup, seed, most }));
    bytes
}

struct Record<'a> {
    setup: Setup<'a>,
    seed: u64,
    most: u64,
}

impl UnderPlacement for Record<'_> {
    type Done = Vec<u8>;

    fn under<P: Placement>(self, placement: P) -> Vec<u8> {
        history(self.setup, placement, stream(self.seed, "draws", 0), self.most)
    }
}
