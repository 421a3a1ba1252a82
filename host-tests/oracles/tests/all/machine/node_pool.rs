//! A pool of nodes with quantities against who holds what.

use super::Draws;
use super::nodes::{drawn, fewest, set};
use locox::cube::Node;
use locox::handle::{Epoch, Misuse, PoolId};
use locox::nodes::{Amounts, NodeLease, NodePool, NodeRow, NodeState, Outage, Refusal};
use locox_oracles::machine::nodes::{Cluster, Holder, Rule, Wish, machine, place, request};

type Pool = NodePool<'static, 1, Vec<NodeRow<1>>, Vec<u32>>;

/// More leases than there are rows now and then.
const ROWS: usize = 3;

fn pool(cluster: &Cluster, rule: &Rule) -> Pool {
    let machine = machine(cluster, rule);
    let words = vec![u32::MAX; machine.pool_words()];
    NodePool::new(PoolId(3), machine, vec![NodeRow::EMPTY; ROWS], words).unwrap()
}

/// All nodes that are out of service, as somebody who holds all that they have.
fn holder_of(out: &[usize]) -> Vec<Holder> {
    let whole =
        |&node: &usize| Holder { nodes: vec![node], amounts: None, part: None, common: vec![] };
    out.iter().map(whole).collect()
}

/// What the model says, or why it has nothing.
fn expected(
    cluster: &Cluster,
    rule: &Rule,
    wish: &Wish,
    held: &[Holder],
    out: &[usize],
) -> Result<Holder, Refusal> {
    let find = |holders: &[Holder]| cluster.find(wish, rule, &[holders.to_vec()]);
    let beside = [held, &holder_of(out)].concat();
    if let Some(found) = find(&beside) {
        return if held.len() == ROWS { Err(Refusal::Full) } else { Ok(found) };
    }
    if find(&[]).is_none() {
        return Err(Refusal::NoPlace);
    }
    if find(&holder_of(out)).is_none() {
        return Err(Refusal::Faulty);
    }
    let free = (0..cluster.nodes.len()).map(|node| cluster.free(node, &beside).amounts[0]).sum();
    let needed = wish.amounts[0] * *wish.nodes.start() as u32;
    Err(if needed > free { Refusal::TooFewFree { needed, free } } else { Refusal::Fragmented })
}

#[test]
fn a_pool_of_nodes_grants_what_the_model_finds() {
    let mut draws = Draws(11);
    let mut reasons = std::collections::HashMap::new();
    for case in 0..1_500 {
        let (cluster, wishes) = drawn(&mut draws);
        if wishes.is_empty() {
            continue;
        }
        let sets: Vec<_> = wishes.iter().map(set).collect();
        let rules = [Rule::First, Rule::Best, fewest(&cluster, &wishes)];
        let rule = &rules[draws.below(3) as usize];
        let mut pool = pool(&cluster, rule);
        let (mut held, mut out): (Vec<(Holder, NodeLease<1>)>, Vec<usize>) = (vec![], vec![]);
        for step in 0..40 {
            let node = draws.below(cluster.nodes.len() as u64 + 1) as usize;
            let (named, is_known) = ([Node(node as u32)], node < cluster.nodes.len());
            match draws.below(12) {
                0..4 if !held.is_empty() => {
                    let (_, lease) = held.swap_remove(draws.below(held.len() as u64) as usize);
                    assert_eq!(pool.release(lease), Ok(()));
                    assert_eq!(pool.release(lease), Err(Misuse::Stale));
                }
                4 => {
                    let mut hit = vec![];
                    let done = pool.withdraw(&named, Outage::Drained, |lease| hit.push(lease));
                    assert_eq!(done.is_ok(), is_known);
                    let has = |it: &&(Holder, NodeLease<1>)| it.0.nodes.contains(&node);
                    let mut had: Vec<_> = held.iter().filter(has).map(|it| it.1).collect();
                    had.sort_by_key(|it| it.handle().index());
                    assert_eq!(hit, had);
                    out.retain(|&it| it != node);
                    out.extend(is_known.then_some(node));
                }
                5 => {
                    assert_eq!(pool.repair(&named).is_ok(), is_known);
                    out.retain(|&it| it != node);
                }
                6 => {
                    let mut image = vec![];
                    pool.export(|word| image.push(word));
                    pool.restore(image, Epoch(step)).unwrap();
                    for (holder, lease) in &mut held {
                        let same = pool.leases().find(|it| it.place() == &place(holder));
                        *lease = pool.lease(lease.handle()).unwrap();
                        assert!(same.is_some());
                    }
                }
                _ => {
                    let at = draws.below(wishes.len() as u64) as usize;
                    let holders: Vec<_> = held.iter().map(|it| it.0.clone()).collect();
                    let expected = expected(&cluster, rule, &wishes[at], &holders, &out);
                    let would = pool.would_fit(&request(&wishes[at], sets[at]));
                    let own = pool.allocate(&request(&wishes[at], sets[at]));
                    let told =
                        format!("case {case}: {:?} beside {held:?} in {cluster:?}", wishes[at]);
                    assert_eq!(would, own.map(|it| *it.place()), "{told}");
                    assert_eq!(
                        own.map(|it| *it.place()),
                        expected.clone().map(|it| place(&it)),
                        "{told}"
                    );
                    let reason = own.err().map_or("granted".into(), |it| format!("{it:?}"));
                    let reason = reason.split(' ').next().unwrap_or_default().to_owned();
                    *reasons.entry(reason).or_insert(0u32) += 1;
                    held.extend(expected.ok().zip(own.ok()));
                }
            }
            pool.check_invariants().unwrap();
            let beside: Vec<_> =
                held.iter().map(|it| it.0.clone()).chain(holder_of(&out)).collect();
            if is_known {
                let free = cluster.free(node, &beside);
                assert_eq!(pool.free(named[0]), Ok(Amounts::of(&free.amounts)));
                for (device, &parts) in (0..).zip(&free.parts) {
                    assert_eq!(pool.free_parts(named[0], device), Ok(parts));
                }
                let leased = held.iter().any(|it| it.0.nodes.contains(&node));
                let outage = out.contains(&node).then_some(Outage::Drained);
                assert_eq!(pool.state(named[0]), Ok(NodeState { leased, outage }));
            }
        }
    }
    println!("{reasons:?}");
    assert!(reasons.len() == 6 && reasons.values().all(|&it| it > 100), "{reasons:?}");
}
