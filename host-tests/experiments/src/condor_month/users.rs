//! Who asked for what in the month.
//!
//! The slides name a heavy user A and light ones B to E, about a thousand jobs and 4,771 hours in
//! all; the numbers of jobs and their means are chosen so that they add up to that.

use locox_models::workstation::{Arrivals, Lengths, User};
use std::ops::Range;

/// Days of the month.
pub(super) const DAYS: u64 = 30;

/// A user's month.
pub(super) struct Asked {
    pub(super) name: &'static str,
    jobs: f64,
    /// Mean demand of a job in hours.
    hours: f64,
    /// Jobs that come together.
    batch: u32,
}

/// Stations of the light users.
pub(super) const LIGHT: Range<usize> = 1..5;

pub(super) const USERS: [Asked; 5] = [
    Asked { name: "A (heavy)", jobs: 690.0, hours: 6.2, batch: 86 },
    Asked { name: "B", jobs: 138.0, hours: 2.5, batch: 4 },
    Asked { name: "C", jobs: 39.0, hours: 2.6, batch: 2 },
    Asked { name: "D", jobs: 40.0, hours: 0.7, batch: 2 },
    Asked { name: "E", jobs: 11.0, hours: 1.7, batch: 1 },
];

impl Asked {
    /// In words.
    pub(super) fn told(&self) -> String {
        let Self { name, jobs, hours, batch } = self;
        match batch {
            1 => format!("{name} {jobs} of {hours} h, one by one"),
            _ => format!("{name} {jobs} of {hours} h, {batch} at a time"),
        }
    }

    pub(super) fn user(&self) -> User {
        let every = DAYS as f64 * 86_400.0 * f64::from(self.batch) / self.jobs;
        // A month has eight batches of the heavy user, not a random number of them, and the last
        // one leaves it three days.
        let every = if self.jobs > 500.0 {
            Lengths::Constant(every * 0.9)
        } else {
            Lengths::Exponential(every)
        };
        User {
            permanent: 0,
            arrivals: Some(Arrivals { every, batch: self.batch }),
            service: Lengths::Exponential(self.hours * 3600.0),
            memory: 0.5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_ask_for_what_the_slides_sum_up() {
        let hours: f64 = USERS.iter().map(|user| user.jobs * user.hours).sum();
        assert!((hours - 4771.0).abs() < 1.0, "{hours}");
        let jobs: f64 = USERS.iter().map(|user| user.jobs).sum();
        assert!((900.0..1100.0).contains(&jobs), "{jobs}");
    }
}
