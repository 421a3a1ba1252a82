//! One line a job, in the columns that Batsim writes and evalys reads.
//!
//! Source of columns and their meaning: Batsim's documentation, `docs/output-jobs.rst`. Times are
//! seconds. What is not known is empty: the energy always, most fields of a rejected job. Metadata say what a job
//! was promised while it waited: `promised=120;last=90`, the first start and the last, and then why it ever became
//! later, as in `;later=overrun+outage`.

use super::{JobRecord, Promise};
use std::io::{self, Write};

const COLUMNS: [&str; 17] = [
    "job_id",
    "workload_name",
    "profile",
    "submission_time",
    "requested_number_of_resources",
    "requested_time",
    "success",
    "final_state",
    "starting_time",
    "execution_time",
    "finish_time",
    "waiting_time",
    "turnaround_time",
    "stretch",
    "consumed_energy",
    "allocated_resources",
    "metadata",
];

/// Writes jobs, one at a time, in Batsim's columns.
///
/// Each job is one call of `out`, which should have a buffer. The profile is Batsim's `delay`: a job takes
/// a fixed time whatever it runs on.
///
/// ```
/// use locox_models::machine::Pool;
/// use locox_models::replay::{BatsimWriter, Options, QueueKind, replay};
/// use locox_models::workload::synthetic::Synthetic;
/// let day = Synthetic::cube_day().generate(1, 0).unwrap();
/// let mut queue = QueueKind::Easy.queue(day.jobs.len(), 128);
/// let mut table = BatsimWriter::new(&day.name, Vec::new()).unwrap();
/// let outcome = replay(&day, &mut Pool::new(128), &mut *queue, &Options::default()).unwrap();
/// outcome.jobs.iter().try_for_each(|job| table.write(job)).unwrap();
/// let text = String::from_utf8(table.into_inner()).unwrap();
/// assert!(text.starts_with("job_id,workload_name,profile,submission_time,"));
/// assert_eq!(text.lines().count(), 1 + day.jobs.len());
/// ```
pub struct BatsimWriter<W> {
    out: W,
    line: Line,
}

impl<W: Write> BatsimWriter<W> {
    /// Writes the names of the columns.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn new(workload: &str, mut out: W) -> io::Result<Self> {
        out.write_all((COLUMNS.join(",") + "\n").as_bytes())?;
        let constant = format!("{},delay,", quoted(workload)).into_bytes();
        Ok(Self { out, line: Line { constant, text: Vec::new() } })
    }

    /// Writes a job.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(&mut self, job: &JobRecord) -> io::Result<()> {
        self.line.fill(job);
        self.out.write_all(&self.line.text)
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// A line of the table.
///
/// - `constant` is the second and the third column, with a comma behind each.
struct Line {
    constant: Vec<u8>,
    text: Vec<u8>,
}

impl Line {
    fn fill(&mut self, job: &JobRecord) {
        self.text.clear();
        self.put(job.id);
        self.text.extend_from_slice(&self.constant);
        self.put(job.submit.ticks());
        self.put(job.processors.into());
        match job.requested {
            Some(requested) => self.put(requested.ticks()),
            None => self.text.push(b','),
        }
        if job.success {
            self.put_run(job);
        } else {
            self.text.extend_from_slice(b"0,REJECTED,,,,,,,,");
        }
        self.text.extend_from_slice(job.allocated.as_deref().unwrap_or_default().as_bytes());
        self.text.push(b',');
        job.promise.iter().for_each(|promise| self.put_promise(promise));
        self.text.push(b'\n');
    }

    fn put_promise(&mut self, promise: &Promise) {
        let Promise { first, last, later } = promise;
        let text = format!("promised={};last={}", first.ticks(), last.ticks());
        self.text.extend_from_slice(text.as_bytes());
        if !later.is_empty() {
            self.text.extend_from_slice(format!(";later={later}").as_bytes());
        }
    }

