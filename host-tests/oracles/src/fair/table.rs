//! Up-Down as printed in 1987, over plain integers.

use super::permute::permute;
use super::{Ranking, Rule};
use crate::mismatch::equal;
use locox::draw::Draw;
use locox::fair::{Decision, Demand, IndexFunctions, Reason, ScheduleIndex, StationId, UpDown};

/// The tables of 1987: S1 a bag, S2 a set, each sorted anew at every step.
#[derive(Clone, Debug)]
pub struct Table<P> {
    index: Vec<i64>,
    functions: P,
    shuffled: bool,
}

impl<P: IndexFunctions> Table<P> {
    /// So many stations whose indices are zero. Ties go to the lowest number.
    pub fn new(stations: usize, functions: P) -> Self {
        Self { index: vec![0; stations], functions, shuffled: false }
    }

    /// The same with ties by lot.
    pub fn shuffled(self) -> Self {
        Self { shuffled: true, ..self }
    }

    fn moved(&self, index: i64, one: &Demand) -> i64 {
        let (si, bits) = (at(index), |amount: locox::fair::Amount| i64::from(amount.bits()));
        if one.holds > 0 {
            index + i64::from(one.holds) * bits(self.functions.f(si))
        } else if one.wants > 0 {
            index - bits(self.functions.g(si))
        } else if index > 0 {
            (index - bits(self.functions.h(si))).max(0)
        } else if index < 0 {
            (index + bits(self.functions.l(si))).min(0)
        } else {
            0
        }
    }

    fn decide(&self, demand: &[Demand], mut free: u32, draw: u32) -> Vec<Decision> {
        let tie = |station: usize| match self.shuffled {
            true => permute(draw, station as u32),
            false => station as u32,
        };
        let by_index = |&station: &usize| (self.index[station], tie(station));
        let mut s1: Vec<usize> = (0..demand.len())
            .flat_map(|station| vec![station; demand[station].holds.into()])
            .collect();
        let mut s2: Vec<usize> = (0..demand.len()).filter(|&s| demand[s].wants > 0).collect();
        let mut list = Vec::new();
        while free > 0 && !s2.is_empty() {
            s2.sort_by_key(by_index);
            list.push(self.grant(s2.remove(0)));
            free -= 1;
        }
        s2.retain(|&station| demand[station].holds == 0);
        while !s2.is_empty() && !s1.is_empty() {
            s2.sort_by_key(by_index);
            s1.sort_by_key(|&station| (-self.index[station], tie(station)));
            let (s, t) = (s2.remove(0), s1.remove(0));
            if self.index[s] >= self.index[t] {
                break;
            }
            list.push(self.preempt(t, s));
        }
        list
    }

    fn grant(&self, to: usize) -> Decision {
        let reason = Reason::BestIndex(at(self.index[to]));
        Decision::Grant { to: StationId(to as u32), reason }
    }

    fn preempt(&self, from: usize, to: usize) -> Decision {
        let reason = Reason::BetterIndex { to: at(self.index[to]), from: at(self.index[from]) };
        Decision::Preempt { from: StationId(from as u32), to: StationId(to as u32), reason }
    }
}

fn at(index: i64) -> ScheduleIndex {
    ScheduleIndex::from_bits(index as i32)
}

impl<P: IndexFunctions> Ranking for Table<P> {
    fn update(&mut self, demand: &[Demand]) {
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        let moved = |(index, one): (&i64, &Demand)| self.moved(*index, one).clamp(least, most);
        self.index = self.index.iter().zip(demand).map(moved).collect();
    }

    fn round(&mut self, demand: &[Demand], free: u32, draw: u32, most: usize) -> Vec<Decision> {
        let mut list = self.decide(demand, free, draw);
        list.truncate(most);
        list
    }
}

impl<S: AsRef<[ScheduleIndex]>, P: IndexFunctions, D: Draw> Rule<UpDown<S, P, D>> for Table<P> {
    fn compare(&self, fair: &UpDown<S, P, D>) -> Result<(), String> {
        let indices: Vec<i64> = fair.indices().iter().map(|index| index.bits().into()).collect();
        equal("indices", &indices, &self.index)
    }
}
