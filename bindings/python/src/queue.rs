//! Queues: which waiting job starts next.

use super::argument::{self, optional};
use super::error::{self, Misused, of_handle, refused, value};
use super::number::words;
use super::pool::next_id;
use super::replay::queue_kind;
use super::shared::{Shared, hash};
use super::timeline::{Ends, at, interval};
use locox::dispatch::{
    self, Backfill, Easy, Entry, Job as KernelJob, Misuse, Refusal, Standing, Ticket,
};
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
    processors: u32,
    room: u32,
    /// No other queue has it.
    number: u64,
}

struct State {
    line: Line,
    /// Of those that know an order only; the others count by themselves.
    held: u32,
    out: u32,
    jobs: u32,
}

/// A queue of any kind. EASY's can also be asked for estimates.
enum Line {
    Easy(Box<Backfill<Easy, Box<[Entry]>>>),
    Other(Box<dyn OutageQueue + Send + Sync>),
}

impl Line {
    fn of(kind: QueueKind, processors: u32, room: u32) -> Self {
        let easy = |depth| {
            let entries = vec![Entry::EMPTY; room as usize].into_boxed_slice();
            Self::Easy(Box::new(Backfill::easy(next_id(), processors, entries).with_depth(depth)))
        };
        match kind {
            QueueKind::Easy => easy(u32::MAX),
            QueueKind::EasyAmong(depth) => easy(depth),
            other => Self::Other(other.queue_with_room(room as usize, processors)),
        }
    }

    fn get(&self) -> &dyn OutageQueue {
        match self {
            Self::Easy(queue) => &**queue,
            Self::Other(queue) => &**queue,
        }
    }

    fn get_mut(&mut self) -> &mut dyn OutageQueue {
        match self {
            Self::Easy(queue) => &mut **queue,
            Self::Other(queue) => &mut **queue,
        }
    }
}

/// A job of a queue.
#[pyclass(frozen, module = "locox")]
#[derive(Clone, Copy)]
pub(crate) struct Job {
    ticket: Ticket,
    job: KernelJob,
    /// Which queue's.
    queue: u64,
}

#[pymethods]
impl Job {
    #[getter]
    fn id(&self) -> u32 {
        self.job.id
    }

    #[getter]
    fn processors(&self) -> u32 {
        self.job.pes
    }

    /// How long it may run; None if it did not say.
    #[getter]
    fn requested(&self) -> Option<u64> {
        Some(self.job.requested).filter(|&it| it != Duration::MAX).map(Duration::ticks)
    }

    /// Where it stands in line: those of smaller keys before it.
    #[getter]
    fn key(&self) -> u64 {
        self.job.key
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.queue == other.queue && self.ticket == other.ticket
    }

    fn __hash__(&self) -> u64 {
        hash(self.ticket.handle())
    }

    fn __repr__(&self) -> String {
        let KernelJob { id, pes, .. } = self.job;
        let s = if pes == 1 { "" } else { "s" };
        format!("<locox.Job {id}: {pes} processor{s}>")
    }
}

fn job<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Job>> {
    argument::object("job", given)
}

fn misused(py: Python<'_>, why: &Misuse) -> PyErr {
    match why {
        Misuse::Handle(bad) => of_handle(py, "job", "queue", bad),
        other => error::misused(py, other),
    }
}

fn fault(py: Python<'_>, why: &dispatch::Error) -> PyErr {
    match why {
        dispatch::Error::Misused(bad) => misused(py, bad),
        refused => error::fault(py, refused),
    }
}

impl Queue {
    fn job(&self, (ticket, job): (Ticket, KernelJob)) -> Job {
        Job { ticket, job, queue: self.number }
    }

    /// Queues of the models share a number; so tickets of others are found out here.
    fn ticket(&self, py: Python<'_>, job: &Bound<'_, Job>) -> PyResult<Ticket> {
        let job = job.get();
        if job.queue == self.number {
            return Ok(job.ticket);
        }
        Err(misused(py, &locox::handle::Misuse::Foreign.into()))
    }

    fn all(&self, wanted: fn(Standing) -> bool) -> PyResult<Vec<Job>> {
        let mut all = vec![];
        self.it.get()?.line.get().visit(&mut |ticket, job, standing, arrival| {
            if wanted(standing) {
                all.push((job.key, arrival, self.job((ticket, job))));
            }
        });
        all.sort_by_key(|&(key, arrival, _)| (key, arrival));
        Ok(all.into_iter().map(|(_, _, job)| job).collect())
    }