    /// From whether it ran to what energy it took.
    fn put_run(&mut self, job: &JobRecord) {
        self.text.extend_from_slice(b"1,COMPLETED_SUCCESSFULLY,");
        let (run, turnaround) = (job.run(), job.turnaround());
        [job.start.ticks(), run, job.finish.ticks(), job.wait(), turnaround]
            .into_iter()
            .for_each(|value| self.put(value));
        match run {
            0 => {}
            _ if turnaround == run => self.text.extend_from_slice(b"1.0"),
            _ => {
                // With a point, as in Python, up to 10^16: a column of numbers then reads and writes as the
                // same bytes.
                let stretch = turnaround as f64 / run as f64;
                write!(self.text, "{stretch:?}").expect("a Vec takes any text");
            }
        }
        self.text.extend_from_slice(b",,");
    }

    fn put(&mut self, value: u64) {
        self.text.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
        self.text.push(b',');
    }
}

/// A field that holds any text.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Reasons;
    use locox::dispatch::Cause;
    use locox::time::{Duration, Instant};

    fn ran() -> JobRecord {
        let at = Instant::from_ticks;
        JobRecord {
            id: 7,
            submit: at(100),
            start: at(130),
            finish: at(190),
            processors: 3,
            held: 4,
            requested: Some(Duration::from_ticks(90)),
            success: true,
            allocated: Some("0-1 8-9".into()),
            token: None,
            promise: None,
            promised_places: vec![],
        }
    }

    fn lines(workload: &str, jobs: &[JobRecord]) -> Vec<String> {
        let mut writer = BatsimWriter::new(workload, Vec::new()).unwrap();
        jobs.iter().for_each(|job| writer.write(job).unwrap());
        let text = String::from_utf8(writer.into_inner()).unwrap();
        assert!(text.ends_with('\n'));
        text.lines().skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn a_job_that_ran_and_one_that_was_rejected() {
        let ran = ran();
        let at = Instant::from_ticks;
        let rejected = JobRecord {
            id: 8,
            start: at(100),
            finish: at(100),
            held: 0,
            requested: None,
            success: false,
            allocated: None,
            ..ran.clone()
        };
        assert_eq!(
            lines("trace", &[ran, rejected]),
            [
                "7,trace,delay,100,3,90,1,COMPLETED_SUCCESSFULLY,130,60,190,30,90,1.5,,0-1 8-9,",
                "8,trace,delay,100,3,,0,REJECTED,,,,,,,,,",
            ]
        );
    }

    #[test]
    fn metadata_say_what_was_promised() {
        let at = Instant::from_ticks;
        let promise = Promise { first: at(140), last: at(130), later: Reasons::default() };
        let kept = JobRecord { promise: Some(promise), ..ran() };
        assert!(lines("t", &[kept])[0].ends_with(",0-1 8-9,promised=140;last=130"));
        let later = Reasons::new(&[Cause::Passed, Cause::Outage, Cause::Overrun]);
        let moved = JobRecord { promise: Some(Promise { later, ..promise }), ..ran() };
        assert!(lines("t", &[moved])[0].ends_with(";last=130;later=outage+overrun+passed"));
    }

    #[test]
    fn a_stretch_has_a_point_and_there_is_none_without_a_run() {
        let at = Instant::from_ticks;
        let stretch = |start: u64, finish: u64| {
            let job = JobRecord { start: at(start), finish: at(finish), ..ran() };
            lines("t", &[job])[0].split(',').nth(13).unwrap().to_owned()
        };
        assert_eq!(stretch(100, 130), "1.0");
        assert_eq!(stretch(130, 160), "2.0");
        assert_eq!(stretch(110, 140), "1.3333333333333333");
        assert_eq!(stretch(120, 120), "");
        assert_eq!(stretch(100 + (1 << 60), 101 + (1 << 60)), "1.152921504606847e18");
    }

    #[test]
    fn a_name_with_commas_or_quotes_is_quoted() {
        let second = |name: &str| {
            let line = lines(name, &[ran()]).join("\n");
            line.strip_prefix("7,").unwrap().split(",delay,").next().unwrap().to_owned()
        };
        assert_eq!(second("a b;c"), "a b;c");
        assert_eq!(second("a,b"), "\"a,b\"");
        assert_eq!(second("say \"a\""), "\"say \"\"a\"\"\"");
        assert_eq!(second("a\nb"), "\"a\nb\"");
    }
}
