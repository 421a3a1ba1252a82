//! Line by line through the output of `sacct`.

use super::columns::Columns;
use super::error::{SacctError, SacctErrorKind};
use super::lines;
use super::options::Options;
use super::report::{Drop, Report};
use super::row::{self, Directory};
use super::run::Run;
use crate::swf::{BadLines, Strictness, uncompressed};
use locox::nodes::Amounts;
use std::collections::BTreeSet;
use std::io::{BufRead, Read};
use std::path::Path;

/// The jobs that ran and ended, in the order of their submission.
#[derive(Debug)]
pub struct Accounting {
    /// What was kept and what was dropped.
    pub report: Report,
    pub(super) runs: Vec<Run>,
    pub(super) directory: Directory,
}

/// Reads what `sacct -P` printed, plain or compressed by gzip or xz; `path` is its name in errors.
///
/// A bad line is dropped and counted; a million of them in a row are an error. Memory: about 400 bytes for each job kept, 16 MiB of names, and with
/// [demands](Options::demands) 256 MiB of these.
///
/// # Errors
///
/// [`SacctError`], if nothing can be imported at all.
///
/// ```
/// use locox_models::sacct::{Options, import};
/// let text = "JobID|User|State|Submit|Start|End|AllocCPUS|Timelimit\n\
///             7|ada|COMPLETED|2026-03-01T08:00:00|2026-03-01T08:00:30|2026-03-01T09:00:30|16|02:00:00\n\
///             7.batch||COMPLETED|2026-03-01T08:00:30|2026-03-01T08:00:30|2026-03-01T09:00:30|16|\n\
///             8|ada|PENDING|2026-03-01T08:10:00|Unknown|Unknown|0|02:00:00\n";
/// let accounting = import("day.txt", text.as_bytes(), &Options::default()).unwrap();
/// assert_eq!((accounting.report.kept.jobs, accounting.report.dropped.len()), (1, 2));
/// let mut trace = vec![];
/// accounting.write("day.txt", None, true, &mut trace).unwrap();
/// let trace = String::from_utf8(trace).unwrap();
/// assert!(trace.ends_with("\n1 0 30 3600 16 -1 -1 -1 7200 -1 1 1 -1 -1 -1 -1 -1 -1\n"), "{trace}");
/// ```
pub fn import(
    path: impl AsRef<Path>,
    input: impl Read + Send + 'static,
    options: &Options,
) -> Result<Accounting, SacctError> {
    let path = path.as_ref();
    let read = uncompressed(input).map_err(|kind| SacctErrorKind::Read(kind.into()));
    read.and_then(|(_, mut source)| all(&mut *source, options))
        .map_err(|kind| SacctError { path: path.into(), kind })
}

fn all(source: &mut dyn BufRead, options: &Options) -> Result<Accounting, SacctErrorKind> {
    let mut buffer = vec![];
    let header = lines::next(source, 1, &mut buffer)?.ok_or(SacctErrorKind::Empty)?;
    let header = String::from_utf8_lossy(header).into_owned();
    let columns = Columns::named(&header, options)?;
    let (mut runs, mut report, mut directory) = (vec![], Report::default(), Directory::default());
    let (mut incomplete, mut bad) = (BTreeSet::new(), BadLines::new(Strictness::Lenient));
    for line in 2.. {
        let Some(text) = lines::next(source, line, &mut buffer)? else { break };
        let text = String::from_utf8_lossy(text);
        // Files of several days, one behind the other, have several headers.
        if text.trim().is_empty() || text == header.as_str() {
            continue;
        }
        report.lines += 1;
        let row = row::run(line, &text, &columns, options);
        match row {
            Err(why) if why.is_bad() => {
                let skipped = bad.bad(why, |last| last);
                skipped.map_err(|why| SacctErrorKind::AllBad { line, why })?;
            }
            _ => bad.good(),
        }
        match row {
            Ok(run) => runs.push(directory.numbered(run)?),
            Err(why) => {
                report.drop(line, why);
                incomplete.extend(row::unended(why, &text, &columns));
            }
        }
        if runs.len() + incomplete.len() > options.room {
            return Err(SacctErrorKind::NoRoom(options.room));
        }
    }
    runs.retain(|run| {
        let is_whole = run.whole().is_none_or(|job| !incomplete.contains(&job));
        if !is_whole {
            report.drop(run.line, Drop::Incomplete);
        }
        is_whole
    });
    runs.sort_unstable();
    let runs = jobs(runs, &mut report);
    if runs.is_empty() {
        return Err(SacctErrorKind::NoJobs { lines: report.lines, why: report.commonest() });
    }
    let quantities = directory.lists.quantities(runs.iter().map(|run| run.resources)).len();
    // Beside cores.
    if quantities >= Amounts::MOST {
        return Err(SacctErrorKind::Quantities(quantities));
    }
    Ok(Accounting { report, runs, directory })
}

/// Of sorted runs: drops what stands there twice, joins components, and counts.
fn jobs(sorted: Vec<Run>, report: &mut Report) -> Vec<Run> {
    let mut jobs: Vec<Run> = Vec::with_capacity(sorted.len());
    let (mut last, mut open): (Option<Run>, bool) = (None, false);
    for run in sorted {
        if last.is_some_and(|last| last.repeats(&run)) {
            report.drop(run.line, Drop::Twice);
            continue;
        }
        let part = last.is_some_and(|last| last.goes_with(&run));
        last = Some(run);
        report.kept.components += u64::from(run.id.component.is_some());
        match jobs.last_mut().filter(|_| part) {
            Some(job) => {
                job.join(&run);
                report.kept.heterogeneous += u64::from(!open);
                open = true;
            }
            None => {
                jobs.push(run);
                open = false;
            }
        }
    }
    count(&jobs, report);
    jobs
}

fn count(jobs: &[Run], report: &mut Report) {
    let kept = &mut report.kept;
    let number = |of: &dyn Fn(&Run) -> bool| jobs.iter().filter(|job| of(job)).count() as u64;
    kept.jobs = jobs.len() as u64;
    kept.tasks = number(&|job| job.id.task.is_some());
    kept.suspended = number(&|job| job.suspended);
    kept.unlimited = number(&|job| job.limit.is_none());
    let mut ids: Vec<_> = jobs.iter().map(|job| job.id).collect();
    ids.sort_unstable();
    kept.requeued = ids.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn a_million_lines_in_a_row_that_cannot_be_read_are_an_error() {
        let header = "JobID|State|Submit|Start|End|AllocCPUS\n";
        let (job, step) = ("7|COMPLETED|0|5|65|4\n", "7.batch|COMPLETED|0|5|65|4\n");
        let bad = "7|x\n".repeat(999_999);
        let read = |text: String| {
            let read = import("day", Cursor::new(text), &Options::default());
            read.map(|it| it.report.kept.jobs).map_err(|error| error.to_string())
        };
        assert_eq!(read(format!("{header}{bad}{job}{bad}{step}{bad}")), Ok(1));
        let told = read(format!("{header}{job}{bad}7|x\n")).unwrap_err();
        let said = "day: line 1000002: not as many fields as the header has (the last of 1000000 bad lines in a row); ask";
        assert!(told.starts_with(said), "{told}");
        // What can be read is not bad, however much of it is no job.
        assert_eq!(read(format!("{header}{job}{}", step.repeat(1_000_001))), Ok(1));
    }
}
