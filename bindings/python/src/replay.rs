//! A workload on a machine.

use super::argument::{self, Progress, QueueName, Strategy};
use super::error::{named, value};
use super::interrupt::watched;
use super::method::{Method, Size, Way, box_strategy_of, nearness_of, node_strategy_of, size_of};
use super::number::shown;
use super::outcome::Outcome;
use super::workload::{self, Workload};
use locox_models::machine::StrategyKind;
use locox_models::replay::{Event, QueueKind};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// In which way jobs get processors by this strategy, or by that which goes with the machine.
fn way(size: Size, strategy: Option<&str>) -> PyResult<Way> {
    match (size, strategy) {
        (Size::Pool(_), None) => Ok(Way::Any),
        (Size::Pool(processors), Some(strategy)) => Err(value!(
            "strategy {strategy:?} finds subcubes, and a pool of {processors} has none; leave it out, or use \
             machine=\"cube:N\""
        )),
        (Size::Cube(_), strategy) => {
            strategy.map_or(Ok(StrategyKind::Complete), named).map(Way::Subcubes)
        }
        (Size::Layout(layout), strategy) => {
            box_strategy_of("strategy", strategy.unwrap_or("fewest"), layout).map(Way::Boxes)
        }
        (Size::Tree(_), strategy) => {
            nearness_of("strategy", strategy.unwrap_or("required")).map(Way::Domains)
        }
        (Size::Nodes(_), strategy) => {
            node_strategy_of("strategy", strategy.unwrap_or("best")).map(Way::Nodes)
        }
    }
}

/// Replays a workload, or the trace at a path, on a machine under a queue.
///
/// :param machine: ``"pool:P"``, ``"cube:N"``, ``"torus:16x16x16"``, ``"mesh:32x32"``, ``"blocks:18x4"`` or ``"tree:16x32"`` (16 racks of 32 nodes; ``"tree:4x16x32"``: four blocks of such) or ``"nodes:FILE"``, nodes in classes that a file describes; if not given, a pool as large as the trace says.
/// :param queue: ``"fcfs"``, ``"scan-up"``, ``"scan-down"``, ``"lazy"``, ``"window:N"``; on a pool also
///     ``"easy"``,
///     ``"easy:N"``, ``"conservative"`` or ``"conservative:N"``; on each machine ``"promises:N"`` and ``"promises:all"``, which promise
///     the first N in line, or all, a time and a place. If not given, ``"easy"`` on a pool and
///     ``"fcfs"`` on a
///     cube.
/// :param strategy: on a cube ``"buddy"``, ``"gray-code"``, ``"free-list"``, ``"free-list-plain"`` or, if not
///     given,
///     ``"complete"``; on boxes ``"first"``, ``"corner"`` or, if not given, ``"fewest"``, behind which
///     ``"@4x4x2"`` lets boxes begin at the corners of such blocks only and ``"@4x4x2+lent"`` lends what they leave
///     over of these; on racks ``"preferred"`` or, if not given, ``"required"``: a job no larger than a rack runs in one, one
///     no larger than a block in that; on nodes ``"first"`` or, if not given, ``"best"``, and with ``"+exclusive"`` behind it
///     each job has its nodes to itself.
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
    let way = way(size, strategy.as_ref().map(|it| &*it.0))?;
    let queue = match queue {
        Some(queue) => named(&queue.0)?,
        None if matches!(size, Size::Pool(_)) => QueueKind::Easy,
        None => QueueKind::Fcfs,
    };
    if queue.plans_numbers() && !matches!(size, Size::Pool(_)) {
        return Err(value!(
            "queue \"{queue}\" plans by numbers of processors, not by places; use queue=\"promises:1\" or machine=\"pool:{}\"",
            size.processors()
        ));
    }
    let method = Method { way, queue, order: named(&order)? };
    let mut started = 0_usize;
    let tell = |py: Python<'_>, started| {
        progress.as_ref().map_or(Ok(()), |it| it.0.call1(py, (started,)).map(drop))
    };
    let done = watched(py, |watch| {
        method.run(&jobs, size, lenient, allocations, |event| {
            started += usize::from(matches!(event, Event::Started { .. }));
            if watch.is_due() || *event == Event::Done {
                return watch.ask(|py| tell(py, started));
            }
            ControlFlow::Continue(())
        })
    })?;
    Ok(Outcome::of(done?.expect("only an exception breaks it off"), &jobs))
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
