//! What the test files share.

use locox::cube::Dim;
use locox_oracles::subcube::{Command, EVEN};

pub(crate) fn dim(dim: u8) -> Dim {
    Dim::new(dim).unwrap()
}

/// The same commands for everybody, of all kinds.
pub(crate) fn commands(dims: Dim, count: u64) -> impl Iterator<Item = Command> {
    // Steps of the golden ratio visit all remainders evenly; the second factor mixes high and low.
    let number = |at: u64| at.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31);
    let mixed = move |at: u64| number(at).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (1..=count).map(move |at| Command::decode(dims, mixed(at), &EVEN))
}
