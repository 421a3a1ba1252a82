//! Hypercubes: dimensions, nodes, subcubes, the Gray code and E-cube routes.
//!
//! An n-cube has 2^n nodes; two nodes are neighbours if their addresses differ in one bit.
//! Addresses are plain numbers: bit `i` is the coordinate in dimension `i`, and the text form
//! writes the highest dimension first. Source: Turner 1995, chapter 3.

mod address;
pub mod ecube;
pub mod gray;
mod subcube;

pub use address::{Dim, Node, TooManyDimensions};
pub(crate) use subcube::{Marked, word_pattern};
pub use subcube::{Nodes, ParseSubcubeError, Subcube};
