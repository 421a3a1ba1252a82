//! Requests with deadlines for 64 PEs, some of which are cancelled before they begin.

use super::Watch;
use super::random::{draw, random};
use alloc::vec;
use locox::bits::{BitSet, words_for};
use locox::handle::PoolId;
use locox::reserve::{Fit, Limits, Lowest, Profile, Request, ReservationId, Timeline};
use locox::time::{Duration, Instant};
use rand_pcg::Pcg32;

const PES: u32 = 64;
const CALLS: u32 = 1000;

/// A request from `now` on.
fn request(random: &mut Pcg32, now: u64) -> Request {
    let ready = now + u64::from(draw(random, 200));
    let duration = 1 + u64::from(draw(random, 60));
    let slack = u64::from(draw(random, 200));
    Request::new(Instant::from_ticks(ready), Duration::from_ticks(duration), 1 + draw(random, 24))
        .by(Instant::from_ticks(ready + duration + slack))
}

/// Of the reservations that were made, one, if there is one of this number.
fn one(made: &mut [Option<ReservationId>], random: &mut Pcg32) -> Option<ReservationId> {
    let at = draw(random, made.len() as u32) as usize;
    made.get_mut(at)?.take()
}

fn keep(made: &mut [Option<ReservationId>], id: ReservationId) {
    if let Some(room) = made.iter_mut().find(|it| it.is_none()) {
        *room = Some(id);
    }
}

pub(super) fn timeline(reservations: u32, watch: &mut impl Watch) -> Option<()> {
    let limits = Limits { pes: PES, reservations };
    let mut storage = vec![0; Timeline::words(limits)];
    let mut timeline = Timeline::new(PoolId(1), limits, &mut storage[..]).ok()?;
    let mut words = vec![0; words_for(PES as usize)];
    let mut pes = BitSet::empty(&mut words[..], PES).ok()?;
    let mut made = vec![None; reservations as usize];
    let mut random = random();
    for now in 0..u64::from(CALLS) {
        let asked = request(&mut random, now);
        watch.call("advance", || timeline.advance(Instant::from_ticks(now))).ok()?;
        let _ = watch.call("find by FF", || timeline.find(&asked, &Fit::First, &Lowest, &mut pes));
        let found =
            watch.call("find by PE_W", || timeline.find(&asked, &Fit::PeWorst, &Lowest, &mut pes));
        if found.is_ok() {
            let granted =
                watch.call("reserve by FF", || timeline.reserve(&asked, &Fit::First, &Lowest));
            if let Ok((id, _)) = granted {
                keep(&mut made, id);
            }
        }
        if draw(&mut random, 3) == 0
            && let Some(id) = one(&mut made, &mut random)
        {
            let _ = watch.call("cancel", || timeline.cancel(id));
        }
    }
    Some(())
}

pub(super) fn profile(reservations: u32, watch: &mut impl Watch) -> Option<()> {
    let limits = Limits { pes: PES, reservations };
    let mut storage = vec![0; Profile::words(limits)];
    let mut profile = Profile::new(PoolId(1), limits, &mut storage[..]).ok()?;
    let mut made = vec![None; reservations as usize];
    let mut random = random();
    for now in 0..u64::from(CALLS) {
        let asked = request(&mut random, now);
        watch.call("advance", || profile.advance(Instant::from_ticks(now))).ok()?;
        let _ = watch.call("find by PE_W", || profile.find(&asked, &Fit::PeWorst));
        if let Ok((id, _)) = watch.call("reserve by FF", || profile.reserve(&asked, &Fit::First)) {
            keep(&mut made, id);
        }
        if draw(&mut random, 3) == 0
            && let Some(id) = one(&mut made, &mut random)
        {
            let _ = watch.call("cancel", || profile.cancel(id));
        }
    }
    Some(())
}
