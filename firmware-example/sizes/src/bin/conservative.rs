//! Conservative backfilling: 32 jobs in front of 64 PEs.

#![no_std]
#![no_main]

use locox::dispatch::{Backfill, Entry};
use locox::handle::PoolId;

const WORDS: usize = Backfill::words(64, 32);

sizes::program! {
    ([usize; WORDS], [Entry; 32]) = ([0; WORDS], [Entry::EMPTY; 32]),
    |(words, entries): &'static mut ([usize; WORDS], [Entry; 32])| {
        let (words, entries) = (&mut words[..], &mut entries[..]);
        sizes::backfill(Backfill::conservative(PoolId(1), 64, words, entries).ok()?)
    }
}
