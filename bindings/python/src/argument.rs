//! Arguments by their names: what `from_py_with` takes. Each is refused in a sentence that names it.

use super::number::{Wide, count, items, list, shown, whole, wide};
use locox::cube::{Dim, Node};
use locox::reserve::Limits;
use locox_models::swf::MOST_PROCESSORS;
use pyo3::PyTypeInfo;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
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

/// Whole numbers that the structure bounds which they are for.
macro_rules! counts {
    ($($name:ident),* $(,)?) => {$(
        pub(crate) fn $name(given: &Bound<'_, PyAny>) -> PyResult<u32> {
            count(stringify!($name), given)
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
    cores "processors": u32, 0, u32::MAX;
    duration "duration": u64, 0, MOST;
    end "end": u64, 0, MOST;
    first "jobs": usize, 0, MOST;
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
    now "now": u64, 0, MOST;
    planned_pes "pes": u32, 1, Limits::MOST;
    planned_room "room": u32, 1, Limits::MOST;
    quantum "quantum": u64, 0, MOST;
    queue_processors "processors": u32, 1, Limits::MOST;
    room "room": u32, 1, 1_000_000;
    seed "seed": u64, 0, MOST;
    seeds "seeds": usize, 1, MOST_RUNS;
    start "start": u64, 0, MOST;
    steps "steps": u32, 0, u32::MAX;
    stations "stations": u32, 0, 1 << 22;
    time "time": u64, 0, MOST;
    wants "wants": u16, 0, u16::MAX;
    weight "weight": u16, 0, u16::MAX;
}

counts! { dim, node, pe, pes, processors, station }

by_name! {
    flag -> bool: allocations, copy, isolated, lenient, per_step, reuse, sort, strict, turned;
    text -> String: backfilling, best, choice, discipline, kind, mapper, name, observation, order, placement, policy, profile, reward, strategy, table;
    texts -> Vec<String>: methods;
    real -> f64: factor;
    path_of -> PathBuf: path;
    wide -> Wide: num_envs, window;
}

/// Of a machine.
pub(crate) fn dims(given: &Bound<'_, PyAny>) -> PyResult<Dim> {
    let dims = whole("dims", given, (0, Dim::MAX.get().into()))?;
    Ok(Dim::try_from(dims as u32).unwrap_or(Dim::MAX))
}

/// A machine of axes.
pub(crate) fn grid(given: &Bound<'_, PyAny>) -> PyResult<String> {
    text("machine", given)
}

/// Of a box.
pub(crate) fn nodes_asked(given: &Bound<'_, PyAny>) -> PyResult<u32> {
    count("shape", given)
}

/// Of an episode.
pub(crate) fn episode(given: &Bound<'_, PyAny>) -> PyResult<Wide> {
    wide("jobs", given)
}

pub(crate) fn nodes(given: &Bound<'_, PyAny>) -> PyResult<Vec<Node>> {
    Ok(list("nodes", given)?.into_iter().map(Node).collect())
}

fn wrong(name: &str, given: &Bound<'_, PyAny>, what: &str) -> PyErr {
    PyTypeError::new_err(format!("{name} is {}, and must be {what}", shown(given)))
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

/// Those that need not be given.
pub(crate) mod optional {
    use crate::argument::{MOST, call, real, reals, text, texts};
    use crate::number::{Wide, count, whole, wide};
    use pyo3::prelude::*;

    macro_rules! optionals {
        ($($name:ident: $result:ty, $read:expr;)*) => {$(
            pub(crate) fn $name(given: &Bound<'_, PyAny>) -> PyResult<Option<$result>> {
                let read: fn(&str, &Bound<'_, PyAny>) -> PyResult<$result> = $read;
                if given.is_none() { Ok(None) } else { read(stringify!($name), given).map(Some) }
            }
        )*};
    }

    optionals! {
        deadline: u64, |name, given| whole(name, given, (0, MOST));
        estimates: f64, real;
        free: u32, count;
        id: u32, |name, given| Ok(whole(name, given, (0, u32::MAX.into()))? as u32);
        jobs: usize, |name, given| Ok(whole(name, given, (0, MOST))? as usize);
        loads: Vec<f64>, reals;
        machine: String, text;
        metrics: Vec<String>, texts;
        processors: Wide, wide;
        progress: Py<PyAny>, call;
        queue: String, text;
        ready: u64, |name, given| whole(name, given, (0, MOST));
        requested: u64, |name, given| whole(name, given, (0, MOST));
        strategy: String, text;
    }
}
