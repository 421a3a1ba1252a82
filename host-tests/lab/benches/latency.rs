//! The tail of subcube allocation: how long the slowest operations take, and the state it needs.
//!
//! `cargo bench -p locox-lab --bench latency`. divan reports no percentiles of single operations,
//! so each is timed here by itself; what reading the clock costs is subtracted. Prints a table in
//! Markdown.

mod common;
mod patterns;

use bitmap_allocator::{BitAlloc4K, BitAlloc64K};
use buddy_system_allocator::FrameAllocator;
use common::subjects::{Bitmap, Subject};
use common::trace::{Op, trace};
use hdrhistogram::Histogram;
use locox::bits::Word;
use locox::cube::Dim;
use locox::subcube::{Buddy, Complete, FreeList, GrayCode, Pool, words};
use std::hint::black_box;
use std::time::{Duration, Instant};

type Boxed = Box<[Word]>;

/// Words of a strategy's storage, by the dimensions of the machine.
type Words = fn(u8) -> usize;

fn main() {
    println!("| | dims | p50 ns | p99.9 ns |\n|---|---|---|---|");
    for (dims, percent) in [(10, 75), (16, 95)] {
        let ops = trace(dims, percent, 400_000);
        row::<Pool<Buddy, Boxed>>("locox buddy", dims, &ops);
        row::<Pool<FreeList, Boxed>>("locox free-list", dims, &ops);
        row::<Pool<GrayCode, Boxed>>("locox gray-code", dims, &ops);
        row::<FrameAllocator<25>>("buddy_system_allocator 0.13", dims, &ops);
        row::<Bitmap>("bitmap-allocator 0.4", dims, &ops);
    }
    let fixed = size_of::<Pool<FreeList, [Word; 0]>>();
    println!("\nBytes a node, without the pool's own fields (free-list: {fixed} bytes):\n");
    println!("| | 10 dims | 16 dims | 20 dims |\n|---|---|---|---|");
    let strategies: [(&str, Words); 4] = [
        ("locox buddy", words::<Buddy>),
        ("locox free-list", words::<FreeList>),
        ("locox gray-code", words::<GrayCode>),
        ("locox complete", words::<Complete>),
    ];
    for (name, words) in strategies {
        let [a, b, c] = [10, 16, 20].map(|dims| per_node(words, dims));
        println!("| {name} | {a:.2} | {b:.2} | {c:.2} |");
    }
    let [a, b] =
        [size_of::<BitAlloc4K>() as f64 / 1024.0, size_of::<BitAlloc64K>() as f64 / 65536.0];
    println!("| bitmap-allocator 0.4 | {a:.2} | {b:.2} | |");
    println!("\nSlowest allocate known under complete, microseconds:\n");
    println!("| | granted | refused |\n|---|---|---|");
    for dims in [6, 10, 12, 14, 16] {
        let [granted, refused] = slowest(dims).map(|nanos| nanos as f64 / 1000.0);
        println!("| {dims} dims | {granted:.1} | {refused:.1} |");
    }
}

/// Nanoseconds of the slowest allocation that is granted, and of the slowest that is refused, in
/// the states in which they are slow; each is the fastest of several tries.
fn slowest(dims: u8) -> [u64; 2] {
    let mut states = vec![<Pool<Complete, Boxed> as Subject>::new(dims)];
    let mut one = states[0].clone();
    _ = one.grant(1);
    states.push(one);
    states.extend((2..dims).map(|modulus| patterns::without_multiples(dims, modulus.into())));
    states.push(patterns::three_quarters_full(dims));
    let mut slowest = [0; 2];
    for state in &states {
        for dim in Dim::new(dims).expect("a small dimension").up_to() {
            let (nanos, refused) = fastest(state, dim);
            let worst = &mut slowest[usize::from(refused)];
            *worst = nanos.max(*worst);
        }
    }
    slowest
}

/// The fastest of several tries of one allocation, and whether it is refused.
fn fastest(state: &Pool<Complete, Boxed>, dim: Dim) -> (u64, bool) {
    let tries = (0..25).map(|_| {
        let mut pool = state.clone();
        let start = Instant::now();
        let granted = black_box(pool.allocate(dim));
        (nanos(start.elapsed()), granted.is_err())
    });
    tries.min().expect("there are tries")
}

fn per_node(words: Words, dims: u8) -> f64 {
    (words(dims) * size_of::<Word>()) as f64 / f64::from(1u32 << dims)
}

fn row<S: Subject>(name: &str, dims: u8, ops: &[Op]) {
    let times = times::<S>(dims, ops);
    let clock = clock();
    let percentile = |p| times.value_at_quantile(p).saturating_sub(clock);
    println!("| {name} | {dims} | {} | {} |", percentile(0.5), percentile(0.999));
}

/// Nanoseconds of each operation of the trace, run once before to warm up.
fn times<S: Subject>(dims: u8, ops: &[Op]) -> Histogram<u64> {
    let mut subject = S::new(dims);
    let mut times = Histogram::new(3).expect("three digits are allowed");
    let mut held = Vec::with_capacity(ops.len());
    for round in 0..2 {
        for op in ops {
            let start = Instant::now();
            match *op {
                Op::Allocate(size) => held.push(black_box(subject.grant(size))),
                Op::Release(at) => {
                    if let Some(grant) = held.swap_remove(at) {
                        subject.take_back(grant);
                    }
                }
            }
            let took = start.elapsed();
            if round == 1 {
                times.saturating_record(nanos(took));
            }
        }
        held.drain(..).flatten().for_each(|grant| subject.take_back(grant));
    }
    times
}

/// The median of what two readings of the clock take with nothing between them.
fn clock() -> u64 {
    let mut times = Histogram::<u64>::new(3).expect("three digits are allowed");
    for _ in 0..100_000 {
        times.saturating_record(nanos(Instant::now().elapsed()));
    }
    times.value_at_quantile(0.5)
}

fn nanos(took: Duration) -> u64 {
    u64::try_from(took.as_nanos()).unwrap_or(u64::MAX)
}
