//! A timeline of 64 processing elements.

use core::cell::RefCell;
use cortex_m_semihosting::hprintln;
use critical_section::Mutex;
use locox::bits::Word;
use locox::handle::PoolId;
use locox::reserve::{Fit, Limits, Lowest, Request, ReservationId, Timeline};
use locox::time::{Duration, Instant};

const LIMITS: Limits = Limits { pes: 64, reservations: 15 };
const WORDS: usize = Timeline::words(LIMITS);

static TIMELINE: Mutex<RefCell<Timeline<[Word; WORDS]>>> =
    Mutex::new(RefCell::new(Timeline::new_static::<64, 15>(PoolId(4))));

pub(crate) fn walk_through() -> Option<()> {
    let (slots, pes) = (LIMITS.slots(), LIMITS.pes);
    let storage = WORDS * size_of::<Word>();
    hprintln!("timeline of {pes} PEs and {slots} slots, {storage} bytes of storage");
    let first = reserve(0, 100, 48, 150)?;
    reserve(0, 100, 16, 150)?;
    if reserve(20, 40, 1, 90).is_some() || reserve(20, 40, 65, 90).is_some() {
        return None;
    }
    cancel(first)?;
    if cancel(first).is_some() {
        return None;
    }
    reserve(20, 40, 1, 90)?;
    let sound = with_timeline(|timeline| timeline.check_invariants());
    hprintln!("invariants: {:?}", sound);
    sound.ok()
}

fn with_timeline<R>(use_it: impl FnOnce(&mut Timeline<[Word; WORDS]>) -> R) -> R {
    critical_section::with(|cs| use_it(&mut TIMELINE.borrow_ref_mut(cs)))
}

fn reserve(ready: u64, duration: u64, pes: u32, deadline: u64) -> Option<ReservationId> {
    let request = Request::new(Instant::from_ticks(ready), Duration::from_ticks(duration), pes)
        .by(Instant::from_ticks(deadline));
    let answer = with_timeline(|timeline| timeline.reserve(&request, &Fit::First, &Lowest));
    match &answer {
        Ok((_, at)) => {
            hprintln!("reserve {pes} PEs: from {} to {}", at.start.ticks(), at.end.ticks());
        }
        Err(refusal) => hprintln!("reserve {pes} PEs: refused, {refusal}"),
    }
    answer.ok().map(|(id, _)| id)
}

fn cancel(id: ReservationId) -> Option<()> {
    let answer = with_timeline(|timeline| timeline.cancel(id));
    match &answer {
        Ok(_) => hprintln!("cancel"),
        Err(misuse) => hprintln!("cancel: refused, {misuse}"),
    }
    answer.ok().map(|_| ())
}
