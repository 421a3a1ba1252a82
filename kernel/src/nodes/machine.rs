//! Nodes with quantities as a machine.

use super::amounts::{Amounts, take};
use super::mix::Mix;
use super::place::NodePlace;
use super::placement::Placement;
use super::request::NodeRequest;
use super::row::{Devices, Row};
use crate::bits::Word;
use crate::machine::{Machine, Words};
use crate::slices::copy;

crate::display::errors! {
    /// Why nodes make no machine.
    pub enum BadNodes {
        /// No nodes, or more than a place of so many words has.
        Count { most: u32 } => "a machine has 1 to {most} nodes",
        /// There are more than 64 classes, or none.
        Classes => "nodes have 1 to 64 classes",
        /// A node has a class that there is not.
        NoSuchClass { node: u32 } => "node {node} is of no class that there is",
        /// Devices are cut into no parts, or are not one of the eight quantities, or a class has more than 16 of them.
        Devices => "devices are quantity 0 to 7, at most 16 a node, and have parts",
    }
}

/// Nodes that have quantities, such as cores, memory and GPUs, and are shared by jobs: a [`Machine`].
///
/// A node has what its class has. A request gets the nodes that its [`Placement`] prefers of all where it fits.
///
/// A map counts what is free: what is free throughout an interval is, of each quantity, the least over its instants. That is
/// exact, for devices that are held in parts, too: whether a device that nobody has a part of can be had depends on
/// how many are held as a whole, so it is not free at an instant at which they all are.
///
/// ```
/// use locox::cube::Node;
/// use locox::machine::Machine;
/// use locox::nodes::{Amounts, NodeRequest, Nodes, Placement};
/// // Two nodes with 64 cores and 256 GB, and one with 32 cores, 512 GB and two GPUs.
/// let classes = [Amounts::of(&[64, 256]), Amounts::of(&[32, 512, 2])];
/// let machine = Nodes::<1>::new(&classes, &[0, 0, 1], Placement::Best)?;
/// let (mut map, mut room) = ([0; 9], [0; 9]);
/// machine.open(&mut map);
/// let mut start = |request| {
///     let place = machine.find(&map, &request, &mut room)?;
///     machine.take(&mut map, &place);
///     Some(place.nodes().map(|node| node.0).collect::<Vec<_>>())
/// };
/// let nodes = |nodes, amounts: &[u32]| NodeRequest::of(nodes, Amounts::of(amounts));
/// assert_eq!(start(nodes(1, &[8, 64, 1])), Some(vec![2]));
/// assert_eq!(start(nodes(2, &[32, 200])), Some(vec![0, 1]));
/// // The others have 56 GB left.
/// assert_eq!(start(nodes(1, &[16, 64])), Some(vec![2]));
/// assert_eq!(start(nodes(1, &[1]).exclusive()), None);
/// # Ok::<(), locox::nodes::BadNodes>(())
/// ```
// Invariants of the fields:
//
// - `class_of` has a class in `classes` for each node.
// - `quantities` is how many of them the classes have, at least one.
#[derive(Clone, Debug)]
pub struct Nodes<'n, const W: usize> {
    pub(super) classes: &'n [Amounts],
    pub(super) class_of: &'n [u8],
    pub(super) common: Amounts,
    pub(super) devices: Devices,
    pub(super) placement: Placement,
    pub(super) mix: Mix,
    pub(super) quantities: usize,
    /// Which share of the most one unit of a quantity is.
    pub(super) shares: [u64; Amounts::MOST],
    pub(super) share_of_part: u64,
}

impl<'n, const W: usize> Nodes<'n, W> {
    /// Nodes of these classes, each by its place among them.
    ///
    /// # Errors
    ///
    /// [`BadNodes`] says what is wrong.
    pub fn new(
        classes: &'n [Amounts],
        class_of: &'n [u8],
        placement: Placement,
    ) -> Result<Self, BadNodes> {
        let most = (W as u32).saturating_mul(Word::BITS);
        if class_of.is_empty() || class_of.len() > most as usize {
            return Err(BadNodes::Count { most });
        }
        if classes.is_empty() || classes.len() > u64::BITS as usize {
            return Err(BadNodes::Classes);
        }
        let unknown = |class: &u8| usize::from(*class) >= classes.len();
        if let Some(node) = class_of.iter().position(unknown) {
            return Err(BadNodes::NoSuchClass { node: node as u32 });
        }
        let largest = largest(classes);
        Ok(Self {
            classes,
            class_of,
            common: Amounts::NONE,
            devices: Devices::NONE,
            placement,
            mix: Mix::new(0, 0),
            quantities: largest.used().max(1),
            shares: largest.all().map(|most| WHOLE.checked_div(most.into()).unwrap_or(0)),
            share_of_part: 0,
        })
    }

    /// The same, where the nodes have so much in common, such as licences.
    #[must_use]
    pub fn with_common(self, common: Amounts) -> Self {
        Self { common, ..self }
    }

