//! Unlike machines: which machine or cluster runs each of these jobs, and in which order.
//!
//! A [`Site`] has machines, and clusters of them that run one job together. A [`Problem`] is jobs
//! to map at an instant; what each is expected to take on each resource is a table, [`Times`], of
//! the caller's or from [`Experience`]. A [`Mapper`] makes a [`Plan`] of it.
//!
//! | mapper | the next job, and where it goes |
//! |---|---|
//! | [`Olb`] | the first; the machine that is free first |
//! | [`BestAssignment`] | the first; its best machine |
//! | [`MinMin`] | that which ends first; its best machine |
//! | [`MaxMin`] | that which ends last; its best machine |
//! | [`Sufferage`] | that which would lose most; its best machine |
//! | [`Duplex`] (SJS) | the better of min-min and max-min |
//! | [`Pjs`] | as duplex, and on clusters what pays off there |
//! | [`Genetic`] | as PJS, and what random changes make better |
//!
//! What a job takes on a cluster may be computed: [`Link`] says what its communication adds.
//!
//! Jobs may have levels of urgency, which are mapped in turn, and the urgent ones may take places
//! from those that run: [`Preemption`].
//!
//! The merit of a plan is the sum over all jobs of the time from now to their end. The source is
//! D. E. Collins and A. D. George, *Parallel and sequential job scheduling in heterogeneous
//! clusters*, 2001. What is "best" has two readings: [`Best`].
//!
//! ```
//! use locox::mapping::{Cluster, Mapper, UnplacedJob, Pjs, PlannedRun, Plan, Problem, Workspace, Site, Times};
//! use locox::time::{Duration, Instant};
//!
//! // Two machines, and both as a cluster; two jobs.
//! let clusters = [Cluster::of(&[0, 1])];
//! let cells = [90, 100, 30, 80, 70, 60].map(Duration::from_ticks);
//! let problem = Problem {
//!     now: Instant::ZERO,
//!     site: Site::new(2, &clusters).unwrap(),
//!     times: Times::new(&cells, 3).unwrap(),
//!     free_from: &[Instant::ZERO; 2],
//!     down: &[],
//! };
//! let (mut placements, mut free) = ([PlannedRun::EMPTY; 2], [Instant::ZERO; 2]);
//! let mut plan = Plan::new(&mut placements, &mut free);
//! let (mut open, mut more, mut times) = ([UnplacedJob::EMPTY; 2], [PlannedRun::EMPTY; 4], [Instant::ZERO; 6]);
//! let mut room = Workspace::new(&mut open, &mut more, &mut times);
//!
//! let merit = Pjs::default().map(&problem, &mut plan, &mut room).unwrap();
//! // Side by side they would take 90 and 70. On the cluster the first saves most, and then the other.
//! assert_eq!(plan.placement(0).unwrap().resource(), Some(2));
//! assert_eq!(merit, Duration::from_ticks(30 + (30 + 60)));
//! ```

mod best;
mod bound;
#[cfg(test)]
mod counted;
mod duplex;
mod error;
mod experience;
mod genetic;
mod in_turn;
mod link;
mod min_max;
mod pjs;
mod plan;
mod preemption;
mod problem;
mod site;
mod sufferage;
mod times;
mod unplaced;
mod workspace;

pub use best::Best;
pub use bound::{bound_workspace, lower_bound};
pub use duplex::Duplex;
pub use error::{Error, Misuse, Refusal};
pub use experience::{Basis, Expectation, Experience, Runs, runs};
pub use genetic::{Genetic, genes};
pub use in_turn::{BestAssignment, Olb};
pub use link::{Link, Traffic};
pub use min_max::{ByEnd, MaxMin, MinMin};
pub use pjs::Pjs;
pub use plan::{Plan, PlannedRun};
pub use preemption::{Preemption, RunningJob};
pub use problem::Problem;
pub use site::{BadSite, Cluster, Site};
pub use sufferage::Sufferage;
pub use times::Times;
pub use unplaced::UnplacedJob;
pub use workspace::Workspace;

