//! Recorded runs and loads, replayed by the code that replays them on hosts: prints the digest of
//! each. `ci/recorded` compares.

#![no_std]
#![no_main]

use board::{SPARE, println};
use embedded_alloc::LlffHeap;
use locox_recorded::loads::{Load, digest};
use locox_recorded::replay;

/// What the coordinators of a run lie in; gone after each.
#[global_allocator]
static HEAP: LlffHeap = LlffHeap::empty();

macro_rules! runs {
    ($($name:literal),+ $(,)?) => {
        [$((
            $name,
            include_bytes!(concat!("../../../host-tests/recorded/tests/corpus/", $name, ".run")).as_slice(),
        )),+]
    };
}

const RUNS: [(&str, &[u8]); 9] = runs![
    "cluster-first-level",
    "cluster-non-interfering",
    "random",
    "round-robin",
    "site",
    "site-learning",
    "timed-updown",
    "updown",
    "updown-recall",
];

#[board::entry]
fn main() -> ! {
    // SAFETY: once, and nobody else uses that memory.
    unsafe { HEAP.init(SPARE.start, SPARE.len()) };
    board::exit(runs().and_then(|()| loads()))
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    board::panicked(info)
}

fn runs() -> Option<()> {
    RUNS.into_iter().try_for_each(|(name, bytes)| {
        println!("{name}");
        match replay(bytes) {
            Ok(digest) => println!("{digest}"),
            Err(bad) => {
                println!("{bad}");
                return None;
            }
        }
        Some(())
    })
}

fn loads() -> Option<()> {
    Load::ALL.into_iter().try_for_each(|load| {
        println!("{} {:016x}", load.name(), digest(load)?);
        Some(())
    })
}
