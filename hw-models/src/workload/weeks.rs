//! Other traces that might have been: whole weeks of a trace, drawn with replacement.
//!
//! Jobs of a week stay together, so that the rhythm of days, the sessions of users and the bursts
//! are those of the trace; what reaches over a week's end is cut there.
//!
//! Source: E. Carlstein, *The use of subseries values for estimating the variance of a general
//! statistic from a stationary sequence*, 1986 (blocks that do not overlap); blocks of a week, for
//! the rhythm.

use super::{Job, Workload};
use crate::order::p_of_alike_neighbours;
use crate::streams::stream;
use locox::time::Instant;
use rand::RngExt;

/// Seconds of a week.
pub const WEEK: u64 = 7 * 86_400;

/// Two thousand years of them: more are in no trace, but a single wrong time makes them up.
pub const MOST_WEEKS: u64 = 100_000;

/// The whole weeks of a workload whose times are in seconds, counted from its first arrival; jobs
/// after the last whole week are in none. A workload of more than [`MOST_WEEKS`] has none.
#[derive(Clone, Debug)]
pub struct Weeks<'a> {
    workload: &'a Workload,
    start: u64,
    /// The jobs of each week.
    weeks: Vec<&'a [Job]>,
}

impl<'a> Weeks<'a> {
    /// Cuts a workload.
    pub fn of(workload: &'a Workload) -> Self {
        let submitted = |job: &Job| job.submit.ticks();
        let start = workload.jobs.first().map_or(0, submitted);
        let end = workload.jobs.last().map_or(0, submitted);
        let mut rest = &workload.jobs[..];
        let cut = |week| {
            let until = start + (week + 1) * WEEK;
            let (jobs, later) = rest.split_at(rest.partition_point(|job| submitted(job) < until));
            rest = later;
            jobs
        };
        let weeks = match (end - start) / WEEK {
            count @ 0..=MOST_WEEKS => (0..count).map(cut).collect(),
            _ => vec![],
        };
        Self { workload, start, weeks }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.weeks.len()
    }

    /// The same without the jobs after the last whole week: what draws of weeks are to be compared
    /// with.
    pub fn whole(&self) -> Workload {
        Workload { jobs: self.weeks.concat(), ..self.without_jobs() }
    }

    /// Whether the work that arrives in a week is more like that of its neighbours than by chance
    /// ([`p_of_alike_neighbours`] below 5 %). Then the weeks are no sample of independent ones:
    /// drawn one by one they scatter less than whole traces do.
    pub fn hang_together(&self) -> bool {
        const LEVEL: f64 = 0.05;
        let work: Vec<f64> = self.weeks.iter().map(|jobs| work(jobs)).collect();
        p_of_alike_neighbours(&work) < LEVEL
    }

    /// As many weeks, each one of these. The same seed and draw give the same; jobs are numbered
    /// anew from 1.
    ///
    /// ```
    /// use locox_models::workload::synthetic::Synthetic;
    /// use locox_models::workload::weeks::{WEEK, Weeks};
    /// let month = Synthetic { jobs: 30 * 450, ..Synthetic::cube_day() }.generate(1, 0).unwrap();
    /// let weeks = Weeks::of(&month);
    /// assert_eq!(weeks.count(), 4);
    /// let other = weeks.resampled(1, 1);
    /// assert_ne!(other.jobs, month.jobs);
    /// assert!(other.jobs.windows(2).all(|pair| pair[0].submit <= pair[1].submit));
    /// ```
    pub fn resampled(&self, seed: u64, draw: u64) -> Workload {
        let mut random = stream(seed, "weeks", draw);
        let mut jobs = Vec::with_capacity(self.workload.jobs.len());
        for to in 0..self.weeks.len() {
            let from = random.random_range(0..self.weeks.len());
            for job in self.weeks[from] {
                let ticks = job.submit.ticks() - from as u64 * WEEK + to as u64 * WEEK;
                let id = jobs.len() as u64 + 1;
                jobs.push(Job {
                    id,
                    line: None,
                    submit: Instant::from_ticks(ticks),
                    ..job.clone()
                });
            }
        }
        Workload { jobs, ..self.without_jobs() }
    }

    /// The share of the weeks in which there was an instant at which nobody waited, for jobs that
    /// waited from `submit` until `start` each, in the order of the workload. Where it is small,
    /// what happens in a week hangs on the weeks before.
    pub fn without_queue(&self, waits: impl IntoIterator<Item = (Instant, Instant)>) -> f64 {
        let mut empty = vec![false; self.weeks.len()];
        let mut from = self.start;
        for (submit, start) in waits {
            self.mark(&mut empty, from, submit.ticks());
            from = from.max(start.ticks());
        }
        self.mark(&mut empty, from, self.start + self.weeks.len() as u64 * WEEK);
        let found = empty.iter().filter(|&&empty| empty).count();
        found as f64 / self.weeks.len().max(1) as f64
    }

