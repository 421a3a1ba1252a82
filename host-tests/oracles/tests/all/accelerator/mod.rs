//! Slices of an accelerator: every answer against a naive model.

mod in_step;
mod tables;
