//! Short worlds, and each planted defect: `ci/storm` has the long ones.

mod command;
mod planted;
mod worlds;
