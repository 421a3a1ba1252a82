//! Free cubes in lists, a list for each dimension: how they split, and how they merge.
//!
//! The lists are bit vectors over base addresses under a summary, so they cannot run out. The mask
//! of each cube stands in a table at its base, in an entry that nobody else needs meanwhile.

use crate::bits::{Lanes, Summary, WORD_LOG2, Word, fill, highest, load, ones};
use crate::cube::{Dim, Node, Subcube};

/// What is noted with each free cube: nothing, unless a method says otherwise. Cubes with different
/// labels are never joined.
pub(crate) trait Labels: Copy {
    /// The label of the cube listed with this base.
    fn get(self, _: &[Word], _base: u32) -> u32 {
        0
    }

    /// Notes the label of a cube that is being listed.
    fn set(self, _: &mut [Word], _base: u32, _label: u32) {}

    /// Forgets the label of a cube that is being taken out.
    fn clear(self, _: &mut [Word], _base: u32) {}
}

/// No labels: any two cubes may be joined.
impl Labels for () {}

/// Free cubes by dimension and base.
///
/// - The cubes are disjoint, and no two of one label are complements of each other. The halves
///   that a request leaves have none: lists of their dimensions were empty.
/// - `masks[b]` is the mask of the cube with base `b`, and its ones count the list it is in.
/// - Bit k of `available` says whether list k has a member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CubeLists<L> {
    dims: Dim,
    available: u32,
    start: usize,
    /// A list, wherever it lies.
    list: Summary,
    /// Words of a list.
    stride: usize,
    masks: Lanes,
    labels: L,
}

/// A cube by its parts, and the number of ones of its mask.
#[derive(Clone, Copy)]
struct Parts {
    base: u32,
    mask: u32,
    dim: u32,
}

impl From<Subcube> for Parts {
    fn from(cube: Subcube) -> Self {
        Self { base: cube.base().0, mask: cube.mask(), dim: u32::from(cube.dim().get()) }
    }
}

impl<L: Copy> CubeLists<L> {
    /// Words for an n-cube: a list for each dimension, one word for the whole cube's.
    pub(crate) const fn words(dims: Dim) -> usize {
        dims.get() as usize * Self::stride(dims) + 1
    }

    const fn stride(dims: Dim) -> usize {
        Summary::new(0, dims.get() as u32).words()
    }

    /// Empty lists in the words from `start` on, which are zeros.
    pub(crate) const fn empty(dims: Dim, start: usize, masks: Lanes, labels: L) -> Self {
        let list = Summary::new(0, dims.get() as u32);
        Self { dims, available: 0, start, list, stride: list.words(), masks, labels }
    }

    /// The lists that hold the whole cube, in zeroed words but for [`CubeLists::whole_ones`].
    pub(crate) const fn whole(dims: Dim, start: usize, masks: Lanes, labels: L) -> Self {
        Self { available: 1 << dims.get(), ..Self::empty(dims, start, masks, labels) }
    }

    /// What is not zero in the words of [`CubeLists::whole`]: its bit in its list, and its mask.
    pub(crate) const fn whole_ones(&self) -> [(usize, usize); 2] {
        [
            (self.list(self.dims.get() as u32).first_bit(), 1),
            (self.masks.first_bit(), self.dims.get() as usize),
        ]
    }

    /// The list of the cubes of one dimension, by base address; the whole cube's can only be 0.
    const fn list(&self, dim: u32) -> Summary {
        let start = self.start + dim as usize * self.stride;
        if dim < self.dims.get() as u32 { self.list.at(start) } else { Summary::new(start, 0) }
    }
}

impl<L: Labels> CubeLists<L> {
    /// Makes the whole cube, without a label, the only one. Kept out of the releases that call it.
    #[cold]
    pub(crate) fn reset(&mut self, words: &mut [Word]) {
        for dim in self.dims.up_to() {
            self.list(u32::from(dim.get())).clear(words);
        }
        self.available = 0;
        self.put(words, Subcube::whole(self.dims), 0);
    }

    /// Takes the first cube of the smallest sufficient dimension, split down to `dim` at its
    /// highest free coordinates; the upper halves stay, with the same label, which is returned.
    pub(crate) fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<(Subcube, u32)> {
        let wanted = u32::from(dim.get());
        let sufficient = (self.available >> wanted) as Word;
        let mut at = wanted.wrapping_add(ones(sufficient).next()?);
        let base = self.list(at).first(words)? as u32;
        let mut mask = self.masks.get(words, base);
        let label = self.labels.get(words, base);
        self.unlist(words, Parts { base, mask, dim: at });
        while at > wanted {
            let bit = highest(mask);
            mask ^= bit;
            at = at.wrapping_sub(1);
            self.insert(words, Parts { base: base | bit, mask, dim: at }, label);
        }
        Some((Subcube::from_parts(self.dims, base, mask), label))
    }

