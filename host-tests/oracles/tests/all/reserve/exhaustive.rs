//! All slot lists of a few times and PEs, all requests that fit into them, all policies: every
//! answer against the naive model.

use locox::bits::{BitSet, Word};
use locox::handle::PoolId;
use locox::reserve::{
    Choice, Contiguous, Error, Fit, Limits, Lowest, Placement, Profile, Refusal, Request, Timeline,
};
use locox::time::{Duration, Instant};
use locox_oracles::reserve::naive::{Naive, Which, best};

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

fn requests(pes: u32, units: u64) -> Vec<Request> {
    let mut requests = vec![];
    for ready in 0..=units {
        for length in 1..=units {
            for pes in 1..=pes {
                let open = Request::new(at(ready), Duration::from_ticks(length), pes);
                requests.push(open);
                requests.extend((0..=units).map(|slack| open.by(at(ready + length + slack))));
            }
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
            let start = (ready..).find(|&start| chosen(start).is_some()).unwrap();
            Refusal::Late { finish: at(start + length) }.into()
        })
    };
    Fit::ALL.map(taken).to_vec()
}

fn all_slot_lists_with_identity(pes: u32, units: u64) {
    let limits = Limits { pes, reservations: 12 };
    let requests = requests(pes, units);
    let mut out = BitSet::empty([0 as Word; 1], pes).unwrap();
    for state in 0..1u32 << (u64::from(pes) * units) {
        let mut real = Timeline::new(PoolId(0), limits, vec![0; Timeline::words(limits)]).unwrap();
        let mut naive = Naive::new(pes, true);
        for (start, end, pe) in runs(state, pes, units) {
            let mut set = BitSet::empty([0; 1], pes).unwrap();
            set.insert(pe).unwrap();
            real.add(Placement { start: at(start), end: at(end) }, &set).unwrap();
            naive.entries.push(Some((start, end, 1 << pe, 1)));
        }
        naive.refresh();
        real.check_invariants().unwrap();
        let slots: Vec<_> = real.slots().map(|s| (s.time.ticks(), s.busy)).collect();
        assert_eq!(slots, naive.slots(), "state {state:b}");
        let choices: [(Which, &dyn Choice); 2] =
            [(Which::Lowest, &Lowest), (Which::Contiguous, &Contiguous)];
        for request in &requests {
            let candidates: Vec<_> = real.candidates(request, &mut out).unwrap().collect();
            assert_eq!(candidates, naive.candidates(request), "state {state:b} {request:?}");
            for (which, choice) in choices {
                for (fit, expected) in Fit::ALL.into_iter().zip(expected(&naive, request, which)) {
                    let found = real.find(request, &fit, choice, &mut out).map(|placement| {
                        (placement.start.ticks(), out.iter().fold(0, |set, pe| set | 1 << pe))
                    });
                    assert_eq!(found, expected, "state {state:b} {request:?} {fit:?} {which:?}");
                }
            }
        }
    }
}

#[test]
fn all_slot_lists_of_three_pes_and_three_units() {
    all_slot_lists_with_identity(3, 3);
}

#[test]
fn all_slot_lists_of_two_pes_and_four_units() {
    all_slot_lists_with_identity(2, 4);
}

#[test]
fn all_counts_of_up_to_three_pes_in_four_units() {
    let (pes, units) = (3, 4);
    let limits = Limits { pes, reservations: 12 };
    let requests = requests(pes, units);
    // Each unit has a count of its own, in the digits of the state.
    for state in 0..(pes as u64 + 1).pow(units as u32) {
        let storage = vec![0; Profile::words(limits)];
        let mut real = Profile::new(PoolId(0), limits, storage).unwrap();
        let mut naive = Naive::new(pes, false);
        let digits = (0..units).map(|unit| (unit, state / 4u64.pow(unit as u32) % 4));
        for (unit, count) in digits.filter(|&(_, count)| count > 0) {
            let placement = Placement { start: at(unit), end: at(unit + 1) };
            real.add(placement, count as u32).unwrap();
            naive.entries.push(Some((unit, unit + 1, 0, count as u32)));
        }
        naive.refresh();
        real.check_invariants().unwrap();
        let slots: Vec<_> = real.slots().map(|s| (s.time.ticks(), s.busy)).collect();
        assert_eq!(slots, naive.slots(), "state {state}");
        for request in &requests {
            let candidates: Vec<_> = real.candidates(request).unwrap().collect();
            assert_eq!(candidates, naive.candidates(request), "state {state} {request:?}");
            let all = expected(&naive, request, Which::Lowest);
            for (fit, expected) in Fit::ALL.into_iter().zip(all) {
                let found = real.find(request, &fit).map(|placement| placement.start.ticks());
                assert_eq!(found, expected.map(|(start, _)| start), "state {state} {request:?}");
            }
        }
    }
}
