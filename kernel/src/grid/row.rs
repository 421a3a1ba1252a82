//! A word of bits: a row of nodes, or the sides that a box may have.

/// The lowest `count` bits, of up to 64.
pub(super) const fn low(count: u8) -> u64 {
    if count >= 64 { u64::MAX } else { !(u64::MAX << count) }
}

/// The places of the ones of a row.
pub(super) fn ones(row: u64) -> impl Iterator<Item = u8> {
    let rest = core::iter::successors(Some(row), |&row| Some(row & row.wrapping_sub(1)));
    rest.take_while(|&row| row != 0).map(|row| row.trailing_zeros() as u8)
}
