//! Jobs to run.

use super::argument::{self, Estimates, Factor, First, LONGEST, Path};
use super::error::{of_trace, one_of, value};
use super::file;
use super::interrupt::{Watch, watched};
use super::number::{UNKNOWN, column};
use locox::time::{Duration, Instant};
use locox_models::memory;
use locox_models::swf::{self, Strictness, SwfError, SwfErrorKind};
use locox_models::workload::lublin::{BadRecipe, Kind, Lublin};
use locox_models::workload::{self, Job, Selection, name_of, select};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::collections::HashMap;
use std::sync::Arc;

/// Jobs in the order of their arrival. It never changes: what changes it returns another one.
///
/// Made from columns of one length: lists, arrays of numpy or Series of pandas. Times are whole seconds;
/// those of submission must not fall. In ``requested`` and ``user`` -1, ``None`` and ``NaN`` are unknown.
/// Numbers in ``id`` tell jobs apart; if not given, they count from 1.
///
/// :param machine: the number of processors of the machine that the jobs were made for.
/// :raises ValueError: names the column and the place of what is wrong.
#[pyclass(frozen, module = "locox")]
pub(crate) struct Workload {
    pub(crate) all: Arc<workload::Workload>,
    /// Lines of the header of the trace.
    header: Arc<Vec<String>>,
}

impl Workload {
    /// # Errors
    ///
    /// `ValueError` if a time is too long.
    fn of(all: workload::Workload, header: Arc<Vec<String>>) -> PyResult<Self> {
        let long = |job: &&Job| {
            let requested = job.requested.map_or(0, Duration::ticks);
            job.submit.ticks().max(job.run.ticks()).max(requested) > LONGEST
        };
        match all.jobs.iter().find(long) {
            None => Ok(Self { all: Arc::new(all), header }),
            Some(job) => Err(value!("job {}: a time is beyond 2^40 seconds", job.id)),
        }
    }

    /// The same trace with other jobs.
    fn with(&self, all: workload::Workload) -> PyResult<Self> {
        Self::of(all, self.header.clone())
    }
}

fn known(number: Option<u64>) -> i64 {
    number.and_then(|number| i64::try_from(number).ok()).unwrap_or(UNKNOWN)
}

