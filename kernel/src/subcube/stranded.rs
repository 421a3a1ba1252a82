//! Which free nodes are of no use to a request: all free subcubes of a dimension, as one set of nodes.
//!
//! As in a search (`fold`), the map is folded along each set of the dimensions above the word, depth first. Each word of
//! a fold is folded and unfolded along each set inside the word that makes up the rest, and what comes of that is
//! spread over the words that the fold lies over.
//!
//! Cost in word operations, where a word has 2^w bits: for a set of j dimensions above the word 2^(n-w-j) words, each
//! with C(w, k-j) sets inside it of 2(k-j) operations, and 2^(n-w) to spread them; together at most
//! 2^(w+4) * 3^(n-w) + 4^(n-w).

use super::fold::{combinations, dim_shift, fold_along, fold_word, low};
use super::{Pool, StorageTooSmall, Strategy};
use crate::bits::algebra::count;
use crate::bits::{WORD_LOG2, Word, deposit, ones, tally, word_mut, words_for};
use crate::cube::{Dim, Subcube};

/// Words of scratch for [`stranded`] in an n-cube.
pub const fn stranded_words(dims: Dim) -> usize {
    2 * words_for(dims.nodes() as usize)
}

/// The [stranded](super#fragmentation) nodes of an n-cube for subcubes of dimension `dim`: how many nodes of the bit
/// vector `free` lie in no subcube all of whose nodes it has. `scratch` may hold anything. Cost: up to 16
/// times a search that finds nothing.
///
/// # Errors
///
/// [`StorageTooSmall`] if `free` has less than a bit a node, or `scratch` less than [`stranded_words`].
///
/// ```
/// use locox::cube::Dim;
/// use locox::subcube::{stranded, stranded_words};
/// const CUBE: Dim = Dim::new(3).unwrap();
/// let mut scratch = [0; stranded_words(CUBE)];
/// // 000, 001 and 110: a pair, and a node that is stranded for pairs.
/// assert_eq!(stranded(CUBE, &[0b0100_0011], Dim::new(1).unwrap(), &mut scratch), Ok(1));
/// ```
pub fn stranded(
    dims: Dim,
    free: &[Word],
    dim: Dim,
    scratch: &mut [Word],
) -> Result<u32, StorageTooSmall> {
    let len = words_for(dims.nodes() as usize);
    let map = free.get(..len).ok_or(StorageTooSmall { needed: len })?;
    let needed = stranded_words(dims);
    let scratch = scratch.get_mut(..needed).ok_or(StorageTooSmall { needed })?;
    let (used, folds) = scratch.split_at_mut_checked(len).unwrap_or_default();
    used.fill(0);
    let (below, wanted) = (u32::from(dims.get()), u32::from(dim.get()));
    Cover { used }.fold(map, 0, below, wanted, folds);
    Ok(count(map).wrapping_sub(count(used)))
}

/// The nodes of all free subcubes seen so far.
struct Cover<'a> {
    used: &'a mut [Word],
}

