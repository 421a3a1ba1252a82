//! What the test files share.

use locox::cube::Dim;
use locox_oracles::subcube::{Command, EVEN};
use proptest::test_runner::{Config, FileFailurePersistence, RngSeed, TestRunner};

pub(crate) fn dim(dim: u8) -> Dim {
    Dim::new(dim).unwrap()
}

/// The same cases at each run; failures are written to a file that is committed and tried first.
pub(crate) fn runner(suite: &str, cases: u32) -> TestRunner {
    let regressions = format!("proptest-regressions/{suite}.txt");
    TestRunner::new(Config {
        cases,
        max_shrink_iters: 5000,
        rng_seed: RngSeed::Fixed(0x10C0),
        // The path is kept for the whole run anyway.
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(regressions.leak()))),
        ..Config::default()
    })
}

/// The same commands for everybody, of all kinds.
pub(crate) fn commands(dims: Dim, count: u64) -> impl Iterator<Item = Command> {
    // Steps of the golden ratio visit all remainders evenly; the second factor mixes high and low.
    let number = |at: u64| at.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31);
    let mixed = move |at: u64| number(at).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (1..=count).map(move |at| Command::decode(dims, mixed(at), &EVEN))
}
