//! From names to rows: a table by open addressing.
//!
//! An entry is where its name hashes to, or behind it without a free one between; behind the last comes the first. When
//! one is taken out, those behind it close up. With half of the entries in use a search looks at one or two names.
//!
//! Source: D. E. Knuth, *The Art of Computer Programming*, volume 3, algorithms 6.4 L and R.

use super::Key;
use locox::ground::{Ref, put};

/// Which rows have which names; rows are passed to each call as a function to their names.
pub(super) struct Index<'a>(pub(super) &'a mut [u32]);

impl Index<'_> {
    /// Where a name hashes to.
    fn home(&self, key: Key) -> usize {
        let mixed =
            (key.id ^ u64::from(key.born).rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        // A fraction of the length, without a division.
        ((mixed >> 32).wrapping_mul(self.0.len() as u64) >> 32) as usize
    }

    fn next(&self, at: usize) -> usize {
        let next = at.wrapping_add(1);
        if next < self.0.len() { next } else { 0 }
    }

    fn at(&self, at: usize) -> Ref {
        Ref::from_raw(self.0.get(at).copied().unwrap_or(0))
    }

    /// The entry of a name, or the free one where its search ends.
    fn search(&self, key: Key, name: impl Fn(u32) -> Option<Key>) -> (usize, Option<u32>) {
        let mut at = self.home(key);
        for _ in 0..self.0.len() {
            match self.at(at).get() {
                Some(row) if name(row) != Some(key) => at = self.next(at),
                found => return (at, found),
            }
        }
        (at, None)
    }

    /// The row of a name.
    pub(super) fn find(&self, key: Key, name: impl Fn(u32) -> Option<Key>) -> Option<u32> {
        self.search(key, name).1
    }

    /// A row has a name that none has.
    pub(super) fn insert(&mut self, key: Key, row: u32, name: impl Fn(u32) -> Option<Key>) {
        let (at, _) = self.search(key, name);
        put(self.0, at, Ref::to(row).raw());
    }

    /// A name is no more. Its row has it still.
    pub(super) fn remove(&mut self, key: Key, name: impl Fn(u32) -> Option<Key>) {
        let (mut gap, Some(_)) = self.search(key, &name) else { return };
        let mut at = gap;
        for _ in 0..self.0.len() {
            at = self.next(at);
            let Some(row) = self.at(at).get() else { break };
            let home = self.home(name(row).unwrap_or_default());
            // Whether its home lies behind the gap and not behind itself, in a circle.
            let stays = if gap <= at { gap < home && home <= at } else { gap < home || home <= at };
            if !stays {
                put(self.0, gap, Ref::to(row).raw());
                gap = at;
            }
        }
        put(self.0, gap, 0);
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn follows_a_plain_list_however_full_it_is() {
        for len in [1, 2, 3, 8, 64] {
            let mut words = vec![0; len];
            let mut index = Index(&mut words);
            let mut names: Vec<Option<Key>> = vec![None; len];
            let mut state = 7u64;
            for _ in 0..4_000 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let row = (state >> 40) as usize % len;
                let key = Key { id: state >> 33 & 63, born: (state >> 60) as u32 & 1 };
                let found = names.iter().position(|name| *name == Some(key)).map(|row| row as u32);
                let name = |row: u32| names[row as usize];
                assert_eq!(index.find(key, name), found);
                match (names[row], found) {
                    (Some(old), _) => {
                        index.remove(old, name);
                        names[row] = None;
                    }
                    (None, None) => {
                        index.insert(key, row as u32, name);
                        names[row] = Some(key);
                    }
                    _ => {}
                }
            }
        }
    }
}
