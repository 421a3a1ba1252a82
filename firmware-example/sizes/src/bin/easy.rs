//! EASY backfilling: 32 jobs in front of 64 PEs.

#![no_std]
#![no_main]

use locox::dispatch::{Backfill, Entry};
use locox::handle::PoolId;

sizes::program! {
    [Entry; 32] = [Entry::EMPTY; 32],
    |entries: &'static mut [Entry; 32]| {
        sizes::backfill(Backfill::easy(PoolId(1), 64, &mut entries[..]))
    }
}
