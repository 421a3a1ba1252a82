//! Any bytes are a ranking, stations and commands: every round must follow its model.

#![no_main]

use locox_oracles::fair::follow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    follow(&locox_oracles::numbers(bytes)).unwrap_or_else(|mismatch| panic!("{mismatch}"));
});
