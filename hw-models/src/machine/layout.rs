//! Machines whose jobs get boxes of nodes, by name.

use locox::cube::Node;
use locox::grid::{BoxRequest, Grid, Sides};
use locox::mesh::Shape;
use std::fmt;
use std::str::FromStr;

/// A mesh or a torus, or nodes in blocks; and which boxes a job may get of it.
///
/// In a mesh or a torus a job gets just so many nodes as it asks for or, where no box has so many, the
/// fewest more that make one up, in any of their shapes. A job that asks for a mesh gets that box in any
/// rotation.
///
/// `blocks:18x4` is 18 blocks of 4 nodes, each block behind a switch, the blocks in a line. A job of
/// at most 4 nodes gets neighbours inside one block; a larger one gets whole blocks, side by side
/// anywhere in the line, however few of their nodes it asked for. So no block serves a part of a
/// large job and something else. Meshes do not matter there. What it leaves out: nodes behind one
/// switch are alike, so that a small job could take any that are free in a block; blocks that are not side
/// by side could serve one job, at the cost of links between switches; and nothing holds blocks
/// together to larger ones.
///
/// ```
/// use locox_models::machine::Layout;
/// let torus: Layout = "torus:16x16x16".parse()?;
/// assert_eq!((torus.processors(), torus.held(64), torus.held(17)), (4096, Some(64), Some(18)));
/// let blocks: Layout = "blocks:18x4".parse()?;
/// assert_eq!((blocks.processors(), blocks.held(3), blocks.held(5)), (72, Some(3), Some(8)));
/// assert_eq!(blocks.to_string(), "blocks:18x4");
/// # Ok::<(), locox_models::machine::BadLayout>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Of blocks: along the first axis the nodes of a block, along the second the blocks.
    grid: Grid,
    in_blocks: bool,
}

/// Text that is no layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "write torus:XxYxZ, mesh:XxY or blocks:BxM, one to four sides of 1 to 64 (an r behind a side of a \
     mesh makes it a ring), at most {} nodes",
    Grid::MOST_NODES
)]
pub struct BadLayout;

impl Layout {
    /// A mesh or a torus.
    pub const fn of(grid: Grid) -> Self {
        Self { grid, in_blocks: false }
    }

    /// So many blocks of so many nodes; `None` unless both are 1 to 64.
    pub fn blocks(blocks: u8, nodes: u8) -> Option<Self> {
        Some(Self { grid: Grid::mesh(&[nodes, blocks])?, in_blocks: true })
    }

    /// The mesh or torus that its nodes are counted in: of blocks, as many along the first axis as a
    /// block has nodes, along the second as there are blocks.
    pub const fn grid(self) -> Grid {
        self.grid
    }

    /// Whether its nodes are in blocks, each behind a switch.
    pub const fn is_in_blocks(self) -> bool {
        self.in_blocks
    }

    /// Nodes that it has.
    pub const fn processors(self) -> u32 {
        self.grid.nodes()
    }

    /// Nodes that a job of so many holds; `None` of none, and of more than there are. Cost: a look at each
    /// node.
    pub fn held(self, processors: u32) -> Option<u32> {
        let boxes = self.boxes().map(|sides| sides.nodes());
        boxes.filter(|&nodes| nodes >= processors).min().filter(|_| processors > 0)
    }

    /// For each number of processors what [`Layout::held`] says, 0 of none.
    pub(crate) fn rounded(self) -> Vec<u32> {
        let mut rounded = vec![0; self.processors() as usize + 1];
        self.boxes().for_each(|sides| rounded[sides.nodes() as usize] = sides.nodes());
        let mut next = 0;
        for held in rounded[1..].iter_mut().rev() {
            next = if *held > 0 { *held } else { next };
            *held = next;
        }
        rounded
    }

