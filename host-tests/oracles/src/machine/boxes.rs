//! Boxes in meshes and tori.

use super::Naive;
use crate::grid::{At, Cells, plain, sides_of};
use locox::cube::Node;
use locox::grid::{Anchors, BoxRequest, Boxes, Cuboid, Grid, Placement, Sides};

/// A machine whose boxes begin anywhere.
pub struct Shaped {
    /// It.
    pub grid: Grid,
    /// Which of the free boxes a request gets.
    pub placement: Placement,
    /// Whether they are isolated.
    pub isolating: bool,
}

/// Requests of each kind.
fn requests(cells: &Cells) -> Vec<BoxRequest<'static>> {
    let shapes: Vec<Sides> = cells.shapes().into_iter().map(sides_of).collect();
    let pair: &'static [Sides] = Vec::leak(shapes.iter().rev().take(2).copied().collect());
    let fixed = shapes.iter().map(|&it| BoxRequest::Fixed(it));
    let turned = shapes.iter().map(|&it| BoxRequest::Turned(it));
    let nodes = (1..=cells.count() as u32 + 1).map(BoxRequest::Nodes);
    fixed.chain(turned).chain(nodes).chain([BoxRequest::AnyOf(pair)]).collect()
}

/// Whether a shape is one of those that a request allows.
fn allows(of: &BoxRequest<'_>, shape: At) -> bool {
    let sorted = |mut at: At| {
        at.sort_unstable();
        at
    };
    match of {
        BoxRequest::Fixed(sides) => plain(*sides) == shape,
        BoxRequest::Turned(sides) => sorted(plain(*sides)) == sorted(shape),
        BoxRequest::AnyOf(all) => all.iter().any(|it| plain(*it) == shape),
        BoxRequest::Nodes(nodes) => shape.iter().product::<usize>() as u32 == *nodes,
    }
}

impl Naive for Shaped {
    type Machine = Boxes;

    fn machine(&self) -> Boxes {
        let boxes = Boxes::new(self.grid, self.placement, Anchors::Any).unwrap();
        if self.isolating { boxes.isolating() } else { boxes }
    }

    fn nodes(&self) -> u32 {
        self.grid.nodes()
    }

    fn requests(&self) -> Vec<BoxRequest<'static>> {
        requests(&Cells::new(self.grid))
    }

    fn node(&self, node: u32) -> Cuboid {
        Cuboid::new(self.grid, Node(node), "1".parse().unwrap()).unwrap()
    }

    fn set(&self, place: &Cuboid) -> u64 {
        place.nodes().fold(0, |set, node| set | 1 << node.0)
    }

    fn choices(&self, of: &BoxRequest<'static>) -> Vec<u64> {
        let cells = Cells::new(self.grid);
        let may = |&shape: &At| {
            allows(of, shape) && (!self.isolating || sides_of(shape).are_isolated(self.grid))
        };
        let boxes = |shape: At| {
            (0..cells.count()).filter_map({
                let cells = &cells;
                move |from| cells.of_box(cells.at(from), shape)
            })
        };
        let set = |cells: Vec<usize>| cells.into_iter().fold(0, |set, cell| set | 1 << cell);
        cells.shapes().into_iter().filter(may).flat_map(boxes).map(set).collect()
    }
}

/// A machine whose boxes begin at steps, of which only the law is known here: [`Model`](crate::grid::Model) has the rules.
pub struct InSteps {
    /// It.
    pub grid: Grid,
    /// Where they begin.
    pub anchors: Anchors,
}

impl InSteps {
    /// The machine, if the kernel has one of this kind, and requests.
    pub fn parts(&self) -> Option<(Boxes, Vec<BoxRequest<'static>>)> {
        let boxes = Boxes::new(self.grid, Placement::First, self.anchors)?;
        Some((boxes, requests(&Cells::new(self.grid))))
    }
}
