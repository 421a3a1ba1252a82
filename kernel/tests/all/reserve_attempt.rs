//! Changes that are made together or not at all.

use locox::handle::{Epoch, Handle, PoolId};
use locox::reserve::{Interval, Limits, Profile, ReservationId, Step};
use locox::time::Instant;

#[test]
fn what_an_attempt_cancelled_is_gone_by_whatever_name() {
    let limits = Limits { pes: 8, reservations: 4 };
    let words = vec![0; Profile::words(limits)];
    let mut profile = Profile::new(PoolId(0), limits, words).unwrap();
    let at = Interval { start: Instant::ZERO, end: Instant::from_ticks(10) };
    let id = profile.add(at, 5).unwrap();
    let handle = id.handle();
    let (pool, index, generation) = (handle.pool(), handle.index(), handle.generation());
    // Put together by somebody: a profile has no epochs, and does not look at them.
    let alias = Handle::from_parts(pool, index, generation, Epoch(7));
    let alias = ReservationId::from_handle(alias);
    let mut steps = [Step::EMPTY; 2];
    let mut both = profile.attempt(&mut steps);
    both.cancel(id).unwrap();
    assert!(both.cancel(alias).is_err());
    assert!(both.move_to(alias, Instant::from_ticks(20)).is_err());
    drop(both);
    profile.check_invariants().unwrap();
    assert_eq!(profile.free_at(Instant::ZERO), Ok(3));
}
