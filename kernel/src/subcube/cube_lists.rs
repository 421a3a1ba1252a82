//! Free cubes in lists, a list for each dimension: how they split, and how they merge.
//!
//! The lists are bit vectors over base addresses under a summary, so they cannot run out. The mask
//! of each cube stands in a table at its base, in an entry that nobody else needs meanwhile.
//!
//! Cubes of different owners are never joined. Who has owners names their table at each call: as an
//! argument, and not in the lists, so that a program without owners has no code for them.

use super::region_owners::RegionOwners;
use crate::bits::{
    LEVELS, Lanes, Summary, WORD_LOG2, Word, clear, highest, load, ones, set_bit, tally, word_mut,
    words_for,
};
use crate::cube::{Dim, Node, Subcube, word_pattern};

/// Free cubes by dimension and base.
///
/// - The cubes are disjoint, and no two of one owner are complements of each other. The halves
///   that a request leaves have none: lists of their dimensions were empty.
/// - `masks[b]` is the mask of the cube with base `b`, and its ones count the list it is in.
/// - Bit k of `available` says whether list k has a member.
/// - From word `room` on a bit vector over the nodes is scratch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CubeLists {
    dims: Dim,
    available: u32,
    start: usize,
    /// A list, wherever it lies.
    list: Summary,
    /// Words of a list.
    stride: usize,
    masks: Lanes,
    /// Where cubes are noted that are to be cut.
    pub(crate) room: usize,
}

/// A cube by its parts, the number of ones of its mask, and its owner; 0 is none.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    base: u32,
    mask: u32,
    dim: u32,
    owner: u32,
}

/// The table of owners, for lists whose cubes have any.
type Owners<'a> = Option<&'a RegionOwners>;

/// How much of a cube's nodes something holds for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    All,
    Some,
    None,
}

impl Parts {
    pub(crate) fn of(cube: &Subcube, owner: u32) -> Self {
        let dim = u32::from(cube.dim().get());
        Self { base: cube.base().0, mask: cube.mask(), dim, owner }
    }
}

impl CubeLists {
    /// Words for an n-cube: a list for each dimension, one word for the whole cube's.
    pub(crate) const fn words(dims: Dim) -> usize {
        dims.get() as usize * Self::stride(dims) + 1
    }

    const fn stride(dims: Dim) -> usize {
        Summary::new(0, dims.get() as u32).words()
    }

    /// Empty lists in the words from `start` on, which are zeros.
    pub(crate) const fn empty(dims: Dim, start: usize, masks: Lanes, room: usize) -> Self {
        let list = Summary::new(0, dims.get() as u32);
        Self { dims, available: 0, start, list, stride: list.words(), masks, room }
    }

    /// The lists that hold the whole cube, in zeroed words but for [`CubeLists::whole_ones`].
    pub(crate) const fn whole(dims: Dim, start: usize, masks: Lanes, room: usize) -> Self {
        Self { available: 1 << dims.get(), ..Self::empty(dims, start, masks, room) }
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
        let list = self.list.at(self.start + dim as usize * self.stride);
        if dim < self.dims.get() as u32 { list } else { list.of_zero() }
    }
}

impl CubeLists {
    /// Makes the whole cube, without an owner, the only one. Kept out of the releases that call it.
    #[cold]
    pub(crate) fn reset(&mut self, words: &mut [Word]) {
        clear(words, self.start, Self::words(self.dims));
        self.available = 0;
        self.insert(words, &Parts::of(&Subcube::whole(self.dims), 0), None);
    }

