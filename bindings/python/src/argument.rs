//! Arguments by their names: what `from_py_with` takes. Each is refused in a sentence that names it.

use super::number::{Wide, count, items, list, whole, wide, wrong};
use locox::cube::{Dim, Node};
use locox::fair::StationId;
use locox::reserve::Limits;
use locox_models::swf::MOST_PROCESSORS;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use pyo3::{PyClass, PyTypeInfo};
use std::path::PathBuf;

/// The largest time of a workload and of a mapping, 30,000 years in seconds: of as many jobs as there is memory
/// for, none ends beyond the end of time.
pub(crate) const LONGEST: u64 = 1 << 40;
/// The most runs of a comparison.
pub(crate) const MOST_RUNS: usize = 500_000;
const MOST: u64 = u64::MAX;

/// Whole numbers in bounds.
macro_rules! bounded {
    ($($function:ident $name:literal: $number:ty, $least:expr, $most:expr;)*) => {$(
        pub(crate) fn $function(given: &Bound<'_, PyAny>) -> PyResult<$number> {
            Ok(whole($name, given, ($least, $most as u64))? as $number)
        }
    )*};
}

macro_rules! by_name {
    ($($kind:ident -> $result:ty: $($name:ident),*;)*) => {$($(
        pub(crate) fn $name(given: &Bound<'_, PyAny>) -> PyResult<$result> {
            $kind(stringify!($name), given)
        }
    )*)*};
}

bounded! {
    bound "bound": u64, 0, MOST;
    chromosomes "chromosomes": usize, 0, 1000;
    generations "generations": u32, 0, 1_000_000;
    genetic_seed "seed": u32, 0, u32::MAX;
    half_life "half_life": u64, 0, MOST;
    holds "holds": u16, 0, u16::MAX;
    jobs "jobs": usize, 0, 5_000_000;
    key "key": u64, 0, MOST;
    machine_size "machine": u32, 1, MOST_PROCESSORS;
    mapping_now "now": u64, 0, LONGEST;
    moves "moves": usize, 0, 16;
    model_processors "processors": u32, 1, MOST_PROCESSORS;
    planned_room "room": u32, 1, Limits::MOST;
    quantum "quantum": u64, 0, MOST;
    room "room": u32, 1, 1_000_000;
    seed "seed": u64, 0, MOST;
    seeds "seeds": usize, 1, MOST_RUNS;
    steps "steps": u32, 0, u32::MAX;
    wants "wants": u16, 0, u16::MAX;
}

/// Arguments without a default, or with that of None: a type each.
macro_rules! typed {
    ($($Type:ident: $inner:ty, $name:literal by $read:expr;)*) => {$(
        pub(crate) struct $Type(pub(crate) $inner);

        impl<'py> FromPyObject<'_, 'py> for $Type {
            type Error = PyErr;

            fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                let read: fn(&str, &Bound<'py, PyAny>) -> PyResult<$inner> = $read;
                read($name, &given).map(Self)
            }
        }
    )*};
}

typed! {
    Cores: u32, "processors" by |name, given| narrow(name, given, 0, u32::MAX);
    Deadline: u64, "deadline" by any;
    Dims: Dim, "dims" by |name, given| Ok(Dim::try_from(narrow(name, given, 0, Dim::MAX.get().into())?).unwrap_or(Dim::MAX));
    End: u64, "end" by any;
    Estimates: f64, "estimates" by real;
    Factor: f64, "factor" by real;
    First: usize, "jobs" by |name, given| Ok(any(name, given)? as usize);
    Free: u32, "free" by count;
    Id: u32, "id" by |name, given| narrow(name, given, 0, u32::MAX);
    Key: u64, "key" by any;
    Lasts: u64, "duration" by any;
    Loads: Vec<f64>, "loads" by reals;
    Machine: String, "machine" by text;
    Metrics: Vec<String>, "metrics" by texts;
    NodeNumber: Node, "node" by |name, given| count(name, given).map(Node);
    NodeList: Vec<Node>, "nodes" by |name, given| Ok(list(name, given)?.into_iter().map(Node).collect());
    Now: u64, "now" by any;
    Path: PathBuf, "path" by path_of;
    Pe: u32, "pe" by count;
    Pes: u32, "pes" by count;
    PlannedPes: u32, "pes" by |name, given| narrow(name, given, 1, Limits::MOST);
    PlannedProcessors: u32, "processors" by |name, given| narrow(name, given, 1, Limits::MOST);
    Processors: u32, "processors" by count;
    Profile: String, "profile" by text;
    Progress: Py<PyAny>, "progress" by call;
    QueueName: String, "queue" by text;
    Ready: u64, "ready" by any;
    Requested: u64, "requested" by any;
    Start: u64, "start" by any;
    Station: StationId, "station" by |name, given| count(name, given).map(StationId);
    Stations: u32, "stations" by |name, given| narrow(name, given, 0, 1 << 22);
    Strategy: String, "strategy" by text;
    Time: u64, "time" by any;
    Width: Wide, "processors" by wide;
    Weight: u16, "weight" by |name, given| Ok(narrow(name, given, 0, u16::MAX.into())? as u16);
}

