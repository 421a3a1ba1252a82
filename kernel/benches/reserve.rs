//! Speed of timelines and profiles with many reservations resident: `cargo bench -p locox`.
//!
//! Two shapes, both for 1,024 PEs at a load of 0.6. P: powers of two from 32 to 1,024 PEs and six
//! run times, as on a partitioned machine. C: 1 to 64 PEs for a minute to a day, both
//! log-uniform, as on a cluster. A sample is 1,000 operations: read microseconds as nanoseconds
//! an operation. Added and removed are random batches, so that all others stay resident.

use divan::Bencher;
use divan::counter::ItemsCount;
use locox::bits::{BitSet, Word};
use locox::handle::PoolId;
use locox::reserve::{
    Error, Fit, Interval, Limits, Lowest, Policy, Profile, Request, ReservationId, Timeline,
};
use locox::time::{Duration, Instant};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use std::cell::RefCell;
use std::hint::black_box;

const PES: u32 = 1024;
const BATCH: usize = 1000;
/// Candidate starts in the window of a query for the rectangle policies.
const CANDIDATES: usize = 200;

type Row = BitSet<[Word; 16]>;

fn main() {
    divan::main();
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    P,
    C,
}

/// Shapes with 1, 10 and 100 thousand reservations.
const SIZES: [(Shape, usize); 6] = [
    (Shape::P, 1_000),
    (Shape::P, 10_000),
    (Shape::P, 100_000),
    (Shape::C, 1_000),
    (Shape::C, 10_000),
    (Shape::C, 100_000),
];

/// Duration and number of PEs.
fn job(shape: Shape, rng: &mut ChaCha8Rng) -> (u64, u32) {
    let mut log_uniform =
        |low: f64, high: f64| (rng.random_range(low.ln()..high.ln())).exp() as u64;
    match shape {
        Shape::C => (log_uniform(60.0, 86_400.0), log_uniform(1.0, 65.0) as u32),
        Shape::P => {
            // Shares in percent: 32, 33, 20, 6, 6, 3.
            let log2 = match rng.random_range(0..100) {
                0..32 => 5,
                32..65 => 6,
                65..85 => 7,
                85..91 => 8,
                91..97 => 9,
                _ => 10,
            };
            let times = [60, 300, 900, 1_800, 3_600, 10_800];
            (times[rng.random_range(0..times.len())], 1 << log2)
        }
    }
}

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

/// A timeline or a profile with what is in it.
struct Full<T> {
    timeline: T,
    reservations: Vec<(ReservationId, Interval, Row)>,
    queries: Vec<Request>,
}

impl<T> Full<T> {
    /// `reserve` places a request; the PEs that it got are only known with identity.
    fn new(
        shape: Shape,
        size: usize,
        mut timeline: T,
        reserve: impl Fn(&mut T, &Request) -> Result<(ReservationId, Interval), Error>,
        pes_of: impl Fn(&T, ReservationId, u32) -> Row,
    ) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let jobs: Vec<_> = (0..size).map(|_| job(shape, &mut rng)).collect();
        let work: u64 = jobs.iter().map(|&(duration, pes)| duration * u64::from(pes)).sum();
        let horizon = work * 10 / 6 / u64::from(PES);
        let request = |(duration, pes), rng: &mut ChaCha8Rng| {
            Request::new(at(rng.random_range(0..horizon)), Duration::from_ticks(duration), pes)
        };
        let mut reservations: Vec<_> = jobs
            .iter()
            .map(|&job| {
                let (id, placement) = reserve(&mut timeline, &request(job, &mut rng)).unwrap();
                (id, placement, pes_of(&timeline, id, job.1))
            })
            .collect();
        reservations.shuffle(&mut rng);
        let queries = (0..4 * BATCH).map(|_| request(job(shape, &mut rng), &mut rng)).collect();
        Self { timeline, reservations, queries }
    }
}

fn limits(size: usize) -> Limits {
    Limits { pes: PES, reservations: size as u32 }
}

type Plain = Timeline<Box<[Word]>>;
type Counted = Profile<Box<[Word]>>;

