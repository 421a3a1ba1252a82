use crate::{now, read, tell, time};
use core::hint::black_box;
use locox::bits::Word;
use locox::dispatch::{Backfill, Entry, Fcfs, Job, Ordered, Patience, Queue, Rule, Slot};
use locox::handle::PoolId;

/// First come, first served.
pub fn fcfs(slots: &'static mut [Slot]) -> Option<()> {
    run(black_box(&mut Ordered::new(PoolId(1), Fcfs, Patience::of(8), slots)))
}

/// Jobs in front of 64 PEs under a rule of backfilling.
pub fn backfill<R: Rule>(
    rule: R,
    (words, entries): (&'static mut [Word], &'static mut [Entry]),
) -> Option<()> {
    run(black_box(&mut Backfill::new(PoolId(1), rule, 64, words, entries).ok()?))
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
