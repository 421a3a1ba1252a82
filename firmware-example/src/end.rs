//! How programs end.

use core::panic::PanicInfo;
use semihosting::{println, process};

/// Ends the program, with status 0 if everything went as it must and 1 if not.
pub fn exit(outcome: Option<()>) -> ! {
    process::exit(i32::from(outcome.is_none()))
}

/// Says where a program panicked and ends it with status 1.
pub fn panicked(info: &PanicInfo<'_>) -> ! {
    println!("{info}");
    exit(None)
}

/// What the hardware cannot go on from.
pub(crate) fn fault() -> ! {
    println!("fault");
    exit(None)
}
