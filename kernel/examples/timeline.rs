//! A reservation with a deadline, on PEs by name.

use locox::handle::PoolId;
use locox::reserve::{Fit, Limits, Lowest, Request, Timeline};
use locox::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits { pes: 64, reservations: 15 };
    let mut timeline = Timeline::new(PoolId(0), limits, vec![0; Timeline::words(limits)])?;
    let request =
        Request::new(Instant::ZERO, Duration::from_ticks(100), 48).by(Instant::from_ticks(150));
    let (id, placement) = timeline.reserve(&request, &Fit::First, &Lowest)?;
    println!("{id}: {placement} on {} PEs", request.pes);
    for pe in timeline.pes_of(id)?.iter() {
        print!("{pe} ");
    }
    println!();
    timeline.cancel(id)?;
    Ok(())
}
