//! Eight nodes with cores, memory and GPUs of four parts each: 16 customers, each of which asks for some of that or gives back what it
//! has. If a request is refused, it is asked which leases would have to end for it. Now and then nodes fail and are repaired.

use super::Watch;
use super::random::{draw, random};
use alloc::vec;
use alloc::vec::Vec;
use locox::cube::Node;
use locox::handle::PoolId;
use locox::machine::{Cost, Machine, MakeRoom, Stake};
use locox::nodes::{
    Amounts, NodeLease, NodePlace, NodePool, NodeRequest, NodeRow, Nodes, Outage, Placement,
};
use rand_pcg::Pcg32;

const CALLS: u32 = 1000;
/// Fewer than customers, so that sometimes none is left.
const ROWS: usize = 12;

type Pool<'n> = NodePool<'n, 1, Vec<NodeRow<1>>, Vec<u32>>;

pub(super) fn run(placement: Placement, watch: &mut impl Watch) -> Option<()> {
    let classes = [Amounts::of(&[64, 256]), Amounts::of(&[32, 512, 4])];
    let class_of = [0, 0, 0, 0, 1, 1, 1, 1];
    let machine = Nodes::new(&classes, &class_of, placement).ok()?.with_parts(2, 4).ok()?;
    let words = vec![0; machine.pool_words()];
    let mut pool = Pool::new(PoolId(1), machine, vec![NodeRow::EMPTY; ROWS], words).ok()?;
    let mut random = random();
    let mut customers: [Option<NodeLease<1>>; 16] = [None; 16];
    for _ in 0..CALLS {
        let (kind, node) = (draw(&mut random, 32), Node(draw(&mut random, 8)));
        let request = request(&mut random);
        match kind {
            0 => {
                let _ = watch.call("withdraw", || pool.withdraw(&[node], Outage::Failed, |_| ()));
            }
            1..4 => drop(watch.call("repair", || pool.repair(&[node]))),
            4 => drop(watch.call("would fit", || pool.would_fit(&request))),
            5 => drop(watch.call("free", || pool.free(node))),
            _ => {
                let customer = customers.get_mut(draw(&mut random, 16) as usize)?;
                if let Some(lease) = customer.take() {
                    let _ = watch.call("release", || pool.release(lease));
                    continue;
                }
                if placement == Placement::Fewest {
                    watch.see("learn", || pool.learn(&request));
                }
                *customer = watch.call("allocate", || pool.allocate(&request)).ok();
                if customer.is_none() {
                    make_room(&pool, &request, watch);
                }
            }
        }
    }
    Some(())
}

fn request(random: &mut Pcg32) -> NodeRequest<'static> {
    let cores = 1 << draw(random, 6);
    let memory = cores * (1 + draw(random, 8));
    let amounts = Amounts::of(&[cores, memory]);
    match draw(random, 8) {
        0 => NodeRequest::of(2, amounts).up_to(4),
        1 => NodeRequest::tasks(12, Amounts::of(&[4, memory.min(32)])),
        2 => NodeRequest::of(1, amounts).exclusive(),
        3 | 4 => NodeRequest::of(1, Amounts::of(&[cores, memory, 1 + draw(random, 4)])),
        5 | 6 => NodeRequest::part(1 + draw(random, 4), Amounts::of(&[cores.min(8), memory])),
        _ => NodeRequest::of(1, amounts),
    }
}

/// A lease costs more the longer ago its row was used first.
fn make_room(pool: &Pool<'_>, of: &NodeRequest<'_>, watch: &mut impl Watch) {
    let machine = pool.machine();
    let words = machine.words();
    let (mut map, mut room) = (vec![0; words.map], vec![0; words.room]);
    machine.open(&mut map);
    let is_out = |node: &Node| pool.state(*node).is_ok_and(|it| it.outage.is_some());
    machine.take(&mut map, &NodePlace::whole((0..machine.nodes()).map(Node).filter(is_out)));
    let stake = |it: NodeLease<1>| {
        let row = it.handle().index();
        Stake::new(*it.place(), row, u64::from(32 - row))
    };
    let mut stakes: Vec<_> = pool.leases().map(stake).collect();
    let mut sums = vec![0; machine.sums()];
    let _ = watch.call("make room", || {
        let made = machine.make_room(&mut map, of, &mut stakes, &mut room, &mut sums);
        made.map(|(place, Cost { sum, least })| (place, sum, least)).ok_or(())
    });
}
