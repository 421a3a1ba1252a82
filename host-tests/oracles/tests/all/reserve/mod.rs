//! Timelines of reservations: every answer against a naive model.

mod in_step;
