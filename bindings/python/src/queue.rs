//! Queues: which waiting job starts next.

use super::argument::{self, Given, Id, Key, Now, PlannedProcessors, Processors, Requested};
use super::error::{Misused, Result, named, value};
use super::number::words;
use super::pool::next_id;
use super::shared::{Shared, hash};
use super::timeline::{Ends, at, interval};
use locox::dispatch::{Job as KernelJob, Misuse, Refusal, Standing, Ticket};
use locox::handle;
use locox::reserve::{Limits, Profile};
use locox::time::{Duration, Instant};
use locox_models::replay::{OutageQueue, QueueKind};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use std::sync::atomic::{AtomicU64, Ordering};

/// Jobs that wait for processors, and who of them starts next.
///
/// >>> queue = locox.Queue(8, "easy")
/// >>> jobs = [queue.submit(0, *job) for job in ((6, 20), (8, 10), (2, 25), (2, 20))]
/// >>> queue.start(0)
/// [<locox.Job 1: 6 processors>, <locox.Job 4: 2 processors>]
/// >>> queue.planned(jobs[1])
/// (20, 30)
///
/// Times do not go back: one before the last one told means that one.
///
/// :param processors: how many the machine has.
/// :param discipline: a name as of ``replay``.
/// :param room: how many jobs may wait and run together.
#[pyclass(frozen, module = "locox")]
pub(crate) struct Queue {
    it: Shared<State>,
    kind: QueueKind,
    #[pyo3(get)]
    processors: u32,
    room: u32,
    /// No other queue has it.
    number: u64,
}

struct State {
    line: Box<dyn OutageQueue + Send + Sync>,
    /// Of those that know an order only; the others count by themselves.
    held: u32,
    out: u32,
    jobs: u32,
}

/// A job of a queue.
#[pyclass(frozen, module = "locox")]
#[derive(Clone, Copy)]
pub(crate) struct Job {
    ticket: Ticket,
    #[pyo3(get)]
    id: u32,
    #[pyo3(get)]
    processors: u32,
    /// How long it may run; None if it did not say.
    #[pyo3(get)]
    requested: Option<u64>,
    /// Where it stands in line: those of smaller keys before it.
    #[pyo3(get)]
    key: u64,
    /// Which queue's.
    queue: u64,
}

#[pymethods]
impl Job {
    fn __eq__(&self, other: &Self) -> bool {
        self.queue == other.queue && self.ticket == other.ticket
    }

    fn __hash__(&self) -> u64 {
        hash(self.ticket.handle())
    }

    fn __repr__(&self) -> String {
        let Self { id, processors, .. } = self;
        let s = if *processors == 1 { "" } else { "s" };
        format!("<locox.Job {id}: {processors} processor{s}>")
    }
}

impl Queue {
    fn job(&self, (ticket, job): (Ticket, KernelJob)) -> Job {
        let KernelJob { id, pes: processors, requested, key, .. } = job;
        let requested = Some(requested).filter(|&it| it != Duration::MAX).map(Duration::ticks);
        Job { ticket, id, processors, requested, key, queue: self.number }
    }

    /// Queues of the models share a number; so tickets of others are found out here.
    fn ticket(&self, job: &Given<'_, Job>) -> Result<Ticket> {
        let job = job.0.get();
        if job.queue == self.number {
            return Ok(job.ticket);
        }
        Err(Misuse::Handle(handle::Misuse::Foreign).into())
    }

    fn all(&self, wanted: fn(Standing) -> bool) -> Result<Vec<Job>> {
        let mut all = vec![];
        self.it.get()?.line.visit(&mut |ticket, job, standing, arrival| {
            if wanted(standing) {
                all.push((job.key, arrival, self.job((ticket, job))));
            }
        });
        all.sort_by_key(|&(key, arrival, _)| (key, arrival));
        Ok(all.into_iter().map(|(_, _, job)| job).collect())
    }

    /// Offers jobs until one is taken.
    fn offer(&self, now: u64, take: &mut dyn FnMut(KernelJob) -> bool) -> Result<Option<Job>> {
        let State { line, held, out, .. } = &mut *self.it.get()?;
        let free = self.processors.saturating_sub(*out).saturating_sub(*held);
        let mut start = |job: KernelJob| (self.kind.plans() || job.pes <= free) && take(job);
        let started = line.next(at(now), &mut start);
        if let Some((_, job)) = started {
            *held = held.saturating_add(job.pes);
        }
        Ok(started.map(|it| self.job(it)))
    }
}

