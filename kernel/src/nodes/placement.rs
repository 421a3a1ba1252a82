//! The rules by which a request gets its nodes.

crate::data::data! {
    /// Which of the nodes where a request fits it gets. Of equals these are the first, and so it is with devices.
    pub enum Placement {
        /// The first.
        First,
        /// *Best fit*: those where the least is left, the sum over all quantities of the share of the most that a node has.
        /// Of devices held in parts the one with the fewest parts free.
        Best,
        /// *Fewest lost*: those that lose the least of what they could still give to requests like the ones
        /// [learnt](super::Nodes::learn) of, by GPUs or what else room is [kept for](super::Nodes::keeping); of equals the best fit. Devices held
        /// in parts likewise.
        Fewest,
    }
}
