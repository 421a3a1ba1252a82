//! Which mutant is on: the one that the environment names. Only in the copy of the kernel that `ci/deep/mutants` makes.

extern crate std;

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::io::Write;

/// Not asked yet, none, and none but each is noted when it is reached for the first time.
const UNKNOWN: u32 = u32::MAX;
const NONE: u32 = u32::MAX - 1;
const NOTED: u32 = u32::MAX - 2;

static ACTIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

/// Whether this mutant is on. While the kernel is compiled none is.
#[inline(always)]
pub const fn on(number: u32) -> bool {
    const fn never(_: u32) -> bool {
        false
    }
    core::intrinsics::const_eval_select((number,), never, at_run_time)
}

#[inline(always)]
fn at_run_time(number: u32) -> bool {
    let active = ACTIVE.load(Relaxed);
    active == number || active != NONE && active >= NOTED && noted(number)
}

#[cold]
#[inline(never)]
fn noted(number: u32) -> bool {
    if ACTIVE.load(Relaxed) == UNKNOWN {
        let told = std::env::var("LOCOX_MUTANT").ok().and_then(|it| it.parse().ok());
        let noted = std::env::var_os("LOCOX_MUTANTS_REACHED").is_some();
        ACTIVE.store(told.unwrap_or(if noted { NOTED } else { NONE }), Relaxed);
    }
    if ACTIVE.load(Relaxed) == NOTED && !REACHED[number as usize].swap(true, Relaxed) {
        let file = std::env::var_os("LOCOX_MUTANTS_REACHED").expect("it was there");
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file).expect("a file");
        writeln!(file, "{number}").expect("room in the file");
    }
    ACTIVE.load(Relaxed) == number
}

/// What a function returns as `impl Iterator`, and nothing of it while the mutant is on.
#[derive(Clone)]
pub struct Gate<I> {
    inner: I,
    shut: bool,
}

pub fn gate<I>(number: u32, inner: I) -> Gate<I> {
    Gate { inner, shut: on(number) }
}

impl<I: Iterator> Iterator for Gate<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.shut { None } else { self.inner.next() }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.shut { (0, Some(0)) } else { self.inner.size_hint() }
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Gate<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        if self.shut { None } else { self.inner.next_back() }
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Gate<I> {}
impl<I: core::iter::FusedIterator> core::iter::FusedIterator for Gate<I> {}
