//! The local scheduler: a guest job on somebody else's workstation.
//!
//! Source: the slides on Condor: the owner returns, the local scheduler preempts the guest at
//! once, a checkpoint is taken, the job moves. A station may first suspend the guest for a while,
//! in case the owner leaves again. Cost: 96 bytes, one match a step.
//!
//! ```text
//!           Place                     OwnerReturned (Suspend)
//!   Empty ----------> Running ---------------------------------> Suspended
//!     ^   <---------- |   ^   <---------------------------------   |
//!     |    Finished   |   |             OwnerLeft                  |
//!     |               | OwnerReturned (Checkpoint), Preempt        | Preempt, or waited enough
//!     |               v                                            |
//!     +------------ Leaving <--------------------------------------+
//!     |  CheckpointDone, Finished
//!     |               | grace is over; from any phase: the lease is
//!     |    Gone       v
//!     +------------ Dying: killed, and killed again until it is gone
//! ```
//!
//! Once its lease is over a guest is killed, whatever is said next, unless it has a later lease or has gone by itself.
//!
//! # Leases
//!
//! A host that the coordinator has not heard of for the length of a lease is taken for lost, and
//! its guest's job is started elsewhere. So that no job runs twice the host kills the guest before
//! that, by its own clock: [`Lease::until`] says when. It is counted from when the host *first sent*
//! the report that was answered, not from when it sent it again, as the coordinator may have had it
//! since then, and not from when the answer came. If no clock is off by more than
//! `drift` parts in a million, and a kill takes no longer than `kill`, the guest is gone before
//! the coordinator's clock has counted the whole length from when it received that report.

use super::Owner;
use super::error::{Error, Misuse, Refusal};
use crate::time::{Duration, Instant};

crate::data::data! {
    /// What to do with a guest job when the owner returns.
    pub enum OnReturn {
        /// Checkpoint it and have it out, at once.
        Checkpoint,
        /// Keep it in memory, stopped, for a while; it goes on if the owner leaves again. An owner
        /// counts as gone only after [`quiet`](super::OwnerRule::quiet): a shorter wait is in vain.
        Suspend {
            /// How long it waits before it is checkpointed after all.
            wait: Duration,
        },
    }

    /// How a station treats guests.
    pub struct LocalRule {
        /// What to do when the owner returns.
        pub on_return: OnReturn,
        /// How long a checkpoint may take before the guest is killed without it.
        pub grace: Duration,
        /// After how long a guest that was killed and is not gone is killed again.
        pub kill_again: Duration,
    }

    /// The host's side of a lease.
    pub struct Lease {
        /// After how long without a report the coordinator takes the host for lost.
        pub length: Duration,
        /// By how many parts in a million any clock may be fast or slow.
        pub drift: u32,
        /// How long a kill takes at the most.
        pub kill: Duration,
    }

    /// The number of a checkpoint that is being written: what is done late is told from what is done.
    pub struct Writing(pub u32);

    /// Where a guest stands.
    pub enum Phase {
        /// There is none.
        Empty,
        /// It runs.
        Running,
        /// It is in memory, stopped.
        Suspended {
            /// When it has waited enough.
            until: Instant,
        },
        /// It is stopped, its checkpoint is being written, or put off until its messages are answered,
        /// and then it is out.
        Leaving {
            /// When it is killed if the checkpoint is not done.
            until: Instant,
            /// The checkpoint after which it is out; an earlier one does not count.
            writing: Writing,
        },
        /// It was killed, and nobody has said yet that it is gone.
        Dying {
            /// When it is killed again.
            again: Instant,
        },
    }

    /// What happens to a station.
    pub enum Input {
        /// The coordinator places a guest.
        Place,
        /// The coordinator wants the guest out.
        Preempt,
        /// The coordinator wants a checkpoint; the guest goes on.
        Checkpoint,
        /// The owner returned.
        OwnerReturned,
        /// The owner left.
        OwnerLeft,
        /// A checkpoint asked for is safe at the guest's home.
        CheckpointDone(Writing),
        /// The guest ended by itself.
        Finished,
        /// The guest that was killed is gone.
        Gone,
        /// The guest sent a message to its shadow, which expects an answer. A checkpoint with which the
        /// guest was to leave is void, as it does not hold that message.
        MessageSent,
        /// A message of the guest was answered. When none is outstanding, a checkpoint that was put off
        /// is taken.
        MessageAnswered,
        /// The guest must not outlive that time, unless it is told a later one.
        LeasedUntil(Instant),
        /// Nothing but time passed.
        Time,
    }

    /// What the station has to do with the guest, now.
    #[must_use = "the guest goes on as before unless this is done"]
    pub enum Action {
        /// Start it.
        Start,
        /// Stop it and keep it in memory: the owner may leave again, or its checkpoint is put off.
        Suspend,
        /// Let it go on.
        Continue,
        /// Write a checkpoint and report [`Input::CheckpointDone`] with its number; stop the guest
        /// first if it is leaving.
        Checkpoint(Writing),
        /// Drop it: its checkpoint is safe. Tell the coordinator that it vacated.
        Vacate,
        /// Drop it: there is no time left for the checkpoint, it falls back to the last one. Report
        /// [`Input::Gone`] when it is, and tell the coordinator that it vacated; until then this is
        /// said again and again.
        Kill,
    }
}

