//! Doubly linked lists through rows that the caller owns: no memory of their own, constant cost.
//!
//! Empty lists and rows in no list are all zeros, so a `static` of them costs no flash.

use crate::slices;

/// The number of a row, below `u32::MAX`, or none. 4 bytes; none is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ref(u32);

impl Ref {
    /// No row.
    pub const NONE: Self = Self(0);

    /// This row.
    pub const fn to(row: u32) -> Self {
        Self(row.wrapping_add(1))
    }

    /// The row, if there is one.
    pub const fn get(self) -> Option<u32> {
        self.0.checked_sub(1)
    }

    /// The number to store, as [`Ref::from_raw`] takes it.
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// The reference stored as `raw`.
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }
}

/// A row's neighbours in the list that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Links {
    /// The row before it.
    pub prev: Ref,
    /// The row behind it.
    pub next: Ref,
}

impl Links {
    /// Of a row in no list, and of the only row of one.
    pub const NONE: Self = Self { prev: Ref::NONE, next: Ref::NONE };
}

/// A row that can be in one list at a time.
pub trait Linked {
    /// Its links.
    fn links(&self) -> Links;
    /// The same, to be changed.
    fn links_mut(&mut self) -> &mut Links;
}

/// Makes rows with a field `links` [`Linked`].
#[doc(hidden)]
#[macro_export]
macro_rules! linked {
    ($($Row:ty $(where $N:ident)?),+) => {$(
        impl$(<$N>)? $crate::ground::Linked for $Row {
            fn links(&self) -> $crate::ground::Links {
                self.links
            }

            fn links_mut(&mut self) -> &mut $crate::ground::Links {
                &mut self.links
            }
        }
    )+};
}

/// Both ends of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    /// The first row.
    pub head: Ref,
    /// The last row.
    pub tail: Ref,
}

impl List {
    /// No rows.
    pub const EMPTY: Self = Self { head: Ref::NONE, tail: Ref::NONE };

    /// The first row, if there is one.
    pub const fn first(&self) -> Option<u32> {
        self.head.get()
    }

    /// The rows of the list from its head on: number and row. It ends for any contents.
    pub fn iter<'a, T: Linked>(
        &self,
        rows: &'a [T],
    ) -> impl Iterator<Item = (u32, &'a T)> + use<'a, T> {
        let row = |at: Ref| at.get().and_then(|at| Some((at, rows.get(at as usize)?)));
        core::iter::successors(row(self.head), move |(_, it)| row(it.links().next)).take(rows.len())
    }

    /// Adds a row that is in no list.
    pub fn push_back<T: Linked>(&mut self, rows: &mut [T], at: u32) {
        edit(rows, at, |links| *links = Links { prev: self.tail, next: Ref::NONE });
        match self.tail.get() {
            Some(tail) => edit(rows, tail, |links| links.next = Ref::to(at)),
            None => self.head = Ref::to(at),
        }
        self.tail = Ref::to(at);
    }

    /// Adds a row that is in no list.
    pub fn push_front<T: Linked>(&mut self, rows: &mut [T], at: u32) {
        edit(rows, at, |links| *links = Links { prev: Ref::NONE, next: self.head });
        match self.head.get() {
            Some(head) => edit(rows, head, |links| links.prev = Ref::to(at)),
            None => self.tail = Ref::to(at),
        }
        self.head = Ref::to(at);
    }

    /// Adds a row that is in no list, behind another one or, without one, as the first.
    pub fn insert_behind<T: Linked>(&mut self, rows: &mut [T], at: u32, before: Option<u32>) {
        let Some(before) = before else { return self.push_front(rows, at) };
        let next = rows.get(before as usize).map_or(Ref::NONE, |row| row.links().next);
        edit(rows, at, |links| *links = Links { prev: Ref::to(before), next });
        edit(rows, before, |links| links.next = Ref::to(at));
        match next.get() {
            Some(next) => edit(rows, next, |links| links.prev = Ref::to(at)),
            None => self.tail = Ref::to(at),
        }
    }

    /// Takes out a row that is in this list.
    pub fn remove<T: Linked>(&mut self, rows: &mut [T], at: u32) {
        let Some(Links { prev, next }) = rows.get(at as usize).map(Linked::links) else { return };
        match prev.get() {
            Some(prev) => edit(rows, prev, |links| links.next = next),
            None => self.head = next,
        }
        match next.get() {
            Some(next) => edit(rows, next, |links| links.prev = prev),
            None => self.tail = prev,
        }
        edit(rows, at, |links| *links = Links::NONE);
    }

    /// Changes a row, and adds it or takes it out, so that those rows are in this list that `belong`.
    pub fn change<T: Linked>(
        &mut self,
        rows: &mut [T],
        at: u32,
        belongs: fn(&T) -> bool,
        change: impl FnOnce(&mut T),
    ) {
        let Some(row) = rows.get_mut(at as usize) else { return };
        let was = belongs(row);
        change(row);
        match (was, belongs(row)) {
            (false, true) => self.push_back(rows, at),
            (true, false) => self.remove(rows, at),
            _ => {}
        }
    }

    /// The number of rows in the list, if all of them satisfy `belongs` and every link has its
    /// counterpart. Ends for any contents.
    pub fn audit<T: Linked>(&self, rows: &[T], belongs: impl Fn(u32, &T) -> bool) -> Option<u32> {
        let (mut count, mut prev, mut next) = (0u32, Ref::NONE, self.head);
        for (at, row) in self.iter(rows) {
            // A link back that agrees at every step leaves no way into a circle.
            if row.links().prev != prev || !belongs(at, row) {
                return None;
            }
            count = count.saturating_add(1);
            (prev, next) = (Ref::to(at), row.links().next);
        }
        (self.tail == prev && next == Ref::NONE).then_some(count)
    }
}

