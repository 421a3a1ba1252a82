//! Methods beside a base line on the same jobs, with intervals: what `locox compare` tells.

use super::argument::{self, Loads, MOST_RUNS, Metrics};
use super::error::{one_of, value};
use super::interrupt::{PAUSE, watched};
use super::method::{Method, Size, size_of};
use super::number::{items, shown};
use super::workload::Workload;
use locox_models::compare::{Drawn, Effect, Metric, Reason, SATURATED_BELOW, Sample, trace};
use locox_models::replay::Event;
use locox_models::workload as models;
use locox_models::workload::weeks::{MOST_WEEKS, WEEK, Weeks};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

/// The figures of a replay, and the share of the weeks in which at some time nobody waited.
struct Run {
    figures: [f64; Metric::ALL.len()],
    weeks_without_queue: f64,
}

/// Where the jobs come from.
enum Source {
    /// Draws of the weeks of a trace.
    Trace(Arc<models::Workload>),
    Replications(Vec<Arc<models::Workload>>),
}

impl Source {
    fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(one) = given.cast::<Workload>() {
            return Ok(Self::Trace(one.get().all.clone()));
        }
        let wrong = || {
            PyTypeError::new_err(format!(
                "workload is {}, neither a Workload nor a list of them",
                shown(given)
            ))
        };
        let mut all = vec![];
        let mut places = HashMap::new();
        for (at, one) in items(given)?.ok_or_else(wrong)?.enumerate() {
            let one = one?.cast::<Workload>().map_err(|_| wrong())?.get().all.clone();
            let mut hasher = DefaultHasher::new();
            trace::hash(&one, &mut hasher);
            let first = *places.entry(hasher.finish()).or_insert(at);
            if first != at {
                return Err(value!(
                    "workload[{at}] has the jobs of workload[{first}]; replications are drawn each by a seed of its own"
                ));
            }
            all.push(one);
        }
        Ok(Self::Replications(all))
    }

    fn first(&self) -> PyResult<&models::Workload> {
        let found = match self {
            Self::Trace(trace) => Some(trace),
            Self::Replications(all) => all.first(),
        };
        let found = found.filter(|it| !it.jobs.is_empty());
        found.map(|it| &**it).ok_or_else(|| value!("there are no jobs to compare methods on"))
    }

    /// Whether all are for one machine; those that do not say are for any.
    fn check_machines(&self) -> PyResult<()> {
        let Self::Replications(all) = self else { return Ok(()) };
        let mut sizes: Vec<u32> = all.iter().filter_map(|one| one.processors).collect();
        sizes.sort_unstable();
        match (sizes.first(), sizes.last()) {
            (Some(least), Some(most)) if least < most => Err(value!(
                "the workloads are for machines of {least} to {most} processors; give the machine= that all \
                 of them run on, or compare those of one machine"
            )),
            _ => Ok(()),
        }
    }

    /// What draws are, or why nothing is drawn.
    fn drawn(&self) -> Result<Drawn, Reason> {
        let Self::Trace(trace) = self else { return Ok(Drawn::Replications) };
        trace::drawn(trace)
    }

    /// How many jobs are compared, about, and in how many whole weeks if these are drawn.
    fn extent(&self) -> (usize, Option<usize>) {
        match self {
            Self::Replications(all) => (all.first().map_or(0, |one| one.jobs.len()), None),
            Self::Trace(trace) => (trace::draw(trace, 0, 0).jobs.len(), trace::weeks(trace)),
        }
    }

    /// A draw, of a trace the first one as recorded.
    fn draw(
        &self,
        (at, seed): (usize, u64),
        load: Option<(f64, u32)>,
    ) -> PyResult<models::Workload> {
        let (mut drawn, recorded) = match self {
            Self::Replications(all) => (models::Workload::clone(&all[at]), None),
            Self::Trace(trace) => (trace::draw(trace, seed, at as u64), Some(&**trace)),
        };
        if let Some(load) = load {
            trace::scale(&mut drawn, recorded, load).map_err(|bad| value!("{bad}"))?;
        }
        Ok(drawn)
    }
}

/// What all runs have in common.
struct Design {
    source: Source,
    drawn: Result<Drawn, Reason>,
    size: Size,
    seed: u64,
    lenient: bool,
}

impl Design {
    /// `None` if it was stopped under way.
    fn run(
        &self,
        method: &Method,
        at: usize,
        load: Option<f64>,
        stopped: &AtomicBool,
    ) -> PyResult<Option<Run>> {
        let load = load.map(|load| (load, self.size.processors()));
        let workload = self.source.draw((at, self.seed), load)?;
        let goes_on = |_: &Event| match stopped.load(Ordering::Relaxed) {
            false => ControlFlow::Continue(()),
            true => ControlFlow::Break(()),
        };
        let done = method.run(&workload, self.size, self.lenient, false, goes_on)?;
        let Some(outcome) = done else { return Ok(None) };
        let waits = outcome.jobs.iter().map(|job| (job.submit, job.start));
        // Of too few weeks nothing can be said.
        let weeks_without_queue = match self.drawn {
            Err(Reason::TooShort) | Ok(Drawn::Replications) => 1.0,
            _ => Weeks::of(&workload).without_queue(waits),
        };
        let figures = Metric::ALL.map(|metric| metric.of(&outcome));
        Ok(Some(Run { figures, weeks_without_queue }))
    }

