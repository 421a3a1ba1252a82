//! Rankings of stations: every round against naive models.

mod common;
mod in_step;
