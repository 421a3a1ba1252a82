//! The controller of a processor bank, driven by a serial line.
//!
//! The first serial line has commands and answers (`help` in a terminal, or frames), the second one
//! has logs of `defmt`. The clock ticks each millisecond, until somebody says what time it is. The
//! journal lies in what stands for a flash: memory that outlives a reset. `ci/bank` drives it.

#![no_std]
#![no_main]

mod clock;
mod controller;
mod log;
mod owners;
mod watch;

use controller::Controller;
use core::cell::Cell;
use core::panic::PanicInfo;
use locox_bank::Rows;
use locox_storage::Nor;
use static_cell::ConstStaticCell;

static ROWS: ConstStaticCell<Rows> = ConstStaticCell::new(Rows::EMPTY);

#[board::entry]
fn main() -> ! {
    board::exit(run())
}

/// Ends only if something is missing to begin with.
fn run() -> Option<()> {
    let line = board::Serial::open(0)?;
    board::on_raise(owners::sample);
    owners::sample();
    board::every(clock::PERIOD, tick)?;
    let (rows, cells, left) = (ROWS.try_take()?, board::kept()?, Cell::new(Nor::FOR_EVER));
    let mut controller = Controller::start(line, rows, cells, &left)?;
    loop {
        controller.turn();
        board::wait();
    }
}

fn tick() {
    clock::tick();
    watch::tick();
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    board::panicked(info)
}
