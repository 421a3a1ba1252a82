//! Who may take a place from whom.

use super::plan::spent;
use super::{Error, Mapper, Misuse, Plan, Problem, Refusal, Workspace, add, merit, start};
use crate::time::{Duration, Instant};

/// A job that runs now.
#[derive(Clone, Copy, Debug)]
pub struct RunningJob {
    /// Its row in the table says what it takes elsewhere, or here once more: all of it again, or
    /// what is left where there is a checkpoint.
    pub job: usize,
    /// Where it runs.
    pub resource: usize,
    /// When it is expected to end there.
    pub until: Instant,
    /// How often it lost its place so far.
    pub preemptions: u32,
    fate: Fate,
}

/// What becomes of a job that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Stays,
    /// Its place is anybody's who may take it.
    AtStake,
    Loses,
}

impl RunningJob {
    /// What to fill storage with: zeros.
    pub const EMPTY: Self = Self::new(0, 0, Instant::ZERO, 0);

    /// A job that runs on a resource until an instant, and lost its place so often before.
    pub const fn new(job: usize, resource: usize, until: Instant, preemptions: u32) -> Self {
        Self { job, resource, until, preemptions, fate: Fate::Stays }
    }

    /// Whether the last mapping took its place.
    pub fn loses(&self) -> bool {
        self.fate == Fate::Loses
    }
}

crate::data::data! {
    /// Who takes places from whom, and when.
    ///
    /// ```
    /// # use locox::mapping::{MinMin, UnplacedJob, PlannedRun, Plan, Preemption, Problem, Workspace, RunningJob};
    /// # use locox::mapping::{Site, Times};
    /// # use locox::time::{Duration, Instant};
    /// // One machine. The low job has run for a while; it would take 50 if it had to begin again.
    /// let cells = [50, 20].map(Duration::from_ticks);
    /// let problem = Problem {
    ///     now: Instant::ZERO,
    ///     site: Site::new(1, &[]).unwrap(),
    ///     times: Times::new(&cells, 1).unwrap(),
    ///     free_from: &[Instant::ZERO],
    ///     down: &[],
    /// };
    /// # let (mut placements, mut free) = ([PlannedRun::EMPTY; 2], [Instant::ZERO; 1]);
    /// # let mut plan = Plan::new(&mut placements, &mut free);
    /// # let (mut open, mut more, mut times) = ([UnplacedJob::EMPTY; 2], [PlannedRun::EMPTY; 4], [Instant::ZERO; 3]);
    /// # let mut room = Workspace::new(&mut open, &mut more, &mut times);
    /// let mut running = [RunningJob::new(0, 0, Instant::from_ticks(30), 0)];
    /// let preemption = Preemption { takers: 0, losers: 2, most: None, gain: None };
    /// let levels = [2, 0];
    /// preemption.map(&MinMin::default(), &problem, &levels, &mut running, &mut plan, &mut room).unwrap();
    /// assert!(running[0].loses());
    /// assert_eq!(plan.placement(0).unwrap().end().ticks(), 20 + 50);
    ///
    /// // The other would gain 30, which is not enough.
    /// let slow = Preemption { gain: Some(Duration::from_ticks(30)), ..preemption };
    /// slow.map(&MinMin::default(), &problem, &levels, &mut running, &mut plan, &mut room).unwrap();
    /// assert_eq!((running[0].loses(), plan.placement(1).unwrap().end().ticks()), (false, 30 + 20));
    /// ```
    ///
    /// The takers are mapped as if those who may lose were not there. Who is in the way of one of them
    /// loses its place, and is mapped again with its own level. All others stay where they are.
    ///
    /// Collins and George 2001, case 4: the high level takes from the low one, and the middle one does
    /// neither. The bound and the threshold are beyond it.
    pub struct Preemption {
        /// Jobs of levels up to this one take places,
        pub takers: u8,
        /// and jobs of levels from this one on lose theirs; it is greater. Those between do neither.
        pub losers: u8,
        /// So often one job loses its place at most. So no job is put off for ever.
        pub most: Option<u32>,
        /// Places are taken only if the takers together gain more than this for each job that loses
        /// its own. `None`: whenever they want them.
        pub gain: Option<Duration>,
    }
}

