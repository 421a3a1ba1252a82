//! Timelines and profiles: all slot lists of a few times and PEs, all requests that fit into them, all policies;
//! and all histories of calls.

use super::{Counts, histories};
use crate::mismatch::equal;
use crate::reserve::naive::{Naive, Which, best};
use crate::reserve::subject::Common;
use crate::reserve::{Command, Lockstep, Restart, Trial};
use locox::bits::{BitSet, Word};
use locox::handle::PoolId;
use locox::reserve::{
    Choice, Contiguous, Error, Fit, Interval, Limits, Lowest, Profile, Refusal, Request, Timeline,
};
use locox::time::{Duration, Instant};

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

/// For each PE the runs of units in which it is busy, as reservations of that PE. Bit
/// `unit * pes + pe` of `state` says that it is.
fn runs(state: u32, pes: u32, units: u64) -> Vec<(u64, u64, u32)> {
    let busy = |pe: u32, unit: u64| unit < units && state >> (unit as u32 * pes + pe) & 1 == 1;
    let mut runs = vec![];
    for pe in 0..pes {
        let mut start = 0;
        for unit in 0..=units {
            if !busy(pe, unit) {
                if start < unit {
                    runs.push((start, unit, pe));
                }
                start = unit + 1;
            }
        }
    }
    runs
}

fn request(ready: u64, length: u64, pes: u32) -> Request {
    Request::new(at(ready), Duration::from_ticks(length), pes)
}

fn requests(pes: u32, units: u64) -> Vec<Request> {
    let mut requests = vec![];
    for (ready, length) in (0..=units).flat_map(|ready| (1..=units).map(move |it| (ready, it))) {
        for pes in 1..=pes {
            let open = request(ready, length, pes);
            requests.push(open);
            requests.extend((0..=units).map(|slack| open.by(at(ready + length + slack))));
        }
    }
    requests
}

/// What each policy must answer, from the candidates of the naive model and what the choice can
/// take of them.
fn expected(naive: &Naive, request: &Request, which: Which) -> Vec<Result<(u64, u128), Error>> {
    let length = request.duration.ticks();
    let chosen = |start: u64| {
        let (free, count) = naive.free(start, start + length);
        if count < request.pes { None } else { naive.choose(which, free, request.pes) }
    };
    let feasible: Vec<_> = naive
        .candidates(request)
        .into_iter()
        .filter_map(|c| chosen(c.start.ticks()).map(|set| (c, set)))
        .collect();
    let ready = request.ready.ticks();
    let (candidates, _): (Vec<_>, Vec<_>) = feasible.iter().copied().unzip();
    let taken = |fit: Fit| {
        let chosen_at = |best| feasible.iter().find(|it| it.0 == best);
        let best = best(fit, &candidates).and_then(chosen_at);
        best.map(|(c, set)| (c.start.ticks(), *set)).ok_or_else(|| {
            let late = (ready..).find(|&start| chosen(start).is_some()).map(|it| it + length);
            Refusal::Late { finish: late.map_or(Instant::MAX, at) }.into()
        })
    };
    Fit::ALL.map(taken).to_vec()
}

/// Kernel and model with the same slots.
type Filled = (Timeline<Vec<Word>>, Naive);

fn filled(state: u32, pes: u32, units: u64) -> Result<Filled, String> {
    let limits = Limits { pes, reservations: 12 };
    let said = |error: &dyn std::fmt::Debug| format!("{error:?}");
    let mut real = Timeline::new(PoolId(0), limits, vec![0; Timeline::words(limits)])
        .map_err(|it| said(&it))?;
    let mut naive = Naive::new(pes, true);
    for (start, end, pe) in runs(state, pes, units) {
        let mut set = BitSet::empty([0 as Word; 1], pes).map_err(|it| said(&it))?;
        set.insert(pe).map_err(|it| said(&it))?;
        real.add(Interval { start: at(start), end: at(end) }, &set).map_err(|it| said(&it))?;
        naive.entries.push(Some((start, end, 1 << pe, 1)));
    }
    naive.refresh();
    equal("invariants", real.check_invariants(), Ok(()))?;
    let slots: Vec<_> = real.slots().map(|s| (s.time.ticks(), s.busy)).collect();
    equal("slots", slots, naive.slots())?;
    Ok((real, naive))
}

fn compare((real, naive): &mut Filled, request: &Request, choice: Chosen) -> Result<(), String> {
    let mut out = BitSet::empty([0 as Word; 1], naive.pes).map_err(|it| format!("{it:?}"))?;
    let candidates: Vec<_> =
        real.candidates(request, &mut out).map_err(|it| format!("{it:?}"))?.collect();
    equal("candidates", candidates, naive.candidates(request))?;
    let (which, choice) = choice;
    for (fit, expected) in Fit::ALL.into_iter().zip(expected(naive, request, which)) {
        let found = real.find(request, &fit, choice, &mut out).map(|placement| {
            (placement.start.ticks(), out.iter().fold(0, |set, pe| set | 1 << pe))
        });
        equal(&format!("place under {fit:?}"), found, expected)?;
    }
    Ok(())
}