fn timeline((shape, size): (Shape, usize)) -> Full<Plain> {
    let limits = limits(size);
    let storage = vec![0; Timeline::words(limits)].into_boxed_slice();
    Full::new(
        shape,
        size,
        Timeline::new(PoolId(0), limits, storage).unwrap(),
        |timeline: &mut Plain, request| timeline.reserve(request, &Fit::First, &Lowest),
        |timeline, id, _| {
            let mut row = BitSet::empty([0; 16], PES).unwrap();
            row.union_with(&timeline.pes_of(id).unwrap()).unwrap();
            row
        },
    )
}

fn profile((shape, size): (Shape, usize)) -> Full<Counted> {
    let limits = limits(size);
    let storage = vec![0; Profile::words(limits)].into_boxed_slice();
    Full::new(
        shape,
        size,
        Profile::new(PoolId(0), limits, storage).unwrap(),
        |profile: &mut Counted, request| profile.reserve(request, &Fit::First),
        |_, _, pes| {
            let mut row = BitSet::empty([0; 16], PES).unwrap();
            row.insert_range(0, pes).unwrap();
            row
        },
    )
}

/// Takes batches of reservations out and puts them in again; `timed` says which half counts.
fn churn<T>(
    bencher: Bencher<'_, '_>,
    full: Full<T>,
    timed: Half,
    add: impl Fn(&mut T, Interval, &Row) -> ReservationId,
    cancel: impl Fn(&mut T, ReservationId),
) {
    let full = RefCell::new(full);
    let next = RefCell::new(0);
    let put_in = |from: usize| {
        let Full { timeline, reservations, .. } = &mut *full.borrow_mut();
        for (id, placement, row) in &mut reservations[from..from + BATCH] {
            *id = add(timeline, *placement, row);
        }
    };
    let take_out = |from: usize| {
        let Full { timeline, reservations, .. } = &mut *full.borrow_mut();
        reservations[from..from + BATCH].iter().for_each(|(id, ..)| cancel(timeline, *id));
    };
    let batch = || {
        let size = full.borrow().reservations.len();
        let from = *next.borrow();
        *next.borrow_mut() = (from + BATCH) % size;
        from
    };
    let bencher = bencher.counter(ItemsCount::new(BATCH));
    match timed {
        Half::Add => bencher
            .with_inputs(|| {
                let from = batch();
                take_out(from);
                from
            })
            .bench_local_values(put_in),
        Half::Remove => {
            // One batch is always out: it goes back in before the next is taken out.
            take_out(batch());
            let before = RefCell::new(0);
            bencher
                .with_inputs(|| {
                    put_in(before.replace(*next.borrow()));
                    batch()
                })
                .bench_local_values(take_out);
        }
    }
}

#[derive(Clone, Copy)]
enum Half {
    Add,
    Remove,
}

fn ask(bencher: Bencher<'_, '_>, queries: &[Request], find: impl Fn(&Request)) {
    let mut chunks = queries.chunks(BATCH).cycle();
    bencher
        .counter(ItemsCount::new(BATCH))
        .with_inputs(|| chunks.next().unwrap())
        .bench_local_values(|queries| queries.iter().for_each(&find));
}

#[divan::bench_group(sample_size = 1, sample_count = 200)]
mod counts {
    use super::*;

    fn churned(bencher: Bencher<'_, '_>, size: (Shape, usize), half: Half) {
        let add = |profile: &mut Counted, placement, row: &Row| {
            profile.add(placement, row.count()).unwrap()
        };
        let cancel = |profile: &mut Counted, id| {
            profile.cancel(id).unwrap();
        };
        churn(bencher, profile(size), half, add, cancel);
    }

    #[divan::bench(args = SIZES)]
    fn add(bencher: Bencher<'_, '_>, size: (Shape, usize)) {
        churned(bencher, size, Half::Add);
    }

    #[divan::bench(args = SIZES)]
    fn remove(bencher: Bencher<'_, '_>, size: (Shape, usize)) {
        churned(bencher, size, Half::Remove);
    }

    #[divan::bench(args = SIZES)]
    fn earliest_fit(bencher: Bencher<'_, '_>, size: (Shape, usize)) {
        let full = profile(size);
        ask(bencher, &full.queries, |request| {
            black_box(full.timeline.find(request, &Fit::First).unwrap());
        });
    }
}

