//! What the tests of meshes share.

use locox::cube::{Dim, Subcube};
use locox::mesh::Shape;

pub(crate) fn dim(dim: u8) -> Dim {
    Dim::new(dim).unwrap()
}

pub(crate) fn rectangle(x: u32, y: u32) -> Shape {
    Shape::rectangle(x, y).unwrap()
}

pub(crate) fn cube(text: &str) -> Subcube {
    text.parse().unwrap()
}

/// All meshes of three axes that need just `dim` dimensions.
pub(crate) fn cuboids(dim: u8) -> impl Iterator<Item = Shape> {
    let sides = 1..=1u32 << dim;
    let all = sides.clone().flat_map(move |x| {
        sides.clone().flat_map(move |y| (1..=1u32 << dim).map(move |z| [x, y, z]))
    });
    all.filter_map(|sides| Shape::try_from(sides).ok()).filter(move |it| it.dim().get() == dim)
}

/// All meshes of two axes that need just `dim` dimensions, lines among them.
pub(crate) fn rectangles(dim: u8) -> impl Iterator<Item = Shape> {
    let all = (1..=1u32 << dim).flat_map(move |x| (1..=1u32 << dim).map(move |y| [x, y, 1]));
    all.filter_map(|sides| Shape::try_from(sides).ok()).filter(move |it| it.dim().get() == dim)
}
