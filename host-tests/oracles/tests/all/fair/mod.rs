//! Rankings of stations: every round against naive models.

mod defaults;
mod in_step;
