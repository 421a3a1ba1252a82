//! Speed of subcube allocation, side by side with others on the same recorded trace.
//!
//! `cargo bench -p locox-lab --bench subcube`. Means by divan: a sample is a whole trace, and the
//! throughput column counts operations (50 Mitem/s are 20 ns an operation).

mod common;
mod patterns;

use buddy_system_allocator::FrameAllocator;
use common::subjects::{Bitmap, Subject};
use common::trace::{Op, trace};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use locox::bits::Word;
use locox::cube::Dim;
use locox::subcube::{Buddy, Complete, FreeList, GrayCode, Pool};

type Boxed = Box<[Word]>;

fn main() {
    divan::main();
}

/// Mixed allocate and release. The 10-cube is used up to 75 %, the 16-cube up to 95 %.
#[divan::bench(
    types = [Pool<Buddy, Boxed>, Pool<FreeList, Boxed>, Pool<GrayCode, Boxed>, FrameAllocator<25>, Bitmap],
    args = [(10, 75), (16, 95)],
)]
fn mixed<S: Subject>(bencher: Bencher, (dims, percent): (u8, u64)) {
    let ops = trace(dims, percent, 100_000);
    let mut subject = S::new(dims);
    let mut held = Vec::with_capacity(ops.len());
    bencher.counter(ItemsCount::new(ops.len())).bench_local(|| run(&mut subject, &ops, &mut held));
}

/// The same for the complete strategy on fewer operations: each allocation is a search.
#[divan::bench(args = [(7, 75), (10, 75)])]
fn mixed_complete(bencher: Bencher, (dims, percent): (u8, u64)) {
    let ops = trace(dims, percent, 2_000);
    let mut subject = <Pool<Complete, Boxed> as Subject>::new(dims);
    let mut held = Vec::with_capacity(ops.len());
    bencher.counter(ItemsCount::new(ops.len())).bench_local(|| run(&mut subject, &ops, &mut held));
}

/// Runs the whole trace; what is still held at the end is released.
fn run<S: Subject>(subject: &mut S, ops: &[Op], held: &mut Vec<Option<S::Grant>>) {
    for op in ops {
        match *op {
            Op::Allocate(size) => held.push(subject.grant(size)),
            Op::Release(at) => {
                if let Some(grant) = held.swap_remove(at) {
                    subject.take_back(grant);
                }
            }
        }
    }
    held.drain(..).flatten().for_each(|grant| subject.take_back(grant));
}

/// Is a k-subcube free, where the free nodes are those whose number of ones is no multiple of
/// k + 1? None is, and no pattern known takes longer to tell.
#[divan::bench(args = [(10, 3), (10, 4), (10, 5), (10, 6), (10, 7), (16, 6), (16, 7), (16, 8), (16, 9)])]
fn complete_query_worst(bencher: Bencher, (dims, k): (u8, u8)) {
    let pool = patterns::without_multiples(dims, u32::from(k) + 1);
    let k = Dim::new(k).unwrap();
    assert!(pool.clone().would_fit(k).is_err());
    // A pool that was asked before remembers the answer.
    let fresh = bencher.with_inputs(|| pool.clone());
    fresh.bench_local_refs(|pool| black_box(pool.would_fit(black_box(k))).is_ok());
}

/// Is a k-subcube free, k from 0 to 7, on a machine that a recorded trace has left three quarters
/// full? A sample asks for all eight.
#[divan::bench(args = [10, 16])]
fn complete_query_typical(bencher: Bencher, dims: u8) {
    let pool = patterns::three_quarters_full(dims);
    let sizes: Vec<_> = (0..8).map(|k| Dim::new(k).unwrap()).collect();
    let fresh = bencher.counter(ItemsCount::new(sizes.len())).with_inputs(|| pool.clone());
    fresh.bench_local_refs(|pool| {
        sizes.iter().filter(|&&k| black_box(pool.would_fit(black_box(k))).is_ok()).count()
    });
}
