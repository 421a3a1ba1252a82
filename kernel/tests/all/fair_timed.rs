//! Up-Down by elapsed time: what the printed table cannot do.

use locox::fair::{
    Capacity, Contender, DecayParams, Decision, Demand, Fairness, Misuse, Reason, Round, StationId,
    TimedRow, TimedUpDown,
};
use locox::time::{Duration, Instant};

const MINUTE: u64 = 60;
const DAY: u64 = 86_400;
/// An index of one processor for a half-life without forgetting.
const ONE: i64 = 1 << 40;

type Ranking = TimedUpDown<Vec<TimedRow>>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn ranking(stations: usize) -> Ranking {
    let pace = DecayParams::standard(Duration::from_ticks(MINUTE));
    TimedUpDown::new(vec![TimedRow::EMPTY; stations], pace).unwrap()
}

fn note(fair: &mut Ranking, now: u64, station: u32, wants: u16, holds: u16) {
    fair.advance(at(now));
    fair.note(StationId(station), Demand { wants, holds });
    fair.check_invariants().unwrap();
}

fn index(fair: &Ranking, station: u32) -> f64 {
    fair.index_of(StationId(station)).unwrap() as f64 / ONE as f64
}

#[test]
fn an_index_rises_falls_and_halves_with_the_time_and_not_with_the_looks() {
    let (mut once, mut often) = (ranking(3), ranking(3));
    for fair in [&mut once, &mut often] {
        note(fair, 0, 0, 0, 4);
        note(fair, 0, 1, 9, 0);
    }
    for now in (0..DAY).step_by(97) {
        often.advance(at(now));
        often
            .update(&[[0, 4], [9, 0], [0, 0]].map(|[wants, holds]| Demand { wants, holds }))
            .unwrap();
    }
    once.advance(at(DAY));
    often.advance(at(DAY));
    let expected = 0.5 / std::f64::consts::LN_2;
    for fair in [&once, &often] {
        assert!((index(fair, 0) - 4.0 * expected).abs() < 1e-9, "{}", index(fair, 0));
        assert!((index(fair, 1) + expected).abs() < 1e-9, "{}", index(fair, 1));
        assert_eq!(index(fair, 2), 0.0);
    }
    note(&mut once, DAY, 0, 0, 0);
    once.advance(at(3 * DAY));
    assert!((index(&once, 0) - expected).abs() < 1e-9, "two half-lives later a quarter is left");
}

#[test]
fn no_index_comes_near_an_end_of_its_range_in_ten_thousand_years() {
    let mut fair = ranking(2);
    note(&mut fair, 0, 0, 0, u16::MAX);
    note(&mut fair, 0, 1, u16::MAX, 0);
    for now in [1, DAY, 365 * DAY, 3_650_000 * DAY, u64::MAX] {
        fair.advance(at(now));
        assert!((0.0..=94_548.0).contains(&index(&fair, 0)), "{}", index(&fair, 0));
        assert!((-1.45..=0.0).contains(&index(&fair, 1)), "{}", index(&fair, 1));
    }
}

#[test]
fn the_order_of_two_that_move_at_different_rates_turns_without_any_event() {
    let mut fair = ranking(2);
    note(&mut fair, 0, 0, 1, 10);
    note(&mut fair, 1000, 0, 1, 1);
    note(&mut fair, 1000, 1, 1, 3);
    assert_eq!(fair.next_claimant(), Some(StationId(1)));
    fair.advance(at(DAY));
    assert_eq!(fair.next_claimant(), Some(StationId(0)));
}

#[test]
fn two_alike_exchange_a_processor_every_two_quanta_and_no_sooner() {
    let quantum = 10 * MINUTE;
    let mut fair = ranking(2);
    note(&mut fair, 0, 0, 0, 1);
    note(&mut fair, 0, 1, 1, 0);
    let mut turns = vec![];
    for now in 0..DAY {
        fair.advance(at(now));
        let Some(exchange) = fair.exchange() else { continue };
        fair.yielded(exchange.from);
        fair.served(exchange.to);
        turns.push(now);
    }
    let apart: Vec<u64> = turns.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (least, most) = (apart.iter().min().unwrap(), apart.iter().max().unwrap());
    assert!(*least > 19 * MINUTE && *most < 22 * MINUTE, "{least} to {most} for {quantum}");
    assert!((index(&fair, 0) - index(&fair, 1)).abs() < 0.03);
}

#[test]
fn one_that_waits_takes_from_the_one_that_had_most_at_once() {
    let mut fair = ranking(3);
    note(&mut fair, 0, 0, 50, 40);
    note(&mut fair, 0, 1, 50, 60);
    note(&mut fair, 3600, 2, 1, 0);
    let exchange = fair.exchange().unwrap();
    assert_eq!((exchange.from, exchange.to), (StationId(1), StationId(2)));
    assert!(matches!(exchange.reason, Reason::BetterIndex { to, from } if to.is_better_than(from)));
}

