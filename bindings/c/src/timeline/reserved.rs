//! What timelines and profiles do alike: the present, and reservations that are made already.

/// Functions of C, by their names.
macro_rules! reserved {
    (
        $name:ident: $advance:ident, $now:ident, $cancel:ident, $set_end:ident, $move_to:ident,
        $reservation:ident, $reservations:ident, $slots:ident, $free_at:ident, $fewest_free:ident
    ) => {$crate::interface::interface! {
        /// Moves the present forward to `now`; `LOCOX_PAST` for a time before it. Reservations that end by
        /// then are over, and their names stale.
        fn $advance(structure: *mut $name, now: u64) {
            on(structure, |it| Ok(it.advance($crate::time::at(now))?))
        }

        /// The present.
        fn $now(structure: *const $name, now: *mut u64) {
            get(structure, now, |it| Ok(it.now().ticks()))
        }

        /// Ends a reservation now. `given_back`, which may be null, is the interval that is free again.
        fn $cancel(
            structure: *mut $name, reservation: *const $crate::memory::locox_handle,
            given_back: *mut $crate::timeline::locox_placement
        ) {
            let (result, id) = (optional_out(given_back)?, input(reservation)?.into());
            let given_back = on(structure, |it| Ok(it.cancel(id)?))?;
            result.put(given_back)
        }

        /// Gives a reservation another end. Refused as `LOCOX_BUSY`.
        fn $set_end(
            structure: *mut $name, reservation: *const $crate::memory::locox_handle, end: u64; detail
        ) {
            let id = input(reservation)?.into();
            on(structure, |it| Ok(it.set_end(id, $crate::time::at(end))?))
        }

        /// Moves a reservation to another start. It keeps its PEs and its duration. Refused as `LOCOX_BUSY`.
        fn $move_to(
            structure: *mut $name, reservation: *const $crate::memory::locox_handle, start: u64; detail
        ) {
            let id = input(reservation)?.into();
            on(structure, |it| Ok(it.move_to(id, $crate::time::at(start))?))
        }

        /// What is known of a reservation.
        fn $reservation(
            structure: *const $name, reservation: *const $crate::memory::locox_handle,
            known: *mut $crate::timeline::locox_reservation
        ) {
            let (result, id) = (out(known)?, input(reservation)?.into());
            result.put(of(structure, |it| Ok(it.reservation(id)?))?)
        }

        /// Calls `visit` for each reservation, by rising index.
        /// While `visit` runs, every call on this structure, `const` ones too, answers `LOCOX_REENTERED`.
        fn $reservations(
            structure: *const $name, visit: $crate::timeline::locox_reservation_fn,
            user: *mut core::ffi::c_void
        ) {
            of(structure, |it| {
                it.reservations().for_each(|known| tell(visit, known, user));
                Ok(())
            })
        }

        /// Calls `visit` for each slot from the present on. The last one has no end.
        /// While `visit` runs, every call on this structure, `const` ones too, answers `LOCOX_REENTERED`.
        fn $slots(
            structure: *const $name, visit: $crate::timeline::locox_slot_fn,
            user: *mut core::ffi::c_void
        ) {
            of(structure, |it| {
                it.slots().for_each(|slot| tell(visit, slot, user));
                Ok(())
            })
        }

        /// How many PEs are free at a time.
        fn $free_at(structure: *const $name, time: u64, free: *mut u32) {
            get(structure, free, |it| Ok(it.free_at($crate::time::at(time))?))
        }

        /// How many PEs are free at the least, at any time of an interval.
        fn $fewest_free(
            structure: *const $name, placement: *const $crate::timeline::locox_placement,
            free: *mut u32
        ) {
            let (free, at) = (out(free)?, placement_of(input(placement)?));
            free.put(of(structure, |it| Ok(it.fewest_free(at)?))?)
        }
    }};
}
pub(crate) use reserved;
