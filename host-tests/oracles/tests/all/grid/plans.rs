//! Plans of moves beside all sequences of moves: small tori with any leases.
//!
//! Moves can be taken back, so that one search from all states in which a request fits says of each other
//! one with the same shapes how far it is from there. States that turn into each other by moving or mirroring the torus
//! along its axes are one: of 25,038,027 of a torus of 4x4 there are 411,527 left.

use locox::cube::Node;
use locox::error::Error;
use locox::grid::{
    Anchors, BoxLease, BoxRequest, Cuboid, Grid, GridPool, NoPlan, Outage, Placement, Plan,
    Refusal, Sides, words,
};
use locox::handle::PoolId;
use locox_oracles::grid::Model;
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;

/// Nodes along each axis of a torus.
type Axes = [u8; 2];

const NONE: u8 = u8::MAX;

/// A box of the torus: where it begins, its sides, and its nodes as a set.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Box {
    from: [u8; 2],
    sides: [u8; 2],
    nodes: u16,
}

fn box_of(axes: Axes, from: [u8; 2], sides: [u8; 2]) -> Box {
    let from =
        [0, 1].map(|axis| if sides[axis] == axes[axis] { 0 } else { from[axis] % axes[axis] });
    let mut nodes = 0;
    for (x, y) in (0..sides[0]).flat_map(|x| (0..sides[1]).map(move |y| (x, y))) {
        nodes |= 1 << ((from[0] + x) % axes[0] + axes[0] * ((from[1] + y) % axes[1]));
    }
    Box { from, sides, nodes }
}

/// Sets of disjoint boxes by number, in rising order.
type Leases = [u8; 16];

struct Torus {
    axes: Axes,
    boxes: Vec<Box>,
    /// For each way to move and mirror it, where each box goes.
    images: Vec<Vec<u8>>,
}

impl Torus {
    fn new(axes: Axes) -> Self {
        let pairs = |from: u8, to: Axes| {
            (from..to[0]).flat_map(move |x| (from..to[1]).map(move |y| [x, y]))
        };
        let mut boxes: Vec<Box> = vec![];
        for sides in pairs(1, axes.map(|nodes| nodes + 1)) {
            for from in pairs(0, axes) {
                let one = box_of(axes, from, sides);
                if !boxes.contains(&one) {
                    boxes.push(one);
                }
            }
        }
        let number = |it: Box| boxes.iter().position(|one| *one == it).unwrap() as u8;
        let image = |by: [u8; 2], mirrored: [u8; 2]| {
            let of = |one: &Box| {
                let from = [0, 1].map(|axis| {
                    let last = 2 * axes[axis] - one.from[axis] - one.sides[axis];
                    by[axis] + if mirrored[axis] == 1 { last } else { one.from[axis] }
                });
                number(box_of(axes, from, one.sides))
            };
            boxes.iter().map(of).collect()
        };
        let ways =
            pairs(0, axes).flat_map(|by| pairs(0, [2, 2]).map(move |mirrored| (by, mirrored)));
        let images = ways.map(|(by, mirrored)| image(by, mirrored)).collect();
        Self { axes, boxes, images }
    }

    fn live<'a>(&'a self, leases: &'a Leases) -> impl Iterator<Item = (usize, Box)> + 'a {
        let live = leases.iter().take_while(|&&it| it != NONE);
        live.map(|&it| self.boxes[usize::from(it)]).enumerate()
    }

    fn used(&self, leases: &Leases) -> u16 {
        self.live(leases).fold(0, |used, (_, it)| used | it.nodes)
    }

    fn canonical(&self, leases: &Leases) -> Leases {
        let image = |to: &Vec<u8>| {
            let mut image = leases.map(|it| to.get(usize::from(it)).copied().unwrap_or(NONE));
            image.sort_unstable();
            image
        };
        self.images.iter().map(image).min().unwrap()
    }

    fn with(&self, leases: &Leases, place: usize, number: u8) -> Leases {
        let mut leases = *leases;
        leases[place] = number;
        self.canonical(&leases)
    }

    fn fits(&self, leases: &Leases, sides: [u8; 2]) -> bool {
        let used = self.used(leases);
        self.boxes.iter().any(|it| it.sides == sides && it.nodes & used == 0)
    }
}

/// All states, and for each where one move leads and how many nodes that moves.
struct States {
    torus: Torus,
    all: Vec<Leases>,
    moves: Vec<Vec<(u32, u8)>>,
}

