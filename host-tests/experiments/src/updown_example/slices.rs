//! Time slices as a ranking: whoever has the processor yields it to whoever waits.

use locox::fair::{Demand, Fairness, Misuse, Reason, StationId};

/// At each interval all who hold a processor come after all who do not.
pub(super) struct TimeSlices {
    holds: Vec<bool>,
}

impl TimeSlices {
    pub(super) fn new(stations: usize) -> Self {
        Self { holds: vec![false; stations] }
    }
}

impl Fairness for TimeSlices {
    type Draw = ();

    fn update(&mut self, demand: &[Demand]) -> Result<(), Misuse> {
        self.check(demand.len())?;
        self.holds = demand.iter().map(|one| one.holds > 0).collect();
        Ok(())
    }

    fn key(&self, station: StationId) -> u32 {
        self.holds.get(station.0 as usize).map_or(u32::MAX, |&holds| holds.into())
    }

    fn preempts(&self) -> bool {
        true
    }

    fn reason(&self, _: StationId, _: Option<StationId>) -> Reason {
        Reason::Turn
    }
}
