//! The gate: a script for `job_submit/lua`, and lines for `slurm.conf`.

use super::queue::FAR;

/// The script `job_submit.lua` for these partitions; `users` may change when jobs start, as root may.
pub(super) fn script(partitions: &[String], users: &[u32]) -> String {
    let names: Vec<_> = partitions.iter().map(|name| format!("[\"{name}\"] = true")).collect();
    let users: String = users.iter().map(|user| format!(", [{user}] = true")).collect();
    include_str!("gate.lua")
        .replace("@PARTITIONS@", &names.join(", "))
        .replace("@FAR@", &FAR.to_string())
        .replace("@USERS@", &users)
}

/// The script, with what to do with it in comments.
pub(super) fn text(partitions: &[String], users: &[u32]) -> String {
    let head = "\
-- Save this as job_submit.lua in the folder of slurm.conf, put these lines into slurm.conf, and run
-- `scontrol reconfigure`. Each partition needs OverSubscribe=EXCLUSIVE: nodes are given whole.
--   JobSubmitPlugins=lua
--   SchedulerParameters=batch_sched_delay=0
-- If there is a job_submit.lua already, call these two functions from its functions of the same names.

";
    format!("{head}{}", script(partitions, users))
}