    /// Lists `cube` as it is.
    pub(crate) fn put(&mut self, words: &mut [Word], cube: Subcube, label: u32) {
        self.insert(words, cube.into(), label);
    }

    /// Lists `cube`, merged with its complement as long as one with the same label is listed.
    pub(crate) fn give(&mut self, words: &mut [Word], cube: Subcube, label: u32) {
        self.merge(words, cube.into(), label);
    }

    /// Splits a listed node out of its cube; the other halves merge.
    pub(crate) fn remove_node(&mut self, words: &mut [Word], node: Node) {
        let Some(cube) = self.containing(words, node) else {
            debug_assert!(false, "a node is removed that is not free");
            return;
        };
        self.cut(words, cube, &Subcube::from_parts(self.dims, node.0, 0));
    }

    /// Takes all nodes of `cube` out of the lists, whichever cubes they lie in. Cost: a pass over
    /// the lists for each of these.
    pub(crate) fn remove_nodes(&mut self, words: &mut [Word], cube: &Subcube) {
        while let Some(part) = self.first_meeting(words, cube) {
            self.cut(words, part, cube);
        }
    }

    /// The first listed cube, smallest dimension first, that has a node in common with `cube`.
    fn first_meeting(&self, words: &[Word], cube: &Subcube) -> Option<Subcube> {
        let listed = |&dim: &Dim| self.available >> dim.get() & 1 == 1;
        let mut dims = self.dims.up_to().filter(listed);
        dims.find_map(|dim| self.cubes(words, dim).find(|it| it.distance(cube) == 0))
    }

    /// Takes what the listed cube `from` has in common with `wanted` out of it, by halves at the
    /// highest coordinate at which only `from` is free; the other halves merge.
    fn cut(&mut self, words: &mut [Word], from: Subcube, wanted: &Subcube) {
        let Parts { mut base, mut mask, mut dim } = from.into();
        let label = self.labels.get(words, base);
        self.unlist(words, Parts { base, mask, dim });
        while mask & !wanted.mask() != 0 {
            let bit = highest(mask & !wanted.mask());
            mask ^= bit;
            dim = dim.wrapping_sub(1);
            let kept = base | (wanted.base().0 & bit);
            self.merge(words, Parts { base: kept ^ bit, mask, dim }, label);
            base = kept;
        }
    }

    /// Sets a bit for each node of the listed cubes in the map from word `map` on.
    pub(crate) fn draw(&self, words: &mut [Word], map: usize) {
        for dim in self.dims.up_to().filter(|dim| self.available >> dim.get() & 1 == 1) {
            for (word, first) in self.list(u32::from(dim.get())).lowest_level() {
                for bit in ones(load(words, word)) {
                    let base = first | bit;
                    let cube = Subcube::from_parts(self.dims, base, self.masks.get(words, base));
                    fill_cube(words, map, &cube, true);
                }
            }
        }
    }

    /// Takes out `cube`, which is listed as it is.
    pub(crate) fn remove(&mut self, words: &mut [Word], cube: Subcube) {
        self.unlist(words, cube.into());
    }

    /// Takes `cube` out if it is listed as it is; whether it was.
    pub(crate) fn remove_if_listed(&mut self, words: &mut [Word], cube: Subcube) -> bool {
        let cube = Parts::from(cube);
        let listed = self.list(cube.dim).contains(words, cube.base as usize)
            && self.masks.get(words, cube.base) == cube.mask;
        if listed {
            self.unlist(words, cube);
        }
        listed
    }

    /// The listed cube with this base.
    pub(crate) fn cube_from(&self, words: &[Word], base: Node) -> Option<Subcube> {
        let mask = self.masks.get(words, base.0);
        let listed = self.list(mask.count_ones()).contains(words, base.0 as usize);
        listed.then(|| Subcube::from_parts(self.dims, base.0, mask))
    }

    /// The listed cube that contains `node`. Its base is the address of `node` with some ones made
    /// zeros.
    pub(crate) fn containing(&self, words: &[Word], node: Node) -> Option<Subcube> {
        let mut bases = Subcube::new(self.dims, Node(0), node.0)?.nodes();
        bases.find_map(|base| self.cube_from(words, base).filter(|cube| cube.contains(node)))
    }

