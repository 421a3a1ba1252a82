//! Ticks: instants, durations, and a narrow hardware counter made wide.
//!
//! A tick is whatever the caller's clock counts; the kernel never reads a clock. 64 bits are
//! enough that nobody has to reason about wrap: at 1 GHz they last 584 years.

crate::data::data! {
    /// A point in time, in ticks since an origin that the caller chooses.
    ///
    /// ```
    /// use locox::time::{Duration, Instant};
    /// let start = Instant::from_ticks(10);
    /// assert_eq!(start.checked_add(Duration::from_ticks(5)), Some(Instant::from_ticks(15)));
    /// assert_eq!(start.since(Instant::from_ticks(12)), None); // 12 is later
    /// ```
    #[derive(Default, PartialOrd, Ord)]
    #[repr(transparent)]
    pub struct Instant(u64);

    /// A length of time in ticks.
    #[derive(Default, PartialOrd, Ord)]
    #[repr(transparent)]
    pub struct Duration(u64);
}

// In ticks.
crate::display::named! { Instant: "", Duration: "" }

impl Instant {
    /// The origin.
    pub const ZERO: Self = Self(0);
    /// The latest instant there is.
    pub const MAX: Self = Self(u64::MAX);

    /// The instant `ticks` after the origin.
    pub const fn from_ticks(ticks: u64) -> Self {
        Self(ticks)
    }

    /// Ticks since the origin.
    pub const fn ticks(self) -> u64 {
        self.0
    }

    /// The instant `after` later, or `None` beyond [`Instant::MAX`].
    pub const fn checked_add(self, after: Duration) -> Option<Self> {
        let Some(ticks) = self.0.checked_add(after.0) else { return None };
        Some(Self(ticks))
    }

    /// The instant `after` later, at most [`Instant::MAX`].
    pub const fn saturating_add(self, after: Duration) -> Self {
        Self(self.0.saturating_add(after.0))
    }

    /// The instant `before` earlier, or `None` before the origin.
    pub const fn checked_sub(self, before: Duration) -> Option<Self> {
        let Some(ticks) = self.0.checked_sub(before.0) else { return None };
        Some(Self(ticks))
    }

    /// The time from `earlier` to `self`, or `None` if `earlier` is later.
    pub const fn since(self, earlier: Self) -> Option<Duration> {
        let Some(ticks) = self.0.checked_sub(earlier.0) else { return None };
        Some(Duration(ticks))
    }
}

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The longest duration there is.
    pub const MAX: Self = Self(u64::MAX);

    /// A duration of `ticks`.
    pub const fn from_ticks(ticks: u64) -> Self {
        Self(ticks)
    }

    /// Its length in ticks.
    pub const fn ticks(self) -> u64 {
        self.0
    }

    /// The sum, or `None` beyond [`Duration::MAX`].
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        let Some(ticks) = self.0.checked_add(other.0) else { return None };
        Some(Self(ticks))
    }

    /// `times` of it, or `None` beyond [`Duration::MAX`].
    pub const fn checked_mul(self, times: u64) -> Option<Self> {
        let Some(ticks) = self.0.checked_mul(times) else { return None };
        Some(Self(ticks))
    }
}

/// Extends a hardware counter of 1 to 64 bits to instants that never wrap.
///
/// - Instants returned never decrease.
/// - It must be read at least once in each period of the counter (2^bits ticks); a wrap that
///   passes unseen is lost, and no code can tell.
/// - Readings are passed in the order in which they were made: one older than the last counts as a wrap. A time stamp from
///   elsewhere, which may be older or newer than the last reading, is for [`WideCounter::nearest`].
///
/// ```
/// use locox::time::{Instant, WideCounter};
/// let mut clock = WideCounter::new(16).unwrap();
/// assert_eq!(clock.extend(65_000), Instant::from_ticks(65_000));
/// assert_eq!(clock.extend(10), Instant::from_ticks(65_546)); // wrapped
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WideCounter {
    mask: u64,
    raw: u64,
    last: Instant,
}

