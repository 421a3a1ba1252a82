//! A job's system calls from elsewhere, which its shadow process at home serves.

use super::BadPool;
use super::bad_pool::not_negative;
use locox::time::Duration;

/// Execution is counted in millionths of a second, so that calls may be shorter than a tick.
pub(super) const SECOND: u64 = 1_000_000;

/// System calls of a job that runs on a processor of others: "a message indicating the type of system
/// call is sent to the shadow process", and the job waits for the answer (Mutka and Livny 1987, section
/// 3). While it does, no checkpoint is taken. Calls at home are part of the execution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calls {
    /// Calls in a second of execution, evenly spaced; above 0, at most a million.
    pub rate: f64,
    /// Processor time of the home for each, in seconds.
    pub cost: f64,
    /// From a call to its answer, in seconds. A checkpoint that waits for it is taken at the next whole
    /// second.
    pub time: f64,
}

impl Calls {
    pub(super) fn check(&self) -> Result<(), BadPool> {
        if self.rate.is_nan() || self.rate <= 0.0 {
            return Err(BadPool::NotPositive { parameter: "calls" });
        }
        if self.rate > SECOND as f64 {
            return Err(BadPool::TooOften);
        }
        not_negative("call cost", self.cost)?;
        not_negative("call time", self.time)
    }

    pub(super) fn rhythm(&self) -> Rhythm {
        let every = (SECOND as f64 / self.rate).round() as u64;
        Rhythm { every, waits: (self.time * SECOND as f64).round() as u64 }
    }
}

/// When a job calls: whenever it has executed for so long again, in millionths of a second.
#[derive(Clone, Copy)]
pub(super) struct Rhythm {
    every: u64,
    /// How long it waits then.
    waits: u64,
}

/// How far a job came.
#[derive(Debug, PartialEq)]
pub(super) struct Progress {
    pub(super) executed: u64,
    /// Calls that it made.
    pub(super) calls: u64,
    /// How long it still waits for the answer to the last of them; 0 if it does not.
    pub(super) waits: u64,
}

impl Rhythm {
    /// A job that makes no calls.
    pub(super) const NONE: Self = Self { every: u64::MAX, waits: 0 };

    /// What a job does in `time` that has executed for `before`, its last call answered, and has to
    /// execute for `left`. When it has done that it makes no call.
    pub(super) fn after(self, before: u64, left: u64, time: u64) -> Progress {
        if time >= self.takes(before, left) {
            return Progress { executed: left, calls: self.calls(before, left), waits: 0 };
        }
        let first = self.first(before);
        let Some(since) = time.checked_sub(first) else {
            return Progress { executed: time, calls: 0, waits: 0 };
        };
        let (rounds, within) = (since / self.round(), since % self.round());
        Progress {
            executed: first + rounds * self.every + within.saturating_sub(self.waits),
            calls: rounds + 1,
            waits: self.waits.saturating_sub(within),
        }
    }

    /// How long it takes then to execute for `left`.
    pub(super) fn takes(self, before: u64, left: u64) -> u64 {
        left.saturating_add(self.calls(before, left).saturating_mul(self.waits))
    }

    /// Calls before it has executed for `left`.
    fn calls(self, before: u64, left: u64) -> u64 {
        left.checked_sub(self.first(before)).map_or(0, |since| since.div_ceil(self.every))
    }

    /// How long it executes before its next call.
    const fn first(self, before: u64) -> u64 {
        self.every - before % self.every
    }

    const fn round(self) -> u64 {
        self.every.saturating_add(self.waits)
    }
}

/// Whole ticks that cover so many millionths of a second.
pub(super) const fn ticks(millionths: u64) -> Duration {
    Duration::from_ticks(millionths.div_ceil(SECOND))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One millionth after the other.
    fn step_by_step(rhythm: Rhythm, before: u64, left: u64, time: u64) -> Progress {
        let mut progress = Progress { executed: 0, calls: 0, waits: 0 };
        for _ in 0..time {
            if progress.waits > 0 {
                progress.waits -= 1;
                continue;
            }
            if progress.executed == left {
                break;
            }
            progress.executed += 1;
            if progress.executed < left && (before + progress.executed).is_multiple_of(rhythm.every)
            {
                progress.calls += 1;
                progress.waits = rhythm.waits;
            }
        }
        progress
    }

    #[test]
    fn progress_is_what_it_is_step_by_step() {
        for (every, waits) in [(1, 0), (1, 1), (3, 0), (3, 2), (4, 9), (7, 1)] {
            let rhythm = Rhythm { every, waits };
            for before in 0..2 * every {
                for left in 1..20 {
                    for time in 0..60 {
                        let expected = step_by_step(rhythm, before, left, time);
                        assert_eq!(rhythm.after(before, left, time), expected);
                    }
                    let takes = rhythm.takes(before, left);
                    assert_eq!(step_by_step(rhythm, before, left, takes).executed, left);
                    assert_eq!(step_by_step(rhythm, before, left, takes - 1).executed, left - 1);
                }
            }
        }
        assert_eq!(Rhythm::NONE.takes(5, 9), 9);
        let some = Progress { executed: 9, calls: 0, waits: 0 };
        assert_eq!(Rhythm::NONE.after(5, 20, 9), some);
    }
}