use crate::time::Duration;
use core::mem;
use unplaced::gather;

/// A heuristic that gives each job a resource and a time.
///
/// Same problem, same plan: ties go to the lowest job, then to the lowest resource.
pub trait Mapper {
    /// The name in tables and options.
    fn name(&self) -> &'static str;

    /// Gives all `open` jobs places in `plan`, which others may have places in already.
    ///
    /// # Errors
    ///
    /// Why there is no place for one of them; what is in `plan` does not matter then.
    fn extend(
        &self,
        problem: &Problem,
        plan: &mut Plan,
        open: &mut [UnplacedJob],
        room: &mut Workspace,
    ) -> Result<(), Refusal>;

    /// Maps all jobs of a problem, and returns the merit.
    ///
    /// # Errors
    ///
    /// Why not; what is in `plan` does not matter then.
    fn map(
        &self,
        problem: &Problem,
        plan: &mut Plan,
        room: &mut Workspace,
    ) -> Result<Duration, Error> {
        start(problem, plan, room)?;
        add(self, problem, plan, room, |_| true)?;
        merit(problem, plan)
    }

    /// Maps the jobs of each level in turn, those of level 0 first: what a less urgent level does
    /// never changes the places of a more urgent one. Returns the merit of all together.
    ///
    /// # Errors
    ///
    /// As [`Mapper::map`], and [`Misuse::Levels`].
    fn map_by_level(
        &self,
        problem: &Problem,
        levels: &[u8],
        plan: &mut Plan,
        room: &mut Workspace,
    ) -> Result<Duration, Error> {
        if levels.len() != problem.times.jobs() {
            return Err(Misuse::Levels.into());
        }
        start(problem, plan, room)?;
        for level in 0..=levels.iter().copied().max().unwrap_or(0) {
            add(self, problem, plan, room, |job| levels.get(job) == Some(&level))?;
        }
        merit(problem, plan)
    }
}

/// Makes a type a [`Mapper`]: its name, and how it gives jobs places.
#[doc(hidden)]
#[macro_export]
macro_rules! mapper {
    ($Type:ty $(, const $LAST:ident)?: name($it:ident) => $name:expr;
        extend($this:ident, $problem:pat, $plan:pat, $open:pat, $room:pat) => $extend:expr) => {
        impl$(<const $LAST: bool>)? $crate::mapping::Mapper for $Type {
            fn name(&$it) -> &'static str {
                $name
            }

            fn extend(
                &$this,
                $problem: &$crate::mapping::Problem,
                $plan: &mut $crate::mapping::Plan,
                $open: &mut [$crate::mapping::UnplacedJob],
                $room: &mut $crate::mapping::Workspace,
            ) -> Result<(), $crate::mapping::Refusal> {
                $extend
            }
        }
    };
}

fn start(problem: &Problem, plan: &mut Plan, room: &Workspace) -> Result<(), Misuse> {
    problem.check()?;
    plan.fits(problem.times.jobs(), problem.site.machines())?;
    room.fits(problem.times.jobs(), problem.site.machines())?;
    plan.clear(problem);
    Ok(())
}

/// The merit of a plan; refused if it is beyond any clock.
fn merit(problem: &Problem, plan: &Plan) -> Result<Duration, Error> {
    let merit = plan.merit(problem.now);
    if merit < Duration::MAX { Ok(merit) } else { Err(Refusal::TooLong.into()) }
}

/// Gives places to the chosen jobs that have none, beside those that have one.
fn add<M: Mapper + ?Sized>(
    mapper: &M,
    problem: &Problem,
    plan: &mut Plan,
    room: &mut Workspace,
    is_chosen: impl Fn(usize) -> bool,
) -> Result<(), Refusal> {
    let all = mem::take(&mut room.open);
    let added = gather(problem, plan, all, is_chosen)
        .and_then(|open| mapper.extend(problem, plan, open, room));
    room.open = all;
    added
}
