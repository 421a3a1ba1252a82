//! The rates in use, and the heaps of the stations that move alike.

use super::rate::Rate;
use super::row::{RateRow, Side, TimedRow};
use crate::ground::heap;
use crate::list::Ref;
use crate::slices::edit;

/// Brings a station into those heaps of its rate that `sides` names. There is room for the rate:
/// there are no more rates than stations that are not idle.
pub(super) fn enter(rows: &mut [TimedRow], live: &mut u32, station: u32, sides: [bool; 2]) {
    let Some(rate) = rate_of(rows, station, sides) else { return };
    let at = find(rows, *live, rate).unwrap_or(*live);
    if at == *live {
        let Some(row) = rows.get_mut(at as usize) else { return };
        row.rate = RateRow::of(rate);
        *live = live.saturating_add(1);
    }
    change_roots(rows, at, station, sides, heap::insert);
}

/// Takes a station out of those heaps of its rate; a rate that nobody moves at is given up.
pub(super) fn leave(rows: &mut [TimedRow], live: &mut u32, station: u32, sides: [bool; 2]) {
    let Some(rate) = rate_of(rows, station, sides) else { return };
    let found = find(rows, *live, rate);
    debug_assert!(found.is_some(), "a station that is not idle has a rate");
    let Some(at) = found else { return };
    change_roots(rows, at, station, sides, heap::remove);
    give_up_if_empty(rows, live, at);
}

/// The rate of a station of which a side is named.
fn rate_of(rows: &[TimedRow], station: u32, sides: [bool; 2]) -> Option<Rate> {
    Some(rows.get(station as usize)?.rate_of_station()).filter(|_| sides != [false; 2])
}

/// The last rate takes the place of one that is given up.
fn give_up_if_empty(rows: &mut [TimedRow], live: &mut u32, at: u32) {
    if !rows.get(at as usize).is_some_and(|row| row.rate.is_empty()) {
        return;
    }
    let last = live.saturating_sub(1);
    *live = last;
    let Some(row) = rows.get_mut(last as usize) else { return };
    let moved = core::mem::replace(&mut row.rate, RateRow::EMPTY);
    if let Some(row) = rows.get_mut(at as usize).filter(|_| at != last) {
        row.rate = moved;
    }
}

/// The tops of the heaps on one side.
pub(super) fn tops(rows: &[TimedRow], live: u32, side: Side) -> impl Iterator<Item = u32> {
    let rates = rows.get(..live as usize).unwrap_or(&[]);
    rates.iter().filter_map(move |row| side.of(&row.rate.roots).get())
}

/// Whether each rate in use is that of the stations in its heaps, there is one, and no other rate
/// is the same.
pub(super) fn are_sound(rows: &[TimedRow], live: u32) -> bool {
    let (rates, unused) = rows.split_at_checked(live as usize).unwrap_or((&[], rows));
    let sound = |(at, row): (u32, &TimedRow)| {
        let mut tops = row.rate.roots.into_iter().filter_map(Ref::get);
        let rate = |top: u32| rows.get(top as usize).map(TimedRow::rate_of_station);
        let moves_so = |top| rate(top).and_then(|rate| find(rows, live, rate)) == Some(at);
        !row.rate.is_empty() && tops.all(moves_so)
    };
    (0..).zip(rates).all(sound) && unused.iter().all(|row| row.rate == RateRow::EMPTY)
}

fn find(rows: &[TimedRow], live: u32, rate: Rate) -> Option<u32> {
    let rates = rows.get(..live as usize).unwrap_or(&[]);
    rates.iter().position(|row| row.rate.is(rate)).map(|at| at as u32)
}

/// Changes those heaps of the rate at `at` that `sides` names.
fn change_roots(
    rows: &mut [TimedRow],
    at: u32,
    station: u32,
    sides: [bool; 2],
    change: impl Fn(&mut [TimedRow], Side, Ref, u32) -> Ref,
) {
    for side in Side::BOTH.into_iter().filter(|side| *side.of(&sides)) {
        let root = rows.get(at as usize).map_or(Ref::NONE, |row| *side.of(&row.rate.roots));
        let root = change(rows, side, root, station);
        edit(rows, at, |row| *side.of_mut(&mut row.rate.roots) = root);
    }
}
