//! All states that operations lead to.

use super::Counts;
use crate::Mismatch;
use std::collections::{HashSet, VecDeque};
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The kernel and its model in agreement.
pub trait State: Sized {
    /// What can be done.
    type Operation: Debug;

    /// All that later answers depend on, but for the names of leases.
    fn key(&self) -> impl Hash + Debug;

    /// What is to be tried here, misuse included.
    fn operations(&self) -> Vec<Self::Operation>;

    /// The state after an operation.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] where kernel and model differ.
    fn after(&self, operation: &Self::Operation) -> Result<Self, Mismatch>;
}

/// Two hashes together: among 10^8 states two that are taken for one have a chance of 10^-22.
pub(super) fn digest(key: &impl Hash) -> u128 {
    let [high, low] = [0u8, 1].map(|salt| {
        let mut hasher = DefaultHasher::new();
        (salt, key).hash(&mut hasher);
        u128::from(hasher.finish())
    });
    high << 64 | low
}

/// Visits every state, breadth first, and takes every operation in each.
pub fn walk<S: State>(start: S) -> Counts {
    let mut counts = Counts::default();
    let mut known = HashSet::from([digest(&start.key())]);
    let mut frontier = VecDeque::from([start]);
    while let Some(state) = frontier.pop_front() {
        counts.states += 1;
        for operation in state.operations() {
            let after = state.after(&operation);
            let next = counts.judge(|| format!("in {:?}", state.key()), after);
            frontier.extend(next.filter(|next| known.insert(digest(&next.key()))));
        }
    }
    counts
}
