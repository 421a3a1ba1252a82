//! Which nodes a job can have together.

use crate::boxes::Boxes;
use crate::cube::Cube;
use crate::names::Names;
use crate::tree::Tree;

/// Which nodes a job can have together. All but [`Any`](Self::Any) give each node its number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Places {
    /// Any.
    #[default]
    Any,
    /// Those of a subcube.
    Subcubes(Cube),
    /// Those of a mesh in a subcube, whose other nodes are lent to other jobs.
    Meshes(Cube),
    /// Those of a box in a mesh or torus.
    Boxes(Boxes),
    /// Those of one domain of the lowest level that has room.
    Tree(Tree),
}

impl Places {
    /// Whether a job can have any nodes.
    pub const fn are_any(&self) -> bool {
        matches!(self, Self::Any)
    }

    /// The names of the nodes by their numbers. A number without a name has no node.
    fn numbered(&self) -> Option<&[Option<String>]> {
        match self {
            Self::Any => None,
            Self::Subcubes(cube) | Self::Meshes(cube) => Some(cube.numbered()),
            Self::Boxes(boxes) => Some(boxes.numbered()),
            Self::Tree(tree) => Some(tree.numbered()),
        }
    }

    /// How many numbers of nodes there are; `None` if the configuration says so elsewhere.
    pub fn numbers(&self) -> Option<u32> {
        self.numbered().map(|nodes| nodes.len() as u32)
    }

    /// All numbers with their names; `None` if nodes get numbers when they are first seen.
    pub fn names(&self) -> Option<Names> {
        self.numbered().map(Names::numbered)
    }

    /// The nodes that the configuration names.
    pub fn nodes(&self) -> impl Iterator<Item = &str> {
        self.numbered().unwrap_or_default().iter().flatten().map(String::as_str)
    }

    /// The most nodes that a job can have while all nodes are in service and nothing runs; `None` if that is all of them.
    pub fn most(&self) -> Option<u32> {
        match self {
            Self::Any => None,
            Self::Subcubes(cube) | Self::Meshes(cube) => Some(cube.most()),
            Self::Boxes(boxes) => Some(boxes.most()),
            Self::Tree(tree) => Some(tree.most()),
        }
    }

    /// What the nodes of a job must be together, if more free nodes than it asks for may still be no place for it.
    pub const fn shape(&self) -> Option<&'static str> {
        match self {
            Self::Any | Self::Tree(_) => None,
            Self::Subcubes(_) | Self::Meshes(_) => Some("subcube"),
            Self::Boxes(_) => Some("box"),
        }
    }

    /// The section of the configuration that names the nodes.
    pub const fn section(&self) -> Option<&'static str> {
        match self {
            Self::Any => None,
            Self::Subcubes(_) | Self::Meshes(_) | Self::Boxes(_) => Some("[addresses]"),
            Self::Tree(_) => Some("[domains]"),
        }
    }
}