    /// Takes the first cube of the smallest sufficient dimension, split down to `dim` at its
    /// highest free coordinates; the upper halves stay, with the same owner, which is returned.
    pub(crate) fn take(
        &mut self,
        words: &mut [Word],
        dim: Dim,
        owners: Owners<'_>,
    ) -> Option<(Subcube, u32)> {
        let wanted = u32::from(dim.get());
        let sufficient = (self.available >> wanted) as Word;
        let mut at = wanted.wrapping_add(ones(sufficient).next()?);
        let base = self.list(at).first(words)? as u32;
        let first = Parts { dim: at, ..self.parts(words, base, owners) };
        let Parts { mut mask, owner, .. } = first;
        self.unlist(words, &first, owners);
        while at > wanted {
            let bit = highest(mask);
            mask ^= bit;
            at = at.wrapping_sub(1);
            self.insert(words, &Parts { base: base | bit, mask, dim: at, owner }, owners);
        }
        Some((Subcube::from_parts(self.dims, base, mask), owner))
    }

    /// Takes all nodes of `cube` out of the lists: splits it out of the cube that it lies in, the
    /// other halves merge, or cuts it out of several, for which there is a bit a node from word
    /// `room` on.
    pub(crate) fn remove(&mut self, words: &mut [Word], cube: &Subcube, owners: Owners<'_>) {
        match self.containing(words, cube.base()) {
            Some(around) if around.contains_cube(cube) => {
                let around = self.parts(words, around.base().0, owners);
                self.unlist(words, &around, owners);
                self.give_halves(words, around, cube, owners);
            }
            Some(_) => self.remove_nodes(words, cube, owners),
            None => debug_assert!(false, "a node is removed that is not free"),
        }
    }

    /// Takes all nodes of `cube` out of the lists, whichever cubes they lie in. These are taken out
    /// first, noted in the bit vector from word `room` on; then what they have beside `cube` is
    /// given back, by rising base, so that it cannot join a cube that is still to be cut. Cost: the
    /// words of the lists, and the halves given back.
    pub(crate) fn remove_nodes(&mut self, words: &mut [Word], cube: &Subcube, owners: Owners<'_>) {
        self.take_out(words, owners, &|_, it| {
            let beyond = it.mask & !cube.mask();
            let apart = (it.base ^ cube.base().0) & !(cube.mask() | beyond);
            match (apart, beyond) {
                (0, 0) => Share::None,
                (0, _) => Share::Some,
                _ => Share::All,
            }
        });
        self.for_each_noted(words, owners, |lists, words, it| {
            lists.give_halves(words, it, cube, owners);
        });
    }

    /// Takes the nodes out of the lists that the bit vector `serving` does not have; how many there
    /// were. Cubes with such nodes are taken out first, those with others noted in the bit vector from
    /// word `room` on; then these are given back, by rising base.
    pub(crate) fn remove_out(
        &mut self,
        words: &mut [Word],
        serving: &[Word],
        owners: Owners<'_>,
    ) -> u32 {
        let dims = self.dims;
        let mut removed = self.take_out(words, owners, &|_, it| share(dims, it, serving));
        self.for_each_noted(words, owners, |lists, words, it| {
            let given = lists.give_serving(words, it, serving, owners);
            removed = removed.wrapping_sub(given);
        });
        removed
    }

    /// Takes out the cubes of which something does not hold for all nodes, and notes those for some
    /// of whose it does in the bit vector from word `room` on. How many nodes the cubes had.
    fn take_out(
        &mut self,
        words: &mut [Word],
        owners: Owners<'_>,
        kept: &dyn Fn(&[Word], &Parts) -> Share,
    ) -> u32 {
        clear(words, self.room, words_for(self.dims.nodes() as usize));
        let (mut taken, listed) = (0u32, *self);
        listed.for_each(words, |words, it| {
            let share = kept(words, &it);
            if share != Share::All {
                self.unlist(words, &it, owners);
                taken = taken.wrapping_add(1 << it.dim);
            }
            if share == Share::Some {
                set_bit(words, listed.room, it.base, true);
            }
        });
        taken
    }

