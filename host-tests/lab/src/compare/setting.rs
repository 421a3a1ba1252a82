//! What was found of the jobs of one source at one load.

use super::{Drawn, Reason, Run, Source};
use crate::method::Method;

/// A source at a load, and what each method made of it.
pub struct Setting<'a> {
    pub source: &'a Source,
    /// `None` as the jobs come.
    pub load: Option<f64>,
    /// The base line first.
    pub found: Vec<Found>,
}

/// The runs of a method on all draws, in their order; of a trace first on what was recorded.
#[derive(Clone, Debug)]
pub struct Found {
    pub method: Method,
    /// Or why nothing is.
    pub drawn: Result<Drawn, Reason>,
    pub runs: Vec<Run>,
}
