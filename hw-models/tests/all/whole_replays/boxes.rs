//! Boxes in meshes and tori, the first free one in the order in which they are tried.

use super::named::{Named, Nodes};

type Sides = [u32; 3];

/// Three axes of so many nodes, all lines or all rings.
pub(super) struct FirstBox {
    axes: Sides,
    rings: bool,
    /// By number of nodes, in the order in which they are tried.
    boxes: Vec<Vec<Nodes>>,
}

impl FirstBox {
    pub(super) fn new(axes: Sides, rings: bool) -> Self {
        let nodes = axes.iter().product::<u32>() as usize;
        let mut machine = Self { axes, rings, boxes: vec![vec![]; nodes + 1] };
        let mut shapes: Vec<Sides> = cells(axes).map(|at| at.map(|it| it + 1)).collect();
        shapes.sort_by_key(|&sides| (machine.surface(sides), sides));
        for sides in shapes {
            let boxes: Vec<Nodes> =
                machine.origins(sides).map(|at| machine.at(at, sides)).collect();
            machine.boxes[sides.iter().product::<u32>() as usize].extend(boxes);
        }
        machine
    }

    fn surface(&self, sides: Sides) -> u32 {
        let nodes: u32 = sides.iter().product();
        let open = sides.iter().zip(self.axes).filter(|&(&side, axis)| side < axis);
        open.map(|(side, _)| 2 * nodes / side).sum()
    }

    /// By rows along the longest axis, the other axes in their order; a box that fills a ring begins at 0 there.
    fn origins(&self, sides: Sides) -> impl Iterator<Item = Sides> + use<> {
        let along = |axis: usize| match self.rings && sides[axis] < self.axes[axis] {
            true => self.axes[axis],
            false => self.axes[axis] - sides[axis] + 1,
        };
        let longest = (0..3).rev().max_by_key(|&axis| self.axes[axis]).unwrap();
        let mut order = vec![longest];
        order.extend((0..3).filter(|&axis| axis != longest));
        let lengths = [along(order[0]), along(order[1]), along(order[2])];
        cells(lengths).map(move |cell| {
            let mut at = [0; 3];
            order.iter().zip(cell).for_each(|(&axis, coordinate)| at[axis] = coordinate);
            at
        })
    }

    fn at(&self, origin: Sides, sides: Sides) -> Nodes {
        let [x, y, _] = self.axes;
        let node = |cell: Sides| {
            let [a, b, c] = std::array::from_fn(|i| (origin[i] + cell[i]) % self.axes[i]);
            a + x * (b + y * c)
        };
        cells(sides).map(node).collect()
    }
}

/// All coordinates, the first one running fastest.
fn cells([x, y, z]: Sides) -> impl Iterator<Item = Sides> {
    (0..z).flat_map(move |c| (0..y).flat_map(move |b| (0..x).map(move |a| [a, b, c])))
}

impl Named for FirstBox {
    fn nodes(&self) -> u32 {
        self.axes.iter().product()
    }

    /// A job holds the fewest nodes, so many or more, that make up a box.
    fn find(&self, free: &Nodes, processors: u32) -> Option<Nodes> {
        let mut enough = self.boxes.iter().skip(processors as usize);
        enough.find(|it| !it.is_empty())?.iter().find(|&it| free.has(it)).copied()
    }
}
