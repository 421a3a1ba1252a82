//! The schedule index and the amounts by which it moves.

use core::fmt;
use fixed::types::{I24F8, U24F8};

crate::data::data! {
    /// An entry of the schedule index table: how much a station has had of others' processors.
    ///
    /// **A smaller index is the better one**: it is served first. The type therefore has no `Ord`;
    /// ask [`ScheduleIndex::is_better_than`].
    ///
    /// Fixed point with 8 fractional bits, from -8,388,608 to just under 8,388,608; arithmetic
    /// saturates at both ends, and stations whose indices stand at the same end are equals.
    ///
    /// ```
    /// use locox::fair::ScheduleIndex;
    /// let light = ScheduleIndex::from_int(-10);
    /// let heavy = ScheduleIndex::from_int(250);
    /// assert!(light.is_better_than(heavy));
    /// assert!(!light.is_better_than(light));
    /// ```
    #[derive(Default)]
    pub struct ScheduleIndex(i32);

    /// By how much an index moves: never negative, with the same 8 fractional bits, saturating.
    ///
    /// ```
    /// use locox::fair::Amount;
    /// let step = Amount::from_int(10);
    /// assert_eq!(step.times(3), Amount::from_int(30));
    /// assert_eq!(step.scaled(Amount::ratio(1, 4).unwrap()), Amount::ratio(5, 2).unwrap());
    /// ```
    #[derive(Default, PartialOrd, Ord)]
    pub struct Amount(u32);
}

impl ScheduleIndex {
    /// Where every station starts.
    pub const ZERO: Self = Self(0);
    /// The best index there is.
    pub const BEST: Self = Self(i32::MIN);
    /// The worst index there is.
    pub const WORST: Self = Self(i32::MAX);
    /// Fractional bits of the fixed-point form.
    pub const FRACTION_BITS: u32 = I24F8::FRAC_NBITS;

    /// The index stored as `bits`, in units of 2^-8.
    pub const fn from_bits(bits: i32) -> Self {
        Self(bits)
    }

    /// The number to store, in units of 2^-8.
    pub const fn bits(self) -> i32 {
        self.0
    }

    /// A whole number; saturates.
    pub const fn from_int(whole: i32) -> Self {
        Self(I24F8::ONE.saturating_mul_int(whole).to_bits())
    }

    /// Whether a station with this index is served before one with `other`.
    pub const fn is_better_than(self, other: Self) -> bool {
        self.0 < other.0
    }

    /// Whether it lies above zero: the station has had more than it waited for.
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// Whether it lies below zero: the station has waited more than it had.
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Its distance from zero.
    pub const fn magnitude(self) -> Amount {
        Amount(self.0.unsigned_abs())
    }

    /// The index made worse by `amount`.
    pub const fn raised(self, amount: Amount) -> Self {
        Self(self.0.saturating_add_unsigned(amount.0))
    }

    /// The index made better by `amount`.
    pub const fn lowered(self, amount: Amount) -> Self {
        Self(self.0.saturating_sub_unsigned(amount.0))
    }

    /// The index moved towards zero by `amount`, never past it.
    pub const fn decayed(self, amount: Amount) -> Self {
        if amount.0 >= self.magnitude().0 {
            return Self::ZERO;
        }
        if self.is_positive() { self.lowered(amount) } else { self.raised(amount) }
    }

    /// The same order as an unsigned number: the best index is zero.
    pub(super) const fn key(self) -> u32 {
        self.0.cast_unsigned() ^ (1 << 31)
    }
}

impl fmt::Display for ScheduleIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_negative() { "-" } else { "" })?;
        self.magnitude().fmt(f)
    }
}

#[cfg(feature = "serde")]
impl Amount {
    /// Reads one that is not zero, where a zero would never move an index.
    pub(super) fn read_some<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let amount: Self = serde::Deserialize::deserialize(from)?;
        let zero = || serde::de::Error::custom("by zero no index would ever move");
        Some(amount).filter(|&it| it != Self::ZERO).ok_or_else(zero)
    }
}

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest amount there is.
    pub const MAX: Self = Self(u32::MAX);

    /// The amount stored as `bits`, in units of 2^-8.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The number to store, in units of 2^-8.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// A whole number; saturates.
    pub const fn from_int(whole: u32) -> Self {
        Self(U24F8::ONE.saturating_mul_int(whole).to_bits())
    }

    /// `part` of `whole`, rounded down to a multiple of 2^-8, saturating; `None` if `whole` is
    /// zero.
    pub const fn ratio(part: u64, whole: u64) -> Option<Self> {
        let scaled = (part as u128) << U24F8::FRAC_NBITS;
        match scaled.checked_div(whole as u128) {
            Some(bits) if bits < u32::MAX as u128 => Some(Self(bits as u32)),
            Some(_) => Some(Self::MAX),
            None => None,
        }
    }

    /// `count` times as much.
    pub const fn times(self, count: u32) -> Self {
        Self(self.0.saturating_mul(count))
    }

    /// The product of two amounts, rounded down.
    pub const fn scaled(self, factor: Self) -> Self {
        Self(U24F8::from_bits(self.0).saturating_mul(U24F8::from_bits(factor.0)).to_bits())
    }

    /// The sum.
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference, at least zero.
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// Exact: eight fractional bits are eight decimals at most.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = U24F8::from_bits(self.0);
        write!(f, "{}", rest.wrapping_to_num::<u32>())?;
        rest = rest.frac();
        if !rest.is_zero() {
            f.write_str(".")?;
        }
        while !rest.is_zero() {
            rest = rest.wrapping_mul_int(10);
            write!(f, "{}", rest.wrapping_to_num::<u32>())?;
            rest = rest.frac();
        }
        Ok(())
    }
}

