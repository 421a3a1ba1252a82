//! What every coordinator is: a state machine that firmware runs.
//!
//! Commands and the time go in, effects come out one by one, and the state goes out and in as an
//! image. Same commands at the same times, same effects, bit for bit, on every target: so a run
//! recorded on one can be replayed on another, and after a power cut.
//!
//! [`locox::image`] says what an image is.
//!
//! # Journals
//!
//! An image a command is much to write. A [`Record`] is sixteen words, whatever the coordinator,
//! and the records of the commands since an image lead from that to the present, bit for bit:
//! [`Durable`] makes them and takes them. An effect has a record too, with its number, to be sent
//! to whom it concerns.
//!
//! | word | what it is |
//! |---|---|
//! | 0 | from the lowest byte: which one (255: a restart), version of this table, `C`, `J` ([`Record::of_joined`]) or `E`, `L` |
//! | 1, 2 | its number, from 1 on |
//! | 3, 4 | when it was taken |
//! | 5 | of a command: how many effects were taken before it, without the upper half |
//! | 6 | of a command: what was drawn for it |
//! | 7 to 14, or 5 to 14 | what it says, and zeros |
//! | 15 | CRC-32 of the identity (words 1 to 3 of an image) and of the words before |
//!
//! # One of your own
//!
//! Whatever implements [`Coordinate`] and [`Snapshot`] has all of this. It may be made of others,
//! whose images lie in its own. [`stored!`](locox::stored) makes commands, effects and rows words, and back.
//!
//! ```
//! use locox::handle::PoolId;
//! use locox::image::{BadImage, Identity, Stored};
//! use locox::time::Instant;
//! use locox_coordinators::coordinate::{Coordinate, Durable, Snapshot};
//!
//! /// Counts to a number, and says each multiple of it.
//! struct Counter {
//!     now: Instant,
//!     counted: u32,
//!     due: bool,
//! }
//!
//! impl Snapshot for Counter {
//!     type Kept = Instant;
//!     fn identity(&self) -> Identity {
//!         Identity { kind: *b"DEMO", version: 1, pool: PoolId(0), configuration: 0 }
//!     }
//!     fn kept(&self) -> Instant {
//!         self.now
//!     }
//!     fn store(&self, mut put: &mut dyn FnMut(u32)) {
//!         self.now.store(&mut put);
//!         self.counted.store(&mut put);
//!     }
//!     fn load_contents(
//!         &mut self,
//!         mut take: &mut dyn FnMut() -> Result<u32, BadImage>,
//!     ) -> Result<(), BadImage> {
//!         let (now, counted) = (Instant::load(&mut take)?, u32::load(&mut take)?);
//!         *self = Self { now, counted, due: false };
//!         Ok(())
//!     }
//!     fn reset(&mut self, now: Instant) {
//!         *self = Self { now, counted: 0, due: false };
//!     }
//! }
//!
//! impl Coordinate for Counter {
//!     type Command = u32;
//!     type Effect = u32;
//!     type Answer = ();
//!     type Error = ();
//!     type Draw = ();
//!     fn apply_drawn(&mut self, now: Instant, by: u32, (): ()) -> Result<(), ()> {
//!         // The first word of a command is its variant, below 255.
//!         if by >= 255 {
//!             return Err(());
//!         }
//!         (self.now, self.counted) = (now, self.counted + by);
//!         self.due = self.counted % 3 == 0;
//!         Ok(())
//!     }
//!     fn peek_effect(&self) -> Option<u32> {
//!         self.due.then_some(self.counted)
//!     }
//!     fn take_effect(&mut self) -> Option<u32> {
//!         let effect = self.peek_effect();
//!         self.due = false;
//!         effect
//!     }
//!     fn resync(&mut self) {
//!         self.due = self.counted % 3 == 0;
//!     }
//! }
//!
//! let fresh = || Durable::new(Counter { now: Instant::ZERO, counted: 0, due: false });
//! let mut counter = fresh();
//! let (_, record) = counter.apply_drawn(Instant::from_ticks(7), 3, ()).unwrap();
//! assert_eq!(counter.take_effect().unwrap().effect, 3);
//!
//! let mut other = fresh();
//! other.replay(&record, |_| ()).unwrap();
//! assert_eq!(other.coordinator().counted, 3);
//! ```

mod coordinator;
mod declare;
mod durable;
mod error;
mod job;
mod record;

pub use coordinator::Coordinate;
pub(crate) use declare::{columns, inherent_methods, variants};
pub use durable::Durable;
pub use error::BadRecord;
pub use job::{JobId, Run};
pub use locox::image::Snapshot;
pub use record::{CommandRecord, EffectRecord, Record};
