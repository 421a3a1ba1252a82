//! Any bytes are nodes with quantities, wishes and commands: the pool must follow its model.

#![no_main]

use locox_oracles::nodes::follow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    follow(&locox_oracles::numbers(bytes)).unwrap_or_else(|mismatch| panic!("{mismatch}"));
});
