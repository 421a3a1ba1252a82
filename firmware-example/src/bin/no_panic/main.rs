//! Links only if no public entry of the kernel can panic.
//!
//! The panic handler calls a function that exists nowhere; its name is the message. With the
//! release profile and LTO the handler stays out of the image as long as nothing reaches it.
//!
//! Each file names the public functions of one kernel module and keeps them as function pointers
//! behind [`core::hint::black_box`]: the compiler then has to emit each one on its own, for any
//! arguments at all, and can neither drop it nor prove its checks away from what a caller passes.
//! `ci/firmware` fails if a public function of the kernel is named nowhere here.

#![no_std]
#![no_main]

mod bits;
mod cluster;
mod coordinate;
mod cube;
mod denied;
mod dispatch;
mod fair;
mod handle;
mod mapping;
mod mesh;
mod node;
mod reserve;
mod site;
mod station;
mod subcube;
mod time;
mod timeshare;

/// Keeps functions in the image, each callable with any arguments.
macro_rules! keep {
    ($($function:expr),+ $(,)?) => {
        core::hint::black_box([$($function as *const ()),+]);
    };
}
pub(crate) use keep;

unsafe extern "C" {
    safe fn a_public_entry_of_the_kernel_can_panic() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    a_public_entry_of_the_kernel_can_panic()
}

#[board::entry]
fn main() -> ! {
    time::entries();
    handle::entries();
    denied::entries();
    bits::entries();
    coordinate::entries();
    cube::entries();
    subcube::entries();
    mesh::entries();
    reserve::entries();
    fair::entries();
    node::entries();
    station::entries();
    dispatch::entries();
    timeshare::entries();
    cluster::entries();
    site::entries();
    mapping::entries();
    #[cfg(feature = "canary")]
    keep![canary];
    loop {
        board::wait();
    }
}

#[cfg(feature = "canary")]
fn canary(words: &[usize], at: usize) -> usize {
    words[at]
}
