//! Advance reservations with deadlines: is there room for so many PEs for so long, ready then,
//! done by then; and when, and which ones?
//!
//! A [`Timeline`] keeps which processing elements (PEs) of a machine are busy from when to when,
//! and answers such [`Request`]s exactly, under the seven policies of the source or the caller's.
//! A [`Profile`] is the same without the identity of the PEs, for machines where only their
//! number matters.
//!
//! The PEs of a reservation are a box, a subcube or nodes of one rack if its choice is [`Together`].
//! A [`Mask`] says which PEs a request may get and which it must. [`Timeline::reserve_one_of`]
//! places one of some alternatives, [`Timeline::reserve_series`] a periodic reservation, and
//! [`Timeline::attempt`] tries changes that are kept or undone together. [`Timeline::reserve_at_speeds`]
//! takes PEs of unlike speed, and [`reserve_on_one_of`] one of several machines.
//!
//! Source: Li, Pei, Shen, Wu, He, Yang, *Resource availability-aware advance reservation for
//! parallel jobs with deadlines*, which describes the list of slots, the candidate starts, the
//! maximal rectangles and the policies. Unlike there, the slots are held in sorted leaves with
//! summaries, so that a change or a search does not pass over all of them.
//!
//! ```
//! use locox::handle::PoolId;
//! use locox::reserve::{Error, Fit, Limits, Lowest, Refusal, Request, Timeline};
//! use locox::time::{Duration, Instant};
//!
//! const LIMITS: Limits = Limits { pes: 64, reservations: 15 };
//! // In firmware the storage is a static of zeros, borrowed.
//! let mut timeline = Timeline::new(PoolId(0), LIMITS, [0; Timeline::words(LIMITS)])?;
//!
//! let at = Instant::from_ticks;
//! let request = Request::new(at(0), Duration::from_ticks(100), 48).by(at(150));
//! let (first, placed) = timeline.reserve(&request, &Fit::First, &Lowest)?;
//! assert_eq!((placed.start, placed.end), (at(0), at(100)));
//!
//! // 16 PEs are left until 100: too few for the same again before 150.
//! let refused = timeline.reserve(&request, &Fit::First, &Lowest);
//! assert_eq!(refused, Err(Error::Refused(Refusal::Late { finish: at(200) })));
//!
//! timeline.cancel(first)?;
//! assert!(timeline.reserve(&request, &Fit::First, &Lowest).is_ok());
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod attempt;
mod bids;
mod broker;
mod calendar;
mod candidate;
mod check;
mod choice;
mod composite;
mod edit;
mod expiry;
mod image;
mod ledger;
mod limits;
mod policy;
mod profile;
mod refusal;
mod request;
mod search;
mod slots;
mod speeds;
mod timeline;
mod timeline_api;
mod together;

pub use crate::invariant::InvariantViolation;
pub use attempt::{Attempt, Step};
pub use broker::reserve_on_one_of;
pub use candidate::{Candidate, Rectangle};
pub use choice::{AlignedSubcube, Choice, Contiguous, FreePes, Lowest, Mask, Masked};
pub use ledger::{Reservation, ReservationId};
pub use limits::{Limits, SetupError};
pub use policy::{FirstFit, Fit, PeWorst, Policy};
pub use profile::Profile;
pub use refusal::{Error, Misuse, Refusal};
pub use request::{Interval, Request};
pub use search::candidates::Candidates;
pub use slots::view::Slot;
pub use speeds::{SpeedClass, Speeds};
pub use timeline::Timeline;
pub use together::Together;
