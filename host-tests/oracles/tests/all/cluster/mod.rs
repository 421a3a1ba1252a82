//! The coordinator of a cluster in step with a naive model, under each placement.

mod in_step;
