//! Leftovers are recognised whole, but over the list of the literature: what is refused is not there, and what comes back is as it was.

use super::common::{dim, rectangle};
use crate::runner::runner;
use locox::cube::{Node, Subcube};
use locox::handle::PoolId;
use locox::mesh::{Leftover, MeshLease, Shape};
use locox::subcube::{Outage, Refusal};
use locox_oracles::subcube::{FreeListPlain, Meshes, Rule};
use proptest::collection::vec;
use proptest::prelude::*;

fn reused<R: Rule>(dims: u8) -> Meshes<R> {
    R::mesh_pool(PoolId(7), dim(dims), Leftover::Reused)
}

fn line(nodes: u32) -> Shape {
    Shape::line(nodes).unwrap()
}

/// Pieces that no pair of them joins: a drain and repairs in an unlucky order left the auxiliary
/// list with six of them for good.
fn drain_and_repair_in_an_unlucky_order<R: Rule>(pool: &mut Meshes<R>) {
    pool.allocate(rectangle(3, 8)).unwrap();
    let nodes = [17, 21, 20, 22, 18, 19, 16, 23].map(Node);
    for node in nodes {
        pool.withdraw(&[node], Outage::Drained, |_| ()).unwrap();
    }
    for node in nodes {
        pool.repair(&[node]).unwrap();
    }
}

fn a_leftover_that_was_repaired_in_any_order_is_whole<R: Rule>() {
    let mut pool = reused::<R>(5);
    drain_and_repair_in_an_unlucky_order::<R>(&mut pool);
    assert_eq!(pool.free(), 8);
    let lease = pool.allocate(line(8)).unwrap();
    assert_eq!(lease.cube(), "10***".parse().unwrap());
}

#[derive(Clone, Debug)]
enum Step {
    Allocate([u32; 3]),
    Release(usize),
    Withdraw(u32),
    Repair(u32),
}

fn histories() -> impl Strategy<Value = (u8, Vec<Step>)> {
    (3u8..=7).prop_flat_map(|dims| {
        let node = 0..1u32 << dims;
        let side = (0..=dims, any::<u32>()).prop_map(|(log2, it)| 1 + it % (1 << log2));
        let sides = (side.clone(), side.clone(), side).prop_map(|(x, y, z)| [x, y, z]);
        let step = prop_oneof![
            4 => sides.prop_map(Step::Allocate),
            3 => any::<usize>().prop_map(Step::Release),
            2 => node.clone().prop_map(Step::Withdraw),
            2 => node.prop_map(Step::Repair),
        ];
        (Just(dims), vec(step, 1..60))
    })
}

fn take_step<R: Rule>(pool: &mut Meshes<R>, live: &mut Vec<MeshLease>, step: &Step) {
    match *step {
        Step::Allocate(sides) => {
            let Ok(shape) = Shape::try_from(sides) else { return };
            live.extend(pool.allocate(shape).ok());
        }
        Step::Release(pick) if !live.is_empty() => {
            let at = pick % live.len();
            pool.release(live.swap_remove(at)).unwrap();
        }
        Step::Release(_) => {}
        Step::Withdraw(node) => pool.withdraw(&[Node(node)], Outage::Failed, |_| ()).unwrap(),
        Step::Repair(node) => pool.repair(&[Node(node)]).unwrap(),
    }
}

/// The innermost leftover around each free node; a node that is nobody's leftover has none.
fn homes<R: Rule>(pool: &Meshes<R>, live: &[MeshLease]) -> Vec<(Node, Option<Subcube>)> {
    let free = (0..pool.dims().nodes()).map(Node);
    let free = free.filter(|&node| pool.state(node).unwrap().is_free());
    free.map(|node| {
        let around = live.iter().filter(|lease| lease.cube().contains(node));
        let inner = around.min_by_key(|lease| lease.cube().len());
        (node, inner.and_then(|it| it.mesh().leftover().find(|cube| cube.contains(node))))
    })
    .collect()
}

