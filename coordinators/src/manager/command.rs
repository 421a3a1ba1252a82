//! What the coordinator hears.

use super::{Key, NodeId, UserId};
use crate::coordinate::variants;
use locox::time::{Duration, Instant};

variants! {
    /// What is so in the resource manager: facts, which start nothing; and [`Decide`](Self::Decide), which does.
    pub enum Command {
        /// A job that is new waits for so many nodes, for no longer than `limit`. A larger priority is served
        /// earlier. Its user is known from now on. If all rows for users are in use, a new user gets that of one who is
        /// [as new](super::User::is_as_new).
        Seen { key: Key, user: UserId, nodes: u32, limit: Duration, priority: u32 } = 0,
        /// A job has other terms. It keeps its place among those of its priority. Of one that has nodes the number of
        /// nodes counts when it waits again.
        Changed { key: Key, nodes: u32, limit: Duration, priority: u32 } = 1,
        /// Somebody holds a job, or lets it go. It keeps its place. One that was to be started waits again.
        Held { key: Key, held: bool } = 2,
        /// A job runs since `since` on so many nodes from `first` on, and on no others: as was decided, or begun by
        /// somebody else, or moved there. A time that is yet to come means now. On other nodes see
        /// [`RunsAlso`](Self::RunsAlso). What was to be started on these nodes waits again.
        Runs { key: Key, since: Instant, first: NodeId, nodes: u32 } = 3,
        /// A job that runs does so on these nodes as well.
        RunsAlso { key: Key, first: NodeId, nodes: u32 } = 4,
        /// A job that ran, or was to be started or stopped, waits again. It stands where it stood.
        Waits { key: Key } = 5,
        /// A job has ended, was cancelled, or is gone.
        Left { key: Key } = 6,
        /// Nodes are out of service, or taken by jobs that are not ours. What runs there runs on; what was to be
        /// started there waits again.
        NodeOut { first: NodeId, nodes: u32 } = 7,
        /// Nodes are in service again.
        NodeBack { first: NodeId, nodes: u32 } = 8,
        /// A user has a share of so many times that of a user of weight 1, if there are
        /// [enough nodes](locox::fair::TimedUpDown::set_weight). He is known from now on.
        Weight { user: UserId, weight: u16 } = 9,
        /// A user without jobs is to be forgotten, with his weight and with what he has had.
        UserGone { user: UserId } = 10,
        /// All that is known has been told: start what can start.
        Decide = 11,
        /// A job is to end by then; at [`Instant::MAX`] it has no deadline, as at first.
        Deadline { key: Key, by: Instant } = 12,
        /// A job is to be a [mesh](locox::mesh::Shape) of these sides. As long as they are not as many nodes as it asks
        /// for, as at first, it is the one [nearest to a square](locox::mesh::Shape::of_nodes). With
        /// [`Places::Boxes`](super::Places::Boxes) it is to be a box of these sides, turned as it fits, if the machine has such a
        /// one. With other places it has no meaning. Of a job that has nodes it counts when that waits again.
        Shape { key: Key, sides: [u32; 3] } = 13,
        /// Nodes are to be out of service from a time on until another, or nobody of ours is to have them then: no job starts there
        /// that may still run, and none is promised them. What runs there runs on. That they are out is told when they are. Told
        /// twice it counts once, and once it is over it is forgotten. If jobs can have any nodes they get the lowest
        /// numbers among those that are free until they end.
        Outage { first: NodeId, nodes: u32, from: Instant, to: Instant } = 14,
        /// An outage that was told does not take place, or is over earlier.
        NoOutage { first: NodeId, nodes: u32, from: Instant, to: Instant } = 15,
        /// A job that waits is to start at the earliest time from `from` on, and to end by `by`. The nodes that it gets then are kept
        /// for it, beside those of jobs that run, of outages and of other reservations, and before those that are promised; until then it
        /// does not stand in line. If it has a reservation, this is another one.
        Reserve { key: Key, from: Instant, by: Instant } = 16,
        /// A job stands in line again, and nothing is kept for it.
        NoReservation { key: Key } = 17,
        /// A job may be stopped for another, as at first, or not. If one that must not be is to stop, nothing is kept any more for the job
        /// for which it was.
        Stoppable { key: Key, stoppable: bool } = 18,
        /// What a job has done up to then is not lost if it is stopped, until it waits again. A time that is yet to come means now.
        Saved { key: Key, at: Instant } = 19,
    }
}
