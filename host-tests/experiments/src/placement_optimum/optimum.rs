//! The best placement there is on a small hypercube, by value iteration.
//!
//! Requests of each dimension come as a Poisson stream and are lost if they find no room; each
//! lease ends after an exponential time of mean 1. A policy says which free subcube a request gets
//! and refuses none that fits. The state is the set of live leases; states that a renaming of nodes
//! maps onto each other are worth the same and are kept once.

use locox::cube::{Dim, Node, Subcube};
use std::collections::HashMap;

/// Live leases: a bit for each subcube of the machine.
pub(super) type Leases = u128;

/// The machine, with all that does not depend on the workload.
pub(super) struct Machine {
    cubes: Vec<Subcube>,
    /// For each renaming of nodes, where each subcube goes.
    renamings: Vec<Vec<u8>>,
    /// Of each subcube those that it meets, itself included.
    met: Vec<Leases>,
    index: HashMap<Leases, usize>,
    states: Vec<State>,
}

/// Where a state leads.
struct State {
    /// For each dimension the states after a request, one for each place that is not the same.
    placed: Vec<Vec<usize>>,
    /// The states after each lease has ended.
    ended: Vec<usize>,
}

/// What the best policy does to a stream of requests.
pub(super) struct Optimum<'a> {
    machine: &'a Machine,
    /// Requests of each dimension in a unit of time.
    rates: Vec<f64>,
    /// The share of the demand that it serves.
    pub(super) served: f64,
    /// How much more it will serve from a state on than from the empty machine.
    values: Vec<f64>,
}

/// The bits of a set, as numbers.
fn members(set: Leases) -> impl Iterator<Item = usize> {
    let rest = std::iter::successors(Some(set), |rest| Some(rest & rest.wrapping_sub(1)));
    rest.take_while(|&rest| rest != 0).map(|rest| rest.trailing_zeros() as usize)
}

fn permutations(items: &[u8]) -> Vec<Vec<u8>> {
    if items.is_empty() {
        return vec![vec![]];
    }
    let with_first = |&first: &u8| {
        let rest: Vec<u8> = items.iter().copied().filter(|&it| it != first).collect();
        permutations(&rest).into_iter().map(move |rest| [&[first], &rest[..]].concat())
    };
    items.iter().flat_map(with_first).collect()
}

impl Machine {
    /// The n-cube; four dimensions at most, so that its subcubes fit a set.
    pub(super) fn new(dims: Dim) -> Self {
        let nodes = dims.nodes();
        let all = (0..nodes).flat_map(|mask| (0..nodes).map(move |base| (base, mask)));
        let all = all.filter(|(base, mask)| base & mask == 0);
        let cubes: Vec<Subcube> =
            all.filter_map(|(base, mask)| Subcube::new(dims, Node(base), mask)).collect();
        let place = |cube: (u32, u32)| {
            let at = cubes.iter().position(|it| (it.base().0, it.mask()) == cube);
            at.expect("every subcube is listed") as u8
        };
        let orders = permutations(&(0..dims.get()).collect::<Vec<_>>());
        let renamings = orders.iter().flat_map(|order| {
            let permuted = move |bits: u32| -> u32 {
                order.iter().enumerate().map(|(to, from)| (bits >> from & 1) << to).sum()
            };
            let cubes = &cubes;
            (0..nodes).map(move |flip| {
                let image = |cube: &Subcube| {
                    let mask = permuted(cube.mask());
                    place(((permuted(cube.base().0) ^ flip) & !mask, mask))
                };
                cubes.iter().map(image).collect()
            })
        });
        let renamings = renamings.collect();
        let meets = |cube: &Subcube| {
            let both = cubes.iter().enumerate().filter(|(_, it)| it.intersection(cube).is_some());
            both.map(|(at, _)| 1 << at).sum()
        };
        let met = cubes.iter().map(meets).collect();
        let mut machine = Self { cubes, renamings, met, index: HashMap::new(), states: vec![] };
        machine.explore(dims);
        machine
    }

    /// Finds all states, from the empty machine on.
    fn explore(&mut self, dims: Dim) {
        let mut found = vec![0];
        self.index.insert(0, 0);
        while let Some(&leases) = found.get(self.states.len()) {
            let mut number = |machine: &mut Self, next| {
                let canonical = machine.canonical(next);
                *machine.index.entry(canonical).or_insert_with(|| {
                    found.push(canonical);
                    found.len() - 1
                })
            };
            let mut placed = vec![vec![]; usize::from(dims.get()) + 1];
            let candidates = 0..self.cubes.len();
            for at in candidates.filter(|&at| self.met[at] & leases == 0).collect::<Vec<_>>() {
                let to = &mut placed[usize::from(self.cubes[at].dim().get())];
                to.push(number(self, leases | 1 << at));
            }
            for to in &mut placed {
                to.sort_unstable();
                to.dedup();
            }
            let ended = members(leases).map(|at| number(self, leases & !(1 << at))).collect();
            self.states.push(State { placed, ended });
        }
    }

