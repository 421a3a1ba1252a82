//! Nodes as they are: cores, memory, GPUs, features; unlike each other, and shared by jobs.
//!
//! [`Nodes`] is a [`Machine`](crate::machine::Machine) whose maps count what is free of up to eight quantities on each node. So
//! timetables and queues with promises work on it, and so do intervals that a queue reserves and planned outages.
//!
//! | file | what |
//! |---|---|
//! | `amounts` | [`Amounts`]: how much of each quantity |
//! | `request`, `place` | [`NodeRequest`]: what a job asks for; [`NodePlace`]: what it has |
//! | `row` | what is free on one node; devices that are held in parts |
//! | `machine` | [`Nodes`] |
//! | `mix` | the kinds of requests for which *fewest lost* keeps room |
//! | `pool`, `lease`, `image` | [`NodePool`]: what is free of them now; [`NodeLease`]: a place that it granted |
//! | `placement`, `fit` | [`Placement`]: which of the nodes where a request fits it gets |

mod amounts;
mod cheapest;
mod fit;
mod image;
mod lease;
mod machine;
mod mix;
mod place;
mod placement;
mod pool;
mod request;
mod row;
mod tenants;

pub use amounts::Amounts;
pub use lease::{NodeLease, NodeRow, PlaceRow, Refusal};
pub use machine::{BadNodes, Nodes};
pub use place::NodePlace;
pub use placement::Placement;
pub use pool::NodePool;
pub use request::NodeRequest;

pub use crate::outage::{NoSuchNode, NodeState, Outage};
