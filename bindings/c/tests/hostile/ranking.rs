//! Rankings by themselves, and rounds under them.

use crate::dice::{DONE, Dice, Spoiler, calls, is_wrong};
use locox::draw::Draw;
use locox::fair::{
    Amount, Capacity, Condor, Contender, DecayParams, Decision, Demand, Fairness, Misuse, Random,
    Reason, Round, RoundRobin, ScheduleIndex, StationId, TimedRow, TimedUpDown, UpDown,
};
use locox::time::{Duration, Instant};
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::ffi::c_void;
use std::mem::zeroed;
use std::ptr::null_mut;

const STATIONS: usize = 5;

fn misused(misuse: Misuse) -> (locox_status, u64) {
    match misuse {
        Misuse::HoldingsExceedCapacity { held, .. } => (LOCOX_WRONG_TABLE, held.into()),
        other => panic!("{other:?} is caught before"),
    }
}

fn plain(decision: Decision) -> locox_decision {
    let (to, from, reason) = match decision {
        Decision::Grant { to, reason } => (to.0, LOCOX_NOBODY, reason),
        Decision::Preempt { from, to, reason } => (to.0, from.0, reason),
    };
    let (reason, to_index, from_index) = match reason {
        Reason::BestIndex(to) => (0, to.bits(), 0),
        Reason::BetterIndex { to, from } => (1, to.bits(), from.bits()),
        Reason::Turn => (2, 0, 0),
        Reason::Lot => (3, 0, 0),
    };
    locox_decision { to, from, reason, to_index, from_index }
}

/// What the callback gets: where decisions go, and whom it calls back.
struct Told {
    decisions: Vec<locox_decision>,
    ranking: *mut locox_ranking,
}

unsafe extern "C" fn note(decision: *const locox_decision, user: *mut c_void) {
    // SAFETY: the test passes a `Told`, the library a decision.
    unsafe {
        let told = &mut *user.cast::<Told>();
        told.decisions.push(*decision);
        assert_eq!(locox_ranking_advance(told.ranking, 0), LOCOX_REENTERED);
        let mut index = 0;
        assert_eq!(locox_ranking_index(told.ranking, 0, &raw mut index), LOCOX_REENTERED);
    }
}

fn exported(fair: &impl Fairness) -> Vec<u32> {
    let mut words = Vec::new();
    fair.export(&mut |word| words.push(word));
    words
}

/// The same ranking in the kernel, how many stations it is of, and whether it weighs them.
struct Twin<F> {
    fair: F,
    stations: Option<usize>,
    weigh: Option<fn(&mut F, u32, u16)>,
    index: fn(&F, u32) -> Option<i64>,
}

