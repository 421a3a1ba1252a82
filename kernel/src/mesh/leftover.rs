//! What becomes of the nodes that a mesh leaves over.

crate::data::data! {
    /// What becomes of the nodes that a mesh leaves over in its subcube.
    pub enum Leftover {
        /// Others may use them: the auxiliary free list.
        Reused,
        /// They stay with the mesh, so that each mesh holds a whole subcube: the plain strategy.
        Kept,
    }
}

crate::display::display! { Leftover:
    Self::Reused => "reused",
    Self::Kept => "kept",
}
