//! Promises in a hypercube of 64 nodes, whose subcubes are found as by a buddy allocator: 32 jobs, four of which are promised something.

#![no_std]
#![no_main]

use locox::cube::{Dim, Subcube};
use locox::dispatch::{Backfill, Entry, Job, Promises};
use locox::handle::PoolId;
use locox::machine::Held;
use locox::reserve::Interval;
use locox::subcube::{Buddy, Subcubes};
use locox::time::Instant;

const HELD: usize = Backfill::rows(32, 4);
/// More than they take on 6 dimensions.
const WORDS: usize = 32;

type Row = Held<Subcube>;

const NOTHING: Row = {
    let never = Interval { start: Instant::ZERO, end: Instant::ZERO };
    Held::new(Subcube::from_parts(Dim::ZERO, 0, 0), never)
};

sizes::program! {
    ([usize; WORDS], [Row; HELD], [Entry; 32]) =
        ([0; WORDS], [NOTHING; HELD], [Entry::EMPTY; 32]),
    |(words, rows, entries): &'static mut ([usize; WORDS], [Row; HELD], [Entry; 32])| {
        let cube = Subcubes::<Buddy>::new(Dim::new(6)?)?;
        let request = |job: &Job| Dim::holding(job.pes).unwrap_or(Dim::ZERO);
        let promises = Promises::new(cube, request, 4, &mut rows[..], &mut words[..]).ok()?;
        sizes::backfill(Backfill::promises(PoolId(1), 64, promises, &mut entries[..]).ok()?)
    }
}
