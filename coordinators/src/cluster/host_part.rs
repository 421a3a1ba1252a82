//! The part of the coordinator that runs on each host.

use super::assignments::{Assignments, NOBODY};
use super::{Assignment, Batch, JobId};
use crate::coordinate::{Coordinate, Snapshot, inherent_methods, variants};
use locox::ground::{Take, ensure, stored};
use locox::handle::PoolId;
use locox::image::{BadImage, Identity, Stored, digest_of};
use locox::invariant::InvariantViolation;
use locox::time::{Duration, Instant};
use locox::timeshare::{Level, Load, UserId};

variants! {
    /// What happened on the host, or was said to it.
    pub enum HostCommand {
        /// The host is to run this; see [`Effect::Assign`](super::Effect::Assign).
        Assign { batch: Batch, number: u32, assignment: Assignment } = 0,
        /// That was all, so many jobs; see [`Effect::AssignmentsEnd`](super::Effect::AssignmentsEnd).
        AssignmentsEnd { batch: Batch, jobs: u32 } = 1,
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
        /// Kill whatever is left of the job's processes here; there may be nothing. This comes when a job that was
        /// started is to be killed, and again when it leaves the list, also if it has ended by itself.
        Kill { job: JobId } = 0,
        /// Run the user's message helper above everything at this level, that of his most urgent job, even if
        /// this one is to be killed.
        RaiseHelper { user: UserId, level: Level } = 1,
        /// Take in the processes of this job of the user, and run them at this level; start it if its
        /// `first` process is here.
        Start { job: JobId, user: UserId, level: Level, first: bool } = 2,
        /// Run the job's processes at this level from now on.
        SetPriority { job: JobId, level: Level } = 3,
        /// Run the user's message helper as before Elmer: he has no job here.
        RestoreHelper { user: UserId } = 4,
        /// Report to the coordinator the utilisation, and the latest batch that was heard as a whole.
        Report { load: Load, heard: Batch } = 5,
    }
}

locox::ground::display! { HostEffect:
    Self::Kill { job } => "kill job {job}",
    Self::RaiseHelper { user, level } => "raise the helper of user {user} to level {level}",
    Self::Start { job, user, level, first: true } =>
        "start job {job} of user {user} at level {level} with its first process",
    Self::Start { job, user, level, first: false } =>
        "start job {job} of user {user} at level {level}",
    Self::SetPriority { job, level } => "run job {job} at level {level}",
    Self::RestoreHelper { user } => "restore the helper of user {user}",
    Self::Report { load, heard } => "report a load of {load} thousandths, and batch {heard}",
}

/// The parameters of a host part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostConfig {
    /// Time between reports; not zero.
    pub report: Duration,
    /// How often the host has started, so that nothing of what it was told before starts anything: counted by
    /// whoever starts it, also when this part begins anew without its image, after all processes of jobs were
    /// ended; not when it goes on from its image. Always the same if the coordinator is told of each restart
    /// before the next report, and no message of before can come after it. A batch of another count is none
    /// for this host.
    pub boot: u32,
    /// The number that tells its images from those of others.
    pub pool: PoolId,
}

locox::ground::errors! {
    /// What a caller did wrong. Nothing has changed.
    pub enum HostMisuse {
        /// The time given is before one given earlier.
        TimeWentBack => "now is before a time given earlier",
        /// Time between reports must not be zero.
        NoPeriod => "the time between reports must not be zero",
        /// The job is not the next of its batch, which has the number `next`: something was lost on the way,
        /// and is told again.
        Number { next: u32 } => "number is out of turn: the next one of this batch is {next}",
    }
}

/// The state machine that brings a host to run what it was told.
///
/// It compares what is wanted with what is done, and says one difference after the other: first
/// what is to be killed, then whose helper is raised, who starts or moves, and whose helper is put
/// back. So the order in which things were said does not matter, nor how often: of a batch that is not newer
/// than the one it has nothing changes. A job that is to be killed is neither started nor moved, and no helper is
/// raised for it alone; but while its user has another job here, it counts for the level of the helper.
///
/// # Going on from an image
///
/// [`HostPart::restore`] and [`HostPart::resync`] say again all that the host is to run, and kill again what is to
/// be killed. Three things the part cannot know:
///
/// - A [`HostEffect::Start`] may be for a job that has ended by itself: start a job once for its name, and after
///   that only take in what is left of it.
/// - An effect that was taken before the image is taken to be done, unless the job or the helper is still
///   wanted. Take an image after a command and before its effects, or when they are done.
/// - An older image does not know of jobs that came after it, and does not kill them: end all processes of jobs
///   first, and begin with another [boot](HostConfig::boot).
///
/// # Invariants
///
/// - No job is twice among those wanted, nor among those done.
/// - Of those told so far there are as many as their numbers say.
/// - The batch that is told is one of this start of the host, and not older than the one that was heard.
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
    /// The latest batch that was told as a whole.
    heard: Batch,
    /// The latest one of which anything was told.
    telling: Batch,
    /// What it was told so far of that, which does not count before all of it was.
    told: Assignments,
    wanted: Assignments,
    done: Assignments,
    /// For each user whose helper is raised an assignment of his.
    helpers: Assignments,
}

stored!(Core { now, next_report, load, report_due, heard, telling, told, wanted, done, helpers });

