//! Any bytes are a cluster of shared hosts and commands: under version 3 nobody is passed.

#![no_main]

use locox_oracles::cluster::follow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let followed = follow(&locox_oracles::numbers(bytes));
    followed.unwrap_or_else(|mismatch| panic!("{mismatch}"));
});
