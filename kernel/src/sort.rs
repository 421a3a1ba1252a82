//! Heaps in slices, and sorting: without a panic path and without further memory.

use crate::slices::put;

/// Sorts: the entry that goes before all others comes last. A heap; costs a few looks at each entry
/// for each bit of their number.
pub fn sort_backwards<T: Copy>(entries: &mut [T], goes_before: impl Fn(&T, &T) -> bool) {
    heapify(entries, &goes_before);
    for len in (2..=entries.len()).rev() {
        let heap = entries.get_mut(..len).unwrap_or_default();
        if let Some((top, place)) = pop(heap, &goes_before).zip(heap.last_mut()) {
            *place = top;
        }
    }
}

/// Makes a heap of the entries: the one that goes before all others is on top, at the front.
pub(crate) fn heapify<T: Copy>(entries: &mut [T], goes_before: impl Fn(&T, &T) -> bool) {
    for at in (0..entries.len() >> 1).rev() {
        if let Some(&entry) = entries.get(at) {
            sink(entries, at, entry, &goes_before);
        }
    }
}

/// Takes the top off a heap. All others are a heap again, and leave the last place.
pub(crate) fn pop<T: Copy>(heap: &mut [T], goes_before: impl Fn(&T, &T) -> bool) -> Option<T> {
    let top = *heap.first()?;
    let (&mut last, rest) = heap.split_last_mut()?;
    sink(rest, 0, last, goes_before);
    Some(top)
}

/// Puts an entry at `at` or below, where it belongs: others come up.
fn sink<T: Copy>(heap: &mut [T], mut at: usize, entry: T, goes_before: impl Fn(&T, &T) -> bool) {
    loop {
        let left = at.wrapping_mul(2).wrapping_add(1);
        let right = left.wrapping_add(1);
        let (below, next) = match (heap.get(left), heap.get(right)) {
            (None, _) => break,
            (Some(a), Some(b)) if goes_before(b, a) => (right, *b),
            (Some(a), _) => (left, *a),
        };
        if !goes_before(&next, &entry) {
            break;
        }
        put(heap, at, next);
        at = below;
    }
    put(heap, at, entry);
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec::Vec;

    #[test]
    fn sorts_numbers_of_any_length() {
        for length in 0..70_u64 {
            let mut numbers: Vec<u64> = (0..length).map(|at| at * 37 % 29).collect();
            let mut expected = numbers.clone();
            expected.sort_unstable_by(|a, b| b.cmp(a));
            sort_backwards(&mut numbers, |a, b| a < b);
            assert_eq!(numbers, expected);
        }
    }
}
