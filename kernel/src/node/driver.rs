//! A workstation node behind two pins.
//!
//! One input says whether the owner is active, one output enables the node for guests. A firmware
//! passes its own pins, a model passes modelled ones; the code is the same.

use super::{
    Action, Input, Load, LocalRule, LocalScheduler, Misuse, Owner, OwnerActivity, OwnerRule, Phase,
    Refusal,
};
use crate::denied::Denied;
use crate::time::Instant;
use core::fmt;
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{InputPin, OutputPin};

/// How a level becomes a load: the share of some readings in which it was high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Probe {
    /// Readings for one sample; not zero. One reading tells full load from none.
    pub reads: u16,
    /// Time between two of them, in nanoseconds; the driver waits in between.
    pub gap_ns: u32,
}

/// What came of a call to [`NodeDriver::poll`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the coordinator has to learn of the owner, and the guest has to be dealt with"]
pub struct Polled {
    /// What the owner is now, if that changed.
    pub owner: Option<Owner>,
    /// What to do with the guest.
    pub action: Option<Action>,
}

/// Why a call did nothing. State is as before, and what was due is due still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DriverError<A, E> {
    /// The pin of the owner's activity could not be read.
    Activity(A),
    /// The pin that enables the node could not be set.
    Enable(E),
    /// The station cannot take a guest now.
    No(Refusal),
    /// The caller did something wrong.
    Wrong(Misuse),
}

impl<A: fmt::Debug, E: fmt::Debug> fmt::Display for DriverError<A, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Activity(error) => write!(f, "activity pin cannot be read: {error:?}"),
            Self::Enable(error) => write!(f, "enable pin cannot be set: {error:?}"),
            Self::No(refusal) => refusal.fmt(f),
            Self::Wrong(misuse) => misuse.fmt(f),
        }
    }
}

impl<A: fmt::Debug, E: fmt::Debug> core::error::Error for DriverError<A, E> {}

/// Owner activity and local scheduler of one node, with its pins.
///
/// - `activity` is high while the owner is active. A line that is high only for moments needs
///   many readings, or a latch.
/// - `enable` is high while a guest needs the processor, and only then.
///
/// Each call works on a copy and keeps it only if the pins obeyed.
///
/// The firmware's loop: [`poll`](NodeDriver::poll) when [`wake_at`](NodeDriver::wake_at) says,
/// [`request`](NodeDriver::request) when the coordinator or the guest says something; do the
/// actions, and tell the coordinator when the owner changed or the guest left.
pub struct NodeDriver<A, E, D> {
    activity: A,
    enable: E,
    delay: D,
    probe: Probe,
    owner: OwnerActivity,
    local: LocalScheduler,
}

impl<A: InputPin, E: OutputPin, D: DelayNs> NodeDriver<A, E, D> {
    /// A node that is disabled, without a guest, its owner taken to be present.
    ///
    /// # Errors
    ///
    /// [`DriverError::Wrong`] if `reads` or a period of `owner_rule` is zero,
    /// [`DriverError::Enable`] if the node cannot be disabled.
    pub fn new(
        pins: (A, E, D),
        probe: Probe,
        owner_rule: OwnerRule,
        local_rule: LocalRule,
        now: Instant,
    ) -> Result<Self, DriverError<A::Error, E::Error>> {
        if probe.reads == 0 {
            return Err(DriverError::Wrong(Misuse::Zero { parameter: "reads" }));
        }
        let owner = OwnerActivity::new(owner_rule, now).map_err(DriverError::Wrong)?;
        let (activity, mut enable, delay) = pins;
        enable.set_low().map_err(DriverError::Enable)?;
        let local = LocalScheduler::new(local_rule);
        Ok(Self { activity, enable, delay, probe, owner, local })
    }

    /// When to call [`poll`](Self::poll) next. There is always a next sample.
    pub fn wake_at(&self) -> Option<Instant> {
        let sample = self.owner.next_sample();
        Some(self.local.wake_at().map_or(sample, |local| local.min(sample)))
    }

    /// Where the guest stands.
    pub const fn phase(&self) -> Phase {
        self.local.phase()
    }

    /// Whether the owner is present.
    pub const fn owner(&self) -> Owner {
        self.owner.owner()
    }

    /// Samples the owner's activity if that is due, and lets time pass for the guest. When both
    /// have something to say at once, the owner goes first and the next poll is due at once.
    ///
    /// # Errors
    ///
    /// [`DriverError::Activity`], [`DriverError::Enable`], or [`DriverError::Wrong`] if `now`
    /// is before an earlier sample.
    pub fn poll(&mut self, now: Instant) -> Result<Polled, DriverError<A::Error, E::Error>> {
        let mut sampled = self.owner;
        let mut change = None;
        if now >= sampled.next_sample() {
            let load = self.load()?;
            change = sampled.sample(now, load).map_err(DriverError::Wrong)?;
        }
        let input = match change {
            Some(Owner::Present) => Input::OwnerReturned,
            Some(Owner::Away) => Input::OwnerLeft,
            None => Input::Time,
        };
        let action = self.request(now, input)?;
        self.owner = sampled;
        Ok(Polled { owner: change, action })
    }

    /// Passes on what the coordinator or the guest says.
    ///
    /// # Errors
    ///
    /// [`DriverError::No`], [`DriverError::Wrong`] if it does not fit, [`DriverError::Enable`].
    pub fn request(
        &mut self,
        now: Instant,
        input: Input,
    ) -> Result<Option<Action>, DriverError<A::Error, E::Error>> {
        let mut local = self.local;
        let action = local.step(now, input).map_err(|denied| match denied {
            Denied::No(refusal) => DriverError::No(refusal),
            Denied::Wrong(misuse) => DriverError::Wrong(misuse),
        })?;
        self.enable.set_state(local.is_busy().into()).map_err(DriverError::Enable)?;
        self.local = local;
        Ok(action)
    }

    /// Gives the pins back.
    pub fn release(self) -> (A, E, D) {
        (self.activity, self.enable, self.delay)
    }

    fn load(&mut self) -> Result<Load, DriverError<A::Error, E::Error>> {
        let mut active: u32 = 0;
        for read in 0..self.probe.reads {
            if read > 0 {
                self.delay.delay_ns(self.probe.gap_ns);
            }
            let high = self.activity.is_high().map_err(DriverError::Activity)?;
            active = active.saturating_add(u32::from(high));
        }
        let full = u32::from(Load::FULL.hundredths());
        let share = active.saturating_mul(full).checked_div(u32::from(self.probe.reads));
        Ok(Load::from_hundredths(share.unwrap_or(full) as u16))
    }
}
