//! `locox replay` in one way on a pool: the trace is read job by job while it is replayed.
//!
//! This is for regular files, which can be read again if the header asks for a cube after all. What a user is
//! told is what he is told of a trace that is read as a whole: a fault of the trace goes before all others,
//! so where another one ends the replay, the rest of the trace is still read.

use super::delivery::{LONG_LINE, provenance, warn_of_long_line};
use super::replay_setup::{in_file, lead, machine, methods_on, outages, owner, title};
use crate::cli::{MachineSpec, Replay};
use crate::comparison::{self, About, Run, file_name};
use crate::jobs::{Worst, worst_table};
use crate::memory;
use crate::method::Method;
use crate::output::Publication;
use crate::queue::Queue;
use locox_models::file;
use locox_models::machine::{Machine, Pool};
use locox_models::moment::Moment;
use locox_models::outages::Outage;
use locox_models::replay::{
    BatsimWriter, JobRecord, Observer, Order, Outcome, QueueKind, ReplayError, replay_observed,
};
use locox_models::swf::{self, Strictness, SwfError, SwfErrorKind};
use locox_models::workload::{Job, JobStream, LoadScale, OfferedLoad, Selection, name_of};
use locox_report::failure::Failure;
use locox_report::line::Line;
use locox_report::progress::Progress;
use locox_report::report::Report;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

/// The report, and the table of jobs in `publication`; `None` if the trace has to be read as a whole.
pub(super) fn report(
    options: &Replay,
    strictness: Strictness,
    publication: &mut Publication,
    command_line: &str,
) -> Result<Option<Report>, Failure> {
    if options.sort || !fs::metadata(&options.trace).is_ok_and(|found| found.is_file()) {
        return Ok(None);
    }
    let input = |error: SwfError| Failure::Input(error.to_string());
    let (progress, mut reader) = opened(options, strictness).map_err(input)?;
    let mut source = Source::new(options, &mut reader, &progress)?;
    source.begin().map_err(input)?;
    let asked = machine(options, source.jobs.reader().header())
        .and_then(|machine| Ok((machine, methods_on(options, machine)?)));
    let (machine, methods) = asked.map_err(|failure| source.first_fault(failure))?;
    let (MachineSpec::Pool(processors), &[method]) = (machine, &methods[..]) else {
        return Ok(None);
    };
    let Queue::Line(queue) = method.queue else { return Ok(None) };
    let outages = outages(options, machine, strictness);
    let outages = outages.map_err(|failure| source.first_fault(failure))?;
    let down = outages.as_ref().map_or(&[][..], |file| &file.outages);
    if strictness == Strictness::Strict {
        source.most = processors;
    }
    let outcome = source.replayed((method, queue), processors, down, publication)?;
    let runs = [Run { label: method.way.label(), outcome }];
    let worst = worst_table([(&runs[0].label[..], &source.worst)].into_iter());
    let about = source.about(processors);
    let queues = queue.to_string();
    Ok(Some(Report {
        title: title(&about, machine),
        lead: lead(&about, &[method.queue], &runs, outages.as_ref()),
        provenance: provenance(command_line, None),
        sections: vec![comparison::section(&about, machine, &queues, &runs, [worst].into_iter())],
    }))
}

/// The trace, which shows how much of it has been read; or, if only the first jobs are, how many.
fn opened(options: &Replay, strictness: Strictness) -> Result<(Progress, swf::Reader), SwfError> {
    let path = &options.trace;
    let cannot = |error| SwfError::of_file(path, SwfErrorKind::Open(error));
    let file = file::open(path).map_err(cannot)?;
    if let Some(jobs) = options.jobs {
        let progress = Progress::watched("replay").with_lines(options.watch);
        progress.expect(usize::try_from(jobs).unwrap_or(usize::MAX));
        return Ok((progress, swf::read(path, file, strictness)?));
    }
    let (progress, file) = Progress::of_file("replay", file);
    Ok((progress.with_lines(options.watch), swf::read(path, file, strictness)?))
}