impl Preemption {
    /// As [`Mapper::map_by_level`] where some of the jobs are `running`: on return each of them says
    /// whether it [`loses`](RunningJob::loses) its place; those that do not are in the plan from now
    /// on. The problem's `free_from` are without those who run.
    ///
    /// Costs a mapping, and for each job that runs a look at each taker, and at each pair of members
    /// of two clusters; with a threshold the takers are mapped up to three times.
    ///
    /// # Errors
    ///
    /// As [`Mapper::map_by_level`]; [`Misuse::Levels`] also if the takers are no more urgent than the
    /// losers; [`Misuse::Running`] if a job that runs, or its resource, is not in the problem, or
    /// runs twice.
    pub fn map<M: Mapper + ?Sized>(
        &self,
        mapper: &M,
        problem: &Problem,
        levels: &[u8],
        running: &mut [RunningJob],
        plan: &mut Plan,
        room: &mut Workspace,
    ) -> Result<Duration, Error> {
        if levels.len() != problem.times.jobs() || self.takers >= self.losers {
            return Err(Misuse::Levels.into());
        }
        self.begin(problem, levels, running, plan, room)?;
        let takers = Takers { mapper, problem, levels, last: self.takers };
        if let Some(gain) = self.gain {
            let held = takers.map(running, true, plan, room)?;
            let taken = takers.map(running, false, plan, room)?;
            let losers = takers.displace(running, plan);
            if held.saturating_sub(taken) <= gain.ticks().saturating_mul(losers) {
                running.iter_mut().for_each(|one| one.fate = Fate::Stays);
                takers.map(running, true, plan, room)?;
            }
        } else {
            takers.map(running, false, plan, room)?;
            takers.displace(running, plan);
        }
        for one in running.iter().filter(|one| !one.loses()) {
            plan.hold(problem, one.job, one.resource, one.until);
        }
        let next = usize::from(self.takers).saturating_add(1);
        for level in (0..=levels.iter().copied().max().unwrap_or(0)).skip(next) {
            add(mapper, problem, plan, room, |job| levels.get(job) == Some(&level))?;
        }
        merit(problem, plan)
    }

    /// Checks what runs, and says who may lose its place.
    fn begin(
        &self,
        problem: &Problem,
        levels: &[u8],
        running: &mut [RunningJob],
        plan: &mut Plan,
        room: &Workspace,
    ) -> Result<(), Misuse> {
        start(problem, plan, room)?;
        for one in running {
            let &level = levels.get(one.job).ok_or(Misuse::Running)?;
            let is_twice = plan.placement(one.job).is_some();
            if is_twice || !plan.hold(problem, one.job, one.resource, one.until) {
                return Err(Misuse::Running);
            }
            let may_lose =
                level >= self.losers && self.most.is_none_or(|most| one.preemptions < most);
            one.fate = if may_lose { Fate::AtStake } else { Fate::Stays };
        }
        Ok(())
    }
}

/// The jobs up to the `last` of the levels that take places.
struct Takers<'t, M: ?Sized> {
    mapper: &'t M,
    problem: &'t Problem<'t>,
    levels: &'t [u8],
    last: u8,
}

impl<M: Mapper + ?Sized> Takers<'_, M> {
    /// Maps them beside those who run, of whom it overlooks those who may lose, unless `all` stay.
    /// Returns what the takers take together.
    fn map(
        &self,
        running: &[RunningJob],
        all: bool,
        plan: &mut Plan,
        room: &mut Workspace,
    ) -> Result<u64, Error> {
        let Self { mapper, problem, levels, last } = *self;
        plan.clear(problem);
        for one in running.iter().filter(|one| all || one.fate == Fate::Stays) {
            plan.hold(problem, one.job, one.resource, one.until);
        }
        for level in 0..=last {
            add(mapper, problem, plan, room, |job| levels.get(job) == Some(&level))?;
        }
        let mut ends = self.places(plan).map(|(_, _, end)| spent(problem.now, end));
        let sum = ends.try_fold(0, u64::checked_add);
        sum.ok_or(Refusal::TooLong.into())
    }

    /// Resources, starts and ends of all of them that have a place.
    fn places(&self, plan: &Plan) -> impl Iterator<Item = (usize, Instant, Instant)> {
        let takers = self.levels.iter().enumerate().filter(|(_, level)| **level <= self.last);
        takers.filter_map(|(job, _)| {
            let place = plan.placement(job)?;
            Some((place.resource()?, place.start(), place.end()))
        })
    }

    /// Those in the way of a taker lose their places, all others stay. Returns how many lose.
    fn displace(&self, running: &mut [RunningJob], plan: &Plan) -> u64 {
        let mut losers = 0_u64;
        for one in running.iter_mut().filter(|one| one.fate == Fate::AtStake) {
            let mut places = self.places(plan);
            let is_in_the_way = places.any(|(resource, start, _)| {
                start < one.until && self.problem.share_a_machine(resource, one.resource)
            });
            one.fate = if is_in_the_way { Fate::Loses } else { Fate::Stays };
            losers = losers.saturating_add(u64::from(is_in_the_way));
        }
        losers
    }
}
