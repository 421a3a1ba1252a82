//! Any bytes are a machine, a strategy and commands: the pool of meshes must follow its model.

#![no_main]

use locox_oracles::mesh::follow;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    follow(&locox_oracles::numbers(bytes)).unwrap_or_else(|mismatch| panic!("{mismatch}"));
});
