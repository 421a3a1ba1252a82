//! Pools of boxes in meshes and tori.
//!
//! - [`Cells`] is a machine cell by cell, and tries all boxes.
//! - [`Model`] predicts every answer of a pool.
//! - [`Command`] is an operation without knowledge of the pool's state, misuse included, and every
//!   number decodes to one.
//! - [`Lockstep`] carries commands out and compares a pool with the model after each.
//!
//! ```
//! use locox::grid::{Anchors, Grid, Placement};
//! use locox_oracles::grid::{Command, EVEN, Lockstep};
//!
//! let torus = Grid::torus(&[4, 4]).unwrap();
//! let mut run = Lockstep::new(torus, Placement::Corner, Anchors::Any);
//! for number in 0..100u64 {
//!     let number = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
//!     run.step(&Command::decode(torus, number, &EVEN)).unwrap();
//! }
//! ```

mod ask;
mod cells;
mod command;
mod follow;
mod lockstep;
mod model;
mod rule;

pub use ask::Ask;
pub use cells::{At, Cells, plain, sides_of};
pub use command::{Command, EVEN, Pick, Weights};
pub use follow::follow;
pub use lockstep::{Lockstep, Pool, pool};
pub use model::Model;
