//! When a job in line will start, by a plan for it and all before it.

use super::planner::Entry;
use crate::bits::Word;
use crate::dispatch::jobs::Jobs;
use crate::reserve::{Interval, Profile, Request};
use crate::time::{Duration, Instant};

/// Plans the jobs in line up to the one in slot `wanted`, each at the earliest interval in a profile that
/// may hold them all; where that one lies.
pub(super) fn estimate<W: AsRef<[Word]> + AsMut<[Word]>>(
    jobs: &Jobs,
    entries: &[Entry],
    (now, out): (Instant, u32),
    wanted: u32,
    profile: &mut Profile<W>,
) -> Option<Interval> {
    profile.clear();
    profile.advance(now).ok()?;
    // A job that should have ended is taken to end at the next tick.
    let next = now.saturating_add(Duration::from_ticks(1));
    for entry in jobs.open_slots(entries).filter(|entry| entry.runs() && entry.job.pes > 0) {
        let end = Instant::from_ticks(entry.time).max(next);
        profile.add(Interval { start: now, end }, entry.job.pes).ok()?;
    }
    profile.set_out_of_service(out).ok()?;
    for row in jobs.in_line(entries) {
        let job = entries.get(row as usize)?.job;
        let at = profile.first(&Request::new(now, job.requested, job.pes));
        if row == wanted {
            return at.ok();
        }
        if let Ok(at) = at {
            profile.add(at, job.pes).ok()?;
        }
    }
    None
}
