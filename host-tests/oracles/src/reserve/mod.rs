//! Timelines of reservations.

pub mod naive;