#[test]
fn what_is_free_is_spread_by_what_each_will_have_had_a_quantum_later() {
    let mut fair = ranking(3);
    fair.set_weight(StationId(2), 2).unwrap();
    let mut demand = [Demand { wants: 1000, holds: 0 }; 3];
    let mut scratch = [Contender::EMPTY; 4];
    let capacity = Capacity { nodes: 400, free: 400 };
    let mut round = Round::new(&mut fair, &demand, capacity, (), &mut scratch).unwrap();
    let mut given = [0; 3];
    while let Some(decision) = round.next(&mut fair, &demand) {
        let Decision::Grant { to, .. } = decision else { panic!("{decision:?}") };
        given[to.0 as usize] += 1;
    }
    assert_eq!(given, [100, 100, 200]);
    demand[0].holds = 5;
    fair.update(&demand).unwrap();
    fair.check_invariants().unwrap();
}

#[test]
fn where_no_job_ends_a_station_that_holds_a_processor_takes_none() {
    // One station was there first, and has all of twelve processors.
    let mut fair = ranking(3);
    let mut holds = [12u16, 0, 0];
    for minute in 0..7 * 1440 {
        for (station, &holds) in holds.iter().enumerate() {
            note(&mut fair, minute * MINUTE, station as u32, 500, holds);
        }
        if let Some(it) = fair.exchange() {
            holds[it.from.0 as usize] -= 1;
            holds[it.to.0 as usize] += 1;
        }
    }
    assert_eq!(holds, [10, 1, 1]);
}

#[test]
fn shares_follow_weights() {
    // Ninety processors, a job ends every minute, and the next one is given away.
    let mut fair = ranking(3);
    fair.set_weight(StationId(1), 2).unwrap();
    fair.set_weight(StationId(2), 3).unwrap();
    let mut holds = [90u16, 0, 0];
    let mut had = [0u64; 3];
    for minute in 0..20 * 1440u64 {
        for station in 0..3 {
            note(&mut fair, minute * MINUTE, station as u32, 500, holds[station]);
            had[station] += if minute >= 7 * 1440 { u64::from(holds[station]) } else { 0 };
        }
        let ends = (minute.wrapping_mul(0x9E37_79B9) >> 7) % 90;
        let mut below = 0;
        let ended = holds.iter().position(|&held| {
            below += u64::from(held);
            ends < below
        });
        holds[ended.unwrap()] -= 1;
        fair.note(
            StationId(ended.unwrap() as u32),
            Demand { wants: 500, holds: holds[ended.unwrap()] },
        );
        holds[fair.next_claimant().unwrap().0 as usize] += 1;
    }
    let all: u64 = had.iter().sum();
    for (station, part) in [(0, 1.0 / 6.0), (1, 2.0 / 6.0), (2, 3.0 / 6.0)] {
        let share = had[station] as f64 / all as f64;
        assert!((share / part - 1.0).abs() < 0.01, "{station}: {share} for {part}");
    }
}

#[test]
fn a_clock_that_restarts_takes_nothing_away() {
    let mut fair = ranking(1);
    note(&mut fair, 0, 0, 0, 3);
    fair.advance(at(DAY));
    let before = fair.index_of(StationId(0));
    fair.advance(at(0));
    assert_eq!(fair.index_of(StationId(0)), before);
    fair.advance(at(DAY));
    assert!(fair.index_of(StationId(0)) > before);
}

#[test]
fn words_bring_everything_back() {
    let mut fair = ranking(40);
    fair.set_weight(StationId(7), 9).unwrap();
    for step in 0..2000u64 {
        let station = (step * 7919 % 40) as u32;
        note(&mut fair, step * 700, station, (step % 3) as u16, (step / 3 % 5) as u16);
    }
    let mut words = vec![];
    fair.export(&mut |word| words.push(word));
    let mut other = ranking(40);
    other.restore(&mut words.iter().copied()).unwrap();
    other.check_invariants().unwrap();
    for ahead in [0, 5000, DAY] {
        for fair in [&mut fair, &mut other] {
            fair.advance(at(2000 * 700 + ahead));
        }
        assert_eq!(
            (fair.next_claimant(), fair.exchange()),
            (other.next_claimant(), other.exchange())
        );
        for station in (0..40).map(StationId) {
            assert_eq!(fair.index_of(station), other.index_of(station));
        }
    }
    assert_eq!(other.restore(&mut words[..words.len() - 1].iter().copied()), None);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let tick = Duration::from_ticks(1);
    let refused = |pace| TimedUpDown::new([TimedRow::EMPTY; 1], pace).err();
    let zero = |parameter| Some(Misuse::Zero { parameter });
    assert_eq!(
        refused(DecayParams { half_life: Duration::ZERO, quantum: tick }),
        zero("half_life")
    );
    assert_eq!(refused(DecayParams { half_life: tick, quantum: Duration::ZERO }), zero("quantum"));
    let mut fair = ranking(2);
    assert_eq!(fair.set_weight(StationId(0), 0), Err(Misuse::Zero { parameter: "weight" }));
    let nobody = fair.set_weight(StationId(2), 1);
    assert_eq!(nobody, Err(Misuse::NoSuchStation(StationId(2))));
    assert_eq!(nobody.unwrap_err().to_string(), "there is no station 2");
    assert_eq!(fair.check(3), Err(Misuse::Stations { table: 2, demand: 3 }));
}

#[test]
fn a_row_is_a_cache_line_of_zeros() {
    assert_eq!(size_of::<TimedRow>(), 64);
}
