//! **locox-models**: the world around the scheduling kernel.
//!
//! Machines, workloads and a clock for the code of `locox`, on hosts only. The kernel decides; a
//! model applies what it decided and answers with what happened next, so that every claim is
//! checked by running the code that ships.
//!
//! # Map
//!
//! - [`swf`] reads traces in the Standard Workload Format; [`workload`] turns them into jobs, or
//!   makes jobs up: [`workload::lublin`] as a published model does, [`workload::synthetic`] by
//!   simple rules, [`workload::cm5`] and [`workload::reservations`] for a study of reservations.
//! - [`sacct`] makes such traces of Slurm's accounting, [`openb`] of tasks and nodes with GPUs.
//! - [`machine`] says which processors a job holds: a hypercube under one of the kernel's
//!   strategies, a mesh, a torus or nodes in blocks under its placements of boxes, or a pool without topology.
//! - [`managed`] is a resource manager whose jobs the kernel's coordinator starts and stops.
//! - [`network`] is the cube that jobs send messages over: channels, routes, traffic, contention.
//! - [`outages`] reads when processors were out of service.
//! - [`replay`] runs a workload on a machine under a queue discipline.
//! - [`moment`] is how a simulation stands, for those who watch it.
//! - [`compare`] is statistics: by how much one way of scheduling is better than another.
//! - [`reservations`] puts requests to the kernel's timeline as they arrive.
//! - [`workstation`] is the pool of workstations and their owners, run by the kernel's own
//!   coordinator.
//! - [`recorded`] is files of what a coordinator was told, and what they lead to.
//! - [`timeshare`] is hosts that parallel jobs share in time: their schedulers, programs, messages.
//! - [`site`] reads descriptions of unlike machines, and what jobs are expected to take there.
//! - [`mod@file`] opens files of users, and no devices.
//! - [`table`] reads small tables of users.
//! - [`text`] bounds texts that are read whole, [`memory`] what is kept of any file.
//! - [`events`], [`streams`] and [`stats`] serve every model: the next event, the random numbers,
//!   the figures.
//!
//! # Principles
//!
//! 1. Same seed, same workload, same machine: same result, bit for bit.
//! 2. One random stream for each source of randomness, so that a change of one leaves the others
//!    alone.
//! 3. Ties are broken by a sequence number: what was scheduled first happens first.
//! 4. Times are ticks ([`locox::time`]): a second in traces,
//!    [`workload::synthetic::TICKS_PER_UNIT`] to the unit of time in experiments.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod compare;
pub mod events;
pub mod file;
pub mod machine;
pub mod managed;
pub mod memory;
pub mod moment;
pub mod network;
pub mod openb;
pub mod order;
pub mod outages;
pub mod recorded;
pub mod replay;
pub mod reservations;
pub mod sacct;
pub mod site;
pub mod stats;
pub mod streams;
pub mod swf;
pub mod table;
pub mod text;
pub mod timeshare;
pub mod workload;
pub mod workstation;
