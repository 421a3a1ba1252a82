//! What every coordinator promises, from outside: one binary, because each costs a link.

mod cluster;
mod cluster_histories;
mod cluster_messages;
mod cluster_terms;
mod copied;
mod displayed;
#[path = "../../../kernel/tests/all/forged_image.rs"]
mod forged_image;
mod manager;
mod manager_bound;
mod manager_reservations;
mod manager_room;
#[path = "../../benches/common/manager_rows.rs"]
mod manager_rows;
mod manager_scale;
mod manager_waits;
#[path = "../../benches/common/manager_world.rs"]
mod manager_world;
mod site_patience;
mod site_rules;
mod station_hostile;
mod station_journal;
mod station_life;
mod station_restart;
mod station_rules;
mod station_scale;
mod station_weights;