fn step<F: Fairness>(
    dice: &mut Dice,
    ranking: &mut locox_ranking,
    twin: &mut Twin<F>,
    now: &mut u64,
) {
    let known = |station: u32| twin.stations.is_none_or(|all| (station as usize) < all);
    *now += dice.below(300);
    let time = now.saturating_sub(if dice.one_in(30) { 500 } else { 0 });
    let count = if dice.one_in(20) { STATIONS - 1 } else { STATIONS };
    let mut demand: Vec<_> = (0..count)
        .map(|_| locox_demand { wants: dice.number(3) as u16, holds: dice.number(3) as u16 })
        .collect();
    let candidates: Vec<u32> = (0..dice.below(4)).map(|_| dice.number(6)).collect();
    let (nodes, free, draw) = (dice.number(14), dice.number(4), dice.number(1 << 32));
    let station = dice.number(STATIONS as u64 + 1);
    let weight = dice.number(4) as u16;
    let kind = dice.below(8);
    // SAFETY: zeros are contenders.
    let mut scratch: [locox_contender; 6] = unsafe { zeroed() };
    let scratch_count = if dice.one_in(20) { 3 } else { 6 };
    let (mut chosen, mut index, mut detail) = (77u32, 77i64, u64::MAX);
    let mut told = Told { decisions: Vec::new(), ranking };
    let mut spoiler = Spoiler::new(dice);
    let place = spoiler.pointer(told.ranking);
    let mut spoilt = |here: bool, good| if here { spoiler.pointer(good) } else { good };
    let from = spoilt(matches!(kind, 1..=3), demand.as_mut_ptr());
    let to_detail =
        if matches!(kind, 2 | 3) { spoiler.optional(&raw mut detail) } else { null_mut() };
    let to = if kind == 4 { spoiler.pointer(&raw mut chosen) } else { &raw mut chosen };
    let spoiled = spoiler.spoiled;
    let user = (&raw mut told).cast();

    // SAFETY: every pointer that is not spoiled points to what the call says.
    let status = unsafe {
        match kind {
            0 => locox_ranking_advance(place, time),
            1 => locox_ranking_note(place, station, from),
            2 => locox_ranking_update(place, from, count, to_detail),
            3 => locox_ranking_round(
                place,
                from,
                count,
                nodes,
                free,
                draw,
                scratch.as_mut_ptr(),
                scratch_count,
                Some(note),
                user,
                to_detail,
            ),
            4 => locox_ranking_first_of(place, draw, candidates.as_ptr(), candidates.len(), to),
            5 => locox_ranking_served(place, station),
            6 => locox_ranking_index(place, station, &raw mut index),
            _ => locox_ranking_set_weight(place, station, weight),
        }
    };
    if status != LOCOX_OK {
        assert_eq!((chosen, index, told.decisions.len()), (77, 77, 0));
    }
    if spoiled {
        assert!(is_wrong(status), "{status:?} in call {kind}");
        return;
    }
    let all: Vec<_> = demand.iter().map(|it| Demand { wants: it.wants, holds: it.holds }).collect();
    let other_length = twin.stations.is_some_and(|stations| stations != count);
    let expected = match kind {
        0 => {
            twin.fair.advance(Instant::from_ticks(time));
            DONE
        }
        1 | 5 | 6 if !known(station) => (LOCOX_NO_SUCH_STATION, 0),
        1 => {
            twin.fair.note(StationId(station), all[0]);
            DONE
        }
        3 if scratch_count < 4 => (LOCOX_TOO_SHORT, 4),
        2 | 3 if other_length => (LOCOX_WRONG_TABLE, STATIONS as u64),
        2 => twin.fair.update(&all).map_or_else(misused, |()| DONE),
        3 => {
            let mut room = [Contender::EMPTY; 6];
            let draw = F::Draw::from_source(|| draw);
            let capacity = Capacity { nodes, free };
            match Round::new(&mut twin.fair, &all, capacity, draw, &mut room) {
                Err(misuse) => misused(misuse),
                Ok(mut round) => {
                    for decision in &told.decisions {
                        assert_eq!(round.next(&mut twin.fair, &all).map(plain), Some(*decision));
                    }
                    assert_eq!(round.next(&mut twin.fair, &all), None);
                    DONE
                }
            }
        }
        4 => {
            twin.fair.begin(F::Draw::from_source(|| draw));
            let first = twin.fair.first_of(candidates.iter().copied().map(StationId));
            first.map_or((LOCOX_NONE, 0), |station| {
                assert_eq!(station.0, chosen);
                DONE
            })
        }
        5 => {
            twin.fair.served(StationId(station));
            DONE
        }
        6 => (twin.index)(&twin.fair, station).map_or((LOCOX_NONE, 0), |it| {
            assert_eq!(it, index);
            DONE
        }),
        _ => match twin.weigh {
            None => (LOCOX_BAD_ARGUMENT, 0),
            Some(_) if weight == 0 => (LOCOX_ZERO, 0),
            Some(_) if !known(station) => (LOCOX_NO_SUCH_STATION, 0),
            Some(weigh) => {
                weigh(&mut twin.fair, station, weight);
                DONE
            }
        },
    };
    assert_eq!(status, expected.0, "call {kind}");
    if status != LOCOX_OK && !to_detail.is_null() {
        assert_eq!(detail, expected.1);
    }
}

