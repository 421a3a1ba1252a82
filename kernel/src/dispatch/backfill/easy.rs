//! EASY backfilling: the head of the line has a promise, others may overtake if they keep it.
//!
//! Source: D. A. Lifka, *The ANL/IBM SP scheduling system*, 1995; the rules as in A. W. Mu'alem
//! and D. G. Feitelson, *Utilization, predictability, workloads, and user runtime estimates in
//! scheduling the IBM SP2 with backfilling*, 2001.
//!
//! 1. As long as the first job in line can start, it does.
//! 2. The first one that cannot is promised the *shadow time*: the earliest time at which enough
//!    PEs will be free, by requested times.
//! 3. The others are tried in the order of arrival. One starts if enough PEs are free and it ends
//!    by the shadow time, or if it uses only *extra* PEs, which the first job leaves over then.
//!
//! The promise is made anew after each release, so an early end brings it forward. The head is
//! never delayed by a job that overtakes it; those behind it may be, without bound. Choose it for
//! utilisation and short waits where jobs say how long they run.
//!
//! Beyond the sources: jobs with deadlines hold intervals of the profile, around which the head
//! gets its promise and which overtaking jobs leave free. A job that runs longer than requested
//! holds its PEs and is taken to end at the next tick. Where the machine refuses the head although
//! enough PEs are free, that number is kept for it.
//!
//! Cost: who may overtake is found without a look at the others: jobs wait in a tree for each size
//! class, whose branches say what the least job asks for. Of classes that the free PEs do not cut
//! that is the logarithm of the line; in the one that they do, branches are searched in vain in
//! which one job is small and another one short. The shadow time, a start and an end cost the
//! logarithm of the jobs that run, which stand in a tree by their ends. The profile is kept only
//! while a job waits for an interval of its own: then the shadow time and each candidate are a look
//! at it, and a start costs a reservation there. When such a job comes and is the only one, it costs
//! as many reservations as jobs run that have none; each job that runs gets one at most once.

use super::planner::{Entry, Lines, Planner, Start};
use super::rule::{Promise, Rule, Steps};
use super::running::Running;
use crate::bits::Word;
use crate::dispatch::tree::{Needs, Place, behind};
use crate::dispatch::{Job, SizeClass};
use crate::invariant::InvariantViolation;
use crate::reserve::{Placement, Profile, ReservationId};
use crate::time::Instant;

/// The rules of EASY.
///
/// - `head` is the first job in line and when it is to run; `None` if that is to be found.
/// - `running` has the jobs that run, by their ends.
/// - At most `depth` jobs behind the first one are tried.
/// - With a promise, the jobs that stand before `untried` cannot start before something is
///   released: what is free only shrinks, and what ends later only comes nearer to the shadow time.
#[derive(Clone, Copy, Debug)]
pub struct Easy {
    depth: u32,
    head: Option<Head>,
    untried: Place,
    running: Running,
}

/// The first job in line, for which too few PEs are free or which was refused, and its promise.
#[derive(Clone, Copy, Debug)]
struct Head {
    place: Place,
    pes: u32,
    promise: Placement,
}

/// Behind all jobs.
const END: Place = (u64::MAX, u64::MAX);

/// At the end of time, which no job reaches.
const NEVER: Placement = Placement { start: Instant::MAX, end: Instant::MAX };

impl Easy {
    /// Any job may overtake. Nothing is promised yet.
    pub const fn new() -> Self {
        Self::of(u32::MAX)
    }

    /// Only the first `depth` jobs behind the head may overtake it.
    pub const fn of(depth: u32) -> Self {
        Self { depth, head: None, untried: END, running: Running::NONE }
    }

