//! Timelines of reservations: every answer against a naive model.

mod exhaustive;
mod in_step;