    /// Nobody waits from one time until another.
    fn mark(&self, empty: &mut [bool], from: u64, until: u64) {
        if until <= from {
            return;
        }
        let week = |at: u64| usize::try_from((at - self.start) / WEEK).unwrap_or(usize::MAX);
        let (first, last) = (week(from), week(until - 1));
        empty.iter_mut().take(last.saturating_add(1)).skip(first).for_each(|week| *week = true);
    }

    fn without_jobs(&self) -> Workload {
        let Workload { name, jobs: _, processors, notes, skipped, incomplete } = self.workload;
        Workload {
            name: name.clone(),
            jobs: vec![],
            processors: *processors,
            notes: notes.clone(),
            skipped: *skipped,
            incomplete: *incomplete,
        }
    }
}

/// Processors times run time.
fn work(jobs: &[Job]) -> f64 {
    jobs.iter().map(|job| f64::from(job.processors) * job.run.ticks() as f64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::time::Duration;

    const START: u64 = 1_000_000;

    fn job(submit: u64) -> Job {
        Job {
            id: 0,
            line: None,
            submit: Instant::from_ticks(submit),
            processors: 1,
            shape: None,
            memory: 0,
            demand: None,
            run: Duration::from_ticks(submit),
            requested: None,
            user: None,
        }
    }

    /// Jobs so many days after the first.
    fn on_days(days: &[u64]) -> Workload {
        Workload {
            name: "days".into(),
            jobs: days.iter().map(|day| job(START + day * 86_400)).collect(),
            processors: Some(4),
            notes: vec![],
            skipped: 0,
            incomplete: 0,
        }
    }

    #[test]
    fn jobs_keep_their_day_and_their_company() {
        let workload = on_days(&[0, 3, 7, 8, 13, 14, 22]);
        let weeks = Weeks::of(&workload);
        assert_eq!(weeks.count(), 3);
        let groups: [&[u64]; 3] = [&[0, 3], &[7, 8, 13], &[14]];
        for draw in 0..50 {
            let drawn = weeks.resampled(1, draw);
            let mut jobs = drawn.jobs.iter();
            for week in 0..3 {
                // The run time is the day of the trace: it tells which week this one is.
                let first = jobs.next().unwrap();
                let from = (first.run.ticks() - START) / WEEK;
                let days = groups[from as usize];
                let others = jobs.by_ref().take(days.len() - 1);
                for (job, day) in std::iter::once(first).chain(others).zip(days) {
                    assert_eq!(job.run.ticks(), START + day * 86_400);
                    assert_eq!(job.submit.ticks(), START + week * WEEK + day % 7 * 86_400);
                }
            }
            assert_eq!(jobs.next(), None);
            assert_eq!(drawn, weeks.resampled(1, draw));
        }
    }

    /// A job on the first day of each week that runs so long.
    fn weekly(runs: &[u64]) -> Workload {
        let days: Vec<u64> = (0..=runs.len() as u64).map(|week| week * 7).collect();
        let mut workload = on_days(&days);
        for (job, &run) in workload.jobs.iter_mut().zip(runs) {
            job.run = Duration::from_ticks(run);
        }
        workload
    }

    #[test]
    fn weeks_hang_together_if_neighbours_bring_alike_work() {
        let hang = |runs: &[u64]| Weeks::of(&weekly(runs)).hang_together();
        let mixed = [5, 8, 2, 3, 9, 7, 1, 4, 6];
        assert!(!hang(&mixed));
        assert!(hang(&mixed.map(|run| [run, run]).concat()));
        let rising: Vec<u64> = (0..13).collect();
        assert!(hang(&rising) && !hang(&rising[..7]));
    }

    #[test]
    fn less_than_a_week_has_none() {
        for days in [&[][..], &[0], &[0, 6]] {
            let workload = on_days(days);
            assert_eq!(Weeks::of(&workload).count(), 0);
            assert!(Weeks::of(&workload).resampled(1, 1).jobs.is_empty());
        }
    }

    #[test]
    fn a_time_far_off_makes_no_weeks() {
        for (days, count) in [(700_000, 100_000), (700_007, 0), (u64::MAX / 2 / 86_400, 0)] {
            assert_eq!(Weeks::of(&on_days(&[0, days])).count(), count);
        }
    }

    #[test]
    fn weeks_without_a_queue_are_those_with_a_gap_between_the_waits() {
        let workload = on_days(&[0, 8, 15, 29]);
        let weeks = Weeks::of(&workload);
        assert_eq!(weeks.count(), 4);
        let share = |starts: [u64; 4]| {
            let wait =
                |(job, day): (&Job, u64)| (job.submit, Instant::from_ticks(START + day * 86_400));
            weeks.without_queue(workload.jobs.iter().zip(starts).map(wait))
        };
        assert_eq!(share([0, 8, 15, 29]), 1.0);
        assert_eq!(share([10, 10, 15, 29]), 0.75);
        assert_eq!(share([29, 29, 29, 29]), 0.0);
        assert_eq!(share([0, 40, 15, 41]), 0.5);
    }
}
