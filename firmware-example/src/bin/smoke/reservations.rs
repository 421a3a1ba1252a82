//! A timeline of 64 processing elements over storage in a `static`.

use board::println;
use locox::bits::Word;
use locox::handle::PoolId;
use locox::reserve::{Fit, Limits, Lowest, Request, ReservationId, Timeline};
use locox::time::{Duration, Instant};
use static_cell::ConstStaticCell;

const LIMITS: Limits = Limits { pes: 64, reservations: 15 };
const WORDS: usize = Timeline::words(LIMITS);

/// All zeros, so that it lies in `.bss` and costs no flash.
static STORAGE: ConstStaticCell<[Word; WORDS]> = ConstStaticCell::new([0; WORDS]);

type Plain = Timeline<&'static mut [Word]>;

pub(crate) fn walk_through() -> Option<()> {
    let (slots, pes) = (LIMITS.slots(), LIMITS.pes);
    let storage = WORDS * size_of::<Word>();
    println!("timeline of {pes} PEs and {slots} slots, {storage} bytes of storage");
    let mut timeline = Timeline::new(PoolId(4), LIMITS, &mut STORAGE.take()[..]).ok()?;
    let first = reserve(&mut timeline, 0, 100, 48, 150)?;
    reserve(&mut timeline, 0, 100, 16, 150)?;
    let late = reserve(&mut timeline, 20, 40, 1, 90);
    let large = reserve(&mut timeline, 20, 40, 65, 90);
    if late.is_some() || large.is_some() {
        return None;
    }
    cancel(&mut timeline, first)?;
    if cancel(&mut timeline, first).is_some() {
        return None;
    }
    reserve(&mut timeline, 20, 40, 1, 90)?;
    let sound = timeline.check_invariants();
    println!("invariants: {:?}", sound);
    sound.ok()
}

fn reserve(
    timeline: &mut Plain,
    ready: u64,
    duration: u64,
    pes: u32,
    deadline: u64,
) -> Option<ReservationId> {
    let request = Request::new(Instant::from_ticks(ready), Duration::from_ticks(duration), pes)
        .by(Instant::from_ticks(deadline));
    let answer = timeline.reserve(&request, &Fit::First, &Lowest);
    match &answer {
        Ok((_, at)) => println!("reserve {pes} PEs: from {} to {}", at.start, at.end),
        Err(error) => println!("reserve {pes} PEs: refused, {error}"),
    }
    answer.ok().map(|(id, _)| id)
}

fn cancel(timeline: &mut Plain, id: ReservationId) -> Option<()> {
    let answer = timeline.cancel(id);
    match &answer {
        Ok(_) => println!("cancel"),
        Err(misuse) => println!("cancel: refused, {misuse}"),
    }
    answer.ok().map(|_| ())
}
