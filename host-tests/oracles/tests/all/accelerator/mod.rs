//! Slices of an accelerator: every answer against a naive model.

mod all_states;
mod in_step;
