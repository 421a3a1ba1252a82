//! Pools of meshes: every answer against naive models, and what holds of all of them.

mod common;
mod geometry;
mod in_step;
mod isolation;
mod leftovers;
mod pieces;
mod planted;
mod release;
mod rules;