    /// Offers jobs until one is taken.
    fn offer(&self, now: u64, take: &mut dyn FnMut(KernelJob) -> bool) -> PyResult<Option<Job>> {
        let State { line, held, out, .. } = &mut *self.it.get()?;
        let free = self.processors.saturating_sub(*out).saturating_sub(*held);
        let mut start = |job: KernelJob| (self.kind.plans() || job.pes <= free) && take(job);
        let started = line.get_mut().next(at(now), &mut start);
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
        #[pyo3(from_py_with = argument::queue_processors)] processors: u32,
        #[pyo3(from_py_with = argument::discipline)] discipline: String,
        #[pyo3(from_py_with = argument::room)] room: u32,
    ) -> PyResult<Self> {
        let kind = queue_kind(&discipline)?;
        let line = py.detach(|| Line::of(kind, processors, room));
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
        py: Python<'_>,
        #[pyo3(from_py_with = argument::now)] now: u64,
        #[pyo3(from_py_with = argument::processors)] processors: u32,
        #[pyo3(from_py_with = optional::requested)] requested: Option<u64>,
        #[pyo3(from_py_with = argument::key)] key: u64,
        #[pyo3(from_py_with = optional::id)] id: Option<u32>,
    ) -> PyResult<Job> {
        if requested.is_none() && self.kind.plans() {
            return Err(Misused::new_err(format!(
                "queue \"{}\" plans by requested times; give requested=",
                self.kind
            )));
        }
        if processors > self.processors {
            return Err(refused(py, &Refusal::TooLarge { pes: self.processors }));
        }
        let State { line, jobs, .. } = &mut *self.it.get()?;
        let id = id.unwrap_or_else(|| jobs.wrapping_add(1));
        let job = KernelJob::new(id, processors).keyed(key);
        let job = requested.map_or(job, |it| job.within(Duration::from_ticks(it)));
        let ticket = line.get_mut().push(at(now), job).map_err(|no| fault(py, &no))?;
        *jobs = jobs.wrapping_add(1);
        Ok(self.job((ticket, job)))
    }

