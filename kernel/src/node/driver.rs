//! A workstation node behind two pins.
//!
//! One input says whether the owner is active, one output enables the node for guests. A firmware
//! passes its own pins, a model passes modelled ones; the code is the same.

use super::{
    Action, Error, Input, LocalRule, LocalScheduler, Misuse, Owner, OwnerActivity, OwnerLoad,
    OwnerRule, Phase, Refusal,
};
use crate::time::{Duration, Instant};
use core::fmt;
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{InputPin, OutputPin};

crate::data::data! {
    /// How a level becomes a load: the share of some readings in which it was high.
    pub struct Probe {
        /// Readings for one sample; not zero. One reading tells full load from none.
        pub reads: u16,
        /// Time between two of them, in nanoseconds; the driver waits in between.
        pub gap_ns: u32,
        /// For how long the pin may be unreadable before the owner counts as present.
        pub patience: Duration,
    }
}

/// What came of a call to [`NodeDriver::poll`]: what is to be done, whatever failed, and what did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the coordinator has to learn of the owner, and the guest has to be dealt with"]
pub struct Polled<A, E> {
    /// What the owner is now, if that changed.
    pub owner: Option<Owner>,
    /// What to do with the guest.
    pub action: Option<Action>,
    /// Why the pin of the owner's activity could not be read. It is read again at the next poll, for which
    /// [`NodeDriver::wake_at`] names a later time.
    pub unread: Option<A>,
    /// Why the pin that enables the node could not be set. The next poll tries again.
    pub unset: Option<E>,
    /// The time given was before one given earlier. All goes on from it: see
    /// [`LocalScheduler::clock_went_back`].
    pub time_went_back: bool,
}

impl<A, E> Polled<A, E> {
    /// Nothing changed, nothing is to be done, nothing failed.
    pub const QUIET: Self =
        Self { owner: None, action: None, unread: None, unset: None, time_went_back: false };
}

/// Why a call did nothing. State is as before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DriverError<E> {
    /// The pin that enables the node could not be set.
    Enable(E),
    /// The station cannot take a guest now.
    Refused(Refusal),
    /// The caller did something wrong.
    Misused(Misuse),
}

impl<E: fmt::Debug> fmt::Display for DriverError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Enable(error) => write!(f, "enable pin cannot be set: {error:?}"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Misused(misuse) => misuse.fmt(f),
        }
    }
}

impl<E: fmt::Debug> core::error::Error for DriverError<E> {}

/// Owner activity and local scheduler of one node, with its pins.
///
/// - `activity` is high while the owner is active. A line that is high only for moments needs
///   many readings, or a latch.
/// - `enable` is high while a guest needs the processor, and only then.
///
/// Pins that fail stop nothing else: what is to be done with the guest is said all the same, a pin
/// that cannot be read counts as an owner at work after [`Probe::patience`], and one that cannot be
/// set is set by the next poll. Only a guest that is to be placed is not, if the node cannot be
/// enabled.
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
    /// The latest time given.
    told: Instant,
    /// It was before the one given before, and no poll has said so yet.
    went_back: bool,
    /// Since when the pin of the owner's activity cannot be read.
    blind_since: Option<Instant>,
    /// Until then a sample that failed need not be tried again.
    rest_until: Instant,
}

impl<A: InputPin, E: OutputPin, D: DelayNs> NodeDriver<A, E, D> {
    /// A node that is disabled, without a guest, its owner taken to be present.
    ///
    /// # Errors
    ///
    /// [`DriverError::Misused`] if `reads` or a period of `owner_rule` is zero,
    /// [`DriverError::Enable`] if the node cannot be disabled.
    pub fn new(
        pins: (A, E, D),
        probe: Probe,
        owner_rule: OwnerRule,
        local_rule: LocalRule,
        now: Instant,
    ) -> Result<Self, DriverError<E::Error>> {
        if probe.reads == 0 {
            return Err(DriverError::Misused(Misuse::Zero { parameter: "reads" }));
        }
        let owner = OwnerActivity::new(owner_rule, now).map_err(DriverError::Misused)?;
        let (activity, mut enable, delay) = pins;
        enable.set_low().map_err(DriverError::Enable)?;
        let local = LocalScheduler::new(local_rule);
        let (told, went_back, blind_since, rest_until) = (now, false, None, Instant::ZERO);
        Ok(Self {
            activity,
            enable,
            delay,
            probe,
            owner,
            local,
            told,
            went_back,
            blind_since,
            rest_until,
        })
    }

