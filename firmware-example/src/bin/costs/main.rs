//! What the systems cost, as TOML: bytes of RAM, and of each call of each load how many instructions it
//! takes, which of the load's calls took most, how much stack, and at which addresses its code begins.
//!
//! Needs QEMU with `-icount shift=10`; `ci/costs` runs it. Counts are exact and the same in every
//! run. They are instructions, not cycles: wait states and pipelines are not modelled.

#![no_std]
#![no_main]

extern crate alloc;

mod memory;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use board::{Counter, SPARE, entry_of, println, stack_of};
use core::fmt::Debug;
use embedded_alloc::LlffHeap;
use locox_recorded::loads::{Load, Watch};

/// What loads lie in; gone after each.
#[global_allocator]
static HEAP: LlffHeap = LlffHeap::empty();

/// How far down the stack is painted, in bytes.
const PAINTED: usize = 8 * 1024;

#[board::entry]
fn main() -> ! {
    // SAFETY: once, and nobody else uses that memory.
    unsafe { HEAP.init(SPARE.start, SPARE.len()) };
    memory::print();
    let loads = |mut counter| Load::ALL.into_iter().try_for_each(|it| costs_of(it, &mut counter));
    board::exit(Counter::new().and_then(loads))
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    board::panicked(info)
}

/// What a call is, and whether it was refused.
type Kind = (&'static str, bool);

/// Not inlined, so that a debugger finds the beginning of a load.
#[inline(never)]
fn costs_of(load: Load, counter: &mut Counter) -> Option<()> {
    let mut counts = Counts { counter, calls: 0, seen: BTreeMap::new() };
    load.run(&mut counts)?;
    let mut depths = Depths(BTreeMap::new());
    load.run(&mut depths)?;
    println!("\n[{}]", load.name());
    for ((what, is_refused), mut counts) in counts.seen {
        counts.sort_unstable();
        let (median, _) = counts.get(counts.len() / 2)?;
        let (most, number) = counts.last()?;
        let refused = if is_refused { ", refused" } else { "" };
        let Depth { deepest, entries } = depths.0.get(&(what, is_refused))?;
        println!(
            "\"{what}{refused}\" = {{ median = {median}, most = {most}, number = {number}, \
             stack = {deepest}, entries = {entries:?} }}"
        );
    }
    Some(())
}

struct Counts<'c> {
    counter: &'c mut Counter,
    calls: u32,
    /// What each took, and its number in the load, from 1.
    seen: BTreeMap<Kind, Vec<(u64, u32)>>,
}

impl Watch for Counts<'_> {
    fn call<T: Debug, E: Debug>(
        &mut self,
        what: &'static str,
        call: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let (mut call, mut answer) = (Some(call), None);
        let count = self.counter.count(&mut || answer = call.take().map(|call| call()));
        let answer = answer.expect("it was called");
        self.calls += 1;
        self.seen.entry((what, answer.is_err())).or_default().push((count, self.calls));
        answer
    }
}

struct Depths(BTreeMap<Kind, Depth>);

/// How deep a call went, and where the code is that made it, from where `walk.py` goes on.
#[derive(Default)]
struct Depth {
    deepest: usize,
    entries: Vec<usize>,
}

impl Watch for Depths {
    fn call<T: Debug, E: Debug>(
        &mut self,
        what: &'static str,
        call: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let (mut call, mut answer) = (Some(call), None);
        let mut work = || answer = call.take().map(|call| call());
        let (depth, entry) = (stack_of(PAINTED, &mut work), entry_of(&work));
        let answer = answer.expect("it was called");
        let seen = self.0.entry((what, answer.is_err())).or_default();
        seen.deepest = depth.max(seen.deepest);
        if !seen.entries.contains(&entry) {
            seen.entries.push(entry);
        }
        answer
    }
}
