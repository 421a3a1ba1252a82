//! Racks, blocks, and what they are parts of.
//!
//! Source: what Kueue, KAI-Scheduler and Slurm's `topology/block` mean by topology, in short: nodes of a job should be near each
//! other, in one domain of a level.

use super::{Cost, Machine, MakeRoom, Numbered, Stake, Words, least_sum};
use crate::bits::algebra::members;
use crate::bits::{Word, load, low_mask, ones, ones_of, words_for};
use crate::cube::Node;
use crate::slices::copy;
use core::ops::Range;

/// What is asked of a [`Tree`]: so many nodes that lie in one domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// How many nodes.
    pub nodes: u32,
    /// The highest level of such a domain, from 0 for the lowest; `None` for the whole machine.
    pub within: Option<u8>,
}

impl Domain {
    /// So many nodes, as near each other as there is room.
    pub const fn of(nodes: u32) -> Self {
        Self { nodes, within: None }
    }

    /// The same in one domain of a level, or of a lower one.
    pub const fn within(self, level: u8) -> Self {
        Self { within: Some(level), ..self }
    }
}

crate::display::errors! {
    /// Why levels make no tree.
    pub enum BadTree {
        /// No nodes, or more than a place of so many words has.
        Nodes { most: u32 } => "a tree has 1 to {most} nodes",
        /// The domains of a level do not begin at node 0, or not in rising order, or beyond the last node.
        Domains { level: u8 } => "the domains of level {level} must begin at node 0 and in rising order",
        /// There are more than 255 levels.
        Levels => "a tree has at most 255 levels",
        /// A domain goes beyond the end of one of the level above.
        Across { level: u8 } => "a domain of level {level} lies in two of the level above",
    }
}

/// A machine whose nodes lie in domains, such as racks, and these in larger ones, such as blocks.
///
/// A request gets nodes of one domain of the lowest level that has room, of several the one with the fewest free nodes. There
/// it gets the part with the fewest that has room for all, and where none has, all of the part with the most, and so on for
/// the rest. Of equals it is the first.
///
/// A place is a set of nodes, in `W` words.
///
/// ```
/// use locox::machine::{Domain, Machine, Tree};
/// // Four racks of four nodes, in two blocks.
/// let machine = Tree::<1>::new(16, &[&[0, 4, 8, 12], &[0, 8]])?;
/// let (mut map, mut room) = ([0; 1], [0; 1]);
/// machine.open(&mut map);
/// let mut start = |request| {
///     let place = machine.find(&map, &request, &mut room)?;
///     machine.take(&mut map, &place);
///     Some(place)
/// };
/// assert_eq!(start(Domain::of(3)), Some([0b0111]));
/// // The second block is whole.
/// assert_eq!(start(Domain::of(6).within(1)), Some([0b0011_1111 << 8]));
/// assert_eq!(start(Domain::of(2)), Some([0b1100 << 12]));
/// assert_eq!(start(Domain::of(5).within(0)), None);
/// # Ok::<(), locox::machine::BadTree>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree<'t, const W: usize> {
    nodes: u32,
    levels: &'t [&'t [u32]],
}