    /// Visits the cubes that are noted from word `room` on, and no longer listed, by rising base.
    #[inline(always)]
    fn for_each_noted(
        &mut self,
        words: &mut [Word],
        owners: Owners<'_>,
        mut visit: impl FnMut(&mut Self, &mut [Word], Parts),
    ) {
        for at in 0..words_for(self.dims.nodes() as usize) {
            for bit in ones(load(words, self.room.wrapping_add(at))) {
                let noted = self.parts(words, (at as u32) << WORD_LOG2 | bit, owners);
                visit(self, words, noted);
            }
        }
    }

    /// Lists what serves of the cube `from`, of which some does, by halves at the highest coordinate,
    /// those that serve as a whole first; how many nodes that are. Each merges.
    fn give_serving(
        &mut self,
        words: &mut [Word],
        from: Parts,
        serving: &[Word],
        owners: Owners<'_>,
    ) -> u32 {
        let bit = highest(from.mask);
        let low = Parts { mask: from.mask ^ bit, dim: from.dim.wrapping_sub(1), ..from };
        let halves = [low, Parts { base: low.base | bit, ..low }];
        let halves = halves.map(|half| (half, share(self.dims, &half, serving)));
        let mut given = 0u32;
        for (half, _) in halves.into_iter().filter(|(_, share)| *share == Share::All) {
            self.merge(words, half, owners);
            given = given.wrapping_add(1 << half.dim);
        }
        for (half, _) in halves.into_iter().filter(|(_, share)| *share == Share::Some) {
            given = given.wrapping_add(self.give_serving(words, half, serving, owners));
        }
        given
    }

    /// Visits the listed cubes by dimension and base. Lists are read a word at a time; owners are not
    /// looked up.
    #[inline(always)]
    fn for_each(&self, words: &mut [Word], mut visit: impl FnMut(&mut [Word], Parts)) {
        for dim in (0..=u32::from(self.dims.get())).filter(|dim| self.available >> dim & 1 == 1) {
            let list = self.list(dim);
            for group in 0..list.groups() {
                for word in ones(list.filled(words, group)) {
                    let at = group << WORD_LOG2 | word as usize;
                    for bit in ones(list.lowest(words, at)) {
                        let base = (at as u32) << WORD_LOG2 | bit;
                        visit(words, Parts { dim, ..self.parts(words, base, None) });
                    }
                }
            }
        }
    }

    /// Draws the nodes of all listed cubes as a bit vector from word `map` on.
    pub(crate) fn draw(&self, words: &mut [Word], map: usize) {
        // Single nodes are there already: their list.
        let singles = self.list(0);
        for at in 0..words_for(self.dims.nodes() as usize) {
            tally::add(1);
            let word = singles.lowest(words, at);
            if let Some(drawn) = word_mut(words, map.wrapping_add(at)) {
                *drawn = word;
            }
        }
        let larger = Self { available: self.available & !1, ..*self };
        larger.for_each(words, |words, it| {
            Subcube::from_parts(self.dims, it.base, it.mask).fill(words, map, true);
        });
    }

    /// Of the cube `from`, just unlisted, lists what it does not have in common with `wanted`: by
    /// halves at the highest coordinate at which only `from` is free, each of which merges.
    fn give_halves(
        &mut self,
        words: &mut [Word],
        from: Parts,
        wanted: &Subcube,
        owners: Owners<'_>,
    ) {
        let Parts { mut base, mut mask, mut dim, owner } = from;
        while mask & !wanted.mask() != 0 {
            let bit = highest(mask & !wanted.mask());
            mask ^= bit;
            dim = dim.wrapping_sub(1);
            let kept = base | (wanted.base().0 & bit);
            self.merge(words, Parts { base: kept ^ bit, mask, dim, owner }, owners);
            base = kept;
        }
    }

    /// Takes `cube` out if it is listed as it is; whether it was.
    pub(crate) fn remove_if_listed(
        &mut self,
        words: &mut [Word],
        cube: &Subcube,
        owners: Owners<'_>,
    ) -> bool {
        let cube = Parts::of(cube, 0);
        let listed = self.list(cube.dim).contains(words, cube.base as usize)
            && self.masks.get(words, cube.base) == cube.mask;
        if listed {
            self.unlist(words, &cube, owners);
        }
        listed
    }