#[pymethods]
impl Workload {
    #[new]
    #[pyo3(signature = (submit, processors, run, requested=None, user=None, id=None, name="workload".into(), machine=None), text_signature = "(submit, processors, run, requested=None, user=None, id=None, name='workload', machine=None)")]
    fn new(
        py: Python<'_>,
        submit: &Bound<'_, PyAny>,
        processors: &Bound<'_, PyAny>,
        run: &Bound<'_, PyAny>,
        requested: Option<&Bound<'_, PyAny>>,
        user: Option<&Bound<'_, PyAny>>,
        id: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = argument::name)] name: String,
        machine: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if name.contains(['\n', '\r']) {
            return Err(value!("name is {name:?}, and must be one line"));
        }
        let submit = column("submit", submit, false)?;
        let count = submit.len();
        let of = |name: &str, given: &Bound<'_, PyAny>, unknown| {
            let numbers = column(name, given, unknown)?;
            match numbers.len() {
                length if length == count => Ok(numbers),
                length => Err(value!("{name} has {length} values and submit has {count}")),
            }
        };
        let optional = |name: &str, given: Option<&Bound<'_, PyAny>>| {
            given.map_or_else(|| Ok(vec![UNKNOWN; count]), |given| of(name, given, true))
        };
        let counted = || Ok((1..=count as i64).collect());
        let columns = Columns {
            processors: of("processors", processors, false)?,
            run: of("run", run, false)?,
            requested: optional("requested", requested)?,
            user: optional("user", user)?,
            id: id.map_or_else(counted, |id| of("id", id, false))?,
            submit,
        };
        let processors = machine.map(argument::machine_size).transpose()?;
        let jobs = watched(py, |watch| columns.jobs(watch))??;
        let (notes, skipped, incomplete) = (vec![], 0, 0);
        let all = workload::Workload { name, jobs, processors, notes, skipped, incomplete };
        Self::of(all, Arc::default())
    }

    #[getter]
    fn name(&self) -> &str {
        &self.all.name
    }

    /// Of the machine that the jobs were made for, if known.
    #[getter]
    fn processors(&self) -> Option<u32> {
        self.all.processors
    }

    /// Origin, acknowledgements, what was left out.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.all.notes.clone()
    }

    /// The lines of the trace's header, without the semicolon.
    #[getter]
    fn header(&self) -> Vec<String> {
        self.header.to_vec()
    }

    /// Bad lines of the trace that were skipped.
    #[getter]
    fn skipped(&self) -> u64 {
        self.all.skipped
    }

    /// Sound records of the trace that were left out: they lack a size or a run time.
    #[getter]
    fn incomplete(&self) -> u64 {
        self.all.incomplete
    }

    /// The columns id, submit, processors, run, requested, user; made anew at each call.
    #[getter]
    fn jobs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let put = |name: &str, value: fn(&Job) -> i64| {
            let column: Vec<i64> = py.detach(|| self.all.jobs.iter().map(value).collect());
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

    fn __copy__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __deepcopy__<'py>(this: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        this
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let all = &*self.all;
        let made_of = self.jobs(py)?;
        made_of.set_item("name", &all.name)?;
        made_of.set_item("machine", all.processors)?;
        let told = (&all.notes, all.skipped, all.incomplete, self.header());
        let arguments = (made_of, told).into_pyobject(py)?;
        Ok((py.import("locox._locox")?.getattr("_workload")?, arguments))
    }

    /// With the load multiplied: times between submissions are divided by the factor.
    fn scaled(&self, py: Python<'_>, factor: Factor) -> PyResult<Self> {
        let scaled = py.detach(|| {
            let mut all = workload::Workload::clone(&self.all);
            all.scale_load(factor.0).map(|()| all)
        });
        self.with(scaled.map_err(|bad| value!("{bad}"))?)
    }

    /// Its first jobs.
    fn first(&self, py: Python<'_>, jobs: First) -> PyResult<Self> {
        let mut all = py.detach(|| workload::Workload::clone(&self.all));
        all.jobs.truncate(jobs.0);
        self.with(all)
    }

    /// As a trace in the Standard Workload Format, under the header that it was read with, compressed if the
    /// path ends in ``.gz`` or ``.xz``.
    fn write_swf(&self, py: Python<'_>, path: Path) -> PyResult<()> {
        file::write(py, &path.0, |out| swf::write_under(&self.header, &self.all, out))
    }
}

/// What a pickle of a workload holds: the arguments that make it, and what its trace said beside the jobs.
#[pyfunction]
pub(crate) fn _workload(
    py: Python<'_>,
    made_of: &Bound<'_, PyDict>,
    told: (Vec<String>, u64, u64, Vec<String>),
) -> PyResult<Workload> {
    let made = py.get_type::<Workload>().call((), Some(made_of))?;
    let made = made.cast::<Workload>()?.get();
    let mut all = py.detach(|| workload::Workload::clone(&made.all));
    let header;
    (all.notes, all.skipped, all.incomplete, header) = told;
    Workload::of(all, Arc::new(header))
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
    /// Those up to a break.
    fn jobs(&self, watch: &mut Watch) -> PyResult<Vec<Job>> {
        let mut before = 0;
        let mut places = HashMap::with_capacity(self.id.len());
        let mut jobs = Vec::with_capacity(self.submit.len());
        for at in 0..self.submit.len() {
            if watch.look().is_break() {
                break;
            }
            let bad =
                |column: &str, number: i64, why: &str| value!("{column}[{at}] is {number}, {why}");
            let time = |column: &str, number: i64| {
                u64::try_from(number).map_err(|_| bad(column, number, "and must not be negative"))
            };
            let submit = time("submit", self.submit[at])?;
            if submit < before {
                let why = "before that of the job in front; sort the jobs";
                return Err(bad("submit", self.submit[at], why));
            }
            before = submit;
            let size = self.processors[at];
            let processors = u32::try_from(size).ok().filter(|&size| size > 0);
            let id = self.id[at];
            let first = *places.entry(id).or_insert(at);
            if first != at {
                return Err(bad("id", id, &format!("and so is id[{first}]; no two jobs have one")));
            }
            let requested = match self.requested[at] {
                UNKNOWN => None,
                number => Some(Duration::from_ticks(time("requested", number)?)),
            };
            let user = match self.user[at] {
                UNKNOWN => None,
                number => Some(u32::try_from(number).map_err(|_| {
                    bad("user", number, "and must be 0 to 4294967295, or -1 if unknown")
                })?),
            };
            jobs.push(Job {
                id: time("id", id)?,
                line: None,
                submit: Instant::from_ticks(submit),
                processors: processors
                    .ok_or_else(|| bad("processors", size, "and must be 1 to 4294967295"))?,
                shape: None,
                memory: 0,
                demand: None,
                run: Duration::from_ticks(time("run", self.run[at])?),
                requested,
                user,
            });
        }
        Ok(jobs)
    }
}

