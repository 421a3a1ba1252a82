//! A pool of workstations whose idle processors run their users' background jobs.
//!
//! A [`Pool`] says who owns the stations, what jobs their users have and what moving a job costs.
//! [`Pool::run`] drives the kernel's own [`Coordinator`](locox_coordinators::station::Coordinator) and local
//! schedulers through simulated months, from event to event, and returns an [`Outcome`].
//!
//! Ticks are seconds. Each owner, each user's jobs and the coordinator's draws have a stream of
//! random numbers of their own, so that policies are compared on the same owners and jobs.
//!
//! Source: Mutka and Livny (1987), sections 2 to 5, and the slides on the same work and on Condor.
//!
//! ```
//! use locox_models::workstation::{Policy, Pool};
//! let month = locox::time::Duration::from_ticks(30 * 86_400);
//! let pool = Pool { bank: 6, span: month, ..Pool::study(5) };
//! let outcome = pool.run(Policy::STUDY[0], 1, 0).unwrap();
//! let (light, heavy) = (outcome.of(0..11), outcome.of(12..13));
//! assert!(light.wait_ratio() > 2.0 * heavy.wait_ratio());
//! ```

mod activity;
mod bad_pool;
mod calls;
mod detector;
mod lengths;
mod outcome;
mod owner;
mod pool;
mod recording;
mod run;
mod tally;
mod week;
mod world;

pub use activity::{Activity, LoadAverage, MEMORY};
pub use bad_pool::BadPool;
pub use calls::Calls;
pub use detector::detect;
pub use lengths::{Branch, Lengths};
pub use locox_recorded::{Functions, Movement, Policy};
pub use outcome::{Outcome, Point, Use};
pub use owner::{Changes, Habit};
pub use pool::{Arrivals, Costs, Pool, Station, User};
pub use recording::{MOST_STATIONS, Recording, RecordingError, RecordingErrorKind};
pub use week::Week;

/// Jobs that a pool can have at once unless it says otherwise.
pub const MOST_JOBS: u32 = 4096;
