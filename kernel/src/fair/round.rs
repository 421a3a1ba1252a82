//! One round of allocation: who gets a free processor, and who yields one to whom.

use super::ranked::Ranked;
use super::{Contender, Decision, Demand, Exchange, Fairness, Misuse, StationId};

/// The processors of a network, at the start of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Capacity {
    /// All that there are, whatever their state.
    pub nodes: u32,
    /// Those that anybody may have at once.
    pub free: u32,
}

/// Contenders that a round needs room for.
const FEWEST: usize = 4;

/// A round of allocation, decision by decision.
///
/// 1. Free processors go to the stations that want one, in the order of the ranking.
/// 2. When none is free and the ranking [preempts](Fairness::preempts): the first station that
///    wants a processor and holds none takes one from the last station that holds any, if the
///    first one's key is smaller; and so on until it is not.
///
/// A station gets at most one processor in a round; it can lose several. Only a ranking that
/// [keeps its stations in order](Fairness::KEEPS_ORDER) gives a station as many as are free, as it
/// counts those that it gave. Nothing is decided for stations outside `demand`.
///
/// The list does not depend on the size of the scratch buffer, only the cost does: a round of m
/// decisions over n stations with room for k contenders costs about n * (m / k + 1) looks; half
/// of the room is for those who get, half for those who yield. So little room costs much where much
/// is decided: 50,000 decisions over 100,000 stations with room for 64 take some 150 million looks.
/// Over a ranking that keeps the order a decision costs what that says, and needs no room.
///
/// Source: table 3 of Mutka and Livny (1987) with its text. The printed table lets any station
/// that wants preempt; the text bars those that hold processors already, and so does this.
pub struct Round<'s> {
    takers: Ranked<'s>,
    holders: Ranked<'s>,
    /// The holder at hand; its `holds` counts down.
    victim: Option<Contender>,
    free: u32,
    over: bool,
}

impl<'s> Round<'s> {
    /// Begins a round. `draw` is fresh from the caller's random source, see [`Draw`](crate::draw::Draw).
    ///
    /// # Errors
    ///
    /// [`Misuse::Stations`] if the ranking is not of as many stations as `demand`,
    /// [`Misuse::HoldingsExceedCapacity`] if those hold, or `capacity` says that there are
    /// free, more processors than there are, [`Misuse::Scratch`] if `scratch` has room for
    /// fewer than four contenders.
    pub fn new<F: Fairness>(
        fair: &mut F,
        demand: &[Demand],
        capacity: Capacity,
        draw: F::Draw,
        scratch: &'s mut [Contender],
    ) -> Result<Self, Misuse> {
        fair.check(demand.len())?;
        check_capacity(demand, capacity)?;
        if F::KEEPS_ORDER && scratch.len() >= FEWEST {
            fair.update(demand)?;
        }
        Self::of_counted(fair, capacity.free, draw, scratch)
    }

    /// A round over demand that is known to be counted right, and noted where that is needed.
    pub fn of_counted<F: Fairness>(
        fair: &mut F,
        free: u32,
        draw: F::Draw,
        scratch: &'s mut [Contender],
    ) -> Result<Self, Misuse> {
        if scratch.len() < FEWEST {
            return Err(Misuse::Scratch);
        }
        let half = scratch.len() >> 1;
        let (takers, holders) = scratch.split_at_mut_checked(half).ok_or(Misuse::Scratch)?;
        fair.begin(draw);
        Ok(Self {
            takers: Ranked::new(takers),
            holders: Ranked::new(holders),
            victim: None,
            free,
            over: false,
        })
    }

    /// The next decision; `None` when the round is over.
    ///
    /// `fair` and `demand` are those that the round began with. Between two calls the caller may
    /// leave `demand` as it is or carry out in it what was decided so far; nothing else may
    /// change.
    pub fn next<F: Fairness>(&mut self, fair: &mut F, demand: &[Demand]) -> Option<Decision> {
        if self.over {
            return None;
        }
        let decision = if self.free > 0 {
            self.free = self.free.saturating_sub(1);
            self.grant(fair, demand)
        } else {
            self.preempt(fair, demand)
        };
        self.over = decision.is_none();
        decision
    }

    fn grant<F: Fairness>(&mut self, fair: &mut F, demand: &[Demand]) -> Option<Decision> {
        let to = match F::KEEPS_ORDER {
            true => fair.next_claimant()?,
            false => StationId(self.takers.next(contenders::<false, F>(fair, demand))?.station),
        };
        let reason = fair.reason(to, None);
        fair.served(to);
        Some(Decision::Grant { to, reason })
    }

    fn preempt<F: Fairness>(&mut self, fair: &mut F, demand: &[Demand]) -> Option<Decision> {
        if !fair.preempts() {
            return None;
        }
        if F::KEEPS_ORDER {
            let Exchange { from, to, reason } = fair.exchange()?;
            fair.yielded(from);
            fair.served(to);
            return Some(Decision::Preempt { from, to, reason });
        }
        let takers = || self.takers.next(contenders::<false, F>(fair, demand));
        let taker = core::iter::from_fn(takers).find(|taker| taker.holds == 0)?;
        let from = self.next_victim(fair, demand, taker.key())?;
        let to = StationId(taker.station);
        fair.served(to);
        Some(Decision::Preempt { from, to, reason: fair.reason(to, Some(from)) })
    }

    /// The last station that holds a processor, if its key is above `key`.
    fn next_victim<F: Fairness>(
        &mut self,
        fair: &F,
        demand: &[Demand],
        key: u32,
    ) -> Option<StationId> {
        let mut victim = match self.victim {
            Some(victim) if victim.holds > 0 => victim,
            _ => self.holders.next(contenders::<true, F>(fair, demand))?,
        };
        victim.holds = victim.holds.saturating_sub(1);
        self.victim = Some(victim);
        let station = StationId(victim.station);
        (key < fair.key(station)).then_some(station)
    }
}

fn check_capacity(demand: &[Demand], capacity: Capacity) -> Result<(), Misuse> {
    let held: u64 = demand.iter().map(|one| u64::from(one.holds)).sum();
    let Capacity { nodes, free } = capacity;
    if held.saturating_add(u64::from(free)) > u64::from(nodes) {
        let held = u32::try_from(held).unwrap_or(u32::MAX);
        return Err(Misuse::HoldingsExceedCapacity { held, free, nodes });
    }
    Ok(())
}

/// The stations that want a processor, or those that `YIELDS` one. Of these the last in the ranking
/// comes first: the order of keys is reversed, that of ties is not.
fn contenders<const YIELDS: bool, F: Fairness>(
    fair: &F,
    demand: &[Demand],
) -> impl Iterator<Item = Contender> {
    let count = |one: &Demand| if YIELDS { one.holds } else { one.wants };
    let numbered = (0..).map(StationId).zip(demand);
    numbered.filter(move |(_, one)| count(one) > 0).map(|(station, one)| {
        let key = fair.key(station);
        let key = if YIELDS { !key } else { key };
        Contender::new(key, fair.tie(station), station.0, one.holds)
    })
}