crate::display::display! { Action:
    Self::Start => "start the guest",
    Self::Suspend => "stop the guest and keep it in memory",
    Self::Continue => "let the guest go on",
    Self::Checkpoint(writing) => "write checkpoint {} of the guest" (writing.0),
    Self::Vacate => "drop the guest, whose checkpoint is safe",
    Self::Kill => "kill the guest",
}

impl Lease {
    /// When the guest has to be killed by the host's clock, if the coordinator answered a report
    /// that was first sent at `sent` and nothing after it. At once if the length does not even cover a
    /// kill.
    ///
    /// The slowest clock counts `length * (1 - drift) / (1 + drift)` while the fastest counts
    /// `length`.
    ///
    /// ```
    /// use locox::node::Lease;
    /// use locox::time::{Duration, Instant};
    /// let ticks = Duration::from_ticks;
    /// let lease = Lease { length: ticks(600_000), drift: 100, kill: ticks(5000) };
    /// assert_eq!(lease.until(Instant::ZERO), Instant::from_ticks(594_880));
    /// ```
    pub const fn until(&self, sent: Instant) -> Instant {
        const MILLION: u32 = 1_000_000;
        let slow = MILLION.saturating_sub(self.drift) as u128;
        let fast = MILLION.saturating_add(self.drift) as u128;
        let counted = (self.length.ticks() as u128).wrapping_mul(slow).checked_div(fast);
        let counted = match counted {
            Some(counted) => counted as u64,
            None => 0,
        };
        let left = counted.saturating_sub(self.kill.ticks());
        sent.saturating_add(Duration::from_ticks(left))
    }
}

/// The scheduler of one station with room for one guest.
///
/// ```
/// use locox::node::{Action, Input, LocalRule, LocalScheduler, OnReturn, Writing};
/// use locox::time::{Duration, Instant};
/// let ticks = Duration::from_ticks;
/// let rule =
///     LocalRule { on_return: OnReturn::Checkpoint, grace: ticks(60), kill_again: ticks(5) };
/// let mut station = LocalScheduler::new(rule);
/// let at = Instant::from_ticks;
/// assert_eq!(station.step(at(0), Input::OwnerLeft), Ok(None));
/// assert_eq!(station.step(at(5), Input::Place), Ok(Some(Action::Start)));
/// let final_one = Writing(1);
/// assert_eq!(
///     station.step(at(9), Input::OwnerReturned),
///     Ok(Some(Action::Checkpoint(final_one)))
/// );
/// assert_eq!(station.wake_at(), Some(at(69)));
/// assert_eq!(station.step(at(20), Input::CheckpointDone(final_one)), Ok(Some(Action::Vacate)));
/// ```
///
/// # Invariants
///
/// - A guest runs only while the owner is away.
/// - From the owner's return a guest is gone or killed after `wait` plus `grace` at the latest, and
///   at the end of its lease, provided that [`Input::Time`] comes when
///   [`wake_at`](LocalScheduler::wake_at) says.
/// - Checkpoints are numbered as they are asked for, and none is asked for while a message is
///   outstanding.
/// - Without a guest there is no lease, no outstanding message, no checkpoint put off.
/// - A guest that is leaving with a message outstanding has its checkpoint put off.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LocalScheduler {
    rule: LocalRule,
    owner: Owner,
    phase: Phase,
    /// When the guest has to be killed.
    lease: Option<Instant>,
    /// The checkpoint that was asked for last.
    writing: Writing,
    /// Messages of the guest that are not answered.
    outstanding: u16,
    /// A checkpoint waits until they are.
    put_off: bool,
}

