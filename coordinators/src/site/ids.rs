//! Numbers of what a site has.

locox::ground::ids! {
    /// A user, by number.
    pub struct UserId;
    /// A queue, by number.
    pub struct QueueId;
    /// A class of jobs: a row of the table of expected times.
    pub struct JobClass;
    /// A machine, by its number on the site.
    pub struct MachineId;
    /// A machine or a cluster: the machines first, then the clusters.
    pub struct ResourceId;
}
