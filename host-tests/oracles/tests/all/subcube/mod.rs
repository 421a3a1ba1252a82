//! Pools of subcubes: every answer against naive models, and what holds of all strategies.

mod common;
mod determinism;
mod effort;
mod emptying;
mod figures;
mod in_step;
mod large_machines;
mod misuse;
mod outages;
mod own;
mod planted;
mod refusals;
mod remembered;
mod restarts;
mod storage;
mod windows;
