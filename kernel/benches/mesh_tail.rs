//! The slowest operations of a pool of meshes, as quantiles in nanoseconds: pairs of allocate and
//! release on the empty machine, and single calls on a full one. What reading the clock takes is
//! printed first and not subtracted.

mod common;

use common::{CASES, Churn};
use std::time::Instant;

const OPERATIONS: usize = 1_000_000;

fn quantile(sorted: &[u64], share: f64) -> u64 {
    sorted[((sorted.len() as f64 * share) as usize).min(sorted.len() - 1)]
}

fn print(what: &str, mut nanoseconds: Vec<u64>) {
    nanoseconds.sort_unstable();
    let [half, most, nearly_all] = [0.5, 0.99, 0.999].map(|share| quantile(&nanoseconds, share));
    println!("  {what:9} p50 {half:5}  p99 {most:5}  p99.9 {nearly_all:5}");
}

fn timed(operation: impl FnOnce() -> bool, into: &mut Vec<u64>) {
    let start = Instant::now();
    let done = operation();
    let took = start.elapsed().as_nanos() as u64;
    if done {
        into.push(took);
    }
}

fn main() {
    let mut clock = vec![];
    (0..OPERATIONS).for_each(|_| timed(|| true, &mut clock));
    print("clock", clock);
    for case in CASES {
        println!("{case}");
        let (mut churn, mut pairs) = (Churn::new(&case), vec![]);
        (0..OPERATIONS).for_each(|_| timed(|| churn.allocate() && churn.release(), &mut pairs));
        print("pair", pairs);
        let mut churn = Churn::new(&case);
        let (mut allocations, mut releases) = (vec![], vec![]);
        for _ in 0..OPERATIONS {
            if churn.coin() {
                timed(|| churn.allocate(), &mut allocations);
            } else {
                timed(|| churn.release(), &mut releases);
            }
        }
        print("allocate", allocations);
        print("release", releases);
    }
}
