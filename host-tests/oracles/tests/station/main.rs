//! The coordinator of workstations in worlds of hosts and owners.

mod in_world;
mod world;
