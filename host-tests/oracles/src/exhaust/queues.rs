//! Queues under every discipline, and those that plan: all histories of calls, restarts included.

use super::{Counts, histories};
use crate::dispatch::{order, planner};
use crate::reserve::Restart;

/// Calls of a queue, as they should be and not.
fn calls() -> Vec<order::Command> {
    use order::Command::*;
    vec![
        Push(1, 1),
        Push(2, 0),
        Push(0, 0),
        Adopt(1, 1),
        Next(0),
        Next(1),
        Finish(0),
        FinishAny(0),
        FinishAny(1),
        Cancel(0),
        Cancel(1),
        Rekey(0, 3),
        Requeue(0),
        Hold(0, true),
        Hold(0, false),
        Restart(self::Restart::Begin),
        Restart(self::Restart::Load),
        Restart(self::Restart::Restore),
    ]
}

/// All histories of so many calls of a queue with room for three jobs, each of which may be overtaken once, beside a model
/// under `beside`, which should be the same rule.
pub fn queues(length: usize, rule: order::Rule, beside: order::Rule) -> Counts {
    histories(&calls(), length, |history| {
        let mut run = order::Lockstep::beside(rule, beside, Some(1), 3);
        history.iter().try_for_each(|call| run.step(call))?;
        Ok(run.key())
    })
}

/// Calls of a planner, as they should be and not.
fn planned() -> Vec<planner::Command> {
    use planner::Command::*;
    vec![
        Push(1, 2, 1),
        Push(2, 1, 0),
        Push(3, 1, 1),
        Push(1, 0, 1),
        Reserve(2, 1, 1, 1),
        Adopt(1, 2, 1, 1),
        Advance(1),
        Advance(2),
        Finish(0),
        Finish(1),
        Cancel(0),
        Rekey(0, 3),
        Requeue(0),
        Hold(0, true),
        Hold(0, false),
        Withdraw(1),
        Repair(1),
        Estimate(0),
        Restart(self::Restart::Begin),
        Restart(self::Restart::Load),
        Restart(self::Restart::Restore),
    ]
}

/// The same of a planner of two PEs with room for three jobs, beside a model of another kind, which should be the same.
pub fn planners(length: usize, kind: planner::Kind, beside: planner::Kind) -> Counts {
    histories(&planned(), length, |history| {
        let mut run = planner::Lockstep::beside(kind, beside, 2, 3, true);
        history.iter().try_for_each(|call| run.step(call))?;
        Ok(run.key())
    })
}
