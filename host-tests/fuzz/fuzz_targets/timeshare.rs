//! Any bytes are a table of levels by hosts and calls: under version 3 nobody is passed.

#![no_main]

use locox_oracles::timeshare::follow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    follow(&locox_oracles::numbers(bytes)).unwrap_or_else(|mismatch| panic!("{mismatch}"));
});
