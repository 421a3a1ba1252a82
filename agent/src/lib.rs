//! Governs a cluster through its resource manager: the kernel decides which job runs where and when, and the
//! manager acts.
//!
//! The agent is *level-triggered*. Each [cycle](agent::Agent::cycle) takes a snapshot of the manager, tells the kernel
//! what of it is news, has it decide once, stores that, and then asks for whatever was decided and is not so. An act that
//! was lost, refused or half done is asked for again, as the next snapshot shows it.

mod acts;
mod advice;
pub mod agent;
pub mod backend;
pub mod boxes;
pub mod changed;
pub mod cli;
mod command;
pub mod condor;
pub mod config;
pub mod copied;
pub mod cube;
pub mod cycle;
pub mod estimates;
mod facts;
pub mod gone;
mod lines;
pub mod looking;
pub mod managers;
pub mod mark;
mod memory;
pub mod migrate;
pub mod names;
pub mod old;
mod outages;
pub mod places;
pub mod planned;
pub mod promises;
pub mod release;
pub mod rows;
pub mod seen;
mod shared;
mod shares;
pub mod simulated;
pub mod slurm;
pub mod stops;
pub mod tree;
