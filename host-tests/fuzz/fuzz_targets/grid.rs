//! Any bytes are a machine of lines and rings, a placement, steps and commands: the pool must follow its
//! model.

#![no_main]

use locox_oracles::grid::follow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    follow(&locox_oracles::numbers(bytes)).unwrap_or_else(|mismatch| panic!("{mismatch}"));
});