    /// What to ask for so that a job holds so many nodes, one of the numbers of [`Layout::held`].
    pub(crate) fn of_nodes(self, held: u32) -> BoxRequest<'static> {
        if !self.in_blocks {
            return BoxRequest::Nodes(held);
        }
        let block = u32::from(self.side(0));
        let sides = [held.min(block) as u8, held.div_ceil(block) as u8];
        BoxRequest::Fixed(Sides::new(&sides).expect("no more than it has"))
    }

    /// What to ask for so that a job gets its mesh, where meshes matter; `None` inside if no box is so large.
    pub(super) fn of_mesh(self, mesh: Shape) -> Option<Option<Sides>> {
        let sides = mesh.sides().map(|side| u8::try_from(side).unwrap_or(u8::MAX));
        let fits = |sides: &Sides| sides.rotations(self.grid).next().is_some();
        (!self.in_blocks).then(|| Sides::new(&sides).filter(fits))
    }

    /// Nodes along an axis.
    fn side(self, axis: usize) -> u8 {
        self.grid.axes().get(axis).map_or(1, |axis| axis.nodes())
    }

    /// All boxes that jobs may get that only count nodes.
    fn boxes(self) -> impl Iterator<Item = Sides> {
        let sides = move |node| Sides::new(&self.grid.coordinates(node)?.map(|at| at + 1));
        let all = (0..self.processors()).map(Node).filter_map(sides);
        let block = self.side(0);
        all.filter(move |sides| {
            let [nodes, blocks, ..] = sides.all();
            !self.in_blocks || blocks == 1 || nodes == block
        })
    }
}

/// As it is read: `torus:16x16x16`, `mesh:16x4r`, `blocks:18x4`.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.in_blocks {
            true => f.pad(&format!("blocks:{}x{}", self.side(1), self.side(0))),
            false => f.pad(&self.grid.to_string()),
        }
    }
}

impl FromStr for Layout {
    type Err = BadLayout;

    fn from_str(text: &str) -> Result<Self, BadLayout> {
        let Some(numbers) = text.strip_prefix("blocks:") else {
            return text.parse().map(Self::of).map_err(|_| BadLayout);
        };
        let (blocks, nodes) = numbers.split_once('x').ok_or(BadLayout)?;
        let number = |text: &str| text.parse().map_err(|_| BadLayout);
        Self::blocks(number(blocks)?, number(nodes)?).ok_or(BadLayout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Layout {
        text.parse().unwrap()
    }

    #[test]
    fn a_layout_reads_as_it_prints() {
        for text in ["torus:16x16x16", "mesh:32x32", "mesh:16x4r", "blocks:18x4", "blocks:1x64"] {
            assert_eq!(layout(text).to_string(), text);
        }
        for wrong in [
            "",
            "torus",
            "blocks:",
            "blocks:18",
            "blocks:0x4",
            "blocks:65x4",
            "blocks:4x4x4",
            "mesh:x",
        ] {
            assert_eq!(wrong.parse::<Layout>(), Err(BadLayout), "{wrong}");
        }
    }

    /// The fewest nodes of all products of sides, tried one by one.
    #[test]
    fn a_job_holds_the_fewest_nodes_that_make_up_a_box() {
        for (text, [a, b, c]) in [("torus:5x3x4", [5u32, 3, 4]), ("mesh:7x2", [7, 2, 1])] {
            let rounded = layout(text).rounded();
            for asked in 1..=a * b * c {
                let of = (1..=asked.max(a * b * c)).find(|nodes| {
                    let sides = (1..=a).flat_map(|x| (1..=b).map(move |y| (x, y)));
                    let mut left = sides.filter(|(x, y)| nodes % (x * y) == 0);
                    *nodes >= asked && left.any(|(x, y)| nodes / (x * y) <= c)
                });
                assert_eq!(layout(text).held(asked), of, "{text} {asked}");
                assert_eq!(rounded[asked as usize], of.unwrap());
            }
            assert_eq!((layout(text).held(0), layout(text).held(a * b * c + 1)), (None, None));
        }
    }

    #[test]
    fn jobs_larger_than_a_block_get_whole_blocks() {
        let blocks = layout("blocks:18x4");
        let held = [1, 2, 3, 4, 5, 8, 9, 71, 72].map(|asked| blocks.held(asked).unwrap());
        assert_eq!(held, [1, 2, 3, 4, 8, 8, 12, 72, 72]);
        assert_eq!(blocks.of_nodes(3), BoxRequest::Fixed("3".parse().unwrap()));
        assert_eq!(blocks.of_nodes(12), BoxRequest::Fixed("4x3".parse().unwrap()));
    }
}
