//! Any bytes are a timeline and calls of it: each answer must be the model's.

#![no_main]

use locox_oracles::reserve::follow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    follow(&locox_oracles::numbers(bytes)).unwrap_or_else(|mismatch| panic!("{mismatch}"));
});
