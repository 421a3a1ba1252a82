//! The best placement there is where requests that find no room are lost, by value iteration.
//!
//! Requests of each class come as a Poisson stream and are lost if they find no room; each lease ends
//! after an exponential time of mean 1. A policy says which free place a request gets and refuses none that
//! fits. The state is the set of live leases; states that are alike are worth the same and are kept once.

use rand::{Rng, RngExt};
use std::collections::HashMap;

/// Live leases: a bit for each place.
pub(crate) type Leases = u128;

/// Where a request may lie.
pub(crate) struct Place {
    /// The class of requests that it is for.
    pub(crate) class: usize,
    /// The places that it meets, itself included.
    pub(crate) met: Leases,
}

/// A machine, with all that does not depend on the workload.
pub(crate) struct LossSystem {
    /// What a request of each class takes of the machine.
    sizes: Vec<f64>,
    capacity: f64,
    index: HashMap<Leases, usize>,
    states: Vec<State>,
}

/// Where a state leads.
struct State {
    /// For each class the states after a request, one for each place that is not the same.
    placed: Vec<Vec<usize>>,
    /// The states after each lease has ended.
    ended: Vec<usize>,
}

/// What the best policy does to a stream of requests.
pub(crate) struct Optimum<'a> {
    system: &'a LossSystem,
    /// Requests of each class in a unit of time.
    rates: Vec<f64>,
    /// The share of the demand that it serves.
    pub(crate) served: f64,
    /// How much more it will serve from a state on than from the empty machine.
    values: Vec<f64>,
}

/// The bits of a set, as numbers.
pub(crate) fn members(set: Leases) -> impl Iterator<Item = usize> {
    let rest = std::iter::successors(Some(set), |rest| Some(rest & rest.wrapping_sub(1)));
    rest.take_while(|&rest| rest != 0).map(|rest| rest.trailing_zeros() as usize)
}

impl LossSystem {
    /// A machine of these places, for classes of these sizes. `canonical` gives all sets of leases that are
    /// alike one name.
    pub(crate) fn explore(
        sizes: Vec<f64>,
        capacity: f64,
        places: &[Place],
        canonical: impl Fn(Leases) -> Leases,
    ) -> Self {
        let mut system = Self { sizes, capacity, index: HashMap::from([(0, 0)]), states: vec![] };
        let mut found = vec![0];
        while let Some(&leases) = found.get(system.states.len()) {
            let mut number = |next| {
                let canonical = canonical(next);
                *system.index.entry(canonical).or_insert_with(|| {
                    found.push(canonical);
                    found.len() - 1
                })
            };
            let mut placed = vec![vec![]; system.sizes.len()];
            for (at, place) in places.iter().enumerate().filter(|(_, it)| it.met & leases == 0) {
                placed[place.class].push(number(leases | 1 << at));
            }
            for to in &mut placed {
                to.sort_unstable();
                to.dedup();
            }
            let ended = members(leases).map(|at| number(leases & !(1 << at))).collect();
            system.states.push(State { placed, ended });
        }
        system
    }

    /// How many states there are.
    pub(crate) fn states(&self) -> usize {
        self.states.len()
    }

    /// The number of the state that the set of leases with this name is.
    pub(crate) fn state(&self, canonical: Leases) -> usize {
        self.index[&canonical]
    }

