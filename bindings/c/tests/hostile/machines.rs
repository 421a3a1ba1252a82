//! PEs of unlike speed, and one of several machines.

use crate::dice::{DONE, Dice, NOBODY, Spoiler, calls, is_spoiled, is_wrong, name_of};
use crate::timeline::error;
use locox::bits::{BitSet, words_for};
use locox::handle::PoolId;
use locox::reserve::{
    Error, Fit, Interval, Limits, Lowest, Request, ReservationId, SpeedClass, Speeds, Timeline,
    reserve_on_one_of,
};
use locox::time::{Duration, Instant};
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::mem::zeroed;
use std::ptr::{null, null_mut};

const MACHINES: [Limits; 3] = [
    Limits { pes: 70, reservations: 9 },
    Limits { pes: 20, reservations: 9 },
    Limits { pes: 9, reservations: 2 },
];

type Twin = Timeline<Vec<usize>>;

/// A machine through C, and through the kernel.
struct Pair {
    timeline: Box<locox_timeline>,
    storage: Vec<usize>,
    twin: Twin,
}

impl Pair {
    fn new((pool, limits): (u16, Limits)) -> Self {
        let words = Timeline::words(limits);
        let twin = Timeline::new(PoolId(pool), limits, vec![0; words]).unwrap();
        // SAFETY: zeroed is not started.
        let mut it =
            Self { timeline: Box::new(unsafe { zeroed() }), storage: vec![7; words], twin };
        let (place, storage) = (&raw mut *it.timeline, it.storage.as_mut_ptr());
        let Limits { pes, reservations } = limits;
        let start = locox_timeline_start;
        // SAFETY: as the call says.
        let started = unsafe { start(place, pool, pes, reservations, storage, words, null_mut()) };
        assert_eq!(started, LOCOX_OK);
        it
    }
}

/// How fast the PEs of a machine are: a standard speed, and speeds each with its PEs.
struct Told {
    standard: u32,
    speeds: Vec<(u32, Vec<usize>)>,
    fit: u32,
}

impl Told {
    fn of(dice: &mut Dice, pes: u32) -> Self {
        let words = words_for(pes as usize);
        let (mut speed, mut set) = (9, vec![0usize; words]);
        let count = if dice.one_in(40) { 9 } else { dice.below(4) };
        let told = |_| {
            let step = if dice.one_in(30) { 0 } else { 1 + dice.number(2) };
            speed = u32::saturating_sub(speed, step);
            for _ in 0..dice.below(u64::from(pes)) {
                let bound = u64::from(pes) + u64::from(dice.one_in(200));
                let pe = dice.below(bound) as usize;
                set[(pe / usize::BITS as usize).min(words - 1)] |= 1 << (pe % usize::BITS as usize);
            }
            if dice.one_in(60) {
                set.fill(0);
            }
            (speed, set.clone())
        };
        let speeds = (0..count).map(told).collect();
        Self { standard: dice.number(6), speeds, fit: dice.number(7) }
    }

