//! A mesh or a torus in slices: a plane of the first two axes for each place along the others, side by side.

use super::plan::{Label, Part, Parts, Plan};
use locox::cube::Node;
use locox::grid::{Cuboid, Grid};
use locox_models::machine::Token;

/// The most nodes that are drawn: 16 x 16 x 16.
const MOST_NODES: u32 = 1 << 12;

pub(super) const CAPTION: &str = "The first axis runs to the right, the second downwards; a plane for each place along the third (and the fourth), \
     one after the other. The ends of a ring are neighbours. A job has a colour and a number.";

/// Room between planes, and for the name of one above it.
const GAP: u32 = 14;
const NAME: u32 = 20;
/// As wide as planes may be side by side.
const WIDTH: u32 = 720;

pub(super) fn plan(grid: Grid) -> Option<Plan> {
    if grid.nodes() > MOST_NODES {
        return None;
    }
    let [columns, rows, third, fourth] = sides(grid).map(u32::from);
    let planes = third * fourth;
    let cell = if grid.nodes() > 1 << 10 { 10 } else { 20 };
    let name = if planes > 1 { NAME } else { 0 };
    let (width, height) = (columns * cell + GAP, rows * cell + GAP + name);
    let across = (WIDTH / width).clamp(1, planes);
    let corner = |plane: u32| (plane % across * width, plane / across * height + name);
    let at = |Node(node)| {
        let (plane, row) = (node / (columns * rows), node / columns % rows);
        let (x, y) = corner(plane);
        (Node(node), x + node % columns * cell, y + row * cell)
    };
    let label = |plane: u32| {
        let (x, y) = corner(plane);
        let text = match fourth {
            1 => plane.to_string(),
            _ => format!("{},{}", plane % third, plane / third),
        };
        Label { text, place: format!("translate({} {})", x + 1, y - 5), anchor: "start" }
    };
    Some(Plan {
        size: (across * width, planes.div_ceil(across) * height),
        cell,
        nodes: (0..grid.nodes()).map(Node).map(at).collect(),
        hatched: false,
        labels: (0..planes).filter(|_| planes > 1).map(label).collect(),
    })
}

pub(super) fn parts(token: Token) -> Option<Parts> {
    let Token::Box(lease) = token else { return None };
    let place = lease.cuboid();
    Some((place.to_string(), part(place), vec![part(place)]))
}

pub(super) fn part(place: Cuboid) -> Part {
    Part::Box(place.corner(), place.sides().all())
}

/// Nodes along each of four axes.
pub(super) fn sides(grid: Grid) -> [u8; 4] {
    let mut sides = [1; 4];
    sides.iter_mut().zip(grid.axes()).for_each(|(side, axis)| *side = axis.nodes());
    sides
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_node_has_a_square_of_its_own_inside_the_drawing() {
        for text in
            ["torus:16x16x16", "mesh:32x32", "mesh:4x18", "torus:3x2x4x5", "mesh:64", "mesh:1x1x9"]
        {
            let plan = plan(text.parse().unwrap()).unwrap();
            let places: HashSet<_> = plan.nodes.iter().map(|&(_, x, y)| (x, y)).collect();
            assert_eq!(places.len(), plan.nodes.len(), "{text}");
            let (width, height) = plan.size;
            for &(_, x, y) in &plan.nodes {
                assert!(x + plan.cell <= width && y + plan.cell <= height, "{text}");
            }
            let apart = |(a, b): (u32, u32)| a.is_multiple_of(plan.cell) || b > 0;
            assert!(places.into_iter().all(apart));
        }
    }

    #[test]
    fn a_machine_that_would_fill_megabytes_is_not_drawn() {
        assert!(plan("torus:32x32x8".parse().unwrap()).is_none());
    }
}
