//! Any bytes are a table of placements and calls of a pool of slices.

#![no_main]

use locox_oracles::accelerator::follow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    follow(&locox_oracles::numbers(bytes)).unwrap_or_else(|mismatch| panic!("{mismatch}"));
});
