//! Every state of a small instance.

use super::held::Held;
use super::limits::{self, MOST_WALKED};
use super::run::Run;
use super::{Call, Subject, Wrong};
use std::collections::{BTreeMap, VecDeque};

/// What was visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// States: sets of blocks that are held.
    pub states: usize,
    /// Calls that were judged: those that are as they should be, in each state.
    pub calls: usize,
}

/// Carries out every call that is as it should be in every state that calls lead to, by the fewest calls, and judges the
/// answers: what is granted is free, at a place and of the size asked for; what has room is granted, if the subject promises
/// that; what is held is taken back, and parts of it, if the subject promises that; the count of free units; no panic.
///
/// Then it does the same again, and after each call fills the subject with the smallest size, empties it, and asks for the
/// largest: there a unit is missed or granted twice that a release or a refusal spoilt. A unit that is lost is not missed in a
/// subject that neither promises to find all nor counts its free units.
///
/// # Errors
///
/// [`Wrong`]: the first wrong answer; or `units` or `sizes` cannot be tested, or the same calls get other answers after another
/// reset.
pub fn walk(subject: &mut dyn Subject) -> Result<Walk, Wrong> {
    let sizes = limits::sizes(subject, MOST_WALKED)?;
    let mut calls = 0;
    let states = visit(subject, &sizes, &mut |_| {
        calls += 1;
        Ok(())
    })?;
    visit(subject, &sizes, &mut |run| run.fill_and_empty(&sizes))?;
    Ok(Walk { states, calls })
}

/// Visits every state; `judged` gets the run after each call. How many states there are.
pub(super) fn visit(
    subject: &mut dyn Subject,
    sizes: &[u32],
    judged: &mut dyn FnMut(&mut Run) -> Result<(), Wrong>,
) -> Result<usize, Wrong> {
    let mut paths = BTreeMap::from([(Held::default(), Vec::new())]);
    let mut left = VecDeque::from([Held::default()]);
    while let Some(state) = left.pop_front() {
        let path: Vec<Call> = paths[&state].clone();
        let asks = sizes.iter().map(|&units| Call::Allocate(units));
        for call in asks.chain(state.releases(subject, sizes).into_iter().map(Call::Free)) {
            let mut run = Run::after(subject, &path)?;
            run.call(call)?;
            paths.entry(run.held.clone()).or_insert_with_key(|next| {
                left.push_back(next.clone());
                run.calls.clone()
            });
            judged(&mut run)?;
        }
    }
    Ok(paths.len())
}