/// The jobs as they are read, and what is noted of them.
///
/// - `first` was read to have the header.
/// - The queue has room for `left` more of them.
/// - `most` processors is what a job may ask for; one that asks for more is `too_large`.
/// - After a fault of the trace, or a job that is too large, no more jobs come.
struct Source<'a, 'r> {
    options: &'a Replay,
    name: String,
    jobs: JobStream<'r>,
    first: Option<Job>,
    scale: LoadScale,
    load: OfferedLoad,
    count: usize,
    most: u32,
    left: usize,
    too_large: Option<Job>,
    fault: Option<SwfError>,
    worst: Worst,
    progress: &'a Progress,
}

/// So many jobs at a time are told to those who watch.
const TOLD_AT_ONCE: usize = 1 << 10;

impl Iterator for Source<'_, '_> {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        if self.too_large.is_some() || self.fault.is_some() {
            return None;
        }
        let mut job = match self.first.take() {
            Some(job) => job,
            None => self.read()?,
        };
        let Some(left) = self.left.checked_sub(1) else {
            self.fault = Some(self.grown());
            return None;
        };
        self.left = left;
        self.scale.scale(&mut job);
        self.load.add(&job);
        self.count += 1;
        if self.options.jobs.is_some() && self.count.is_multiple_of(TOLD_AT_ONCE) {
            self.progress.done(TOLD_AT_ONCE);
        }
        if job.processors > self.most {
            self.too_large = Some(job);
            self.read_on();
            return None;
        }
        Some(job)
    }
}

impl<'a, 'r> Source<'a, 'r> {
    fn new(
        options: &'a Replay,
        reader: &'r mut swf::Reader,
        progress: &'a Progress,
    ) -> Result<Self, Failure> {
        let scale = LoadScale::by(options.scale_load)
            .map_err(|error| Failure::Usage(format!("--scale-load: {error}")))?;
        let limit = options.jobs.and_then(|jobs| usize::try_from(jobs).ok());
        let (room, owner) = (memory::streamed(), owner(options));
        let selection = Selection { limit, room, owner, ..Selection::default() };
        let jobs = JobStream::new(reader, &selection);
        Ok(Self {
            options,
            name: name_of(&options.trace),
            jobs,
            first: None,
            scale,
            load: OfferedLoad::default(),
            count: 0,
            most: u32::MAX,
            left: usize::MAX,
            too_large: None,
            fault: None,
            worst: Worst::default(),
            progress,
        })
    }

    /// Reads the header, and so the first job.
    fn begin(&mut self) -> Result<(), SwfError> {
        self.first = self.jobs.next().transpose()?;
        Ok(())
    }

    fn read(&mut self) -> Option<Job> {
        match self.jobs.next()? {
            Ok(job) => Some(job),
            Err(error) => {
                self.fault = Some(error);
                None
            }
        }
    }

    /// Reads the rest, if there may be a fault in it.
    fn read_on(&mut self) {
        while self.fault.is_none()
            && let Some(job) = self.first.take().or_else(|| self.read())
        {
            if job.processors > self.most {
                self.too_large.get_or_insert(job);
            }
        }
    }

    /// What to tell the user of whom something else would fail: a fault of the trace goes before it.
    fn first_fault(&mut self, other: Failure) -> Failure {
        self.read_on();
        match (self.fault.take(), self.too_large.take()) {
            (Some(SwfError { kind: SwfErrorKind::NoRoom(most), .. }), _) => {
                memory::refused_streamed(&self.options.trace, most)
            }
            (Some(fault), _) => Failure::Input(fault.to_string()),
            (None, Some(job)) => self.refused(&job),
            (None, None) => other,
        }
    }

    fn refused(&self, &Job { id, line, processors, .. }: &Job) -> Failure {
        let error = ReplayError::TooLarge {
            workload: self.name.clone(),
            id,
            line,
            processors,
            machine: Pool::new(self.most).name(),
            available: self.most,
        };
        in_file(self.options, &self.name, &error)
    }

