//! Every state of a small instance.

use super::subject::Held;
use super::{Call, Subject, Wrong};
use std::collections::{BTreeMap, VecDeque};

/// What was visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// States: sets of blocks that are held.
    pub states: usize,
    /// Calls that were judged.
    pub calls: usize,
}

/// Carries out every call that is as it should be in every state that calls lead to, by the fewest calls, and judges the
/// answers: what is granted is free, at a place and of the size asked for; what has room is granted, if the subject promises
/// that; what is held is taken back; the count of free units.
///
/// # Errors
///
/// [`Wrong`]: the first wrong answer.
pub fn walk(subject: &mut dyn Subject) -> Result<Walk, Wrong> {
    let mut calls = 0;
    let states = visit(subject, &mut |_, _| calls += 1)?;
    Ok(Walk { states, calls })
}

/// Makes a subject what it was after these calls.
pub(super) fn replay(subject: &mut dyn Subject, calls: &[Call]) -> Result<Held, Wrong> {
    subject.reset();
    let mut held = Held::default();
    for (at, &call) in calls.iter().enumerate() {
        held.follow(subject, call).map_err(|what| Wrong { calls: calls[..=at].to_vec(), what })?;
    }
    Ok(held)
}

/// Visits every state; `judged` hears of each call. How many states there are.
pub(super) fn visit(
    subject: &mut dyn Subject,
    judged: &mut dyn FnMut(&Held, &[Call]),
) -> Result<usize, Wrong> {
    let mut paths = BTreeMap::from([(Held::default(), Vec::new())]);
    let mut left = VecDeque::from([Held::default()]);
    while let Some(state) = left.pop_front() {
        let path: Vec<Call> = paths[&state].clone();
        let frees = state.0.iter().copied().map(Call::Free);
        for call in subject.sizes().into_iter().map(Call::Allocate).chain(frees) {
            let longer: Vec<_> = path.iter().copied().chain([call]).collect();
            let next = replay(subject, &longer)?;
            judged(&next, &longer);
            paths.entry(next).or_insert_with_key(|next| {
                left.push_back(next.clone());
                longer
            });
        }
    }
    Ok(paths.len())
}
