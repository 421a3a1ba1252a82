//! Up-Down by elapsed time, by looking at every station at every decision.
//!
//! Each station's index is kept as it was when its rate last changed; factors are worked out anew,
//! root by root, whenever one is needed.

use super::{Ranking, Rule};
use crate::mismatch::equal;
use locox::fair::{
    DecayParams, Decision, Demand, Reason, ScheduleIndex, StationId, TimedRow, TimedUpDown,
};
use locox::time::Instant;

const ONE: u128 = 1 << 62;
/// 1 / ln 2 in units of 2^-40.
const STEADY: i64 = 1_586_259_972_792;

/// Stations with what they hold and want, and since when.
#[derive(Clone, Debug)]
pub struct Timed {
    pace: DecayParams,
    now: u64,
    stations: Vec<Station>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Station {
    demand: Demand,
    /// Its weight, less one.
    extra: u16,
    /// From what the index tends to, times 2 to the part of a half-life that had passed.
    distance: i64,
    halvings: u64,
}

/// Whole halvings, and the factor of the rest, upwards and downwards.
struct Scale(u64, u128, u128);

impl Timed {
    /// So many stations of weight 1 that never had anything.
    pub fn new(stations: usize, pace: DecayParams) -> Self {
        Self { pace, now: 0, stations: vec![Station::default(); stations] }
    }

    fn scale(&self, ahead: u64) -> Scale {
        let life = u128::from(self.pace.half_life.ticks());
        let parts = (u128::from(self.now + ahead) << 32) / life;
        let factor = |base: u128| {
            (1..=32).fold((base, ONE), |(power, factor), digit| {
                let root = (power << 62).isqrt();
                let on = parts >> (32 - digit) & 1 == 1;
                (root, if on { (factor * root) >> 62 } else { factor })
            })
        };
        Scale((parts >> 32) as u64, factor(ONE << 1).1, factor(ONE >> 1).1)
    }

    fn ahead(&self) -> Scale {
        self.scale(self.pace.quantum.ticks())
    }

    fn set(&mut self, station: usize, demand: Demand, extra: u16) {
        let scale = self.scale(0);
        let one = &mut self.stations[station];
        let (before, after) = (one.target(), Station { demand, extra, ..*one });
        if before != after.target() {
            one.distance = times(one.index(&scale) - after.target(), scale.1);
            one.halvings = scale.0;
        }
        (one.demand, one.extra) = (demand, extra);
    }

    /// The first of its rate: no other comes before it, whatever the time.
    fn leads(&self, station: usize, wants: bool, among: &[usize]) -> bool {
        let this = &self.stations[station];
        among.iter().filter(|&&other| other != station).all(|&other| {
            let that = &self.stations[other];
            let alike = that.rate() == this.rate();
            let order = this.scaled_beside(that).cmp(&that.scaled_beside(this));
            let order = if wants { order } else { order.reverse() };
            !alike || order.then(station.cmp(&other)).is_lt()
        })
    }

    fn leaders(&self, wants: bool) -> Vec<usize> {
        let is_in = |&station: &usize| {
            let demand = self.stations[station].demand;
            if wants { demand.wants > 0 } else { demand.holds > 0 }
        };
        let among: Vec<usize> = (0..self.stations.len()).filter(is_in).collect();
        among.iter().copied().filter(|&station| self.leads(station, wants, &among)).collect()
    }

    /// Where the index of a station is a quantum from now if it has another demand until then.
    fn after(&self, station: usize, demand: Demand) -> i64 {
        let mut other = self.clone();
        let Station { extra, .. } = self.stations[station];
        let target_now = self.stations[station].target();
        other.set(station, demand, extra);
        if target_now == other.stations[station].target() {
            // The kernel goes by the index of now here as well.
            let scale = self.scale(0);
            let one = &mut other.stations[station];
            one.distance = times(one.index(&scale) - target_now, scale.1);
            one.halvings = scale.0;
        }
        other.stations[station].index(&other.ahead())
    }

    fn grant(&self) -> Option<Decision> {
        let ahead = self.ahead();
        let index = |station: usize| self.stations[station].index(&ahead);
        let to = self.leaders(true).into_iter().min_by_key(|&it| (index(it), it))?;
        let reason = Reason::BestIndex(shown(index(to)));
        Some(Decision::Grant { to: StationId(to as u32), reason })
    }

