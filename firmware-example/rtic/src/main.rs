//! A pool of DMA buffers under RTIC: `idle` takes and releases buffers, and an interrupt says which were sent.
//!
//! `cargo run --release` runs it in QEMU and ends with 0 if the pool is whole again.

#![no_std]
#![no_main]

use semihosting as _; // its panic handler

#[rtic::app(device = lm3s6965, peripherals = false)]
mod app {
    use heapless::spsc::{Consumer, Producer, Queue};
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

    /// Messages that may be under way: one place of a queue stays free.
    const MESSAGES: usize = 16;

    #[shared]
    struct Shared {}

    /// `idle` alone has the pool, so nothing is locked. One queue leads to the interrupt, the other one back.
    #[local]
    struct Local {
        pool: Pool<Buddy, &'static mut [usize]>,
        send: Producer<'static, Lease>,
        sending: Consumer<'static, Lease>,
        finish: Producer<'static, Lease>,
        finished: Consumer<'static, Lease>,
    }

    /// `books`, those of the pool, and the queues are statics of zeros: they lie in `.bss` and take no flash.
    #[init(local = [
        books: [usize; WORDS] = [0; WORDS],
        there: Queue<Lease, { MESSAGES + 1 }> = Queue::new(),
        back: Queue<Lease, { MESSAGES + 1 }> = Queue::new(),
    ])]
    fn init(cx: init::Context) -> (Shared, Local) {
        let pool = Pool::new(PoolId(1), BUFFERS, &mut cx.local.books[..]).unwrap();
        let (send, sending) = cx.local.there.split();
        let (finish, finished) = cx.local.back.split();
        (Shared {}, Local { pool, send, sending, finish, finished })
    }

    #[idle(local = [pool, send, finished])]
    fn idle(cx: idle::Context) -> ! {
        let idle::LocalResources { pool, send, finished, .. } = cx.local;
        let message = pool.allocate(MESSAGE).unwrap();
        send.enqueue(message).unwrap();
        // In your program the DMA controller raises its interrupt, once the message is sent.
        rtic::pend(Interrupt::UART0);
        let sent = loop {
            if let Some(lease) = finished.dequeue() {
                break lease;
            }
        };

        let is_whole = pool.release(sent).is_ok() && pool.free() == 64;
        process::exit(i32::from(!is_whole));
    }

    /// All 64 buffers are 16 messages, so the queue back has room for each.
    #[task(binds = UART0, local = [sending, finish])]
    fn sent(cx: sent::Context) {
        while let Some(lease) = cx.local.sending.dequeue() {
            cx.local.finish.enqueue(lease).unwrap();
        }
    }
}
