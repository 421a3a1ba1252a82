//! Nodes any of which will do.

use super::simulator::{Held, Rule};
use locox_models::workload::Job;
use std::ops::Range;

pub(super) struct Count(pub(super) u32);

impl Rule for Count {
    type Place = u32;
    type Map = u32;

    fn free(&self, held: &[Held<u32>], during: &Range<u64>) -> u32 {
        let at = |time: u64| held.iter().filter(move |it| it.during.contains(&time));
        let starts = held.iter().map(|it| it.during.start).filter(|time| during.contains(time));
        let times = starts.chain([during.start]);
        let taken = times.map(|time| at(time).map(|it| it.place).sum()).max().unwrap_or(0);
        // A job that runs too long holds nodes that are promised from now on.
        self.0.saturating_sub(taken)
    }

    fn has(&self, free: &u32, place: &u32) -> bool {
        place <= free
    }

    fn find(&self, free: &u32, job: &Job) -> Option<u32> {
        (job.processors <= *free).then_some(job.processors)
    }

    fn consists_of(&self, place: &u32, nodes: &[u32]) -> bool {
        nodes.len() == *place as usize
    }
}