impl WideCounter {
    /// A counter of `bits` bits that starts at zero; `None` unless 1 <= `bits` <= 64.
    pub const fn new(bits: u32) -> Option<Self> {
        if bits == 0 || bits > 64 {
            return None;
        }
        Some(Self { mask: u64::MAX >> (64 - bits), raw: 0, last: Instant::ZERO })
    }

    /// The counter, if it shows `raw` at the instant `now`.
    ///
    /// After a reset pass the last instant that was stored, so that instants go on from there. How
    /// long the reset took no counter can tell: add it to `now` if you know it.
    ///
    /// ```
    /// use locox::time::{Instant, WideCounter};
    /// let stored = Instant::from_ticks(65_546);
    /// let mut clock = WideCounter::new(16).unwrap().resumed(stored, 3);
    /// assert_eq!(clock.extend(10), Instant::from_ticks(65_553));
    /// ```
    pub const fn resumed(self, now: Instant, raw: u64) -> Self {
        Self { raw, last: now, ..self }
    }

    /// The instant at which the hardware showed `raw`. Bits of `raw` above the counter's width
    /// are ignored. Saturates at [`Instant::MAX`].
    pub const fn extend(&mut self, raw: u64) -> Instant {
        self.last = Instant(moved(self.mask, self.raw, raw, self.last.0));
        self.raw = raw;
        self.last
    }

    /// The instant nearest to the [last one](Self::last) at which the hardware shows `raw`: for a time stamp that another
    /// made by the same counter, such as a station whose messages come late. The clock itself stays.
    ///
    /// - A stamp less than half a period from the last instant, before or after it, gets the instant at which it was made.
    /// - Of two instants equally near it is the earlier: messages come late, not early.
    /// - There is no instant before [`Instant::ZERO`] nor after [`Instant::MAX`]: where one of the two would be, it is the other.
    ///
    /// ```
    /// use locox::time::{Instant, WideCounter};
    /// let mut clock = WideCounter::new(32).unwrap();
    /// clock.extend(1_213_920_578);
    /// assert_eq!(clock.nearest(1_213_631_788), Instant::from_ticks(1_213_631_788)); // 288 ms ago, in microseconds
    /// assert_eq!(clock.nearest(1_213_920_600), Instant::from_ticks(1_213_920_600));
    /// ```
    pub const fn nearest(&self, raw: u64) -> Instant {
        Instant(near(self.mask, self.raw, raw, self.last.0))
    }

    /// The instant last returned.
    pub const fn last(&self) -> Instant {
        self.last
    }
}

/// The ticks after `last`, at which a counter of the bits of `mask` showed `before`, if it shows `raw`.
const fn moved(mask: u64, before: u64, raw: u64, last: u64) -> u64 {
    last.saturating_add(raw.wrapping_sub(before) & mask)
}

/// The ticks nearest to `last`, at which a counter of the bits of `mask` showed `before`, at which it shows `raw`.
const fn near(mask: u64, before: u64, raw: u64, last: u64) -> u64 {
    let (ahead, behind) = (raw.wrapping_sub(before) & mask, before.wrapping_sub(raw) & mask);
    let has_future = ahead <= u64::MAX - last;
    if behind <= last && (behind <= ahead || !has_future) {
        last - behind
    } else {
        last.saturating_add(ahead)
    }
}

