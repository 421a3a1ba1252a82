//! Whole numbers among arguments, by their names: what `from_py_with` takes.

use super::number::{list, whole};
use locox::cube::Node;
use pyo3::prelude::*;

macro_rules! arguments {
    ($($name:ident: $number:ty),* $(,)?) => {$(
        pub(crate) fn $name(given: &Bound<'_, PyAny>) -> PyResult<$number> {
            whole(stringify!($name), given)
        }
    )*};
}

arguments! {
    bound: u64, chromosomes: usize, dim: u32, dims: u32, duration: u64, end: u64, generations: u32,
    half_life: u64, holds: u16, jobs: usize, key: u64, node: u32, now: u64, pe: u32, pes: u32,
    processors: u32, quantum: u64, room: u32, seed: u64, seeds: usize, start: u64, station: u32, stations: u32,
    time: u64, wants: u16, weight: u16,
}

pub(crate) fn nodes(given: &Bound<'_, PyAny>) -> PyResult<Vec<Node>> {
    Ok(list("nodes", given)?.into_iter().map(Node).collect())
}

/// Those that need not be given.
pub(crate) mod optional {
    use crate::number::whole;
    use pyo3::prelude::*;

    macro_rules! optionals {
        ($($name:ident: $number:ty),* $(,)?) => {$(
            pub(crate) fn $name(given: &Bound<'_, PyAny>) -> PyResult<Option<$number>> {
                if given.is_none() { Ok(None) } else { whole(stringify!($name), given).map(Some) }
            }
        )*};
    }

    optionals! { deadline: u64, free: u32, id: u32, ready: u64, requested: u64 }
}
