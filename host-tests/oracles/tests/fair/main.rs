//! Rankings of stations: every round against naive models.

#[path = "../common/mod.rs"]
mod common;
mod in_step;