crate::lemma::lemmas! {
    /// However the counter wrapped, an instant is as far from the last as the readings are.
    a_counter_goes_on_by_what_was_counted(raw: u64, step: u64, last: u64, bits: u32 = 1..65)
        if step <= u64::MAX >> (64 - bits) && last <= u64::MAX - step =>
        moved(u64::MAX >> (64 - bits), raw, raw.wrapping_add(step), last) == last + step;

    /// A stamp made up to half a period ago has the instant at which it was made.
    a_late_stamp_is_found_again(raw: u64, step: u64, last: u64, bits: u32 = 1..65)
        if step <= u64::MAX >> (64 - bits) >> 1 && step <= last =>
        near(u64::MAX >> (64 - bits), raw, raw.wrapping_sub(step), last) == last - step;

    /// So has one made less than half a period later.
    an_early_stamp_is_found_again(raw: u64, step: u64, last: u64, bits: u32 = 1..65)
        if step <= u64::MAX >> (64 - bits) >> 1 && last <= u64::MAX - step =>
        near(u64::MAX >> (64 - bits), raw, raw.wrapping_add(step), last) == last + step;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_stops_at_both_ends() {
        let one = Duration::from_ticks(1);
        assert_eq!(Instant::MAX.checked_add(one), None);
        assert_eq!(Instant::MAX.saturating_add(one), Instant::MAX);
        assert_eq!(Instant::ZERO.checked_sub(one), None);
        assert_eq!(Duration::MAX.checked_add(one), None);
        assert_eq!(Duration::MAX.checked_mul(2), None);
        assert_eq!(Instant::from_ticks(7).since(Instant::from_ticks(3)), Some(Duration(4)));
    }

    #[test]
    fn a_counter_of_no_bits_or_too_many_is_refused() {
        assert_eq!(WideCounter::new(0), None);
        assert_eq!(WideCounter::new(65), None);
    }

    #[test]
    fn every_narrow_counter_follows_a_wide_one() {
        for bits in [1, 2, 7, 8, 16, 24, 32, 63] {
            let mut clock = WideCounter::new(bits).unwrap();
            let period = 1u64 << bits;
            let mut truth = 0u64;
            // Steps up to the longest that can be seen: one tick less than the period.
            for step in [0, 1, period / 2, period - 1, 1, period - 1, 0, period / 3] {
                truth = truth.saturating_add(step);
                assert_eq!(clock.extend(truth & (period - 1)).ticks(), truth, "{bits} bits");
            }
        }
    }

    #[test]
    fn a_counter_resumes_from_any_instant_and_any_reading() {
        let narrow = || WideCounter::new(8).unwrap();
        for (now, raw) in [(0, 0), (1000, 0), (1000, 255), (7, 0xFF00 + 77)] {
            let mut clock = narrow().resumed(Instant::from_ticks(now), raw);
            assert_eq!(clock.last().ticks(), now);
            assert_eq!(clock.extend(raw).ticks(), now);
            assert_eq!(clock.extend(raw.wrapping_add(255) & 255).ticks(), now + 255);
            assert_eq!(clock.extend(raw & 255).ticks(), now + 256);
        }
        let mut last = narrow().resumed(Instant::MAX, 5);
        assert_eq!(last.extend(9), Instant::MAX);
    }

    /// Beside a search through all instants, at both ends of time as well.
    #[test]
    fn a_stamp_is_of_the_nearest_instant_that_shows_it() {
        for (bits, from) in [(1, 0), (3, 0), (4, 100), (3, u64::MAX - 40), (6, u64::MAX - 40)] {
            let (mask, span) = (u64::MAX >> (64 - bits), from..=from + 40);
            for last in span.clone() {
                let clock = WideCounter::new(bits).unwrap().resumed(Instant(last), last);
                for raw in 0..=mask {
                    let wide = last.saturating_sub(100)..=last.saturating_add(100);
                    let shows = wide.filter(|instant| instant & mask == raw);
                    let nearest = shows.min_by_key(|&instant| (instant.abs_diff(last), instant));
                    assert_eq!(Some(clock.nearest(raw).0), nearest, "{bits} bits, {last}, {raw}");
                }
            }
        }
    }

    #[test]
    fn a_counter_of_64_bits_knows_each_instant() {
        let clock = |last| WideCounter::new(64).unwrap().resumed(Instant(last), last);
        let numbers = [0, 1, 7, u64::MAX / 2, u64::MAX / 2 + 1, u64::MAX - 1, u64::MAX];
        for (last, raw) in numbers.iter().flat_map(|&it| numbers.map(|raw| (it, raw))) {
            assert_eq!(clock(last).nearest(raw).0, raw, "{last}");
        }
    }

    #[test]
    fn bits_above_the_counter_are_ignored() {
        let mut clock = WideCounter::new(8).unwrap();
        assert_eq!(clock.extend(0xFF05).ticks(), 5);
        assert_eq!(clock.extend(0x1203).ticks(), 0x103);
    }
}
