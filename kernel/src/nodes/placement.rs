//! The rules by which a request gets its nodes.

crate::data::data! {
    /// Which of the nodes where a request fits it gets. Of equals these are the first, and so it is with devices.
    pub enum Placement {
        /// The first.
        First,
        /// *Best fit*: those where the least is left, the sum over all quantities of the share of the most that a node has.
        /// Of devices held in parts the one with the fewest parts free.
        Best,
        /// *Fewest lost*: those that lose the least of what they could still give to the kinds of requests that they have
        /// [learnt](super::Nodes::learn) of, by GPUs or what else [counts](super::Nodes::keeping). Of devices held in parts the same.
        Fewest,
    }
}
