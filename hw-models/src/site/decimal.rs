//! Decimal numbers as they are written, and in whole ticks.

use std::fmt;
use std::str::FromStr;

/// A number from 0 on as it is written: no digit is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    digits: u128,
    /// How many of the digits stand behind the point.
    places: u32,
}

/// Why a text is no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTime {
    /// It is less than 0.
    #[error("is negative")]
    Negative,
    /// It is infinite, or no number by its own words.
    #[error("is not finite")]
    NotFinite,
    /// It is something else.
    #[error("is no number")]
    NoNumber,
    /// It has too many digits.
    #[error("has too many digits")]
    TooLong,
}

/// More digits than this are none of a time.
const MOST_DIGITS: usize = 30;

impl Decimal {
    /// None at all.
    pub const ZERO: Self = Self { digits: 0, places: 0 };

    /// The number in ticks, so many of which are one: the nearest whole one, upwards from a half.
    /// `None` if there are no so long times.
    pub fn ticks(self, factor: u64) -> Option<u64> {
        let all = self.digits.checked_mul(factor.into())?;
        let unit = 10_u128.checked_pow(self.places)?;
        let rounded = all.checked_add(unit / 2)? / unit;
        // The kernel keeps the greatest for what never happens.
        u64::try_from(rounded).ok().filter(|&ticks| ticks <= u64::MAX / 2)
    }

    /// So many of `parts` to one, which are a power of ten.
    pub(super) fn parts(count: u64, parts: u64) -> Self {
        Self { digits: count.into(), places: parts.ilog10() }
    }

    /// How many of so many parts to one it is when divided: the nearest whole number. `None` if
    /// there are none, or there are no so long times.
    pub(super) fn over(self, by: Self, parts: u64) -> Option<u64> {
        let all =
            self.digits.checked_mul(parts.into())?.checked_mul(10_u128.checked_pow(by.places)?)?;
        let unit = by.digits.checked_mul(10_u128.checked_pow(self.places)?)?;
        let rounded = all.checked_add(unit / 2)?.checked_div(unit)?;
        u64::try_from(rounded).ok().filter(|&ticks| ticks <= u64::MAX / 2)
    }

    /// The nearest number of its kind.
    pub(super) fn value(self) -> f64 {
        self.digits as f64 / 10_f64.powi(self.places as i32)
    }

    /// The least power of ten by which it is whole.
    pub fn exact_factor(self) -> u128 {
        let mut left = self;
        while left.places > 0 && left.digits.is_multiple_of(10) {
            left = Self { digits: left.digits / 10, places: left.places - 1 };
        }
        10_u128.saturating_pow(left.places)
    }
}

impl FromStr for Decimal {
    type Err = NoTime;

    fn from_str(text: &str) -> Result<Self, NoTime> {
        let lower = text.to_ascii_lowercase();
        let (sign, number) = match lower.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, lower.strip_prefix('+').unwrap_or(&lower)),
        };
        if ["inf", "infinity", "nan"].contains(&number) {
            return Err(NoTime::NotFinite);
        }
        let (mantissa, exponent) = number.split_once('e').unwrap_or((number, "0"));
        let exponent: i32 = exponent.parse().map_err(|_| NoTime::NoNumber)?;
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{part}");
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(NoTime::NoNumber);
        }
        if digits.trim_start_matches('0').len() > MOST_DIGITS || exponent.unsigned_abs() > 30 {
            return Err(NoTime::TooLong);
        }
        let digits: u128 = digits.parse().map_err(|_| NoTime::TooLong)?;
        if sign && digits > 0 {
            return Err(NoTime::Negative);
        }
        let places = part.len() as i32 - exponent;
        let more = 10_u128.checked_pow(places.min(0).unsigned_abs()).ok_or(NoTime::TooLong)?;
        let digits = digits.checked_mul(more).ok_or(NoTime::TooLong)?;
        Ok(Self { digits, places: places.max(0) as u32 })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = self.places as usize;
        let text = format!("{:0width$}", self.digits, width = places + 1);
        let (whole, part) = text.split_at(text.len() - places);
        f.write_str(whole)?;
        if part.is_empty() { Ok(()) } else { write!(f, ".{part}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(text: &str, factor: u64) -> Option<u64> {
        text.parse::<Decimal>().unwrap().ticks(factor)
    }

    #[test]
    fn no_digit_is_lost() {
        assert_eq!(ticks("92.43", 100), Some(9_243));
        assert_eq!(ticks("0.1", 10), Some(1));
        assert_eq!(ticks("1.5e2", 1), Some(150));
        assert_eq!(ticks("125e-2", 100), Some(125));
        assert_eq!(ticks("9007199254740993", 1), Some(9_007_199_254_740_993));
        assert_eq!("007.50".parse::<Decimal>().unwrap().to_string(), "7.50");
    }

    #[test]
    fn rounds_to_the_nearest() {
        assert_eq!(
            [ticks("0.49", 1), ticks("0.5", 1), ticks("2.4999", 1)],
            [Some(0), Some(1), Some(2)]
        );
        assert_eq!(ticks("1e29", 1), None);
    }

    #[test]
    fn the_factor_that_makes_it_whole() {
        let factor = |text: &str| text.parse::<Decimal>().unwrap().exact_factor();
        assert_eq!([factor("5"), factor("5.0"), factor("5.20"), factor("0.125")], [1, 1, 10, 1000]);
    }

    #[test]
    fn says_why_not() {
        let why = |text: &str| text.parse::<Decimal>().unwrap_err();
        assert_eq!(why("-1"), NoTime::Negative);
        assert_eq!([why("inf"), why("NaN"), why("-inf")], [NoTime::NotFinite; 3]);
        assert_eq!([why(""), why("."), why("1,5"), why("0x1f"), why("1e")], [NoTime::NoNumber; 5]);
        assert_eq!([why("1e99"), why(&"9".repeat(40))], [NoTime::TooLong; 2]);
        assert_eq!("-0".parse::<Decimal>().unwrap().ticks(1), Some(0));
    }
}
