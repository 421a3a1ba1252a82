//! Rates at which indices move.

use crate::fair::Demand;

/// An index: processors times half-lives.
pub(super) type Index = fixed::types::I24F40;

/// One processor for ever: 1 / ln 2.
const STEADY: Index = Index::LOG2_E;

/// How an index moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rate {
    /// It neither holds nor wants: towards zero.
    Idle,
    /// It wants and holds none: down.
    Waits,
    /// It holds so many, with such a weight less one: up.
    Holds { holds: u16, extra_weight: u16 },
}

impl Rate {
    pub(super) const fn of(demand: Demand, extra_weight: u16) -> Self {
        match demand {
            Demand { holds: 0, wants: 0 } => Self::Idle,
            Demand { holds: 0, .. } => Self::Waits,
            Demand { holds, .. } => Self::Holds { holds, extra_weight },
        }
    }

    /// What an index tends to at this rate, so that none ever leaves the range from that of one
    /// that waits to that of one that holds 65,535: no index reaches an end of its 64 bits.
    // Its copies take 0.7 KB of flash at level 3.
    #[inline(never)]
    pub(super) fn target(self) -> Index {
        match self {
            Self::Idle => Index::ZERO,
            Self::Waits => STEADY.saturating_neg(),
            Self::Holds { holds, extra_weight: 0 } => STEADY.saturating_mul_int(holds.into()),
            Self::Holds { holds, extra_weight } => {
                let weight = u32::from(extra_weight).saturating_add(1);
                let index = STEADY.saturating_mul_int(holds.into());
                Index::from_bits(divided(index.to_bits(), weight))
            }
        }
    }
}

/// `number`, not negative, over a weight, not above 2^16: 16 bits at a time, as no microcontroller
/// divides more than 32 by itself.
fn divided(number: i64, weight: u32) -> i64 {
    let (mut quotient, mut rest) = (0, 0u32);
    for digit in number.to_be_bytes().as_chunks::<2>().0 {
        let number = rest << 16 | u32::from(u16::from_be_bytes(*digit));
        let part = number.checked_div(weight).unwrap_or(0);
        rest = number.wrapping_sub(part.wrapping_mul(weight));
        quotient = quotient << 16 | i64::from(part);
    }
    quotient
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_processor_is_one_over_the_logarithm_of_two() {
        let exact = (1u64 << Index::FRAC_NBITS) as f64 / core::f64::consts::LN_2;
        assert!((STEADY.to_bits() as f64 - exact).abs() <= 0.5, "{exact}");
    }

    #[test]
    fn a_division_by_a_weight_is_one_of_64_bits() {
        let steady = STEADY.to_bits();
        for number in [0, 1, 65_535, 65_536, steady, steady * 65_535, i64::MAX] {
            for weight in [1, 2, 3, 10, 255, 65_534, 65_535, 65_536] {
                assert_eq!(divided(number, weight), number / i64::from(weight));
            }
        }
    }
}
