//! Any bytes are a network of workstations and commands, or a world: no job is lost or runs twice.

#![no_main]

use locox_oracles::station::follow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    follow(&locox_oracles::numbers(bytes)).unwrap_or_else(|mismatch| panic!("{mismatch}"));
});
