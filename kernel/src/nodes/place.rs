//! What a job has.

use super::amounts::Amounts;
use crate::bits::{Word, ones_of, set_bit};
use crate::cube::Node;
use crate::image::{BadImage, Stored};
use core::fmt;

/// What a job has of [`Nodes`](super::Nodes): some of them, the same amounts on each, a part of a device on one of them, and
/// some of what they have in common. Sets of nodes have `W` words.
///
/// Devices that are held as a whole are counted and have no numbers. Parts have the number of a device, so that it is known
/// which of them lie on the same one: which one that is in the hardware is up to whoever starts the job, and there is one left
/// whenever a place is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodePlace<const W: usize> {
    pub(super) nodes: [Word; W],
    pub(super) amounts: Amounts,
    pub(super) part: u32,
    pub(super) device: u32,
    pub(super) common: Amounts,
}

impl<const W: usize> NodePlace<W> {
    /// So much on each of these nodes. A node beyond the last one that `W` words have is left out.
    pub fn new(nodes: impl IntoIterator<Item = Node>, amounts: Amounts) -> Self {
        let mut place = Self { nodes: [0; W], amounts, part: 0, device: 0, common: Amounts::NONE };
        nodes.into_iter().for_each(|node| set_bit(&mut place.nodes, 0, node.0, true));
        place
    }

    /// All of these nodes, as they have who are alone there, and outages.
    pub fn whole(nodes: impl IntoIterator<Item = Node>) -> Self {
        Self::new(nodes, Amounts::ALL)
    }

    /// The same, and so many parts of a device.
    #[must_use]
    pub const fn with_part(self, parts: u32, device: u32) -> Self {
        Self { part: parts, device, ..self }
    }

    /// The same, and so much of what the nodes have in common.
    #[must_use]
    pub const fn with_common(self, common: Amounts) -> Self {
        Self { common, ..self }
    }

    /// Its nodes, in order.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + Clone {
        ones_of(&self.nodes).map(Node)
    }

    /// The set of its nodes, a bit each.
    pub const fn set(&self) -> &[Word; W] {
        &self.nodes
    }

    /// What it has of each node; `None` for all that there is.
    pub fn amounts(&self) -> Option<&Amounts> {
        (self.amounts != Amounts::ALL).then_some(&self.amounts)
    }

    /// Parts of a device that it has, and the number of the device on its node.
    pub fn part(&self) -> Option<(u32, u32)> {
        (self.part > 0).then_some((self.part, self.device))
    }

    /// What it has of what the nodes have in common.
    pub const fn common(&self) -> &Amounts {
        &self.common
    }
}

// Its nodes, as `0-3,7`.
impl<const W: usize> fmt::Display for NodePlace<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut nodes = self.nodes().map(|it| it.0).peekable();
        let mut before = "";
        while let Some(first) = nodes.next() {
            let mut last = first;
            while let Some(&next) = nodes.peek().filter(|it| **it == last.wrapping_add(1)) {
                last = next;
                nodes.next();
            }
            write!(f, "{before}{first}")?;
            if last > first {
                write!(f, "-{last}")?;
            }
            before = ",";
        }
        Ok(())
    }
}

impl<const W: usize> Stored for NodePlace<W> {
    fn store(&self, put: &mut impl FnMut(u32)) {
        self.nodes.store(put);
        self.amounts.store(put);
        [self.part, self.device].store(put);
        self.common.store(put);
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let (nodes, amounts) = (Stored::load(take)?, Stored::load(take)?);
        let [part, device] = Stored::load(take)?;
        Ok(Self { nodes, amounts, part, device, common: Stored::load(take)? })
    }
}
