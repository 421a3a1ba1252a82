//! Requests that last as long as many reservations: their windows reach over leaves and end inside one.

use locox::bits::BitSet;
use locox::handle::PoolId;
use locox::reserve::{Fit, Interval, Limits, Lowest, Request, Timeline};
use locox::time::{Duration, Instant};
use locox_oracles::reserve::naive::Which;
use locox_oracles::reserve::subject::Plain;
use locox_oracles::reserve::{Command, Lockstep};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

const PES: u32 = 32;
const BOOKED: usize = 199;
const LIMITS: Limits = Limits { pes: PES, reservations: BOOKED as u32 + 1 };
const SPAN: u64 = 900;

/// When, and which PEs.
type Held = (u64, u64, u32);

/// The PEs that nobody holds all through.
fn free(held: &[Held], start: u64, end: u64) -> u32 {
    let overlap = held.iter().filter(|(begin, until, _)| *begin < end && start < *until);
    !overlap.fold(0, |busy, (.., pes)| busy | pes)
}

/// The first start at which enough are free: the ready time, or the end of a reservation.
fn earliest(held: &[Held], ready: u64, duration: u64, pes: u32) -> u64 {
    let ends = held.iter().map(|it| it.1).filter(|&end| end > ready);
    let fits = |&start: &u64| free(held, start, start + duration).count_ones() >= pes;
    ends.chain([ready]).filter(fits).min().expect("behind the last one all are free")
}

/// Many short reservations of one or two PEs, and some long ones, which cover whole leaves.
fn booked(random: &mut impl Rng) -> (Timeline<Vec<usize>>, Vec<Held>) {
    let mut timeline = Timeline::new(PoolId(0), LIMITS, vec![0; Timeline::words(LIMITS)]).unwrap();
    let mut held = vec![];
    while held.len() < BOOKED {
        let start = random.random_range(0..SPAN);
        let length = if held.len() % 8 == 0 { 100..300 } else { 1..30 };
        let (end, first) = (start + random.random_range(length), random.random_range(0..PES));
        let pes = 1 << first | 1 << random.random_range(0..PES);
        if pes & !free(&held, start, end) == 0 {
            let mut set = BitSet::empty(vec![0; 1], PES).unwrap();
            (0..PES).filter(|pe| pes >> pe & 1 == 1).for_each(|pe| _ = set.insert(pe).unwrap());
            let at = Interval { start: Instant::from_ticks(start), end: Instant::from_ticks(end) };
            timeline.add(at, &set).unwrap();
            held.push((start, end, pes));
        }
    }
    (timeline, held)
}

#[test]
fn they_get_the_first_window_that_has_enough_pes() {
    for seed in 0..40 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut timeline, held) = booked(&mut random);
        for _ in 0..100 {
            let (ready, duration) = (random.random_range(0..SPAN), random.random_range(1..200));
            // As many as there are somewhere later.
            let start = ready + random.random_range(0..100);
            let pes = free(&held, start, start + duration).count_ones().max(1);
            let request =
                Request::new(Instant::from_ticks(ready), Duration::from_ticks(duration), pes);
            let found = timeline.would_reserve(&request, &Fit::First, &Lowest).unwrap();
            let expected = earliest(&held, ready, duration, pes);
            assert_eq!(found.start.ticks(), expected, "{seed}: {pes} PEs, {duration} from {ready}");
        }
    }
}

#[test]
fn each_candidate_has_the_pes_that_are_free_all_through() {
    for seed in 0..40 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (timeline, held) = booked(&mut random);
        for _ in 0..20 {
            let (ready, duration) = (random.random_range(0..SPAN), random.random_range(1..200));
            let [start, length] = [ready, duration].map(Instant::from_ticks);
            let request = Request::new(start, length.since(Instant::ZERO).unwrap(), 1);
            let request = request.by(Instant::from_ticks(ready + duration + 100));
            let mut pes = BitSet::empty(vec![0; 1], PES).unwrap();
            for it in timeline.candidates(&request, &mut pes).unwrap() {
                let start = it.start.ticks();
                let expected = free(&held, start, start + duration).count_ones();
                assert_eq!(it.rectangle.pes, expected, "{seed}: {duration} from {start}");
            }
        }
    }
}

/// On each PE of some a reservation follows the other, with gaps of which few are long; the others are free.
fn in_turn(pair: &mut Lockstep<Plain>, pes: u32, random: &mut impl Rng) {
    const SPAN: u64 = 160;
    for pe in (0..pes).filter(|_| random.random_range(0..3) > 0).collect::<Vec<_>>() {
        let mut time = random.random_range(0..20);
        while time < SPAN && pair.made() < BOOKED {
            let end = time + random.random_range(1..9);
            pair.answer(&Command::Add((time, end, 1 << pe, 0))).unwrap();
            let gap = if random.random_range(0..9) == 0 { 1..90 } else { 1..20 };
            time = end + random.random_range(gap);
        }
    }
}

#[test]
fn choices_that_refuse_many_windows_and_all_policies_answer_as_the_naive_ones() {
    for seed in 0..12 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let pes = random.random_range(4..=16);
        let mut pair = Lockstep::<Plain>::new(Limits { pes, reservations: BOOKED as u32 }, true);
        in_turn(&mut pair, pes, &mut random);
        for _ in 0..3 {
            let (ready, duration) = (random.random_range(0..60), random.random_range(10..80));
            let [start, length] = [ready, duration].map(Instant::from_ticks);
            let wanted = random.random_range(1..=pes.div_ceil(3));
            let request = Request::new(start, length.since(Instant::ZERO).unwrap(), wanted);
            let by = Instant::from_ticks(ready + duration + random.random_range(0..120));
            let request = if random.random_range(0..3) == 0 { request } else { request.by(by) };
            pair.answer(&Command::Candidates(request)).unwrap();
            for which in [Which::Lowest, Which::Contiguous, Which::Aligned, Which::Even] {
                for fit in Fit::ALL {
                    pair.answer(&Command::Find(request, fit, which)).unwrap();
                }
            }
        }
        pair.step(&Command::Free(0, 10)).unwrap();
    }
}
