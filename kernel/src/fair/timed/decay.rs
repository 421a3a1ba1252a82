//! Two to a broken power, in integers: what a half-life does to an index.
//!
//! All numbers are products of the same constants in the same order, so they are the same bits on
//! every target.

use super::rate::Index;
use crate::time::Duration;

type Factor = fixed::types::U2F62;

/// Binary digits of the part of a half-life that has passed.
const DIGITS: u32 = 32;

/// 2 to the powers 1/2, 1/4 and so on.
const RISING: [Factor; DIGITS as usize] = roots(Factor::ONE.wrapping_shl(1));
/// 1/2 to the same powers.
const FALLING: [Factor; DIGITS as usize] = roots(Factor::ONE.wrapping_shr(1));

const fn roots(of: Factor) -> [Factor; DIGITS as usize] {
    let mut roots = [of; DIGITS as usize];
    let (mut power, mut at) = (of, 0);
    while at < roots.len() {
        power = power.sqrt();
        roots[at] = power;
        at += 1;
    }
    roots
}

/// How many half-lives have passed: so many whole ones, and a part in units of 2^-32 of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HalfLives {
    /// Stops at its highest value, after four thousand million half-lives.
    whole: u32,
    part: u32,
}

impl HalfLives {
    /// Digit by digit, as few half-lives are whole: a microcontroller takes a third of the
    /// instructions of a division of 128 bits, and links none.
    pub(super) const fn after(elapsed: u64, half_life: Duration) -> Self {
        let half_life = half_life.ticks();
        if half_life == 0 {
            return Self { whole: 0, part: 0 };
        }
        let (mut rest, mut whole) = (elapsed, 0);
        let mut digits = half_life.leading_zeros().saturating_sub(elapsed.leading_zeros());
        loop {
            whole <<= 1;
            if let Some(less) = rest.checked_sub(half_life << digits) {
                (rest, whole) = (less, whole | 1);
            }
            let Some(left) = digits.checked_sub(1) else { break };
            digits = left;
        }
        Self { whole: saturated(whole), part: part_of(rest, half_life) }
    }
}

const fn saturated(whole: u64) -> u32 {
    if whole > u32::MAX as u64 { u32::MAX } else { whole as u32 }
}

/// `rest` over `whole`, which is more, in units of 2^-32.
const fn part_of(mut rest: u64, whole: u64) -> u32 {
    let (mut part, mut digits) = (0, DIGITS);
    while digits > 0 {
        let (twice, is_over) = rest.overflowing_add(rest);
        let is_one = is_over || twice >= whole;
        rest = if is_one { twice.wrapping_sub(whole) } else { twice };
        part = part << 1 | is_one as u32;
        digits = digits.wrapping_sub(1);
    }
    part
}

/// The common scale of all indices at some instant: 2 to the half-lives that have passed. That is
/// so many whole doublings, and `rise`, from 1 to 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    pub(super) whole: u32,
    /// Bits of a [`Factor`], whose `Debug` can panic.
    rise: u64,
}

impl Scale {
    pub(super) const fn of(passed: HalfLives) -> Self {
        Self { whole: passed.whole, rise: power(&RISING, passed.part).to_bits() }
    }

    /// A distance in the common scale: what [`Halvings::unscaled`] gives back.
    pub(super) const fn scaled(&self, distance: Index) -> i64 {
        times(distance.to_bits(), self.rise)
    }
}

/// How often an index has halved by some instant: the inverse of the common scale, whose `fall` is
/// from 1/2 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Halvings {
    pub(super) whole: u32,
    /// Bits of a [`Factor`], whose `Debug` can panic.
    fall: u64,
}

impl Halvings {
    pub(super) const fn of(passed: HalfLives) -> Self {
        Self { whole: passed.whole, fall: power(&FALLING, passed.part).to_bits() }
    }

    /// What is left by now of a distance that was scaled when `whole` half-lives had passed.
    pub(super) const fn unscaled(&self, scaled: i64, whole: u32) -> Index {
        let halved = self.whole.saturating_sub(whole);
        let shift = if halved > 63 { 63 } else { halved };
        Index::from_bits(times(scaled >> shift, self.fall))
    }
}