impl<'t, const W: usize> Tree<'t, W> {
    /// A tree of so many nodes. Each level, from the lowest on, says at which nodes its domains begin. The whole machine need not
    /// be one.
    ///
    /// # Errors
    ///
    /// [`BadTree`] says what is wrong.
    pub fn new(nodes: u32, levels: &'t [&'t [u32]]) -> Result<Self, BadTree> {
        let most = (W as u32).saturating_mul(Word::BITS);
        if nodes == 0 || nodes > most {
            return Err(BadTree::Nodes { most });
        }
        if levels.len() > usize::from(u8::MAX) {
            return Err(BadTree::Levels);
        }
        let mut below: Option<&[u32]> = None;
        for (level, firsts) in (0..=u8::MAX).zip(levels) {
            let rising = firsts.is_sorted_by(|one, next| one < next);
            if firsts.first() != Some(&0) || !rising || firsts.last() >= Some(&nodes) {
                return Err(BadTree::Domains { level });
            }
            if below.is_some_and(|below| !firsts.iter().all(|it| below.binary_search(it).is_ok())) {
                return Err(BadTree::Across { level: level.saturating_sub(1) });
            }
            below = Some(firsts);
        }
        Ok(Self { nodes, levels })
    }

    /// How many nodes there are.
    pub const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// How many levels there are below the whole machine.
    pub const fn levels(&self) -> usize {
        self.levels.len()
    }

    /// The domains of a level, of so many nodes at least, that lie in one of a higher level. Beyond the highest level that is the
    /// machine.
    fn domains(
        &self,
        level: usize,
        inside: &Range<u32>,
        least: u32,
    ) -> impl Iterator<Item = Range<u32>> + use<'_, W> {
        let Range { start, end } = *inside;
        let firsts: &[u32] = self.levels.get(level).copied().unwrap_or(&[0]);
        let firsts = firsts.get(firsts.partition_point(|&it| it < start)..).unwrap_or_default();
        let ends = firsts.iter().skip(1).copied().chain([self.nodes]);
        let all = firsts.iter().zip(ends).map(|(&first, end)| first..end);
        all.take_while(move |it| it.end <= end).filter(move |it| it.len() as u32 >= least)
    }

    /// The domain with the fewest free nodes that has so many; of equals the first.
    fn tightest(
        &self,
        level: usize,
        map: &[Word],
        inside: &Range<u32>,
        nodes: u32,
    ) -> Option<Range<u32>> {
        let all = self.domains(level, inside, nodes).map(|it| (count(map, &it), it));
        let with_room = all.filter(|(free, _)| *free >= nodes);
        Some(with_room.min_by_key(|(free, _)| *free)?.1)
    }

    /// The most free nodes of a domain.
    fn fullest(&self, level: usize, map: &[Word], inside: &Range<u32>) -> Option<u32> {
        self.domains(level, inside, 0).map(|it| count(map, &it)).max()
    }

    /// [`Machine::find`] on a machine of any size: adds the nodes that a request gets to `place`, a bit for each node; `None` if it
    /// gets none.
    pub fn choose(
        &self,
        map: &[Word],
        of: &Domain,
        room: &mut [Word],
        place: &mut [Word],
    ) -> Option<()> {
        let highest = of.within.map_or(self.levels.len(), usize::from).min(self.levels.len());
        let whole = 0..self.nodes;
        // What has no room here has none below.
        self.tightest(highest, map, &whole, of.nodes)?;
        let lowest = |level| Some((level, self.tightest(level, map, &whole, of.nodes)?));
        let (mut level, mut inside) = (0..=highest).find_map(lowest)?;
        copy(room, map);
        let mut left = of.nodes;
        while let Some(below) = level.checked_sub(1) {
            if let Some(part) = self.tightest(below, room, &inside, left) {
                (level, inside) = (below, part);
                continue;
            }
            // None has room: the fullest are taken as a whole, and of equals the first ones, as long as more is needed.
            let most = self.fullest(below, room, &inside).filter(|&most| most > 0)?;
            for part in self.domains(below, &inside, most) {
                if left > most && count(room, &part) == most {
                    give(room, place, &part, most);
                    left = left.wrapping_sub(most);
                }
            }
        }
        give(room, place, &inside, left);
        Some(())
    }

    /// Marks the stakes that are to be given up so that a request fits in what is free then, at the least cost in all; what they
    /// cost. `None` if it would not fit even without all of them. Of equals it is the first domain, and there what
    /// [`least_sum`] chooses. Each stake is that of another holder.
    ///
    /// `map` has as free what is free and what the stakes hold; `inside` says how many of the nodes of a stake are free there
    /// and lie in a range. `sums` are as many words as [`MakeRoom::sums`] says.
    ///
    /// Cost: that of [`least_sum`] for each domain of the highest level allowed.
    pub fn least<P: Copy>(
        &self,
        map: &[Word],
        of: &Domain,
        stakes: &mut [Stake<P>],
        inside: impl Fn(&Stake<P>, &Range<u32>) -> u32,
        sums: &mut [u64],
    ) -> Option<u64> {
        let highest = of.within.map_or(self.levels.len(), usize::from).min(self.levels.len());
        let mut within = |domain: &Range<u32>| {
            let size = |it: &Stake<P>| inside(it, domain);
            let held = stakes.iter().fold(0, |held: u32, it| held.saturating_add(size(it)));
            let free = count(map, domain).saturating_sub(held);
            least_sum(stakes, of.nodes.saturating_sub(free), size, sums)
        };
        let all = self.domains(highest, &(0..self.nodes), of.nodes);
        let costs = all.filter_map(|domain| Some((within(&domain)?, domain)));
        let (_, best) = costs.min_by_key(|(sum, _)| *sum)?;
        within(&best)
    }
}

