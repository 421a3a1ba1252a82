//! Methods beside a base line on the same jobs, with intervals: what `locox compare` tells.

use super::argument::{self, Loads, MOST_RUNS, Metrics};
use super::error::{named, of_replay, one_of, value};
use super::interrupt::PAUSE;
use super::number::{items, shown};
use super::replay::{Size, box_strategy_of, size_of};
use super::workload::Workload;
use locox_models::compare::{Drawn, Effect, Metric, Reason, SATURATED_BELOW, Sample};
use locox_models::machine::{BoxStrategy, GridMachine, Hypercube, Machine, Pool, StrategyKind};
use locox_models::replay::{Options, Order, QueueKind, replay_watched};
use locox_models::swf::Strictness;
use locox_models::workload as models;
use locox_models::workload::weeks::{MOST_WEEKS, WEEK, Weeks};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

/// A trace has to have so many weeks, or how they differ cannot be told.
const FEWEST_WEEKS: usize = 8;

/// How jobs get processors.
#[derive(Clone, Copy)]
enum Way {
    /// Any processors will do.
    Any,
    Subcubes(StrategyKind),
    Boxes(BoxStrategy),
}

/// A way to give jobs processors, a queue, and the order of its line.
struct Method {
    way: Way,
    queue: QueueKind,
    order: Order,
}

impl Method {
    /// As `complete/fcfs`, `pool/easy` or `pool/easy/sjf`; on a pool a queue alone will do.
    fn of(name: &str, on: Size) -> PyResult<Self> {
        let (way, queue) = name.split_once('/').unwrap_or(("pool", name));
        let (queue, order) = queue.split_once('/').unwrap_or((queue, "fcfs"));
        let order = order.parse().map_err(|error| value!("method {name:?}: {error}"))?;
        let queue: QueueKind = named(queue)?;
        let way = match on {
            _ if way == "pool" => Way::Any,
            Size::Layout(layout) => {
                Way::Boxes(box_strategy_of("the strategy of a method", way, layout)?)
            }
            _ => Way::Subcubes(named(way)?),
        };
        match (way, on) {
            (Way::Subcubes(_), Size::Pool(_)) => Err(value!(
                "method {name:?} finds subcubes, and a pool has none; use machine=\"cube:N\""
            )),
            (Way::Subcubes(_) | Way::Boxes(_), _) if queue.plans() => Err(value!(
                "method {name:?}: the queue plans by numbers of processors, not by places; use \"pool/{queue}\""
            )),
            _ => Ok(Self { way, queue, order }),
        }
    }

    fn name(&self) -> String {
        let way = match self.way {
            Way::Any => "pool".into(),
            Way::Subcubes(strategy) => strategy.name().into(),
            Way::Boxes(strategy) => strategy.to_string(),
        };
        match self.order {
            Order::Arrival => format!("{way}/{}", self.queue),
            order => format!("{way}/{}/{order}", self.queue),
        }
    }

    fn machine(&self, size: Size) -> Box<dyn Machine> {
        match (self.way, size) {
            (Way::Subcubes(strategy), Size::Cube(dims)) => Box::new(Hypercube::new(dims, strategy)),
            (Way::Boxes(strategy), Size::Layout(layout)) => {
                Box::new(GridMachine::new(layout, strategy))
            }
            (_, size) => Box::new(Pool::new(size.processors())),
        }
    }
}

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
            let first = *places.entry(digest(&one)).or_insert(at);
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
        let weeks = Weeks::of(trace);
        match weeks.count() {
            count if count < FEWEST_WEEKS => Err(Reason::TooShort),
            _ if weeks.hang_together() => Err(Reason::OrderMatters),
            count => Ok(Drawn::Weeks(count)),
        }
    }

    /// How many jobs are compared, about, and in how many whole weeks if these are drawn.
    fn extent(&self) -> (usize, Option<usize>) {
        match self {
            Self::Replications(all) => (all.first().map_or(0, |one| one.jobs.len()), None),
            Self::Trace(trace) => match Weeks::of(trace) {
                weeks if weeks.count() < FEWEST_WEEKS => (trace.jobs.len(), None),
                weeks => (weeks.whole().jobs.len(), Some(weeks.count())),
            },
        }
    }

    /// A draw, of a trace the first one as recorded.
    fn draw(
        &self,
        (at, seed): (usize, u64),
        load: Option<(f64, u32)>,
    ) -> PyResult<models::Workload> {
        let mut drawn = match self {
            Self::Replications(all) => models::Workload::clone(&all[at]),
            Self::Trace(trace) => match (Weeks::of(trace), at) {
                (weeks, 0) if weeks.count() < FEWEST_WEEKS => models::Workload::clone(trace),
                (weeks, 0) => weeks.whole(),
                (weeks, at) => weeks.resampled(seed, at as u64),
            },
        };
        if let Some((load, processors)) = load {
            // All draws of a trace are scaled by one factor, so that their weeks differ as those recorded.
            let offered = match self {
                Self::Trace(trace) => trace.offered_load(processors),
                Self::Replications(_) => drawn.offered_load(processors),
            };
            let simultaneous = || value!("all jobs arrive at once, so that they have no load");
            let offered = offered.ok_or_else(simultaneous)?;
            let scaled = drawn.scale_load(load / offered);
            scaled.map_err(|_| value!("the jobs cannot be scaled to a load of {load}"))?;
        }
        Ok(drawn)
    }
}

/// A number that other jobs do not have.
fn digest(workload: &models::Workload) -> u64 {
    let mut hasher = DefaultHasher::new();
    for job in &workload.jobs {
        let requested = job.requested.map(|requested| requested.ticks());
        (job.submit.ticks(), job.processors, job.run.ticks(), requested, job.user)
            .hash(&mut hasher);
    }
    hasher.finish()
}

/// What all runs have in common.
struct Design {
    source: Source,
    drawn: Result<Drawn, Reason>,
    size: Size,
    seed: u64,
    strictness: Strictness,
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
        let options = Options {
            strictness: self.strictness,
            points: 0,
            decisions: method.queue.decisions(),
            order: method.order,
            ..Options::default()
        };
        let mut machine = method.machine(self.size);
        let mut queue = method.queue.queue(workload.jobs.len(), machine.processors());
        let done = replay_watched(&workload, &mut *machine, &mut *queue, &options, |_, _| {
            let goes_on = !stopped.load(Ordering::Relaxed);
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let Some(outcome) = done.map_err(|error| of_replay(&error))? else { return Ok(None) };
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
        let ended = py.detach(|| {
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
                    if let Err(raised) = Python::attach(|py| py.check_signals()) {
                        break Err(raised);
                    }
                };
                stopped.store(true, Ordering::Relaxed);
                ended
            })
        });
        ended?;
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
///     ``makespan``; wait, slowdown and utilisation if not given.
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
    let strictness = if lenient { Strictness::Lenient } else { Strictness::Strict };
    let name = first.name.clone();
    let design = Design { drawn: source.drawn(), source, size, seed, strictness };
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
