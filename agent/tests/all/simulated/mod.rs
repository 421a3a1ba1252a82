//! The agent in front of the simulated manager: with nothing that goes wrong its decisions are those of a plain
//! model; with all that goes wrong nothing is started twice, held for ever, or lost.

mod advisory;
mod aside;
mod boxes;
mod cubes;
mod disk;
mod gone;
mod guests;
mod hostile;
mod kills;
mod model;
mod naive;
mod old;
mod outages;
mod promises;
mod requests;
mod run;
mod site;
pub(crate) mod stops;
mod trees;
mod watched;
