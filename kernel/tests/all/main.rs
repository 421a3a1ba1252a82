//! What every system promises, from outside: one binary, because each costs a link.

mod accelerator;
mod backfill_rules;
mod dispatch_moved;
mod dispatch_outages;
mod dispatch_rules;
mod dispatch_time;
mod displayed;
mod fair_rules;
mod fair_timed;
mod forged_image;
mod largest_machine;
mod mapping;
#[cfg(feature = "embedded-hal")]
mod node_driver;
mod node_local;
mod node_mix;
mod node_owner;
mod reserve_attempt;
mod reserve_datasets;
mod reserve_full;
mod reserve_machines;
mod reserve_paper;
mod reserve_policies;
mod reserve_refusals;
mod reserve_wide;
mod restarts;
mod user_limit;
