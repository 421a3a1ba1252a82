//! What a timeline must answer, computed from one busy set per unit of time. No file needs
//! all of it.

use locox::reserve::{Candidate, Error, Fit, Misuse, Rectangle, Refusal, Request};
use locox::time::Instant;

/// Which of the free PEs a reservation gets: the rules of the kernel, told by their outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those with the lowest numbers.
    Lowest,
    /// The lowest ones with numbers in a row.
    Contiguous,
    /// The lowest ones of a free aligned subcube.
    Aligned,
    /// A caller's own rule: PEs with even numbers, lowest first.
    Even,
}

/// A reservation: from, until, PEs as a set, PEs as a number.
pub type Entry = (u64, u64, u128, u32);

/// A timeline or profile as a list of reservations.
#[derive(Clone, Debug)]
pub struct Naive {
    /// Whether PEs are known by number, not only counted.
    pub identity: bool,
    /// PEs of the machine.
    pub pes: u32,
    /// The present.
    pub now: u64,
    /// PEs out of service.
    pub out: u128,
    /// PEs that a request may get, and those that it must.
    pub mask: (u128, u128),
    /// By number of reservation; `None` once it is gone.
    pub entries: Vec<Option<Entry>>,
    /// What is busy in each unit of time, up to one in which nothing is reserved any more: which
    /// PEs, and how many.
    units: Vec<(u128, u32)>,
}

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

/// What a policy weighs of a start: the more, the better.
fn merit(fit: Fit, candidate: &Candidate) -> i128 {
    let Rectangle { begin, end, pes } = candidate.rectangle;
    let (pes, duration) = (i128::from(pes), i128::from(end.ticks() - begin.ticks()));
    match fit {
        Fit::First => 0,
        Fit::PeBest => -pes,
        Fit::PeWorst => pes,
        Fit::DurationBest => -duration,
        Fit::DurationWorst => duration,
        Fit::PeDurationBest => -(pes * duration),
        Fit::PeDurationWorst => pes * duration,
    }
}

/// The start that a policy chooses among some in their order: the earliest of the best.
pub fn best(fit: Fit, candidates: &[Candidate]) -> Option<Candidate> {
    let most = candidates.iter().map(|it| merit(fit, it)).max()?;
    candidates.iter().copied().find(|it| merit(fit, it) == most)
}

/// The nearest of some refusals to a place: time helps, else a cancellation, a repair, a wider mask, a larger
/// machine.
pub(super) fn nearest(refusals: impl Iterator<Item = Refusal>) -> Option<Refusal> {
    let by_order = |refusal: &Refusal| match *refusal {
        Refusal::Late { finish } => (0, finish.ticks() as i64),
        Refusal::Full { .. } => (1, 0),
        Refusal::Faulty { serving } => (2, -i64::from(serving)),
        Refusal::Masked { allowed } => (3, -i64::from(allowed)),
        Refusal::TooLarge { pes } => (4, -i64::from(pes)),
        other => unreachable!("no search for a place says {other:?}"),
    };
    refusals.min_by_key(by_order)
}

impl Naive {
    /// Nothing is reserved, and all PEs are in service.
    pub fn new(pes: u32, identity: bool) -> Self {
        let (mask, units) = ((u128::MAX, 0), vec![(0, 0)]);
        Self { identity, pes, now: 0, out: 0, mask, entries: vec![], units }
    }

    /// How many PEs a request may get.
    fn allowed(&self) -> u32 {
        (self.mask.0 & ((1 << self.pes) - 1)).count_ones()
    }

    /// That a request has no place before PEs are repaired.
    fn faulty(&self) -> Refusal {
        Refusal::Faulty { serving: self.pes.saturating_sub(self.out.count_ones()) }
    }

    /// From here on nothing is reserved.
    fn horizon(&self) -> u64 {
        self.units.len() as u64
    }

    /// To be called after every change of `now`, `out` or `entries`.
    pub fn refresh(&mut self) {
        let last = self.entries.iter().flatten().map(|e| e.1).fold(self.now, u64::max);
        self.units.clear();
        self.units.resize(last as usize + 1, (self.out, self.out.count_ones()));
        for e in self.entries.iter().flatten() {
            for unit in &mut self.units[e.0 as usize..e.1 as usize] {
                unit.0 |= e.2;
                unit.1 = if self.identity { unit.0.count_ones() } else { unit.1 + e.3 };
            }
        }
    }

    /// Which PEs are busy at a time, and how many.
    pub fn busy(&self, time: u64) -> (u128, u32) {
        let for_good = (self.out, self.out.count_ones());
        self.units.get(time as usize).copied().unwrap_or(for_good)
    }