/// Refused as fragmented exactly if no leftover, and not the strategy, has a free subcube.
fn refusals_are_exact<R: Rule>() {
    let run = |(dims, steps): (u8, Vec<Step>)| {
        let (mut pool, mut live) = (reused::<R>(dims), vec![]);
        steps.iter().for_each(|step| take_step::<R>(&mut pool, &mut live, step));
        let homes = homes::<R>(&pool, &live);
        let has = |home: Subcube, wanted| {
            let cubes = locox_oracles::subcube::subcubes(dim(dims), wanted);
            let inside =
                |cube: &Subcube| cube.nodes().all(|node| homes.contains(&(node, Some(home))));
            cubes.filter(|cube| home.contains_cube(cube)).any(|cube| inside(&cube))
        };
        let leftovers: Vec<_> = live.iter().flat_map(|it| it.mesh().leftover()).collect();
        for wanted in dim(dims).up_to() {
            let here = leftovers.iter().any(|&home| has(home, wanted));
            match pool.clone().would_fit(line(wanted.nodes())) {
                Err(Refusal::Fragmented { largest }) => {
                    prop_assert!(!here, "{wanted} dimensions are there");
                    prop_assert!(largest < wanted);
                    prop_assert_eq!(pool.would_fit(line(largest.nodes())), Ok(()));
                }
                Err(_) => prop_assert!(!here),
                Ok(()) => {}
            }
        }
        Ok(())
    };
    runner("mesh_leftovers", 250).run(&histories(), run).unwrap();
}

/// A mesh, whatever came and went in its leftover: with its tenants gone and all nodes repaired the
/// pool answers, address by address, as one that has granted this mesh only.
fn with_tenants_gone_and_nodes_repaired_a_leftover_is_as_fresh<R: Rule>() {
    let input = (histories(), any::<[u32; 3]>());
    let run = |((dims, steps), sides): ((u8, Vec<Step>), [u32; 3])| {
        let sides = sides.map(|side| 1 + side % (1 << (dims / 2)));
        let Ok(shape) = Shape::try_from(sides) else { return Ok(()) };
        let (mut pool, mut fresh) = (reused::<R>(dims), reused::<R>(dims));
        let Ok(owner) = pool.allocate(shape) else { return Ok(()) };
        fresh.allocate(shape).unwrap();
        let mut live = vec![];
        // Only what lies in the leftover: of what lies outside the strategy has its own memory.
        for step in &steps {
            take_step::<R>(&mut pool, &mut live, step);
            live.retain(|lease| {
                let inside = owner.cube().contains_cube(&lease.cube());
                inside || pool.release(*lease).is_err()
            });
        }
        live.into_iter().for_each(|lease| pool.release(lease).unwrap());
        pool.repair(&(0..pool.dims().nodes()).map(Node).collect::<Vec<_>>()).unwrap();
        pool.check_invariants().unwrap();
        prop_assert_eq!(pool.stats().auxiliary, fresh.stats().auxiliary);
        let largest = |pool: &mut Meshes<R>| {
            let mut got = vec![];
            for wanted in dim(dims).up_to().rev() {
                while pool.stats().auxiliary >= wanted.nodes() {
                    let Ok(lease) = pool.allocate(line(wanted.nodes())) else { break };
                    got.push(lease.cube());
                }
            }
            got.retain(|cube| owner.cube().contains_cube(cube));
            got
        };
        prop_assert_eq!(largest(&mut pool), largest(&mut fresh));
        Ok(())
    };
    runner("mesh_as_fresh", 250).run(&input, run).unwrap();
}

/// Over the list of the literature the auxiliary list is the printed one, which only joins pairs.
#[test]
fn the_list_of_the_literature_leaves_pieces() {
    let mut pool = reused::<FreeListPlain>(5);
    drain_and_repair_in_an_unlucky_order::<FreeListPlain>(&mut pool);
    assert_eq!(pool.free(), 8);
    let largest = dim(1);
    assert_eq!(pool.allocate(line(8)), Err(Refusal::Fragmented { largest }));
    pool.check_invariants().unwrap();
}

macro_rules! for_each_that_recombines {
    ($($module:ident $rule:ident)+) => {$(
        locox_oracles::for_each_strategy!(@ $module $rule
            a_leftover_that_was_repaired_in_any_order_is_whole
            refusals_are_exact
            with_tenants_gone_and_nodes_repaired_a_leftover_is_as_fresh
        );
    )+};
}
for_each_that_recombines!(buddy Buddy gray_code GrayCode free_list FreeList complete Complete);
