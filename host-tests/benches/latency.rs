//! The tail of subcube allocation: how long the slowest operations take, and the state it needs.
//!
//! `cargo bench -p locox-lab --bench latency`. divan reports no percentiles of single operations,
//! so each is timed here by itself; what reading the clock costs is subtracted. Prints a table in
//! Markdown.

#[path = "common/mod.rs"]
mod common;

use buddy_system_allocator::FrameAllocator;
use common::subjects::{Bitmap, Subject};
use common::trace::{Op, trace};
use hdrhistogram::Histogram;
use locox::bits::Word;
use locox::subcube::{Buddy, FreeList, GrayCode};
use std::hint::black_box;
use std::time::{Duration, Instant};

type Boxed = Box<[Word]>;

fn main() {
    println!("| | dims | p50 ns | p99.9 ns | bytes a node |\n|---|---|---|---|---|");
    for (dims, percent) in [(10, 75), (16, 95)] {
        let ops = trace(dims, percent, 400_000);
        row::<Buddy<Boxed>>(dims, &ops);
        row::<FreeList<Boxed>>(dims, &ops);
        row::<GrayCode<Boxed>>(dims, &ops);
        row::<FrameAllocator<25>>(dims, &ops);
        row::<Bitmap>(dims, &ops);
    }
    println!(
        "\nlocox free-list, 20 dimensions: {:.2} bytes a node",
        per_node::<FreeList<Boxed>>(20)
    );
}

fn per_node<S: Subject>(dims: u8) -> f64 {
    S::bytes(dims).map_or(f64::NAN, |bytes| bytes as f64 / f64::from(1u32 << dims))
}

fn row<S: Subject>(dims: u8, ops: &[Op]) {
    let times = times::<S>(dims, ops);
    let clock = clock();
    let percentile = |p| times.value_at_quantile(p).saturating_sub(clock);
    let bytes = S::bytes(dims).map_or("heap".into(), |_| format!("{:.2}", per_node::<S>(dims)));
    println!("| {} | {dims} | {} | {} | {bytes} |", S::NAME, percentile(0.5), percentile(0.999));
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
