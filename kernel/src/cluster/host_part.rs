//! The part of the coordinator that runs on each host.

use super::{Assignment, JobId};
use crate::coordinate::{
    BadImage, Coordinate, Identity, Place, Stored, Take, digest_of, read_image, stored, variants,
    write_image,
};
use crate::handle::{Generation, Handle, PoolId};
use crate::invariant::{InvariantViolation, ensure};
use crate::time::{Duration, Instant};
use crate::timeshare::{Level, Load, UserId};

/// What happened on the host, or was said to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostCommand {
    /// The host is to run this; see [`Effect::Assign`](super::Effect::Assign).
    Assign {
        /// Counts the jobs that it has been told of, from 0 on.
        number: u32,
        /// The job.
        assignment: Assignment,
    },
    /// That was all; see [`Effect::AssignmentsEnd`](super::Effect::AssignmentsEnd).
    AssignmentsEnd {
        /// How many jobs it has been told of.
        jobs: u32,
    },
    /// So much of the processor was used by jobs.
    Measured {
        /// How much.
        load: Load,
    },
    /// Nothing but time passed.
    Tick,
}

/// What is to be done on the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the host part counts on it that this is done"]
pub enum HostEffect {
    /// Kill whatever is left of the job's processes here; there may be nothing.
    Kill {
        /// The job.
        job: JobId,
    },
    /// Run the user's message helper above everything at this level.
    RaiseHelper {
        /// The user.
        user: UserId,
        /// The level of his most urgent job.
        level: Level,
    },
    /// Take the job's processes in, and run them at this level; start it if its first one is here.
    Start {
        /// The job.
        job: JobId,
        /// Whose it is.
        user: UserId,
        /// The level.
        level: Level,
        /// Whether its first process is here.
        first: bool,
    },
    /// Run the job's processes at this level from now on.
    SetPriority {
        /// The job.
        job: JobId,
        /// The level.
        level: Level,
    },
    /// Run the user's message helper as before Elmer: he has no job here.
    RestoreHelper {
        /// The user.
        user: UserId,
    },
    /// Report the utilisation to the coordinator.
    Report {
        /// How much.
        load: Load,
    },
}

variants! { HostCommand:
    0 => Assign { number, assignment },
    1 => AssignmentsEnd { jobs },
    2 => Measured { load },
    3 => Tick {},
}

variants! { HostEffect:
    0 => Kill { job },
    1 => RaiseHelper { user, level },
    2 => Start { job, user, level, first },
    3 => SetPriority { job, level },
    4 => RestoreHelper { user },
    5 => Report { load },
}

/// The parameters of a host part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostConfig {
    /// Time between reports; not zero.
    pub report: Duration,
    /// The number that tells its images from those of others.
    pub pool: PoolId,
}

/// What a caller did wrong. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum HostMisuse {
    /// The time given is before one given earlier.
    TimeWentBack,
    /// Time between reports must not be zero.
    NoPeriod,
    /// The job is not the next of which the host is told: something was lost on the way.
    Number {
        /// The next number; 0 is always taken.
        next: u32,
    },
}

crate::display::error! { HostMisuse:
    Self::TimeWentBack => "now is before a time given earlier",
    Self::NoPeriod => "the time between reports must not be zero",
    Self::Number { next } => "number is out of turn: the next one is {next}, or 0",
}

const NOBODY: Assignment = Assignment {
    job: JobId(Handle::new(PoolId(0), 0, Generation::from_raw(0))),
    user: UserId(0),
    level: Level::TOP,
    first: false,
    terminating: false,
};

/// The jobs of a host, at most one a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignments {
    assignments: [Assignment; Level::COUNT as usize],
    len: u32,
}

impl Assignments {
    const EMPTY: Self = Self { assignments: [NOBODY; Level::COUNT as usize], len: 0 };

    /// The jobs, in the order in which they came up.
    pub fn as_slice(&self) -> &[Assignment] {
        self.assignments.get(..self.len as usize).unwrap_or(&[])
    }

    fn find(&self, job: JobId) -> Option<&Assignment> {
        self.as_slice().iter().find(|assignment| assignment.job == job)
    }

    fn push(&mut self, assignment: Assignment) {
        if let Some(place) = self.assignments.get_mut(self.len as usize) {
            *place = assignment;
            self.len = self.len.wrapping_add(1);
        }
    }

