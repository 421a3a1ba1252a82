//! Tables of records, all of the same number of words: making room for one, closing a gap.
//!
//! Records that would lie beyond the table are left out, and nothing happens then.

use crate::bits::Word;

/// Doubles record `at` of `count`: it and those behind it move up by one, and a copy stays.
pub(super) fn double(table: &mut [Word], record: usize, at: usize, count: usize) {
    let end = count.wrapping_add(1).wrapping_mul(record);
    let Some(moved) = table.get_mut(at.wrapping_mul(record)..end) else { return };
    if let Some(kept) = moved.len().checked_sub(record) {
        moved.copy_within(..kept, record);
    }
}

/// Takes out the records from `at` up to but not including `to`; those behind them, of `count`,
/// move down.
pub(super) fn take_out(table: &mut [Word], record: usize, at: usize, to: usize, count: usize) {
    let span = at.wrapping_mul(record)..count.wrapping_mul(record);
    let Some(moved) = table.get_mut(span) else { return };
    let gone = to.wrapping_sub(at).wrapping_mul(record);
    if gone <= moved.len() {
        moved.copy_within(gone.., 0);
    }
}

/// Puts the first `more` records of `from` behind the `count` records of `table`.
pub(super) fn append(table: &mut [Word], record: usize, count: usize, from: &[Word], more: usize) {
    let behind = table.get_mut(count.wrapping_mul(record)..).unwrap_or(&mut []);
    let added = from.get(..more.wrapping_mul(record)).unwrap_or(&[]);
    behind.iter_mut().zip(added).for_each(|(to, from)| *to = *from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_doubled_in_its_place() {
        let mut table = [1, 1, 2, 2, 3, 3, 0, 0, 9];
        double(&mut table, 2, 1, 3);
        assert_eq!(table, [1, 1, 2, 2, 2, 2, 3, 3, 9]);
        double(&mut table, 2, 4, 4); // no room
        assert_eq!(table, [1, 1, 2, 2, 2, 2, 3, 3, 9]);
    }

    #[test]
    fn records_behind_a_gap_move_down() {
        let mut table = [1, 1, 2, 2, 3, 3, 4, 4, 9];
        take_out(&mut table, 2, 0, 1, 4);
        assert_eq!(table[..6], [2, 2, 3, 3, 4, 4]);
        take_out(&mut table, 2, 1, 3, 3);
        assert_eq!(table[..2], [2, 2]);
        assert_eq!(table[8], 9);
    }

    #[test]
    fn records_are_put_behind_others() {
        let mut table = [1, 1, 0, 0, 0, 0];
        append(&mut table, 2, 1, &[2, 2, 3, 3], 1);
        assert_eq!(table, [1, 1, 2, 2, 0, 0]);
    }
}
