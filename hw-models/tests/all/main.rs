//! The models from outside: one binary, because each costs a link.

mod backfill;
mod fair_share;
mod grid_isolation;
mod isolation;
mod jobs;
mod lublin;
mod managed;
mod observed;
mod promises;
mod recorded;
mod replay;
mod replay_outages;
mod reservations;
mod router;
mod router_grids;
mod simulation;
mod swf;
mod traces;
mod whole_replays;
mod workstation;
