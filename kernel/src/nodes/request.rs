//! What a job asks for.

use super::amounts::Amounts;
use crate::bits::{Word, bit};
use core::ops::RangeInclusive;

/// What is asked of [`Nodes`](super::Nodes): so many of them, and how much of each.
///
/// ```
/// use locox::nodes::{Amounts, NodeRequest};
/// // One to four nodes with 16 cores and 32 GB on each, of the classes 0 and 2.
/// let request = NodeRequest::of(1, Amounts::of(&[16, 32_000])).up_to(4).in_classes(0b101);
/// // Half of a GPU that has 100 parts, beside 4 cores.
/// let notebook = NodeRequest::part(50, Amounts::of(&[4, 8_000]));
/// // Twelve tasks of one core each, as many on one node as on another.
/// let tasks = NodeRequest::tasks(12, Amounts::of(&[1, 2_000]));
/// # _ = (request, notebook, tasks);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeRequest<'n> {
    pub(super) least: u32,
    pub(super) most: u32,
    /// How many tasks are spread over as many nodes as it takes; 0 if it names nodes.
    pub(super) tasks: u32,
    /// Of a node, or for a task.
    pub(super) amounts: Amounts,
    /// Of one device; 0 for none.
    pub(super) part: u32,
    pub(super) common: Amounts,
    pub(super) classes: u64,
    pub(super) allowed: &'n [Word],
    pub(super) exclusive: bool,
}

impl<'n> NodeRequest<'n> {
    /// So many nodes, 0 means one, and on each so much.
    pub const fn of(nodes: u32, amounts: Amounts) -> Self {
        let nodes = if nodes == 0 { 1 } else { nodes };
        Self {
            least: nodes,
            most: nodes,
            tasks: 0,
            amounts,
            part: 0,
            common: Amounts::NONE,
            classes: u64::MAX,
            allowed: &[],
            exclusive: false,
        }
    }

    /// So many parts of one device, and so much beside it on its node.
    pub const fn part(parts: u32, amounts: Amounts) -> Self {
        Self { part: parts, ..Self::of(1, amounts) }
    }

    /// So many tasks, 0 means one, and so much for each. They lie on the fewest nodes that have equally many of them each.
    pub const fn tasks(tasks: u32, amounts: Amounts) -> Self {
        let tasks = if tasks == 0 { 1 } else { tasks };
        Self { tasks, ..Self::of(1, amounts) }
    }

    /// The same, and more nodes up to so many, if there are. A part of a device stays on one node, and tasks say themselves on how many
    /// they lie.
    #[must_use]
    pub const fn up_to(self, most: u32) -> Self {
        let most = if most < self.least || self.part > 0 { self.least } else { most };
        Self { most, ..self }
    }

    /// The same, and so much of what the nodes have in common, such as licences.
    #[must_use]
    pub const fn with_common(self, common: Amounts) -> Self {
        Self { common, ..self }
    }

    /// The same on nodes of the classes whose bits are set.
    #[must_use]
    pub const fn in_classes(self, classes: u64) -> Self {
        Self { classes, ..self }
    }

    /// The same on nodes of a set, a bit for each node. An empty slice stands for all of them.
    #[must_use]
    pub const fn among(self, allowed: &'n [Word]) -> Self {
        Self { allowed, ..self }
    }

    /// The same, where nobody else has anything on these nodes.
    #[must_use]
    pub const fn exclusive(self) -> Self {
        Self { exclusive: true, ..self }
    }

    /// Whether a node may be one of those, by its number and class.
    pub(super) fn allows(&self, node: u32, class: u8) -> bool {
        self.classes.wrapping_shr(class.into()) & 1 == 1
            && (self.allowed.is_empty() || bit(self.allowed, 0, node))
    }

    /// The processors that it takes at least.
    pub(super) fn processors(&self) -> u32 {
        let [each, ..] = *self.amounts.all();
        each.saturating_mul(if self.tasks > 0 { self.tasks } else { self.least })
    }

    /// The ways to have it on numbers of nodes: tasks as named nodes, the fewest first.
    pub(super) fn shapes(self, nodes: RangeInclusive<u32>) -> impl Iterator<Item = Self> + use<'n> {
        let named = (self.tasks == 0).then_some(self);
        let most = self.tasks.min(*nodes.end());
        let divides = move |nodes: &u32| self.tasks.checked_rem(*nodes) == Some(0);
        let spread = (*nodes.start()..=most).filter(divides).filter_map(move |nodes| {
            let amounts = self.amounts.times(self.tasks.checked_div(nodes)?)?;
            Some(Self { least: nodes, most: nodes, tasks: 0, amounts, ..self })
        });
        named.into_iter().chain(spread)
    }

    /// Whether `other` fits wherever this one does. Of tasks a divisor of their number does: however they lie, as many of each node, or
    /// of some of the nodes, are left out.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let fewer = self.tasks.checked_rem(other.tasks).unwrap_or(self.tasks);
        fewer == 0
            && (other.tasks == 0) == (self.tasks == 0)
            && other.least <= self.least
            && other.amounts.fits(&self.amounts)
            && other.part <= self.part
            && (other.part == 0) == (self.part == 0)
            && other.common.fits(&self.common)
            && self.classes & !other.classes == 0
            && (other.allowed.is_empty() || other.allowed == self.allowed)
            && other.exclusive <= self.exclusive
    }
}
