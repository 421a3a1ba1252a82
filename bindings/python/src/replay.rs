//! A workload on a machine.

use super::argument::{self, Progress, QueueName, Strategy};
use super::error::{named, of_replay, value};
use super::interrupt::watched;
use super::number::shown;
use super::outcome::Outcome;
use super::workload::{self, Workload};
use locox::cube::Dim;
use locox_models::machine::{
    BoxStrategy, GridMachine, Hypercube, Layout, Machine, Pool, StrategyKind,
};
use locox_models::replay::{Event, Options, Order, QueueKind, replay_watched};
use locox_models::swf::{MOST_PROCESSORS, Strictness};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// What jobs run on.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    Pool(u32),
    Cube(Dim),
    Layout(Layout),
}

impl Size {
    pub(crate) fn processors(self) -> u32 {
        match self {
            Self::Pool(processors) => processors,
            Self::Cube(dims) => dims.nodes(),
            Self::Layout(layout) => layout.processors(),
        }
    }

    /// For tables.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Pool(processors) => format!("pool of {processors}"),
            Self::Cube(dims) => format!("{dims}-cube"),
            Self::Layout(layout) => layout.to_string(),
        }
    }
}

/// `pool:P`, `cube:N`, or a mesh, a torus or blocks.
pub(crate) fn size(name: &str) -> PyResult<Size> {
    let parsed = match name.split_once(':') {
        Some(("pool", number)) => {
            number.parse().ok().filter(|it| (1..=MOST_PROCESSORS).contains(it)).map(Size::Pool)
        }
        Some(("cube", number)) => number.parse().ok().and_then(Dim::new).map(Size::Cube),
        Some(("torus" | "mesh" | "blocks", _)) => {
            let layout = name.parse::<Layout>().map(Size::Layout);
            return layout.map_err(|bad| value!("machine {name:?}: {bad}"));
        }
        _ => None,
    };
    parsed.ok_or_else(|| {
        value!("machine {name:?} is not pool:P (1 to {MOST_PROCESSORS} processors), cube:N (0 to 24 dimensions), \
             torus:XxYxZ, mesh:XxY or blocks:BxM")
    })
}

/// That of the machine asked for, or of the workload's.
pub(crate) fn size_of(
    machine: Option<&argument::Machine>,
    jobs: &locox_models::workload::Workload,
) -> PyResult<Size> {
    match (machine, jobs.processors) {
        (Some(name), _) => size(&name.0),
        (None, Some(processors)) if (1..=MOST_PROCESSORS).contains(&processors) => {
            Ok(Size::Pool(processors))
        }
        (None, Some(processors)) => Err(value!(
            "the workload is for {processors} processors, and a machine has 1 to {MOST_PROCESSORS}; give \
             machine=\"pool:P\""
        )),
        (None, None) => Err(value!(
            "the workload does not say how many processors there are; give machine=\"pool:P\""
        )),
    }
}

fn machine(size: &Size, strategy: Option<&str>) -> PyResult<Box<dyn Machine>> {
    match (*size, strategy) {
        (Size::Pool(processors), None) => Ok(Box::new(Pool::new(processors))),
        (Size::Pool(processors), Some(strategy)) => Err(value!(
            "strategy {strategy:?} finds subcubes, and a pool of {processors} has none; leave it out, or use \
             machine=\"cube:N\""
        )),
        (Size::Cube(dims), strategy) => {
            let kind = strategy.map_or(Ok(StrategyKind::Complete), named)?;
            Ok(Box::new(Hypercube::new(dims, kind)))
        }
        (Size::Layout(layout), strategy) => {
            let strategy = box_strategy_of("strategy", strategy.unwrap_or("fewest"), layout)?;
            Ok(Box::new(GridMachine::new(layout, strategy)))
        }
    }
}

/// What gives jobs boxes of a machine by its name, which the argument `of` is.
pub(crate) fn box_strategy_of(of: &str, name: &str, layout: Layout) -> PyResult<BoxStrategy> {
    let strategy: BoxStrategy = name.parse().map_err(|bad| value!("{of} is {name:?}: {bad}"))?;
    strategy.fits(layout).map_err(|bad| value!("{of} is {name:?} on {layout}: {bad}"))?;
    Ok(strategy)
}

