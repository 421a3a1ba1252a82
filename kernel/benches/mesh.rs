//! Speed of a pool of meshes: allocate and release, of random meshes.
//!
//! `cargo bench -p locox --bench mesh` for means; `cargo bench -p locox --bench mesh_tail` for the
//! slowest ones.

mod common;

use common::{CASES, Case, Churn};
use divan::Bencher;
use divan::counter::ItemsCount;

/// Pairs of allocate and release in an iteration.
const PAIRS: usize = 1000;

fn main() {
    divan::main();
}

/// Each mesh is released before the next one is asked for.
#[divan::bench(args = CASES)]
fn one_mesh_at_a_time(bencher: Bencher<'_, '_>, case: &Case) {
    let mut churn = Churn::new(case);
    bencher.counter(ItemsCount::new(PAIRS)).bench_local(|| {
        for _ in 0..PAIRS {
            churn.allocate();
            churn.release();
        }
    });
}

/// The machine stays about as full as it gets; every second request is granted at most.
#[divan::bench(args = CASES)]
fn a_full_machine(bencher: Bencher<'_, '_>, case: &Case) {
    let mut churn = Churn::new(case);
    bencher.counter(ItemsCount::new(PAIRS)).bench_local(|| {
        let mut released = 0;
        while released < PAIRS {
            if churn.coin() {
                churn.allocate();
            } else {
                released += usize::from(churn.release());
            }
        }
    });
}
