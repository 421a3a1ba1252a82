//! Calls one after the other, from a reset on.

use super::held::{Held, caught};
use super::{Call, Subject, Wrong};

/// A subject, what is held of it, and the calls that led there.
pub(super) struct Run<'a> {
    pub(super) subject: &'a mut dyn Subject,
    pub(super) held: Held,
    pub(super) calls: Vec<Call>,
}

impl<'a> Run<'a> {
    /// Resets a subject and carries out these calls.
    pub(super) fn after(subject: &'a mut dyn Subject, calls: &[Call]) -> Result<Self, Wrong> {
        caught(|| subject.reset()).map_err(|what| Wrong::before_calls(format!("reset: {what}")))?;
        let mut run = Self { subject, held: Held::default(), calls: Vec::new() };
        calls.iter().try_for_each(|&call| run.call(call))?;
        Ok(run)
    }

    /// Carries out a call that is as it should be.
    pub(super) fn call(&mut self, call: Call) -> Result<(), Wrong> {
        self.calls.push(call);
        let answer = self.held.follow(self.subject, call);
        answer.map_err(|what| Wrong { calls: self.calls.clone(), what })
    }

    /// Asks for the smallest size until it is refused, gives all back, and asks for the largest: whatever an earlier call broke
    /// in lists and counts comes to light here. `sizes`: from the smallest on.
    pub(super) fn fill_and_empty(&mut self, sizes: &[u32]) -> Result<(), Wrong> {
        let (least, most) = (sizes[0], sizes[sizes.len() - 1]);
        loop {
            let before = self.held.0.len();
            self.call(Call::Allocate(least))?;
            if self.held.0.len() == before {
                break;
            }
        }
        for block in self.held.0.clone() {
            self.call(Call::Free(block))?;
        }
        self.call(Call::Allocate(most))
    }
}
