//! A pool of DMA buffers in a `static`: `main` takes buffers, an interrupt gives them back.
//!
//! `cargo run --release` runs it in QEMU and ends with 0 if the pool is whole again.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::cell::RefCell;
use cortex_m::peripheral::SCB;
use cortex_m_rt::{entry, exception};
use critical_section::Mutex;
use locox::bits::{BitSet, words_for};
use locox::cube::Dim;
use locox::handle::PoolId;
use locox::subcube::{Buddy, Lease, Pool, words};
use semihosting::process;
use static_cell::ConstStaticCell;

/// 2^6 = 64 buffers.
const BUFFERS: Dim = Dim::new(6).unwrap();
/// Of 256 bytes each.
const BYTES: usize = 256;
/// A message takes 2^2 = 4 of them, side by side.
const MESSAGE: Dim = Dim::new(2).unwrap();
const WORDS: usize = words::<Buddy>(BUFFERS.get());

/// The buffers, and which of them are free. All zeros, so both lie in `.bss` and take no flash.
static MEMORY: ConstStaticCell<[u8; 64 * BYTES]> = ConstStaticCell::new([0; 64 * BYTES]);
static STORAGE: ConstStaticCell<[usize; WORDS]> = ConstStaticCell::new([0; WORDS]);
/// `None` until `main` has made the pool.
static DMA: Mutex<RefCell<Option<Dma>>> = Mutex::new(RefCell::new(None));

struct Dma {
    pool: Pool<Buddy, &'static mut [usize]>,
    sending: Option<Lease>,
    /// Buffers with bytes that are yet to be sent.
    full: BitSet<[usize; words_for(64)]>,
}

#[entry]
fn main() -> ! {
    let pool = Pool::new(PoolId(1), BUFFERS, &mut STORAGE.take()[..]).unwrap();
    let full = BitSet::empty([0; words_for(64)], 64).unwrap();
    critical_section::with(|cs| DMA.replace(cs, Some(Dma { pool, sending: None, full })));

    let message = with_dma(|dma| dma.pool.allocate(MESSAGE)).unwrap();
    let first = message.cube().base().0;
    MEMORY.take()[first as usize * BYTES..][..4 * BYTES].fill(0x55);
    with_dma(|dma| {
        dma.full.insert_range(first, 4).unwrap();
        dma.sending = Some(message);
    });
    // A driver would give the controller these bytes; it interrupts once they are sent.
    SCB::set_pendsv();
    while with_dma(|dma| dma.sending.is_some()) {}

    // A view of the crate `bitvec`, for what a set has no method for.
    let is_sent = with_dma(|dma| dma.full.as_bitslice().chunks(4).all(|message| message.not_any()));
    let is_whole = with_dma(|dma| dma.pool.free() == 64 && dma.pool.release(message).is_err());
    process::exit(i32::from(!(is_whole && is_sent)));
}

/// In your program the interrupt of the DMA controller.
#[exception]
fn PendSV() {
    with_dma(|dma| {
        let Some(lease) = dma.sending.take() else { return };
        dma.full.remove_range(lease.cube().base().0, 4).unwrap();
        dma.pool.release(lease).unwrap();
    });
}

fn with_dma<R>(use_it: impl FnOnce(&mut Dma) -> R) -> R {
    critical_section::with(|cs| use_it(DMA.borrow_ref_mut(cs).as_mut().unwrap()))
}