/// Reads a trace in the Standard Workload Format, plain or compressed by gzip or xz.
///
/// :param lenient: skip and count lines that cannot be used.
/// :param sort: sort the jobs by submission and number.
/// :param jobs: only the first so many.
/// :raises TraceError: the trace cannot be used: where, why, and what to do.
#[pyfunction]
#[pyo3(signature = (path, *, lenient=false, sort=false, jobs=None))]
pub(crate) fn read_swf(
    py: Python<'_>,
    path: Path,
    #[pyo3(from_py_with = argument::lenient)] lenient: bool,
    #[pyo3(from_py_with = argument::sort)] sort: bool,
    jobs: Option<First>,
) -> PyResult<Workload> {
    read(py, &path.0, lenient, sort, jobs.map(|jobs| jobs.0))
}

pub(crate) fn read(
    py: Python<'_>,
    path: &std::path::Path,
    lenient: bool,
    sort: bool,
    limit: Option<usize>,
) -> PyResult<Workload> {
    let strictness = if lenient { Strictness::Lenient } else { Strictness::Strict };
    let selection = Selection { limit, sort, room: memory::jobs(), ..Selection::default() };
    let read = watched(py, |watch| {
        let cannot = |cause| SwfError::of_file(path, SwfErrorKind::Open(cause));
        let file = file::open(path, watch).map_err(cannot)?;
        let mut reader = swf::read(path, file, strictness)?;
        let all = select(&mut reader, name_of(path), &selection)?;
        Ok((all, reader.header().lines.clone()))
    })?;
    let (all, header) = read.map_err(|error: SwfError| of_trace(&error))?;
    Workload::of(all, Arc::new(header))
}

/// Jobs of the model of Lublin and Feitelson (2003).
///
/// :param kind: ``"all"``, ``"batch"`` or ``"interactive"``.
/// :param estimates: the f of requested times: uniform between the run time and f + 1 times that; None for none.
#[pyfunction]
#[pyo3(signature = (jobs, *, processors=256, seed=1, kind="all".into(), estimates=None), text_signature = "(jobs, *, processors=256, seed=1, kind='all', estimates=None)")]
pub(crate) fn lublin(
    py: Python<'_>,
    #[pyo3(from_py_with = argument::jobs)] jobs: usize,
    #[pyo3(from_py_with = argument::model_processors)] processors: u32,
    #[pyo3(from_py_with = argument::seed)] seed: u64,
    #[pyo3(from_py_with = argument::kind)] kind: String,
    estimates: Option<Estimates>,
) -> PyResult<Workload> {
    let kind = one_of(("kind", "kinds"), &kind, Kind::ALL, Kind::name)?;
    let recipe = Lublin { kind, jobs, processors, estimates: estimates.map(|it| it.0) };
    let made = watched(py, |watch| {
        let mut made = Lublin { jobs: 0, ..recipe }.generate(seed, 0)?;
        made.jobs = recipe.stream(seed, 0)?.take_while(|_| watch.look().is_continue()).collect();
        Ok(made)
    })?;
    Workload::of(made.map_err(|bad: BadRecipe| value!("{bad}"))?, Arc::default())
}
