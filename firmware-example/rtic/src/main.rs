//! A pool of DMA buffers under RTIC: `idle` takes buffers, an interrupt gives them back.
//!
//! `cargo run --release` runs it in QEMU and ends with 0 if the pool is whole again.

#![no_std]
#![no_main]

use semihosting as _; // its panic handler

#[rtic::app(device = lm3s6965, peripherals = false)]
mod app {
    use lm3s6965::Interrupt;
    use locox::cube::Dim;
    use locox::handle::PoolId;
    use locox::subcube::{Buddy, Lease, Pool, words};
    use semihosting::process;

    /// 2^6 = 64 buffers.
    const BUFFERS: Dim = Dim::new(6).unwrap();
    /// A message takes 2^2 = 4 of them, side by side.
    const MESSAGE: Dim = Dim::new(2).unwrap();
    const WORDS: usize = words::<Buddy>(BUFFERS.get());

    #[shared]
    struct Shared {
        pool: Pool<Buddy, &'static mut [usize]>,
        sending: Option<Lease>,
    }

    #[local]
    struct Local {}

    /// `books`, those of the pool, is a static of zeros: it lies in `.bss` and takes no flash.
    #[init(local = [books: [usize; WORDS] = [0; WORDS]])]
    fn init(cx: init::Context) -> (Shared, Local) {
        let pool = Pool::new(PoolId(1), BUFFERS, &mut cx.local.books[..]).unwrap();
        (Shared { pool, sending: None }, Local {})
    }

    #[idle(shared = [pool, sending])]
    fn idle(mut cx: idle::Context) -> ! {
        let message = cx.shared.pool.lock(|pool| pool.allocate(MESSAGE)).unwrap();
        cx.shared.sending.lock(|sending| *sending = Some(message));
        // In your program the DMA controller raises its interrupt, once the message is sent.
        rtic::pend(Interrupt::UART0);
        while cx.shared.sending.lock(|sending| sending.is_some()) {}

        let is_whole =
            cx.shared.pool.lock(|pool| pool.free() == 64 && pool.release(message).is_err());
        process::exit(i32::from(!is_whole));
    }

    #[task(binds = UART0, shared = [pool, sending])]
    fn sent(cx: sent::Context) {
        let mut shared = (cx.shared.pool, cx.shared.sending);
        shared.lock(|pool, sending| sending.take().map(|lease| pool.release(lease)));
    }
}
