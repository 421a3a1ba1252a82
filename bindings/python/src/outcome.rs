//! What a replay yields.

use super::argument::{self, Path};
use super::error::value;
use super::file;
use super::number::{column, values};
use locox::time::{Duration, Instant};
use locox_models::replay::{self, BatsimWriter, JobRecord};
use locox_models::workload::Workload;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::io::{self, Write};

/// As a column of numpy has it, up to the largest number there.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// What a replay yields. Means and percentiles are over the jobs that ran; times are seconds.
#[pyclass(frozen, module = "locox")]
pub(crate) struct Outcome {
    all: replay::Outcome,
    /// The name of the workload.
    #[pyo3(get)]
    workload: String,
    /// The workload's: origin, acknowledgements, what was left out of it.
    #[pyo3(get)]
    notes: Vec<String>,
    /// Bad lines of the trace that were skipped.
    #[pyo3(get)]
    skipped: u64,
    /// Sound records of the trace that were left out: they lack a size or a run time.
    #[pyo3(get)]
    incomplete: u64,
}

impl Outcome {
    pub(crate) fn of(all: replay::Outcome, workload: &Workload) -> Self {
        let Workload { name, notes, skipped, incomplete, .. } = workload;
        let (workload, notes) = (name.clone(), notes.clone());
        Self { all, workload, notes, skipped: *skipped, incomplete: *incomplete }
    }

    fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut table = BatsimWriter::new(&self.workload, out)?;
        self.all.jobs.iter().try_for_each(|job| table.write(job))
    }
}

#[pymethods]
impl Outcome {
    #[getter]
    fn machine(&self) -> &str {
        &self.all.machine
    }

    #[getter]
    fn queue(&self) -> &str {
        &self.all.queue
    }

    #[getter]
    fn processors(&self) -> u32 {
        self.all.processors
    }

    /// The processors that each job held, as ``"0-3 8-11"``, if ``allocations`` were asked for.
    #[getter]
    fn allocated(&self) -> Vec<Option<String>> {
        self.all.jobs.iter().map(|job| job.allocated.clone()).collect()
    }

    /// Figures over all jobs; ``rejected`` counts those larger than the machine.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = &self.all;
        let summary = PyDict::new(py);
        summary.set_item("jobs", all.jobs.len())?;
        summary.set_item("rejected", all.rejected)?;
        summary.set_item("utilisation", all.utilisation)?;
        summary.set_item("held_utilisation", all.held_utilisation)?;
        summary.set_item("mean_wait", all.mean_wait)?;
        summary.set_item("wait_p50", all.wait_p50)?;
        summary.set_item("wait_p95", all.wait_p95)?;
        summary.set_item("wait_p99", all.wait_p99)?;
        summary.set_item("mean_turnaround", all.mean_turnaround)?;
        summary.set_item("mean_bounded_slowdown", all.mean_bounded_slowdown)?;
        summary.set_item("makespan", all.makespan.ticks())?;
        summary.set_item("peak_queue", all.peak_queue)?;
        Ok(summary)
    }

    /// The columns id, submit, start, finish, processors, held, requested, ran; made anew at each call.
    #[getter]
    fn jobs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let put = |name: &str, value: fn(&JobRecord) -> i64| {
            let column: Vec<i64> = py.detach(|| self.all.jobs.iter().map(value).collect());
            columns.set_item(name, PyArray1::from_vec(py, column))
        };
        put("id", |job| signed(job.id))?;
        put("submit", |job| signed(job.submit.ticks()))?;
        put("start", |job| signed(job.start.ticks()))?;
        put("finish", |job| signed(job.finish.ticks()))?;
        put("processors", |job| job.processors.into())?;
        put("held", |job| job.held.into())?;
        put("requested", |job| job.requested.map_or(-1, |time| signed(time.ticks())))?;
        let ran: Vec<bool> = self.all.jobs.iter().map(|job| job.success).collect();
        columns.set_item("ran", PyArray1::from_vec(py, ran))?;
        Ok(columns)
    }

    /// Of each job: turnaround over run time, at least 1; shorter run times count as ``bound``.
    #[pyo3(signature = (bound=10))]
    fn bounded_slowdowns<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::bound)] bound: u64,
    ) -> Bound<'py, PyArray1<f64>> {
        let bound = Duration::from_ticks(bound);
        let jobs = self.all.jobs.iter();
        PyArray1::from_vec(py, jobs.map(|job| job.bounded_slowdown(bound)).collect())
    }

    /// The jobs as a table in Batsim's columns, as ``locox replay`` writes it, compressed if the path ends in
    /// ``.gz`` or
    /// ``.xz``.
    fn write_csv(&self, py: Python<'_>, path: Path) -> PyResult<()> {
        file::write(py, &path.0, |out| self.write_table(out))
    }

    /// The jobs as a ``pandas.DataFrame`` in Batsim's columns.
    fn to_pandas<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let table = PyModule::import(this.py(), "locox.table")?;
        table.call_method1("to_pandas", (this,))
    }

    /// A picture: which processors each job held, if ``allocations`` were asked for, else how many were held.
    ///
    /// :param axes: where to draw; a new figure of matplotlib if not given.
    /// :param first: seconds from which on, and ``last`` until when; all if not given.
    /// :returns: the axes.
    #[pyo3(signature = (axes=None, first=None, last=None))]
    fn plot<'py>(
        this: &Bound<'py, Self>,
        axes: Option<Bound<'py, PyAny>>,
        first: Option<Bound<'py, PyAny>>,
        last: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let plot = PyModule::import(this.py(), "locox.plot")?;
        plot.call_method1("outcome", (this, axes, first, last))
    }

    fn __copy__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __deepcopy__<'py>(this: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        this
    }

    fn __reduce__<'py>(
        this: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, own) = (this.py(), this.get());
        let names = (&own.workload, &own.all.machine, &own.all.queue);
        let told = (&own.notes, own.skipped, own.incomplete);
        let processors = own.all.processors;
        let is_kept = own.all.jobs.iter().any(|job| job.allocated.is_some());
        let allocated = is_kept.then(|| own.allocated());
        let arguments = (names, processors, own.summary(py)?, own.jobs(py)?, allocated, told);
        Ok((py.import("locox._locox")?.getattr("_outcome")?, arguments.into_pyobject(py)?))
    }

    fn __len__(&self) -> usize {
        self.all.jobs.len()
    }

    fn __repr__(&self) -> String {
        let replay::Outcome { machine, queue, mean_wait, .. } = &self.all;
        let jobs = self.all.jobs.len();
        format!("<locox.Outcome {queue} on a {machine}: {jobs} jobs, mean wait {mean_wait:.1} s>")
    }
}

