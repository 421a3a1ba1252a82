//! Where a request fits: the earliest fit ([`fit`]), the start that a policy prefers ([`best`]) among the
//! candidates ([`candidates`]), and whether what the caller chose is free ([`interval`]).

pub(crate) mod best;
pub(crate) mod candidates;
pub(crate) mod checked_request;
pub(crate) mod fit;
mod interval;