    /// The largest dimension of a listed cube.
    pub(crate) fn largest(&self) -> Option<Dim> {
        Dim::new(self.available.checked_ilog2()? as u8)
    }

    /// Subcubes of dimension `dim` inside the listed cubes.
    pub(crate) fn count_inside(&self, words: &[Word], dim: Dim) -> u64 {
        let larger = self.dims.up_to().filter(|&larger| larger >= dim);
        larger.fold(0, |sum: u64, larger| {
            let cubes = self.cubes(words, larger).count() as u64;
            sum.saturating_add(cubes.saturating_mul(subcubes_in(larger, dim)))
        })
    }

    /// The nodes of all listed cubes.
    pub(crate) fn nodes(&self, words: &[Word]) -> u32 {
        self.count_inside(words, Dim::ZERO) as u32
    }

    /// The listed cubes of one dimension.
    pub(crate) fn cubes(&self, words: &[Word], dim: Dim) -> impl Iterator<Item = Subcube> {
        let Self { dims, masks, .. } = *self;
        let bases = self.list(u32::from(dim.get())).iter(words).map(|base| base as u32);
        bases.map(move |base| Subcube::from_parts(dims, base, masks.get(words, base)))
    }

    pub(crate) fn check(&self, words: &[Word]) -> bool {
        self.dims.up_to().all(|dim| {
            let list = self.list(u32::from(dim.get()));
            let sound = |cube: Subcube| {
                let alone =
                    self.complement(words, cube.into(), self.labels.get(words, cube.base().0));
                cube.dim() == dim && cube.base().0 & cube.mask() == 0 && alone.is_none()
            };
            list.check(words)
                && self.cubes(words, dim).all(sound)
                && list.is_empty(words) == (self.available >> dim.get() & 1 == 0)
        })
    }

    fn insert(&mut self, words: &mut [Word], cube: Parts, label: u32) {
        let list = self.list(cube.dim);
        debug_assert!(!list.contains(words, cube.base as usize), "a listed cube is listed again");
        list.insert(words, cube.base as usize);
        self.masks.set(words, cube.base, cube.mask);
        self.labels.set(words, cube.base, label);
        self.available |= 1 << cube.dim;
    }

    fn unlist(&mut self, words: &mut [Word], cube: Parts) {
        let list = self.list(cube.dim);
        debug_assert!(list.contains(words, cube.base as usize), "a cube is unlisted that is not");
        list.remove(words, cube.base as usize);
        self.labels.clear(words, cube.base);
        self.available &= !(u32::from(list.is_empty(words)) << cube.dim);
    }

    fn merge(&mut self, words: &mut [Word], cube: Parts, label: u32) {
        let mut cube = cube;
        while let Some(bit) = self.complement(words, cube, label) {
            self.unlist(words, Parts { base: cube.base ^ bit, ..cube });
            cube.base &= !bit;
            cube.mask |= bit;
            cube.dim = cube.dim.wrapping_add(1);
        }
        self.insert(words, cube, label);
    }

    /// The lowest fixed coordinate, as a bit, at which the complement of `cube` is listed with
    /// this label.
    fn complement(&self, words: &[Word], cube: Parts, label: u32) -> Option<u32> {
        if self.available >> cube.dim & 1 == 0 {
            return None;
        }
        let same = self.list(cube.dim);
        let mut fixed = !cube.mask & self.dims.nodes().wrapping_sub(1);
        while fixed != 0 {
            let bit = fixed & fixed.wrapping_neg();
            let other = cube.base ^ bit;
            if same.contains(words, other as usize)
                && self.masks.get(words, other) == cube.mask
                && self.labels.get(words, other) == label
            {
                return Some(bit);
            }
            fixed ^= bit;
        }
        None
    }
}

/// Sets or clears the bit of each node of `cube` in the map from word `map` on.
pub(super) fn fill_cube(words: &mut [Word], map: usize, cube: &Subcube, value: bool) {
    let (dim, blocks) = cube.aligned_blocks();
    for first in blocks {
        let start = (map << WORD_LOG2).wrapping_add(first.0 as usize);
        fill(words, start, dim.nodes() as usize, value);
    }
}

/// The number of k-subcubes in an n-cube: C(n, k) * 2^(n - k).
fn subcubes_in(dims: Dim, dim: Dim) -> u64 {
    let (n, k) = (u64::from(dims.get()), u64::from(dim.get()));
    let choose = (0..k).fold(1u64, |choose, i| {
        let next = choose.saturating_mul(n.saturating_sub(i));
        next.checked_div(i.saturating_add(1)).unwrap_or(0)
    });
    choose << n.saturating_sub(k)
}
