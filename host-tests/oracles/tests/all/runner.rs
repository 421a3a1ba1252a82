//! What the tests of all systems share.

use locox_oracles::Mismatch;
use proptest::prelude::TestCaseError;
use proptest::test_runner::{Config, FileFailurePersistence, RngSeed, TestRunner};

/// The same cases at each run, `LOCOX_TIMES` times as many as asked for if that is in the
/// environment; failures are written to a file that is committed and tried first.
pub(crate) fn runner(suite: &str, cases: u32) -> TestRunner {
    let cases = cases * times() as u32;
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

/// How many times as many cases are asked for.
pub(crate) fn times() -> u64 {
    let told = std::env::var("LOCOX_TIMES");
    told.map_or(1, |times| times.parse().expect("LOCOX_TIMES is a number"))
}

/// A mismatch fails a test case.
pub(crate) fn follows<T>(run: Result<T, Mismatch>) -> Result<(), TestCaseError> {
    run.map(|_| ()).map_err(|mismatch| TestCaseError::fail(mismatch.to_string()))
}
