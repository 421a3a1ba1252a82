//! What timelines and profiles do alike: the present, and reservations that are made already.

/// Functions of C, by their names.
macro_rules! reserved {
    (
        $name:ident: $advance:ident, $now:ident, $cancel:ident, $set_end:ident, $move_to:ident,
        $reservation:ident, $reservations:ident, $slots:ident, $free_at:ident, $fewest_free:ident
    ) => {
        $crate::interface::methods! { structure: $name |it| it =>
            /// Moves the present forward to `now`; `LOCOX_PAST` for a time before it. Reservations that end by
            /// then are over, and their names stale.
            act fn $advance(now: u64) { it.advance(at(now))? }

            /// The present.
            look fn $now() -> (now: u64) { it.now() }

            /// Ends a reservation now. `given_back`, which may be null, is the interval that is free again.
            act fn $cancel(reservation: *const locox_handle) -> (
                | given_back: $crate::timeline::locox_interval
            ) { it.cancel(reservation.into())? }

            /// Gives a reservation another end. Refused as `LOCOX_BUSY`.
            act fn $set_end(reservation: *const locox_handle, end: u64) -> (; detail) {
                it.set_end(reservation.into(), at(end))?
            }

            /// Moves a reservation to another start. It keeps its PEs and its duration. Refused as `LOCOX_BUSY`.
            act fn $move_to(reservation: *const locox_handle, start: u64) -> (; detail) {
                it.move_to(reservation.into(), at(start))?
            }

            /// What is known of a reservation.
            look fn $reservation(reservation: *const locox_handle) -> (
                known: $crate::timeline::locox_reservation
            ) { it.reservation(reservation.into())? }

            /// Calls `visit` for each reservation, by rising index.
            /// While `visit` runs, every call on this structure, `const` ones too, answers `LOCOX_REENTERED`.
            look fn $reservations(visit: $crate::timeline::locox_reservation_fn, user: *mut c_void
            ) { it.reservations().for_each(|known| tell(visit, known, user)) }

            /// Calls `visit` for each slot from the present on. The last one has no end.
            /// While `visit` runs, every call on this structure, `const` ones too, answers `LOCOX_REENTERED`.
            look fn $slots(visit: $crate::timeline::locox_slot_fn, user: *mut c_void) {
                it.slots().for_each(|slot| tell(visit, slot, user))
            }

            /// How many PEs are free at a time.
            look fn $free_at(time: u64) -> (free: u32) { it.free_at(at(time))? }

            /// How many PEs are free at the least, at any time of an interval.
            look fn $fewest_free(interval: *const $crate::timeline::locox_interval) -> (
                free: u32
            ) { it.fewest_free(FromC::from_c(interval)?)? }
        }
    };
}
pub(crate) use reserved;