    /// The runs of all methods on so many draws, method by method.
    fn runs(
        &self,
        py: Python<'_>,
        methods: &[Method],
        draws: usize,
        load: Option<f64>,
    ) -> PyResult<Vec<Vec<Run>>> {
        let count = methods.len() * draws;
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let mut done: Vec<Option<Run>> = (0..count).map(|_| None).collect();
        let work = |tell: mpsc::Sender<(usize, PyResult<Option<Run>>)>| {
            while !stopped.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(method) = at.checked_div(draws).and_then(|it| methods.get(it)) else {
                    break;
                };
                let run = self.run(method, at % draws, load, &stopped);
                if tell.send((at, run)).is_err() {
                    break;
                }
            }
        };
        let ended = watched(py, |watch| {
            let (tell, told) = mpsc::channel();
            thread::scope(|scope| {
                let threads = thread::available_parallelism().map_or(1, usize::from);
                for _ in 0..threads.min(count) {
                    let (tell, work) = (tell.clone(), &work);
                    scope.spawn(move || work(tell));
                }
                drop(tell);
                let ended = loop {
                    match told.recv_timeout(PAUSE) {
                        Ok((at, Ok(run))) => done[at] = run,
                        Ok((_, Err(raised))) => break Err(raised),
                        Err(RecvTimeoutError::Disconnected) => break Ok(()),
                        Err(RecvTimeoutError::Timeout) => {}
                    }
                    if watch.look().is_break() {
                        break Ok(());
                    }
                };
                stopped.store(true, Ordering::Relaxed);
                ended
            })
        });
        ended??;
        let mut done = done.into_iter();
        let of_method = |_| done.by_ref().take(draws).flatten().collect();
        Ok(methods.iter().map(of_method).collect())
    }

    /// How many draws there are: of a trace the first one as recorded.
    fn draws(&self, seeds: usize) -> usize {
        match &self.source {
            Source::Replications(all) => all.len(),
            Source::Trace(_) if self.drawn == Err(Reason::TooShort) => 1,
            Source::Trace(_) => seeds.saturating_add(1),
        }
    }

    fn sample(&self, runs: &[Run], metric: usize) -> Sample {
        let drawn = match self.drawn {
            Ok(Drawn::Weeks(_)) if is_saturated(runs) => Err(Reason::Saturated),
            drawn => drawn,
        };
        Sample { drawn, values: runs.iter().map(|run| run.figures[metric]).collect() }
    }
}

fn is_saturated(runs: &[Run]) -> bool {
    runs.first().is_some_and(|recorded| recorded.weeks_without_queue < SATURATED_BELOW)
}

/// Runs methods on the same jobs and says of each by how much it differs from the first, and how sure that is.
///
/// Of one workload, a trace, whole weeks are drawn anew; several workloads are replications of a model. The guide on
/// comparing policies says what the intervals and the answers mean.
///
/// >>> jobs = [locox.lublin(500, processors=64, seed=seed, estimates=2.0) for seed in range(5)]
/// >>> rows = locox.compare(jobs, ["fcfs", "easy"], metrics=["wait"])
/// >>> [(row["method"], row["answer"]) for row in rows]
/// [('pool/fcfs', 'baseline'), ('pool/easy', 'better')]
///
/// :param workload: a trace, or several workloads.
/// :param methods: a queue each, as ``"easy"``, on a cube behind a strategy, as ``"complete/fcfs"``, and before an order of
///     the line other than that of arrival, as ``"pool/easy/sjf"``; the base line first.
/// :param machine: as of ``replay``; all workloads run on it. If not given, they have to be for one machine.
/// :param loads: offered loads, as shares of the machine; as the jobs come if not given.
/// :param metrics: of ``wait``, ``p95-wait``, ``turnaround``, ``slowdown``, ``utilisation``, ``waste``, ``fragmented``,
///     ``makespan``, ``light-wait``, ``heavy-wait``, ``stops``, ``lost`` (no queue here stops jobs); wait, slowdown and utilisation if not given.
/// :param seeds: how many draws of the weeks of a trace.
/// :param lenient: jobs larger than the machine are left out.
/// :returns: a list of dicts in the columns of ``locox compare``, one for each load, metric and method: what
///     ``pandas.DataFrame`` takes.
#[pyfunction]
#[pyo3(signature = (workload, methods, *, machine=None, loads=None, metrics=None, seeds=39, seed=1, lenient=false))]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    workload: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = argument::methods)] methods: Vec<String>,
    machine: Option<argument::Machine>,
    loads: Option<Loads>,
    metrics: Option<Metrics>,
    #[pyo3(from_py_with = argument::seeds)] seeds: usize,
    #[pyo3(from_py_with = argument::seed)] seed: u64,
    #[pyo3(from_py_with = argument::lenient)] lenient: bool,
) -> PyResult<Bound<'py, PyList>> {
    let source = Source::of(workload)?;
    let first = source.first()?;
    if machine.is_none() {
        source.check_machines()?;
    }
    check_span(&source)?;
    let size = size_of(machine.as_ref(), first)?;
    let methods: Vec<Method> =
        methods.iter().map(|name| Method::of(name, size)).collect::<PyResult<_>>()?;
    each_once("method", methods.iter().map(Method::name))?;
    let metrics = metrics_of(metrics)?;
    each_once("metric", metrics.iter().map(|metric| metric.name()))?;
    let loads = loads.map_or(vec![None], |loads| loads.0.into_iter().map(Some).collect());
    each_once("load", loads.iter().map(|load| load.unwrap_or_default()))?;
    let name = first.name.clone();
    let design = Design { drawn: source.drawn(), source, size, seed, lenient };
    let draws = design.draws(seeds);
    let runs = methods.len().saturating_mul(loads.len()).saturating_mul(draws);
    if runs > MOST_RUNS {
        return Err(value!("{runs} runs (methods x loads x draws) are more than {MOST_RUNS}"));
    }
    let rows = PyList::empty(py);
    for load in loads {
        let found = design.runs(py, &methods, draws, load)?;
        for &metric in &metrics {
            let at = Metric::ALL.iter().position(|&it| it == metric).unwrap_or(0);
            let base = design.sample(&found[0], at);
            for (index, (method, runs)) in methods.iter().zip(&found).enumerate() {
                let baseline = (index > 0).then_some(&base);
                let effect = Effect::of(metric, &design.sample(runs, at), baseline);
                let named = (&*name, load, method, &methods[0]);
                rows.append(row(py, named, metric, &effect, &design)?)?;
            }
        }
    }
    Ok(rows)
}