#[pymethods]
impl Queue {
    #[new]
    #[pyo3(signature = (processors, discipline="easy".into(), *, room=1000), text_signature = "(processors, discipline='easy', *, room=1000)")]
    fn new(
        py: Python<'_>,
        processors: PlannedProcessors,
        #[pyo3(from_py_with = argument::discipline)] discipline: String,
        #[pyo3(from_py_with = argument::room)] room: u32,
    ) -> Result<Self> {
        let (processors, kind) = (processors.0, named::<QueueKind>(&discipline)?);
        let line = py.detach(|| kind.queue_with_room(room as usize, processors));
        let state = State { line, held: 0, out: 0, jobs: 0 };
        static QUEUES: AtomicU64 = AtomicU64::new(0);
        let number = QUEUES.fetch_add(1, Ordering::Relaxed);
        Ok(Self { it: Shared::new(state), kind, processors, room, number })
    }

    /// Adds a job to the line. It may ask for more processors than are in service.
    ///
    /// :param requested: how long it may run; queues that plan need it.
    /// :param key: jobs of smaller keys stand before it, those of the same in the order of arrival.
    /// :param id: a number for it; if not given, they count from 1.
    /// :raises Refused: ``full``, ``too-large``.
    /// :raises Misused: ``overflow`` if it would end beyond the end of time, which is 2^64 - 1.
    #[pyo3(signature = (now, processors, requested=None, *, key=0, id=None))]
    fn submit(
        &self,
        now: Now,
        processors: Processors,
        requested: Option<Requested>,
        #[pyo3(from_py_with = argument::key)] key: u64,
        id: Option<Id>,
    ) -> Result<Job> {
        if requested.is_none() && self.kind.plans() {
            let kind = self.kind;
            let text = format!("queue \"{kind}\" plans by requested times; give requested=");
            return Err(Misused::new_err(text).into());
        }
        if processors.0 > self.processors {
            return Err(Refusal::TooLarge { pes: self.processors }.into());
        }
        let State { line, jobs, .. } = &mut *self.it.get()?;
        let id = id.map_or_else(|| jobs.wrapping_add(1), |id| id.0);
        let job = KernelJob::new(id, processors.0).keyed(key);
        let job = requested.map_or(job, |it| job.within(Duration::from_ticks(it.0)));
        let ticket = line.push(at(now.0), job)?;
        *jobs = jobs.wrapping_add(1);
        Ok(self.job((ticket, job)))
    }

    /// The jobs that start now, in this order; they run until ``finish``.
    fn start(&self, now: Now) -> Result<Vec<Job>> {
        let mut started = vec![];
        while let Some(job) = self.offer(now.0, &mut |_| true)? {
            started.push(job);
        }
        Ok(started)
    }

    /// Offers jobs whose turn it is, and for which there are processors, to ``take`` until it takes one, that
    /// is, starts it and
    /// returns true: that one; None if it takes none. Ask until then.
    ///
    /// :param take: is called with number and processors of a job; what it raises ends the call, and nothing
    ///     has started.
    fn next(&self, now: Now, take: &Bound<'_, PyAny>) -> Result<Option<Job>> {
        let mut raised = None;
        let mut ask = |job: KernelJob| {
            if raised.is_some() {
                return false;
            }
            let answer = take.call1((job.id, job.pes)).and_then(|it| it.is_truthy());
            answer.unwrap_or_else(|why| {
                raised = Some(why);
                false
            })
        };
        let started = self.offer(now.0, &mut ask)?;
        raised.map_or(Ok(started), |why| Err(why.into()))
    }

    /// A job has ended, and its processors are free.
    ///
    /// :raises Misused: ``waits`` if it has not started, ``stale`` if it has ended.
    fn finish(&self, now: Now, job: Given<'_, Job>) -> Result<()> {
        let ticket = self.ticket(&job)?;
        let State { line, held, .. } = &mut *self.it.get()?;
        let ended = line.finished(at(now.0), ticket)?;
        *held = held.saturating_sub(ended.pes);
        Ok(())
    }

    /// Removes a job that waits.
    ///
    /// :raises Misused: ``runs`` if it has started, ``stale`` if it has ended.
    fn cancel(&self, now: Now, job: Given<'_, Job>) -> Result<()> {
        let ticket = self.ticket(&job)?;
        self.it.get()?.line.cancel(at(now.0), ticket)?;
        Ok(())
    }

