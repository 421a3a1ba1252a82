//! What a replay yields.

use locox::time::Duration;
use locox_models::replay::{self, JobRecord};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// As a column of numpy has it, up to the largest number there.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The result of a replay; times are seconds.
#[pyclass(frozen, module = "locox")]
pub(crate) struct Outcome {
    pub(crate) all: replay::Outcome,
    pub(crate) workload: String,
}

#[pymethods]
impl Outcome {
    #[getter]
    fn workload(&self) -> &str {
        &self.workload
    }

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

    #[getter]
    fn allocated(&self) -> Vec<Option<String>> {
        self.all.jobs.iter().map(|job| job.allocated.clone()).collect()
    }

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

    #[getter]
    fn jobs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let put = |name: &str, value: fn(&JobRecord) -> i64| {
            let column: Vec<i64> = self.all.jobs.iter().map(value).collect();
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

    #[pyo3(signature = (bound=10))]
    fn bounded_slowdowns<'py>(&self, py: Python<'py>, bound: u64) -> Bound<'py, PyArray1<f64>> {
        let bound = Duration::from_ticks(bound);
        let jobs = self.all.jobs.iter();
        PyArray1::from_vec(py, jobs.map(|job| job.bounded_slowdown(bound)).collect())
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