/// How PEs are chosen: as the model says it, and as the kernel does it.
pub type Chosen = (Which, &'static dyn Choice);

/// What the kernel has.
pub const CHOICES: [Chosen; 2] = [(Which::Lowest, &Lowest), (Which::Contiguous, &Contiguous)];

/// All sets of busy PEs in so many units of time, under all requests and policies.
pub fn timelines(pes: u32, units: u64, choices: &[Chosen]) -> Counts {
    let (mut counts, requests) = (Counts::default(), requests(pes, units));
    for state in 0..1u32 << (u64::from(pes) * units) {
        counts.states += 1;
        let told = |asked: &dyn std::fmt::Debug| format!("{pes} PEs, busy {state:b}, {asked:?}");
        let filled = filled(state, pes, units);
        let Some(mut both) = counts.judge(|| told(&"slots"), filled) else { continue };
        for request in &requests {
            for &choice in choices {
                let compared = compare(&mut both, request, choice);
                counts.judge(|| told(&(request, choice.0)), compared);
            }
        }
    }
    counts
}

fn compare_counts(
    real: &Profile<Vec<Word>>,
    naive: &Naive,
    request: &Request,
) -> Result<(), String> {
    let candidates: Vec<_> = real.candidates(request).map_err(|it| format!("{it:?}"))?.collect();
    equal("candidates", candidates, naive.candidates(request))?;
    for (fit, expected) in Fit::ALL.into_iter().zip(expected(naive, request, Which::Lowest)) {
        let found = real.find(request, &fit).map(|placement| placement.start.ticks());
        equal(&format!("start under {fit:?}"), found, expected.map(|(start, _)| start))?;
    }
    Ok(())
}

/// All numbers of busy PEs in so many units of time, under all requests and policies. `beside`: how many PEs the model
/// has, which should be as many.
pub fn profiles(pes: u32, units: u64, beside: u32) -> Counts {
    let limits = Limits { pes, reservations: 12 };
    let (mut counts, requests) = (Counts::default(), requests(pes, units));
    let base = u64::from(pes) + 1;
    for state in 0..base.pow(units as u32) {
        counts.states += 1;
        let storage = vec![0; Profile::words(limits)];
        let mut real = Profile::new(PoolId(0), limits, storage).expect("it says how much it needs");
        let mut naive = Naive::new(beside, false);
        // Each unit has a count of its own, in the digits of the state.
        for unit in 0..units {
            let count = (state / base.pow(unit as u32) % base) as u32;
            if count > 0 {
                let placement = Interval { start: at(unit), end: at(unit + 1) };
                let added = real.add(placement, count).map_err(|it| it.to_string());
                counts.judge(|| format!("{count} of {pes} PEs in unit {unit}"), added);
                naive.entries.push(Some((unit, unit + 1, 0, count)));
            }
        }
        naive.refresh();
        for request in &requests {
            let compared = compare_counts(&real, &naive, request);
            counts.judge(|| format!("{pes} PEs, state {state}, {request:?}"), compared);
        }
    }
    counts
}

/// Calls of all kinds on two PEs, as they should be and not.
fn calls() -> Vec<Command> {
    let (soon, long) = (request(0, 2, 1), request(1, 2, 2));
    let tight = request(0, 1, 2).by(at(2));
    vec![
        Command::Reserve(soon, Fit::First, Which::Lowest),
        Command::Reserve(long, Fit::PeWorst, Which::Lowest),
        Command::Reserve(tight, Fit::PeDurationBest, Which::Contiguous),
        Command::Reserve(request(0, 1, 3), Fit::First, Which::Lowest),
        Command::Reserve(request(0, 0, 1), Fit::First, Which::Lowest),
        Command::ReserveAmong(soon, Fit::First, Which::Lowest, 0b10, 0b10),
        Command::ReserveOneOf(vec![long, soon], Which::Lowest),
        Command::ReserveSeries(soon, 3, 2, Which::Lowest),
        Command::FindInstead(0, long, Fit::First, Which::Lowest),
        Command::Add((1, 3, 0b01, 0)),
        Command::Add((2, 2, 0b01, 0)),
        Command::Cancel(0),
        Command::Cancel(1),
        Command::SetEnd(0, 4),
        Command::MoveTo(0, 3),
        Command::Replace(1, (0, 2, 0b11, 0)),
        Command::BringForward(1),
        Command::Attempt(
            vec![Trial::Cancel(0), Trial::Reserve(long, Fit::First, Which::Lowest)],
            true,
        ),
        Command::Attempt(vec![Trial::MoveTo(0, 4)], false),
        Command::Advance(1),
        Command::Advance(3),
        Command::Out(0b01),
        Command::Out(0),
        Command::Restart(Restart::Begin),
        Command::Restart(Restart::Load),
        Command::Restart(Restart::Restore),
    ]
}

/// All histories of so many calls on two PEs and room for two reservations, restarts included. `identity`: whether the
/// model knows PEs, as that of a timeline must.
pub fn bookings<T: Common>(length: usize, identity: bool) -> Counts {
    histories(&calls(), length, |history| {
        let mut run = Lockstep::<T>::new(Limits { pes: 2, reservations: 2 }, identity);
        history.iter().try_for_each(|call| run.step(call))?;
        Ok(run.key())
    })
}
