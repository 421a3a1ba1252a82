//! Shapes of meshes: how many nodes along each axis.

use crate::cube::Dim;
use crate::text::read_sides;
use core::str::FromStr;

/// A mesh of one, two or three axes.
///
/// The order of the axes is the orientation: the first one takes the highest coordinates of the
/// subcube. 5x20 and 20x5 take subcubes of the same dimension.
///
/// ```
/// use locox::mesh::Shape;
/// let mesh: Shape = "20x30".parse().unwrap();
/// assert_eq!(Ok(mesh), Shape::rectangle(20, 30));
/// assert_eq!((mesh.nodes(), mesh.dim().get()), (600, 10));
/// ```
///
/// # Invariants
///
/// - Every side is at least 1; axes that are not asked for have side 1.
/// - The subcube has at most [`Dim::MAX`] dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "[u32; 3]", into = "[u32; 3]"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Shape {
    pub(super) sides: [u32; 3],
}

impl Shape {
    /// A row of `x` nodes.
    ///
    /// # Errors
    ///
    /// As [`Shape::cuboid`].
    pub const fn line(x: u32) -> Result<Self, BadShape> {
        Self::cuboid(x, 1, 1)
    }

    /// A mesh of `x` by `y` nodes.
    ///
    /// # Errors
    ///
    /// As [`Shape::cuboid`].
    pub const fn rectangle(x: u32, y: u32) -> Result<Self, BadShape> {
        Self::cuboid(x, y, 1)
    }

    /// A mesh of `x` by `y` by `z` nodes.
    ///
    /// # Errors
    ///
    /// [`BadShape::ZeroSide`], or [`BadShape::TooLarge`] if its subcube had more dimensions than
    /// [`Dim::MAX`].
    pub const fn cuboid(x: u32, y: u32, z: u32) -> Result<Self, BadShape> {
        if x == 0 || y == 0 || z == 0 {
            return Err(BadShape::ZeroSide);
        }
        let (Some(a), Some(b), Some(c)) = (Dim::holding(x), Dim::holding(y), Dim::holding(z))
        else {
            return Err(BadShape::TooLarge);
        };
        if a.get() + b.get() + c.get() > Dim::MAX.get() {
            return Err(BadShape::TooLarge);
        }
        Ok(Self { sides: [x, y, z] })
    }

    /// The mesh for a request that only counts nodes: of the rectangles of exactly `nodes` nodes
    /// that lie in the smallest subcube of so many nodes, the one nearest to a square, the shorter
    /// side first. There is always one, if only a line; so nothing is rounded up.
    ///
    /// Source: the choice is ours; Turner 1995 only says that the closest 2-D mesh is assumed.
    /// Cost: the square root of `nodes` divisions.
    ///
    /// # Errors
    ///
    /// [`BadShape`] for zero, and beyond 2^24.
    ///
    /// ```
    /// use locox::mesh::Shape;
    /// assert_eq!(Shape::of_nodes(600), Shape::rectangle(24, 25));
    /// assert_eq!(Shape::of_nodes(15), Shape::rectangle(1, 15)); // 3x5 would need 32 nodes
    /// ```
    pub fn of_nodes(nodes: u32) -> Result<Self, BadShape> {
        let line = Self::rectangle(1, nodes)?;
        let exact = |x: u32| {
            let whole = nodes.checked_rem(x) == Some(0);
            let y = nodes.checked_div(x).filter(|_| whole)?;
            Self::rectangle(x, y).ok().filter(|mesh| mesh.dim() == line.dim())
        };
        Ok((1..=nodes.isqrt()).rev().find_map(exact).unwrap_or(line))
    }

    /// Nodes along each axis, first axis first.
    pub const fn sides(&self) -> [u32; 3] {
        self.sides
    }

    /// Nodes of the mesh.
    pub const fn nodes(&self) -> u32 {
        let [x, y, z] = self.sides;
        x.wrapping_mul(y).wrapping_mul(z)
    }

    /// Dimensions of the smallest subcube that the mesh lies in with neighbours kept neighbours.
    pub const fn dim(&self) -> Dim {
        let [a, b, c] = self.dims();
        match Dim::new(a.wrapping_add(b).wrapping_add(c)) {
            Some(dim) => dim,
            None => Dim::MAX,
        }
    }

    /// Dimensions for each axis.
    pub(super) const fn dims(&self) -> [u8; 3] {
        let [x, y, z] = self.sides;
        [log2_up(x), log2_up(y), log2_up(z)]
    }
}