fn in_step<F: Fairness>(ranking: &mut locox_ranking, mut twin: Twin<F>, seed: u64) {
    let (mut dice, mut now) = (Dice(seed), 0);
    for _ in 0..calls() / 4 {
        step(&mut dice, ranking, &mut twin, &mut now);
    }
    let expected = exported(&twin.fair);
    let (mut words, mut written, mut detail) = (vec![0u32; expected.len() + 1], 77, 0);
    let (to, len, ranking) = (words.as_mut_ptr(), expected.len(), &raw mut *ranking);
    // SAFETY: as the calls say.
    unsafe {
        let export = locox_ranking_export;
        if len > 0 {
            let short = export(ranking, to, len - 1, &raw mut written, &raw mut detail);
            assert_eq!((short, detail, written), (LOCOX_TOO_SHORT, len as u64, 77));
        }
        assert_eq!(export(ranking, to, len, &raw mut written, null_mut()), LOCOX_OK);
        assert_eq!((written, &words[..len]), (len, &expected[..]));
        assert_eq!(locox_ranking_forget(ranking), LOCOX_OK);
        let restore = locox_ranking_restore;
        assert_eq!(restore(ranking, words.as_ptr(), len + 1), LOCOX_OTHER_IMAGE);
        assert_eq!(restore(ranking, words.as_ptr(), len), LOCOX_OK);
        let again = export(ranking, to, len, &raw mut written, null_mut());
        assert_eq!((again, &words[..len]), (LOCOX_OK, &expected[..]));
        assert_eq!(locox_ranking_check(ranking), LOCOX_OK);
    }
}

#[test]
fn rankings_answer_as_the_kernel_does_whatever_they_are_told() {
    // SAFETY: zeroed is not started, and as the calls say.
    unsafe {
        let mut ranking: locox_ranking = zeroed();
        let mut rows: [locox_timed_row; STATIONS] = zeroed();
        let (place, table, mut detail) = (&raw mut ranking, rows.as_mut_ptr(), 0);
        assert_eq!(locox_ranking_forget(place), LOCOX_NOT_STARTED);
        let mut start = |half_life, quantum| {
            locox_ranking_start_timed(place, table, STATIONS, half_life, quantum, &raw mut detail)
        };
        assert_eq!(start(0, 600), LOCOX_ZERO);
        assert_eq!(start(86_400, 600), LOCOX_OK);
        let pace = DecayParams {
            half_life: Duration::from_ticks(86_400),
            quantum: Duration::from_ticks(600),
        };
        let timed = Twin {
            fair: TimedUpDown::new(vec![TimedRow::EMPTY; STATIONS], pace).unwrap(),
            stations: Some(STATIONS),
            weigh: Some(|fair, at, weight| fair.set_weight(StationId(at), weight).unwrap()),
            index: |fair, at| fair.index_of(StationId(at)),
        };
        in_step(&mut ranking, timed, 21);

        let mut indices = [77i32; STATIONS];
        let start = locox_ranking_start_updown;
        let table = indices.as_mut_ptr();
        assert_eq!(start(place, table, STATIONS, 0, 0, null_mut()), LOCOX_ZERO);
        assert_eq!(start(place, table, STATIONS, 2560, 0, null_mut()), LOCOX_OK);
        let printed = || {
            let condor = Condor::new(Amount::from_bits(2560)).unwrap();
            UpDown::new(vec![ScheduleIndex::ZERO; STATIONS], condor)
        };
        let twin = Twin {
            fair: printed(),
            stations: Some(STATIONS),
            weigh: None,
            index: |fair: &UpDown<Vec<_>>, at| {
                fair.index_of(StationId(at)).map(|it| it.bits().into())
            },
        };
        in_step(&mut ranking, twin, 22);
        assert_eq!(start(place, table, STATIONS, 2560, 1, null_mut()), LOCOX_OK);
        let shuffled = Twin {
            fair: printed().shuffled(),
            stations: Some(STATIONS),
            weigh: None,
            index: |fair, at| fair.index_of(StationId(at)).map(|it| it.bits().into()),
        };
        in_step(&mut ranking, shuffled, 23);

        assert_eq!(locox_ranking_start_round_robin(place, 2), LOCOX_OK);
        let turns = RoundRobin::starting_at(StationId(2));
        in_step(
            &mut ranking,
            Twin { fair: turns, stations: None, weigh: None, index: |_, _| None },
            24,
        );
        assert_eq!(locox_ranking_start_random(place), LOCOX_OK);
        let lots = Random::new();
        in_step(
            &mut ranking,
            Twin { fair: lots, stations: None, weigh: None, index: |_, _| None },
            25,
        );
    }
}
