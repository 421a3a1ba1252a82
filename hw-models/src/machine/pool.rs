//! Processors without topology.

use super::{Machine, Placement, Token, Usage, interval_set, slot_of};
use crate::workload::Job;
use locox::bits::{BitSet, Word, words_for};
use locox::subcube::Refusal;
use slab::Slab;
use std::ops::Range;

/// A flat machine: any free processors will do; a job gets those with the lowest numbers.
///
/// - A processor is in `free`, or in `busy` and the runs of exactly one job.
///
/// Starting and finishing a job cost time in proportion to its runs, and to the size of the
/// machine over the bits of a word.
pub struct Pool {
    free: BitSet<Box<[Word]>>,
    busy: BitSet<Box<[Word]>>,
    jobs: Slab<Vec<Range<u32>>>,
    usage: Usage,
}

impl Pool {
    /// An idle machine of `processors` processors, numbered from 0.
    pub fn new(processors: u32) -> Self {
        let words = || vec![0; words_for(processors as usize)].into_boxed_slice();
        let empty = || BitSet::empty(words(), processors).expect("as many words as it takes");
        let (mut free, busy) = (empty(), empty());
        free.insert_range(0, processors).expect(WITHIN);
        Self { free, busy, jobs: Slab::new(), usage: Usage::default() }
    }

    /// Takes the lowest free processors, as many as there are for certain.
    fn take(&mut self, processors: u32) -> Vec<Range<u32>> {
        let (mut runs, mut left, mut from) = (vec![], processors, 0);
        while left > 0 {
            let start = self.free.first_from(from).expect("as many are free");
            let end = self.busy.first_from(start).unwrap_or(self.processors());
            let end = end.min(start + left);
            runs.push(start..end);
            left -= end - start;
            from = end;
        }
        for run in &runs {
            self.free.remove_range(run.start, run.end - run.start).expect(WITHIN);
            self.busy.insert_range(run.start, run.end - run.start).expect(WITHIN);
        }
        runs
    }
}

const WITHIN: &str = "runs lie within the machine";

impl Machine for Pool {
    fn name(&self) -> String {
        format!("pool of {}", self.processors())
    }

    fn processors(&self) -> u32 {
        self.free.len()
    }

    fn in_use(&self) -> u32 {
        self.usage.in_use
    }

    fn held(&self) -> u32 {
        self.usage.held
    }

    fn start(&mut self, job: &Job) -> Result<Placement, Refusal> {
        let processors = job.processors;
        if !self.can_ever(job) {
            return Err(Refusal::TooLarge);
        }
        let free = self.processors() - self.held();
        if processors > free {
            return Err(Refusal::TooFewFree { needed: processors, free });
        }
        let runs = self.take(processors);
        let token = Token::Slot(self.jobs.insert(runs));
        let placement = Placement { processors, held: processors, token };
        self.usage.add(&placement);
        Ok(placement)
    }

    fn can_ever(&self, job: &Job) -> bool {
        job.processors <= self.processors()
    }

    fn finish(&mut self, placement: Placement) {
        for run in self.jobs.remove(slot_of(placement)) {
            self.free.insert_range(run.start, run.end - run.start).expect(WITHIN);
            self.busy.remove_range(run.start, run.end - run.start).expect(WITHIN);
        }
        self.usage.remove(&placement);
    }

    fn allocated(&self, placement: Placement) -> String {
        interval_set(&self.jobs[slot_of(placement)])
    }
}