#[divan::bench_group(sample_size = 1, sample_count = 200)]
mod identity {
    use super::*;

    fn churned(bencher: Bencher<'_, '_>, size: (Shape, usize), half: Half) {
        let add =
            |timeline: &mut Plain, placement, row: &Row| timeline.add(placement, row).unwrap();
        let cancel = |timeline: &mut Plain, id| {
            timeline.cancel(id).unwrap();
        };
        churn(bencher, timeline(size), half, add, cancel);
    }

    #[divan::bench(args = SIZES)]
    fn add(bencher: Bencher<'_, '_>, size: (Shape, usize)) {
        churned(bencher, size, Half::Add);
    }

    #[divan::bench(args = SIZES)]
    fn remove(bencher: Bencher<'_, '_>, size: (Shape, usize)) {
        churned(bencher, size, Half::Remove);
    }

    #[divan::bench(args = SIZES)]
    fn first_fit(bencher: Bencher<'_, '_>, size: (Shape, usize)) {
        let full = timeline(size);
        ask(bencher, &full.queries, |request| {
            let mut pes = BitSet::empty([0; 16], PES).unwrap();
            black_box(full.timeline.find(request, &Fit::First, &Lowest, &mut pes).unwrap());
        });
    }

    /// Shapes and sizes that the rectangle policies are timed for.
    const DATED: [(Shape, usize); 4] = [SIZES[1], SIZES[2], SIZES[4], SIZES[5]];

    /// With the latest deadline that leaves at most `CANDIDATES` candidate starts.
    fn dated(full: &Full<Plain>) -> Vec<Request> {
        let times: Vec<u64> = full.timeline.slots().map(|slot| slot.time.ticks()).collect();
        let after = |time: u64| times.partition_point(|&slot| slot <= time);
        let deadline = |request: &Request| {
            let (ready, length) = (request.ready.ticks(), request.duration.ticks());
            let (starts, ends) = (&times[after(ready)..], &times[after(ready + length)..]);
            let mut latest: Vec<u64> = starts.iter().take(CANDIDATES).copied().collect();
            latest.extend(ends.iter().take(CANDIDATES).map(|end| end - length));
            latest.sort_unstable();
            // The ready time and the latest start are candidates, too.
            request.by(at(latest[(CANDIDATES - 3).min(latest.len() - 1)] + length))
        };
        full.queries.iter().map(deadline).collect()
    }

    fn fits(bencher: Bencher<'_, '_>, size: (Shape, usize), policy: impl Policy) {
        let full = timeline(size);
        ask(bencher, &dated(&full), |request| {
            let mut pes = BitSet::empty([0; 16], PES).unwrap();
            let _ = black_box(full.timeline.find(request, &policy, &Lowest, &mut pes));
        });
    }

    #[divan::bench(args = DATED, sample_count = 8)]
    fn pe_best(bencher: Bencher<'_, '_>, size: (Shape, usize)) {
        fits(bencher, size, Fit::PeBest);
    }

    #[divan::bench(args = DATED, sample_count = 8)]
    fn pe_worst(bencher: Bencher<'_, '_>, size: (Shape, usize)) {
        fits(bencher, size, Fit::PeWorst);
    }

    #[divan::bench(args = DATED, sample_count = 8)]
    fn duration_best(bencher: Bencher<'_, '_>, size: (Shape, usize)) {
        fits(bencher, size, Fit::DurationBest);
    }

    #[divan::bench(args = DATED, sample_count = 8)]
    fn duration_worst(bencher: Bencher<'_, '_>, size: (Shape, usize)) {
        fits(bencher, size, Fit::DurationWorst);
    }

    #[divan::bench(args = DATED, sample_count = 8)]
    fn product_best(bencher: Bencher<'_, '_>, size: (Shape, usize)) {
        fits(bencher, size, Fit::PeDurationBest);
    }

    #[divan::bench(args = DATED, sample_count = 8)]
    fn product_worst(bencher: Bencher<'_, '_>, size: (Shape, usize)) {
        fits(bencher, size, Fit::PeDurationWorst);
    }
}