    /// The PEs free from `start` to `end`: which ones, and how many.
    pub fn free(&self, start: u64, end: u64) -> (u128, u32) {
        let all = ((1 << self.pes) - 1) & self.mask.0;
        let end = end.min(self.horizon().max(start + 1));
        let set = (start..end).fold(all, |free, time| free & !self.busy(time).0);
        let fewest = (start..end).map(|time| self.pes.saturating_sub(self.busy(time).1)).min();
        if self.identity { (set, set.count_ones()) } else { (0, fewest.unwrap()) }
    }

    /// Each time from which on others are busy than before, and how many.
    pub fn slots(&self) -> Vec<(u64, u32)> {
        let says = |time| if self.identity { self.busy(time) } else { (0, self.busy(time).1) };
        let begins = |&time: &u64| time == self.now || says(time) != says(time - 1);
        (self.now..self.horizon()).filter(begins).map(|time| (time, self.busy(time).1)).collect()
    }

    /// The PEs that so many get out of the free ones, if the rule finds that many.
    pub fn choose(&self, which: Which, free: u128, count: u32) -> Option<u128> {
        let lowest = |set: u128| {
            let members: Vec<u32> = (0..self.pes).filter(|pe| set >> pe & 1 == 1).collect();
            let taken = members.get(..count as usize)?;
            Some(taken.iter().fold(0, |set, pe| set | 1 << pe))
        };
        let run = |len: u32, step: usize| {
            let starts = (0..=self.pes.checked_sub(len)?).step_by(step);
            let block = ((1u128 << len) - 1, (1u128 << count) - 1);
            starts.map(|s| (block.0 << s, block.1 << s)).find(|b| free & b.0 == b.0).map(|b| b.1)
        };
        let required = self.mask.1;
        if required != 0 {
            let others = Self { mask: (self.mask.0, 0), ..self.clone() };
            let rest = count - required.count_ones();
            let taken = if rest == 0 { 0 } else { others.choose(which, free & !required, rest)? };
            return (free & required == required).then_some(taken | required);
        }
        let size = count.next_power_of_two();
        match which {
            _ if !self.identity => Some(0),
            Which::Lowest => lowest(free),
            Which::Contiguous => run(count, 1),
            Which::Aligned => run(size, size as usize),
            Which::Even => lowest(free & (u128::MAX / 3)),
        }
    }

    /// The maximal rectangle of a feasible start.
    fn candidate(&self, start: u64, end: u64) -> Candidate {
        let (set, pes) = self.free(start, end);
        let open = |time: &u64| {
            let (busy, count) = self.busy(*time);
            if self.identity { busy & set == 0 } else { self.pes.saturating_sub(count) >= pes }
        };
        let begin = (self.now..start).rev().take_while(open).last().unwrap_or(start);
        let until = (start..self.horizon()).find(|time| !open(time));
        let end = until.map_or(Instant::MAX, at);
        Candidate { start: at(start), rectangle: Rectangle { begin: at(begin), end, pes } }
    }

    /// The maximal rectangles of all candidate starts.
    pub fn candidates(&self, r: &Request) -> Vec<Candidate> {
        let length = r.duration.ticks();
        self.starts(r).map(|start| self.candidate(start, start + length)).collect()
    }

    /// The feasible ones of the candidate starts that the paper names.
    fn starts(&self, r: &Request) -> impl Iterator<Item = u64> {
        let (ready, length) = (r.ready.ticks().max(self.now), r.duration.ticks());
        let latest =
            r.deadline.map_or(self.horizon() + ready, |deadline| deadline.ticks() - length);
        let times = self.slots().into_iter().map(|(time, _)| time);
        let mut starts: Vec<u64> = times.flat_map(|t| [t, t.saturating_sub(length)]).collect();
        starts.extend([ready].into_iter().chain(r.deadline.map(|_| latest)));
        starts.retain(|start| (ready..=latest).contains(start));
        starts.sort_unstable();
        starts.dedup();
        starts.retain(|&start| self.free(start, start + length).1 >= r.pes);
        starts.into_iter()
    }