/// Replays a workload, or the trace at a path, on a machine under a queue.
///
/// :param machine: ``"pool:P"``, ``"cube:N"``, ``"torus:16x16x16"``, ``"mesh:32x32"`` or ``"blocks:18x4"``; if not given, a pool as large as the trace says.
/// :param queue: ``"fcfs"``, ``"scan-up"``, ``"scan-down"``, ``"lazy"``, ``"window:N"``; on a pool also
///     ``"easy"``,
///     ``"easy:N"``, ``"conservative"`` or ``"conservative:N"``. If not given, ``"easy"`` on a pool and
///     ``"fcfs"`` on a
///     cube.
/// :param strategy: on a cube ``"buddy"``, ``"gray-code"``, ``"free-list"``, ``"free-list-plain"`` or, if not
///     given,
///     ``"complete"``; on boxes ``"first"``, ``"corner"`` or, if not given, ``"fewest"``, behind which
///     ``"@4x4x2"`` lets boxes begin at the corners of such blocks only and ``"@4x4x2+lent"`` lends what they leave
///     over of these.
/// :param order: ``"fcfs"``, ``"sjf"`` or ``"fair-share"``.
/// :param sort: sort the jobs of a trace by submission and number.
/// :param lenient: jobs larger than the machine are left out, and of a trace bad lines.
/// :param allocations: keep which processors each job got.
/// :param progress: is called now and then with how many jobs have started; what it raises ends the replay.
/// :raises ReplayError: the workload cannot be run to its end.
/// :raises TraceError: the trace cannot be read.
#[pyfunction]
#[pyo3(signature = (workload, *, machine=None, queue=None, strategy=None, order="fcfs".into(), sort=false, lenient=false, allocations=false, progress=None), text_signature = "(workload, *, machine=None, queue=None, strategy=None, order='fcfs', sort=False, lenient=False, allocations=False, progress=None)")]
pub(crate) fn replay(
    py: Python<'_>,
    workload: &Bound<'_, PyAny>,
    machine: Option<argument::Machine>,
    queue: Option<QueueName>,
    strategy: Option<Strategy>,
    #[pyo3(from_py_with = argument::order)] order: String,
    #[pyo3(from_py_with = argument::sort)] sort: bool,
    #[pyo3(from_py_with = argument::lenient)] lenient: bool,
    #[pyo3(from_py_with = argument::allocations)] allocations: bool,
    progress: Option<Progress>,
) -> PyResult<Outcome> {
    let jobs = workload_of(workload, lenient, sort)?;
    let size = size_of(machine.as_ref(), &jobs)?;
    let mut machine = self::machine(&size, strategy.as_ref().map(|it| &*it.0))?;
    let kind = match queue {
        Some(queue) => named(&queue.0)?,
        None if matches!(size, Size::Pool(_)) => QueueKind::Easy,
        None => QueueKind::Fcfs,
    };
    if kind.plans() && !matches!(size, Size::Pool(_)) {
        return Err(value!(
            "queue \"{kind}\" plans by numbers of processors, not by places; use machine=\"pool:{}\"",
            machine.processors()
        ));
    }
    let options = Options {
        strictness: if lenient { Strictness::Lenient } else { Strictness::Strict },
        allocations,
        points: 0,
        decisions: kind.decisions(),
        order: named::<Order>(&order)?,
        ..Options::default()
    };
    let mut queue = kind.queue(jobs.jobs.len(), machine.processors());
    let mut started = 0_usize;
    let tell = |py: Python<'_>, started| {
        progress.as_ref().map_or(Ok(()), |it| it.0.call1(py, (started,)).map(drop))
    };
    let done = watched(py, |watch| {
        replay_watched(&jobs, &mut *machine, &mut *queue, &options, |event, _| {
            started += usize::from(matches!(event, Event::Started { .. }));
            if watch.is_due() || *event == Event::Done {
                return watch.ask(|py| tell(py, started));
            }
            ControlFlow::Continue(())
        })
    })?;
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
    if !argument::is_path(given)? {
        return Err(PyTypeError::new_err(format!(
            "workload is {}, neither a Workload nor the path of a trace",
            shown(given)
        )));
    }
    Ok(workload::read(given.py(), &given.extract::<PathBuf>()?, lenient, sort, None)?.all)
}