/// With the types of the crate `fixed`, which have the same bits.
#[cfg(feature = "fixed")]
mod conversions {
    use super::{Amount, I24F8, ScheduleIndex, U24F8};

    macro_rules! alike {
        ($($Type:ident: $Fixed:ident),+) => {$(
            impl From<$Type> for $Fixed {
                fn from(it: $Type) -> Self {
                    Self::from_bits(it.0)
                }
            }

            impl From<$Fixed> for $Type {
                fn from(it: $Fixed) -> Self {
                    Self(it.to_bits())
                }
            }
        )+};
    }

    alike! { ScheduleIndex: I24F8, Amount: U24F8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::string::ToString;

    #[test]
    fn a_smaller_index_is_the_better_one_and_its_key_the_smaller() {
        let rising = [i32::MIN, -256, -1, 0, 1, 256, i32::MAX].map(ScheduleIndex::from_bits);
        for pair in rising.windows(2) {
            assert!(pair[0].is_better_than(pair[1]) && !pair[1].is_better_than(pair[0]));
            assert!(pair[0].key() < pair[1].key());
            assert!(!pair[0].is_better_than(pair[0]));
        }
        assert_eq!(ScheduleIndex::BEST.key(), 0);
        assert_eq!(ScheduleIndex::WORST.key(), u32::MAX);
    }

    #[test]
    fn zero_is_on_neither_side() {
        let zero = ScheduleIndex::ZERO;
        assert!(!zero.is_positive() && !zero.is_negative());
        assert!(ScheduleIndex::from_bits(1).is_positive());
        assert!(ScheduleIndex::from_bits(-1).is_negative());
    }

    #[test]
    fn a_product_is_rounded_down() {
        let (ten, quarter) = (Amount::from_int(10), Amount::from_bits(64));
        assert_eq!(ten.scaled(quarter), Amount::from_bits(640));
        assert_eq!(Amount::from_bits(7).scaled(quarter), Amount::from_bits(1));
    }

    #[test]
    fn movement_saturates_at_both_ends() {
        assert_eq!(ScheduleIndex::WORST.raised(Amount::MAX), ScheduleIndex::WORST);
        assert_eq!(ScheduleIndex::BEST.lowered(Amount::from_bits(1)), ScheduleIndex::BEST);
        assert_eq!(ScheduleIndex::from_int(i32::MAX), ScheduleIndex::WORST);
        assert_eq!(Amount::from_int(u32::MAX).times(2), Amount::MAX);
        assert_eq!(Amount::MAX.scaled(Amount::MAX), Amount::MAX);
        assert_eq!(Amount::ZERO.minus(Amount::MAX), Amount::ZERO);
    }

    #[test]
    fn a_decay_stops_at_zero_from_both_sides() {
        for whole in [-8, 8] {
            let index = ScheduleIndex::from_int(whole);
            assert_eq!(index.decayed(Amount::from_int(3)), ScheduleIndex::from_int(whole / 8 * 5));
            assert_eq!(index.decayed(Amount::from_int(8)), ScheduleIndex::ZERO);
            assert_eq!(index.decayed(Amount::MAX), ScheduleIndex::ZERO);
        }
        assert_eq!(ScheduleIndex::BEST.decayed(Amount::from_bits(1 << 31)), ScheduleIndex::ZERO);
        assert_eq!(ScheduleIndex::ZERO.decayed(Amount::MAX), ScheduleIndex::ZERO);
    }

    #[test]
    fn ratios_round_down_and_know_their_limits() {
        assert_eq!(Amount::ratio(1, 3), Some(Amount::from_bits(85)));
        assert_eq!(Amount::ratio(u64::MAX, 1), Some(Amount::MAX));
        assert_eq!(Amount::ratio(1, 0), None);
    }

    #[test]
    fn both_print_as_decimal_numbers() {
        assert_eq!(ScheduleIndex::from_bits(-640).to_string(), "-2.5");
        assert_eq!(ScheduleIndex::from_bits(-1).to_string(), "-0.00390625");
        assert_eq!(ScheduleIndex::BEST.to_string(), "-8388608");
        assert_eq!(Amount::from_int(10).to_string(), "10");
        assert_eq!(Amount::from_bits(256 + 13).to_string(), "1.05078125");
        assert_eq!(Amount::MAX.to_string(), "16777215.99609375");
    }
}
