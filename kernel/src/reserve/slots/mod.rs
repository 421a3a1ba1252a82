//! The slots of a timeline: where they lie ([`layout`]), what reads them one by one ([`view`]) or searches them
//! ([`find`]), what puts them in and takes them out ([`leaves`]), and the changes made of that ([`edit`]).

pub(crate) mod array;
pub(crate) mod edit;
pub(crate) mod find;
pub(crate) mod layout;
pub(crate) mod leaves;
pub(crate) mod outage;
pub(crate) mod pes;
pub(crate) mod tables;
pub(crate) mod view;
