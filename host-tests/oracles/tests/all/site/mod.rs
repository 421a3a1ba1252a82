//! The coordinator of a site: every answer against a naive model.

mod in_step;
mod planted;
mod rules;
mod told;