    /// Acts on the kernel's machine as C would.
    fn on<T>(
        &self,
        twin: &mut Twin,
        act: impl FnOnce(&mut Twin, Option<Speeds<'_>>, Fit) -> Result<T, Error>,
    ) -> Result<T, (locox_status, u64)> {
        let fit = Fit::ALL[self.fit as usize];
        if self.speeds.is_empty() {
            return act(twin, None, fit).map_err(error);
        }
        if self.speeds.len() > LOCOX_SPEEDS_MOST {
            return Err((LOCOX_BAD_ARGUMENT, 0));
        }
        let pes = twin.limits().pes;
        let set =
            |it: &(u32, Vec<usize>)| Some((it.0, BitSet::from_words(it.1.clone(), pes).ok()?));
        let sets: Option<Vec<_>> = self.speeds.iter().map(set).collect();
        let sets = sets.ok_or((LOCOX_WRONG_SET, 0))?;
        let classes: Vec<_> = sets.iter().map(|it| SpeedClass::new(it.0, &it.1)).collect();
        let speeds = Speeds::new(self.standard, &classes);
        speeds.map_err(Error::from).and_then(|it| act(twin, Some(it), fit)).map_err(error)
    }
}

fn would(twin: &mut Twin, told: &Told, ask: &Request) -> Result<Interval, (locox_status, u64)> {
    told.on(twin, |twin, speeds, fit| match speeds {
        None => twin.would_reserve(ask, &fit, &Lowest),
        Some(speeds) => twin.would_reserve_at_speeds(ask, speeds, &fit, &Lowest),
    })
}

fn reserve(
    twin: &mut Twin,
    told: &Told,
    ask: &Request,
) -> Result<(ReservationId, Interval), (locox_status, u64)> {
    told.on(twin, |twin, speeds, fit| match speeds {
        None => twin.reserve(ask, &fit, &Lowest),
        Some(speeds) => twin.reserve_at_speeds(ask, speeds, &fit, &Lowest),
    })
}

/// What the kernel's broker says: the first fault of the caller's ends it.
fn broker(
    pairs: &mut [Pair],
    all: &[Told],
    ask: &Request,
) -> Result<(usize, ReservationId, Interval), (locox_status, u64)> {
    let mut machines: Vec<_> = pairs.iter_mut().map(|it| &mut it.twin).zip(all).collect();
    for (twin, told) in &mut machines {
        if let Err(fault) = would(twin, told, ask)
            && is_wrong(fault.0)
        {
            return Err(fault);
        }
    }
    let told = std::cell::Cell::new(None);
    let kernels = |twin: &mut &mut Twin, said: &&Told| {
        said.on(twin, |twin, speeds, fit| {
            Ok(match speeds {
                None => twin.would_reserve(ask, &fit, &Lowest),
                Some(speeds) => twin.would_reserve_at_speeds(ask, speeds, &fit, &Lowest),
            })
        })
        .unwrap()
    };
    let placed = reserve_on_one_of(
        &mut machines,
        |(twin, said)| kernels(twin, said),
        |(twin, said)| {
            let (id, at) = reserve(twin, said, ask).unwrap();
            told.set(Some(id));
            Ok((id, at))
        },
    );
    assert_eq!(placed.is_ok(), told.get().is_some());
    placed.map_err(error)
}

fn step(dice: &mut Dice, pairs: &mut [Pair]) {
    let now = pairs[0].twin.now().ticks();
    let (ready, duration) = (now + dice.below(20), dice.below(30));
    let late = ready + dice.below(60);
    let deadline = if dice.one_in(3) { LOCOX_NEVER } else { late };
    let which = dice.below(pairs.len() as u64) as usize;
    let pes = dice.number(u64::from(MACHINES[which].pes) + 3);
    let mut request = locox_request { ready, duration, deadline, pes, padding: 0 };
    let ask = Request::new(Instant::from_ticks(ready), Duration::from_ticks(duration), pes);
    let ask = if deadline == LOCOX_NEVER { ask } else { ask.by(Instant::from_ticks(deadline)) };
    let all: Vec<_> = MACHINES.iter().map(|limits| Told::of(dice, limits.pes)).collect();
    let entry =
        |it: &(u32, Vec<usize>)| locox_speed { speed: it.0, padding: 0, pes: it.1.as_ptr() };
    let entries: Vec<Vec<_>> =
        all.iter().map(|told| told.speeds.iter().map(entry).collect()).collect();
    let table = |(n, told): (usize, &Told)| locox_speeds {
        standard: told.standard,
        count: told.speeds.len() as u32,
        speeds: entries[n].as_ptr(),
        words: words_for(MACHINES[n].pes as usize),
    };
    let tables: Vec<_> = all.iter().enumerate().map(table).collect();
    let choice = |told: &Told| locox_choice {
        fit: told.fit,
        pick: 0,
        allowed: null(),
        required: null(),
        words: 0,
    };
    let choices: Vec<_> = all.iter().map(choice).collect();
    let timelines: Vec<_> = pairs.iter_mut().map(|it| &raw mut *it.timeline).collect();
    let before: Vec<_> = pairs.iter().map(|it| it.storage.clone()).collect();

    let kind = dice.below(8);
    let mut result =
        locox_reservation { id: NOBODY, pes: 77, at: locox_interval { start: 77, end: 77 } };
    let blank = result;
    let (mut chosen, mut detail) = (77usize, u64::MAX);
    let mut spoiler = Spoiler::new(dice);
    let from = spoiler.pointer(&raw mut request);
    let to = spoiler.pointer(&raw mut result);
    let to_chosen = if kind < 4 { spoiler.pointer(&raw mut chosen) } else { &raw mut chosen };
    let to_detail = spoiler.optional(&raw mut detail);
    let machine = |n: usize, timeline| locox_machine {
        timeline,
        choice: &raw const choices[n],
        speeds: if all[n].speeds.is_empty() { null() } else { &raw const tables[n] },
    };
    let machines: Vec<_> = (0..3)
        .map(|n| machine(n, if kind < 4 { spoiler.pointer(timelines[n]) } else { timelines[n] }))
        .collect();
    let (spoiled, one) = (spoiler.spoiled, &machines[which]);
    let to_at = to.wrapping_byte_add(16).cast::<locox_interval>();
    let to_at = if to.is_null() { null_mut() } else { to_at };
    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe {
        match kind {
            0..4 => locox_reserve_on_one_of(machines.as_ptr(), 3, from, to_chosen, to, to_detail),
            4..6 => {
                let reserve = locox_timeline_reserve_at_speeds;
                reserve(one.timeline, from, one.speeds, one.choice, to, to_detail)
            }
            _ => {
                let would = locox_timeline_would_reserve;
                would(one.timeline, from, one.speeds, one.choice, to_at, to_detail)
            }
        }
    };
    if status != LOCOX_OK {
        assert_eq!((result, chosen), (blank, 77));
    }
    if spoiled {
        assert!(is_wrong(status), "{status:?} in call {kind}");
        // Machines before the one that is spoiled were asked: entries of what has ended there may be free again.
        let place_is_good = to == &raw mut result && from == &raw mut request;
        let others_are =
            to_chosen == &raw mut chosen && (to_detail.is_null() || to_detail == &raw mut detail);
        if kind < 4 && place_is_good && others_are {
            let good = machines.iter().zip(&timelines).take_while(|(it, at)| it.timeline == **at);
            for (pair, told) in pairs.iter_mut().zip(&all).take(good.count()) {
                if would(&mut pair.twin, told, &ask).is_err_and(|fault| is_wrong(fault.0)) {
                    break;
                }
            }
        }
        return;
    }
    assert!(!is_spoiled(status));
    if is_wrong(status) && kind >= 4 {
        assert!(pairs.iter().map(|it| &it.storage).eq(&before), "{status:?} changed the storage");
    }
    let same = |at: Interval| {
        assert_eq!((at.start.ticks(), at.end.ticks()), (result.at.start, result.at.end))
    };
    let named = |(id, at): (ReservationId, Interval)| {
        same(at);
        assert_eq!((name_of(id.handle()), pes), (result.id, result.pes));
    };
    let expected = match kind {
        0..4 => broker(pairs, &all, &ask).map(|(n, id, at)| {
            assert_eq!(n, chosen);
            named((id, at));
        }),
        4..6 => reserve(&mut pairs[which].twin, &all[which], &ask).map(named),
        _ => would(&mut pairs[which].twin, &all[which], &ask).map(same),
    };
    let expected = expected.map_or_else(|fault| fault, |()| DONE);
    assert_eq!(status, expected.0, "call {kind}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1, "detail of {status:?}");
    }
}

#[test]
fn machines_answer_as_the_kernel_does_whatever_they_are_told() {
    let mut pairs: Vec<_> = (1..).zip(MACHINES).map(Pair::new).collect();
    let mut dice = Dice(11);
    for call in 0..calls() {
        step(&mut dice, &mut pairs);
        if call % 8 == 0 {
            for it in &mut pairs {
                let now = it.twin.now().ticks() + dice.below(9);
                it.twin.advance(Instant::from_ticks(now)).unwrap();
                // SAFETY: as the calls say.
                unsafe {
                    assert_eq!(locox_timeline_advance(&raw mut *it.timeline, now), LOCOX_OK);
                    assert_eq!(locox_timeline_check(&raw const *it.timeline), LOCOX_OK);
                }
            }
        }
    }
}

#[test]
fn more_machines_than_there_is_room_for_are_refused() {
    let mut pair = Pair::new((1, MACHINES[0]));
    let timeline = &raw mut *pair.timeline;
    let machines = [locox_machine { timeline, choice: null(), speeds: null() }; 33];
    let request =
        locox_request { ready: 0, duration: 5, deadline: LOCOX_NEVER, pes: 40, padding: 0 };
    let (mut chosen, at) = (9usize, locox_interval { start: 0, end: 0 });
    let mut result = locox_reservation { id: NOBODY, pes: 0, at };
    let mut call = |count| {
        let (to, which) = (&raw mut result, &raw mut chosen);
        // SAFETY: as the call says.
        let status = unsafe {
            let ask = locox_reserve_on_one_of;
            ask(machines.as_ptr(), count, &raw const request, which, to, null_mut())
        };
        (status, chosen)
    };
    assert_eq!(call(33), (LOCOX_BAD_ARGUMENT, 9));
    assert_eq!(call(0), (LOCOX_NO_REQUEST, 9));
    // The same machine more than once is asked more than once.
    assert_eq!(call(32), (LOCOX_OK, 0));
}
