//! The part of the coordinator that runs on each host.

use super::assignments::{Assignments, NOBODY};
use super::{Assignment, JobId};
use crate::coordinate::{
    BadImage, Coordinate, Identity, Snapshot, Stored, Take, digest_of, inherent_methods, stored,
    variants,
};
use crate::handle::PoolId;
use crate::invariant::{InvariantViolation, ensure};
use crate::time::{Duration, Instant};
use crate::timeshare::{Level, Load, UserId};

variants! {
    /// What happened on the host, or was said to it.
    pub enum HostCommand {
        /// The host is to run this; `number` counts as in [`Effect::Assign`](super::Effect::Assign).
        Assign { number: u32, assignment: Assignment } = 0,
        /// That was all, so many jobs; see [`Effect::AssignmentsEnd`](super::Effect::AssignmentsEnd).
        AssignmentsEnd { jobs: u32 } = 1,
        /// So much of the processor was used by jobs.
        Measured { load: Load } = 2,
        /// Nothing but time passed.
        Tick = 3,
    }
}

variants! {
    /// What is to be done on the host.
    #[must_use = "the host part counts on it that this is done"]
    pub enum HostEffect {
        /// Kill whatever is left of the job's processes here; there may be nothing.
        Kill { job: JobId } = 0,
        /// Run the user's message helper above everything at this level, that of his most urgent job.
        RaiseHelper { user: UserId, level: Level } = 1,
        /// Take in the processes of this job of the user, and run them at this level; start it if its
        /// `first` process is here.
        Start { job: JobId, user: UserId, level: Level, first: bool } = 2,
        /// Run the job's processes at this level from now on.
        SetPriority { job: JobId, level: Level } = 3,
        /// Run the user's message helper as before Elmer: he has no job here.
        RestoreHelper { user: UserId } = 4,
        /// Report the utilisation to the coordinator.
        Report { load: Load } = 5,
    }
}

crate::display::display! { HostEffect:
    Self::Kill { job } => "kill job {job}",
    Self::RaiseHelper { user, level } => "raise the helper of user {user} to level {level}",
    Self::Start { job, user, level, first: true } =>
        "start job {job} of user {user} at level {level} with its first process",
    Self::Start { job, user, level, first: false } =>
        "start job {job} of user {user} at level {level}",
    Self::SetPriority { job, level } => "run job {job} at level {level}",
    Self::RestoreHelper { user } => "restore the helper of user {user}",
    Self::Report { load } => "report a load of {load} thousandths",
}

/// The parameters of a host part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostConfig {
    /// Time between reports; not zero.
    pub report: Duration,
    /// The number that tells its images from those of others.
    pub pool: PoolId,
}

crate::display::errors! {
    /// What a caller did wrong. Nothing has changed.
    pub enum HostMisuse {
        /// The time given is before one given earlier.
        TimeWentBack => "now is before a time given earlier",
        /// Time between reports must not be zero.
        NoPeriod => "the time between reports must not be zero",
        /// The job is not the next of which the host is told, which has the number `next`: something
        /// was lost on the way. Number 0 is always taken.
        Number { next: u32 } => "number is out of turn: the next one is {next}, or 0",
    }
}

/// The state machine that brings a host to run what it was told.
///
/// It compares what is wanted with what is done, and says one difference after the other: first
/// what is to be killed, then whose helper is raised, who starts or moves, and whose helper is put
/// back. So the order in which things were said does not matter, nor how often.
///
/// # Invariants
///
/// - No job is twice among those wanted, nor among those done.
/// - Of those told so far there are as many as their numbers say.
#[derive(Clone, Debug)]
pub struct HostPart {
    config: HostConfig,
    core: Core,
}

/// What an image holds.
#[derive(Clone, Debug)]
struct Core {
    now: Instant,
    next_report: Instant,
    load: Load,
    report_due: bool,
    /// What it was told so far, which does not count before all of it was.
    told: Assignments,
    wanted: Assignments,
    done: Assignments,
    /// For each user whose helper is raised an assignment of his.
    helpers: Assignments,
}

stored!(Core { now, next_report, load, report_due, told, wanted, done, helpers });

impl Core {
    const fn fresh(now: Instant) -> Self {
        Self {
            now,
            next_report: now,
            load: Load::IDLE,
            report_due: false,
            told: Assignments::EMPTY,
            wanted: Assignments::EMPTY,
            done: Assignments::EMPTY,
            helpers: Assignments::EMPTY,
        }
    }
}

impl HostPart {
    /// One that runs nothing.
    ///
    /// # Errors
    ///
    /// [`HostMisuse::NoPeriod`].
    pub const fn new(config: HostConfig, now: Instant) -> Result<Self, HostMisuse> {
        if config.report.ticks() == 0 {
            return Err(HostMisuse::NoPeriod);
        }
        Ok(Self { config, core: Core::fresh(now) })
    }

    /// The jobs that it runs.
    pub const fn running(&self) -> &Assignments {
        &self.core.done
    }

    inherent_methods! { HostCommand => (), HostMisuse; HostEffect }

    fn lists(&self) -> [&Assignments; 4] {
        [&self.core.told, &self.core.wanted, &self.core.done, &self.core.helpers]
    }

    fn assign(&mut self, number: u32, assignment: Assignment) -> Result<(), HostMisuse> {
        if number == 0 {
            self.core.told = Assignments::EMPTY;
        }
        let next = self.core.told.len();
        let is_full = next >= u32::from(Level::COUNT);
        if number != next || is_full || self.core.told.find(assignment.job).is_some() {
            return Err(HostMisuse::Number { next });
        }
        self.core.told.push(assignment);
        Ok(())
    }