    /// Keeps those that are as said.
    fn retain(&mut self, keep: impl Fn(&Assignment) -> bool) {
        let all = *self;
        *self = Self::EMPTY;
        all.as_slice()
            .iter()
            .filter(|assignment| keep(assignment))
            .for_each(|assignment| self.push(*assignment));
    }

    /// Puts a job in place of the one that `is_same`, or adds it.
    fn replace(&mut self, assignment: Assignment, is_same: impl Fn(&Assignment) -> bool) {
        let len = self.len as usize;
        let place = self.assignments.iter_mut().take(len).find(|it| is_same(it));
        match place {
            Some(place) => *place = assignment,
            None => self.push(assignment),
        }
    }

    /// The most urgent job of each user, by the order of the jobs.
    fn helped(&self) -> impl Iterator<Item = &Assignment> {
        let tops = |assignment: &Assignment| {
            let mut same = self.as_slice().iter().filter(|it| it.user == assignment.user);
            !same.any(|it| it.level.is_more_urgent_than(assignment.level))
        };
        self.as_slice().iter().filter(move |assignment| tops(assignment))
    }
}

impl Stored for Assignments {
    fn store(&self, put: &mut impl FnMut(u32)) {
        put(self.len);
        self.assignments.iter().for_each(|assignment| assignment.store(put));
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let mut list = Self { len: take()?, ..Self::EMPTY };
        for assignment in &mut list.assignments {
            *assignment = Assignment::load(take)?;
        }
        Ok(list)
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
    /// For each user whose helper is raised a assignment of his.
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

    /// The latest time given.
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// When the next report is due.
    pub fn wake_at(&self) -> Option<Instant> {
        Some(self.next_report).filter(|&at| at < Instant::MAX)
    }

    /// Takes note of what happened at `now`. Constant cost.
    ///
    /// # Errors
    ///
    /// [`HostMisuse`]; nothing has changed then.
    pub fn apply(&mut self, now: Instant, command: HostCommand) -> Result<(), HostMisuse> {
        if now < self.now {
            return Err(HostMisuse::TimeWentBack);
        }
        match command {
            HostCommand::Assign { number, assignment } => self.assignment(number, assignment)?,
            HostCommand::AssignmentsEnd { jobs } => {
                if jobs != self.told.len && jobs > 0 {
                    return Err(HostMisuse::Number { next: self.told.len });
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

    fn assignment(&mut self, number: u32, assignment: Assignment) -> Result<(), HostMisuse> {
        if number == 0 {
            self.told = Assignments::EMPTY;
        }
        let is_full = self.told.len >= u32::from(Level::COUNT);
        if number != self.told.len || is_full || self.told.find(assignment.job).is_some() {
            return Err(HostMisuse::Number { next: self.told.len });
        }
        self.told.push(assignment);
        Ok(())
    }

    /// The effect that [`take_effect`](Self::take_effect) will take.
    pub fn peek_effect(&self) -> Option<HostEffect> {
        self.kill()
            .or_else(|| self.raise())
            .or_else(|| self.start_or_move())
            .or_else(|| self.restore_helper())
            .or(self.report_due.then_some(HostEffect::Report { load: self.load }))
    }

    fn kill(&self) -> Option<HostEffect> {
        let is_over = |assignment: &&Assignment| match self.wanted.find(assignment.job) {
            None => true,
            Some(wanted) => wanted.terminating && !assignment.terminating,
        };
        self.done
            .as_slice()
            .iter()
            .find(is_over)
            .map(|assignment| HostEffect::Kill { job: assignment.job })
    }

    fn raise(&self) -> Option<HostEffect> {
        let is_low = |assignment: &&Assignment| {
            let helper = self.helpers.as_slice().iter().find(|it| it.user == assignment.user);
            helper.is_none_or(|helper| helper.level != assignment.level)
        };
        let assignment = self.wanted.helped().find(is_low)?;
        Some(HostEffect::RaiseHelper { user: assignment.user, level: assignment.level })
    }

    fn start_or_move(&self) -> Option<HostEffect> {
        self.wanted.as_slice().iter().find_map(
            |&Assignment { job, user, level, first, terminating }| match self.done.find(job) {
                None if terminating => None,
                None => Some(HostEffect::Start { job, user, level, first }),
                Some(done) if done.level != level => Some(HostEffect::SetPriority { job, level }),
                Some(_) => None,
            },
        )
    }

    fn restore_helper(&self) -> Option<HostEffect> {
        let is_gone = |assignment: &&Assignment| {
            self.wanted.as_slice().iter().all(|it| it.user != assignment.user)
        };
        let assignment = self.helpers.as_slice().iter().find(is_gone)?;
        Some(HostEffect::RestoreHelper { user: assignment.user })
    }

    /// The next thing to be done; `None` when everything is.
    pub fn take_effect(&mut self) -> Option<HostEffect> {
        let effect = self.peek_effect()?;
        match effect {
            HostEffect::Kill { job } => match self.wanted.find(job) {
                Some(wanted) => {
                    let level = self.done.find(job).map_or(wanted.level, |done| done.level);
                    self.done.replace(Assignment { level, ..*wanted }, |it| it.job == job);
                }
                None => self.done.retain(|assignment| assignment.job != job),
            },
            HostEffect::RaiseHelper { user, level } => {
                self.helpers.replace(Assignment { user, level, ..NOBODY }, |it| it.user == user);
            }
            HostEffect::Start { job, .. } | HostEffect::SetPriority { job, .. } => {
                if let Some(wanted) = self.wanted.find(job) {
                    self.done.replace(*wanted, |it| it.job == job);
                }
            }
            HostEffect::RestoreHelper { user } => {
                self.helpers.retain(|assignment| assignment.user != user)
            }
            HostEffect::Report { .. } => self.report_due = false,
        }
        Some(effect)
    }

    /// Has the host carry everything out once more: what was said last may not have been done.
    pub fn resync(&mut self) {
        self.done.retain(|_| false);
        self.helpers.retain(|_| false);
    }

    /// Checks the invariants named at the struct.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] says which does not hold.
    pub fn check_invariants(&self) -> Result<(), InvariantViolation> {
        for list in [&self.told, &self.wanted, &self.done, &self.helpers] {
            ensure(list.len <= u32::from(Level::COUNT), "there are more jobs than levels")?;
        }
        for list in [&self.told, &self.wanted, &self.done] {
            let count = |job| list.as_slice().iter().filter(|it| it.job == job).count();
            let once = list.as_slice().iter().all(|assignment| count(assignment.job) == 1);
            ensure(once, "a job is twice on a host")?;
        }
        Ok(())
    }

    /// What its images and records agree with.
    pub fn identity(&self) -> Identity {
        Identity {
            kind: *b"ERSD",
            version: 1,
            pool: self.config.pool,
            configuration: digest_of(&[self.config.report.ticks()]),
        }
    }
}

/// What lies in an image.
struct State {
    now: Instant,
    next_report: Instant,
    load: Load,
    report_due: bool,
    told: Assignments,
    wanted: Assignments,
    done: Assignments,
    helpers: Assignments,
}

stored!(State { now, next_report, load, report_due, told, wanted, done, helpers });

impl Coordinate for HostPart {
    type Command = HostCommand;
    type Effect = HostEffect;
    type Answer = ();
    type Error = HostMisuse;
    type Draw = ();

    fn apply_drawn(&mut self, now: Instant, it: HostCommand, (): ()) -> Result<(), HostMisuse> {
        self.apply(now, it)
    }

    fn peek_effect(&self) -> Option<HostEffect> {
        self.peek_effect()
    }

    fn take_effect(&mut self) -> Option<HostEffect> {
        self.take_effect()
    }

    fn now(&self) -> Instant {
        self.now()
    }

    fn wake_at(&self) -> Option<Instant> {
        self.wake_at()
    }

    fn identity(&self) -> Identity {
        self.identity()
    }

    fn export_at(&self, place: Place, put: &mut dyn FnMut(u32)) {
        let Self { now, next_report, load, report_due, told, wanted, done, helpers, .. } = *self;
        let state = State { now, next_report, load, report_due, told, wanted, done, helpers };
        write_image(&self.identity(), place, put, |mut put| state.store(&mut put));
    }

    fn load(&mut self, words: &mut dyn Iterator<Item = u32>) -> Result<Place, BadImage> {
        let load = |it: &mut Self, mut take: &mut Take<'_>| {
            let State { now, next_report, load, report_due, told, wanted, done, helpers } =
                State::load(&mut take)?;
            let config = it.config;
            *it = Self { config, now, next_report, load, report_due, told, wanted, done, helpers };
            Ok(())
        };
        read_image(self, words, load, |it, now| *it = Self::fresh(it.config, now))
    }

    fn resync(&mut self) {
        self.resync();
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        self.check_invariants()
    }
}
