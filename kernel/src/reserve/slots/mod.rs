//! The slots of a timeline: what a store of them must do ([`store`]), the two that there are ([`flat`] and
//! `leaves`), and what changes them in either ([`edit`]).

pub(crate) mod array;
pub(crate) mod claim;
pub(crate) mod edit;
pub(crate) mod flat;
#[cfg(feature = "leaf-index")]
pub(crate) mod leaf_edit;
#[cfg(feature = "leaf-index")]
pub(crate) mod leaves;
pub(crate) mod outage;
pub(crate) mod store;
pub(crate) mod tables;
