//! A pool of DMA buffers under embassy: a task takes buffers and waits until an interrupt has given them back.
//!
//! `cargo run --release` runs it in QEMU and ends with 0 if the pool is whole again.

#![no_std]
#![no_main]

use core::cell::RefCell;
use cortex_m::peripheral::SCB;
use cortex_m_rt::exception;
use embassy_executor::Spawner;
use embassy_sync::blocking_mutex::CriticalSectionMutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use locox::cube::Dim;
use locox::handle::PoolId;
use locox::subcube::{Buddy, Lease, Pool, words};
use semihosting::process;
use static_cell::ConstStaticCell;

/// 2^6 = 64 buffers.
const BUFFERS: Dim = Dim::new(6).unwrap();
/// A message takes 2^2 = 4 of them, side by side.
const MESSAGE: Dim = Dim::new(2).unwrap();
const WORDS: usize = words::<Buddy>(BUFFERS.get());

/// The books of the pool. All zeros, so they lie in `.bss` and take no flash.
static BOOKS: ConstStaticCell<[usize; WORDS]> = ConstStaticCell::new([0; WORDS]);
/// `None` until `main` has made it.
static DMA: CriticalSectionMutex<RefCell<Option<Dma>>> =
    CriticalSectionMutex::new(RefCell::new(None));
static SENT: Signal<CriticalSectionRawMutex, ()> = Signal::new();

struct Dma {
    pool: Pool<Buddy, &'static mut [usize]>,
    sending: Option<Lease>,
}

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let pool = Pool::new(PoolId(1), BUFFERS, &mut BOOKS.take()[..]).unwrap();
    DMA.lock(|dma| dma.replace(Some(Dma { pool, sending: None })));

    let message = with_dma(|dma| dma.pool.allocate(MESSAGE)).unwrap();
    with_dma(|dma| dma.sending = Some(message));
    // In your program the DMA controller raises its interrupt, once the message is sent.
    SCB::set_pendsv();
    SENT.wait().await;

    let is_whole = with_dma(|dma| dma.pool.free() == 64 && dma.pool.release(message).is_err());
    process::exit(i32::from(!is_whole));
}

/// In your program the interrupt of the DMA controller.
#[exception]
fn PendSV() {
    with_dma(|dma| dma.sending.take().map(|lease| dma.pool.release(lease)));
    SENT.signal(());
}

fn with_dma<R>(use_it: impl FnOnce(&mut Dma) -> R) -> R {
    DMA.lock(|dma| use_it(dma.borrow_mut().as_mut().unwrap()))
}