/// The product of those roots that have a one in `digits`, from the highest on.
const fn power(mut roots: &[Factor], mut digits: u32) -> Factor {
    let mut power = Factor::ONE;
    while let Some((_, from)) = roots.split_at_checked(digits.leading_zeros() as usize)
        && let Some((&root, rest)) = from.split_first()
    {
        power = power.wrapping_mul(root);
        digits = digits << digits.leading_zeros() << 1;
        roots = rest;
    }
    power
}

/// Rounded to the nearest.
const fn times(distance: i64, factor: u64) -> i64 {
    let exact = (distance as i128).wrapping_mul(factor as i128);
    let half = 1 << (Factor::FRAC_NBITS - 1);
    exact.wrapping_add(half).wrapping_shr(Factor::FRAC_NBITS) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;

    const DAY: Duration = Duration::from_ticks(86_400);

    fn after(elapsed: u64, half_life: Duration) -> (Scale, Halvings) {
        let passed = HalfLives::after(elapsed, half_life);
        (Scale::of(passed), Halvings::of(passed))
    }

    #[test]
    fn half_lives_are_counted_digit_by_digit_as_by_a_division() {
        let few =
            [0, 1, 2, 3, 7, 255, 86_400, u64::from(u32::MAX), 1 << 63, u64::MAX - 1, u64::MAX];
        for half_life in few {
            for elapsed in few.into_iter().chain([86_399, 12_345_678_901, 1 << 62]) {
                let counted = HalfLives::after(elapsed, Duration::from_ticks(half_life));
                let shifted = u128::from(elapsed) << DIGITS;
                let digits = shifted.checked_div(half_life.into()).unwrap_or(0);
                let whole = saturated((digits >> DIGITS) as u64);
                assert_eq!(counted, HalfLives { whole, part: digits as u32 });
            }
        }
    }

    #[test]
    fn a_distance_halves_with_each_half_life() {
        for (elapsed, left) in [(0, 1 << 50), (86_400, 1 << 49), (10 * 86_400, 1 << 40)] {
            let (_, then) = after(elapsed, DAY);
            let scaled = after(0, DAY).0.scaled(Index::from_bits(1 << 50));
            assert_eq!(then.unscaled(scaled, 0).to_bits(), left);
        }
    }

    #[test]
    fn it_falls_like_the_exponential() {
        for seconds in (0..400_000).step_by(977) {
            let left = after(seconds, DAY).1.unscaled(1 << 50, 0).to_bits() as f64;
            let exact = (-(seconds as f64) / 86_400.0).exp2() * (1u64 << 50) as f64;
            assert!((left / exact - 1.0).abs() < 1e-8, "{seconds}: {left} for {exact}");
        }
    }

    #[test]
    fn what_is_scaled_and_back_is_the_same_but_for_the_last_bits() {
        for seconds in (0..400_000).step_by(977) {
            let (scale, now) = after(seconds, DAY);
            for distance in [-(1 << 57), -12_345, -1, 0, 1, 999_999_999_999, 1 << 57] {
                let scaled = scale.scaled(Index::from_bits(distance));
                let back = now.unscaled(scaled, scale.whole).to_bits();
                let most = 1 + (distance.unsigned_abs() >> 55);
                assert!(back.abs_diff(distance) <= most, "{seconds}: {distance} became {back}");
            }
        }
    }

    #[test]
    fn the_end_of_time_is_no_special_case() {
        let (_, end) = after(u64::MAX, Duration::from_ticks(1));
        assert_eq!(end.whole, u32::MAX);
        assert_eq!(after(1 << 32, Duration::from_ticks(1)).1.whole, u32::MAX);
        assert_eq!(end.unscaled(i64::MAX, 0), Index::ZERO);
        assert_eq!(after(u64::MAX, Duration::from_ticks(u64::MAX)).1.whole, 1);
    }
}
