//! Nodes with quantities against who holds what.

use super::Draws;
use locox::bits::Word;
use locox::machine::{Held, Machine, MakeRoom, Stake, Timetable};
use locox::nodes::{Amounts, NodeRequest};
use locox::reserve::Interval;
use locox::time::{Duration, Instant};
use locox_oracles::exhaust::three_nodes;
use locox_oracles::machine::nodes::{Cluster, Holder, Rule, Wish, machine, map, place, request};
use locox_oracles::nodes::least_room;

fn wish(amounts: &[u32]) -> Wish {
    Wish {
        nodes: 1..=1,
        tasks: false,
        amounts: amounts.to_vec(),
        part: 0,
        common: vec![],
        allowed: vec![0, 1, 2],
        exclusive: false,
    }
}

/// The set of the nodes that a wish allows.
fn set(wish: &Wish) -> &'static [Word] {
    let bits = wish.allowed.iter().fold(0, |bits, node| bits | 1 << node);
    vec![bits].leak()
}

/// All that a wish could hold on top of these: any device, any nodes.
fn ways(cluster: &Cluster, wish: &Wish, holders: &[Holder]) -> Vec<Holder> {
    let mut ways = vec![];
    for nodes in 1u32..1 << cluster.nodes.len() {
        let nodes: Vec<_> =
            (0..cluster.nodes.len()).filter(|node| nodes >> node & 1 == 1).collect();
        let fewer =
            Wish { allowed: nodes.clone(), nodes: nodes.len()..=nodes.len(), ..wish.clone() };
        if wish.tasks || !wish.nodes.contains(&nodes.len()) {
            continue;
        }
        ways.extend(cluster.find(&fewer, &Rule::First, &[holders.to_vec()]));
    }
    ways
}

/// Fewest lost for such of the wishes as differ, by devices if there are any.
fn fewest(cluster: &Cluster, wishes: &[Wish]) -> Rule {
    let quantity = cluster.devices.map_or(0, |it| it.0);
    let mut kinds = vec![];
    for wish in wishes.iter().filter(|it| !it.tasks) {
        if cluster.is_new_kind(wish, quantity, &kinds) {
            kinds.push(wish.clone());
        }
    }
    Rule::Fewest(quantity, kinds)
}

/// Kernel and model find the same in a state; how often they find something. What fits does so without each of the holders, too, and so
/// does what it covers.
fn agree(cluster: &Cluster, wishes: &[Wish], holders: &[Holder]) -> usize {
    let mut found = 0;
    let fits = |wish: &Wish, holders: &[Holder]| {
        cluster.find(wish, &Rule::First, &[holders.to_vec()]).is_some()
    };
    let kernel = machine(cluster, &Rule::First);
    for wish in wishes.iter().filter(|wish| fits(wish, holders)) {
        for gone in 0..holders.len() {
            let others = [&holders[..gone], &holders[gone + 1..]].concat();
            assert!(fits(wish, &others), "{wish:?} beside {others:?}");
        }
        let covered =
            |other: &&Wish| kernel.covers(&request(wish, set(wish)), &request(other, set(other)));
        for other in wishes.iter().filter(covered) {
            assert!(fits(other, holders), "{wish:?} covers {other:?} beside {holders:?}");
        }
    }
    for rule in [Rule::First, Rule::Best, fewest(cluster, wishes)] {
        let machine = machine(cluster, &rule);
        let map = map(&machine, holders);
        for wish in wishes {
            let of = request(wish, set(wish));
            let mut room = vec![u32::MAX; machine.words().room];
            let own = machine.find(&map, &of, &mut room);
            let expected = cluster.find(wish, &rule, &[holders.to_vec()]);
            assert_eq!(own, expected.as_ref().map(place), "{wish:?} beside {holders:?}");
            if let Some(own) = own {
                assert!(machine.has(&map, &own));
                found += 1;
            }
        }
    }
    found
}

