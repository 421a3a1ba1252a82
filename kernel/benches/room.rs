//! Speed of choosing who makes room at the least cost: tori of 4,096 nodes, cubes of 12 and 14 dimensions, and 1,213 nodes with cores,
//! memory and GPUs, full of leases with random costs.
//!
//! `cargo bench -p locox --bench room`; each sample is another state, and the slowest of all is printed next to the median.

use divan::Bencher;
use locox::cube::Dim;
use locox::grid::{Anchors, BoxRequest, Boxes, Grid, Placement, Sides};
use locox::machine::{Machine, MakeRoom, Stake};
use locox::nodes::{self, Amounts, NodeRequest, Nodes};
use locox::subcube::{Complete, Subcubes};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

fn main() {
    divan::main();
}

/// A machine where all is free or held by stakes, and words for it.
struct State<M: Machine> {
    machine: M,
    map: Vec<M::Word>,
    stakes: Vec<Stake<M::Place>>,
    sums: Vec<u64>,
}

impl<M: MakeRoom> State<M> {
    /// Up to so many places, of requests drawn one after the other, of which those that fit are granted.
    fn new(
        machine: M,
        leases: usize,
        seed: u64,
        draw: impl Fn(&mut ChaCha8Rng) -> M::Request,
    ) -> Self {
        let words = machine.words();
        let (mut map, mut room) =
            (vec![M::Word::default(); words.map], vec![M::Word::default(); words.room]);
        machine.open(&mut map);
        let (mut random, mut stakes) = (ChaCha8Rng::seed_from_u64(seed), vec![]);
        for _ in 0..4 * leases {
            if stakes.len() == leases {
                break;
            }
            let of = draw(&mut random);
            let Some(place) = machine.find(&map, &of, &mut room) else { continue };
            machine.take(&mut map, &place);
            let cost = u64::from(machine.size(&of)) * random.random_range(1..=100);
            stakes.push(Stake::new(place, stakes.len() as u32, cost));
        }
        machine.open(&mut map);
        let sums = vec![0; machine.sums()];
        Self { machine, map, stakes, sums }
    }

    fn choose(mut self, of: &M::Request) -> bool {
        let cost = self.machine.choose(&self.map, of, &mut self.stakes, &mut self.sums);
        cost.is_some_and(|cost| cost.least)
    }
}

/// Boxes of up to four nodes along each axis; the request is for a cube of this side.
#[divan::bench(args = [2, 4, 8, 12], consts = [20, 80, 1000], sample_count = 100, sample_size = 1)]
fn torus_16x16x16<const LEASES: usize>(bencher: Bencher<'_, '_>, side: u8) {
    let grid = Grid::torus(&[16; 3]).unwrap();
    let most = if LEASES > 100 { 3 } else { 7 };
    let of = BoxRequest::Fixed(Sides::new(&[side; 3]).unwrap());
    let mut seed = 0;
    let state = || {
        seed += 1;
        let machine = Boxes::new(grid, Placement::First, Anchors::Any).unwrap();
        State::new(machine, LEASES, seed, |random| {
            BoxRequest::Fixed(Sides::new(&[0; 3].map(|_| random.random_range(1..most))).unwrap())
        })
    };
    bencher.with_inputs(state).bench_local_values(|state| state.choose(&of));
}

/// The same with requests for so many nodes in any shape; one holder in three has two boxes.
#[divan::bench(args = [64, 720, 1680], sample_count = 100, sample_size = 1)]
fn torus_any_shape(bencher: Bencher<'_, '_>, nodes: u32) {
    let grid = Grid::torus(&[16; 3]).unwrap();
    let mut seed = 0;
    let state = || {
        seed += 1;
        let machine = Boxes::new(grid, Placement::First, Anchors::Any).unwrap();
        let mut state = State::new(machine, 80, seed, |random| {
            BoxRequest::Fixed(Sides::new(&[0; 3].map(|_| random.random_range(1..7))).unwrap())
        });
        let second = state.stakes.iter_mut().skip(3).step_by(4);
        second.for_each(|it| it.of -= 1);
        state
    };
    bencher.with_inputs(state).bench_local_values(|state| state.choose(&BoxRequest::Nodes(nodes)));
}

