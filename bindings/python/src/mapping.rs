//! Jobs on unlike machines.

use super::argument::{self, LONGEST};
use super::error::{Result, value};
use super::interrupt::{PAUSE, watched};
use super::number::{column, each, items, list};
use locox::mapping::{
    BadSite, Best, BestAssignment, Cluster, Duplex, Genetic, Mapper, MaxMin, MinMin, Olb, Pjs,
    Plan, PlannedRun, Problem, Site, Sufferage, Times, UnplacedJob, Workspace, bound_workspace,
    genes, lower_bound,
};
use locox::time::{Duration, Instant};
use numpy::PyArray1;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

/// Which machine or cluster runs each of some jobs, and when.
#[pyclass(frozen, module = "locox")]
pub(crate) struct Mapping {
    #[pyo3(get)]
    mapper: &'static str,
    runs: Vec<PlannedRun>,
    /// The sum over all jobs of the time from now to their end.
    #[pyo3(get)]
    merit: u64,
    /// When the last job ends.
    #[pyo3(get)]
    makespan: u64,
    /// A merit that no plan can be below.
    #[pyo3(get)]
    lower_bound: u64,
}

#[pymethods]
impl Mapping {
    /// The machine of each job, a number of a column of its times.
    #[getter]
    fn resource<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.column(py, |run| run.resource().map_or(-1, |it| it as i64))
    }

    /// When each job starts.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.column(py, |run| run.start().ticks() as i64)
    }

    /// When each job ends.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.column(py, |run| run.end().ticks() as i64)
    }

    fn __len__(&self) -> usize {
        self.runs.len()
    }

    fn __repr__(&self) -> String {
        let (mapper, jobs) = (self.mapper, self.runs.len());
        format!(
            "<locox.Mapping {mapper}: {jobs} jobs, merit {}, makespan {}>",
            self.merit, self.makespan
        )
    }
}

impl Mapping {
    fn column<'py>(
        &self,
        py: Python<'py>,
        of: fn(&PlannedRun) -> i64,
    ) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_vec(py, self.runs.iter().map(of).collect())
    }
}

/// Gives jobs machines and times.
///
/// >>> plan = locox.map_jobs([[90, 100, 30], [80, 70, 60]], clusters=[[0, 1]])
/// >>> plan.resource.tolist(), plan.merit
/// ([2, 2], 120)
///
/// :param times: what each job, a row, is expected to take on each machine and then on each cluster, a column;
///     -1 where it cannot
///     run.
/// :param mapper: ``"olb"``, ``"best-assignment"``, ``"min-min"``, ``"max-min"``, ``"sufferage"``,
///     ``"duplex"``, ``"pjs"`` or
///     ``"genetic"``.
/// :param clusters: for each the numbers of its machines.
/// :param free_from: from when on each machine is free; from ``now`` on if not given.
/// :param levels: for each job, 0 to 255: those of lower levels are mapped first.
/// :param best: by which a machine is the best: ``"completion"`` or ``"execution"``.
/// :param seed: of a genetic search, as ``chromosomes`` and ``generations``.
/// :raises Refused: ``no-machine``, ``too-long``.
#[pyfunction]
#[pyo3(signature = (times, mapper="pjs".into(), *, clusters=None, free_from=None, levels=None, best="completion".into(), now=0, seed=1, chromosomes=100, generations=100), text_signature = "(times, mapper='pjs', *, clusters=None, free_from=None, levels=None, best='completion', now=0, seed=1, chromosomes=100, generations=100)")]
pub(crate) fn map_jobs(
    py: Python<'_>,
    times: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = argument::mapper)] mapper: String,
    clusters: Option<&Bound<'_, PyAny>>,
    free_from: Option<&Bound<'_, PyAny>>,
    levels: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = argument::best)] best: String,
    #[pyo3(from_py_with = argument::mapping_now)] now: u64,
    #[pyo3(from_py_with = argument::genetic_seed)] seed: u32,
    #[pyo3(from_py_with = argument::chromosomes)] chromosomes: usize,
    #[pyo3(from_py_with = argument::generations)] generations: u32,
) -> Result<Mapping> {
    let best = match &best[..] {
        "completion" => Best::Completion,
        "execution" => Best::Execution,
        _ => Err(value!("best is {best:?}, and must be completion or execution"))?,
    };
    let mapper = self::mapper(&mapper, best, (seed, generations))?;
    let table = Table::of(times)?;
    let clusters = clusters.map_or(Ok(vec![]), clusters_of)?;
    let machines = table.columns.saturating_sub(clusters.len());
    let free_from = match free_from {
        Some(given) => free_from_of(given)?,
        None => vec![Instant::from_ticks(now); machines],
    };
    let levels = levels.map(levels_of).transpose()?;
    let task = Task { mapper, table, clusters, free_from, levels, now, chromosomes };
    if task.table.columns == 0 {
        return Err(value!("times has no columns").into());
    }
    match search(py, task)? {
        Err(Failed::Site(bad)) => Err(bad.into()),
        Err(Failed::Mapping(no)) => Err(no.into()),
        Ok(mapping) => Ok(mapping),
    }
}

/// What a mapper is asked.
struct Task {
    mapper: Box<dyn Mapper + Send + Sync>,
    table: Table,
    clusters: Vec<Vec<u32>>,
    free_from: Vec<Instant>,
    levels: Option<Vec<u8>>,
    now: u64,
    chromosomes: usize,
}

/// Why there is no mapping.
enum Failed {
    Site(BadSite),
    Mapping(locox::mapping::Error),
}

