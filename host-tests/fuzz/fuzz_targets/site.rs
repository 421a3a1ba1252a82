//! Any bytes are a site and what its coordinator is told.

#![no_main]

use locox_oracles::site::follow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    follow(&locox_oracles::numbers(bytes)).unwrap_or_else(|mismatch| panic!("{mismatch}"));
});