/// Four requests, each of which may be held up to three times: all states that there are.
#[test]
fn all_states_of_three_nodes() {
    let cluster = three_nodes(Rule::First, 0).cluster;
    let wishes = [
        wish(&[1, 1]),
        Wish { nodes: 1..=2, ..wish(&[1, 0, 1]) },
        Wish { part: 1, common: vec![1], ..wish(&[1]) },
        Wish { exclusive: true, ..wish(&[1]) },
    ];
    let all_wishes = [
        &wishes[..],
        &[
            Wish { tasks: true, nodes: 4..=4, ..wish(&[1]) },
            Wish { allowed: vec![1, 2], ..wish(&[0, 1]) },
            Wish { nodes: 3..=3, ..wish(&[1, 1]) },
            Wish { part: 1, ..wish(&[1, 0, 1]) },
            wish(&[1, 0, 3]),
        ],
    ]
    .concat();
    let key = |holders: &[Holder]| {
        let mut names: Vec<_> = holders.iter().map(|it| format!("{it:?}")).collect();
        names.sort();
        names.join(";")
    };
    let (mut known, mut open) = (std::collections::HashSet::new(), vec![vec![]]);
    let mut found = 0;
    while let Some(holders) = open.pop() {
        if !known.insert(key(&holders)) {
            continue;
        }
        found += agree(&cluster, &all_wishes, &holders);
        for wish in &wishes {
            for way in ways(&cluster, wish, &holders) {
                open.push([&holders[..], &[way]].concat());
            }
        }
    }
    println!("{} states, {found} places", known.len());
    assert!(known.len() > 1_000, "{}", known.len());
}

/// Any cluster, and any wishes for it.
fn drawn(draws: &mut Draws) -> (Cluster, Vec<Wish>) {
    let quantities = 1 + draws.below(4) as usize;
    // Each job takes of the first quantity: who has nothing of a node is not there.
    let node = |draws: &mut Draws| {
        (0..quantities).map(|at| draws.below(6).max(u64::from(at == 0)) as u32).collect()
    };
    let nodes: Vec<Vec<u32>> = (0..1 + draws.below(5)).map(|_| node(draws)).collect();
    let devices =
        (draws.below(2) == 0).then(|| (draws.below(4) as usize, 1 + draws.below(4) as u32));
    let common = (0..draws.below(3)).map(|_| draws.below(4) as u32).collect::<Vec<_>>();
    let wishes = (0..8).map(|_| {
        let least = 1 + draws.below(2) as usize;
        let one = devices.is_some() && draws.below(3) == 0;
        let nodes_asked = if one { 1..=1 } else { least..=least + draws.below(3) as usize };
        let tasks = !one && draws.below(4) == 0;
        let tasked = 1 + draws.below(12) as usize;
        Wish {
            nodes: if tasks { tasked..=tasked } else { nodes_asked },
            tasks,
            amounts: (0..quantities)
                .map(|at| draws.below(3).max(u64::from(at == 0)) as u32)
                .collect(),
            part: if one { 1 + draws.below(4) as u32 } else { 0 },
            common: common.iter().map(|_| draws.below(2) as u32).collect(),
            allowed: (0..nodes.len()).filter(|_| draws.below(5) > 0).collect(),
            exclusive: !one && draws.below(5) == 0,
        }
    });
    let wishes = wishes.filter(|it| !it.allowed.is_empty()).collect();
    (Cluster { nodes, common, devices }, wishes)
}

