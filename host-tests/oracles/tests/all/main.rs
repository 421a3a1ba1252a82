//! Every system in step with its naive model: one binary, because each costs a link.

mod accelerator;
mod cluster;
mod coordinate;
mod dispatch;
mod exhaust;
mod fair;
mod forged;
mod grid;
mod machine;
mod manager;
mod mapping;
mod mesh;
mod others;
mod reserve;
mod runner;
mod site;
mod station;
mod subcube;
mod tampered;
mod time;
mod timeshare;
