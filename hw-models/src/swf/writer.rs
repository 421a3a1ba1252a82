//! From jobs to a trace.

use super::Record;
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
    let processors = job.processors.into();
    write_record(
        &Record {
            line: 0,
            number: job.id as i64,
            submit: job.submit.ticks() as i64,
            wait: -1,
            run: job.run.ticks() as i64,
            processors,
            cpu_time: -1,
            memory: -1,
            requested_processors: processors,
            requested_time: job.requested.map_or(-1, |time| time.ticks() as i64),
            requested_memory: -1,
            status: 1,
            user: job.user.map_or(-1, i64::from),
            group: -1,
            executable: -1,
            queue: -1,
            partition: -1,
            preceding: -1,
            think_time: -1,
        },
        out,
    )
}

/// Writes a record as a line; where in a file it stood does not matter.
///
/// # Errors
///
/// Those of `out`.
pub fn write_record(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    let [first, others @ ..] = record.values();
    write!(out, "{first}")?;
    others.iter().try_for_each(|value| write!(out, " {value}"))?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_was_read_is_written_as_it_stood() {
        let text = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n";
        let mut out = vec![];
        write_record(&Record::parse(1, text.trim().as_bytes()).unwrap(), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), text);
    }
}
