use crate::{now, read, tell};
use core::hint::black_box;
use locox::fair::{DecayParams, Demand, Fairness, StationId, TimedRow, TimedUpDown};
use locox::time::Duration;

/// Up-Down by itself.
pub fn fair(rows: &'static mut [TimedRow]) -> Option<()> {
    let mut ranking =
        TimedUpDown::new(rows, DecayParams::standard(Duration::from_ticks(60))).ok()?;
    let ranking = black_box(&mut ranking);
    loop {
        match read() {
            0 => ranking.advance(now()),
            1 => {
                let demand = Demand { wants: read() as u16, holds: read() as u16 };
                ranking.note(StationId(read()), demand);
            }
            2 => tell(&ranking.next_claimant()),
            _ => tell(&ranking.exchange()),
        }
    }
}
