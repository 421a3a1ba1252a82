//! Numbers that the caller gives to hosts, users and jobs.

crate::ids! {
    /// A host: a number from 0 on, without gaps.
    pub struct HostId;

    /// A user: whatever number the caller has for him.
    pub struct UserId;

    /// A job, named by the number of its row in the table. The caller numbers his jobs.
    pub struct JobNumber;
}