    /// The same, where a quantity is devices of so many parts, which may be held by several at once.
    ///
    /// # Errors
    ///
    /// [`BadNodes::Devices`].
    pub fn with_parts(self, quantity: usize, parts: u32) -> Result<Self, BadNodes> {
        let count = largest(self.classes).get(quantity);
        if quantity >= Amounts::MOST || count > Devices::MOST || parts == 0 {
            return Err(BadNodes::Devices);
        }
        let devices = Devices { quantity, parts, most: count as usize };
        let mix = Mix::new(quantity, parts);
        let quantities = self.quantities.max(quantity.wrapping_add(1));
        let share = self.shares.get(quantity).and_then(|share| share.checked_div(parts.into()));
        Ok(Self { devices, mix, quantities, share_of_part: share.unwrap_or(0), ..self })
    }

    /// The same, where [`Placement::Fewest`] keeps room for a quantity, such as GPUs, and not for processors. So it does for devices
    /// that are held in parts.
    #[must_use]
    pub fn keeping(self, quantity: usize) -> Self {
        let parts = if quantity == self.devices.quantity { self.devices.parts } else { 0 };
        Self { mix: Mix::new(quantity, parts), ..self }
    }

    /// [`Placement::Fewest`] keeps room for requests like this one, too. It tells 32 kinds of them apart, by what they ask
    /// for on a node; of more it keeps about those that came most often. Cost: a look at each kind. An image has nothing of it.
    ///
    /// What fits is the same whatever is learnt; which of the places a request gets is not.
    pub fn learn(&mut self, of: &NodeRequest<'_>) {
        self.mix.learn(of, self.quantities);
    }

    /// How many nodes there are.
    pub const fn nodes(&self) -> u32 {
        self.class_of.len() as u32
    }

    /// What a node has; nothing beyond the last one.
    pub fn has_node(&self, node: u32) -> Amounts {
        let class = self.class_of.get(node as usize);
        class.and_then(|&class| self.classes.get(usize::from(class))).copied().unwrap_or_default()
    }

    /// What is free of each quantity on a node; of devices that can be held in parts, those of which nobody has one. Nothing beyond the
    /// last node.
    pub fn free(&self, map: &[u32], node: u32) -> Amounts {
        self.row(map, node).map_or(Amounts::NONE, |row| Amounts::of(row.free))
    }

    /// What is free of those devices of a node of which somebody has a part, but not all.
    ///
    /// ```
    /// use locox::cube::Node;
    /// use locox::machine::Machine;
    /// use locox::nodes::{Amounts, NodePlace, Nodes, Placement};
    /// let classes = [Amounts::of(&[64, 4])];
    /// let machine = Nodes::<1>::new(&classes, &[0], Placement::First)?;
    /// let machine = machine.with_parts(1, 100)?;
    /// let mut map = [0; 6];
    /// machine.open(&mut map);
    /// machine.take(&mut map, &NodePlace::new([Node(0)], Amounts::of(&[8])).with_part(30, 2));
    /// assert_eq!(machine.free(&map, 0), Amounts::of(&[56, 3]));
    /// assert_eq!(machine.open_devices(&map, 0).collect::<Vec<_>>(), [70]);
    /// # Ok::<(), locox::nodes::BadNodes>(())
    /// ```
    pub fn open_devices<'m>(&self, map: &'m [u32], node: u32) -> impl Iterator<Item = u32> + 'm {
        let parts = self.devices.parts;
        let all = self.row(map, node).map_or(&[][..], |row| row.parts);
        all.iter().copied().filter(move |&free| free > 0 && free < parts)
    }

    /// The processors of all nodes.
    pub fn processors(&self) -> u32 {
        (0..self.nodes()).fold(0, |sum: u32, node| sum.saturating_add(self.has_node(node).get(0)))
    }

    /// Words of storage of a [`NodePool`](super::NodePool): a map, and the room for a search.
    pub fn pool_words(&self) -> usize {
        let Words { map, room } = self.words();
        map.wrapping_add(room)
    }

    /// Words of a node in a map.
    pub(super) fn width(&self) -> usize {
        self.quantities.wrapping_add(self.devices.most)
    }

    /// What is free on a node.
    pub(super) fn row<'m>(&self, map: &'m [u32], node: u32) -> Option<Row<'m>> {
        let from = (node as usize).wrapping_mul(self.width());
        let words = map.get(from..from.wrapping_add(self.width()))?;
        (node < self.nodes()).then_some(Row::of(words, self.quantities))
    }

    /// What is free on each node, with its number and class.
    pub(super) fn rows<'m>(
        &self,
        map: &'m [u32],
    ) -> impl Iterator<Item = (u32, u8, Row<'m>)> + Clone {
        // Not by chunks of the map: how many there are is a division, which has a panic path.
        let nodes = (0..).zip(self.class_of);
        nodes.filter_map(move |(node, &class)| Some((node, class, self.row(map, node)?)))
    }

    /// The words of a node.
    fn words_of<'m>(&self, map: &'m mut [u32], node: u32) -> &'m mut [u32] {
        let from = (node as usize).wrapping_mul(self.width());
        map.get_mut(from..from.wrapping_add(self.width())).unwrap_or_default()
    }

    /// Makes all free that a node has.
    pub(super) fn open_on(&self, words: &mut [u32], has: &Amounts) {
        let (free, parts) = words.split_at_mut_checked(self.quantities).unwrap_or_default();
        copy(free, has.all());
        parts.iter_mut().zip(self.devices.full(has)).for_each(|(word, full)| *word = full);
    }

    /// Takes what a place has of each of its nodes from what is free on one.
    pub(super) fn take_place(&self, words: &mut [u32], at: &NodePlace<W>) {
        if at.amounts == Amounts::ALL {
            words.fill(0);
        } else {
            self.take_on(words, &at.amounts, (at.part, at.device));
        }
    }

    /// Takes amounts and parts of a device from what is free on a node.
    pub(super) fn take_on(&self, words: &mut [u32], amounts: &Amounts, part: (u32, u32)) {
        self.devices.take(words, self.quantities, part);
        take(words.get_mut(..self.quantities).unwrap_or_default(), amounts);
    }

    /// The words of all nodes in a map. Behind them is what is left of what they have in common.
    fn nodes_end(&self) -> usize {
        self.class_of.len().wrapping_mul(self.width())
    }

    /// Whether so much is left of what nodes have in common.
    pub(super) fn has_common(&self, map: &[u32], common: &Amounts) -> bool {
        common.used() <= self.common.used() && common.within(self.common_of(map))
    }

    /// What is left of what nodes have in common.
    pub(super) fn common_of<'m>(&self, map: &'m [u32]) -> &'m [u32] {
        let from = self.nodes_end();
        map.get(from..from.wrapping_add(self.common.used())).unwrap_or_default()
    }

    /// All that tells it from other machines, but for its placement.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        let Devices { quantity, parts, .. } = self.devices;
        let all = self.classes.iter().chain([&self.common]).flat_map(|it| it.all());
        let nodes = self.class_of.iter().map(|&class| u64::from(class));
        let devices = [quantity as u64, parts.into()];
        devices.into_iter().chain(all.map(|&amount| amount.into())).chain(nodes)
    }
}

