//! What the benchmarks of subcube allocation share.

pub(crate) mod subjects;
pub(crate) mod trace;