    fn preempt(&self) -> Option<Decision> {
        let ahead = self.ahead();
        let index = |station: usize| self.stations[station].index(&ahead);
        let to = self.leaders(true).into_iter().find(|&it| self.stations[it].demand.holds == 0)?;
        let from = self.leaders(false).into_iter().min_by_key(|&it| (-index(it), it))?;
        let low = self.after(to, Demand { wants: 0, holds: 1 });
        let yields = self.stations[from].demand;
        let high = self.after(from, Demand { wants: 1, holds: yields.holds - 1 });
        let reason = Reason::BetterIndex { to: shown(low), from: shown(high) };
        let [from, to] = [from, to].map(|it| StationId(it as u32));
        (low < high).then_some(Decision::Preempt { from, to, reason })
    }

    /// A station holds one more, or one less.
    fn moves(&mut self, station: StationId, by: i32) {
        let station = station.0 as usize;
        let Station { demand: Demand { wants, holds }, extra, .. } = self.stations[station];
        let holds = (i32::from(holds) + by) as u16;
        let wants = (i32::from(wants) - by).min(u16::MAX.into()) as u16;
        self.set(station, Demand { wants, holds }, extra);
    }
}

impl Station {
    fn index(&self, scale: &Scale) -> i64 {
        let halved = (scale.0 - self.halvings).min(63);
        self.target() + times(self.distance >> halved, scale.2)
    }

    /// What its index tends to.
    fn target(&self) -> i64 {
        match self.demand {
            Demand { holds: 0, wants: 0 } => 0,
            Demand { holds: 0, .. } => -STEADY,
            Demand { holds, .. } => STEADY * i64::from(holds) / (i64::from(self.extra) + 1),
        }
    }

    /// What its index tends to, and how that came to be.
    fn rate(&self) -> (i64, u16) {
        (self.target(), if self.demand.holds == 0 { 0 } else { self.extra })
    }

    /// The distance in the scale of the older one of the two.
    fn scaled_beside(&self, other: &Self) -> i128 {
        let doubled = self.halvings.saturating_sub(other.halvings).min(64);
        i128::from(self.distance) << doubled
    }
}

fn times(distance: i64, factor: u128) -> i64 {
    let exact = i128::from(distance) * factor as i128;
    ((exact + (1 << 61)) >> 62) as i64
}

fn shown(index: i64) -> ScheduleIndex {
    ScheduleIndex::from_bits((index >> 32) as i32)
}

impl Ranking for Timed {
    const KEEPS_ORDER: bool = true;
    const HAS_WEIGHTS: bool = true;

    fn weigh(&mut self, station: usize, weight: u16) {
        self.set(station, self.stations[station].demand, weight - 1);
    }

    fn advance(&mut self, now: Instant) {
        self.now = now.ticks();
    }

    fn update(&mut self, demand: &[Demand]) {
        for (station, &one) in demand.iter().enumerate() {
            self.set(station, one, self.stations[station].extra);
        }
    }

    fn next(&mut self, free: u32) -> Option<Decision> {
        let decision = if free > 0 { self.grant() } else { self.preempt() }?;
        // The kernel counts with what it decides before it is told what came of it.
        match decision {
            Decision::Grant { to, .. } => self.moves(to, 1),
            Decision::Preempt { from, to, .. } => {
                self.moves(from, -1);
                self.moves(to, 1);
            }
        }
        Some(decision)
    }

    fn round(&mut self, demand: &[Demand], mut free: u32, _: u32, most: usize) -> Vec<Decision> {
        self.update(demand);
        let mut list = vec![];
        while list.len() < most
            && let Some(decision) = self.next(free)
        {
            free = free.saturating_sub(1);
            list.push(decision);
        }
        list
    }
}

impl<S: AsRef<[TimedRow]> + AsMut<[TimedRow]>> Rule<TimedUpDown<S>> for Timed {
    fn compare(&self, fair: &TimedUpDown<S>) -> Result<(), String> {
        equal("invariants", fair.check_invariants(), Ok(()))?;
        let scale = self.scale(0);
        for (station, one) in (0..).map(StationId).zip(&self.stations) {
            let weight = fair.weight_of(station);
            equal("weight", (station, weight), (station, one.extra + 1))?;
            equal("index", (station, fair.index_of(station)), (station, Some(one.index(&scale))))?;
        }
        Ok(())
    }
}
