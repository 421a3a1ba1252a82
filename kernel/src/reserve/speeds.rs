//! PEs of unlike speed: a rigid job runs at the speed of its slowest PE.
//!
//! Source: Li et al., section 7: "we can standardize the capacities of the resources and the requirements
//! of the jobs by using a 'standard' resource". It leaves open how long a parallel job runs on PEs of
//! several speeds, and what a policy compares then. Here, as the source would have it for malleable jobs, a
//! request becomes some rigid ones: for each speed as the lowest one allowed, as many PEs for as long as
//! that takes, placed by the policy. Of these the one is taken that ends first.
//!
//! Cost: the search of the policy for each speed, and once more for the speed taken.

use super::bids::Bids;
use super::choice::{Choice, Mask, Masked};
use super::edit::Edit;
use super::refusal::{Error, Misuse, Refusal};
use super::request::{Interval, Request};
use super::search::best::{Best, Earliest};
use super::search::checked_request::CheckedRequest;
use super::search::fit::Search;
use super::slots::view::Slots;
use crate::bits::{BitSet, Word};
use crate::time::Duration;

/// A speed, and the PEs of a machine that have at least that.
#[derive(Clone, Copy, Debug)]
pub struct SpeedClass<'a> {
    speed: u32,
    pes: Mask<'a>,
}

impl<'a> SpeedClass<'a> {
    /// All of `pes` have at least this speed, in a unit of the caller's.
    pub fn new<T: AsRef<[Word]>>(speed: u32, pes: &'a BitSet<T>) -> Self {
        Self { speed, pes: Mask::only(pes) }
    }
}

/// How fast the PEs of a machine are, beside a standard PE, which takes for a request just its
/// duration.
///
/// ```
/// use locox::bits::BitSet;
/// use locox::handle::PoolId;
/// use locox::reserve::{Fit, Limits, Lowest, Request, SpeedClass, Speeds, Timeline};
/// use locox::time::{Duration, Instant};
///
/// const LIMITS: Limits = Limits { pes: 8, reservations: 4 };
/// let mut timeline = Timeline::new(PoolId(0), LIMITS, [0; Timeline::words(LIMITS)])?;
/// // PEs 0 to 3 at 3 GHz, 4 to 7 at 1 GHz; durations are those on a PE at 2 GHz.
/// let (mut fast, mut all) = (BitSet::empty([0], 8)?, BitSet::empty([0], 8)?);
/// fast.insert_range(0, 4)?;
/// all.insert_range(0, 8)?;
/// let classes = [SpeedClass::new(3000, &fast), SpeedClass::new(1000, &all)];
/// let speeds = Speeds::new(2000, &classes)?;
///
/// let request = |pes| Request::new(Instant::ZERO, Duration::from_ticks(10), pes);
/// // 10 * 2 / 3 on the fast ones, in whole ticks.
/// let (_, at) = timeline.reserve_at_speeds(&request(3), speeds, &Fit::First, &Lowest)?;
/// assert_eq!((at.start.ticks(), at.end.ticks()), (0, 7));
/// // From 7 on four fast ones are free: that ends before 20, when the slow ones would have done it.
/// let (_, at) = timeline.reserve_at_speeds(&request(4), speeds, &Fit::First, &Lowest)?;
/// assert_eq!((at.start.ticks(), at.end.ticks()), (7, 14));
/// let (_, at) = timeline.reserve_at_speeds(&request(4), speeds, &Fit::First, &Lowest)?;
/// assert_eq!((at.start.ticks(), at.end.ticks()), (0, 20));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Speeds<'a> {
    standard: u32,
    classes: &'a [SpeedClass<'a>],
}

