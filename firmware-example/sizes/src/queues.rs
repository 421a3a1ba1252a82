use crate::{now, read, tell, time};
use core::hint::black_box;
use locox::dispatch::{Fcfs, Job, Ordered, Patience, Queue, Slot};
use locox::handle::PoolId;

/// First come, first served.
pub fn fcfs(slots: &'static mut [Slot]) -> Option<()> {
    run(black_box(&mut Ordered::new(PoolId(1), slots, Fcfs, Patience::of(8))))
}

/// A queue that plans by requested times.
pub fn backfill(mut queue: impl Queue) -> Option<()> {
    run(black_box(&mut queue))
}

fn run(queue: &mut impl Queue) -> Option<()> {
    let mut last = None;
    loop {
        match read() {
            0 => {
                last = queue.push(now(), Job::new(read(), read()).within(time())).ok();
                tell(&last);
            }
            1 => tell(&queue.next(now(), &mut |job| {
                tell(&job);
                read() != 0
            })),
            2 => tell(&queue.finished(now(), (*black_box(&last))?)),
            _ => tell(&queue.cancel(now(), (*black_box(&last))?)),
        }
    }
}