/// log2 of a side, rounded up.
const fn log2_up(side: u32) -> u8 {
    (u32::BITS - side.saturating_sub(1).leading_zeros()) as u8
}

// As `20x30`; sides of 1 are left out at the end.
crate::display::display! { Shape:
    Self { sides: [x, 1, 1] } => "{x}",
    Self { sides: [x, y, 1] } => "{x}x{y}",
    Self { sides: [x, y, z] } => "{x}x{y}x{z}",
}

crate::display::errors! {
    /// Sides that are no mesh.
    #[derive(Hash)]
    pub enum BadShape {
        /// A side of no nodes.
        ZeroSide => "a mesh has at least one node along each axis",
        /// A subcube of more dimensions than [`Dim::MAX`].
        TooLarge => "a mesh needs at most {} dimensions" (Dim::MAX),
    }

    /// Text that is not a mesh.
    pub enum ParseShapeError {
        /// Not one to three numbers below 2^32 with `x` between them.
        Malformed => "a mesh is written as 20x30: one to three sides",
        /// The numbers are no mesh.
        Bad(shape: BadShape) => "{shape}",
    }
}

impl FromStr for Shape {
    type Err = ParseShapeError;

    fn from_str(text: &str) -> Result<Self, ParseShapeError> {
        let sides = read_sides(text, 1, |side| side.parse().ok());
        Self::try_from(sides.ok_or(ParseShapeError::Malformed)?).map_err(ParseShapeError::Bad)
    }
}

impl From<Shape> for [u32; 3] {
    fn from(shape: Shape) -> Self {
        shape.sides
    }
}

impl TryFrom<[u32; 3]> for Shape {
    type Error = BadShape;

    fn try_from([x, y, z]: [u32; 3]) -> Result<Self, BadShape> {
        Self::cuboid(x, y, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::string::ToString;

    #[test]
    fn bad_sides_are_refused_with_the_reason() {
        assert_eq!(Shape::line(0), Err(BadShape::ZeroSide));
        assert_eq!(Shape::cuboid(4, 4, 0), Err(BadShape::ZeroSide));
        assert_eq!(Shape::of_nodes(0), Err(BadShape::ZeroSide));
        assert_eq!(Shape::line((1 << 24) + 1), Err(BadShape::TooLarge));
        assert_eq!(Shape::line(u32::MAX), Err(BadShape::TooLarge));
        assert_eq!(Shape::rectangle(1 << 12, (1 << 12) + 1), Err(BadShape::TooLarge));
        assert_eq!(Shape::of_nodes((1 << 24) + 1), Err(BadShape::TooLarge));
        assert_eq!(Shape::line(1 << 24).map(|mesh| mesh.dim()), Ok(Dim::MAX));
    }

    #[test]
    fn each_axis_takes_the_dimensions_that_hold_its_side() {
        for (sides, dim) in [([1, 1, 1], 0), ([5, 1, 1], 3), ([5, 5, 1], 6), ([20, 30, 1], 10)] {
            assert_eq!(Shape::try_from(sides).unwrap().dim().get(), dim, "{sides:?}");
        }
        assert_eq!(Shape::cuboid(3, 5, 9).unwrap().dim().get(), 2 + 3 + 4);
    }

    #[test]
    fn a_mesh_of_a_count_has_just_that_many_nodes_in_the_smallest_subcube() {
        for nodes in 1..=5000 {
            let mesh = Shape::of_nodes(nodes).unwrap();
            assert_eq!(mesh.nodes(), nodes);
            assert_eq!(Some(mesh.dim()), Dim::holding(nodes));
            let [x, y, _] = mesh.sides();
            assert!(x <= y);
            let nearer = (x + 1..=y).find(|x| {
                nodes % x == 0
                    && x * x <= nodes
                    && Shape::rectangle(*x, nodes / x).unwrap().dim() == mesh.dim()
            });
            assert_eq!(nearer, None, "{nodes}");
        }
    }

    #[test]
    fn a_shape_reads_as_it_prints() {
        for text in ["1", "7", "1x7", "20x30", "3x1x2", "4x5x6"] {
            assert_eq!(text.parse::<Shape>().unwrap().to_string(), text);
        }
        for text in ["", "x", "3x", "1x2x3x4", "-1", "5X5", "4294967296"] {
            assert_eq!(text.parse::<Shape>(), Err(ParseShapeError::Malformed), "{text}");
        }
        assert_eq!("0x3".parse::<Shape>(), Err(ParseShapeError::Bad(BadShape::ZeroSide)));
    }
}
