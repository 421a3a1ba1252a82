//! Numbers with a meaning: a dimension and a node address.

use crate::bits::WORD_LOG2;

/// A number of dimensions, or the index of one: `0..=Dim::MAX`.
///
/// ```
/// use locox::cube::Dim;
/// let seven = Dim::new(7).unwrap();
/// assert_eq!(seven.nodes(), 128);
/// assert_eq!(Dim::new(25), None);
/// assert_eq!(Dim::holding(100), Some(seven)); // the smallest cube of at least 100 nodes
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Dim(u8);

impl Dim {
    /// No dimension: a single node.
    pub const ZERO: Self = Self(0);
    /// The most dimensions that a cube may have, 24: 2^24 nodes.
    pub const MAX: Self = Self(24);

    /// How many there are, zero included.
    pub const COUNT: usize = Self::MAX.0 as usize + 1;

    /// The number as a dimension; `None` above [`Dim::MAX`].
    pub const fn new(dim: u8) -> Option<Self> {
        if dim <= Self::MAX.0 { Some(Self(dim)) } else { None }
    }

    /// The dimension of the smallest cube that holds `nodes` nodes; `None` if none does.
    pub const fn holding(nodes: u32) -> Option<Self> {
        match nodes.checked_next_power_of_two() {
            Some(size) => Self::new(size.trailing_zeros() as u8),
            None => None,
        }
    }

    /// The plain number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Nodes of a cube of so many dimensions.
    pub const fn nodes(self) -> u32 {
        1 << self.0
    }

    /// One dimension less; `None` below zero.
    pub const fn down(self) -> Option<Self> {
        match self.0.checked_sub(1) {
            Some(dim) => Some(Self(dim)),
            None => None,
        }
    }

    /// One dimension more; `None` above [`Dim::MAX`].
    pub const fn up(self) -> Option<Self> {
        Self::new(self.0 + 1)
    }

    /// Dimensions from zero to this one, this one included.
    pub fn up_to(self) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..=self.0).map(Self)
    }

    /// From a count of at most 32 set bits, which code has already bounded by [`Dim::MAX`].
    pub(crate) const fn of_mask(mask: u32) -> Self {
        Self(mask.count_ones() as u8)
    }
}

impl From<Dim> for u8 {
    fn from(dim: Dim) -> Self {
        dim.0
    }
}

/// So that `3.try_into()` works whatever the literal is taken for.
macro_rules! try_from {
    ($($number:ty)+) => {$(
        impl TryFrom<$number> for Dim {
            type Error = TooManyDimensions;

            fn try_from(dim: $number) -> Result<Self, TooManyDimensions> {
                u8::try_from(dim).ok().and_then(Self::new).ok_or(TooManyDimensions)
            }
        }
    )+};
}

try_from!(u8 u32 usize i32);

/// More dimensions than [`Dim::MAX`], or fewer than none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyDimensions;

crate::display::error! { TooManyDimensions: _ => "a cube has 0 to {} dimensions" (Dim::MAX) }

crate::display::named! { Dim: "" }

/// The address of a node.
///
/// ```
/// use locox::cube::Node;
/// assert_eq!(Node(0b0110).distance(Node(0b0011)), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(transparent)]
pub struct Node(pub u32);

impl Node {
    /// The number of dimensions in which the addresses differ: hops between the nodes.
    pub const fn distance(self, other: Self) -> u32 {
        (self.0 ^ other.0).count_ones()
    }

    /// The neighbour in dimension `dim`.
    pub const fn neighbour(self, dim: Dim) -> Self {
        Self(self.0 ^ dim.nodes())
    }

    /// The word of a bit vector that has its bit.
    pub(crate) const fn word(self) -> usize {
        (self.0 >> WORD_LOG2) as usize
    }

    /// The bases that a subcube with this node in it can have: its address with some ones made zeros.
    /// The nearest first: small cubes are many, and so are aligned ones.
    pub(crate) fn bases_around(self) -> impl Iterator<Item = Self> {
        let farther = move |&base: &u32| Some(base.checked_sub(1)? & self.0);
        core::iter::successors(Some(self.0), farther).map(Self)
    }
}

crate::display::named! { Node: "" }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_are_numbers_up_to_the_most() {
        assert_eq!(Dim::try_from(24).map(u8::from), Ok(24));
        assert_eq!(Dim::try_from(25), Err(TooManyDimensions));
        assert_eq!(Dim::try_from(-1), Err(TooManyDimensions));
        assert_eq!((Dim::MAX.get(), Dim::COUNT), (24, 25));
    }
}
