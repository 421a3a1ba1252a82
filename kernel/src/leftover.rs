//! What becomes of the nodes that a job leaves over in what was set aside for it.

crate::data::data! {
    /// What becomes of the nodes that a mesh leaves over in its subcube, a box in its blocks.
    pub enum Leftover {
        /// Others may use them: the auxiliary free list of meshes, boxes anywhere in such a block.
        Reused,
        /// They stay with the mesh, so that each mesh holds a whole subcube, the plain strategy; and
        /// boxes begin where steps say, in such a block too.
        Kept,
    }
}

crate::display::display! { Leftover:
    Self::Reused => "reused",
    Self::Kept => "kept",
}
