//! Several changes of a timeline or a profile, made together or not at all.

use super::values::*;
use crate::prelude::*;
use core::mem::MaybeUninit;
use locox::reserve::{Attempt, Choice, Interval, Policy, Reservation, ReservationId, Step};

/// Where results go. Until then they have what is known of the reservations that the changes name:
/// during an attempt nobody can be asked.
pub(crate) fn results_in<'a>(
    room: &'a mut [MaybeUninit<locox_reservation>],
    changes: &[locox_change],
    known: impl Fn(ReservationId) -> Option<Reservation>,
) -> &'a mut [locox_reservation] {
    let results = filled(room, Empty::EMPTY);
    for (result, change) in results.iter_mut().zip(changes) {
        *result = known(change.id.into()).map_or(Empty::EMPTY, IntoC::into_c);
    }
    results
}

/// Makes the changes in their order, all of them or none, and keeps them if that is wanted.
pub(crate) fn attempt<const IDENTITY: bool>(
    mut all: Attempt<'_, IDENTITY>,
    changes: &[locox_change],
    (fit, choice): (&dyn Policy, &dyn Choice),
    keep: bool,
    results: &mut [locox_reservation],
) -> Answer {
    for (at, change) in changes.iter().enumerate() {
        let Some((before, [result, ..])) = results.split_at_mut_checked(at) else { break };
        // An earlier change may have made it, or moved it.
        let known = before.iter().rev().find(|it| it.id == change.id).unwrap_or(result);
        *result = change_in(&mut all, change, *known, (fit, choice))?;
    }
    if keep {
        all.keep();
    }
    Ok(())
}

fn change_in<const IDENTITY: bool>(
    all: &mut Attempt<'_, IDENTITY>,
    change: &locox_change,
    known: locox_reservation,
    (fit, choice): (&dyn Policy, &dyn Choice),
) -> Answer<locox_reservation> {
    let id = change.id.into();
    match change.kind {
        LOCOX_CHANGE_RESERVE => {
            let request = request_of(&change.request);
            let (id, placed) = all.reserve(&request, fit, choice)?;
            Ok(reservation_of(id, request.pes, placed))
        }
        LOCOX_CHANGE_CANCEL => Ok(reservation_of(id, known.pes, all.cancel(id)?)),
        LOCOX_CHANGE_MOVE => {
            let start = at(change.start);
            all.move_to(id, start)?;
            let long = ticks(known.at.end.saturating_sub(known.at.start));
            Ok(reservation_of(id, known.pes, Interval { start, end: start.saturating_add(long) }))
        }
        _ => Err(LOCOX_BAD_ARGUMENT.into()),
    }
}

/// Names of reservations that are made together, by what fills room for so many.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn series_in(
    series: *mut locox_handle,
    count: usize,
    reserve: impl FnOnce(&mut [Option<ReservationId>]) -> Answer<Interval>,
) -> Answer<Interval> {
    // SAFETY: the caller keeps the contract.
    let results = unsafe { outputs(series, count) }?;
    let mut room = [None; LOCOX_SERIES_MOST];
    let ids = room.get_mut(..count).ok_or(LOCOX_BAD_ARGUMENT)?;
    let first = reserve(ids)?;
    for (result, id) in results.iter_mut().zip(ids.iter().flatten()) {
        result.write(id.into_c());
    }
    Ok(first)
}

/// Steps in the caller's room.
pub(crate) fn steps_in(room: &mut [MaybeUninit<locox_step>]) -> &mut [Step] {
    const {
        assert!(size_of::<Step>() == size_of::<locox_step>());
        assert!(align_of::<Step>() <= align_of::<locox_step>());
    }
    let (first, len) = (room.as_mut_ptr().cast::<MaybeUninit<Step>>(), room.len());
    // SAFETY: a step is as large as a `locox_step` and no more aligned, so there is room for as many,
    // and the borrow of `room` goes on.
    filled(unsafe { core::slice::from_raw_parts_mut(first, len) }, Step::EMPTY)
}