    /// The jobs that start now, in this order; they run until ``finish``.
    fn start(&self, #[pyo3(from_py_with = argument::now)] now: u64) -> PyResult<Vec<Job>> {
        let mut started = vec![];
        while let Some(job) = self.offer(now, &mut |_| true)? {
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
    fn next(
        &self,
        #[pyo3(from_py_with = argument::now)] now: u64,
        take: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Job>> {
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
        let started = self.offer(now, &mut ask)?;
        raised.map_or(Ok(started), Err)
    }

    /// A job has ended, and its processors are free.
    ///
    /// :raises Misused: ``waits`` if it has not started, ``stale`` if it has ended.
    fn finish(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::now)] now: u64,
        #[pyo3(from_py_with = self::job)] job: Bound<'_, Job>,
    ) -> PyResult<()> {
        let ticket = self.ticket(py, &job)?;
        let State { line, held, .. } = &mut *self.it.get()?;
        let ended = line.get_mut().finished(at(now), ticket).map_err(|bad| misused(py, &bad))?;
        *held = held.saturating_sub(ended.pes);
        Ok(())
    }

    /// Removes a job that waits.
    ///
    /// :raises Misused: ``runs`` if it has started, ``stale`` if it has ended.
    fn cancel(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::now)] now: u64,
        #[pyo3(from_py_with = self::job)] job: Bound<'_, Job>,
    ) -> PyResult<()> {
        let ticket = self.ticket(py, &job)?;
        let done = self.it.get()?.line.get_mut().cancel(at(now), ticket);
        done.map(|_| ()).map_err(|bad| misused(py, &bad))
    }

    /// A job that runs has failed, and its processors are free: it waits again.
    fn requeue(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::now)] now: u64,
        #[pyo3(from_py_with = self::job)] job: Bound<'_, Job>,
    ) -> PyResult<()> {
        let ticket = self.ticket(py, &job)?;
        let State { line, held, .. } = &mut *self.it.get()?;
        line.get_mut().requeue(at(now), ticket).map_err(|bad| misused(py, &bad))?;
        *held = held.saturating_sub(job.get().job.pes);
        Ok(())
    }

    /// Passes over a job that waits, until ``release``.
    fn hold(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::now)] now: u64,
        #[pyo3(from_py_with = self::job)] job: Bound<'_, Job>,
    ) -> PyResult<()> {
        let ticket = self.ticket(py, &job)?;
        self.it.get()?.line.get_mut().hold(at(now), ticket).map_err(|bad| misused(py, &bad))
    }

    /// A job that was held is offered again.
    fn release(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::now)] now: u64,
        #[pyo3(from_py_with = self::job)] job: Bound<'_, Job>,
    ) -> PyResult<()> {
        let ticket = self.ticket(py, &job)?;
        self.it.get()?.line.get_mut().release(at(now), ticket).map_err(|bad| misused(py, &bad))
    }

    /// Gives a job that waits another key.
    fn rekey(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::now)] now: u64,
        #[pyo3(from_py_with = self::job)] job: Bound<'_, Job>,
        #[pyo3(from_py_with = argument::key)] key: u64,
    ) -> PyResult<Job> {
        let ticket = self.ticket(py, &job)?;
        let done = self.it.get()?.line.get_mut().rekey(at(now), ticket, key);
        done.map_err(|bad| misused(py, &bad))?;
        Ok(self.job((ticket, job.get().job.keyed(key))))
    }

    /// So many more processors are out of service; jobs that run on them run on until ``finish`` or ``requeue``.
    fn withdraw(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::now)] now: u64,
        #[pyo3(from_py_with = argument::processors)] processors: u32,
    ) -> PyResult<()> {
        let State { line, out, .. } = &mut *self.it.get()?;
        if processors > self.processors.saturating_sub(*out) {
            return Err(misused(py, &Misuse::Outage));
        }
        let done = line.get_mut().withdraw(at(now), processors);
        done.map_err(|bad| misused(py, &bad))?;
        *out += processors;
        Ok(())
    }

    /// So many processors are back in service.
    fn repair(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::now)] now: u64,
        #[pyo3(from_py_with = argument::processors)] processors: u32,
    ) -> PyResult<()> {
        let State { line, out, .. } = &mut *self.it.get()?;
        if processors > *out {
            return Err(misused(py, &Misuse::Outage));
        }
        line.get_mut().repair(at(now), processors).map_err(|bad| misused(py, &bad))?;
        *out -= processors;
        Ok(())
    }

    /// From when to when a job is to run, as ``(start, end)``, as far as that is planned; else None.
    fn planned(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = self::job)] job: Bound<'_, Job>,
    ) -> PyResult<Option<Ends>> {
        let ticket = self.ticket(py, &job)?;
        let planned = self.it.get()?.line.get().planned(ticket);
        Ok(planned.map_err(|bad| misused(py, &bad))?.map(interval))
    }

    /// When a job will start and end if each takes the time that it requested and none overtakes, as ``(start,
    /// end)``; None if
    /// that is not known. Queues that plan know it.
    fn estimate(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = self::job)] job: Bound<'_, Job>,
    ) -> PyResult<Option<Ends>> {
        let ticket = self.ticket(py, &job)?;
        let state = self.it.get()?;
        let Line::Easy(queue) = &state.line else {
            drop(state);
            return self.planned(py, job);
        };
        let limits = Limits { pes: self.processors, reservations: self.room };
        let scratch = Profile::new(next_id(), limits, words(Profile::words(limits))?);
        let mut scratch = scratch.map_err(|bad| value(bad.to_string()))?;
        let estimate = queue.estimate(ticket, &mut scratch);
        Ok(estimate.map_err(|bad| misused(py, &bad))?.map(interval))
    }

    /// When to ask who starts if nothing happens before; None if there is nothing to wait for.
    #[getter]
    fn wake_at(&self) -> PyResult<Option<u64>> {
        Ok(self.it.get()?.line.get().wake_at().map(Instant::ticks))
    }

    /// The jobs that wait, in line.
    fn waiting(&self) -> PyResult<Vec<Job>> {
        self.all(|standing| standing != Standing::Runs)
    }

    /// The jobs that run, as they stood in line.
    fn running(&self) -> PyResult<Vec<Job>> {
        self.all(|standing| standing == Standing::Runs)
    }

    /// Processors in service that no job holds.
    #[getter]
    fn free(&self) -> PyResult<u32> {
        let state = self.it.get()?;
        Ok(self.processors.saturating_sub(state.out).saturating_sub(state.held))
    }

    #[getter]
    fn processors(&self) -> u32 {
        self.processors
    }

    #[getter]
    fn discipline(&self) -> String {
        self.kind.to_string()
    }

    /// How many wait.
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.it.get()?.line.get().len())
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// The jobs that wait, in line.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.waiting()?.into_pyobject(py)?.try_iter()
    }

    fn __repr__(&self) -> PyResult<String> {
        let (waiting, free) = (self.__len__()?, self.free()?);
        Ok(format!(
            "<locox.Queue {}: {waiting} wait, {free} of {} processors free>",
            self.kind, self.processors
        ))
    }
}
