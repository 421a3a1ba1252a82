//! Small hypercubes as machines whose best placement can be worked out. States that a renaming of nodes maps
//! onto each other are one.

use crate::loss_system::{Leases, LossSystem, Place, Subject, members};
use locox::cube::{Dim, Node, Subcube};
use locox::subcube::{Allocator, Lease};

/// An n-cube.
pub(super) struct Machine {
    cubes: Vec<Subcube>,
    /// For each renaming of nodes, where each subcube goes.
    renamings: Vec<Vec<u8>>,
    pub(super) system: LossSystem,
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
        let renamings: Vec<Vec<u8>> = renamings.collect();
        let place = |cube: &Subcube| {
            let both = cubes.iter().enumerate().filter(|(_, it)| it.intersection(cube).is_some());
            let met = both.map(|(at, _)| 1 << at).sum();
            Place { class: cube.dim().get().into(), met }
        };
        let places: Vec<Place> = cubes.iter().map(place).collect();
        let sizes = dims.up_to().map(|dim| f64::from(dim.nodes())).collect();
        let system = LossSystem::explore(sizes, nodes.into(), &places, |leases| {
            canonical(&renamings, leases)
        });
        Self { cubes, renamings, system }
    }

    /// The dimensions n of the machine.
    pub(super) fn dims(&self) -> Dim {
        self.cubes[0].dims()
    }

    /// The number of the state that a set of leases is.
    pub(super) fn state(&self, leases: Leases) -> usize {
        self.system.state(canonical(&self.renamings, leases))
    }

    /// The set that holds `cube` alone.
    pub(super) fn lease(&self, cube: Subcube) -> Leases {
        1 << self.cubes.iter().position(|it| *it == cube).expect("it is a subcube of the machine")
    }
}

/// One name for all sets of leases that differ by a renaming.
fn canonical(renamings: &[Vec<u8>], leases: Leases) -> Leases {
    let image = |to: &Vec<u8>| members(leases).fold(0, |set, at| set | 1 << to[at]);
    renamings.iter().map(image).min().expect("there is a renaming")
}

/// A pool under a strategy.
pub(super) struct Pool<'a> {
    pub(super) machine: &'a Machine,
    pub(super) pool: Box<dyn Allocator>,
}

impl Subject for Pool<'_> {
    type Lease = Lease;

    fn allocate(&mut self, class: usize) -> Option<(Lease, Leases)> {
        let lease = self.pool.allocate(Dim::new(class as u8)?).ok()?;
        Some((lease, self.machine.lease(lease.cube())))
    }

    fn release(&mut self, lease: Lease) {
        self.pool.release(lease).expect("it is live");
    }

    fn state(&self, leases: Leases) -> usize {
        self.machine.state(leases)
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
            let optimum = machine.system.optimum(&weights, load);
            assert!((optimum.served - (1.0 - blocked)).abs() < 1e-5, "{}", optimum.served);
        }
    }

    #[test]
    fn states_that_a_renaming_maps_onto_each_other_are_one() {
        let machine = Machine::new(Dim::new(2).unwrap());
        // None to four nodes, two of them side by side or across; an edge and none to two nodes;
        // two edges; all.
        assert_eq!(machine.system.states(), 6 + 3 + 1 + 1);
    }

    #[test]
    fn the_best_place_costs_nothing_and_another_one_something() {
        let dims = Dim::new(2).unwrap();
        let machine = Machine::new(dims);
        let optimum = machine.system.optimum(&[1.0, 1.0, 0.0], 0.9);
        let of = |text: &str| machine.lease(text.parse().unwrap());
        let before = of("00");
        let regret = |place| {
            let after = machine.state(before | of(place));
            optimum.regret(machine.state(before), 0, Some(after))
        };
        assert!(regret("01").abs() < 1e-12 && regret("10").abs() < 1e-12);
        assert!(regret("11") > 0.0);
    }
}
