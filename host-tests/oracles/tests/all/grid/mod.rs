//! Pools of boxes in step with the naive model.

mod all_maps;
mod in_step;
mod plans;
mod refusals;
