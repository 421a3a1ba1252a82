//! A workload on a machine.

use super::error::{of_replay, value};
use super::number::shown;
use super::outcome::Outcome;
use super::workload::{self, Workload};
use locox::cube::Dim;
use locox_models::machine::{Hypercube, Machine, Pool, StrategyKind};
use locox_models::replay::{Event, Options, Order, QueueKind, replay_watched};
use locox_models::swf::{MOST_PROCESSORS, Strictness};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Between two looks at signals and calls of `progress`.
const PAUSE: Duration = Duration::from_millis(50);

/// What jobs run on.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    Pool(u32),
    Cube(Dim),
}

impl Size {
    pub(crate) fn processors(self) -> u32 {
        match self {
            Self::Pool(processors) => processors,
            Self::Cube(dims) => dims.nodes(),
        }
    }

    /// For tables.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Pool(processors) => format!("pool of {processors}"),
            Self::Cube(dims) => format!("{dims}-cube"),
        }
    }
}

/// `pool:P` or `cube:N`.
pub(crate) fn size(name: &str) -> PyResult<Size> {
    let parsed = match name.split_once(':') {
        Some(("pool", number)) => {
            number.parse().ok().filter(|it| (1..=MOST_PROCESSORS).contains(it)).map(Size::Pool)
        }
        Some(("cube", number)) => number.parse().ok().and_then(Dim::new).map(Size::Cube),
        _ => None,
    };
    parsed.ok_or_else(|| {
        value(format!(
            "machine {name:?} is not pool:P (1 to {MOST_PROCESSORS} processors) or cube:N (0 to 24 dimensions)"
        ))
    })
}

fn machine(size: &Size, strategy: Option<&str>) -> PyResult<Box<dyn Machine>> {
    match (*size, strategy) {
        (Size::Pool(processors), None) => Ok(Box::new(Pool::new(processors))),
        (Size::Pool(processors), Some(strategy)) => Err(value(format!(
            "strategy {strategy:?} finds subcubes, and a pool of {processors} has none; leave it out, or use \
             machine=\"cube:N\""
        ))),
        (Size::Cube(dims), strategy) => {
            let kind = strategy.map_or(Ok(StrategyKind::Complete), strategy_kind)?;
            Ok(Box::new(Hypercube::new(dims, kind)))
        }
    }
}

/// Replays a workload, or the trace at a path, on a machine under a queue.
///
/// :param machine: ``"pool:P"`` or ``"cube:N"``; if not given, a pool as large as the trace says.
/// :param queue: ``"fcfs"``, ``"scan-up"``, ``"scan-down"``, ``"lazy"``, ``"window:N"``; on a pool also
///     ``"easy"``,
///     ``"easy:N"``, ``"conservative"`` or ``"conservative:N"``. If not given, ``"easy"`` on a pool and
///     ``"fcfs"`` on a
///     cube.
/// :param strategy: on a cube ``"buddy"``, ``"gray-code"``, ``"free-list"``, ``"free-list-plain"`` or, if not
///     given,
///     ``"complete"``.
/// :param order: ``"fcfs"``, ``"sjf"`` or ``"fair-share"``.
/// :param sort: sort the jobs of a trace by submission and number.
/// :param lenient: jobs larger than the machine are left out, and of a trace bad lines.
/// :param allocations: keep which processors each job got.
/// :param progress: is called now and then with how many jobs have started; what it raises ends the replay.
/// :raises ReplayError: the workload cannot be run to its end.
/// :raises TraceError: the trace cannot be read.
#[pyfunction]
#[pyo3(signature = (workload, *, machine=None, queue=None, strategy=None, order="fcfs", sort=false, lenient=false, allocations=false, progress=None))]
pub(crate) fn replay(
    py: Python<'_>,
    workload: &Bound<'_, PyAny>,
    machine: Option<&str>,
    queue: Option<&str>,
    strategy: Option<&str>,
    order: &str,
    sort: bool,
    lenient: bool,
    allocations: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Outcome> {
    let jobs = workload_of(workload, lenient, sort)?;
    let size = match (machine, jobs.processors) {
        (Some(name), _) => size(name)?,
        (None, Some(processors)) => Size::Pool(processors),
        (None, None) => {
            return Err(value(
                "the workload does not say how many processors there are; give machine=\"pool:P\"",
            ));
        }
    };
    let mut machine = self::machine(&size, strategy)?;
    let kind = match queue {
        Some(queue) => queue_kind(queue)?,
        None if matches!(size, Size::Pool(_)) => QueueKind::Easy,
        None => QueueKind::Fcfs,
    };
    if kind.plans() && matches!(size, Size::Cube(_)) {
        return Err(value(format!(
            "queue \"{kind}\" plans by numbers of processors, not by subcubes; use machine=\"pool:{}\"",
            machine.processors()
        )));
    }
    let order: Order =
        order.parse().map_err(|bad: locox_models::replay::UnknownOrder| value(bad.to_string()))?;
    let options = Options {
        strictness: if lenient { Strictness::Lenient } else { Strictness::Strict },
        allocations,
        points: 0,
        decisions: kind.decisions(),
        order,
        ..Options::default()
    };
    let mut queue = kind.queue(jobs.jobs.len(), machine.processors());
    let mut watch = Watch { progress, looked: Instant::now(), started: 0, raised: None };
    let done = py.detach(|| {
        replay_watched(&jobs, &mut *machine, &mut *queue, &options, |event| watch.see(event))
    });
    if let Some(raised) = watch.raised {
        return Err(raised);
    }
    let all = done.map_err(|error| of_replay(&error))?;
    let all = all.expect("only an exception breaks it off");
    Ok(Outcome::of(all, &jobs))
}

/// A workload, or that of the trace at a path.
fn workload_of(
    given: &Bound<'_, PyAny>,
    lenient: bool,
    sort: bool,
) -> PyResult<Arc<locox_models::workload::Workload>> {
    if let Ok(workload) = given.cast::<Workload>() {
        return Ok(workload.get().all.clone());
    }
    let path: PathBuf = given.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "{} is neither a Workload nor the path of a trace",
            shown(given)
        ))
    })?;
    Ok(workload::read(given.py(), &path, lenient, sort, None)?.all)
}

pub(crate) fn queue_kind(name: &str) -> PyResult<QueueKind> {
    name.parse().map_err(|bad: locox_models::replay::UnknownQueue| value(bad.to_string()))
}

pub(crate) fn strategy_kind(name: &str) -> PyResult<StrategyKind> {
    name.parse().map_err(|bad: locox_models::machine::UnknownStrategy| value(bad.to_string()))
}

/// Looks at signals now and then, and tells how many jobs have started.
struct Watch {
    progress: Option<Py<PyAny>>,
    looked: Instant,
    started: usize,
    raised: Option<PyErr>,
}

impl Watch {
    fn see(&mut self, event: &Event) -> ControlFlow<()> {
        self.started += usize::from(matches!(event, Event::Started { .. }));
        if self.looked.elapsed() < PAUSE && *event != Event::Done {
            return ControlFlow::Continue(());
        }
        self.looked = Instant::now();
        let told = Python::attach(|py| {
            py.check_signals()?;
            self.progress.as_ref().map_or(Ok(()), |it| it.call1(py, (self.started,)).map(|_| ()))
        });
        self.raised = told.err();
        if self.raised.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
