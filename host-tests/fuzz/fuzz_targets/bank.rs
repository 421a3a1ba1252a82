//! Any bytes on the serial line of a bank, bare or as frames: each request is answered once.

#![no_main]

#[path = "../../../bank/tests/any/follow.rs"]
mod follow;

use follow::{dressed, follow};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Half of the inputs as they come; of the others pieces are dressed as frames.
    let counts = match bytes.split_first() {
        Some((0..0x80, rest)) => follow(rest),
        _ => follow(&dressed(bytes)),
    };
    assert!(counts.faults + counts.error <= counts.answers, "{counts:?}");
});
