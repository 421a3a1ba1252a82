//! Timelines of reservations: every answer against a naive model.

mod churn;
mod in_step;
mod long_windows;
mod planted;
mod together;
mod told;
