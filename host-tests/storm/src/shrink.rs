//! The fewest commands that still fail: leaves out halves, quarters and so on, down to single ones.

use crate::claims::Violation;
use crate::plan::Plan;
use crate::planted::Planted;
use crate::world::{Outcome, live};

/// A plan with fewer commands of which the same claim does not hold, and what comes of it. None of its commands can be
/// left out alone.
pub(crate) fn shrink(plan: &Plan, planted: Option<Planted>, like: &Violation) -> (Plan, Outcome) {
    let fails = |plan: &Plan| {
        let outcome = live(plan, planted);
        let is_same = |found: &Violation| (found.claim, found.whose) == (like.claim, like.whose);
        outcome.violation.as_ref().is_some_and(is_same).then_some(outcome)
    };
    let mut plan = plan.clone();
    let mut outcome = live(&plan, planted);
    let mut size = plan.commands.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        let mut has_shrunk = false;
        while at < plan.commands.len() {
            let mut fewer = plan.clone();
            fewer.commands.drain(at..(at + size).min(plan.commands.len()));
            match fails(&fewer) {
                Some(found) => {
                    (plan, outcome, has_shrunk) = (fewer, found, true);
                }
                None => at += size,
            }
        }
        if size == 1 && !has_shrunk {
            return (plan, outcome);
        }
        size = if size == 1 { 1 } else { size.div_ceil(2) };
    }
}
