//! The binary reflected Gray code, both ways, and ranges of it as subcubes.
//!
//! Codeword `i` is the address of the `i`-th node on a cycle through the whole cube. Lemma 2 of
//! Turner 1995: an aligned run of 2^k codewords (its start a multiple of 2^k) is a k-subcube.

use super::{Dim, Node, Subcube};

/// The codeword at `index`.
///
/// ```
/// use locox::cube::{Node, gray};
/// assert_eq!(gray::encode(5), Node(0b111));
/// assert_eq!(gray::decode(Node(0b111)), 5);
/// ```
pub const fn encode(index: u32) -> Node {
    Node(index ^ (index >> 1))
}

/// The index of a codeword.
pub const fn decode(codeword: Node) -> u32 {
    let mut index = codeword.0;
    let mut shift = 1;
    while shift < 32 {
        index ^= index >> shift;
        shift <<= 1;
    }
    index
}

/// Splits the codewords `start..start + count` of an n-cube into disjoint subcubes: the dyadic
/// blocks of the range, at most 2(n - 1) of them for n > 1, in the order of the code.
///
/// What lies beyond the 2^n codewords is left out.
///
/// ```
/// use locox::cube::{Dim, gray};
/// extern crate std;
/// use std::string::ToString;
/// let cubes = gray::subcubes(Dim::new(3).unwrap(), 5, 3);
/// assert!(cubes.map(|cube| cube.to_string()).eq(["111", "10*"]));
/// ```
pub fn subcubes(dims: Dim, start: u32, count: u32) -> impl Iterator<Item = Subcube> {
    let end = start.saturating_add(count).min(dims.nodes());
    let mut at = start;
    core::iter::from_fn(move || {
        let left = end.checked_sub(at).filter(|&left| left > 0)?;
        let size = largest_block(at, left);
        let cube = Subcube::new(dims, encode(at), size.wrapping_sub(1));
        at = at.saturating_add(size);
        cube
    })
}

/// The largest power of two that divides `at` and is at most `left`, which is not zero.
const fn largest_block(at: u32, left: u32) -> u32 {
    let fits: u32 = 1 << (31 - left.leading_zeros());
    let aligned = if at == 0 { fits } else { 1 << at.trailing_zeros() };
    if aligned < fits { aligned } else { fits }
}

crate::lemma::lemmas! {
    /// Decoding undoes encoding.
    decode_undoes_encode(index: u32) => decode(encode(index)) == index;
    /// And the other way round.
    encode_undoes_decode(codeword: u32) => encode(decode(Node(codeword))) == Node(codeword);
    /// Neighbours in the code are neighbours in the cube.
    neighbours_differ_in_one_bit(index: u32) =>
        encode(index).distance(encode(index.wrapping_add(1))) == 1;
    /// Codewords of an aligned run of 2^k differ below bit k only: the run is a subcube.
    aligned_runs_are_subcubes(index: u32, dim: u32 = 0..32) =>
        (encode(index).0 ^ encode(index >> dim << dim).0) >> dim == 0;
    /// A block is a power of two, divides its start, and fits.
    blocks_are_aligned_and_fit(at: u32, left: u32) if left > 0 =>
        largest_block(at, left).is_power_of_two()
            && at & largest_block(at, left).wrapping_sub(1) == 0
            && largest_block(at, left) <= left;
    /// There is no larger one.
    blocks_are_as_large_as_can_be(at: u32, left: u32, larger: u32) if left > 0
        && larger.is_power_of_two() && at & larger.wrapping_sub(1) == 0 && larger <= left =>
        larger <= largest_block(at, left);
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec::Vec;

    #[test]
    fn neighbours_in_the_code_differ_in_one_bit_cyclically() {
        for bits in 1..=10 {
            let size = 1u32 << bits;
            for index in 0..size {
                assert_eq!(decode(encode(index)), index);
                assert_eq!(encode(index).distance(encode((index + 1) % size)), 1);
            }
        }
        assert_eq!(decode(encode(u32::MAX)), u32::MAX);
    }

    #[test]
    fn every_range_is_covered_exactly_once_by_at_most_2n_minus_2_subcubes() {
        for bits in 0..=6u8 {
            let dims = Dim::new(bits).unwrap();
            for start in 0..=dims.nodes() {
                for end in start..=dims.nodes() {
                    let cubes: Vec<_> = subcubes(dims, start, end - start).collect();
                    let limit = if bits > 1 { 2 * (bits as usize - 1) } else { 1 };
                    assert!(cubes.len() <= limit, "{bits}: {start}..{end}");
                    let mut covered: Vec<u32> =
                        cubes.iter().flat_map(|c| c.nodes()).map(decode).collect();
                    covered.sort_unstable();
                    assert!(covered.into_iter().eq(start..end));
                }
            }
        }
    }

    #[test]
    fn what_lies_beyond_the_cube_is_left_out() {
        let dims = Dim::new(3).unwrap();
        assert_eq!(subcubes(dims, 8, 4).count(), 0);
        assert_eq!(subcubes(dims, 7, u32::MAX).count(), 1);
    }
}
