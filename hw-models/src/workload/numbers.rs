//! Which numbers the jobs of a trace have had.

use std::collections::HashMap;

/// The line of each job number that was read.
///
/// Most traces number their jobs in rising order, line by line: of such runs the first is kept, and how
/// many there are. What is not in order is kept one by one.
///
/// - `runs` rise, and do not overlap.
#[derive(Default)]
pub(super) struct Numbers {
    runs: Vec<Run>,
    others: HashMap<i64, u64>,
}

struct Run {
    number: i64,
    line: u64,
    count: u64,
}

impl Run {
    /// The line of a number that is not below its first.
    fn line_of(&self, number: i64) -> Option<u64> {
        let after = number.abs_diff(self.number);
        (after < self.count).then(|| self.line + after)
    }
}

impl Numbers {
    /// Notes a number and its line; the line where it stood before, if it did. An unknown number is
    /// nobody's.
    pub(super) fn note(&mut self, number: i64, line: u64) -> Option<u64> {
        if number < 0 {
            return None;
        }
        let Some(last) = self.runs.last_mut() else {
            self.runs.push(Run { number, line, count: 1 });
            return None;
        };
        let after = number.abs_diff(last.number);
        if number < last.number || after < last.count {
            return self.note_straggler(number, line);
        }
        // All others are smaller than the last run.
        if after == last.count && line == last.line + after {
            last.count += 1;
        } else {
            self.runs.push(Run { number, line, count: 1 });
        }
        None
    }

    /// The same for a number below the largest.
    fn note_straggler(&mut self, number: i64, line: u64) -> Option<u64> {
        let before = self.runs.partition_point(|run| run.number <= number);
        let run = before.checked_sub(1).and_then(|at| self.runs.get(at));
        if let Some(first) = run.and_then(|run| run.line_of(number)) {
            return Some(first);
        }
        let first = *self.others.entry(number).or_insert(line);
        (first != line).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_found_again_as_in_a_plain_list(
            numbers in prop::collection::vec((0_i64..30, 1_u64..3), 0..60)
        ) {
            let (mut known, mut list, mut line) = (Numbers::default(), HashMap::new(), 0);
            for (number, lines) in numbers {
                line += lines;
                let first = *list.entry(number).or_insert(line);
                prop_assert_eq!(known.note(number, line), (first != line).then_some(first));
            }
        }
    }

    #[test]
    fn consecutive_numbers_in_consecutive_lines_are_one_run() {
        let mut known = Numbers::default();
        (1..1000).for_each(|number| assert_eq!(known.note(number, number as u64 + 7), None));
        assert_eq!((known.runs.len(), known.others.len()), (1, 0));
        assert_eq!(known.note(500, 2000), Some(507));
        assert_eq!(known.note(-1, 2001), None);
        assert_eq!(known.note(i64::MAX, 2002), None);
        assert_eq!(known.note(i64::MAX, 2003), Some(2002));
    }
}