/// Subcubes of mixed sizes, so that so many fill the machine.
fn cube(bencher: Bencher<'_, '_>, dims: u8, leases: u32, of: u8, flat: bool) {
    let size = Dim::new(dims).unwrap();
    let mean = (size.nodes() / leases).ilog2() as u8;
    let mut seed = 0;
    let state = || {
        seed += 1;
        let machine = Subcubes::<Complete>::new(size).unwrap();
        let mut state = State::new(machine, leases as usize, seed, |random| {
            Dim::new(random.random_range(mean.saturating_sub(1)..=mean + 2)).unwrap()
        });
        if flat {
            state.stakes.iter_mut().for_each(|it| it.cost = 100 + it.cost % 10);
        }
        state
    };
    let of = Dim::new(of).unwrap();
    bencher.with_inputs(state).bench_local_values(|state| state.choose(&of));
}

#[divan::bench(args = 1..=11, consts = [300, 2000], sample_count = 50, sample_size = 1)]
fn cube_of_12_dimensions<const LEASES: u32>(bencher: Bencher<'_, '_>, of: u8) {
    cube(bencher, 12, LEASES, of, false);
}

#[divan::bench(args = 1..=13, consts = [300, 2000], sample_count = 50, sample_size = 1)]
fn cube_of_14_dimensions<const LEASES: u32>(bencher: Bencher<'_, '_>, of: u8) {
    cube(bencher, 14, LEASES, of, false);
}

/// Where all leases cost nearly the same, however large they are, the bounds are far from the costs.
#[divan::bench(args = 1..=13, consts = [300, 2000], sample_count = 50, sample_size = 1)]
fn cube_of_14_dimensions_flat<const LEASES: u32>(bencher: Bencher<'_, '_>, of: u8) {
    cube(bencher, 14, LEASES, of, true);
}

/// Jobs of a few cores, some memory, and in part a GPU or a part of one; the request is for so many nodes with half of the cores and
/// three of eight GPUs.
#[divan::bench(args = [1, 30, 300], consts = [10_000, 20_000, 40_000], sample_count = 20, sample_size = 1)]
fn shared_nodes<const LEASES: usize>(bencher: Bencher<'_, '_>, nodes: u32) {
    let classes = [Amounts::of(&[96, 768, 8])];
    let class_of = [0; 1213];
    let most = 120_000 / LEASES as u32 / 2;
    let mut seed = 0;
    let state = || {
        seed += 1;
        let machine = Nodes::<19>::new(&classes, &class_of, nodes::Placement::First).unwrap();
        let machine = machine.with_parts(2, 100).unwrap();
        State::new(machine, LEASES, seed, |random| {
            let (cores, memory) =
                (random.random_range(1..=2 * most), random.random_range(1..=16 * most));
            match random.random_range(0..4) {
                0 => NodeRequest::part(random.random_range(1..=50), Amounts::of(&[cores, memory])),
                1 => NodeRequest::of(1, Amounts::of(&[cores, memory, 1])),
                _ => NodeRequest::of(1, Amounts::of(&[cores, memory])),
            }
        })
    };
    let of = NodeRequest::of(nodes, Amounts::of(&[48, 384, 3]));
    bencher.with_inputs(state).bench_local_values(|state| state.choose(&of));
}

/// Twenty jobs on each node, each with a part of a GPU and nothing else that is scarce: what quantities say bounds nothing. The request
/// is for so many nodes with half of the GPUs. Flat costs are nearly the same for all.
#[divan::bench(args = [1, 30, 300], consts = [false, true], sample_count = 5, sample_size = 1)]
fn shared_gpus<const FLAT: bool>(bencher: Bencher<'_, '_>, nodes: u32) {
    let classes = [Amounts::of(&[96, 768, 8])];
    let class_of = [0; 1213];
    let mut seed = 0;
    let state = || {
        seed += 1;
        let machine = Nodes::<19>::new(&classes, &class_of, nodes::Placement::First).unwrap();
        let machine = machine.with_parts(2, 100).unwrap();
        let mut state = State::new(machine, 20 * 1213, seed, |random| {
            NodeRequest::part(random.random_range(20..=40), Amounts::of(&[4, 32]))
        });
        if FLAT {
            state.stakes.iter_mut().for_each(|it| it.cost = 100 + it.cost % 10);
        }
        state
    };
    let of = NodeRequest::of(nodes, Amounts::of(&[8, 64, 4]));
    bencher.with_inputs(state).bench_local_values(|state| state.choose(&of));
}
