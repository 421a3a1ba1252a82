//! Two to a broken power, in integers: what a half-life does to an index.
//!
//! All numbers are products of the same constants in the same order, so they are the same bits on
//! every target.

use crate::time::Duration;

/// Fractional bits of a factor.
const FRACTION: u32 = 62;
const ONE: u64 = 1 << FRACTION;

/// Binary digits of the part of a half-life that has passed.
const DIGITS: u32 = 32;

/// 2 to the powers 1/2, 1/4 and so on.
const RISING: [u64; DIGITS as usize] = roots(ONE << 1);
/// 1/2 to the same powers.
const FALLING: [u64; DIGITS as usize] = roots(ONE >> 1);

const fn roots(of: u64) -> [u64; DIGITS as usize] {
    let mut roots = [0; DIGITS as usize];
    let (mut power, mut at) = (of, 0);
    while at < roots.len() {
        power = ((power as u128) << FRACTION).isqrt() as u64;
        roots[at] = power;
        at += 1;
    }
    roots
}

/// How often an index has halved by some instant: so many times whole, and a part.
///
/// The common scale of all indices is 2 to that power; `rise` is what it has beyond the whole
/// halvings, from 1 to 2, and `fall` the inverse of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Halvings {
    /// Stops at its highest value, after four thousand million half-lives.
    pub(super) whole: u32,
    rise: u64,
    fall: u64,
}

impl Halvings {
    pub(super) const fn after(elapsed: u64, half_life: Duration) -> Self {
        let shifted = (elapsed as u128) << DIGITS;
        let digits = match shifted.checked_div(half_life.ticks() as u128) {
            Some(digits) => digits,
            None => 0,
        };
        let whole = digits >> DIGITS;
        let whole = if whole > u32::MAX as u128 { u32::MAX } else { whole as u32 };
        let left = digits as u32;
        Self { whole, rise: power(&RISING, left), fall: power(&FALLING, left) }
    }

    /// A distance in the common scale of now: what [`unscaled`](Self::unscaled) gives back.
    pub(super) const fn scaled(&self, distance: i64) -> i64 {
        times(distance, self.rise)
    }

    /// What is left by now of a distance that was scaled when `whole` half-lives had passed.
    pub(super) const fn unscaled(&self, scaled: i64, whole: u32) -> i64 {
        let halved = self.whole.saturating_sub(whole);
        let shift = if halved > 63 { 63 } else { halved };
        times(scaled >> shift, self.fall)
    }
}

/// The product of those roots that have a one in `digits`, from the highest on.
const fn power(mut roots: &[u64], mut digits: u32) -> u64 {
    let mut power = ONE;
    while let Some((&root, rest)) = roots.split_first() {
        if digits >> (DIGITS - 1) == 1 {
            power = product(power, root);
        }
        digits <<= 1;
        roots = rest;
    }
    power
}

const fn product(a: u64, b: u64) -> u64 {
    (a as u128).wrapping_mul(b as u128).wrapping_shr(FRACTION) as u64
}

/// Rounded to the nearest.
const fn times(distance: i64, factor: u64) -> i64 {
    let exact = (distance as i128).wrapping_mul(factor as i128);
    exact.wrapping_add(1 << (FRACTION - 1)).wrapping_shr(FRACTION) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;

    const DAY: Duration = Duration::from_ticks(86_400);

    #[test]
    fn a_distance_halves_with_each_half_life() {
        for (elapsed, left) in [(0, 1 << 50), (86_400, 1 << 49), (10 * 86_400, 1 << 40)] {
            let then = Halvings::after(elapsed, DAY);
            assert_eq!(then.unscaled(Halvings::after(0, DAY).scaled(1 << 50), 0), left);
        }
    }

    #[test]
    fn it_falls_like_the_exponential() {
        for seconds in (0..400_000).step_by(977) {
            let left = Halvings::after(seconds, DAY).unscaled(1 << 50, 0) as f64;
            let exact = (-(seconds as f64) / 86_400.0).exp2() * (1u64 << 50) as f64;
            assert!((left / exact - 1.0).abs() < 1e-8, "{seconds}: {left} for {exact}");
        }
    }

    #[test]
    fn what_is_scaled_and_back_is_the_same_but_for_the_last_bits() {
        for seconds in (0..400_000).step_by(977) {
            let now = Halvings::after(seconds, DAY);
            for distance in [-(1 << 57), -12_345, -1, 0, 1, 999_999_999_999, 1 << 57] {
                let back = now.unscaled(now.scaled(distance), now.whole);
                let most = 1 + (distance.unsigned_abs() >> 55);
                assert!(back.abs_diff(distance) <= most, "{seconds}: {distance} became {back}");
            }
        }
    }

    #[test]
    fn the_end_of_time_is_no_special_case() {
        let end = Halvings::after(u64::MAX, Duration::from_ticks(1));
        assert_eq!(end.whole, u32::MAX);
        assert_eq!(end.unscaled(i64::MAX, 0), 0);
        assert_eq!(Halvings::after(u64::MAX, Duration::from_ticks(u64::MAX)).whole, 1);
    }
}