/// Runs a mapper in a thread of its own, which knows nothing of Python.
///
/// # Errors
///
/// What an interrupt raises; then a genetic search ends, and another mapper's result is thrown away.
fn search(py: Python<'_>, task: Task) -> PyResult<Result<Mapping, Failed>> {
    let stop = Arc::new(AtomicBool::new(false));
    let (tell, told) = mpsc::channel();
    let seen = Arc::clone(&stop);
    thread::spawn(move || tell.send(task.run(&seen)));
    let found = watched(py, move |watch| {
        loop {
            match told.recv_timeout(PAUSE) {
                Err(RecvTimeoutError::Timeout) if watch.look().is_continue() => {}
                found => return found,
            }
        }
    });
    stop.store(true, Ordering::Relaxed);
    found?.map_err(|_| PyRuntimeError::new_err("the mapper failed"))
}

impl Task {
    fn run(&self, stop: &AtomicBool) -> Result<Mapping, Failed> {
        let Self { mapper, table, free_from, levels, .. } = self;
        let clusters: Vec<Cluster<'_>> = self.clusters.iter().map(|it| Cluster::of(it)).collect();
        let machines = table.columns.saturating_sub(clusters.len());
        let site = Site::new(machines, &clusters).map_err(Failed::Site)?;
        let times = Times::new(&table.cells, table.columns).expect("there are columns");
        let now = Instant::from_ticks(self.now);
        let problem = Problem { now, site, times, free_from, down: &[] };
        let jobs = times.jobs();
        let is_genetic = mapper.name().starts_with("genetic");
        let mut words = vec![0; if is_genetic { genes(jobs, self.chromosomes) } else { 0 }];
        let mut runs = vec![PlannedRun::EMPTY; jobs];
        let mut free = vec![Instant::ZERO; machines];
        let mut open = vec![UnplacedJob::EMPTY; jobs];
        let mut others = vec![PlannedRun::EMPTY; 2 * jobs];
        let mut instants = vec![Instant::ZERO; (3 * machines).max(bound_workspace(jobs, machines))];
        let lower_bound = lower_bound(&problem, &mut instants);
        let lower_bound = lower_bound.map_err(|bad| Failed::Mapping(bad.into()))?.ticks();
        let mut plan = Plan::new(&mut runs, &mut free);
        let room = Workspace::new(&mut open, &mut others, &mut instants[..3 * machines]);
        let mut room = room.with_genes(&mut words).until(stop);
        let merit = match levels {
            None => mapper.map(&problem, &mut plan, &mut room),
            Some(levels) => mapper.map_by_level(&problem, levels, &mut plan, &mut room),
        };
        let merit = merit.map_err(Failed::Mapping)?.ticks();
        let makespan = plan.makespan().unwrap_or(now).ticks();
        Ok(Mapping { mapper: mapper.name(), runs, merit, makespan, lower_bound })
    }
}

fn mapper(
    name: &str,
    best: Best,
    (seed, generations): (u32, u32),
) -> PyResult<Box<dyn Mapper + Send + Sync>> {
    let all: [Box<dyn Mapper + Send + Sync>; 8] = [
        Box::new(Olb),
        Box::new(BestAssignment { best }),
        Box::new(MinMin { best }),
        Box::new(MaxMin { best }),
        Box::new(Sufferage),
        Box::new(Duplex { best }),
        Box::new(Pjs { best }),
        Box::new(Genetic { best, seed, generations }),
    ];
    // Which reading of the best it takes is no part of the name here.
    let plain = |name: &'static str| name.trim_end_matches("-execution");
    let names = all.each_ref().map(|it| plain(it.name())).join(", ");
    let found = all.into_iter().find(|it| plain(it.name()) == name);
    found.ok_or_else(|| value!("unknown mapper {name:?}; the mappers are {names}"))
}

/// Expected times, row by row.
struct Table {
    cells: Vec<Duration>,
    columns: usize,
}

impl Table {
    fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rows = items(given)?
            .ok_or_else(|| PyTypeError::new_err("times must be rows of whole numbers"))?;
        let (mut cells, mut columns) = (vec![], None);
        for (at, row) in rows.enumerate() {
            let name = format!("times[{at}]");
            let row = column(&name, &row?, true)?;
            let expected = *columns.get_or_insert(row.len());
            if row.len() != expected {
                return Err(value!("{name} has {} values and times[0] has {expected}", row.len()));
            }
            for (job, &time) in row.iter().enumerate() {
                cells.push(match u64::try_from(time) {
                    Ok(time) if time <= LONGEST => Duration::from_ticks(time),
                    Err(_) if time == -1 => Times::NEVER,
                    _ => return Err(value!("{name}[{job}] is {time}, and must be -1 to 2^40")),
                });
            }
        }
        Ok(Self { cells, columns: columns.unwrap_or(0) })
    }
}

fn clusters_of(given: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u32>>> {
    let all =
        items(given)?.ok_or_else(|| PyTypeError::new_err("clusters must be lists of machines"))?;
    all.enumerate().map(|(at, members)| list(&format!("clusters[{at}]"), &members?)).collect()
}

fn free_from_of(given: &Bound<'_, PyAny>) -> PyResult<Vec<Instant>> {
    each("free_from", given, "be 0 to 2^40", |time| {
        u64::try_from(time).ok().filter(|&time| time <= LONGEST).map(Instant::from_ticks)
    })
}

fn levels_of(given: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    each("levels", given, "be 0 to 255", |level| u8::try_from(level).ok())
}