    /// When to call [`poll`](Self::poll) next. There is always a next sample; one that failed is tried again
    /// after the time between two samples, or when patience is over.
    pub fn wake_at(&self) -> Option<Instant> {
        let sample = self.owner.next_sample().max(self.rest_until);
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

    /// Samples the owner's activity if that is due, lets time pass for the guest, and sets the pin
    /// that enables the node. When owner and guest have something to say at once, the owner goes
    /// first and the next poll is due at once.
    pub fn poll(&mut self, now: Instant) -> Polled<A::Error, E::Error> {
        self.follow_clock(now);
        let mut polled = Polled::QUIET;
        polled.time_went_back = core::mem::take(&mut self.went_back);
        (polled.owner, polled.unread) = self.sample(now);
        let input = match polled.owner {
            Some(Owner::Present) => Input::OwnerReturned,
            Some(Owner::Away) => Input::OwnerLeft,
            None => Input::Time,
        };
        let answer = self.local.step(now, input);
        debug_assert!(answer.is_ok(), "an owner may come and go, and time pass, at any time");
        polled.action = answer.unwrap_or(None);
        polled.unset = self.enable.set_state(self.local.is_busy().into()).err();
        polled
    }

    /// Passes on what the coordinator or the guest says. A pin that cannot be set is no reason not
    /// to, but for a guest that is to be placed: the next poll sets it, or says why it cannot.
    ///
    /// # Errors
    ///
    /// [`DriverError::Refused`], [`DriverError::Misused`] if it does not fit, [`DriverError::Enable`] for
    /// [`Input::Place`].
    pub fn request(
        &mut self,
        now: Instant,
        input: Input,
    ) -> Result<Option<Action>, DriverError<E::Error>> {
        self.follow_clock(now);
        let mut local = self.local.clone();
        let action = local.step(now, input).map_err(|error| match error {
            Error::Refused(refusal) => DriverError::Refused(refusal),
            Error::Misused(misuse) => DriverError::Misused(misuse),
        })?;
        let set = self.enable.set_state(local.is_busy().into());
        if input == Input::Place {
            set.map_err(DriverError::Enable)?;
        }
        self.local = local;
        Ok(action)
    }

    /// Gives the pins back.
    pub fn release(self) -> (A, E, D) {
        (self.activity, self.enable, self.delay)
    }

    fn follow_clock(&mut self, now: Instant) {
        if now < self.told {
            self.local.clock_went_back(self.told, now);
            self.owner.clock_went_back(now);
            self.blind_since = self.blind_since.map(|_| now);
            self.rest_until = Instant::ZERO;
            self.went_back = true;
        }
        self.told = now;
    }

    /// What the owner is now, if that changed, and why it could not be seen. A sample that failed
    /// stays due until there was no time to wait any more, and then counts as a full load.
    fn sample(&mut self, now: Instant) -> (Option<Owner>, Option<A::Error>) {
        if now < self.owner.next_sample() {
            return (None, None);
        }
        let (load, unread) = match self.load() {
            Ok(load) => {
                self.blind_since = None;
                (load, None)
            }
            Err(error) => {
                let since = *self.blind_since.get_or_insert(now);
                if now.since(since) < Some(self.probe.patience) {
                    let next = now.saturating_add(self.owner.period());
                    self.rest_until = next.min(since.saturating_add(self.probe.patience));
                    return (None, Some(error));
                }
                (OwnerLoad::FULL, Some(error))
            }
        };
        let changed = self.owner.sample(now, load);
        debug_assert!(changed.is_ok(), "the clock was followed");
        (changed.unwrap_or(None), unread)
    }

    fn load(&mut self) -> Result<OwnerLoad, A::Error> {
        let mut active: u32 = 0;
        for read in 0..self.probe.reads {
            if read > 0 {
                self.delay.delay_ns(self.probe.gap_ns);
            }
            active = active.saturating_add(u32::from(self.activity.is_high()?));
        }
        let full = u32::from(OwnerLoad::FULL.hundredths());
        let share = active.saturating_mul(full).checked_div(u32::from(self.probe.reads));
        Ok(OwnerLoad::from_hundredths(share.unwrap_or(full) as u16))
    }
}
