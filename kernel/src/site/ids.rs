//! Numbers of what a site has.

crate::coordinate::ids! {
    /// A user, by number.
    UserId,
    /// A queue, by number.
    QueueId,
    /// A class of jobs: a row of the table of expected times.
    JobClass,
    /// A machine, by its number on the site.
    MachineId,
    /// A machine or a cluster: the machines first, then the clusters.
    ResourceId,
}
