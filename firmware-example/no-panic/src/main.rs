//! Every public function of the kernel in one image, to see that none can panic, on any target
//! without a system; with all features also of what firmware has over it, its journal and the bank.
//! Nothing runs.
//!
//! The panic handler calls a function that exists nowhere. As long as nothing reaches the handler the
//! linker leaves it out, and nothing in the image refers to that function. `ENTRIES` points to every
//! public function, so each is emitted on its own, for any arguments at all, and none of its checks
//! can be proved away from what a caller passes.
//!
//! `ci/no-panic` writes the entries (`entries.py`, from what rustdoc says of the crates), links, judges
//! the image (`image.py`), and shows that all this sees a panic (`canary.py`).

#![no_std]
#![no_main]

mod doubles;
#[cfg(feature = "all")]
mod formats;
#[cfg(feature = "all")]
mod medium;

use core::hint::black_box;

unsafe extern "C" {
    safe fn a_public_entry_can_panic() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    a_public_entry_can_panic()
}

/// Where the linker starts to look.
#[unsafe(no_mangle)]
extern "C" fn _start() {
    black_box(&ENTRIES);
}

/// The address of a function that is kept.
#[repr(transparent)]
struct Entry(*const ());

// Nobody calls through it.
unsafe impl Sync for Entry {}

/// A function as it is, where an argument's type is up to the caller and is given here.
const fn of_1<A, R>(function: fn(A) -> R) -> Entry {
    Entry(function as *const ())
}

const fn of_2<A, B, R>(function: fn(A, B) -> R) -> Entry {
    Entry(function as *const ())
}

const fn of_3<A, B, C, R>(function: fn(A, B, C) -> R) -> Entry {
    Entry(function as *const ())
}

const fn of_4<A, B, C, D, R>(function: fn(A, B, C, D) -> R) -> Entry {
    Entry(function as *const ())
}

const fn of_5<A, B, C, D, E, R>(function: fn(A, B, C, D, E) -> R) -> Entry {
    Entry(function as *const ())
}

const fn of_6<A, B, C, D, E, F, R>(function: fn(A, B, C, D, E, F) -> R) -> Entry {
    Entry(function as *const ())
}

const fn of_7<A, B, C, D, E, F, G, R>(function: fn(A, B, C, D, E, F, G) -> R) -> Entry {
    Entry(function as *const ())
}

/// A function whose iterator has no name: called, and the iterator run to its end.
const fn each_0<I: Iterator, F: Fn() -> I + Copy>(_: F) -> Entry {
    fn run<I: Iterator, F: Fn() -> I>(function: F) {
        function().for_each(|item| drop(black_box(item)));
    }
    Entry(run::<I, F> as fn(F) as *const ())
}

const fn each_1<A, I: Iterator, F: Fn(A) -> I + Copy>(_: F) -> Entry {
    fn run<A, I: Iterator, F: Fn(A) -> I>(function: F, a: A) {
        function(a).for_each(|item| drop(black_box(item)));
    }
    Entry(run::<A, I, F> as fn(F, A) as *const ())
}

const fn each_2<A, B, I: Iterator, F: Fn(A, B) -> I + Copy>(_: F) -> Entry {
    fn run<A, B, I: Iterator, F: Fn(A, B) -> I>(function: F, a: A, b: B) {
        function(a, b).for_each(|item| drop(black_box(item)));
    }
    Entry(run::<A, B, I, F> as fn(F, A, B) as *const ())
}

const fn each_3<A, B, C, I: Iterator, F: Fn(A, B, C) -> I + Copy>(_: F) -> Entry {
    fn run<A, B, C, I: Iterator, F: Fn(A, B, C) -> I>(function: F, a: A, b: B, c: C) {
        function(a, b, c).for_each(|item| drop(black_box(item)));
    }
    Entry(run::<A, B, C, I, F> as fn(F, A, B, C) as *const ())
}

const fn each_4<A, B, C, D, I: Iterator, F: Fn(A, B, C, D) -> I + Copy>(_: F) -> Entry {
    fn run<A, B, C, D, I: Iterator, F: Fn(A, B, C, D) -> I>(f: F, a: A, b: B, c: C, d: D) {
        f(a, b, c, d).for_each(|item| drop(black_box(item)));
    }
    Entry(run::<A, B, C, D, I, F> as fn(F, A, B, C, D) as *const ())
}

/// The same from its end.
const fn back_1<A, I: DoubleEndedIterator, F: Fn(A) -> I + Copy>(_: F) -> Entry {
    fn run<A, I: DoubleEndedIterator, F: Fn(A) -> I>(function: F, a: A) {
        function(a).rev().for_each(|item| drop(black_box(item)));
    }
    Entry(run::<A, I, F> as fn(F, A) as *const ())
}

include!(env!("NO_PANIC_ENTRIES"));
