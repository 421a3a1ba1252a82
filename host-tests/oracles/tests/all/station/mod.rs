//! The coordinator of workstations in worlds of hosts and owners, and under any commands.

mod any_commands;
mod contradictions;
mod in_step;
mod in_world;
mod told;