    fn kill(&self) -> Option<HostEffect> {
        let is_over = |it: &&Assignment| match self.core.wanted.find(it.job) {
            None => true,
            Some(wanted) => wanted.terminating && !it.terminating,
        };
        self.core.done.as_slice().iter().find(is_over).map(|it| HostEffect::Kill { job: it.job })
    }

    fn raise(&self) -> Option<HostEffect> {
        let is_low = |it: &&Assignment| {
            let helper = self.core.helpers.as_slice().iter().find(|helper| helper.user == it.user);
            helper.is_none_or(|helper| helper.level != it.level)
        };
        let Assignment { user, level, .. } = *self.core.wanted.helped().find(is_low)?;
        Some(HostEffect::RaiseHelper { user, level })
    }

    fn start_or_move(&self) -> Option<HostEffect> {
        self.core.wanted.as_slice().iter().find_map(|it| {
            let Assignment { job, user, level, first, terminating } = *it;
            match self.core.done.find(job) {
                None if terminating => None,
                None => Some(HostEffect::Start { job, user, level, first }),
                Some(done) if done.level != level => Some(HostEffect::SetPriority { job, level }),
                Some(_) => None,
            }
        })
    }

    fn restore_helper(&self) -> Option<HostEffect> {
        let wants = |user| self.core.wanted.as_slice().iter().any(|it| it.user == user);
        let gone = self.core.helpers.as_slice().iter().find(|it| !wants(it.user))?;
        Some(HostEffect::RestoreHelper { user: gone.user })
    }
}

impl Snapshot for HostPart {
    fn identity(&self) -> Identity {
        Identity::of(*b"ERSD", self.config.pool, digest_of(&[self.config.report.ticks()]))
    }

    fn now(&self) -> Instant {
        self.core.now
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        self.core.store(&mut put);
    }

    fn load_contents(&mut self, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        self.core = Core::load(&mut take)?;
        Ok(())
    }

    fn reset(&mut self, now: Instant) {
        self.core = Core::fresh(now);
    }

    /// The host carries everything out once more: what was said last may not have been done.
    fn resync(&mut self) {
        (self.core.done, self.core.helpers) = (Assignments::EMPTY, Assignments::EMPTY);
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        for list in self.lists() {
            ensure(list.len() <= u32::from(Level::COUNT), "there are more jobs than levels")?;
        }
        for list in [&self.core.told, &self.core.wanted, &self.core.done] {
            let count = |job| list.as_slice().iter().filter(|it| it.job == job).count();
            let once = list.as_slice().iter().all(|it| count(it.job) == 1);
            ensure(once, "a job is twice on a host")?;
        }
        Ok(())
    }
}

impl Coordinate for HostPart {
    type Command = HostCommand;
    type Effect = HostEffect;
    type Answer = ();
    type Error = HostMisuse;
    type Draw = ();

    /// Constant cost.
    fn apply_drawn(
        &mut self,
        now: Instant,
        command: HostCommand,
        (): (),
    ) -> Result<(), HostMisuse> {
        if now < self.core.now {
            return Err(HostMisuse::TimeWentBack);
        }
        match command {
            HostCommand::Assign { number, assignment } => self.assign(number, assignment)?,
            HostCommand::AssignmentsEnd { jobs } => {
                if jobs != self.core.told.len() && jobs > 0 {
                    return Err(HostMisuse::Number { next: self.core.told.len() });
                }
                self.core.wanted =
                    if jobs > 0 { self.core.told.clone() } else { Assignments::EMPTY };
            }
            HostCommand::Measured { load } => self.core.load = load,
            HostCommand::Tick => {}
        }
        self.core.now = now;
        if now >= self.core.next_report {
            self.core.report_due = true;
            self.core.next_report = now.saturating_add(self.config.report);
        }
        Ok(())
    }

    fn peek_effect(&self) -> Option<HostEffect> {
        self.kill()
            .or_else(|| self.raise())
            .or_else(|| self.start_or_move())
            .or_else(|| self.restore_helper())
            .or(self.core.report_due.then_some(HostEffect::Report { load: self.core.load }))
    }

    fn take_effect(&mut self) -> Option<HostEffect> {
        let effect = self.peek_effect()?;
        match effect {
            HostEffect::Kill { job } => match self.core.wanted.find(job) {
                Some(wanted) => {
                    let level = self.core.done.find(job).map_or(wanted.level, |done| done.level);
                    self.core.done.replace(Assignment { level, ..*wanted }, |it| it.job == job);
                }
                None => self.core.done.retain(|it| it.job != job),
            },
            HostEffect::RaiseHelper { user, level } => {
                self.core
                    .helpers
                    .replace(Assignment { user, level, ..NOBODY }, |it| it.user == user);
            }
            HostEffect::Start { job, .. } | HostEffect::SetPriority { job, .. } => {
                if let Some(wanted) = self.core.wanted.find(job) {
                    self.core.done.replace(*wanted, |it| it.job == job);
                }
            }
            HostEffect::RestoreHelper { user } => self.core.helpers.retain(|it| it.user != user),
            HostEffect::Report { .. } => self.core.report_due = false,
        }
        Some(effect)
    }

    /// When the next report is due.
    fn wake_at(&self) -> Option<Instant> {
        Some(self.core.next_report).filter(|&at| at < Instant::MAX)
    }
}