fn random_operations(clusters: u64, operations: usize) {
    let mut draws = Draws(clusters);
    let (mut starts, mut refused) = (0, 0);
    for _ in 0..clusters {
        let (cluster, wishes) = drawn(&mut draws);
        if wishes.is_empty() {
            continue;
        }
        let sets: Vec<_> = wishes.iter().map(set).collect();
        let rules = [Rule::First, Rule::Best, fewest(&cluster, &wishes)];
        let machines = rules.each_ref().map(|rule| machine(&cluster, rule));
        let mut holders: Vec<Holder> = vec![];
        for _ in 0..operations {
            if draws.below(3) == 0 && !holders.is_empty() {
                holders.swap_remove(draws.below(holders.len() as u64) as usize);
                continue;
            }
            let at = draws.below(wishes.len() as u64) as usize;
            let rule = draws.below(3) as usize;
            let machine = &machines[rule];
            let map = map(machine, &holders);
            let of = request(&wishes[at], sets[at]);
            let own = machine.find(&map, &of, &mut vec![0; machine.words().room]);
            let expected = cluster.find(&wishes[at], &rules[rule], std::slice::from_ref(&holders));
            assert_eq!(
                own,
                expected.as_ref().map(place),
                "{:?} beside {holders:?} in {cluster:?}",
                wishes[at]
            );
            starts += u64::from(expected.is_some());
            refused += u64::from(expected.is_none());
            holders.extend(expected);
        }
    }
    println!("{starts} places, {refused} times none");
    assert!(starts > 10 * clusters && refused > 10 * clusters);
}

#[test]
fn random_clusters() {
    random_operations(1_000, 60);
}

#[test]
#[ignore = "takes seconds; ci/test runs it"]
fn a_million_operations_on_random_clusters() {
    random_operations(17_000, 60);
}

/// What fits throughout a time fits at each of its instants, and the earliest time is found.
#[test]
fn timetables_are_those_of_each_tick() {
    let (mut draws, mut later, mut never) = (Draws(5), 0, 0);
    for case in 0..3_000 {
        let (cluster, wishes) = drawn(&mut draws);
        if wishes.is_empty() {
            continue;
        }
        let rules = [Rule::First, Rule::Best, fewest(&cluster, &wishes)];
        let rule = &rules[draws.below(3) as usize];
        let machine = machine(&cluster, rule);
        let mut held: Vec<(Holder, Interval)> = vec![];
        let at = |held: &[(Holder, Interval)], tick: u64| -> Vec<Holder> {
            let now =
                |it: &&(Holder, Interval)| (it.1.start.ticks()..it.1.end.ticks()).contains(&tick);
            held.iter().filter(now).map(|it| it.0.clone()).collect()
        };
        for _ in 0..1 + draws.below(9) {
            let wish = &wishes[draws.below(wishes.len() as u64) as usize];
            let start = draws.below(12);
            let end = start + 1 + draws.below(6);
            let instants: Vec<_> = (start..end).map(|tick| at(&held, tick)).collect();
            let during =
                Interval { start: Instant::from_ticks(start), end: Instant::from_ticks(end) };
            // Sometimes a node goes out of service where jobs run.
            let out = Holder {
                nodes: vec![draws.below(cluster.nodes.len() as u64) as usize],
                amounts: None,
                part: None,
                common: vec![],
            };
            let new = match draws.below(9) {
                0 => Some(out),
                _ => cluster.find(wish, rule, &instants),
            };
            held.extend(new.map(|it| (it, during)));
        }
        let mut rows: Vec<_> = held.iter().map(|(it, at)| Held::new(place(it), *at)).collect();
        rows.sort_by_key(|it| it.at.end);
        let mut words = vec![u32::MAX; Timetable::words(&machine)];
        let mut timetable = Timetable::new(&machine, &rows, &mut words).unwrap();
        for wish in &wishes {
            let (ready, duration) = (draws.below(12), 1 + draws.below(9));
            let find = |start: u64| {
                let instants: Vec<_> = (start..start + duration).map(|it| at(&held, it)).collect();
                cluster.find(wish, rule, &instants)
            };
            let expected = (ready..24).find_map(|start| Some((start, find(start)?)));
            let time = Duration::from_ticks(duration);
            let found =
                timetable.earliest(&request(wish, set(wish)), Instant::from_ticks(ready), time);
            assert_eq!(
                found.map(|(start, place)| (start.ticks(), place)),
                expected.as_ref().map(|(start, it)| (*start, place(it))),
                "case {case}: {wish:?} from {ready} for {duration} beside {held:?} in {cluster:?}"
            );
            later += u32::from(expected.as_ref().is_some_and(|it| it.0 > ready));
            never += u32::from(expected.is_none());
        }
    }
    println!("{later} later, {never} never");
    assert!(later > 1_000 && never > 1_000, "{later} {never}");
}