impl Core {
    const fn fresh(boot: u32, now: Instant) -> Self {
        let heard = Batch { boot, number: 0 };
        Self {
            now,
            next_report: now,
            load: Load::IDLE,
            report_due: false,
            heard,
            telling: heard,
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
        Ok(Self { config, core: Core::fresh(config.boot, now) })
    }

    /// The jobs that it has started, including those that were killed and are still on the list. Right after
    /// [`HostPart::restore`] and [`HostPart::resync`] it contains only jobs that are to be killed, and the others
    /// again when their effects have been taken.
    pub const fn running(&self) -> &Assignments {
        &self.core.done
    }

    /// The latest batch that it heard as a whole, as it is reported.
    pub const fn heard(&self) -> Batch {
        self.core.heard
    }

    inherent_methods! { HostCommand => (), HostMisuse; HostEffect }

    fn assign(
        &mut self,
        batch: Batch,
        number: u32,
        assignment: Assignment,
    ) -> Result<(), HostMisuse> {
        let told = self.told_of(batch);
        let next = told.len() as u32;
        if self.is_old(batch) || number < next {
            return Ok(());
        }
        let is_full = next >= u32::from(Level::COUNT);
        if number != next || is_full || told.iter().any(|it| it.job == assignment.job) {
            return Err(HostMisuse::Number { next });
        }
        if number == 0 {
            (self.core.telling, self.core.told) = (batch, Assignments::EMPTY);
        }
        self.core.told.push(assignment);
        Ok(())
    }

    fn end(&mut self, batch: Batch, jobs: u32) -> Result<(), HostMisuse> {
        if self.is_old(batch) {
            return Ok(());
        }
        let told = self.told_of(batch);
        if told.len() != jobs as usize {
            return Err(HostMisuse::Number { next: told.len() as u32 });
        }
        let is_told = batch == self.core.telling;
        let told = core::mem::replace(&mut self.core.told, Assignments::EMPTY);
        self.core.wanted = if is_told { told } else { Assignments::EMPTY };
        (self.core.heard, self.core.telling) = (batch, batch);
        Ok(())
    }

    /// Whether a batch is none that is yet to be heard: an older one, or of another start.
    fn is_old(&self, batch: Batch) -> bool {
        let Core { heard, telling, .. } = self.core;
        batch.boot != heard.boot || batch <= heard || batch < telling
    }

    /// What was told so far of a batch that is not old.
    fn told_of(&self, batch: Batch) -> &[Assignment] {
        if batch == self.core.telling { self.core.told.as_slice() } else { &[] }
    }

    fn kill(&self) -> Option<HostEffect> {
        let is_over = |it: &&Assignment| match self.core.wanted.find(it.job) {
            None => true,
            Some(wanted) => wanted.terminating && !it.terminating,
        };
        self.core.done.as_slice().iter().find(is_over).map(|it| HostEffect::Kill { job: it.job })
    }

    /// Where there is no room to note one more helper, one that no job needs is put back first.
    fn raise(&self) -> Option<HostEffect> {
        let Core { wanted, helpers, .. } = &self.core;
        let helper_of = |user| helpers.as_slice().iter().find(|helper| helper.user == user);
        let is_low = |it: &&Assignment| {
            let is_there = helper_of(it.user).is_some_and(|helper| helper.level == it.level);
            !is_there && wanted.need_helper(it.user)
        };
        let Assignment { user, level, .. } = *wanted.helped().find(is_low)?;
        if helper_of(user).is_none() && helpers.as_slice().len() >= usize::from(Level::COUNT) {
            return self.restore_helper();
        }
        Some(HostEffect::RaiseHelper { user, level })
    }

    fn start_or_move(&self) -> Option<HostEffect> {
        self.core.wanted.as_slice().iter().find_map(|it| {
            let Assignment { job, user, level, first, terminating } = *it;
            // One that was killed is wanted again by a coordinator that does not know of that.
            match self.core.done.find(job).filter(|it| !it.terminating) {
                _ if terminating => None,
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
    type Kept = Instant;

    fn identity(&self) -> Identity {
        Identity::of(
            *b"ERSD",
            self.config.pool,
            digest_of(&[self.config.report.ticks(), self.config.boot.into()]),
        )
    }

    fn kept(&self) -> Instant {
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
        self.core = Core::fresh(self.config.boot, now);
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        let Core { heard, telling, .. } = self.core;
        let is_of_this = [heard.boot, telling.boot] == [self.config.boot; 2];
        ensure(is_of_this, "a batch is of another start")?;
        ensure(telling >= heard, "a batch that was heard is newer than the one that is told")?;
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
            HostCommand::Assign { batch, number, assignment } => {
                self.assign(batch, number, assignment)?;
            }
            HostCommand::AssignmentsEnd { batch, jobs } => self.end(batch, jobs)?,
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
        let Core { load, heard, .. } = self.core;
        self.kill()
            .or_else(|| self.raise())
            .or_else(|| self.start_or_move())
            .or_else(|| self.restore_helper())
            .or(self.core.report_due.then_some(HostEffect::Report { load, heard }))
    }

    fn take_effect(&mut self) -> Option<HostEffect> {
        let effect = self.peek_effect()?;
        match effect {
            HostEffect::Kill { job } => {
                self.core.done.retain(|it| it.job != job);
                self.core.wanted.find(job).into_iter().for_each(|it| self.core.done.push(*it));
            }
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

    /// The host carries everything out once more: what was said last may not have been done. What is to be
    /// killed, and helpers that no job needs any more, are known from what was done alone: they stay.
    fn resync(&mut self) {
        let Core { wanted, done, helpers, .. } = &mut self.core;
        let all = core::mem::replace(done, Assignments::EMPTY);
        let is_over = |it: &&Assignment| wanted.find(it.job).is_none_or(|it| it.terminating);
        let over = all.as_slice().iter().filter(is_over);
        over.for_each(|it| done.push(Assignment { terminating: false, ..*it }));
        helpers.retain(|it| !wanted.need_helper(it.user));
    }
}
