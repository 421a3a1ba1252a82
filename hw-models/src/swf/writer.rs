//! From jobs to a trace.

use super::{Compression, Record};
use crate::workload::{Job, Workload};
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};
use std::collections::HashSet;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Writes a workload as a trace: a header with its notes, then a record for each job. Times are
/// taken for seconds; what a workload does not know (waits, users' groups and the like) is -1.
///
/// # Errors
///
/// Those of `out`; [`ErrorKind::InvalidInput`], and nothing is written, if the name or a note has a line break,
/// behind which its rest would stand as a record.
pub fn write(workload: &Workload, out: &mut dyn Write) -> io::Result<()> {
    write_under(&[], workload, out)
}

/// As [`write()`], under the [lines of the header](super::Header::lines) of the trace that the jobs came from.
/// Their numbers of jobs and records give way to those of the workload, and a note that they have
/// stands once.
///
/// # Errors
///
/// As [`write()`].
pub fn write_under(lines: &[String], workload: &Workload, out: &mut dyn Write) -> io::Result<()> {
    let header = header(lines, workload);
    if let Some(broken) = header.iter().find(|line| line.contains(['\n', '\r'])) {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            format!("{broken:?} has a line break, and a line of a header ends there"),
        ));
    }
    header.iter().try_for_each(|line| writeln!(out, ";{line}"))?;
    workload.jobs.iter().try_for_each(|job| write_job(job, out))
}

const MAX_JOBS: &str = "MaxJobs";
const MAX_RECORDS: &str = "MaxRecords";

/// The lines of the header, without the semicolon.
fn header(lines: &[String], workload: &Workload) -> Vec<String> {
    let jobs = workload.jobs.len();
    let of = |line: &str, field: &str| line.split(':').next().is_some_and(|it| it.trim() == field);
    let has = |field: &str| lines.iter().any(|line| of(line, field));
    let mut header = vec![];
    let mut put = |field: &str, value: &dyn std::fmt::Display| {
        if !has(field) || [MAX_JOBS, MAX_RECORDS].contains(&field) {
            header.push(format!(" {field}: {value}"));
        }
    };
    put("Version", &"2.2");
    put("Computer", &workload.name);
    put(MAX_JOBS, &jobs);
    put(MAX_RECORDS, &jobs);
    put("Preemption", &"No");
    if let Some(processors) = workload.processors.filter(|_| !has("MaxNodes") && !has("MaxProcs")) {
        put("MaxNodes", &processors);
        put("MaxProcs", &processors);
    }
    header.extend(lines.iter().filter(|it| !of(it, MAX_JOBS) && !of(it, MAX_RECORDS)).cloned());
    let lines = lines.iter().map(|line| line.trim());
    let told: HashSet<&str> = lines
        .flat_map(|line| [Some(line), line.strip_prefix("Note:").map(str::trim)])
        .flatten()
        .collect();
    let notes = workload.notes.iter().filter(|note| !told.contains(&note[..]));
    header.extend(notes.map(|note| format!(" Note: {note}")));
    header
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

/// Endings of what is compressed or packed in a way that is not written here.
const FOREIGN: [&str; 15] = [
    "7z", "br", "bz2", "lz", "lz4", "lzma", "lzo", "rar", "rz", "tbz2", "tgz", "txz", "z", "zip",
    "zst",
];

/// How a file of this name is compressed, by its ending in letters of either case.
///
/// # Errors
///
/// [`ErrorKind::InvalidInput`] if that is a way that is not written.
///
/// ```
/// use locox_models::swf::{Compression, compression_of};
/// let of = |name: &str| compression_of(name.as_ref());
/// assert_eq!(of("day.swf.GZ").unwrap(), Compression::Gzip);
/// assert_eq!(of("day.swf").unwrap(), Compression::Plain);
/// assert_eq!(of("d.bz2").unwrap_err().to_string(), "nothing is compressed to .bz2; end its name in .gz, .xz or neither");
/// ```
pub fn compression_of(name: &Path) -> io::Result<Compression> {
    let ending = name.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match &ending[..] {
        "gz" => Ok(Compression::Gzip),
        "xz" => Ok(Compression::Xz),
        foreign if FOREIGN.contains(&foreign) => Err(io::Error::new(
            ErrorKind::InvalidInput,
            format!("nothing is compressed to .{foreign}; end its name in .gz, .xz or neither"),
        )),
        _ => Ok(Compression::Plain),
    }
}

/// Compresses what is written [as the name says](compression_of).
///
/// # Errors
///
/// Those of the name, of `out` and of `write`.
pub fn encode(
    name: &Path,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    match compression_of(name)? {
        Compression::Gzip => {
            let mut encoder = GzEncoder::new(out, flate2::Compression::default());
            write(&mut encoder)?;
            encoder.finish().map(|_| ())
        }
        Compression::Xz => {
            let mut encoder = XzWriter::new(out, XzOptions::default())?;
            write(&mut encoder)?;
            encoder.finish().map(|_| ())
        }
        Compression::Plain => write(out),
    }
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
