//! A hypercube as Turner's thesis draws it: as a mesh with Gray-coded axes.

use super::plan::{Label, Part, Parts, Plan};
use locox::cube::{Dim, Node, Subcube, gray};
use locox_models::machine::Token;

/// The most dimensions that are drawn: 32 by 32 nodes.
const MOST_DIMS: Dim = Dim::new(10).unwrap();

pub(super) const CAPTION: &str = "Rows are the higher half of the address, columns the lower, in the order of the Gray code: neighbours in the map, also \
     round its edges, are neighbours in the cube. A job has a colour and a number; hatched is what its mesh leaves over in its \
     subcube.";

/// A cell, and a digit of a label.
const CELL: u32 = 20;
const DIGIT: u32 = 9;

pub(super) fn plan(dims: Dim) -> Option<Plan> {
    let (rows, columns) = sides(dims);
    // Room for the labels of an axis.
    let labels = 8 + DIGIT * columns.trailing_zeros();
    let corner = |at: u32| labels + at * CELL;
    let middle = |at: u32| corner(at) + CELL / 2;
    let of_row = |row| Label {
        text: codeword(row, rows),
        place: format!("translate({} {})", labels - 6, middle(row) + 5),
        anchor: "end",
    };
    let of_column = |column| Label {
        text: codeword(column, columns),
        place: format!("translate({} {}) rotate(-90)", middle(column) + 5, labels - 6),
        anchor: "start",
    };
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let at = |(row, column)| (node(row, column, columns), corner(column), corner(row));
    (dims <= MOST_DIMS).then(|| Plan {
        size: (corner(columns) + 2, corner(rows) + 2),
        cell: CELL,
        nodes: all.map(at).collect(),
        hatched: true,
        labels: (0..rows).map(of_row).chain((0..columns).map(of_column)).collect(),
    })
}

pub(super) fn parts(token: Token) -> Option<Parts> {
    match token {
        Token::Lease(lease) => {
            let cube = lease.cube();
            Some((cube.to_string(), part(cube), vec![part(cube)]))
        }
        Token::Mesh(lease) => {
            let mesh = lease.mesh();
            let shape = format!("{} in {}", mesh.shape(), mesh.cube());
            Some((shape, part(mesh.cube()), mesh.region().map(part).collect()))
        }
        Token::Box(_) | Token::Slot(_) => None,
    }
}

pub(super) fn part(cube: Subcube) -> Part {
    Part::Subcube(cube.base().0, cube.mask())
}

/// Rows and columns of the map: the higher half of the address counts rows.
fn sides(dims: Dim) -> (u32, u32) {
    let low = dims.get().div_ceil(2);
    (1 << (dims.get() - low), 1 << low)
}

fn node(row: u32, column: u32, columns: u32) -> Node {
    Node((gray::encode(row).0 * columns) | gray::encode(column).0)
}

/// The codeword in binary, as wide as all of the axis are.
fn codeword(index: u32, size: u32) -> String {
    let Node(code) = gray::encode(index);
    match size.trailing_zeros() as usize {
        0 => String::new(),
        bits => format!("{code:0bits$b}"),
    }
}
