//! What a job asks for besides a number of hosts.

use locox::ground::stored;
locox::ground::data! {
    /// What a job asks for besides a number of hosts; by default nothing.
    #[derive(Default)]
    pub struct Terms {
        /// The set of hosts among which it runs; 0 for all.
        pub set: u16,
        /// Where it stands in the queue: behind those of smaller keys, and among those of the same one as
        /// it came.
        pub key: u16,
        /// How much memory each of its processes needs at most, in the unit of
        /// [`HostMemory`](super::Command::HostMemory); 0 if that does not matter.
        pub memory: u32,
    }
}

stored!(Terms { memory } set + key);
