//! A line for each act, with its reason.

use super::answer::say;
use crate::backend::{Act, Outcome};
use crate::cycle::Cycle;
use std::io;

/// Writes what came of a cycle. `is_complete`: what is no news too.
pub(super) fn cycle(cycle: &Cycle, is_complete: bool) -> io::Result<()> {
    let is_news = |act: &Act| is_complete || !(cycle.renews && matches!(act, Act::Mark { .. }));
    for note in &cycle.notes {
        say(format!("note: {note}"))?;
    }
    for (at, planned) in cycle.planned.iter().enumerate() {
        match cycle.outcomes.get(at) {
            Some(Outcome::Refused(why)) => {
                say(format!("REFUSED {planned}; the manager says: {why}"))?;
            }
            _ if is_news(&planned.act) => say(planned)?,
            _ => {}
        }
    }
    Ok(())
}
