//! Any bytes are facts about a machine of a resource manager, and decisions.

#![no_main]

use locox_oracles::manager::follow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let followed = follow(&locox_oracles::numbers(bytes));
    followed.unwrap_or_else(|mismatch| panic!("{mismatch}"));
});
