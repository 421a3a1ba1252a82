//! What slices can do, without a panic where there is no such place.

/// Puts an entry into a place, if there is such a place.
pub fn put<T>(entries: &mut [T], at: usize, entry: T) {
    if let Some(place) = entries.get_mut(at) {
        *place = entry;
    }
}

/// Changes a row, if there is such a row.
pub fn edit<T>(rows: &mut [T], row: u32, change: impl FnOnce(&mut T)) {
    if let Some(row) = rows.get_mut(row as usize) {
        change(row);
    }
}

/// Swaps two entries, if both are there.
pub(crate) fn swap<T>(entries: &mut [T], one: usize, other: usize) {
    if one < entries.len() && other < entries.len() {
        entries.swap(one, other);
    }
}

/// Copies as many entries as both have.
pub fn copy<T: Copy>(to: &mut [T], from: &[T]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}
