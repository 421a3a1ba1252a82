//! No two live meshes ever share a channel: long random runs with nested meshes and failing nodes,
//! every route of every mesh walked, after each operation.

use super::common::{cube, dim, rectangle};
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::mesh::{Embedding, Leftover, MeshLease, Shape};
use locox::subcube::Outage;
use locox_oracles::mesh::{Conflict, Isolation};
use locox_oracles::mesh::{Flaw, Model};
use locox_oracles::subcube::{FreeList, Meshes, Rule};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// A random mesh for a machine: sides of all sizes, as often a line as a cuboid.
fn shape(random: &mut ChaCha8Rng, dims: Dim) -> Shape {
    loop {
        let mut sides = [1; 3];
        for side in sides.iter_mut().take(random.random_range(1..=3)) {
            let log2 = random.random_range(0..=dims.get());
            *side = random.random_range(1..=1u32 << log2);
        }
        if let Some(shape) = Shape::try_from(sides).ok().filter(|it| it.dim() <= dims) {
            return shape;
        }
    }
}

/// A few nodes that fail, drain or come back.
fn nodes(random: &mut ChaCha8Rng, dims: Dim) -> Vec<Node> {
    let count = random.random_range(1..=3);
    (0..count).map(|_| Node(random.random_range(0..dims.nodes()))).collect()
}

/// Runs a pool for so many operations and returns how deep meshes were nested.
fn churn<R: Rule>(dims: Dim, ops: u32, seed: u64) -> Result<usize, Conflict> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut pool = R::mesh_pool(PoolId(0), dims, Leftover::Reused);
    let mut isolation = Isolation::new(dims);
    let mut live: Vec<MeshLease> = vec![];
    let mut deepest = 0;
    for op in 0..ops {
        match random.random_range(0..100) {
            0 => pool.withdraw(&nodes(&mut random, dims), Outage::Failed, &mut |_| {}).unwrap(),
            1..4 => pool.repair(&nodes(&mut random, dims)).unwrap(),
            4..52 if !live.is_empty() => {
                let lease = live.swap_remove(random.random_range(0..live.len()));
                isolation.remove(&lease.mesh());
                pool.release(lease).unwrap();
            }
            _ => {
                let Ok(lease) = pool.allocate(shape(&mut random, dims)) else { continue };
                isolation.add(&lease.mesh())?;
                live.push(lease);
                let base = lease.cube().base();
                let around = live.iter().filter(|it| it.cube().contains(base)).count();
                deepest = deepest.max(around);
            }
        }
        if op % 1000 == 0 {
            pool.check_invariants().unwrap();
        }
    }
    Ok(deepest)
}

/// The machines of three to eight dimensions, a million operations together.
fn a_million_operations_share_no_channel<R: Rule>() {
    let machines =
        [(3, 100_000), (4, 150_000), (5, 200_000), (6, 200_000), (7, 200_000), (8, 150_000)];
    for (dims, ops) in machines {
        // In rounds, each with a fresh machine: the list of the literature may stay in pieces.
        let rounds = (0..10).map(|round| 0x10C0 + u64::from(dims) + (round << 16));
        let deepest = rounds.map(|seed| churn::<R>(dim(dims), ops / 10, seed).unwrap());
        let deepest = deepest.max().unwrap();
        assert!(deepest >= if dims < 5 { 2 } else { 3 }, "{dims}: only {deepest} deep");
    }
}

/// Runs the naive model, with or without a flaw, until two meshes share a channel.
fn churn_of_model(flaw: Flaw, dims: Dim, ops: u32, seed: u64) -> Option<Conflict> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut model = Model::<FreeList>::new(dims, Leftover::Reused, flaw);
    let mut isolation = Isolation::new(dims);
    for _ in 0..ops {
        if !model.live.is_empty() && random.random_bool(0.48) {
            let at = random.random_range(0..model.live.len());
            isolation.remove(&model.live[at].mesh);
            model.release(at);
        } else {
            let shape = shape(&mut random, dims);
            let Ok((cube, home)) = model.choose(shape) else { continue };
            let mesh = Embedding::new(cube, shape).unwrap();
            if let Err(conflict) = isolation.add(&mesh) {
                return Some(conflict);
            }
            model.open(mesh, home);
        }
    }
    None
}

/// The channels shared in twenty runs of the model, at most one a run.
fn conflicts(flaw: Flaw) -> Vec<Conflict> {
    (0..20).filter_map(|seed| churn_of_model(flaw, dim(4), 5000, seed)).collect()
}

#[test]
fn leftovers_joined_across_are_found_out() {
    assert!(conflicts(Flaw::JoinsAcross).iter().any(Conflict::is_inside_one));
}

#[test]
fn subcubes_that_do_not_return_to_their_leftover_are_found_out() {
    assert!(conflicts(Flaw::ForgetsHomes).iter().any(Conflict::is_inside_one));
}

#[test]
fn the_model_without_a_flaw_shares_no_channel() {
    assert_eq!(conflicts(Flaw::None), []);
}

/// The smallest case in which joining across shares a channel: 111 and 10* joined into 1*1.
fn the_leftover_of_five_by_one_in_a_3_cube_is_never_joined<R: Rule>() {
    let mut pool = R::mesh_pool(PoolId(0), dim(3), Leftover::Reused);
    let five = pool.allocate(rectangle(5, 1)).unwrap();
    let node = |pool: &mut Meshes<R>| pool.allocate(rectangle(1, 1)).unwrap();
    let tenants = [node(&mut pool), node(&mut pool), node(&mut pool)];
    let [first, second, third] = tenants.map(|tenant| tenant.cube());
    assert_eq!([first, second, third], ["111", "100", "101"].map(cube));
    tenants.iter().for_each(|&tenant| pool.release(tenant).unwrap());
    let pair = pool.allocate(rectangle(2, 1)).unwrap();
    assert_eq!(pair.cube(), cube("10*"));
    let mut isolation = Isolation::new(dim(3));
    isolation.add(&five.mesh()).unwrap();
    isolation.add(&pair.mesh()).unwrap();
    let careless = Embedding::new(cube("1*1"), rectangle(2, 1)).unwrap();
    isolation.remove(&pair.mesh());
    assert!(isolation.add(&careless).unwrap_err().is_inside_one());
}

locox_oracles::for_each_strategy!(
    a_million_operations_share_no_channel,
    the_leftover_of_five_by_one_in_a_3_cube_is_never_joined,
);
