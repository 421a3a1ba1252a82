//! What is asked for, and which shapes that allows.

use super::cells::{At, Cells, plain};
use locox::grid::{BoxRequest, Sides};
use std::collections::BTreeMap;

/// A request that owns its shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// [`BoxRequest::Fixed`].
    Fixed(Sides),
    /// [`BoxRequest::Turned`].
    Turned(Sides),
    /// [`BoxRequest::AnyOf`].
    AnyOf(Vec<Sides>),
    /// [`BoxRequest::Nodes`].
    Nodes(u32),
}

impl Ask {
    /// The same for the kernel.
    pub fn request(&self) -> BoxRequest<'_> {
        match self {
            Self::Fixed(sides) => BoxRequest::Fixed(*sides),
            Self::Turned(sides) => BoxRequest::Turned(*sides),
            Self::AnyOf(all) => BoxRequest::AnyOf(all),
            Self::Nodes(nodes) => BoxRequest::Nodes(*nodes),
        }
    }

    /// The shapes that there are in the machine, those of one rank together, by rank.
    pub fn ranks(&self, cells: &Cells) -> Vec<Vec<At>> {
        let fits = |sides: &At| (0..4).all(|axis| sides[axis] <= cells.nodes[axis]);
        match self {
            Self::Fixed(sides) => vec![[plain(*sides)].into_iter().filter(fits).collect()],
            Self::Turned(sides) => vec![turned(plain(*sides)).into_iter().filter(fits).collect()],
            Self::AnyOf(all) => {
                all.iter().map(|&it| plain(it)).filter(fits).map(|it| vec![it]).collect()
            }
            Self::Nodes(nodes) => {
                let mut ranks = BTreeMap::<_, Vec<_>>::new();
                for sides in cells.shapes() {
                    if sides.iter().product::<usize>() == *nodes as usize {
                        ranks.entry(cells.surface(sides)).or_default().push(sides);
                    }
                }
                ranks.into_values().collect()
            }
        }
    }
}

/// Each side along each axis, without those that are the same, by which side goes first.
fn turned(sides: At) -> Vec<At> {
    let mut all = vec![];
    for order in 0..256 {
        let order = [order / 64, order / 16 % 4, order / 4 % 4, order % 4];
        let is_order = (0..4).all(|axis| order.contains(&axis));
        let turned = order.map(|axis| sides[axis]);
        if is_order && !all.contains(&turned) {
            all.push(turned);
        }
    }
    all
}
