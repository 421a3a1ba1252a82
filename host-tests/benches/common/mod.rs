//! What the benchmarks of subcube allocation share.

pub mod patterns;
pub mod subjects;
pub mod trace;
