//! Sorting without a panic path and without further memory.

/// Sorts: the entry that goes before all others comes last. A heap; costs a few looks at each entry
/// for each bit of their number.
pub(crate) fn sort_backwards<T>(entries: &mut [T], goes_before: impl Fn(&T, &T) -> bool) {
    for at in (0..entries.len().div_ceil(2)).rev() {
        sink(entries, at, &goes_before);
    }
    for last in (1..entries.len()).rev() {
        swap(entries, 0, last);
        let heap = entries.get_mut(..last).unwrap_or_default();
        sink(heap, 0, &goes_before);
    }
}

/// Lets the entry at `at` sink to its place in a heap.
fn sink<T>(entries: &mut [T], mut at: usize, goes_before: impl Fn(&T, &T) -> bool) {
    loop {
        let left = at.saturating_mul(2).saturating_add(1);
        let right = left.saturating_add(1);
        let is_right = |right: &T| entries.get(left).is_some_and(|left| goes_before(right, left));
        let next = if entries.get(right).is_some_and(is_right) { right } else { left };
        let sinks = entries.get(at).zip(entries.get(next)).is_some_and(|(a, b)| goes_before(b, a));
        if !sinks {
            return;
        }
        swap(entries, at, next);
        at = next;
    }
}

/// As that of slices, which panics, unless both are in range.
pub(super) fn swap<T>(entries: &mut [T], one: usize, other: usize) {
    if one < entries.len() && other < entries.len() {
        entries.swap(one, other);
    }
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