    /// A job that runs has failed, and its processors are free: it waits again.
    fn requeue(&self, now: Now, job: Given<'_, Job>) -> Result<()> {
        let ticket = self.ticket(&job)?;
        let State { line, held, .. } = &mut *self.it.get()?;
        line.requeue(at(now.0), ticket)?;
        *held = held.saturating_sub(job.0.get().processors);
        Ok(())
    }

    /// Passes over a job that waits, until ``release``.
    fn hold(&self, now: Now, job: Given<'_, Job>) -> Result<()> {
        let ticket = self.ticket(&job)?;
        Ok(self.it.get()?.line.hold(at(now.0), ticket)?)
    }

    /// A job that was held is offered again.
    fn release(&self, now: Now, job: Given<'_, Job>) -> Result<()> {
        let ticket = self.ticket(&job)?;
        Ok(self.it.get()?.line.release(at(now.0), ticket)?)
    }

    /// Gives a job that waits another key.
    fn rekey(&self, now: Now, job: Given<'_, Job>, key: Key) -> Result<Job> {
        let ticket = self.ticket(&job)?;
        self.it.get()?.line.rekey(at(now.0), ticket, key.0)?;
        Ok(Job { key: key.0, ..*job.0.get() })
    }

    /// So many more processors are out of service; jobs that run on them run on until ``finish`` or ``requeue``.
    fn withdraw(&self, now: Now, processors: Processors) -> Result<()> {
        let State { line, out, .. } = &mut *self.it.get()?;
        if processors.0 > self.processors.saturating_sub(*out) {
            return Err(Misuse::Outage.into());
        }
        line.withdraw(at(now.0), processors.0)?;
        *out += processors.0;
        Ok(())
    }

    /// So many processors are back in service.
    fn repair(&self, now: Now, processors: Processors) -> Result<()> {
        let State { line, out, .. } = &mut *self.it.get()?;
        if processors.0 > *out {
            return Err(Misuse::Outage.into());
        }
        line.repair(at(now.0), processors.0)?;
        *out -= processors.0;
        Ok(())
    }

    /// From when to when a job is to run, as ``(start, end)``, as far as that is planned; else None.
    fn planned(&self, job: Given<'_, Job>) -> Result<Option<Ends>> {
        let ticket = self.ticket(&job)?;
        Ok(self.it.get()?.line.planned(ticket)?.map(interval))
    }

    /// When a job will start and end if each takes the time that it requested and none overtakes, as ``(start,
    /// end)``; None if
    /// that is not known. Queues that plan know it.
    fn estimate(&self, job: Given<'_, Job>) -> Result<Option<Ends>> {
        let ticket = self.ticket(&job)?;
        if !matches!(self.kind, QueueKind::Easy | QueueKind::EasyAmong(_)) {
            return self.planned(job);
        }
        let limits = Limits { pes: self.processors, reservations: self.room };
        let scratch = Profile::new(next_id(), limits, words(Profile::words(limits))?);
        let mut scratch = scratch.map_err(|bad| value!("{bad}"))?;
        Ok(self.it.get()?.line.estimate(ticket, &mut scratch)?.map(interval))
    }

    /// When to ask who starts if nothing happens before; None if there is nothing to wait for.
    #[getter]
    fn wake_at(&self) -> Result<Option<u64>> {
        Ok(self.it.get()?.line.wake_at().map(Instant::ticks))
    }

    /// The jobs that wait, in line.
    fn waiting(&self) -> Result<Vec<Job>> {
        self.all(|standing| standing != Standing::Runs)
    }

    /// The jobs that run, as they stood in line.
    fn running(&self) -> Result<Vec<Job>> {
        self.all(|standing| standing == Standing::Runs)
    }

    /// Processors in service that no job holds.
    #[getter]
    fn free(&self) -> Result<u32> {
        let state = self.it.get()?;
        Ok(self.processors.saturating_sub(state.out).saturating_sub(state.held))
    }

    #[getter]
    fn discipline(&self) -> String {
        self.kind.to_string()
    }

    /// How many wait.
    fn __len__(&self) -> Result<usize> {
        Ok(self.it.get()?.line.len())
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// The jobs that wait, in line.
    fn __iter__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyIterator>> {
        Ok(self.waiting()?.into_pyobject(py)?.try_iter()?)
    }

    fn __repr__(&self) -> Result<String> {
        let (waiting, free) = (self.__len__()?, self.free()?);
        Ok(format!(
            "<locox.Queue {}: {waiting} wait, {free} of {} processors free>",
            self.kind, self.processors
        ))
    }
}
