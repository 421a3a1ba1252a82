//! Speed of timelines and profiles on a data set: `cargo bench -p locox --bench reserve_file -- FILE...`.
//!
//! Made to stand beside other implementations on the same file: batches of up to 1,000 of the
//! resident reservations go out and in again, then each query asks for its first fit from its ready
//! time on. Nanoseconds an operation, the fastest and the median of some batches.

#[path = "common/data_set.rs"]
mod data_set;

use data_set::{DataSet, read};
use locox::bits::{BitSet, Word};
use locox::handle::PoolId;
use locox::reserve::{Fit, Limits, Lowest, Profile, ReservationId, Timeline};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant as Clock;

const BATCH: usize = 1000;
const BATCHES: usize = 15;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    for file in files {
        let set = read(Path::new(&file));
        println!("{file}: {} reservations on {} PEs", set.reservations.len(), set.pes);
        counts(&set);
        identity(&set);
    }
}

fn limits(set: &DataSet) -> Limits {
    Limits { pes: set.pes, reservations: set.reservations.len() as u32 }
}

fn counts(set: &DataSet) {
    let storage = vec![0; Profile::words(limits(set))];
    let mut profile = Profile::new(PoolId(0), limits(set), storage).unwrap();
    let pes: Vec<u32> = set.reservations.iter().map(|(_, pes)| pes.count()).collect();
    let add = |profile: &mut Profile<Vec<Word>>, at: usize| {
        profile.add(set.reservations[at].0, pes[at]).unwrap()
    };
    let cancel = |profile: &mut Profile<Vec<Word>>, id| {
        profile.cancel(id).unwrap();
    };
    churn("counts", set, &mut profile, add, cancel);
    ask("counts, earliest fit", set, |query| {
        black_box(profile.find(&set.queries[query], &Fit::First).unwrap());
    });
}

fn identity(set: &DataSet) {
    let storage = vec![0; Timeline::words(limits(set))];
    let mut timeline = Timeline::new(PoolId(0), limits(set), storage).unwrap();
    let add = |timeline: &mut Timeline<Vec<Word>>, at: usize| {
        let (placement, pes) = &set.reservations[at];
        timeline.add(*placement, pes).unwrap()
    };
    let cancel = |timeline: &mut Timeline<Vec<Word>>, id| {
        timeline.cancel(id).unwrap();
    };
    churn("identity", set, &mut timeline, add, cancel);
    let mut pes = BitSet::empty(vec![0; 1024], set.pes).unwrap();
    ask("identity, first fit", set, |query| {
        black_box(timeline.find(&set.queries[query], &Fit::First, &Lowest, &mut pes).unwrap());
    });
}

/// All reservations are put in; then batches go out and in again.
fn churn<T>(
    name: &str,
    set: &DataSet,
    timeline: &mut T,
    add: impl Fn(&mut T, usize) -> ReservationId,
    cancel: impl Fn(&mut T, ReservationId),
) {
    let size = set.reservations.len();
    let mut resident: Vec<(usize, ReservationId)> =
        (0..size).map(|at| (at, add(timeline, at))).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let batch = BATCH.min(size);
    let (mut removed, mut added) = (vec![], vec![]);
    for _ in 0..BATCHES {
        let (these, _) = resident.partial_shuffle(&mut rng, batch);
        let clock = Clock::now();
        these.iter().for_each(|(_, id)| cancel(timeline, *id));
        removed.push(each(clock, batch));
        let clock = Clock::now();
        these.iter_mut().for_each(|(at, id)| *id = add(timeline, *at));
        added.push(each(clock, batch));
    }
    print(&format!("{name}, remove"), removed);
    print(&format!("{name}, add"), added);
}

fn ask(name: &str, set: &DataSet, mut find: impl FnMut(usize)) {
    let mut times = vec![];
    for _ in 0..BATCHES {
        let clock = Clock::now();
        (0..set.queries.len()).for_each(&mut find);
        times.push(each(clock, set.queries.len()));
    }
    print(name, times);
}

fn each(since: Clock, operations: usize) -> f64 {
    since.elapsed().as_nanos() as f64 / operations as f64
}

fn print(name: &str, mut times: Vec<f64>) {
    times.sort_unstable_by(f64::total_cmp);
    println!("{name}: {:.0} ({:.0}) ns", times[0], times[times.len() / 2]);
}
