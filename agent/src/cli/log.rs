//! A line for each act, with the manager's time and its reason.

use super::answer;
use super::times;
use crate::backend::{Act, Outcome};
use crate::cycle::Cycle;
use std::fmt::Display;
use std::io;

/// Writes what came of a cycle. `is_complete`: what is no news too.
pub(super) fn cycle(cycle: &Cycle, is_complete: bool) -> io::Result<()> {
    let is_news = |act: &Act| is_complete || !(cycle.renews && matches!(act, Act::Mark { .. }));
    let time = times::clock(cycle.now);
    let say = |text: &dyn Display| answer::say(format_args!("{time} {text}"));
    for note in &cycle.notes {
        say(&format_args!("note: {note}"))?;
    }
    for (at, planned) in cycle.planned.iter().enumerate() {
        match cycle.outcomes.get(at) {
            Some(Outcome::Refused(why)) => {
                say(&format_args!("REFUSED {planned}; the manager says: {why}"))?;
            }
            _ if is_news(&planned.act) => say(planned)?,
            _ => {}
        }
    }
    Ok(())
}
