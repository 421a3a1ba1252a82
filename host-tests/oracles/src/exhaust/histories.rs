//! All histories of so many commands.

use super::Counts;
use super::walk::digest;
use crate::Mismatch;
use std::collections::HashSet;
use std::fmt::Debug;

/// Takes every sequence of up to so many commands. `run` repeats one from the beginning and says which state it leads to;
/// of sequences that lead to the same state only one of the shortest is made longer.
pub fn histories<C: Debug>(
    commands: &[C],
    length: usize,
    run: impl Fn(&[&C]) -> Result<String, Mismatch>,
) -> Counts {
    let mut counts = Counts::default();
    let mut known = HashSet::new();
    let mut last: Vec<Vec<&C>> = vec![vec![]];
    for _ in 0..length {
        let mut next = vec![];
        for history in last {
            for command in commands {
                let mut longer = history.clone();
                longer.push(command);
                let state = counts.judge(|| format!("after {longer:?}"), run(&longer));
                if state.is_some_and(|key| known.insert(digest(&key))) {
                    next.push(longer);
                }
            }
        }
        last = next;
    }
    counts.states = known.len() as u64;
    counts
}
