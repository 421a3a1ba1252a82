//! Every system in step with its naive model: one binary, because each costs a link.

mod accelerator;
mod cluster;
mod dispatch;
mod exhaust;
mod fair;
#[path = "../../../../kernel/tests/all/forged_image.rs"]
mod forged_image;
mod grid;
mod manager;
mod mapping;
mod mesh;
mod others;
mod reserve;
mod runner;
mod site;
mod station;
mod subcube;
mod time;
mod timeshare;
