//! Any bytes are a small machine, a queue that promises places on it, and calls: each answer must be the model's.

#![no_main]

use locox_oracles::dispatch::promises::follow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    follow(&locox_oracles::numbers(bytes)).unwrap_or_else(|mismatch| panic!("{mismatch}"));
});
