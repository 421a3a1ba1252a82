//! Short worlds, and each planted defect: `ci/deep/storm` has the long ones.

mod command;
mod planted;
mod worlds;