/// A part lies on one device, so more nodes are of no use to it.
#[test]
fn a_part_is_had_on_one_node() {
    let cluster = Cluster { nodes: vec![vec![2, 2]; 2], common: vec![], devices: Some((1, 4)) };
    let machine = machine(&cluster, &Rule::First);
    let half = NodeRequest::part(2, Amounts::of(&[1]));
    let part = Wish { part: 3, allowed: vec![0, 1], ..wish(&[1]) };
    let holder = cluster.find(&part, &Rule::First, &[vec![]]).unwrap();
    let map = map(&machine, &[holder]);
    let found = machine.find(&map, &half.up_to(2), &mut vec![0; machine.words().room]);
    assert_eq!(found, machine.find(&map, &half, &mut []));
    assert!(found.is_some_and(|it| machine.has(&map, &it)));
}

/// More than any number is not to be had, where a node has the largest one, too.
#[test]
fn tasks_that_want_more_than_any_number_have_no_place() {
    let nodes = vec![vec![4, u32::MAX]; 2];
    let cluster = Cluster { nodes, common: vec![], devices: None };
    let machine = machine(&cluster, &Rule::First);
    let mut room = vec![0; machine.words().room];
    let mut count = |tasks, memory| {
        let of = NodeRequest::tasks(tasks, Amounts::of(&[1, memory]));
        machine.find(&map(&machine, &[]), &of, &mut room).map(|it| it.nodes().count())
    };
    assert_eq!(
        (count(2, u32::MAX / 2), count(2, 1 << 31), count(4, 1 << 31)),
        (Some(1), Some(2), None)
    );
}

/// Devices held as a whole have no numbers: whoever starts then finds one of which nobody has anything, and keeps it.
#[test]
fn there_is_a_device_for_whoever_has_a_place() {
    let cluster = Cluster { nodes: vec![vec![64, 4]], common: vec![], devices: Some((1, 4)) };
    let machine = machine(&cluster, &Rule::Best);
    let (mut draws, mut shared) = (Draws(9), 0);
    for _ in 0..300 {
        // Plans of places at any times, each of which is free throughout.
        let mut rows: Vec<Held<_>> = vec![];
        for _ in 0..40 {
            let start = draws.below(60);
            let during = Interval {
                start: Instant::from_ticks(start),
                end: Instant::from_ticks(start + 1 + draws.below(20)),
            };
            let wish = match draws.below(3) {
                0 => wish(&[1, 1 + draws.below(2) as u32]),
                _ => Wish { part: 1 + draws.below(4) as u32, ..wish(&[1]) },
            };
            let of = request(&wish, &[]);
            let mut words = vec![0; Timetable::words(&machine)];
            let mut timetable = Timetable::new(&machine, &rows, &mut words).unwrap();
            if let Some(place) = timetable.place(&of, during) {
                let rank = rows.partition_point(|it| it.at.end <= during.end);
                rows.insert(rank, Held::new(place, during));
            }
        }
        // In the hardware: each takes what is free when it starts, or joins those with a part of the same device.
        rows.sort_by_key(|it| it.at.start);
        let mut given: Vec<(Vec<usize>, Option<u32>, u64)> = vec![];
        for it in &rows {
            let now = it.at.start.ticks();
            given.retain(|(.., end)| *end > now);
            let free = |given: &[(Vec<usize>, Option<u32>, u64)]| -> Vec<usize> {
                (0..4).filter(|at| given.iter().all(|it| !it.0.contains(at))).collect()
            };
            let end = it.at.end.ticks();
            match it.place.part() {
                Some((_, device)) => {
                    let same = given.iter().find(|it| it.1 == Some(device));
                    shared += u32::from(same.is_some());
                    let own = same.map_or_else(|| free(&given)[..1].to_vec(), |it| it.0.clone());
                    given.push((own, Some(device), end));
                }
                None => {
                    let count = it.place.amounts().unwrap().get(1) as usize;
                    let own = free(&given)[..count].to_vec();
                    given.push((own, None, end));
                }
            }
        }
    }
    assert!(shared > 1_000, "{shared}");
}