/// The words of a map that have some of these nodes, and which bits of each are some.
fn parts(nodes: &Range<u32>) -> impl Iterator<Item = (usize, Word)> + use<> {
    let Range { start, end } = *nodes;
    (start / Word::BITS..end.div_ceil(Word::BITS)).map(move |at| {
        let base = at.wrapping_mul(Word::BITS);
        let before = low_mask(start.saturating_sub(base).min(Word::BITS));
        (at as usize, low_mask(end.saturating_sub(base).min(Word::BITS)) & !before)
    })
}

/// How many of these nodes a map has.
fn count(map: &[Word], nodes: &Range<u32>) -> u32 {
    members(parts(nodes).map(|(at, part)| load(map, at) & part))
}

/// The first so many of the set bits of a word.
fn lowest(word: Word, most: u32) -> Word {
    if word.count_ones() <= most {
        return word;
    }
    ones(word).take(most as usize).fold(0, |bits, bit| bits | 1 << bit)
}

/// Moves the first so many of these nodes that a map has into a place.
fn give(map: &mut [Word], place: &mut [Word], nodes: &Range<u32>, mut most: u32) {
    for (at, part) in parts(nodes) {
        let (Some(free), Some(given)) = (map.get_mut(at), place.get_mut(at)) else { return };
        let first = lowest(*free & part, most);
        most = most.wrapping_sub(first.count_ones());
        *free &= !first;
        *given |= first;
    }
}

impl<const W: usize> Machine for Tree<'_, W> {
    type Request = Domain;
    type Place = [Word; W];
    type Word = Word;

    fn words(&self) -> Words {
        let map = words_for(self.nodes as usize);
        Words { map, room: map }
    }

    fn open(&self, map: &mut [Word]) {
        map.fill(0);
        crate::bits::fill(map, 0, self.nodes as usize, true);
    }

    fn take(&self, map: &mut [Word], at: &[Word; W]) {
        map.iter_mut().zip(at).for_each(|(map, at)| *map &= !at);
    }

    fn has(&self, map: &[Word], at: &[Word; W]) -> bool {
        at.iter().enumerate().all(|(word, at)| at & !load(map, word) == 0)
    }

    fn find(&self, map: &[Word], of: &Domain, room: &mut [Word]) -> Option<[Word; W]> {
        let mut place = [0; W];
        self.choose(map, of, room, &mut place).map(|()| place)
    }

    fn size(&self, of: &Domain) -> u32 {
        of.nodes
    }

    fn covers(&self, one: &Domain, other: &Domain) -> bool {
        let level = |it: &Domain| it.within.map_or(usize::MAX, usize::from);
        other.nodes <= one.nodes && level(other) >= level(one)
    }
}

impl<const W: usize> Numbered for Tree<'_, W> {
    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn draw(&self, map: &mut [Word], free: &[Word]) {
        copy(map, free);
    }

    fn nodes_of(&self, at: &[Word; W]) -> impl Iterator<Item = Node> + Clone {
        ones_of(at).map(Node)
    }
}

impl<const W: usize> MakeRoom for Tree<'_, W> {
    fn sums(&self) -> usize {
        (self.nodes as usize).wrapping_add(1).wrapping_mul(2)
    }

    fn choose(
        &self,
        map: &[Word],
        of: &Domain,
        stakes: &mut [Stake<[Word; W]>],
        sums: &mut [u64],
    ) -> Option<Cost> {
        let inside = |it: &Stake<[Word; W]>, domain: &Range<u32>| {
            let nodes = |(at, part)| load(map, at) & load(&it.place, at) & part;
            members(parts(domain).map(nodes))
        };
        let sum = self.least(map, of, stakes, inside, sums)?;
        Some(Cost { sum, least: true })
    }
}