fn edit<T: Linked>(rows: &mut [T], at: u32, change: impl FnOnce(&mut Links)) {
    slices::edit(rows, at, |row| change(row.links_mut()));
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::collections::VecDeque;
    use std::vec::Vec;

    impl Linked for Links {
        fn links(&self) -> Links {
            *self
        }

        fn links_mut(&mut self) -> &mut Links {
            self
        }
    }

    fn walk(list: &List, rows: &[Links]) -> Vec<u32> {
        list.iter(rows).map(|(at, _)| at).collect()
    }

    #[test]
    fn follows_a_deque_through_every_short_history() {
        // Six steps of three kinds on three rows: 9^6 histories, cut where a step does not apply.
        fn step(list: List, rows: [Links; 3], model: &VecDeque<u32>, left: u32) {
            assert!(walk(&list, &rows).iter().eq(model));
            assert_eq!(list.audit(&rows, |_, _| true), Some(model.len() as u32));
            if left == 0 {
                return;
            }
            for at in 0..3 {
                let (mut list, mut rows, mut model) = (list, rows, model.clone());
                if model.contains(&at) {
                    list.remove(&mut rows, at);
                    model.retain(|&row| row != at);
                    step(list, rows, &model, left - 1);
                    continue;
                }
                let (mut other, mut other_rows, mut other_model) = (list, rows, model.clone());
                list.push_back(&mut rows, at);
                model.push_back(at);
                step(list, rows, &model, left - 1);
                other.push_front(&mut other_rows, at);
                other_model.push_front(at);
                step(other, other_rows, &other_model, left - 1);
            }
        }
        step(List::EMPTY, [Links::NONE; 3], &VecDeque::new(), 6);
    }

    #[test]
    fn a_row_is_in_the_list_while_it_belongs() {
        #[derive(Clone, Copy)]
        struct Told {
            links: Links,
            due: bool,
        }
        linked! { Told }
        let (mut list, mut rows) = (List::EMPTY, [Told { links: Links::NONE, due: false }; 3]);
        let steps: [(u32, bool, &[u32]); 6] = [
            (1, true, &[1]),
            (0, true, &[1, 0]),
            (1, true, &[1, 0]),
            (2, false, &[1, 0]),
            (1, false, &[0]),
            (9, true, &[0]),
        ];
        for (at, due, expected) in steps {
            list.change(&mut rows, at, |row| row.due, |row| row.due = due);
            assert!(list.iter(&rows).map(|(at, _)| at).eq(expected.iter().copied()));
        }
    }

    #[test]
    fn an_audit_finds_circles_and_links_without_counterpart() {
        let mut rows = [Links::NONE; 3];
        let mut list = List::EMPTY;
        (0..3).for_each(|at| list.push_back(&mut rows, at));
        let intact = rows;
        rows[2].next = Ref::to(0);
        assert_eq!(list.audit(&rows, |_, _| true), None);
        rows = intact;
        rows[1].prev = Ref::NONE;
        assert_eq!(list.audit(&rows, |_, _| true), None);
        rows = intact;
        list.tail = Ref::to(1);
        assert_eq!(list.audit(&rows, |_, _| true), None);
        list.head = Ref::to(77);
        assert_eq!(list.audit(&intact, |_, _| true), None);
    }
}
