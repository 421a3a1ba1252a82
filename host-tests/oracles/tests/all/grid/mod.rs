//! Pools of boxes in step with the naive model.

mod images;
mod in_step;
mod plans;
mod refusals;
mod values;
