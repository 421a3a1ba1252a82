//! The local scheduler: a guest job on somebody else's workstation.
//!
//! Source: the slides on Condor: the owner returns, the local scheduler preempts the guest at
//! once, a checkpoint is taken, the job moves. A station may first suspend the guest for a while,
//! in case the owner leaves again. Cost: 64 bytes, one match a step.
//!
//! ```text
//!           Place                     OwnerReturned (Suspend)
//!   Empty ----------> Running ---------------------------------> Suspended
//!     ^   <---------- |   ^   <---------------------------------   |
//!     |    Finished   |   |             OwnerLeft                  |
//!     |               | OwnerReturned (Checkpoint), Preempt        | Preempt, or waited enough
//!     |               v                                            |
//!     +------------ Leaving <--------------------------------------+
//!   CheckpointDone, Finished, or grace is over
//! ```

use super::{Misuse, Owner};
use crate::denied::Denied;
use crate::time::{Duration, Instant};

/// What to do with a guest job when the owner returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LocalRule {
    /// What to do when the owner returns.
    pub on_return: OnReturn,
    /// How long a checkpoint may take before the guest is killed without it.
    pub grace: Duration,
}

/// Where a guest stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
    /// It is stopped, its checkpoint is being written, and then it is out.
    Leaving {
        /// When it is killed if the checkpoint is not done.
        until: Instant,
    },
}

/// What happens to a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
    /// The checkpoint asked for is safe at the guest's home.
    CheckpointDone,
    /// The guest ended by itself.
    Finished,
    /// Nothing but time passed.
    Time,
}

/// What the station has to do with the guest, now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the guest goes on as before unless this is done"]
pub enum Action {
    /// Start it.
    Start,
    /// Stop it and keep it in memory.
    Suspend,
    /// Let it go on.
    Continue,
    /// Write a checkpoint and report [`Input::CheckpointDone`]; stop it first if it is leaving.
    Checkpoint,
    /// Drop it: its checkpoint is safe. Tell the coordinator that it vacated.
    Vacate,
    /// Drop it: there is no time left for the checkpoint, it falls back to the last one. Tell the
    /// coordinator that it vacated.
    Kill,
}

/// Why a guest cannot be placed now. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// The owner has the station.
    OwnerPresent,
    /// There is a guest already.
    Occupied,
}

crate::shown::error! { Refusal:
    Self::OwnerPresent => "the owner is at the station: place the job elsewhere",
    Self::Occupied => "the station has a guest job: preempt that first",
}

/// The scheduler of one station with room for one guest.
///
/// - A guest runs only while the owner is away.
/// - From the owner's return a guest is gone after `wait` plus `grace` at the latest, provided
///   that [`Input::Time`] comes when [`wake_at`](LocalScheduler::wake_at) says.
///
/// ```
/// use locox::node::{Action, Input, LocalRule, LocalScheduler, OnReturn};
/// use locox::time::{Duration, Instant};
/// let rule = LocalRule { on_return: OnReturn::Checkpoint, grace: Duration::from_ticks(60) };
/// let mut station = LocalScheduler::new(rule);
/// let at = Instant::from_ticks;
/// assert_eq!(station.step(at(0), Input::OwnerLeft), Ok(None));
/// assert_eq!(station.step(at(5), Input::Place), Ok(Some(Action::Start)));
/// assert_eq!(station.step(at(9), Input::OwnerReturned), Ok(Some(Action::Checkpoint)));
/// assert_eq!(station.wake_at(), Some(at(69)));
/// assert_eq!(station.step(at(20), Input::CheckpointDone), Ok(Some(Action::Vacate)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LocalScheduler {
    rule: LocalRule,
    owner: Owner,
    phase: Phase,
}

impl LocalScheduler {
    /// A station without a guest whose owner is taken to be present.
    pub const fn new(rule: LocalRule) -> Self {
        Self { rule, owner: Owner::Present, phase: Phase::Empty }
    }

    /// Where the guest stands.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether the owner is present.
    pub const fn owner(&self) -> Owner {
        self.owner
    }

    /// Whether the guest needs the processor: it runs, or its checkpoint is being written.
    pub const fn is_busy(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Leaving { .. })
    }

    /// When [`Input::Time`] is due, if nothing else happens before.
    pub const fn wake_at(&self) -> Option<Instant> {
        match self.phase {
            Phase::Suspended { until } | Phase::Leaving { until } => Some(until),
            Phase::Empty | Phase::Running => None,
        }
    }

    /// Takes note of `input` at `now`; returns what has to be done, if anything.
    ///
    /// Inputs that ask for what is so already (an owner who returned twice, a guest preempted
    /// twice) do nothing.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] if a guest cannot be placed now, a [`Misuse`] if the input does not fit.
    pub fn step(
        &mut self,
        now: Instant,
        input: Input,
    ) -> Result<Option<Action>, Denied<Refusal, Misuse>> {
        let (phase, action) = self.follow(now, input)?;
        match input {
            Input::OwnerReturned => self.owner = Owner::Present,
            Input::OwnerLeft => self.owner = Owner::Away,
            _ => {}
        }
        self.phase = phase;
        Ok(action)
    }

    /// The phase after `input`, and what has to be done: the picture above, arrow by arrow.
    fn follow(
        &self,
        now: Instant,
        input: Input,
    ) -> Result<(Phase, Option<Action>), Denied<Refusal, Misuse>> {
        use Phase::{Empty, Leaving, Running, Suspended};
        let killed = Leaving { until: now.saturating_add(self.rule.grace) };
        let leave = (killed, Some(Action::Checkpoint));
        Ok(match (self.phase, input) {
            (_, Input::Place) => (Running, Some(self.place().map_err(Denied::No)?)),
            (
                Empty,
                Input::Preempt | Input::Checkpoint | Input::CheckpointDone | Input::Finished,
            ) => {
                return Err(Denied::Wrong(Misuse::NoGuest));
            }
            (Running | Suspended { .. }, Input::Preempt) => leave,
            (phase @ (Running | Suspended { .. }), Input::Checkpoint) => {
                (phase, Some(Action::Checkpoint))
            }
            (Running, Input::OwnerReturned) => match self.rule.on_return {
                OnReturn::Checkpoint => leave,
                OnReturn::Suspend { wait } => {
                    (Suspended { until: now.saturating_add(wait) }, Some(Action::Suspend))
                }
            },
            (Suspended { .. }, Input::OwnerLeft) => (Running, Some(Action::Continue)),
            (Suspended { until }, Input::Time) if now >= until => leave,
            (Suspended { .. }, Input::Finished) => {
                return Err(Denied::Wrong(Misuse::GuestSuspended));
            }
            (Leaving { .. }, Input::CheckpointDone) => (Empty, Some(Action::Vacate)),
            (Leaving { until }, Input::Time) if now >= until => (Empty, Some(Action::Kill)),
            // It may have ended just before it was stopped.
            (Running | Leaving { .. }, Input::Finished) => (Empty, None),
            // What the input asks for is so already.
            (phase, _) => (phase, None),
        })
    }

    fn place(&self) -> Result<Action, Refusal> {
        if self.owner == Owner::Present {
            return Err(Refusal::OwnerPresent);
        }
        if self.phase != Phase::Empty {
            return Err(Refusal::Occupied);
        }
        Ok(Action::Start)
    }
}
