//! What `sacct` is asked for.

/// What to ask `sacct` for: `sacct -a -D -P --format=` and this.
pub const FORMAT: &str = "JobID,User,Group,Partition,State,Submit,Start,End,Elapsed,Suspended,Timelimit,\
                          NNodes,ReqCPUS,AllocCPUS,AllocTRES,ReqTRES";
