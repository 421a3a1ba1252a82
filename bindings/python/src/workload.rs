//! Jobs to run.

use super::error::{of_system, of_trace, value};
use locox::time::{Duration, Instant};
use locox_models::swf::{self, Strictness};
use locox_models::workload::lublin::{Kind, Lublin};
use locox_models::workload::{self, Job, Selection, name_of, select};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// Jobs in the order of their arrival. Never changes: what changes it returns another one.
#[pyclass(frozen, module = "locox")]
pub(crate) struct Workload {
    pub(crate) all: Arc<workload::Workload>,
}

/// The largest time in seconds, 30,000 years: of as many jobs as there is memory for, none ends beyond the
/// end of time.
const LONGEST: u64 = 1 << 40;
/// The most jobs that a model makes.
const MOST_JOBS: usize = 5_000_000;

impl Workload {
    /// # Errors
    ///
    /// `ValueError` if a time is too long.
    fn of(all: workload::Workload) -> PyResult<Self> {
        let long = |job: &&Job| {
            let requested = job.requested.map_or(0, Duration::ticks);
            job.submit.ticks().max(job.run.ticks()).max(requested) > LONGEST
        };
        match all.jobs.iter().find(long) {
            None => Ok(Self { all: Arc::new(all) }),
            Some(job) => Err(value(format!("job {}: a time is beyond 2^40 seconds", job.id))),
        }
    }
}

/// A number that is unknown, in columns of whole numbers.
const UNKNOWN: i64 = -1;

fn known(number: Option<u64>) -> i64 {
    number.and_then(|number| i64::try_from(number).ok()).unwrap_or(UNKNOWN)
}

#[pymethods]
impl Workload {
    /// A workload from columns of equal length; see the stubs.
    #[new]
    #[pyo3(signature = (submit, processors, run, requested=None, user=None, id=None, name="workload", machine=None))]
    fn new(
        submit: PyReadonlyArray1<'_, i64>,
        processors: PyReadonlyArray1<'_, i64>,
        run: PyReadonlyArray1<'_, i64>,
        requested: Option<PyReadonlyArray1<'_, i64>>,
        user: Option<PyReadonlyArray1<'_, i64>>,
        id: Option<PyReadonlyArray1<'_, i64>>,
        name: &str,
        machine: Option<u32>,
    ) -> PyResult<Self> {
        let count = submit.len()?;
        let column = |name: &str, column: PyReadonlyArray1<'_, i64>| match column.len()? {
            length if length == count => Ok(column.as_array().to_vec()),
            length => Err(value(format!("{name} has {length} values and submit has {count}"))),
        };
        let optional = |name: &str, given: Option<PyReadonlyArray1<'_, i64>>| {
            given.map_or_else(|| Ok(vec![UNKNOWN; count]), |given| column(name, given))
        };
        let columns = Columns {
            submit: column("submit", submit)?,
            processors: column("processors", processors)?,
            run: column("run", run)?,
            requested: optional("requested", requested)?,
            user: optional("user", user)?,
            id: match id {
                Some(id) => column("id", id)?,
                None => (1..=count as i64).collect(),
            },
        };
        let jobs = columns.jobs()?;
        let name = name.to_owned();
        let (notes, skipped, incomplete) = (vec![], 0, 0);
        let processors = machine;
        Self::of(workload::Workload { name, jobs, processors, notes, skipped, incomplete })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.all.name
    }

    #[getter]
    fn processors(&self) -> Option<u32> {
        self.all.processors
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.all.notes.clone()
    }

    #[getter]
    fn skipped(&self) -> u64 {
        self.all.skipped
    }

    #[getter]
    fn jobs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let put = |name: &str, value: fn(&Job) -> i64| {
            let column: Vec<i64> = self.all.jobs.iter().map(value).collect();
            columns.set_item(name, PyArray1::from_vec(py, column))
        };
        put("id", |job| known(Some(job.id)))?;
        put("submit", |job| known(Some(job.submit.ticks())))?;
        put("processors", |job| job.processors.into())?;
        put("run", |job| known(Some(job.run.ticks())))?;
        put("requested", |job| known(job.requested.map(Duration::ticks)))?;
        put("user", |job| job.user.map_or(UNKNOWN, i64::from))?;
        Ok(columns)
    }

    fn __len__(&self) -> usize {
        self.all.jobs.len()
    }

    fn __repr__(&self) -> String {
        format!("<locox.Workload {:?}, {} jobs>", self.all.name, self.all.jobs.len())
    }

    fn __deepcopy__<'py>(this: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        this
    }

    /// From its columns. What a trace said beside its jobs is not kept.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let jobs = self.jobs(py)?;
        let names = ["submit", "processors", "run", "requested", "user", "id"];
        let columns = names.map(|name| jobs.get_item(name).map(|column| column.into_pyobject(py)));
        let mut arguments = vec![];
        for column in columns {
            arguments.push(column??.into_any());
        }
        arguments.push(self.all.name.as_str().into_pyobject(py)?.into_any());
        arguments.push(self.all.processors.into_pyobject(py)?.into_any());
        Ok((py.get_type::<Self>().into_any(), PyTuple::new(py, arguments)?))
    }

    fn scaled(&self, factor: f64) -> PyResult<Self> {
        let mut all = workload::Workload::clone(&self.all);
        all.scale_load(factor).map_err(|bad| value(bad.to_string()))?;
        Self::of(all)
    }

    fn first(&self, jobs: usize) -> PyResult<Self> {
        let mut all = workload::Workload::clone(&self.all);
        all.jobs.truncate(jobs);
        Self::of(all)
    }

    fn write_swf(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let written = py.detach(|| {
            let mut out = BufWriter::new(File::create(&path)?);
            swf::write(&self.all, &mut out)?;
            out.flush()
        });
        written.map_err(|cause| of_system(&cause, format!("{}: {cause}", path.display())))
    }
}

