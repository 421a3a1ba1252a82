//! Fair shares of processors that belong to others: Up-Down and its two rivals.
//!
//! Stations want processors for their background jobs; some processors are free. Who gets one,
//! and who has to give one back? A [`Fairness`] ranks the stations: [`TimedUpDown`] by what each
//! had and how long each waited, which is the one to start from; [`UpDown`] by the same with the
//! study's table, which counts updates and comes to its ends where these are many;
//! [`RoundRobin`] in turn, [`Random`] by lot. A [`Round`] turns the ranking into an ordered list of
//! [`Decision`]s, each with its reason.
//!
//! At each scheduling interval, whenever new capacity becomes available, or however else the
//! caller's rules say: [`Fairness::update`] with the demand as it stood, then a [`Round`]. A ranking
//! that [keeps the order](Fairness::KEEPS_ORDER) is told of the time and of each change instead.
//!
//! Source: Mutka and Livny, "Scheduling Remote Processing Capacity in a Workstation-Processor
//! Bank Network" (1987), tables 3 and 4.
//!
//! Cost: [`TimedUpDown`] takes O(log stations + rates) for a change or a decision, and 64 bytes a
//! station. Under the others an update and a round each pass once over the stations, whatever
//! there is to decide: together 2 ns a station, 0.2 ms among 100,000 and 2 ms among a million, and
//! a pass more for each time that the contenders that there is room for are used up. Memory is 8
//! bytes a station (index and demand) and 16 bytes for each decision that a round is to find in one
//! pass.
//!
//! ```
//! use locox::fair::{
//!     Capacity, Condor, Contender, Decision, Demand, Fairness, Reason, Round, ScheduleIndex,
//!     StationId, UpDown,
//! };
//! let mut fair = UpDown::new([ScheduleIndex::ZERO; 2], Condor::default());
//! let mut scratch = [Contender::EMPTY; 4];
//!
//! // Station 0 has had both processors of the bank for an interval; station 1 wants one.
//! let demand = [Demand { wants: 5, holds: 2 }, Demand { wants: 1, holds: 0 }];
//! fair.update(&demand).unwrap();
//! let capacity = Capacity { nodes: 2, free: 0 };
//! let mut round = Round::new(&mut fair, &demand, capacity, (), &mut scratch).unwrap();
//! let reason = Reason::BetterIndex {
//!     to: ScheduleIndex::from_int(-10),
//!     from: ScheduleIndex::from_int(20),
//! };
//! assert_eq!(
//!     round.next(&mut fair, &demand),
//!     Some(Decision::Preempt { from: StationId(0), to: StationId(1), reason })
//! );
//! assert_eq!(round.next(&mut fair, &demand), None);
//! ```

mod decision;
mod demand;
mod error;
mod functions;
mod index;
mod random;
mod ranked;
mod ranking;
mod round;
mod round_robin;
mod timed;
mod updown;

pub use decision::{Decision, Exchange, Reason};
pub use demand::{Demand, StationId};
pub use error::Misuse;
pub use functions::{Condor, IndexFunctions, Line, Linear, Saturating};
pub use index::{Amount, ScheduleIndex};
pub use random::Random;
pub use ranked::Contender;
pub use ranking::{Fairness, StaticFairness};
pub use round::{Capacity, Round};
pub use round_robin::RoundRobin;
pub use timed::{DecayParams, TimedRow, TimedUpDown};
pub use updown::UpDown;
