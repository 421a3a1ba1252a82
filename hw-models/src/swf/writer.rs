//! From jobs to a trace.

use crate::workload::{Job, Workload};
use std::io::{self, Write};

/// Writes a workload as a trace: a header with its notes, then a record for each job. Times are
/// taken for seconds; what a workload does not know (waits, users' groups and the like) is -1.
///
/// # Errors
///
/// Those of `out`.
pub fn write(workload: &Workload, out: &mut dyn Write) -> io::Result<()> {
    let jobs = workload.jobs.len();
    writeln!(out, "; Version: 2.2")?;
    writeln!(out, "; Computer: {}", workload.name)?;
    writeln!(out, "; MaxJobs: {jobs}\n; MaxRecords: {jobs}\n; Preemption: No")?;
    if let Some(processors) = workload.processors {
        writeln!(out, "; MaxNodes: {processors}\n; MaxProcs: {processors}")?;
    }
    for note in &workload.notes {
        writeln!(out, "; Note: {note}")?;
    }
    workload.jobs.iter().try_for_each(|job| write_job(job, out))
}

fn write_job(job: &Job, out: &mut dyn Write) -> io::Result<()> {
    let Job { id, processors, .. } = job;
    let (submit, run) = (job.submit.ticks(), job.run.ticks());
    let requested = job.requested.map_or(-1, |time| time.ticks() as i64);
    let user = job.user.map_or(-1, i64::from);
    writeln!(
        out,
        "{id} {submit} -1 {run} {processors} -1 -1 {processors} {requested} -1 1 {user} -1 -1 -1 \
         -1 -1 -1"
    )
}
