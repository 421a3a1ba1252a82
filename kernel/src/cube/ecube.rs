//! E-cube routing: differing bits are corrected from the lowest dimension to the highest.
//!
//! The route between two nodes is unique and free of deadlock. Source: Turner 1995, section 3.2.

use super::{Dim, Node};

/// A directed channel: from `from` to its neighbour in dimension `dim`. The direction is in the
/// address: bit `dim` of `from` tells whether the channel goes up or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Channel {
    /// The node at which the channel starts.
    pub from: Node,
    /// The dimension that it crosses.
    pub dim: Dim,
}

impl Channel {
    /// The node at which the channel ends.
    pub const fn to(self) -> Node {
        self.from.neighbour(self.dim)
    }
}

/// The first channel on the route from `source` to `target`; `None` at the target.
///
/// ```
/// use locox::cube::{Dim, Node, ecube};
/// let hop = ecube::next_hop(Node(0b110), Node(0b011)).unwrap();
/// assert_eq!((hop.dim, hop.to()), (Dim::ZERO, Node(0b111)));
/// ```
pub fn next_hop(source: Node, target: Node) -> Option<Channel> {
    let differing = source.0 ^ target.0;
    let dim = Dim::new(differing.trailing_zeros() as u8)?;
    Some(Channel { from: source, dim })
}

/// The channels from `source` to `target` in the order of travel; as many as their distance.
/// Addresses that differ above [`Dim::MAX`] end the route early.
pub fn route(source: Node, target: Node) -> impl Iterator<Item = Channel> {
    let mut at = source;
    core::iter::from_fn(move || {
        let hop = next_hop(at, target)?;
        at = hop.to();
        Some(hop)
    })
}

/// Whether the route from `source` to `target` uses `channel`. Constant cost.
///
/// Lemma 1 of Turner 1995: it does exactly if source and channel agree above the channel's
/// dimension, target and channel agree below it, and that bit changes in the channel's direction.
///
/// ```
/// use locox::cube::{Dim, Node, ecube};
/// let channel = ecube::Channel { from: Node(0b111), dim: Dim::new(1).unwrap() };
/// assert!(ecube::uses(Node(0b110), Node(0b001), channel));
/// assert!(!ecube::uses(Node(0b110), Node(0b010), channel));
/// ```
pub const fn uses(source: Node, target: Node, channel: Channel) -> bool {
    let bit = channel.dim.nodes();
    let below = bit - 1;
    let above = !(below | bit);
    let starts = (source.0 ^ channel.from.0) & (above | bit) == 0;
    let ends = (target.0 ^ channel.from.0) & below == 0 && (target.0 ^ channel.from.0) & bit != 0;
    starts && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_correct_bits_upwards_and_are_as_long_as_the_distance() {
        for source in 0..64 {
            for target in 0..64 {
                let (source, target) = (Node(source), Node(target));
                let mut at = source;
                let mut last = None;
                for hop in route(source, target) {
                    assert_eq!(hop.from, at);
                    assert!(last < Some(hop.dim), "dimensions rise");
                    last = Some(hop.dim);
                    at = hop.to();
                }
                assert_eq!(at, target);
                assert_eq!(route(source, target).count() as u32, source.distance(target));
            }
        }
    }

    #[test]
    fn lemma_1_says_what_the_route_does() {
        let dims = 5;
        for source in (0..1 << dims).map(Node) {
            for target in (0..1 << dims).map(Node) {
                for from in (0..1 << dims).map(Node) {
                    for dim in (0..dims).map(|dim| Dim::new(dim).unwrap()) {
                        let channel = Channel { from, dim };
                        let walked = route(source, target).any(|hop| hop == channel);
                        assert_eq!(uses(source, target, channel), walked);
                    }
                }
            }
        }
    }
}