    /// The listed cube with this base.
    pub(crate) fn cube_from(&self, words: &[Word], base: Node) -> Option<Subcube> {
        let mask = self.masks.get(words, base.0);
        let listed = self.list(mask.count_ones()).contains(words, base.0 as usize);
        listed.then(|| Subcube::from_parts(self.dims, base.0, mask))
    }

    /// The listed cube that contains `node`.
    pub(crate) fn containing(&self, words: &[Word], node: Node) -> Option<Subcube> {
        let whole = Subcube::whole(self.dims);
        if self.available >> self.dims.get() & 1 == 1 || !whole.contains(node) {
            return Some(whole).filter(|whole| whole.contains(node));
        }
        (0..u32::from(self.dims.get())).rev().find_map(|dim| self.containing_of(words, dim, node))
    }

    /// The same of `dim` dimensions, fewer than the machine has. Its base is the address with some ones
    /// made zeros, and so are the numbers of the word that has it, and of the group of that: a group
    /// or a word without a member is passed over as a whole.
    fn containing_of(&self, words: &[Word], dim: u32, node: Node) -> Option<Subcube> {
        if self.available >> dim & 1 == 0 {
            return None;
        }
        let list = self.list(dim);
        let fewer = |ones: u32| word_pattern(0, ones);
        let (word_of, group_of) = (node.0 >> WORD_LOG2, node.0 >> (2 * WORD_LOG2));
        for group in Node(group_of).bases_around().map(|group| group.0) {
            for word in ones(list.filled(words, group as usize) & fewer(word_of)) {
                let at = group << WORD_LOG2 | word;
                for bit in ones(list.lowest(words, at as usize) & fewer(node.0)) {
                    let base = at << WORD_LOG2 | bit;
                    let mask = self.masks.get(words, base);
                    if (base ^ node.0) & !mask == 0 {
                        return Some(Subcube::from_parts(self.dims, base, mask));
                    }
                }
            }
        }
        None
    }

    /// The largest dimension of a listed cube.
    pub(crate) fn largest(&self) -> Option<Dim> {
        Dim::new(self.available.checked_ilog2()? as u8)
    }

    /// Adds the subcubes of each dimension inside the listed cubes to `totals`.
    pub(crate) fn count_inside(&self, words: &[Word], totals: &mut [u64; Dim::COUNT]) {
        for dim in self.dims.up_to() {
            count_inside(dim, self.cubes(words, dim).count() as u64, totals);
        }
    }

    /// The nodes of all listed cubes.
    pub(crate) fn nodes(&self, words: &[Word]) -> u32 {
        let nodes = |dim: Dim| (self.cubes(words, dim).count() as u32).wrapping_mul(dim.nodes());
        self.dims.up_to().map(nodes).fold(0, u32::wrapping_add)
    }

    /// The listed cubes of one dimension.
    pub(crate) fn cubes(&self, words: &[Word], dim: Dim) -> impl Iterator<Item = Subcube> {
        let Self { dims, masks, .. } = *self;
        let bases = self.list(u32::from(dim.get())).iter(words).map(|base| base as u32);
        bases.map(move |base| Subcube::from_parts(dims, base, masks.get(words, base)))
    }

    pub(crate) fn check(&self, words: &[Word], owners: Owners<'_>) -> bool {
        self.dims.up_to().all(|dim| {
            let list = self.list(u32::from(dim.get()));
            let sound = |cube: Subcube| {
                let parts = self.parts(words, cube.base().0, owners);
                let alone = self.complement(words, &parts, owners);
                cube.dim() == dim && cube.base().0 & cube.mask() == 0 && alone.is_none()
            };
            list.check(words)
                && self.cubes(words, dim).all(sound)
                && list.is_empty(words) == (self.available >> dim.get() & 1 == 0)
        })
    }