/// What all is that a node has at most of a quantity.
const WHOLE: u64 = 1 << 40;

/// The most that a node of these classes has of each quantity.
fn largest(classes: &[Amounts]) -> Amounts {
    classes.iter().fold(Amounts::NONE, |all, it| all.larger(it))
}

impl<'n, const W: usize> Machine for Nodes<'n, W> {
    type Request = NodeRequest<'n>;
    type Place = NodePlace<W>;
    type Word = u32;

    const COUNTS: bool = true;

    fn words(&self) -> Words {
        let map = self.nodes_end().wrapping_add(self.common.used());
        Words { map, room: self.class_of.len().wrapping_mul(3) }
    }

    fn open(&self, map: &mut [u32]) {
        let (nodes, common) = map.split_at_mut_checked(self.nodes_end()).unwrap_or_default();
        let nodes = (0..).zip(nodes.chunks_exact_mut(self.width().max(1)));
        nodes.for_each(|(node, words)| self.open_on(words, &self.has_node(node)));
        copy(common, self.common.all());
    }

    fn take(&self, map: &mut [u32], at: &NodePlace<W>) {
        at.nodes().for_each(|node| self.take_place(self.words_of(map, node.0), at));
        take(map.get_mut(self.nodes_end()..).unwrap_or_default(), &at.common);
    }

    fn has(&self, map: &[u32], at: &NodePlace<W>) -> bool {
        at.nodes()
            .all(|node| self.row(map, node.0).is_some_and(|row| self.has_on(&row, node.0, at)))
            && self.has_common(map, &at.common)
    }

    fn find(&self, map: &[u32], of: &NodeRequest<'n>, room: &mut [u32]) -> Option<NodePlace<W>> {
        if !self.has_common(map, &of.common) {
            return None;
        }
        let of = if of.tasks > 0 { self.spread(map, of, room)? } else { *of };
        self.choose(map, &of, room)
    }

    /// The processors, which are quantity 0.
    fn size(&self, of: &NodeRequest<'n>) -> u32 {
        of.processors()
    }

    fn covers(&self, one: &NodeRequest<'n>, other: &NodeRequest<'n>) -> bool {
        one.covers(other)
    }

    fn meet(&self, map: &mut [u32], other: &[u32]) {
        let (width, end) = (self.width().max(1), self.nodes_end());
        let (nodes, common) = map.split_at_mut_checked(end).unwrap_or_default();
        let (others, other) = other.split_at_checked(end).unwrap_or_default();
        // Beside numbers nobody asks how many chunks there are.
        let nodes = (0u32..).zip(nodes.chunks_exact_mut(width));
        for ((_, words), other) in nodes.zip(others.chunks_exact(width)) {
            self.devices.meet(words, other, self.quantities);
        }
        common.iter_mut().zip(other).for_each(|(word, other)| *word = *other.min(word));
    }
}