impl States {
    fn explore(axes: Axes) -> Self {
        let torus = Torus::new(axes);
        let mut all: Vec<Leases> = vec![[NONE; 16]];
        let mut index = HashMap::from([(all[0], 0u32)]);
        let mut at = 0;
        while let Some(leases) = all.get(at).copied() {
            let (count, used) = (torus.live(&leases).count(), torus.used(&leases));
            for (number, _) in torus.boxes.iter().enumerate().filter(|(_, it)| it.nodes & used == 0)
            {
                let next = torus.with(&leases, count, number as u8);
                index.entry(next).or_insert_with(|| {
                    all.push(next);
                    all.len() as u32 - 1
                });
            }
            at += 1;
        }
        let moves = all.iter().map(|leases| {
            let used = torus.used(leases);
            let mut moves = vec![];
            for (place, lease) in torus.live(leases) {
                for (number, to) in torus.boxes.iter().enumerate() {
                    if to.sides == lease.sides && to.nodes & used == 0 {
                        let next = index[&torus.with(leases, place, number as u8)];
                        moves.push((next, lease.nodes.count_ones() as u8));
                    }
                }
            }
            moves.sort_unstable();
            moves.dedup();
            moves
        });
        let moves = moves.collect();
        Self { torus, all, moves }
    }