    /// Offers the first job in line if it can start, else finds out when it can. The job, if it
    /// starts.
    fn try_head(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32> {
        self.head = None;
        let (row, entry) = planner.head()?;
        let (job, place) = (entry.job, entry.place());
        let promise = self.earliest(planner, &job);
        if promise.is_some_and(|at| at.start == planner.now) && planner.offer(row, start) {
            return Some(row);
        }
        // Nowhere to be had only if it would end beyond the end of time.
        let promise = promise.unwrap_or(NEVER);
        self.head = Some(Head { place, pes: job.pes, promise });
        self.untried = behind(place);
        None
    }

    /// The earliest interval for the first job in line: by the profile if others hold intervals that
    /// are yet to come.
    fn earliest(&self, planner: &Planner<'_>, job: &Job) -> Option<Placement> {
        if planner.has_reserved() {
            planner.earliest(job, planner.now)
        } else {
            self.running.earliest(planner, job)
        }
    }

    /// Offers the untried jobs that do not delay the first one.
    fn try_others(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32> {
        let head = self.head?;
        // Without this check each call looks for what the first job leaves over.
        if self.untried == END || planner.spare() < planner.least_pes() {
            self.untried = END;
            return None;
        }
        let leeway = Leeway::beside(planner, head, &self.running);
        while let Some((place, row)) = leeway.first(planner, self.untried) {
            self.untried = behind(place);
            if self.depth < u32::MAX && planner.before(place) > self.depth {
                break;
            }
            if leeway.holds(planner, row) && planner.offer(row, start) {
                return Some(row);
            }
        }
        self.untried = END;
        None
    }
}

impl Default for Easy {
    fn default() -> Self {
        Self::new()
    }
}

/// What a promise leaves to others.
struct Leeway {
    head: Head,
    /// What a job may ask for that ends by the shadow time.
    short: Needs,
    /// The same, of one that uses only PEs that the first job leaves over at that time.
    narrow: Needs,
}

impl Leeway {
    fn beside(planner: &Planner<'_>, head: Head, running: &Running) -> Self {
        let (spare, shadow) = (planner.spare(), head.promise.start);
        let free = match () {
            () if head.promise == NEVER => 0,
            () if planner.has_reserved() => planner.free_at(shadow),
            () => running.free_at(planner, shadow),
        };
        let extra = free.saturating_sub(head.pes);
        let slack = shadow.ticks().saturating_sub(planner.now.ticks());
        Self {
            head,
            short: Needs { pes: spare, requested: slack, ..Needs::MOST },
            narrow: Needs { pes: extra.min(spare), ..Needs::MOST },
        }
    }

    /// The first job at a place or behind it for which enough PEs are free, and that is out of the
    /// way of the first one at the shadow time.
    fn first(&self, planner: &Planner<'_>, from: Place) -> Option<(Place, u32)> {
        let most = [self.short, self.narrow];
        let in_line = |line| planner.jobs.line(line).first_within(planner.entries, from, &most);
        let largest = SizeClass::of(self.short.pes).get();
        planner.jobs.standing(largest.wrapping_add(1)).filter_map(in_line).min()
    }

    /// Whether a job that may be out of the way at the shadow time delays nobody: certainly, if
    /// only running jobs hold PEs, as more and more are free then.
    fn holds(&self, planner: &Planner<'_>, row: u32) -> bool {
        let Some(&Entry { job, .. }) = planner.entry(row) else { return false };
        let now = planner.now;
        let Some(end) = now.checked_add(job.requested) else { return false };
        if !planner.has_reserved() {
            return true;
        }
        let Head { pes, promise, .. } = self.head;
        let both = Placement { start: promise.start.max(now), end: promise.end.min(end) };
        let with_head = job.pes.saturating_add(pes);
        planner.fewest_free(Placement { start: now, end }) >= job.pes
            && (both.start >= both.end || planner.fewest_free(both) >= with_head)
    }
}

impl Rule for Easy {}

impl Steps for Easy {
    const NAME: &'static str = "easy";
    const BOOKS: bool = false;

    fn promise(&self, _: &mut Planner<'_>, _: &Job) -> Promise {
        Ok(None)
    }

    fn line(class: SizeClass) -> u8 {
        class.get()
    }

    fn arrived(&mut self, planner: &mut Planner<'_>, row: u32) {
        let Some(entry) = planner.entry(row) else { return };
        self.head = self.head.filter(|head| head.place < entry.place());
        self.untried = self.untried.min(entry.place());
    }

    fn next(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32> {
        if self.head.is_none_or(|head| head.promise.start <= planner.now)
            && let Some(started) = self.try_head(planner, start)
        {
            return Some(started);
        }
        self.try_others(planner, start)
    }

    /// While nobody waits for an interval of its own the profile is not told: it is not asked.
    fn started(&mut self, planner: &mut Planner<'_>, row: u32) {
        let Some(entry) = planner.entry(row) else { return };
        if entry.note.booking.is_some() || planner.has_reserved() {
            planner.book(row);
            let end = planner.booked_until(row);
            self.running.add(planner.entries, row, end);
        } else {
            let end = planner.run(row);
            self.running.add_unbooked(planner.entries, row, end);
        }
    }

    fn ended(&mut self, planner: &mut Planner<'_>, row: u32) {
        self.running.remove(planner.entries, row);
    }

    /// A job with an interval that starts late also ends later than was planned for.
    fn changed(&mut self, _: &mut Planner<'_>, _: Option<Placement>) {
        self.head = None;
    }

    fn tell_profile(&mut self, planner: &mut Planner<'_>) -> Option<ReservationId> {
        planner.tell_time();
        while let Some(row) = self.running.take_unbooked(planner.entries) {
            planner.book_rest(row);
        }
        let head = planner.head()?.1.job;
        let known = self.head.map(|head| head.promise).filter(|at| at.start > planner.now);
        let promise = known.or_else(|| planner.earliest(&head, planner.now))?;
        planner.profile.as_mut()?.add(promise, head.pes)
    }

    fn promised(&self, entry: &Entry) -> Option<Placement> {
        let head = self.head.filter(|head| head.place == entry.place())?;
        Some(head.promise).filter(|&promise| promise != NEVER)
    }

    fn check<W: AsRef<[Word]> + AsMut<[Word]>>(
        &self,
        jobs: &Lines,
        entries: &[Entry],
        profile: &Profile<W>,
    ) -> Result<(), InvariantViolation> {
        self.running.check(jobs, entries, profile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::{Backfill, Error, Refusal, Ticket};
    use crate::handle::PoolId;
    use crate::reserve::Request;
    use crate::time::Duration;
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    type Planned = Backfill<Easy, Vec<Word>, Vec<Entry>>;

    const PES: u32 = 300;

    fn planner() -> Planned {
        let (words, entries) = (vec![0; Backfill::words(PES, 400)], vec![Entry::EMPTY; 400]);
        Backfill::new(PoolId(0), Easy::new(), PES, words, entries).unwrap()
    }

    /// Starts so many jobs of one PE at an instant.
    fn start(easy: &mut Planned, now: u64, jobs: u32) -> Vec<Ticket> {
        let now = Instant::from_ticks(now);
        let started = (0..jobs).map(|id| {
            easy.push(now, Job::new(id, 1).within(Duration::from_ticks(100))).unwrap();
            easy.next(now, &mut |_| true).unwrap().0
        });
        started.collect()
    }

    /// Asks for the whole machine by a deadline.
    fn reserve(easy: &mut Planned, now: u64, deadline: u64) -> Result<Ticket, Error> {
        let now = Instant::from_ticks(now);
        let all = Request::new(now, Duration::from_ticks(10), PES);
        easy.reserve(now, 0, &all.by(Instant::from_ticks(deadline))).map(|(ticket, _)| ticket)
    }

    fn known(easy: &Planned) -> usize {
        easy.check_invariants().unwrap();
        easy.profile.reservations().count()
    }

    #[test]
    fn the_profile_is_told_of_a_job_that_runs_once_and_only_if_somebody_wants_an_interval() {
        let mut easy = planner();
        let running = start(&mut easy, 0, 200);
        assert_eq!(known(&easy), 0);
        let late = Refusal::Late { finish: Instant::from_ticks(110) };
        assert_eq!(reserve(&mut easy, 1, 100), Err(late.into()));
        assert_eq!(known(&easy), 200, "also by one who is refused");
        for round in 0..20 {
            // Comes and goes: nothing but the job that has started since is told.
            start(&mut easy, 0, 1);
            assert_eq!(known(&easy), 200 + round * 2);
            let ticket = reserve(&mut easy, 0, 1_000).unwrap();
            assert_eq!(known(&easy), 200 + round * 2 + 2);
            start(&mut easy, 0, 1);
            assert_eq!(known(&easy), 200 + round * 2 + 3, "as long as it waits, at once");
            easy.cancel(Instant::ZERO, ticket).unwrap();
            assert_eq!(known(&easy), 200 + round * 2 + 2);
        }
        running.into_iter().for_each(|it| _ = easy.finished(Instant::ZERO, it).unwrap());
        assert_eq!(known(&easy), 40);
    }

    #[test]
    fn a_profile_that_was_not_told_the_time_for_long_plans_from_the_present() {
        let mut easy = planner();
        start(&mut easy, 5, 100);
        start(&mut easy, 90, 100);
        assert_eq!(easy.profile.now(), Instant::ZERO);
        // The first hundred run too long: they are in no plan any more, and hold their PEs.
        assert!(easy.next(Instant::from_ticks(120), &mut |_| true).is_none());
        let ticket = reserve(&mut easy, 120, 1_000).unwrap();
        let start = easy.planned(ticket).unwrap().unwrap().start;
        assert_eq!((start, known(&easy)), (Instant::from_ticks(190), 101));
    }
}