    /// Replays all jobs, and adds them to the publication.
    fn replayed(
        &mut self,
        (method, queue): (Method, QueueKind),
        processors: u32,
        outages: &[Outage],
        publication: &mut Publication,
    ) -> Result<Outcome, Failure> {
        let name = file_name(&method.way.label());
        self.left = self.most_jobs(queue);
        let words = queue.words(self.left, processors);
        memory::can_plan(&self.options.trace, self.left, words)
            .map_err(|failure| self.first_fault(failure))?;
        let draft = publication.draft().map_err(|failure| self.first_fault(failure))?;
        let failure = match self.replay((queue, method.order), processors, outages, draft.as_ref())
        {
            Ok(Ok(Some(outcome))) if self.fault.is_none() && self.too_large.is_none() => {
                if let Some(draft) = draft {
                    publication.add_draft(&name, draft)?;
                }
                return Ok(outcome);
            }
            // A fault of the trace, or a job that is too large, is told in place of this.
            Ok(Ok(_)) => Failure::Input("the replay was broken off".into()),
            Ok(Err(error)) => in_file(self.options, &self.name, &error),
            Err(error) => publication.unwritable(&name, &error),
        };
        Err(self.first_fault(failure))
    }

    /// Replays all jobs and writes them, if there is to be a file; the error of writing, or what the replay
    /// yields.
    fn replay(
        &mut self,
        (queue, order): (QueueKind, Order),
        processors: u32,
        outages: &[Outage],
        file: Option<&File>,
    ) -> io::Result<Result<Option<Outcome>, ReplayError>> {
        let name = self.name.clone();
        let out: Box<dyn Write + '_> = match file {
            Some(file) => Box::new(BufWriter::with_capacity(1 << 16, file)),
            None => Box::new(io::sink()),
        };
        let mut table = Table { writer: BatsimWriter::new(&name, out)?, failure: None };
        let decisions = self.options.decide.map_or(queue.decisions(), Into::into);
        let options = comparison::options(decisions, order, outages);
        let mut line = queue.queue(self.left, processors);
        let mut watcher = Watcher {
            line: self.progress.line(&queue.to_string()),
            plans_all: queue == QueueKind::Conservative,
        };
        let mut worst = Worst::default();
        let mut observers: [&mut dyn Observer; 3] = [&mut table, &mut watcher, &mut worst];
        let machine = &mut Pool::new(processors);
        let outcome = replay_observed(&name, self, machine, &mut *line, &options, &mut observers);
        self.worst = worst;
        let Table { writer, failure } = table;
        failure.map_or(Ok(()), Err)?;
        writer.into_inner().flush()?;
        Ok(outcome)
    }

    /// How many jobs there may be, if the queue has to know: then the trace is read once more.
    fn most_jobs(&self, queue: QueueKind) -> usize {
        if !matches!(queue, QueueKind::Conservative | QueueKind::ConservativeAmong(_)) {
            return usize::MAX;
        }
        let records = swf::open(&self.options.trace, Strictness::Lenient);
        let most = records.map_or(0, |records| records.filter(Result::is_ok).count());
        let limit = self.options.jobs.and_then(|jobs| usize::try_from(jobs).ok());
        most.min(limit.unwrap_or(usize::MAX)).min(memory::streamed())
    }

    /// That there are more jobs than when they were counted.
    fn grown(&self) -> SwfError {
        let kind = SwfErrorKind::Read(io::Error::other("it grew while it was read"));
        SwfError { path: self.options.trace.clone(), line: None, column: None, kind }
    }

    fn about(&self, processors: u32) -> About {
        About {
            name: self.name.clone(),
            jobs: self.count as u64,
            offered_load: self.load.share(processors),
            notes: self.jobs.notes(),
            skipped: self.jobs.reader().skipped(),
            incomplete: self.jobs.incomplete(),
        }
    }
}

/// Shows how the replay stands, and says if it will take long.
struct Watcher {
    line: Line,
    /// Whether each waiting job is planned, and it was not yet said that this takes long.
    plans_all: bool,
}

impl Observer for Watcher {
    fn job(&mut self, _: &JobRecord) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn event(&mut self, moment: &dyn Fn() -> Moment) {
        self.line.show(moment);
        if self.plans_all && moment().waiting > LONG_LINE {
            self.plans_all = false;
            warn_of_long_line();
        }
    }
}

/// Writes jobs; the first failure ends the replay.
struct Table<W> {
    writer: BatsimWriter<W>,
    failure: Option<io::Error>,
}

impl<W: Write> Observer for Table<W> {
    fn job(&mut self, record: &JobRecord) -> ControlFlow<()> {
        match self.writer.write(record) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}