    /// The best policy for requests whose classes have these weights, at a load: demand as a share of the
    /// machine.
    pub(crate) fn optimum(&self, weights: &[f64], load: f64) -> Optimum<'_> {
        let Self { sizes, capacity, .. } = self;
        let mean: f64 = weights.iter().zip(sizes).map(|(weight, size)| weight * size).sum();
        let rates: Vec<f64> =
            weights.iter().map(|weight| weight * load * capacity / mean).collect();
        // Uniformised: in each step a request comes, a lease ends, or nothing happens.
        let events = rates.iter().sum::<f64>() + capacity;
        let mut values = vec![0.0; self.states.len()];
        loop {
            let after = |state: &State, now: f64| {
                let requests =
                    rates.iter().zip(sizes).zip(&state.placed).map(|((rate, size), to)| {
                        let best = to.iter().map(|&to| values[to] + size).reduce(f64::max);
                        rate * (best.unwrap_or(now) - now)
                    });
                let ends = state.ended.iter().map(|&to| values[to] - now);
                requests.chain(ends).sum::<f64>() / events
            };
            let gains: Vec<f64> =
                self.states.iter().zip(&values).map(|(state, &now)| after(state, now)).collect();
            let (low, high) = gains
                .iter()
                .fold((f64::MAX, f64::MIN), |(low, high), &gain| (gain.min(low), gain.max(high)));
            if high - low < high * PRECISION {
                let served = (low + high) / 2.0 * events / (load * capacity);
                return Optimum { system: self, rates, served, values };
            }
            // Relative to the empty machine, or the values grow without end.
            let first = gains[0];
            values.iter_mut().zip(&gains).for_each(|(value, gain)| *value += gain - first);
        }
    }
}

/// How exact the share served is.
const PRECISION: f64 = 1e-7;

/// A pool whose placements are judged.
pub(crate) trait Subject {
    type Lease;

    /// Asks for a place of this class; the lease, and the set that holds it alone.
    fn allocate(&mut self, class: usize) -> Option<(Self::Lease, Leases)>;

    fn release(&mut self, lease: Self::Lease);

    /// The number of the state that a set of leases is.
    fn state(&self, leases: Leases) -> usize;
}

impl Optimum<'_> {
    /// How much of the demand, as a share of what is served at best, a placement loses against the
    /// best one, for later requests and this one: by the value of the states after them. The mean
    /// over the requests of a run estimates what the policy loses altogether.
    pub(crate) fn regret(&self, state: usize, class: usize, placed: Option<usize>) -> f64 {
        let Self { system, values, .. } = self;
        let size = system.sizes[class];
        let best = system.states[state].placed[class].iter();
        let best = best.map(|&to| values[to] + size).reduce(f64::max).unwrap_or(values[state]);
        let got = placed.map_or(values[state], |placed| values[placed] + size);
        (best - got) * self.rates.iter().sum::<f64>() / self.demand()
    }

    /// What the best policy has in use on average.
    fn demand(&self) -> f64 {
        let offered = self.rates.iter().zip(&self.system.sizes).map(|(rate, size)| rate * size);
        self.served * offered.sum::<f64>()
    }

    /// What a pool loses in a run of so many requests, as a share of what is served at best.
    pub(crate) fn loss<S: Subject>(&self, mut pool: S, requests: u64, mut random: impl Rng) -> f64 {
        let mut live: Vec<(S::Lease, Leases)> = vec![];
        // Looked up millions of times, a few thousand different ones.
        let mut known: HashMap<Leases, usize> = HashMap::new();
        let mut state =
            |pool: &S, leases| *known.entry(leases).or_insert_with(|| pool.state(leases));
        let (mut seen, mut lost) = (0, 0.0);
        let all: f64 = self.rates.iter().sum();
        while seen < requests {
            let event = random.random_range(0.0..all + live.len() as f64);
            if event >= all {
                let (lease, _) = live.swap_remove(((event - all) as usize).min(live.len() - 1));
                pool.release(lease);
                continue;
            }
            let mut rest = event;
            let of = self.rates.iter().position(|rate| {
                rest -= rate;
                rest < 0.0
            });
            let class = of.expect("the event is a request");
            let before = live.iter().fold(0, |set, (_, lease)| set | lease);
            let granted = pool.allocate(class);
            let after = granted.as_ref().map(|(_, lease)| state(&pool, before | lease));
            lost += self.regret(state(&pool, before), class, after);
            live.extend(granted);
            seen += 1;
        }
        lost / requests as f64
    }
}