    /// For each state the fewest moves after which such a box is free, and of as many the fewest nodes.
    fn distances(&self, sides: [u8; 2]) -> Vec<Option<(usize, u32)>> {
        let fits = |leases| self.torus.fits(leases, sides).then_some((0, 0));
        let mut found: Vec<_> = self.all.iter().map(fits).collect();
        let mut last: Vec<usize> = (0..found.len()).filter(|&at| found[at].is_some()).collect();
        for moves in 1.. {
            let mut next = vec![];
            for &at in &last {
                let (_, nodes) = found[at].unwrap();
                for &(to, size) in &self.moves[at] {
                    let (to, nodes) = (to as usize, nodes + u32::from(size));
                    match &mut found[to] {
                        None => {
                            found[to] = Some((moves, nodes));
                            next.push(to);
                        }
                        Some((known, least)) if *known == moves => *least = nodes.min(*least),
                        Some(_) => {}
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            last = next;
        }
        found
    }
}

fn cuboid(grid: Grid, it: Box) -> Cuboid {
    Cuboid::new(grid, grid.node_at(&it.from).unwrap(), Sides::new(&it.sides).unwrap()).unwrap()
}

type Pool = GridPool<[u64; 64]>;

fn pool_with(torus: &Torus, leases: &Leases) -> Pool {
    let grid = Grid::torus(&torus.axes).unwrap();
    assert!(words(grid) <= 64);
    let mut pool = GridPool::new(PoolId(0), grid, [0; 64], Placement::First, Anchors::Any).unwrap();
    for (_, lease) in torus.live(leases) {
        pool.claim(cuboid(grid, lease)).unwrap();
    }
    pool
}

/// Carries a plan out: each move must be possible when its turn comes.
fn carry_out(pool: &mut GridPool<impl AsRef<[u64]> + AsMut<[u64]>>, plan: &Plan) -> u32 {
    plan.moves().fold(0, |nodes, step| {
        let lease = pool.lease_at(step.from.origin()).unwrap();
        assert_eq!(lease.cuboid(), step.from);
        assert_eq!(step.from.sides(), step.to.sides());
        assert!(!step.from.meets(&step.to));
        pool.claim(step.to).unwrap();
        pool.release(lease).unwrap();
        nodes + step.to.len()
    })
}

/// Compares the plan for a request with the fewest moves and nodes that are known; `None` if no moves help.
fn compare(torus: &Torus, leases: &Leases, sides: [u8; 2], known: Option<(usize, u32)>) {
    let request = BoxRequest::Fixed(Sides::new(&sides).unwrap());
    let mut pool = pool_with(torus, leases);
    let (before, most) = (pool.clone(), known.map_or(2, |(moves, _)| moves));
    let plan = pool.defragment(request, most, u32::MAX, &mut [u32::MAX; 16]);
    assert!(pool.leases().eq(before.leases()), "nothing was moved");
    pool.check_invariants().unwrap();
    let Some((moves, nodes)) = known else {
        let Err(Error::Refused(NoPlan::Impossible | NoPlan::Refused(_))) = plan else {
            panic!("{leases:?}, {sides:?}: {plan:?}");
        };
        return;
    };
    let plan = plan.unwrap_or_else(|no| panic!("{leases:?}, {sides:?}: {no}, {known:?}"));
    assert_eq!((plan.moves().count(), plan.nodes()), (moves, nodes), "{leases:?}, {sides:?}");
    assert!(plan.is_best());
    assert_eq!(carry_out(&mut pool, &plan), nodes);
    assert_eq!(pool.would_fit(request), Ok(()), "{leases:?}, {sides:?}");
}

/// Compares plans in all states, under each request; how many states there are by the moves of the best plan.
fn compare_all(axes: Axes) -> [usize; 32] {
    let states = States::explore(axes);
    let mut seen = [0; 32];
    for sides in (1..=axes[0]).flat_map(|w| (1..=axes[1]).map(move |h| [w, h])) {
        for (leases, known) in states.all.iter().zip(states.distances(sides)) {
            compare(&states.torus, leases, sides, known);
            seen[known.map_or(31, |(moves, _)| moves)] += 1;
        }
    }
    seen
}

#[test]
fn plans_in_all_states_of_a_torus_of_4x3_are_the_best_there_are() {
    let seen = compare_all([4, 3]);
    assert!(seen[1] > 1000 && seen[2] > 500 && seen[3] > 20, "{seen:?}");
}

#[test]
#[ignore = "long: all states of the torus, under each request"]
fn plans_in_all_states_of_a_torus_of_4x4_are_the_best_there_are() {
    let seen = compare_all([4, 4]);
    println!("states by moves of the best plan, over all requests, last those without: {seen:?}");
}

impl Torus {
    /// The fewest moves up to two after which such a box is free, and of as many the fewest nodes, by all
    /// sequences of moves.
    fn shortest(&self, leases: &Leases, sides: [u8; 2]) -> Option<(usize, u32)> {
        if self.fits(leases, sides) {
            return Some((0, 0));
        }
        let mut now = vec![(*leases, 0)];
        for moves in 1..=2 {
            let mut next = vec![];
            for (leases, nodes) in &now {
                let used = self.used(leases);
                for (place, lease) in self.live(leases) {
                    let places = self.boxes.iter().enumerate();
                    let free =
                        places.filter(|(_, to)| to.sides == lease.sides && to.nodes & used == 0);
                    let size = lease.nodes.count_ones();
                    next.extend(free.map(|(to, _)| {
                        let mut leases = *leases;
                        leases[place] = to as u8;
                        (leases, nodes + size)
                    }));
                }
            }
            let fitting = next.iter().filter(|(leases, _)| self.fits(leases, sides));
            if let Some(nodes) = fitting.map(|(_, nodes)| *nodes).min() {
                return Some((moves, nodes));
            }
            now = next;
        }
        None
    }
}

#[test]
fn plans_of_two_moves_on_a_torus_of_4x4_are_the_best_there_are_or_there_are_none() {
    let torus = Torus::new([4, 4]);
    let mut random = rand_chacha(3);
    let mut seen = [0; 4];
    for _ in 0..2000 {
        let (mut leases, mut used) = ([NONE; 16], 0);
        let count = random.random_range(1..9);
        for lease in leases.iter_mut().take(count) {
            let places = torus.boxes.iter().enumerate();
            let small = places.filter(|(_, it)| it.nodes & used == 0 && it.nodes.count_ones() < 5);
            let small: Vec<_> = small.collect();
            if let Some(&(number, it)) = small.get(random.random_range(0..small.len().max(1))) {
                (*lease, used) = (number as u8, used | it.nodes);
            }
        }
        let sides = [random.random_range(1..=4), random.random_range(1..=4)];
        let known = torus.shortest(&leases, sides);
        compare(&torus, &leases, sides, known);
        seen[known.map_or(3, |(moves, _)| moves)] += 1;
    }
    assert!(seen[1] > 100 && seen[2] > 20 && seen[3] > 50, "{seen:?}");
}

/// A torus of 16x16x16 on which most of many small leases have ended.
fn crowded(seed: u64, anchors: Anchors) -> GridPool<Vec<u64>> {
    let grid = Grid::torus(&[16; 3]).unwrap();
    let storage = vec![0; words(grid)];
    let mut pool = GridPool::new(PoolId(0), grid, storage, Placement::First, anchors).unwrap();
    let mut random = rand_chacha(seed);
    let mut leases = vec![];
    while let Ok(lease) = {
        let sides = [0; 3].map(|_| random.random_range(1..5));
        pool.allocate(BoxRequest::Fixed(Sides::new(&sides).unwrap()))
    } {
        leases.push(lease);
    }
    for lease in leases {
        if random.random_range(0..100) < 70 {
            pool.release(lease).unwrap();
        }
    }
    pool
}

#[test]
fn plans_on_a_torus_of_4096_nodes_make_requests_fit_with_few_steps() {
    let mut found = 0;
    for (seed, side) in (0..6).flat_map(|seed| [4, 6, 8].map(|side| (seed, side))) {
        let mut pool = crowded(seed, Anchors::Any);
        let request = BoxRequest::Fixed(Sides::new(&[side; 3]).unwrap());
        let leases = pool.leases().count();
        match pool.defragment(request, 16, 2000, &mut vec![0; 4096]) {
            Ok(plan) => {
                found += usize::from(plan.moves().count() > 0);
                assert_eq!(carry_out(&mut pool, &plan), plan.nodes());
                assert_eq!(pool.would_fit(request), Ok(()));
            }
            Err(no) => assert_eq!(no, Error::Refused(NoPlan::Undecided)),
        }
        assert_eq!(pool.leases().count(), leases);
        pool.check_invariants().unwrap();
    }
    assert!(found > 6, "{found}");
}

#[test]
fn goals_and_moves_keep_to_the_steps() {
    let anchors = Anchors::steps(&[4, 2], &[0]).unwrap();
    let grid = Grid::torus(&[8, 4]).unwrap();
    let storage = vec![0; words(grid)];
    let mut pool = GridPool::new(PoolId(0), grid, storage, Placement::First, anchors).unwrap();
    let single = |x, y| {
        let origin = grid.node_at(&[x, y]).unwrap();
        Cuboid::new(grid, origin, Sides::new(&[1]).unwrap()).unwrap()
    };
    for (x, y) in [(1, 0), (4, 1), (0, 3), (5, 2)] {
        pool.claim(single(x, y)).unwrap();
    }
    // Four blocks of 4x2, each with a lease, which may move to (0, 0), (4, 0) and so on.
    let block = BoxRequest::Fixed(Sides::new(&[4, 2]).unwrap());
    let plan = pool.defragment(block, 4, u32::MAX, &mut [0; 32]).unwrap();
    let step = plan.moves().next().unwrap();
    let [x, y, ..] = step.to.corner();
    assert!(plan.is_best() && plan.moves().count() == 1 && x % 4 == 0 && y % 2 == 0, "{step:?}");
    let short = pool.defragment(block, 4, u32::MAX, &mut [0; 31]);
    assert!(matches!(short, Err(Error::Misused(_))));
    assert_eq!(pool.defragment(block, 0, 9, &mut [0; 32]), Err(Error::Refused(NoPlan::Impossible)));
    assert_eq!(pool.defragment(block, 4, 0, &mut [0; 32]), Err(Error::Refused(NoPlan::Undecided)));
}

/// Of four nodes none lie at a step: they need a lease beside them.
#[test]
fn a_goal_may_lie_in_leftover() {
    let grid = Grid::mesh(&[5]).unwrap();
    let mut pool = pool_on(grid, Anchors::steps(&[0], &[3]).unwrap().reused());
    let four = BoxRequest::Fixed(Sides::new(&[4]).unwrap());
    assert_eq!(pool.would_fit(four), Err(Refusal::Fragmented));
    let none = pool.defragment(four, 4, 1000, &mut [0; 5]);
    assert_eq!(none, Err(Error::Refused(NoPlan::Impossible)));
    pool.claim(Cuboid::new(grid, Node(2), Sides::new(&[1]).unwrap()).unwrap()).unwrap();
    let plan = pool.defragment(four, 4, 1000, &mut [0; 5]).unwrap();
    assert_eq!((plan.moves().count(), plan.is_best()), (1, true));
    carry_out(&mut pool, &plan);
    assert_eq!(pool.would_fit(four), Ok(()));
}

/// The best plan by all sequences of up to so many moves, as the naive model lets leases move.
fn shortest_of(model: &mut Model, leases: &[Cuboid], sides: Sides, most: usize) -> Known {
    let mut states = vec![(leases.to_vec(), 0)];
    for moves in 0..=most {
        let mut best = None;
        let mut next = vec![];
        for (leases, nodes) in &states {
            model.rename(&live(model.grid(), leases));
            if !model.places(sides).is_empty() {
                best = best.into_iter().chain([*nodes]).min();
            }
            for (at, lease) in leases.iter().enumerate() {
                for to in model.places(lease.sides()) {
                    let mut leases = leases.clone();
                    leases[at] = to;
                    next.push((leases, nodes + to.len()));
                }
            }
        }
        if let Some(nodes) = best {
            return Some((moves, nodes));
        }
        states = next;
    }
    None
}

/// Moves and nodes of a plan.
type Known = Option<(usize, u32)>;

fn live(grid: Grid, places: &[Cuboid]) -> Vec<BoxLease> {
    let mut pool = pool_on(grid, Anchors::Any);
    places.iter().map(|place| pool.claim(*place).unwrap()).collect()
}

#[test]
fn plans_where_leftover_is_lent_are_the_best_there_are_or_there_are_none() {
    let mut random = rand_chacha(36);
    let mut seen = [0; 4];
    for round in 0..3000 {
        let machine = ["mesh:8", "torus:8", "mesh:9", "mesh:4x3", "mesh:3rx4"][round % 5];
        let grid: Grid = machine.parse().unwrap();
        let last = grid.coordinates(Node(grid.nodes() - 1)).unwrap();
        let step = [0; 2].map(|_| random.random_range(0..5));
        let offset = [0; 2].map(|_| random.random_range(0..3));
        let anchors = Anchors::steps(&step, &offset).unwrap().reused();
        let (mut pool, mut leases) = (pool_on(grid, anchors), vec![]);
        let mut model = Model::new(grid, Placement::First, anchors);
        let out: Vec<_> =
            (0..grid.nodes()).filter(|_| random.random_ratio(1, 8)).map(Node).collect();
        pool.withdraw(&out, Outage::Drained, |_| ()).unwrap();
        model.withdraw(&out, Outage::Drained).unwrap();
        for _ in 0..random.random_range(1..4) {
            let sides = [last[0], last[1]].map(|last| random.random_range(1..3).min(last + 1));
            let sides = Sides::new(&sides).unwrap();
            let place = Cuboid::new(grid, Node(random.random_range(0..grid.nodes())), sides);
            leases.extend(place.filter(|place| pool.claim(*place).is_ok()));
        }
        let sides = [last[0], last[1]].map(|last| random.random_range(1..=last.min(4) + 1));
        let sides = Sides::new(&sides).unwrap();
        let known = shortest_of(&mut model, &leases, sides, 2);
        let request = BoxRequest::Fixed(sides);
        let state = format!("{machine}, {anchors:?}, {out:?} out, {leases:?}, {sides}");
        match (pool.defragment(request, 2, u32::MAX, &mut [0; 12]), known) {
            (Ok(plan), Some(known)) => {
                assert_eq!((plan.moves().count(), plan.nodes()), known, "{state}");
                assert!(plan.is_best());
                carry_out(&mut pool, &plan);
                assert_eq!(pool.would_fit(request), Ok(()), "{state}");
            }
            (Err(Error::Refused(NoPlan::Impossible | NoPlan::Refused(_))), None) => {}
            (plan, known) => panic!("{state}: {plan:?}, {known:?}"),
        }
        seen[known.map_or(3, |(moves, _)| moves)] += 1;
    }
    assert!(seen[1] > 100 && seen[2] > 10 && seen[3] > 100, "{seen:?}");
}

/// Only a claim gets a box into such a pool whose routes leave it.
#[test]
fn in_a_pool_that_isolates_boxes_that_are_not_isolated_stay_where_they_are() {
    let grid: Grid = "mesh:2x8r".parse().unwrap();
    let mut pool = pool_on(grid, Anchors::Any).isolating();
    let mut claim = |at: [u8; 2], sides: [u8; 2]| {
        let place = Cuboid::new(grid, grid.node_at(&at).unwrap(), Sides::new(&sides).unwrap());
        pool.claim(place.unwrap()).unwrap()
    };
    claim([0, 0], [1, 5]);
    claim([1, 5], [1, 2]);
    pool.withdraw(&[grid.node_at(&[1, 7]).unwrap()], Outage::Drained, |_| ()).unwrap();
    let ring = BoxRequest::Fixed(Sides::new(&[1, 8]).unwrap());
    assert_eq!(pool.would_fit(ring), Err(Refusal::Fragmented));
    let plan = pool.defragment(ring, 16, 100_000, &mut [0; 16]);
    assert_eq!(plan, Err(Error::Refused(NoPlan::Impossible)));
}

fn pool_on(grid: Grid, anchors: Anchors) -> GridPool<Vec<u64>> {
    let storage = vec![0; words(grid)];
    GridPool::new(PoolId(1), grid, storage, Placement::First, anchors).unwrap()
}

fn rand_chacha(seed: u64) -> rand::rngs::ChaCha8Rng {
    rand::rngs::ChaCha8Rng::seed_from_u64(seed)
}
