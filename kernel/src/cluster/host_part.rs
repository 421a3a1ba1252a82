//! The part of the coordinator that runs on each host.

use super::assignments::{Assignments, NOBODY};
use super::{Assignment, JobId};
use crate::coordinate::{
    BadImage, Coordinate, Identity, Snapshot, Stored, Take, digest_of, inherent_methods, variants,
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
/// - No job is twice among those wanted, nor among those done.
/// - Of those told so far there are as many as their numbers say.
#[derive(Clone, Copy, Debug)]
pub struct HostPart {
    config: HostConfig,
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
        Ok(Self::fresh(config, now))
    }

    const fn fresh(config: HostConfig, now: Instant) -> Self {
        Self {
            config,
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

    /// The jobs that it runs.
    pub const fn running(&self) -> &Assignments {
        &self.done
    }

    inherent_methods! { HostCommand => (), HostMisuse; HostEffect }

    fn lists(&self) -> [&Assignments; 4] {
        [&self.told, &self.wanted, &self.done, &self.helpers]
    }

    fn assign(&mut self, number: u32, assignment: Assignment) -> Result<(), HostMisuse> {
        if number == 0 {
            self.told = Assignments::EMPTY;
        }
        let next = self.told.len();
        let is_full = next >= u32::from(Level::COUNT);
        if number != next || is_full || self.told.find(assignment.job).is_some() {
            return Err(HostMisuse::Number { next });
        }
        self.told.push(assignment);
        Ok(())
    }

    fn kill(&self) -> Option<HostEffect> {
        let is_over = |it: &&Assignment| match self.wanted.find(it.job) {
            None => true,
            Some(wanted) => wanted.terminating && !it.terminating,
        };
        self.done.as_slice().iter().find(is_over).map(|it| HostEffect::Kill { job: it.job })
    }

    fn raise(&self) -> Option<HostEffect> {
        let is_low = |it: &&Assignment| {
            let helper = self.helpers.as_slice().iter().find(|helper| helper.user == it.user);
            helper.is_none_or(|helper| helper.level != it.level)
        };
        let Assignment { user, level, .. } = *self.wanted.helped().find(is_low)?;
        Some(HostEffect::RaiseHelper { user, level })
    }

    fn start_or_move(&self) -> Option<HostEffect> {
        self.wanted.as_slice().iter().find_map(|it| {
            let Assignment { job, user, level, first, terminating } = *it;
            match self.done.find(job) {
                None if terminating => None,
                None => Some(HostEffect::Start { job, user, level, first }),
                Some(done) if done.level != level => Some(HostEffect::SetPriority { job, level }),
                Some(_) => None,
            }
        })
    }

    fn restore_helper(&self) -> Option<HostEffect> {
        let wants = |user| self.wanted.as_slice().iter().any(|it| it.user == user);
        let gone = self.helpers.as_slice().iter().find(|it| !wants(it.user))?;
        Some(HostEffect::RestoreHelper { user: gone.user })
    }
}

/// An image holds the time, what is due and the four lists.
impl Snapshot for HostPart {
    fn identity(&self) -> Identity {
        Identity::of(*b"ERSD", self.config.pool, digest_of(&[self.config.report.ticks()]))
    }

    fn now(&self) -> Instant {
        self.now
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        let put = &mut put;
        self.now.store(put);
        self.next_report.store(put);
        self.load.store(put);
        self.report_due.store(put);
        self.lists().into_iter().for_each(|list| list.store(put));
    }

    fn load_contents(&mut self, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        let take = &mut take;
        *self = Self {
            config: self.config,
            now: Stored::load(take)?,
            next_report: Stored::load(take)?,
            load: Stored::load(take)?,
            report_due: Stored::load(take)?,
            told: Stored::load(take)?,
            wanted: Stored::load(take)?,
            done: Stored::load(take)?,
            helpers: Stored::load(take)?,
        };
        Ok(())
    }

    fn reset(&mut self, now: Instant) {
        *self = Self::fresh(self.config, now);
    }

    /// The host carries everything out once more: what was said last may not have been done.
    fn resync(&mut self) {
        (self.done, self.helpers) = (Assignments::EMPTY, Assignments::EMPTY);
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        for list in self.lists() {
            ensure(list.len() <= u32::from(Level::COUNT), "there are more jobs than levels")?;
        }
        for list in [&self.told, &self.wanted, &self.done] {
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
        if now < self.now {
            return Err(HostMisuse::TimeWentBack);
        }
        match command {
            HostCommand::Assign { number, assignment } => self.assign(number, assignment)?,
            HostCommand::AssignmentsEnd { jobs } => {
                if jobs != self.told.len() && jobs > 0 {
                    return Err(HostMisuse::Number { next: self.told.len() });
                }
                self.wanted = if jobs > 0 { self.told } else { Assignments::EMPTY };
            }
            HostCommand::Measured { load } => self.load = load,
            HostCommand::Tick => {}
        }
        self.now = now;
        if now >= self.next_report {
            self.report_due = true;
            self.next_report = now.saturating_add(self.config.report);
        }
        Ok(())
    }

    fn peek_effect(&self) -> Option<HostEffect> {
        self.kill()
            .or_else(|| self.raise())
            .or_else(|| self.start_or_move())
            .or_else(|| self.restore_helper())
            .or(self.report_due.then_some(HostEffect::Report { load: self.load }))
    }

    fn take_effect(&mut self) -> Option<HostEffect> {
        let effect = self.peek_effect()?;
        match effect {
            HostEffect::Kill { job } => match self.wanted.find(job) {
                Some(wanted) => {
                    let level = self.done.find(job).map_or(wanted.level, |done| done.level);
                    self.done.replace(Assignment { level, ..*wanted }, |it| it.job == job);
                }
                None => self.done.retain(|it| it.job != job),
            },
            HostEffect::RaiseHelper { user, level } => {
                self.helpers.replace(Assignment { user, level, ..NOBODY }, |it| it.user == user);
            }
            HostEffect::Start { job, .. } | HostEffect::SetPriority { job, .. } => {
                if let Some(wanted) = self.wanted.find(job) {
                    self.done.replace(*wanted, |it| it.job == job);
                }
            }
            HostEffect::RestoreHelper { user } => self.helpers.retain(|it| it.user != user),
            HostEffect::Report { .. } => self.report_due = false,
        }
        Some(effect)
    }

    /// When the next report is due.
    fn wake_at(&self) -> Option<Instant> {
        Some(self.next_report).filter(|&at| at < Instant::MAX)
    }
}
