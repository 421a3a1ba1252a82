//! Rankings of stations: every round against naive models.

mod in_step;