/// Columns of equal length.
struct Columns {
    submit: Vec<i64>,
    processors: Vec<i64>,
    run: Vec<i64>,
    requested: Vec<i64>,
    user: Vec<i64>,
    id: Vec<i64>,
}

impl Columns {
    fn jobs(&self) -> PyResult<Vec<Job>> {
        let mut before = 0;
        let mut jobs = Vec::with_capacity(self.submit.len());
        for at in 0..self.submit.len() {
            let bad = |column: &str, number: i64, why: &str| {
                value(format!("job {at}: {column} is {number}, {why}"))
            };
            let time = |column: &str, number: i64| {
                u64::try_from(number).map_err(|_| bad(column, number, "and must not be negative"))
            };
            let submit = time("submit", self.submit[at])?;
            if submit < before {
                return Err(bad(
                    "submit",
                    self.submit[at],
                    "before that of the job in front; sort the jobs",
                ));
            }
            before = submit;
            let size = self.processors[at];
            let processors = u32::try_from(size).ok().filter(|&size| size > 0);
            jobs.push(Job {
                id: time("id", self.id[at])?,
                line: None,
                submit: Instant::from_ticks(submit),
                processors: processors
                    .ok_or_else(|| bad("processors", size, "and must be 1 to 4294967295"))?,
                shape: None,
                run: Duration::from_ticks(time("run", self.run[at])?),
                requested: u64::try_from(self.requested[at]).ok().map(Duration::from_ticks),
                user: u32::try_from(self.user[at]).ok(),
            });
        }
        Ok(jobs)
    }
}

/// Reads a trace in the Standard Workload Format.
#[pyfunction]
#[pyo3(signature = (path, *, lenient=false, sort=false, jobs=None))]
pub(crate) fn read_swf(
    py: Python<'_>,
    path: PathBuf,
    lenient: bool,
    sort: bool,
    jobs: Option<usize>,
) -> PyResult<Workload> {
    let strictness = if lenient { Strictness::Lenient } else { Strictness::Strict };
    let selection = Selection { limit: jobs, sort, ..Selection::default() };
    let read = py.detach(|| {
        let mut reader = swf::open(&path, strictness)?;
        select(&mut reader, name_of(&path), &selection)
    });
    Workload::of(read.map_err(|error| of_trace(&error))?)
}

/// Jobs of the model of Lublin and Feitelson.
#[pyfunction]
#[pyo3(signature = (jobs, *, processors=256, seed=1, kind="all", estimates=None))]
pub(crate) fn lublin(
    py: Python<'_>,
    jobs: usize,
    processors: u32,
    seed: u64,
    kind: &str,
    estimates: Option<f64>,
) -> PyResult<Workload> {
    let kinds = Kind::ALL.map(Kind::name);
    let found = Kind::ALL.into_iter().find(|known| known.name() == kind);
    let kind = found.ok_or_else(|| {
        value(format!("unknown kind {kind:?}; the kinds are {}", kinds.join(", ")))
    })?;
    if jobs > MOST_JOBS {
        return Err(value(format!("jobs is {jobs}; a model makes up to {MOST_JOBS}")));
    }
    let recipe = Lublin { kind, jobs, processors, estimates };
    let made = py.detach(|| recipe.generate(seed, 0));
    Workload::of(made.map_err(|bad| value(bad.to_string()))?)
}
