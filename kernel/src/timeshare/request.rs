//! What a job asks for.

use super::UserId;

crate::data::data! {
    /// What a job asks for.
    pub struct Request {
        /// Whose job it is.
        pub user: UserId,
        /// How many hosts, at least one.
        pub hosts: u32,
        /// Whether its first process synchronises the others, as that of a barrier does. Such a process
        /// computes nearly all the time, and all others wait for it.
        pub synchronising: bool,
    }
}

impl Request {
    /// A job whose processes are all alike.
    pub const fn new(user: UserId, hosts: u32) -> Self {
        Self { user, hosts, synchronising: false }
    }
}
