//! A workload on a machine.

use super::error::{of_replay, value};
use super::outcome::Outcome;
use super::workload::Workload;
use locox::cube::Dim;
use locox_models::machine::{Hypercube, Machine, Pool, StrategyKind};
use locox_models::replay::{Event, Options, Order, QueueKind, replay_watched};
use locox_models::swf::{MOST_PROCESSORS, Strictness};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Between two looks at signals and calls of `progress`.
const PAUSE: Duration = Duration::from_millis(50);

/// What jobs run on.
enum Size {
    Pool(u32),
    Cube(Dim),
}

/// `pool:P` or `cube:N`.
fn size(name: &str) -> PyResult<Size> {
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

fn machine(size: &Size, strategy: &str) -> PyResult<Box<dyn Machine>> {
    match *size {
        Size::Pool(processors) => Ok(Box::new(Pool::new(processors))),
        Size::Cube(dims) => {
            let strategy: StrategyKind =
                strategy.parse().map_err(|unknown: locox_models::machine::UnknownStrategy| {
                    value(unknown.to_string())
                })?;
            Ok(Box::new(Hypercube::new(dims, strategy)))
        }
    }
}

/// Replays a workload; see the stubs.
#[pyfunction]
#[pyo3(signature = (workload, *, machine=None, queue="easy", strategy="complete", order="fcfs", lenient=false, allocations=false, progress=None))]
pub(crate) fn replay(
    py: Python<'_>,
    workload: &Workload,
    machine: Option<&str>,
    queue: &str,
    strategy: &str,
    order: &str,
    lenient: bool,
    allocations: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Outcome> {
    let jobs = &workload.all;
    let size = match (machine, jobs.processors) {
        (Some(name), _) => size(name)?,
        (None, Some(processors)) => Size::Pool(processors),
        (None, None) => {
            return Err(value(
                "the trace does not say how many processors there are; give machine=",
            ));
        }
    };
    let mut machine = self::machine(&size, strategy)?;
    let kind: QueueKind =
        queue.parse().map_err(|bad: locox_models::replay::UnknownQueue| value(bad.to_string()))?;
    if kind.plans() && matches!(size, Size::Cube(_)) {
        return Err(value(format!(
            "queue {queue:?} plans by numbers of processors, not by subcubes; use machine \"pool:{}\"",
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
        replay_watched(jobs, &mut *machine, &mut *queue, &options, |event| watch.see(event))
    });
    if let Some(raised) = watch.raised {
        return Err(raised);
    }
    let all = done.map_err(|error| of_replay(&error))?;
    let all = all.expect("only an exception breaks it off");
    Ok(Outcome { all, workload: jobs.name.clone() })
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