/// An object of a class of ours, which it is named after.
pub(crate) struct Given<'py, T>(pub(crate) Bound<'py, T>);

impl<'py, T: PyClass> FromPyObject<'_, 'py> for Given<'py, T> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object(&T::NAME.to_lowercase(), &given).map(Self)
    }
}

fn narrow(name: &str, given: &Bound<'_, PyAny>, least: u32, most: u32) -> PyResult<u32> {
    Ok(whole(name, given, (least.into(), most.into()))? as u32)
}

fn any(name: &str, given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(name, given, (0, MOST))
}

by_name! {
    flag -> bool: allocations, copy, exclusive, isolated, lenient, per_step, reuse, sort, strict, turned;
    text -> String: backfilling, best, choice, discipline, kind, mapper, name, observation, order, placement, policy, reward, strategy, table;
    texts -> Vec<String>: methods;
    wide -> Wide: num_envs, window;
}

/// Of an episode.
pub(crate) fn episode(given: &Bound<'_, PyAny>) -> PyResult<Wide> {
    wide("jobs", given)
}

/// An object of a class of ours.
pub(crate) fn object<'py, T: PyTypeInfo>(
    name: &str,
    given: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, T>> {
    let found = given.cast::<T>().cloned();
    found.map_err(|_| {
        let class = T::type_object(given.py()).name();
        let class = class.map_or_else(|_| "another one".into(), |it| it.to_string());
        wrong(name, given, &format!("a {class}"))
    })
}

fn text(name: &str, given: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = given.cast::<PyString>().map_err(|_| wrong(name, given, "text"))?;
    text.extract().map_err(|_| wrong(name, given, "text of whole characters"))
}

fn texts(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let is_list = !given.is_instance_of::<PyString>() && !given.is_instance_of::<PyBytes>();
    let found = if is_list { items(given)? } else { None };
    let found = found.ok_or_else(|| wrong(name, given, "a list of names"))?;
    found.enumerate().map(|(at, one)| text(&format!("{name}[{at}]"), &one?)).collect()
}

fn flag(name: &str, given: &Bound<'_, PyAny>) -> PyResult<bool> {
    given.extract().map_err(|_| wrong(name, given, "True or False"))
}

fn real(name: &str, given: &Bound<'_, PyAny>) -> PyResult<f64> {
    given.extract().map_err(|raised| {
        let is_number = given.hasattr("__float__").unwrap_or(true);
        if is_number { raised } else { wrong(name, given, "a number") }
    })
}

fn reals(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let found = if given.is_instance_of::<PyString>() { None } else { items(given)? };
    let found = found.ok_or_else(|| wrong(name, given, "a list of numbers"))?;
    found.enumerate().map(|(at, one)| real(&format!("{name}[{at}]"), &one?)).collect()
}

/// Whether this is the path of a file. One that cannot say its path is.
pub(crate) fn is_path(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    let plain = given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>();
    Ok(plain || given.hasattr("__fspath__")?)
}

fn path_of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    if is_path(given)? { given.extract() } else { Err(wrong(name, given, "the path of a file")) }
}

/// Something to call.
fn call(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    if given.is_callable() {
        return Ok(given.clone().unbind());
    }
    Err(wrong(name, given, "something to call"))
}
