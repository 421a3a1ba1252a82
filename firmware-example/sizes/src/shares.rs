use crate::{now, read, tell};
use core::hint::black_box;
use locox::fair::{
    Condor, DecayParams, Demand, Fairness, ScheduleIndex, StationId, TimedRow, TimedUpDown, UpDown,
};
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

/// The printed table by itself: an interval's demand, and who is served first.
pub fn up_down(table: &'static mut [ScheduleIndex]) -> Option<()> {
    let mut ranking = UpDown::new(table, Condor::default());
    let ranking = black_box(&mut ranking);
    let mut demand = [Demand::default(); 64];
    loop {
        for one in &mut demand {
            *one = Demand { wants: read() as u16, holds: read() as u16 };
        }
        tell(&ranking.update(&demand));
        tell(&ranking.first_of((0..64).map(StationId).filter(|_| read() != 0)));
    }
}
