//! Processors without topology.

use super::{
    Affected, Machine, Outages, Placement, Refusal, Rule, Token, Usage, interval_set, slot_of,
};
use crate::outages::Outage;
use crate::workload::Job;
use locox::bits::{BitSet, Word, words_for};
use locox::subcube;
use slab::Slab;
use std::cmp::Reverse;
use std::ops::Range;

/// A flat machine: any free processors will do; a job gets those with the lowest numbers.
///
/// Processors go out of service by their number alone, whatever an outage lists: as many as all outages
/// of the time together affect, the free ones with the lowest numbers first. If these are too few, the jobs
/// that started last are hit, as many as it takes.
///
/// Starting and finishing a job cost time in proportion to its runs, and to the size of the
/// machine over the bits of a word.
// Invariants of the fields:
//
// - A processor is in `free`, or in `busy` and the runs of exactly one job, or in `busy` and `out`.
// - `affected` adds up the outages. `out` and what hit jobs still owe are as many, if the machine has them.
// - `started` counts the jobs that were started; each keeps its number.
#[derive(Clone)]
pub struct Pool {
    free: BitSet<Box<[Word]>>,
    busy: BitSet<Box<[Word]>>,
    jobs: Slab<Held>,
    usage: Usage,
    started: u64,
    affected: u64,
    out: Out,
}

/// What a running job holds.
#[derive(Clone)]
struct Held {
    runs: Vec<Range<u32>>,
    started: u64,
}

/// Processors out of service.
///
/// - `runs` has `count` of them, the last to go at the end.
/// - `owed` is how many more go as soon as jobs that are hit give them back.
#[derive(Clone, Default)]
struct Out {
    runs: Vec<Range<u32>>,
    count: u32,
    owed: u32,
}

impl Pool {
    /// An idle machine of `processors` processors, numbered from 0.
    pub fn new(processors: u32) -> Self {
        let words = || vec![0; words_for(processors as usize)].into_boxed_slice();
        let empty = || BitSet::empty(words(), processors).expect("as many words as it takes");
        let (mut free, busy) = (empty(), empty());
        free.insert_range(0, processors).expect(WITHIN);
        let (usage, out) = (Usage::default(), Out::default());
        Self { free, busy, jobs: Slab::new(), usage, started: 0, affected: 0, out }
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

    /// Processors that jobs may take.
    fn idle(&self) -> u32 {
        self.processors() - self.held() - self.out.count
    }

    fn give_back(&mut self, run: &Range<u32>) {
        self.free.insert_range(run.start, run.end - run.start).expect(WITHIN);
        self.busy.remove_range(run.start, run.end - run.start).expect(WITHIN);
    }

    /// So many free processors go out of service.
    fn withdraw(&mut self, processors: u32) {
        let runs = self.take(processors);
        self.out.runs.extend(runs);
        self.out.count += processors;
    }

    /// Of so many processors that a job gave back those go out of service that are still to go.
    fn pay(&mut self, processors: u32) {
        let owed = self.out.owed.min(processors);
        self.out.owed -= owed;
        self.withdraw(owed);
    }

    /// So many processors serve again, the last to go first.
    fn repair(&mut self, processors: u32) {
        let mut left = processors;
        while left > 0 {
            let run = self.out.runs.last_mut().expect("as many are out of service");
            let back = run.end.saturating_sub(left).max(run.start)..run.end;
            run.end = back.start;
            left -= back.end - back.start;
            if run.start == run.end {
                self.out.runs.pop();
            }
            self.give_back(&back);
        }
        self.out.count -= processors;
    }

    /// The jobs that started last, as many as hold so many processors.
    fn hit(&self, processors: u32) -> Vec<usize> {
        let mut last: Vec<usize> = self.jobs.iter().map(|(slot, _)| slot).collect();
        last.sort_unstable_by_key(|&slot| Reverse(self.jobs[slot].started));
        let mut left = i64::from(processors);
        last.retain(|&slot| {
            let hit = left > 0;
            left -=
                self.jobs[slot].runs.iter().map(|run| i64::from(run.end - run.start)).sum::<i64>();
            hit
        });
        last
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
            return Err(subcube::Refusal::TooLarge.into());
        }
        if processors > self.serving() {
            return Err(subcube::Refusal::Faulty.into());
        }
        let free = self.idle();
        if processors > free {
            return Err(subcube::Refusal::TooFewFree { needed: processors, free }.into());
        }
        let runs = self.take(processors);
        let token = Token::Slot(self.jobs.insert(Held { runs, started: self.started }));
        self.started += 1;
        let placement = Placement { processors, held: processors, token };
        self.usage.add(&placement);
        Ok(placement)
    }