    /// Where a request goes: start, end, PEs.
    pub fn find(&self, r: &Request, fit: Fit, which: Which) -> Result<(u64, u64, u128), Error> {
        let length = r.duration.ticks();
        match r {
            _ if r.pes == 0 => return Err(Misuse::NoPes.into()),
            _ if length == 0 => return Err(Misuse::NoTime.into()),
            _ if r.deadline.is_some_and(|d| d.ticks() < r.ready.ticks() + length) => {
                return Err(Misuse::DeadlineTooEarly.into());
            }
            _ if r.pes < self.mask.1.count_ones() || self.mask.1 & !self.mask.0 != 0 => {
                return Err(Misuse::WrongMask.into());
            }
            _ if r.pes > self.pes => return Err(Refusal::TooLarge { pes: self.pes }.into()),
            _ if self.identity && r.pes > self.allowed() => {
                return Err(Refusal::Masked { allowed: self.allowed() }.into());
            }
            _ => {}
        }
        let chosen = |start| {
            let (free, count) = self.free(start, start + length);
            let set = if count < r.pes { None } else { self.choose(which, free, r.pes) };
            set.map(|set| (start, start + length, set))
        };
        let in_time = self.starts(r).filter(|&start| chosen(start).is_some());
        let in_time = in_time.map(|start| self.candidate(start, start + length));
        if let Some(best) = best(fit, &in_time.collect::<Vec<_>>()) {
            return Ok(chosen(best.start.ticks()).unwrap());
        }
        let ready = r.ready.ticks().max(self.now);
        match (ready..=self.horizon() + ready).find_map(chosen) {
            Some((_, finish, _)) => Err(Refusal::Late { finish: at(finish) }.into()),
            None => Err(self.faulty().into()),
        }
    }

    /// As it would be for a request that may get some PEs only, and must get some.
    pub fn masked(&self, allowed: u128, required: u128) -> Self {
        Self { mask: (allowed, required), ..self.clone() }
    }

    /// Which of some alternatives ends first, and where it goes.
    pub fn find_one_of(
        &self,
        alternatives: &[Request],
        which: Which,
    ) -> Result<(usize, (u64, u64, u128)), Error> {
        let found: Vec<_> = alternatives.iter().map(|r| self.find(r, Fit::First, which)).collect();
        if let Some(misuse) = found.iter().find_map(|it| it.err().and_then(Error::misuse)) {
            return Err(misuse.into());
        }
        let placed = found.iter().enumerate().filter_map(|(n, it)| it.ok().map(|e| (n, e)));
        if let Some(best) = placed.min_by_key(|(n, e)| (e.1, *n)) {
            return Ok(best);
        }
        let refusals = found.iter().filter_map(|it| it.err().and_then(Error::refusal));
        Err(nearest(refusals).map_or(Misuse::NoRequest.into(), Error::Refused))
    }

    /// Where each of a series goes that starts as early as all of it can.
    pub fn find_series(
        &self,
        r: &Request,
        period: u64,
        times: usize,
        which: Which,
    ) -> Result<Vec<(u64, u64, u128)>, Error> {
        let length = r.duration.ticks();
        if times == 0 || period < length {
            return Err(Misuse::WrongSeries.into());
        }
        // All but the deadline, which only matters once the start is known.
        let open = Request { deadline: None, ..*r };
        let early = r.deadline.is_some_and(|d| d.ticks() < r.ready.ticks() + length);
        match self.find(&open, Fit::First, which) {
            Err(Error::Misused(misuse)) if misuse != Misuse::WrongMask => return Err(misuse.into()),
            _ if early => return Err(Misuse::DeadlineTooEarly.into()),
            Err(error) => return Err(error),
            Ok(_) => {}
        }
        let one = |start: u64| {
            let (free, count) = self.free(start, start + length);
            let set = if count < r.pes { None } else { self.choose(which, free, r.pes) };
            set.map(|set| (start, start + length, set))
        };
        let ready = r.ready.ticks().max(self.now);
        let all =
            |start| (0..times as u64).map(|n| one(start + n * period)).collect::<Option<Vec<_>>>();
        let series = (ready..=self.horizon() + ready).find_map(all).ok_or(self.faulty())?;
        let finish = at(series[0].1);
        if r.deadline.is_some_and(|deadline| finish > deadline) {
            return Err(Refusal::Late { finish }.into());
        }
        Ok(series)
    }

    /// As it would be if reservation `index` were not there.
    pub fn without(&self, index: usize) -> Self {
        let mut others = self.clone();
        others.entries[index] = None;
        others.refresh();
        others
    }

    /// The first instant of the interval at which the PEs are not free for somebody who has had
    /// those of `own`: these are, even those that have failed since.
    pub fn conflict(&self, e: Entry, own: Option<Entry>) -> Option<u64> {
        (e.0..e.1).find(|&time| {
            let (set, count) = self.free(time, time + 1);
            let own = own.filter(|own| (own.0..own.1).contains(&time));
            let (own, least) = own.map_or((0, 0), |own| (own.2, own.3));
            if self.identity { e.2 & !(set | own) != 0 } else { e.3 > count.max(least) }
        })
    }
}
