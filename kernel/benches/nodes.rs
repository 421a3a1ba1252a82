//! Speed of placements on 1,213 nodes with cores, memory and GPUs, as many as a production cluster has, that tasks fill up until they
//! have asked for all GPUs.
//!
//! `cargo bench -p locox --bench nodes`; each sample is the search for the next task.

use divan::Bencher;
use locox::machine::Machine;
use locox::nodes::{Amounts, NodeRequest, Nodes, Placement};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Cores in thousandths, memory in MiB, GPUs.
const CLASSES: [[u32; 3]; 4] =
    [[64_000, 262_144, 2], [96_000, 393_216, 8], [96_000, 786_432, 8], [128_000, 786_432, 8]];
const NODES: usize = 1213;
const PARTS: u32 = 1000;

fn main() {
    divan::main();
}

/// A task: a part of a GPU, or one, or seldom eight.
fn task(random: &mut ChaCha8Rng) -> NodeRequest<'static> {
    let cores = [2, 4, 6, 8, 12, 16][random.random_range(0..6)] * 1000;
    let memory = cores / 1000 * [2048, 4096, 8192][random.random_range(0..3)];
    let gpus = [0, 1, 1, 1, 1, 1, 2, 8][random.random_range(0..8)];
    match (gpus, random.random_range(0..3)) {
        (1, 0) => {
            let parts = random.random_range(1..10) * 100;
            NodeRequest::part(parts, Amounts::of(&[cores, memory]))
        }
        _ => NodeRequest::of(1, Amounts::of(&[cores, memory, gpus])),
    }
}

#[divan::bench(args = ["first", "best", "fewest"], sample_count = 10_000, sample_size = 1)]
fn placement(bencher: Bencher<'_, '_>, rule: &str) {
    let rule = match rule {
        "first" => Placement::First,
        "best" => Placement::Best,
        _ => Placement::Fewest,
    };
    let classes = CLASSES.map(|all| Amounts::of(&all));
    let class_of: Vec<_> = (0..NODES).map(|node| (node / 304) as u8).collect();
    let machine = Nodes::<19>::new(&classes, &class_of, rule).unwrap();
    let mut machine = machine.with_parts(2, PARTS).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    (0..1000).for_each(|_| machine.learn(&task(&mut random)));
    let (mut map, mut room) = (vec![0; machine.words().map], vec![0; machine.words().room]);
    machine.open(&mut map);
    bencher.bench_local(|| {
        let of = task(&mut random);
        let place = machine.find(&map, &of, &mut room);
        if let Some(place) = place {
            machine.take(&mut map, &place);
        }
        place
    });
}
