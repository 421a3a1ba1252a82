//! Programs that hold one system each, with its storage in a `static` of zeros, and make calls as a
//! register says, with what it says: so the compiler can foresee neither the calls nor their
//! arguments, and nothing of a call is folded away. `ci/sizes` builds them and counts their bytes.
//!
//! They run on nothing: there is no start-up code and no vector table, and panics end in a loop. What
//! is counted is the system, the calls, and what of the compiler's library these need.

#![no_std]

mod banks;
mod boxes;
mod coordinators;
mod driver;
mod managers;
mod meshes;
mod node;
mod pools;
mod quantities;
mod queues;
mod reservations;
mod shares;
mod tables;

pub use banks::bank;
pub use boxes::{TORUS, TORUS_WORDS, grid, grid_with_plans, slices};
pub use coordinators::{Rows, cluster, site, station, station_with_images};
pub use driver::{Driver, node_driver};
pub use managers::{ManagerRows, manager};
pub use meshes::{mesh, mesh_with_stats};
pub use node::node;
pub use pools::{pool, pool_with_stats};
pub use quantities::{NodeRows, nodes, nodes_making_room};
pub use queues::{backfill, fcfs};
pub use reservations::{profile, timeline};
pub use shares::{fair, up_down};
pub use tables::timeshare;

use core::hint::black_box;
use core::ptr::{read_volatile, write_volatile};
use locox::time::{Duration, Instant};

/// Some register of a microcontroller.
const REGISTER: *mut u32 = 0x4000_0000 as *mut u32;

/// What comes from outside.
fn read() -> u32 {
    // SAFETY: nothing of the program lies there.
    unsafe { read_volatile(REGISTER) }
}

fn write(word: u32) {
    // SAFETY: as above.
    unsafe { write_volatile(REGISTER, word) }
}

fn now() -> Instant {
    Instant::from_ticks(ticks())
}

fn time() -> Duration {
    Duration::from_ticks(ticks())
}

fn ticks() -> u64 {
    u64::from(read()) | u64::from(read()) << 32
}

/// All of an answer is of use to somebody.
fn tell<T>(answer: &T) {
    black_box(answer);
}

/// Ends a program.
pub fn halt() -> ! {
    loop {
        write(0);
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    halt()
}

/// A program: what lies in its static, and what is done with that.
#[macro_export]
macro_rules! program {
    ($static:ty = $zeros:expr, $run:expr) => {
        #[unsafe(no_mangle)]
        extern "C" fn _start() -> ! {
            static mut ROWS: $static = $zeros;
            // SAFETY: the program begins once.
            $run(unsafe { &mut *(&raw mut ROWS) });
            $crate::halt()
        }
    };
}
