//! A line for each act, with its reason.

use super::answer::say;
use crate::backend::Outcome;
use crate::cycle::Cycle;
use std::io;

/// Writes what came of a cycle.
pub(super) fn cycle(cycle: &Cycle) -> io::Result<()> {
    for note in &cycle.notes {
        say(format!("note: {note}"))?;
    }
    for (at, planned) in cycle.planned.iter().enumerate() {
        match cycle.outcomes.get(at) {
            Some(Outcome::Refused(why)) => {
                say(format!("REFUSED {planned}; the manager says: {why}"))?;
            }
            _ => say(planned)?,
        }
    }
    Ok(())
}
