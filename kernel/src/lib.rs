//! **locox**: which processors a job gets, when, and at whose expense.
//!
//! A scheduling kernel for firmware and for resource managers. It has no operating system, no
//! heap, no clock and no randomness of its own, and no panic path.
//!
//! ```
//! use locox::handle::PoolId;
//! use locox::subcube::{FreeList, Pool, words};
//! use static_cell::ConstStaticCell;
//!
//! const WORDS: usize = words::<FreeList>(10);
//! // All zeros, so in firmware it lies in `.bss` and takes no flash.
//! static STORAGE: ConstStaticCell<[usize; WORDS]> = ConstStaticCell::new([0; WORDS]);
//!
//! let storage = &mut STORAGE.take()[..];
//! let mut pool = Pool::<FreeList, _>::new(PoolId(1), 10.try_into()?, storage)?;
//! let lease = pool.allocate(3.try_into()?)?;
//! assert_eq!(lease.cube().to_string(), "0000000***");
//! println!("{}", pool.stats());
//! pool.release(lease)?;
//! assert!(pool.release(lease).is_err());
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! `examples/` has more of these: a pool that interrupts share, a mesh, a timeline, a queue.
//!
//! # Layers
//!
//! A layer knows only those below it.
//!
//! 1. Ground, words and numbers: [`time`], [`handle`], [`error`], [`invariant`],
//!    [`bits`], [`cube`], [`draw`], [`image`].
//! 2. Mechanisms, one folder a system and one file an algorithm:
//!    - [`subcube`]: subcubes of a hypercube, under five strategies or the caller's;
//!    - [`grid`]: boxes in meshes and tori of one to four axes;
//!    - [`reserve`]: advance reservations with deadlines, under seven policies or the caller's;
//!    - [`mapping`]: unlike machines and clusters of them, under eight mappers or the caller's;
//!    - [`fair`]: whose turn it is, by Up-Down, Round-Robin or lot;
//!    - [`node`]: one workstation, its owner and a guest job, behind two pins;
//!    - [`timeshare`]: which jobs share a host, and which of them is the most urgent there;
//!    - [`nodes`]: nodes with cores, memory and GPUs, shared by jobs;
//!    - [`accelerator`]: which slices of one accelerator a profile gets;
//!    - [`machine`]: where and when nodes can be had together, on all of these.
//! 3. Mechanisms over one of these:
//!    - [`mesh`]: meshes inside a hypercube, which leave what they do not use to others;
//!    - [`dispatch`]: which waiting job starts next, in four orders or by backfilling.
//!
//! Over these stand coordinators, the state machines that firmware runs for years: the crate
//! `locox-coordinators`. What it takes from below the mechanisms is in [`ground`].
//!
//! # Principles
//!
//! 1. Time and randomness are arguments.
//! 2. The caller owns the storage: an array, a boxed slice, a borrowed slice. Empty storage is all
//!    zeros: in a `static` of its own it lies in `.bss`, and `new` prepares it in place. A
//!    `new_static` is one constant with the storage inside, for hosts: in firmware it would take
//!    flash, too.
//! 3. Every limit is explicit; a full structure is an error value.
//! 4. An error leaves the state as it was, and a refusal says why.
//! 5. Order is deterministic: same calls, same answers, on every target.
//!
//! # Limits
//!
//! Cubes have at most [`cube::Dim::MAX`] dimensions. No `unsafe`, no allocation, no floating
//! point.
//!
//! # Features
//!
//! All are additive. On by default is `leaf-index`: timelines and profiles of more than 15 reservations are kept
//! in leaves, so that their costs grow with the logarithm of the slots. Without it they are sorted arrays:
//! the same answers, at a cost that grows with their number, of a search in the worst states with its
//! square, and half the code; for firmware with some tens of reservations.
//!
//! Off by default are `serde` and `defmt`, which derive their traits on the small public types: `serde` reads a
//! value only if its constructor would have made it; `bitvec`, which adds a view of bit sets as that crate's slices; `fixed`, which adds conversions of
//! schedule indices from and to that crate's numbers; and `embedded-hal`, which adds `node::NodeDriver`.

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod accelerator;
pub mod bits;
#[cfg(test)]
mod bounds;
mod columns;
pub mod cube;
mod data;
mod delegate;
pub mod dispatch;
mod display;
pub mod draw;
mod epochs;
pub mod error;
pub mod fair;
pub mod grid;
pub mod ground;
pub mod handle;
pub mod image;
pub mod invariant;
mod lease_api;
mod leftover;
mod lemma;
mod list;
pub mod machine;
pub mod mapping;
pub mod mesh;
pub mod node;
pub mod nodes;
mod outage;
mod permute;
mod require;
pub mod reserve;
mod slab;
mod slices;
mod sort;
pub mod subcube;
mod text;
pub mod time;
pub mod timeshare;