impl LocalScheduler {
    /// A station without a guest whose owner is taken to be present.
    pub const fn new(rule: LocalRule) -> Self {
        let (owner, phase) = (Owner::Present, Phase::Empty);
        let (lease, writing) = (None, Writing(0));
        Self { rule, owner, phase, lease, writing, outstanding: 0, put_off: false }
    }

    /// Where the guest stands.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether the owner is present.
    pub const fn owner(&self) -> Owner {
        self.owner
    }

    /// Whether the guest needs the processor: it runs, or its checkpoint is being written or put off.
    /// One that was killed needs none: where it does not obey, it stops with its processor.
    pub const fn is_busy(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Leaving { .. })
    }

    /// When [`Input::Time`] is due, if nothing else happens before.
    pub fn wake_at(&self) -> Option<Instant> {
        match self.phase {
            Phase::Suspended { until } | Phase::Leaving { until, .. } => {
                Some(self.lease.map_or(until, |lease| lease.min(until)))
            }
            Phase::Dying { again } => Some(again),
            Phase::Empty => None,
            Phase::Running => self.lease,
        }
    }

    /// The clock was at `before` and is at `now`, which is earlier. What was to come comes after as
    /// long as it would have; only a lease is over, as nobody knows how long it has lasted.
    pub fn clock_went_back(&mut self, before: Instant, now: Instant) {
        let left = |until: Instant| until.since(before).unwrap_or(Duration::ZERO);
        let moved = |until: Instant| now.saturating_add(left(until));
        self.phase = match self.phase {
            Phase::Suspended { until } => Phase::Suspended { until: moved(until) },
            Phase::Leaving { until, writing } => Phase::Leaving { until: moved(until), writing },
            Phase::Dying { again } => Phase::Dying { again: moved(again) },
            same @ (Phase::Empty | Phase::Running) => same,
        };
        self.lease = self.lease.map(|_| now);
    }

    /// Takes note of `input` at `now`; returns what has to be done, if anything.
    ///
    /// Inputs that ask for what is so already (an owner who returned twice, a guest preempted
    /// twice) do nothing.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] if a guest cannot be placed now, a [`Misuse`] if the input does not fit.
    pub fn step(&mut self, now: Instant, input: Input) -> Result<Option<Action>, Error> {
        let (phase, mut action) = self.follow(now, input)?;
        self.outstanding = self.outstanding_after(input)?;
        match input {
            Input::OwnerReturned => self.owner = Owner::Present,
            Input::OwnerLeft => self.owner = Owner::Away,
            Input::LeasedUntil(until) => self.lease = Some(until),
            _ => {}
        }
        if let Some(Action::Checkpoint(writing)) = action {
            self.put_off = self.outstanding > 0;
            if self.put_off {
                let stops = self.phase == Phase::Running && phase != Phase::Running;
                action = stops.then_some(Action::Suspend);
            } else {
                self.writing = writing;
            }
        }
        if phase == Phase::Empty {
            (self.lease, self.outstanding, self.put_off) = (None, 0, false);
        }
        self.phase = phase;
        Ok(action)
    }

    const fn outstanding_after(&self, input: Input) -> Result<u16, Error> {
        let (after, misuse) = match input {
            Input::MessageSent => (self.outstanding.checked_add(1), Misuse::TooManyMessages),
            Input::MessageAnswered => (self.outstanding.checked_sub(1), Misuse::NoMessage),
            _ => return Ok(self.outstanding),
        };
        match after {
            Some(after) => Ok(after),
            None => Err(Error::Misused(misuse)),
        }
    }

    fn is_lease_over(&self, now: Instant) -> bool {
        self.lease.is_some_and(|lease| now >= lease)
    }

    /// The phase after `input`, and what has to be done: the picture above, arrow by arrow.
    fn follow(&self, now: Instant, input: Input) -> Result<(Phase, Option<Action>), Error> {
        use Phase::{Dying, Empty, Leaving, Running, Suspended};
        let after = |period| now.saturating_add(period);
        let writing = Writing(self.writing.0.wrapping_add(1));
        let leave =
            (Leaving { until: after(self.rule.grace), writing }, Some(Action::Checkpoint(writing)));
        let killed = (Dying { again: after(self.rule.kill_again) }, Some(Action::Kill));
        Ok(match (self.phase, input) {
            (_, Input::Place) if self.owner == Owner::Present => {
                return Err(Error::Refused(Refusal::OwnerPresent));
            }
            (Empty, Input::Place) => (Running, Some(Action::Start)),
            (_, Input::Place) => return Err(Error::Refused(Refusal::Occupied)),
            (Empty, Input::OwnerReturned | Input::OwnerLeft | Input::Time) => (Empty, None),
            (Empty, _) => return Err(Error::Misused(Misuse::NoGuest)),
            (Dying { again }, Input::Time) if now >= again => killed,
            (Dying { .. }, Input::Gone | Input::Finished) => (Empty, None),
            // Whatever else is said of a guest that is to die: it is.
            (dying @ Dying { .. }, _) => (dying, None),
            (_, Input::Gone) => return Err(Error::Misused(Misuse::NotKilled)),
            // Its job may be started elsewhere: before anything else it is killed, unless it is gone already.
            (_, input) if self.is_lease_over(now) && !is_spared_by(input) => killed,
            (Running | Suspended { .. }, Input::Preempt) => leave,
            (phase @ (Running | Suspended { .. }), Input::Checkpoint) => {
                (phase, Some(Action::Checkpoint(writing)))
            }
            (Running, Input::OwnerReturned) => match self.rule.on_return {
                OnReturn::Checkpoint => leave,
                OnReturn::Suspend { wait } => {
                    (Suspended { until: after(wait) }, Some(Action::Suspend))
                }
            },
            (Suspended { .. }, Input::OwnerLeft) => (Running, Some(Action::Continue)),
            (Suspended { until }, Input::Time) if now >= until => leave,
            (Suspended { .. }, Input::Finished) => {
                return Err(Error::Misused(Misuse::GuestSuspended));
            }
            (Leaving { until, .. }, Input::MessageSent) => {
                (Leaving { until, writing }, Some(Action::Checkpoint(writing)))
            }
            (phase, Input::MessageAnswered) if self.put_off => {
                (phase, Some(Action::Checkpoint(writing)))
            }
            (Leaving { writing, .. }, Input::CheckpointDone(done))
                if done == writing && !self.put_off =>
            {
                (Empty, Some(Action::Vacate))
            }
            (Leaving { until, .. }, Input::Time) if now >= until => killed,
            // It may have ended just before it was stopped.
            (Running | Leaving { .. }, Input::Finished) => (Empty, None),
            // What the input asks for is so already, or it is of an earlier checkpoint.
            (phase, _) => (phase, None),
        })
    }
}

/// Whether a guest whose lease is over goes on for now: it has a later one, or goes by itself.
const fn is_spared_by(input: Input) -> bool {
    matches!(input, Input::LeasedUntil(_) | Input::CheckpointDone(_) | Input::Finished)
}
