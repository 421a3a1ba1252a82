//! Owner activity: is a workstation available to others?
//!
//! Source: Mutka and Livny (1987), section 2, from whose five months of watching 13 stations the
//! parameters come. Cost: 80 bytes, a few comparisons a sample. The load is the operating
//! system's decaying average; as that takes two to three minutes to fall below the threshold, a
//! station becomes available about seven minutes after the owner's last activity.

use super::error::Misuse;
use crate::time::{Duration, Instant};

crate::data::data! {
    /// Processor use by the owner's own processes, in hundredths of a percent.
    #[derive(Default, PartialOrd, Ord)]
    #[cfg_attr(feature = "serde", serde(try_from = "u16"))]
    pub struct OwnerLoad(u16);

    /// Whether the owner has the station.
    pub enum Owner {
        /// In use, or in use until recently: not available (NA).
        Present,
        /// Available to others (AV).
        Away,
    }

    /// When a station counts as available.
    pub struct OwnerRule {
        /// A load above this is activity of the owner.
        pub threshold: OwnerLoad,
        /// How long there must have been no activity before the station is available.
        pub quiet: Duration,
        /// Time between samples while the owner is present; not zero.
        pub sample_present: Duration,
        /// Time between samples while the owner is away; not zero.
        pub sample_away: Duration,
    }
}

crate::data::read_as! {
    OwnerLoad: u16, |it| (it <= Self::FULL.0).then_some(Self(it)),
        "a load is at most 10000 hundredths of a percent";
}

impl OwnerLoad {
    /// An idle processor.
    pub const NONE: Self = Self(0);
    /// A processor that does nothing else.
    pub const FULL: Self = Self(10_000);

    /// `hundredths` of a percent, at most [`OwnerLoad::FULL`].
    pub const fn from_hundredths(hundredths: u16) -> Self {
        if hundredths > Self::FULL.0 { Self::FULL } else { Self(hundredths) }
    }

    /// In hundredths of a percent.
    pub const fn hundredths(self) -> u16 {
        self.0
    }
}

impl OwnerRule {
    /// The rule of the study: a quarter of a percent, five minutes, samples each minute while
    /// present and each half minute while away. A `minute` is so many ticks long.
    pub const fn study(minute: Duration) -> Self {
        Self {
            threshold: OwnerLoad::from_hundredths(25),
            quiet: Duration::from_ticks(minute.ticks().saturating_mul(5)),
            sample_present: minute,
            sample_away: Duration::from_ticks(minute.ticks() >> 1),
        }
    }
}

/// Decides from samples whether the owner is present.
///
/// ```
/// use locox::node::{OwnerLoad, Owner, OwnerActivity, OwnerRule};
/// use locox::time::{Duration, Instant};
/// let second = Instant::from_ticks;
/// let rule = OwnerRule::study(Duration::from_ticks(60));
/// let mut station = OwnerActivity::new(rule, second(0)).unwrap();
/// for minute in 0..5 {
///     assert_eq!(station.sample(second(60 * minute), OwnerLoad::NONE), Ok(None));
/// }
/// assert_eq!(station.sample(second(300), OwnerLoad::NONE), Ok(Some(Owner::Away)));
/// assert_eq!(station.next_sample(), second(330));
/// assert_eq!(station.sample(second(330), OwnerLoad::FULL), Ok(Some(Owner::Present)));
/// ```
// Invariants of the fields:
//
// - `quiet_since` is the first sample since which none was above the threshold; `None` while the
//   owner is away or after a sample above it.
// - `last` is the latest sample, not after `next`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OwnerActivity {
    rule: OwnerRule,
    owner: Owner,
    quiet_since: Option<Instant>,
    last: Instant,
    next: Instant,
}

impl OwnerActivity {
    /// A station whose owner is taken to be present, to be sampled at once.
    ///
    /// # Errors
    ///
    /// [`Misuse::Zero`] for `sample_present` or `sample_away`.
    pub const fn new(rule: OwnerRule, now: Instant) -> Result<Self, Misuse> {
        match (rule.sample_present.ticks(), rule.sample_away.ticks()) {
            (0, _) => Err(Misuse::Zero { parameter: "sample_present" }),
            (_, 0) => Err(Misuse::Zero { parameter: "sample_away" }),
            _ => Ok(Self { rule, owner: Owner::Present, quiet_since: None, last: now, next: now }),
        }
    }

    /// Whether the owner is present.
    pub const fn owner(&self) -> Owner {
        self.owner
    }

    /// When to sample next. A sample before that counts as well.
    pub const fn next_sample(&self) -> Instant {
        self.next
    }

    /// Takes note of the load at `now`; returns what the owner is now, if that changed.
    ///
    /// # Errors
    ///
    /// [`Misuse::TimeWentBack`] if there was a later sample.
    pub fn sample(&mut self, now: Instant, load: OwnerLoad) -> Result<Option<Owner>, Misuse> {
        if now < self.last {
            return Err(Misuse::TimeWentBack);
        }
        let before = self.owner;
        if load > self.rule.threshold {
            self.owner = Owner::Present;
            self.quiet_since = None;
        } else if before == Owner::Present {
            self.note_quiet(now);
        }
        self.last = now;
        self.next = now.saturating_add(self.period());
        Ok((self.owner != before).then_some(self.owner))
    }

    /// The time between two samples as the owner is now.
    pub(super) const fn period(&self) -> Duration {
        match self.owner {
            Owner::Present => self.rule.sample_present,
            Owner::Away => self.rule.sample_away,
        }
    }

    /// The clock went back to `now`, from where sampling goes on: the next sample is due, and quiet
    /// is counted anew.
    pub const fn clock_went_back(&mut self, now: Instant) {
        self.quiet_since = None;
        self.last = now;
        self.next = now;
    }

    fn note_quiet(&mut self, now: Instant) {
        let since = self.quiet_since.unwrap_or(now);
        self.quiet_since = Some(since);
        if now.since(since) >= Some(self.rule.quiet) {
            self.owner = Owner::Away;
            self.quiet_since = None;
        }
    }
}