impl<'a> Speeds<'a> {
    /// The speed of a standard PE, and those of the machine, the highest first. PEs in no class are not
    /// reserved by speed.
    ///
    /// # Errors
    ///
    /// [`Misuse::WrongSpeeds`] if there is no class, a speed is 0 or not below the one before it, or a
    /// class lacks a PE of the one before it.
    pub fn new(standard: u32, classes: &'a [SpeedClass<'a>]) -> Result<Self, Misuse> {
        let least = classes.last().map_or(0, |slowest| slowest.speed.min(standard));
        let falls = |(faster, slower): (&SpeedClass<'_>, &SpeedClass<'_>)| {
            faster.speed > slower.speed && slower.pes.admits(&faster.pes)
        };
        let sound = least > 0 && classes.iter().zip(classes.iter().skip(1)).all(falls);
        if sound { Ok(Self { standard, classes }) } else { Err(Misuse::WrongSpeeds) }
    }

    /// How long a job takes at a speed, rounded up to whole ticks; the longest duration if that is
    /// longer.
    fn duration(&self, nominal: Duration, speed: u32) -> Duration {
        let (speed, standard) = (u64::from(speed), u64::from(self.standard));
        let whole = nominal.ticks().checked_div(speed).unwrap_or(u64::MAX);
        let rest = nominal.ticks().checked_rem(speed).unwrap_or(0);
        // Both factors are below 2^32, so that there is room for one speed more.
        let rounded = rest.wrapping_mul(standard).wrapping_add(speed.wrapping_sub(1));
        let part = rounded.checked_div(speed).unwrap_or(0);
        Duration::from_ticks(whole.saturating_mul(standard).saturating_add(part))
    }
}

/// A request for PEs of unlike speed.
pub(super) struct AtSpeeds<'a> {
    pub(super) request: &'a Request,
    pub(super) speeds: Speeds<'a>,
    pub(super) choice: &'a dyn Choice,
    pub(super) best: &'a dyn Best<true>,
}

impl<'a> AtSpeeds<'a> {
    /// Whether it makes sense, and is not beyond the machine were all PEs as fast as the fastest. A
    /// deadline makes sense if it leaves any time.
    fn check(&self, slots: &Slots<'_, true>) -> Result<(), Error> {
        let [fastest, ..] = self.speeds.classes else { return Err(Misuse::WrongSpeeds.into()) };
        let slowest = self.speeds.classes.last().unwrap_or(fastest);
        let duration = self.speeds.duration(self.request.duration, fastest.speed);
        let deadline = self.request.deadline.filter(|&deadline| deadline <= self.request.ready);
        let request = Request { duration, deadline, ..*self.request };
        CheckedRequest::new(slots, &request, &self.among(slowest)?).map(|_| ())
    }

    /// The choice among the PEs of a class.
    fn among(&self, class: &SpeedClass<'a>) -> Result<Masked<'a, &'a dyn Choice>, Misuse> {
        let mask = self.choice.mask().among(class.pes).ok_or(Misuse::WrongMask)?;
        Ok(Masked { mask, choice: self.choice })
    }

    /// Where it goes among the PEs of a class, for as long as the slowest of those takes that are then
    /// left in `free`.
    fn offer(
        &self,
        slots: Slots<'_, true>,
        class: &SpeedClass<'a>,
        free: &mut [Word],
    ) -> Result<Interval, Error> {
        let Request { ready, duration: nominal, deadline, .. } = *self.request;
        let speeds = self.speeds;
        let duration = speeds.duration(nominal, class.speed);
        let mut request = Request { duration, ..*self.request };
        let mut best = self.best;
        if deadline.is_some_and(|deadline| deadline < ready.saturating_add(duration)) {
            // Too slow: when it could be.
            (request.deadline, best) = (None, &Earliest);
        }
        let among = self.among(class)?;
        // What makes sense for some class has no place in one that is too slow, or lacks a PE that is required.
        let request = CheckedRequest::new(&slots, &request, &among);
        let request = request.map_err(|error| error.refusal().unwrap_or(Refusal::Overflow))?;
        let start = Search { slots, request }.best(best, free)?.start;
        let slowest = speeds.classes.iter().find(|class| class.pes.allows(free));
        let end = start.saturating_add(speeds.duration(nominal, slowest.unwrap_or(class).speed));
        let late = deadline.is_some_and(|deadline| deadline < end);
        if late { Err(Refusal::Late { finish: end }.into()) } else { Ok(Interval { start, end }) }
    }

    /// Where it goes, and a vacant entry, in whose set the PEs chosen are left.
    pub(super) fn place(&self, edit: &mut Edit<'_, true>) -> Result<(u32, Interval), Error> {
        let Edit { slots, ledger } = edit;
        let (slots, classes) = (slots.view(), self.speeds.classes);
        self.check(&slots)?;
        let index = ledger.vacant()?;
        let mut bids = Bids::default();
        for (number, class) in classes.iter().enumerate() {
            bids.hear(number, self.offer(slots, class, ledger.set(index)))?;
        }
        let (number, _) = bids.chosen()?;
        let class = classes.get(number).ok_or(Misuse::WrongSpeeds)?;
        // Again, as later searches may have written over its PEs.
        Ok((index, self.offer(slots, class, ledger.set(index))?))
    }
}
