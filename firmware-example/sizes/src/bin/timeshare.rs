//! The table of 64 hosts with four levels, and 32 jobs.

#![no_std]
#![no_main]

use locox::timeshare::{Arrays, Columns, words};

type Rows = Arrays<{ 64 * 4 }, 64, 32, { words(64, 4) }>;

sizes::program! {
    Rows = Rows::EMPTY,
    |it: &'static mut Rows| sizes::timeshare(Columns {
        entries: &mut it.entries,
        hosts: &mut it.hosts,
        jobs: &mut it.jobs,
        words: &mut it.words,
    })
}