    fn rule(&self) -> Option<Rule> {
        Some(Rule::Count(self.processors()))
    }

    fn can_ever(&self, job: &Job) -> bool {
        job.processors <= self.processors()
    }

    fn finish(&mut self, placement: Placement) {
        for run in self.jobs.remove(slot_of(placement)).runs {
            self.give_back(&run);
        }
        self.usage.remove(&placement);
        if self.out.owed > 0 {
            self.pay(placement.held);
        }
    }

    fn allocated(&self, placement: Placement) -> String {
        interval_set(&self.jobs[slot_of(placement)].runs)
    }

    fn outages(&mut self) -> Option<&mut dyn Outages> {
        Some(self)
    }
}

impl Outages for Pool {
    fn serving(&self) -> u32 {
        self.processors() - self.out.count - self.out.owed
    }

    fn begin(&mut self, outage: &Outage, hit: &mut dyn FnMut(Token)) -> Affected {
        let processors = outage.processors;
        self.affected += u64::from(processors);
        let more = self.affected.min(self.processors().into()) as u32;
        let more = more - self.out.count - self.out.owed;
        let free = more.min(self.idle());
        self.withdraw(free);
        self.hit(more - free).into_iter().for_each(|slot| hit(Token::Slot(slot)));
        self.out.owed += more - free;
        Affected { processors, nodes: vec![] }
    }

    fn end(&mut self, affected: Affected) {
        self.affected -= u64::from(affected.processors);
        let left = self.affected.min(self.processors().into()) as u32;
        self.repair(self.out.count - left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::time::{Duration, Instant};

    fn job(processors: u32) -> Job {
        let (submit, run) = (Instant::ZERO, Duration::from_ticks(1));
        Job {
            id: 0,
            line: None,
            submit,
            processors,
            shape: None,
            memory: 0,
            demand: None,
            run,
            requested: None,
            user: None,
        }
    }

    fn begin(pool: &mut Pool, processors: u32) -> (Affected, Vec<Token>) {
        let mut hit = vec![];
        let outage = Outage::of(processors, Instant::ZERO, None);
        (pool.begin(&outage, &mut |token| hit.push(token)), hit)
    }

    #[test]
    fn free_processors_go_first_then_those_of_the_jobs_that_started_last() {
        let mut pool = Pool::new(8);
        let [first, second, third] =
            [2, 2, 2].map(|processors| pool.start(&job(processors)).unwrap());
        let (one, hit) = begin(&mut pool, 1);
        assert_eq!((hit, pool.serving()), (vec![], 7));
        let (more, hit) = begin(&mut pool, 4);
        assert_eq!((&hit[..], pool.serving()), (&[third.token, second.token][..], 3));
        pool.finish(third);
        pool.finish(second);
        let too_few = subcube::Refusal::TooFewFree { needed: 2, free: 1 };
        assert_eq!(pool.start(&job(2)), Err(too_few.into()));
        assert_eq!(pool.start(&job(4)), Err(subcube::Refusal::Faulty.into()));
        pool.end(one);
        assert_eq!(pool.serving(), 4);
        pool.end(more);
        pool.finish(first);
        assert_eq!(pool.start(&job(8)).map(|all| pool.allocated(all)), Ok("0-7".into()));
    }

    #[test]
    fn overlapping_outages_add_up_to_the_whole_machine_at_most() {
        let mut pool = Pool::new(8);
        let (one, _) = begin(&mut pool, 3);
        let (all, _) = begin(&mut pool, u32::MAX);
        assert_eq!(pool.serving(), 0);
        pool.end(one);
        assert_eq!(pool.serving(), 0);
        pool.end(all);
        assert_eq!(pool.serving(), 8);
    }
}
