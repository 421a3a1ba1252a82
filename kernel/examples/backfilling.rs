//! Conservative backfilling on a machine of eight PEs, and a job with a deadline among the others.
//!
//! `cargo run -p locox --example backfilling`

use locox::dispatch::{Backfill, Entry, Job, Queue, Ticket};
use locox::handle::PoolId;
use locox::reserve::Request;
use locox::time::{Duration, Instant};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (at, ticks) = (Instant::from_ticks, Duration::from_ticks);
    let words = vec![0; Backfill::words(8, 16)];
    let mut queue = Backfill::conservative(PoolId(0), 8, words, vec![Entry::EMPTY; 16])?;

    // Number, PEs, requested time. The second has to wait for the first; others may overtake them as
    // long as neither starts later for that.
    for (id, pes, requested) in [(1, 6, 20), (2, 8, 10), (3, 2, 25), (4, 2, 20)] {
        queue.push(at(0), Job::new(id, pes).within(ticks(requested)))?;
    }
    let request = Request::new(at(15), ticks(10), 4).by(at(60));
    let (_, promised) = queue.reserve(at(0), 5, &request)?;
    println!("job 5 will run from {} to {}", promised.start.ticks(), promised.end.ticks());
    let all = Request::new(at(15), ticks(10), 8).by(at(30));
    if let Err(error) = queue.reserve(at(0), 6, &all) {
        println!("job 6: {error}");
    }

    // All jobs take as long as they requested. `running`: when each ends.
    let mut running: Vec<(Instant, Ticket)> = vec![];
    let mut now = at(0);
    loop {
        // A real machine may say no here: then the job waits on.
        while let Some((ticket, job)) = queue.next(now, &mut |_| true) {
            println!("{:>3}: {job} starts", now.ticks());
            running.push((now.saturating_add(job.requested), ticket));
        }
        running.sort_by_key(|&(end, _)| end);
        let end = running.first().map(|&(end, _)| end);
        let Some(next) = end.into_iter().chain(queue.wake_at()).min() else { return Ok(()) };
        now = next;
        if end == Some(now) {
            let (_, ticket) = running.remove(0);
            println!("{:>3}: {} ends", now.ticks(), queue.finished(now, ticket)?);
        }
    }
}
