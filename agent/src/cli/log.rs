//! A line for each act, with its reason.

use crate::backend::{Act, Outcome};
use crate::cycle::Cycle;
use std::io::{self, Write};

/// Writes what came of a cycle. `is_complete`: what is no news too.
pub(super) fn cycle(cycle: &Cycle, is_complete: bool, to: &mut impl Write) -> io::Result<()> {
    let is_news = |act: &Act| is_complete || !(cycle.renews && matches!(act, Act::Mark { .. }));
    for note in &cycle.notes {
        writeln!(to, "note: {note}")?;
    }
    for (at, planned) in cycle.planned.iter().enumerate() {
        match cycle.outcomes.get(at) {
            Some(Outcome::Refused(why)) => {
                writeln!(to, "REFUSED {planned}; the manager says: {why}")?
            }
            _ if is_news(&planned.act) => writeln!(to, "{planned}")?,
            _ => {}
        }
    }
    to.flush()
}