impl Cover<'_> {
    /// Adds those that add `wanted` of the dimensions below `below` to a fold along `mask`.
    fn fold(&mut self, map: &[Word], mask: u32, below: u32, wanted: u32, scratch: &mut [Word]) {
        tally::add(map.len());
        if map.iter().all(|&word| word == 0) {
            return;
        }
        self.add_inside(map, mask, below.min(WORD_LOG2), wanted);
        let Some(others) = wanted.checked_sub(1) else { return };
        for dim in WORD_LOG2..below {
            if let Some((folded, rest)) = scratch.split_at_mut_checked(map.len() >> 1) {
                fold_along(map, folded, dim);
                self.fold(folded, mask | 1 << dim, dim, others, rest);
            }
        }
    }

    /// The same inside the word.
    fn add_inside(&mut self, map: &[Word], mask: u32, below: u32, wanted: u32) {
        if wanted > below {
            return;
        }
        for (at, &word) in (0..).zip(map) {
            let of = |inside: u32| {
                tally::add(2 * wanted as usize + 1);
                let clean = ones(inside as Word).fold(Word::MAX, |clean, dim| clean & low(dim));
                let folded = fold_word(word, inside) & clean;
                ones(inside as Word)
                    .fold(folded, |unfolded, dim| unfolded | unfolded << dim_shift(dim))
            };
            let found = combinations(below, wanted).fold(0, |found, inside| found | of(inside));
            if found != 0 {
                // The words that this one lies over.
                let base = deposit(at, !mask >> WORD_LOG2);
                for over in Subcube::from_parts(Dim::MAX, base, mask >> WORD_LOG2).nodes() {
                    tally::add(1);
                    if let Some(word) = word_mut(self.used, over.0 as usize) {
                        *word |= found;
                    }
                }
            }
        }
    }
}

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> Pool<T, S> {
    /// How many free nodes are [stranded](super#fragmentation) for subcubes of dimension `dim`, whatever the strategy
    /// recognises. `scratch` has [`stranded_words`] and a bit vector of the nodes more, and may hold anything.
    /// Cost: up to 16 times a search that finds nothing, and a step for each node.
    ///
    /// # Errors
    ///
    /// [`StorageTooSmall`] if `scratch` is.
    ///
    /// ```
    /// use locox::handle::PoolId;
    /// use locox::subcube::{Buddy, Pool, words};
    /// let mut pool = Pool::<Buddy, _>::new(PoolId(1), 3.try_into()?, [0; words::<Buddy>(3)])?;
    /// pool.claim("0*1".parse()?)?;
    /// // Free are all but 001 and 011: in 1** and **0, but not in the whole cube.
    /// assert_eq!(pool.stranded(2.try_into()?, &mut [0; 8]), Ok(0));
    /// assert_eq!(pool.stranded(3.try_into()?, &mut [0; 8]), Ok(6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stranded(&self, dim: Dim, scratch: &mut [Word]) -> Result<u32, StorageTooSmall> {
        let dims = self.core.dims;
        let len = words_for(dims.nodes() as usize);
        let needed = len.saturating_add(stranded_words(dims));
        let (free, scratch) =
            scratch.split_at_mut_checked(len).ok_or(StorageTooSmall { needed })?;
        let serving = self.storage.as_ref().get(self.core.service.in_service..).unwrap_or_default();
        free.iter_mut().zip(serving).for_each(|(free, serving)| *free = *serving);
        self.leases().for_each(|lease| lease.cube().fill(free, 0, false));
        stranded(dims, free, dim, scratch).map_err(|_| StorageTooSmall { needed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Node;
    use crate::handle::PoolId;
    use crate::subcube::{Complete, FreeList, Outage, words};
    extern crate std;
    use std::collections::BTreeSet;
    use std::vec;
    use std::vec::Vec;

    fn dim(dim: u8) -> Dim {
        Dim::new(dim).unwrap()
    }

    /// By looking at each subcube.
    fn naive(dims: Dim, free: &dyn Fn(u32) -> bool, dim: Dim) -> u32 {
        let mut used = BTreeSet::new();
        for mask in (0..dims.nodes()).filter(|mask| mask.count_ones() == u32::from(dim.get())) {
            for base in (0..dims.nodes()).filter(|base| base & mask == 0) {
                let cube = Subcube::new(dims, Node(base), mask).unwrap();
                if cube.nodes().all(|node| free(node.0)) {
                    used.extend(cube.nodes());
                }
            }
        }
        (0..dims.nodes()).filter(|&node| free(node)).count() as u32 - used.len() as u32
    }

    fn agrees(dims: Dim, free: &dyn Fn(u32) -> bool) {
        let mut map = vec![0; words_for(dims.nodes() as usize)];
        for node in (0..dims.nodes()).filter(|&node| free(node)) {
            crate::bits::fill(&mut map, node as usize, 1, true);
        }
        let mut scratch = vec![Word::MAX; stranded_words(dims)];
        for dim in dims.up_to() {
            let expected = naive(dims, free, dim);
            assert_eq!(stranded(dims, &map, dim, &mut scratch), Ok(expected), "{dim} of {dims}");
        }
    }

    #[test]
    fn stranded_nodes_of_all_maps_of_a_3_cube_are_those_outside_all_free_subcubes() {
        for map in 0..1u32 << 8 {
            agrees(dim(3), &|node| map >> node & 1 == 1);
        }
    }

    #[test]
    fn stranded_nodes_below_in_and_above_the_word_are_those_outside_all_free_subcubes() {
        for dims in [0, 1, 5, 6, 7, 9] {
            agrees(dim(dims), &|_| true);
            agrees(dim(dims), &|_| false);
            for thinness in [2, 3, 5, 8, 16] {
                // Any fixed scatter will do.
                agrees(dim(dims), &|node| {
                    !node.wrapping_mul(0x9E37_79B9).rotate_left(9).is_multiple_of(thinness)
                });
            }
            for modulus in 2..=u32::from(dims) {
                agrees(dim(dims), &|node| !node.count_ones().is_multiple_of(modulus));
            }
        }
    }

    #[test]
    fn a_pool_counts_what_neither_leases_nor_outages_hold() {
        let dims = dim(7);
        let mut pool =
            Pool::<FreeList, _>::new(PoolId(0), dims, vec![0; words::<FreeList>(7)]).unwrap();
        let mut scratch = vec![Word::MAX; words_for(128) + stranded_words(dims)];
        let mut leases: Vec<_> = (0..20).map(|at| pool.allocate(dim(at % 3)).unwrap()).collect();
        leases.drain(..).step_by(2).for_each(|lease| pool.release(lease).unwrap());
        pool.withdraw(&[Node(3), Node(64), Node(101)], Outage::Failed, |_| ()).unwrap();
        let free = |node| pool.state(Node(node)).unwrap().is_free();
        for dim in dims.up_to() {
            assert_eq!(pool.stranded(dim, &mut scratch), Ok(naive(dims, &free, dim)), "{dim}");
        }
        let short = scratch.len() - 1;
        let needed = Err(StorageTooSmall { needed: short + 1 });
        assert_eq!(pool.stranded(dim(1), &mut scratch[..short]), needed);
        let mut other =
            Pool::<Complete, _>::new(PoolId(0), dims, vec![0; words::<Complete>(7)]).unwrap();
        assert_eq!(other.stranded(dims, &mut scratch), Ok(0));
        other.allocate(Dim::ZERO).unwrap();
        assert_eq!(other.stranded(dims, &mut scratch), Ok(127));
    }

    #[test]
    fn no_known_map_takes_more_operations_than_the_bound() {
        for n in [6, 8, 10, 12] {
            let above = n as u32 - WORD_LOG2.min(n.into());
            let bound = (16 << WORD_LOG2) * 3u64.pow(above) + 4u64.pow(above);
            let mut scratch = vec![0; stranded_words(dim(n))];
            let map = vec![Word::MAX; words_for(1 << n)];
            for k in 0..=n {
                let taken = tally::during(|| stranded(dim(n), &map, dim(k), &mut scratch));
                assert!(taken <= bound, "{taken} for {k} of {n}, {bound}");
            }
        }
    }
}