/// The columns of the command, in its order.
fn row<'py>(
    py: Python<'py>,
    (source, load, method, baseline): (&str, Option<f64>, &Method, &Method),
    metric: Metric,
    effect: &Effect,
    design: &Design,
) -> PyResult<Bound<'py, PyDict>> {
    let Effect { value, difference, signs, range, answer } = effect;
    let row = PyDict::new(py);
    let (jobs, weeks) = design.source.extent();
    row.set_item("source", source)?;
    row.set_item("machine", design.size.name())?;
    row.set_item("load", load)?;
    row.set_item("method", method.name())?;
    row.set_item("metric", metric.name())?;
    row.set_item("unit", metric.unit())?;
    row.set_item("more_is_better", metric.more_is_better())?;
    row.set_item("value", value.value)?;
    row.set_item("value_low", value.low())?;
    row.set_item("value_high", value.high())?;
    row.set_item("baseline", baseline.name())?;
    row.set_item("difference", difference.value)?;
    row.set_item("difference_low", difference.low())?;
    row.set_item("difference_high", difference.high())?;
    row.set_item("answer", answer.name())?;
    row.set_item("interval", difference.rests_on(design.drawn))?;
    row.set_item("draws", difference.draws)?;
    row.set_item("reason", difference.interval.err().map(Reason::name))?;
    row.set_item("better", signs.better)?;
    row.set_item("worse", signs.worse)?;
    row.set_item("least", range.map(|(least, _)| least))?;
    row.set_item("greatest", range.map(|(_, greatest)| greatest))?;
    row.set_item("jobs", jobs)?;
    row.set_item("weeks", weeks)?;
    Ok(row)
}

fn metrics_of(names: Option<Metrics>) -> PyResult<Vec<Metric>> {
    let Some(names) = names else {
        return Ok(vec![Metric::Wait, Metric::Slowdown, Metric::Utilisation]);
    };
    let metric = |name: &String| one_of(("metric", "metrics"), name, Metric::ALL, Metric::name);
    names.0.iter().map(metric).collect()
}

/// # Errors
///
/// `ValueError` if there is none, or one is named twice.
fn each_once<T: Debug + PartialEq>(what: &str, names: impl Iterator<Item = T>) -> PyResult<()> {
    let names: Vec<T> = names.collect();
    if names.is_empty() {
        return Err(value!("name at least one {what}"));
    }
    let again = names.iter().enumerate().find(|&(at, name)| names[..at].contains(name));
    match again {
        Some((_, name)) => Err(value!("{what} {name:?} is named twice; name it once")),
        None => Ok(()),
    }
}

/// A trace without weeks is told from one that is too short for them.
fn check_span(source: &Source) -> PyResult<()> {
    let Source::Trace(trace) = source else { return Ok(()) };
    let submitted = |job: Option<&models::Job>| job.map_or(0, |job| job.submit.ticks());
    let weeks = (submitted(trace.jobs.last()) - submitted(trace.jobs.first())) / WEEK;
    if weeks <= MOST_WEEKS {
        return Ok(());
    }
    Err(value!("the jobs come over {weeks} weeks, and {MOST_WEEKS} are the most"))
}
