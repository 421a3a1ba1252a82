//! Profiles in which every slot is in use.

use locox::handle::PoolId;
use locox::reserve::{Interval, Limits, Profile};
use locox::time::Instant;

const fn between(start: u64, end: u64) -> Interval {
    Interval { start: Instant::from_ticks(start), end: Instant::from_ticks(end) }
}

/// As many reservations as can be held, each with borders of its own, every one over the others. PEs
/// suffice for all.
fn full(reservations: u32) -> (Profile<Vec<usize>>, Vec<locox::reserve::ReservationId>) {
    let limits = Limits { pes: reservations + 2, reservations };
    let mut profile = Profile::new(PoolId(0), limits, vec![0; Profile::words(limits)]).unwrap();
    let number = u64::from(reservations);
    let at = |nth: u64| between(1 + nth, 10 * number + 2 * nth);
    let ids = (0..number).map(|nth| profile.add(at(nth), 1).unwrap()).collect();
    profile.check_invariants().unwrap();
    (profile, ids)
}

#[test]
fn a_reservation_moves_over_its_own_time_where_no_slot_is_left() {
    for reservations in [1, 2, 3, 10, 31, 32, 95, 96, 100, 200] {
        let (mut profile, ids) = full(reservations);
        for (nth, id) in (0u64..).zip(ids) {
            let number = u64::from(reservations);
            let expected = between(0, 10 * number + nth - 1);
            assert_eq!(profile.bring_forward(id), Ok(expected), "{reservations} {nth}");
            profile.check_invariants().unwrap_or_else(|it| panic!("{reservations} {nth}: {it:?}"));
        }
    }
}