    /// The cube with this base, which is listed or was until now.
    #[inline]
    fn parts(&self, words: &[Word], base: u32, owners: Owners<'_>) -> Parts {
        let mask = self.masks.get(words, base);
        let owner = owners.map_or(0, |owners| owners.of(words, base));
        Parts { base, mask, dim: mask.count_ones(), owner }
    }

    /// Lists `cube` as it is.
    pub(crate) fn insert(&mut self, words: &mut [Word], cube: &Parts, owners: Owners<'_>) {
        let list = self.list(cube.dim);
        debug_assert!(!list.contains(words, cube.base as usize), "a listed cube is listed again");
        tally::add(LEVELS);
        list.insert(words, cube.base as usize);
        self.masks.set(words, cube.base, cube.mask);
        if let Some(owners) = owners {
            owners.set(words, cube.base, cube.owner);
        }
        self.available |= 1 << cube.dim;
    }

    fn unlist(&mut self, words: &mut [Word], cube: &Parts, owners: Owners<'_>) {
        let list = self.list(cube.dim);
        debug_assert!(list.contains(words, cube.base as usize), "a cube is unlisted that is not");
        tally::add(LEVELS);
        let is_empty = list.remove(words, cube.base as usize);
        if let Some(owners) = owners {
            owners.clear(words, cube.base);
        }
        // Without a branch, which could not be foreseen.
        self.available &= !(u32::from(is_empty) << cube.dim);
    }

    /// Lists `cube`, merged with its complement as long as one with the same owner is listed; how
    /// many nodes the cube then listed has.
    pub(crate) fn merge(&mut self, words: &mut [Word], cube: Parts, owners: Owners<'_>) -> u32 {
        let mut cube = cube;
        while let Some(bit) = self.complement(words, &cube, owners) {
            self.unlist(words, &Parts { base: cube.base ^ bit, ..cube }, owners);
            cube.base &= !bit;
            cube.mask |= bit;
            cube.dim = cube.dim.wrapping_add(1);
        }
        self.insert(words, &cube, owners);
        1 << cube.dim
    }

    /// The lowest fixed coordinate, as a bit, at which the complement of `cube` is listed with
    /// its owner.
    fn complement(&self, words: &[Word], cube: &Parts, owners: Owners<'_>) -> Option<u32> {
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
                && owners.is_none_or(|owners| owners.of(words, other) == cube.owner)
            {
                return Some(bit);
            }
            fixed ^= bit;
        }
        None
    }
}

/// How much of a cube a bit vector has.
fn share(dims: Dim, cube: &Parts, serving: &[Word]) -> Share {
    let (pattern, firsts) = Subcube::from_parts(dims, cube.base, cube.mask).words();
    let (mut all, mut any) = (Word::MAX, 0);
    for first in firsts {
        tally::add(1);
        let word = load(serving, (first.0 >> WORD_LOG2) as usize);
        all &= word;
        any |= word;
    }
    match (all & pattern == pattern, any & pattern != 0) {
        (true, _) => Share::All,
        (false, true) => Share::Some,
        (false, false) => Share::None,
    }
}

/// Adds the subcubes of each dimension inside so many disjoint cubes of `dim` dimensions to `totals`.
pub(crate) fn count_inside(dim: Dim, cubes: u64, totals: &mut [u64; Dim::COUNT]) {
    // C(n, k) * 2^(n - k): a step from each k to the next.
    let (mut choose, mut left) = (1u32, u32::from(dim.get()));
    for (k, total) in (1..).zip(totals.iter_mut()).take_while(|_| cubes > 0) {
        *total = total.saturating_add(cubes.saturating_mul(u64::from(choose) << left));
        if left == 0 {
            break;
        }
        // At most C(24, 12) * 12 on the way: below 2^32.
        choose = choose.saturating_mul(left).checked_div(k).unwrap_or(0);
        left = left.wrapping_sub(1);
    }
}
