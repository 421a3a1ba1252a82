//! Pools of subcubes, under five strategies.
//!
//! - [`Rule`] is a naive model of one strategy: it looks at sets of nodes and tries all subcubes.
//!   There is one for each strategy of the kernel, a file each.
//! - [`Model`] adds leases, outages and refusals and so predicts every answer of a pool.
//! - [`Command`] is an operation without knowledge of the pool's state, misuse included, and every
//!   number decodes to one: food for any fuzzer or property tester.
//! - [`Client`] carries commands out, and [`Lockstep`] compares a pool with the model after each.
//!
//! ```
//! use locox::cube::Dim;
//! use locox::handle::PoolId;
//! use locox_oracles::subcube::{Command, EVEN, FreeList, Lockstep, Rule};
//!
//! let dims = Dim::new(4).unwrap();
//! let mut pool = FreeList::pool(PoolId(0), dims);
//! let mut run = Lockstep::<FreeList>::new(&mut pool);
//! for number in 0..100u64 {
//!     let number = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
//!     run.step(&Command::decode(dims, number, &EVEN)).unwrap();
//! }
//! ```
//!
//! A step costs about 3^n to 4^n simple operations, so machines up to 8 dimensions are for every
//! run and 10 for patient ones.

mod buddy;
mod client;
mod command;
mod complete;
mod follow;
mod free_list;
mod gray_code;
mod lockstep;
mod model;
mod nodes;
mod outages;
mod rule;

pub use buddy::Buddy;
pub use client::{Answer, Client};
pub use command::{Command, EVEN, Pick, Weights};
pub use complete::Complete;
pub use follow::follow;
pub use free_list::{FreeList, FreeListPlain, Lists};
pub use gray_code::GrayCode;
pub use lockstep::{Lockstep, Observation};
pub use model::Model;
pub use nodes::{NodeSet, subcubes};
pub use outages::Outages;
pub use rule::{Meshes, Rule, Subcubes};
