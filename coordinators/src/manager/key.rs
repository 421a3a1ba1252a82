//! What things are called by the manager, and by its users.

use locox::ground::{ids, stored};
ids! {
    /// A node: a number from 0 on, without gaps.
    pub struct NodeId;
    /// A user: any number, such as a Unix uid.
    pub struct UserId;
}

locox::ground::data! {
    /// The name of a job: its number in the resource manager, and when it was submitted there, in seconds. Managers
    /// give a number again when they have lost a job or have run out of numbers; the time tells the two apart. Names are
    /// ordered by number, then by time.
    #[derive(Default, PartialOrd, Ord)]
    pub struct Key {
        /// The manager's number.
        pub id: u64,
        /// When it was submitted there, in seconds.
        pub born: u32,
    }

    /// Nodes that follow each other.
    pub struct NodeRange {
        /// The first of them.
        pub first: NodeId,
        /// How many they are.
        pub nodes: u32,
    }
}

impl NodeRange {
    /// The numbers of its nodes.
    pub(super) fn numbers(self) -> impl Iterator<Item = u32> {
        (self.first.0..).take(self.nodes as usize)
    }
}

locox::ground::display! { Key: Self { id, born } => "{id} of {born}" }

locox::ground::display! { NodeRange:
    Self { first, nodes: 1 } => "{first}",
    Self { first, nodes } => "{first}-{}" (u64::from(first.0).saturating_add(u64::from(*nodes)).saturating_sub(1)),
}

stored!(Key { id, born });
