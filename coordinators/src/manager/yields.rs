//! Who yields to whom, and until when that counts.

use super::storage::{ENDLESS, Flag, JobRow, State};
use locox::ground::{Ref, edit};
use locox::time::{Duration, Instant};

/// How many there are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rooms {
    /// Jobs that come.
    pub(super) coming: u32,
    /// Jobs that are to stop for one that comes, or have and wait, until that one runs.
    pub(super) yielding: u32,
}

impl Rooms {
    /// Counts them.
    pub(super) fn of(jobs: &[JobRow]) -> Self {
        let count = |which: fn(&JobRow) -> bool| jobs.iter().filter(|it| which(it)).count() as u32;
        let coming = count(|it| it.state == State::Comes);
        Self { coming, yielding: count(|it| it.yields_to != Ref::NONE) }
    }

    /// A job yields to none any more.
    pub(super) fn leave(&mut self, jobs: &mut [JobRow], victim: u32) {
        edit(jobs, victim, |job| {
            if job.yields_to != Ref::NONE {
                self.yielding = self.yielding.saturating_sub(1);
                job.yields_to = Ref::NONE;
            }
        });
    }

    /// Those who stopped for a job did so for one that runs now, and are protected; or for nothing.
    pub(super) fn forget(&mut self, jobs: &mut [JobRow], row: u32, has_run: bool) {
        for victim in 0..jobs.len() as u32 {
            if self.yielding == 0 {
                return;
            }
            let yields = jobs.get(victim as usize).is_some_and(|job| job.yields_to == Ref::to(row));
            if yields {
                self.leave(jobs, victim);
                edit(jobs, victim, |job| {
                    job.protected = if has_run { Flag::Yes } else { job.protected };
                });
            }
        }
    }
}

/// When a job ends for which room is made now.
pub(super) fn end_of_room(now: Instant, notice: Duration, limit: Duration) -> Instant {
    now.saturating_add(notice).saturating_add(limit).min(now.saturating_add(ENDLESS))
}

/// When a job that has nodes, or comes, ends, if it runs for as long as it may, as far as others are concerned.
pub(super) fn end(jobs: &[JobRow], notice: Duration, job: &JobRow) -> Instant {
    let end = job.since.saturating_add(job.limit.min(ENDLESS));
    let of = job.yields_to.get().and_then(|of| jobs.get(of as usize));
    match (job.state, of.filter(|of| of.state == State::Comes)) {
        (State::Stops, _) => job.since,
        (State::Comes, _) => end_of_room(job.since, notice, job.limit),
        (State::Runs, Some(of)) => end.min(of.since.saturating_add(notice)),
        _ => end,
    }
}
