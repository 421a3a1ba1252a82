//! A line for each act, with its reason.

use crate::backend::Outcome;
use crate::cycle::Cycle;
use std::io::{self, Write};

/// Writes what came of a cycle.
pub(super) fn cycle(cycle: &Cycle, to: &mut impl Write) -> io::Result<()> {
    for note in &cycle.notes {
        writeln!(to, "note: {note}")?;
    }
    for (at, planned) in cycle.planned.iter().enumerate() {
        match cycle.outcomes.get(at) {
            Some(Outcome::Refused(why)) => {
                writeln!(to, "REFUSED {planned}; the manager says: {why}")?
            }
            _ => writeln!(to, "{planned}")?,
        }
    }
    to.flush()
}