/// What a pickle of an outcome holds; which processors jobs held, if that was asked for.
#[pyfunction]
pub(crate) fn _outcome(
    names: (String, String, String),
    processors: u32,
    summary: &Bound<'_, PyDict>,
    jobs: &Bound<'_, PyDict>,
    allocated: Option<Vec<Option<String>>>,
    told: (Vec<String>, u64, u64),
) -> PyResult<Outcome> {
    let figure = |name: &str| summary.as_any().get_item(name)?.extract::<f64>();
    let count = |name: &str| summary.as_any().get_item(name)?.extract::<u64>();
    let (workload, machine, queue) = names;
    let (notes, skipped, incomplete) = told;
    let jobs = records(jobs, allocated)?;
    let all = replay::Outcome {
        machine,
        queue,
        processors,
        ran: jobs.iter().filter(|job| job.success).count() as u64,
        jobs,
        rejected: count("rejected")?,
        utilisation: figure("utilisation")?,
        held_utilisation: figure("held_utilisation")?,
        mean_wait: figure("mean_wait")?,
        wait_p50: figure("wait_p50")?,
        wait_p95: figure("wait_p95")?,
        wait_p99: figure("wait_p99")?,
        mean_turnaround: figure("mean_turnaround")?,
        mean_bounded_slowdown: figure("mean_bounded_slowdown")?,
        makespan: Duration::from_ticks(count("makespan")?),
        peak_queue: summary.as_any().get_item("peak_queue")?.extract()?,
        ..replay::Outcome::default()
    };
    Ok(Outcome { all, workload, notes, skipped, incomplete })
}

fn records(
    jobs: &Bound<'_, PyDict>,
    allocated: Option<Vec<Option<String>>>,
) -> PyResult<Vec<JobRecord>> {
    let ran: Vec<bool> = values(&jobs.as_any().get_item("ran")?)?;
    let count = ran.len();
    let allocated = allocated.unwrap_or_else(|| vec![None; count]);
    let uneven = || value!("the columns of the pickled outcome are not equally long");
    if allocated.len() != count {
        return Err(uneven());
    }
    let of = |name: &str| {
        let column = column(name, &jobs.as_any().get_item(name)?, false)?;
        if column.len() == count { Ok(column) } else { Err(uneven()) }
    };
    let (id, submit, start, finish) = (of("id")?, of("submit")?, of("start")?, of("finish")?);
    let (processors, held, requested) = (of("processors")?, of("held")?, of("requested")?);
    let time = |ticks: i64| Instant::from_ticks(ticks as u64);
    let record = |(at, allocated)| JobRecord {
        id: id[at] as u64,
        submit: time(submit[at]),
        start: time(start[at]),
        finish: time(finish[at]),
        processors: processors[at] as u32,
        held: held[at] as u32,
        requested: u64::try_from(requested[at]).ok().map(Duration::from_ticks),
        success: ran[at],
        allocated,
        token: None,
        promise: None,
        promised_places: vec![],
    };
    Ok(jobs.py().detach(|| allocated.into_iter().enumerate().map(record).collect()))
}