/// Who makes room, against all sets of holders: how often at the least cost as it says, and for others how much more it costs.
fn room_in_random_states(seed: u64, states: u32, several: bool) -> (u32, Vec<f64>) {
    let mut draws = Draws(seed);
    let (mut exact, mut ratios) = (0, vec![]);
    for _ in 0..states {
        let (cluster, wishes) = drawn(&mut draws);
        let (mut kept, mut holders) = (vec![], vec![]);
        for _ in 0..40 {
            if wishes.is_empty() || holders.len() == 9 {
                break;
            }
            let wish = &wishes[draws.below(wishes.len() as u64) as usize];
            let all: Vec<_> = kept
                .iter()
                .chain(holders.iter().map(|it: &(Holder, u64)| &it.0))
                .cloned()
                .collect();
            let Some(own) = cluster.find(wish, &Rule::First, &[all]) else { continue };
            let alone = own.nodes.len() == 1 && own.common.iter().all(|it| *it == 0);
            match draws.below(8) {
                0 => kept.push(own),
                _ if several || alone => holders.push((own, 1 + draws.below(9))),
                _ => {}
            }
        }
        let machine = machine(&cluster, &Rule::Best);
        let words = machine.words();
        for wish in &wishes {
            let expected = least_room(&cluster, wish, &kept, &holders);
            let mut map = map(&machine, &kept);
            let stakes =
                (0..).zip(&holders).map(|(at, (own, cost))| Stake::new(place(own), at, *cost));
            let mut stakes: Vec<_> = stakes.collect();
            let (mut room, mut sums) = (vec![0; words.room], vec![u64::MAX; machine.sums()]);
            let of = request(wish, set(wish));
            let case = format!("{wish:?} in {cluster:?} beside {holders:?} and {kept:?}");
            let made = machine.make_room(&mut map, &of, &mut stakes, &mut room, &mut sums);
            assert_eq!(made.is_some(), expected.is_some(), "{case}");
            let Some(((at, cost), least)) = made.zip(expected) else { continue };
            let leaving = || stakes.iter().filter(|it| it.yields);
            assert_eq!(leaving().map(|it| it.cost).sum::<u64>(), cost.sum, "{case}");
            let wants_common = wish.common.iter().any(|it| *it > 0);
            assert!(cost.least || several || wants_common, "{case}");
            if cost.least {
                exact += 1;
                assert_eq!(cost.sum, least, "{case}");
                assert!(
                    leaving()
                        .all(|it| it.place.nodes().any(|node| at.nodes().any(|it| it == node)))
                );
            } else {
                assert!(cost.sum >= least, "{case}");
                if least > 0 {
                    ratios.push(cost.sum as f64 / least as f64);
                }
            }
        }
    }
    (exact, ratios)
}

#[test]
fn jobs_on_one_node_make_room_at_the_least_cost() {
    let (exact, _) = room_in_random_states(1, 3_000, false);
    assert!(exact > 5_000, "{exact}");
}

/// Where that is no longer the least there is room all the same, for little more.
#[test]
fn jobs_on_several_nodes_make_room() {
    let (_, ratios) = room_in_random_states(2, 2_000, true);
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let (least, worst) = (
        ratios.iter().filter(|it| **it == 1.0).count(),
        ratios.iter().fold(1.0, |one: f64, it| one.max(*it)),
    );
    println!(
        "{mean:.3} times the least in the mean, {worst} at worst; the least in {least} of {}",
        ratios.len()
    );
    assert!(ratios.len() > 1_000 && mean < 1.05, "{mean}");
}