    /// The dimensions n of the machine.
    pub(super) fn dims(&self) -> Dim {
        self.cubes[0].dims()
    }

    /// How many states there are.
    pub(super) fn states(&self) -> usize {
        self.states.len()
    }

    /// One name for all sets of leases that differ by a renaming.
    fn canonical(&self, leases: Leases) -> Leases {
        let image = |to: &Vec<u8>| members(leases).fold(0, |set, at| set | 1 << to[at]);
        self.renamings.iter().map(image).min().expect("there is a renaming")
    }

    /// The number of the state that a set of leases is.
    pub(super) fn state(&self, leases: Leases) -> usize {
        self.index[&self.canonical(leases)]
    }

    /// The set that holds `cube` alone.
    pub(super) fn lease(&self, cube: Subcube) -> Leases {
        1 << self.cubes.iter().position(|it| *it == cube).expect("it is a subcube of the machine")
    }

    /// The best policy for requests whose dimensions have these weights, at a load: demand as a
    /// share of the machine.
    pub(super) fn optimum(&self, weights: &[f64], load: f64) -> Optimum<'_> {
        let nodes = f64::from(self.dims().nodes());
        let size = |dim: usize| (1u32 << dim) as f64;
        let mean: f64 = weights.iter().enumerate().map(|(dim, weight)| weight * size(dim)).sum();
        let rates: Vec<f64> = weights.iter().map(|weight| weight * load * nodes / mean).collect();
        // Uniformised: in each step a request comes, a lease ends, or nothing happens.
        let events = rates.iter().sum::<f64>() + nodes;
        let mut values = vec![0.0; self.states.len()];
        loop {
            let after = |state: &State, now: f64| {
                let requests =
                    rates.iter().zip(&state.placed).enumerate().map(|(dim, (rate, to))| {
                        let best = to.iter().map(|&to| values[to] + size(dim)).reduce(f64::max);
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
                let served = (low + high) / 2.0 * events / (load * nodes);
                return Optimum { machine: self, rates, served, values };
            }
            // Relative to the empty machine, or the values grow without end.
            let first = gains[0];
            values.iter_mut().zip(&gains).for_each(|(value, gain)| *value += gain - first);
        }
    }
}

/// How exact the share served is.
const PRECISION: f64 = 1e-7;

impl Optimum<'_> {
    /// How much of the demand, as a share of what is served at best, a placement loses against the
    /// best one, for later requests and this one: by the value of the states after them. The mean
    /// over the requests of a run estimates what the policy loses altogether.
    pub(super) fn regret(&self, state: usize, dim: Dim, placed: Option<usize>) -> f64 {
        let Self { machine, values, .. } = self;
        let size = f64::from(dim.nodes());
        let best = machine.states[state].placed[usize::from(dim.get())].iter();
        let best = best.map(|&to| values[to] + size).reduce(f64::max).unwrap_or(values[state]);
        let got = placed.map_or(values[state], |placed| values[placed] + size);
        (best - got) * self.rates.iter().sum::<f64>() / self.demand()
    }

    /// Nodes that the best policy has in use on average.
    fn demand(&self) -> f64 {
        let offered = self.rates.iter().enumerate().map(|(dim, rate)| rate * (1u32 << dim) as f64);
        self.served * offered.sum::<f64>()
    }

    /// Requests of each dimension in a unit of time.
    pub(super) fn rates(&self) -> &[f64] {
        &self.rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Single nodes find room wherever one is free: the formula of Erlang.
    #[test]
    fn what_is_served_of_single_nodes_is_known() {
        for (n, nodes) in [(1, 2), (2, 4)] {
            let machine = Machine::new(Dim::new(n).unwrap());
            let load = 0.9;
            let offered = load * f64::from(nodes);
            let blocked = (1..=nodes).fold(1.0, |blocked, servers| {
                offered * blocked / (f64::from(servers) + offered * blocked)
            });
            let weights: Vec<f64> = (0..=n).map(|k| f64::from(u8::from(k == 0))).collect();
            let optimum = machine.optimum(&weights, load);
            assert!((optimum.served - (1.0 - blocked)).abs() < 1e-5, "{}", optimum.served);
        }
    }

    #[test]
    fn states_that_a_renaming_maps_onto_each_other_are_one() {
        let machine = Machine::new(Dim::new(2).unwrap());
        // None to four nodes, two of them side by side or across; an edge and none to two nodes;
        // two edges; all.
        assert_eq!(machine.states(), 6 + 3 + 1 + 1);
    }

    #[test]
    fn the_best_place_costs_nothing_and_another_one_something() {
        let dims = Dim::new(2).unwrap();
        let machine = Machine::new(dims);
        let optimum = machine.optimum(&[1.0, 1.0, 0.0], 0.9);
        let of = |text: &str| machine.lease(text.parse().unwrap());
        let before = of("00");
        let regret = |place| {
            let after = machine.state(before | of(place));
            optimum.regret(machine.state(before), Dim::ZERO, Some(after))
        };
        assert!(regret("01").abs() < 1e-12 && regret("10").abs() < 1e-12);
        assert!(regret("11") > 0.0);
    }
}
