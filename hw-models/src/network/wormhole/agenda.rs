//! What there is to look at in a cycle.

use std::mem;

/// Numbers that are to be looked at, each once.
///
/// - `has` says of each number whether it is one of `list`.
#[derive(Default)]
pub(super) struct Agenda {
    list: Vec<u32>,
    has: Vec<bool>,
}

impl Agenda {
    /// For the numbers below `count`.
    pub(super) fn new(count: usize) -> Self {
        Self { list: Vec::new(), has: vec![false; count] }
    }

    pub(super) fn add(&mut self, number: u32) {
        if !mem::replace(&mut self.has[number as usize], true) {
            self.list.push(number);
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    #[cfg(test)]
    pub(super) fn has(&self, number: u32) -> bool {
        self.has[number as usize]
    }

    /// Looks at all of them, and keeps those that may have to be looked at again.
    pub(super) fn retain(&mut self, mut look: impl FnMut(u32) -> bool) {
        let Self { list, has } = self;
        list.retain(|&number| {
            let again = look(number);
            has[number as usize] = again;
            again
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_looked_at_once_and_again_if_it_says_so() {
        let mut agenda = Agenda::new(5);
        [4, 2, 4, 0].into_iter().for_each(|number| agenda.add(number));
        let look = |agenda: &mut Agenda, again: u32| {
            let mut seen = Vec::new();
            agenda.retain(|number| {
                seen.push(number);
                number == again
            });
            seen
        };
        assert_eq!(look(&mut agenda, 2), [4, 2, 0]);
        agenda.add(2);
        agenda.add(4);
        assert_eq!(look(&mut agenda, 9), [2, 4]);
        assert!(look(&mut agenda, 9).is_empty());
    }
}
