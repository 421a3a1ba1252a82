//! What becomes of the nodes that a mesh leaves over.

/// What becomes of the nodes that a mesh leaves over in its subcube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Leftover {
    /// Others may use them: the auxiliary free list.
    Reused,
    /// They stay with the mesh, so that each mesh holds a whole subcube: the plain strategy.
    Kept,
}

crate::display::display! { Leftover:
    Self::Reused => "reused",
    Self::Kept => "kept",
}
