//! Plans of moves beside all sequences of moves: a torus of 4x4 with any leases.
//!
//! Moves can be taken back, so that one search from all states in which a request fits says of each other
//! one with the same shapes how far it is from there. States that turn into each other by moving or mirroring the torus
//! along its axes are one: 1/64 of 25,038,027.

use locox::cube::Node;
use locox::error::Error;
use locox::grid::{
    Anchors, BoxRequest, Cuboid, Grid, GridPool, NoPlan, Placement, Plan, Sides, words,
};
use locox::handle::PoolId;
use std::collections::HashMap;

const SIDE: u8 = 4;
const NONE: u8 = u8::MAX;

/// A box of the torus: where it begins, its sides, and its nodes as a set.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Box {
    from: [u8; 2],
    sides: [u8; 2],
    nodes: u16,
}

fn box_of(from: [u8; 2], sides: [u8; 2]) -> Box {
    let from = [0, 1].map(|axis| if sides[axis] == SIDE { 0 } else { from[axis] % SIDE });
    let mut nodes = 0;
    for (x, y) in (0..sides[0]).flat_map(|x| (0..sides[1]).map(move |y| (x, y))) {
        nodes |= 1 << ((from[0] + x) % SIDE + SIDE * ((from[1] + y) % SIDE));
    }
    Box { from, sides, nodes }
}

/// Sets of disjoint boxes by number, in rising order.
type Leases = [u8; 16];

struct Torus {
    boxes: Vec<Box>,
    /// For each way to move and mirror it, where each box goes.
    images: Vec<Vec<u8>>,
}

impl Torus {
    fn new() -> Self {
        let mut boxes: Vec<Box> = vec![];
        for number in 0..256u16 {
            let [x, y, w, h] = [0, 2, 4, 6].map(|shift| (number >> shift & 3) as u8);
            let one = box_of([x, y], [w + 1, h + 1]);
            if !boxes.contains(&one) {
                boxes.push(one);
            }
        }
        let number = |it: Box| boxes.iter().position(|one| *one == it).unwrap() as u8;
        let image = |by: [u8; 2], mirrored: [bool; 2]| {
            let of = |one: &Box| {
                let from = [0, 1].map(|axis| {
                    let last = 2 * SIDE - one.from[axis] - one.sides[axis];
                    if mirrored[axis] { last + by[axis] } else { one.from[axis] + by[axis] }
                });
                number(box_of(from, one.sides))
            };
            boxes.iter().map(of).collect()
        };
        let images =
            (0..64u8).map(|it| image([it & 3, it >> 2 & 3], [it >> 4 & 1 == 1, it >> 5 == 1]));
        let images = images.collect();
        Self { boxes, images }
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
    fn explore() -> Self {
        let torus = Torus::new();
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
    let grid = Grid::torus(&[SIDE; 2]).unwrap();
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

/// Compares plans with what is known in one of so many states.
fn compare(one_in: usize) -> [usize; 8] {
    let states = States::explore();
    let mut seen = [0; 8];
    for [w, h] in (1..=SIDE).flat_map(|w| (1..=SIDE).map(move |h| [w, h])) {
        let distances = states.distances([w, h]);
        let request = BoxRequest::Fixed(Sides::new(&[w, h]).unwrap());
        for (leases, known) in
            states.all.iter().zip(&distances).skip(usize::from(w * h)).step_by(one_in)
        {
            let mut pool = pool_with(&states.torus, leases);
            let (before, most) = (pool.clone(), known.map_or(1, |(moves, _)| moves));
            let plan = pool.defragment(request, most, u32::MAX, &mut [u32::MAX; 16]);
            assert!(pool.leases().eq(before.leases()), "nothing was moved");
            pool.check_invariants().unwrap();
            let Some((moves, nodes)) = *known else {
                let Err(Error::Refused(NoPlan::Impossible | NoPlan::Refused(_))) = plan else {
                    panic!("{leases:?}, {w}x{h}: {plan:?}");
                };
                continue;
            };
            let plan = plan.unwrap_or_else(|no| panic!("{leases:?}, {w}x{h}: {no}, {known:?}"));
            assert_eq!((plan.moves().count(), plan.nodes()), (moves, nodes), "{leases:?}, {w}x{h}");
            assert!(plan.is_best());
            assert_eq!(carry_out(&mut pool, &plan), nodes);
            assert_eq!(pool.would_fit(request), Ok(()), "{leases:?}, {w}x{h}");
            seen[moves] += 1;
        }
    }
    seen
}

#[test]
fn plans_in_a_sample_of_the_states_of_a_torus_of_4x4_are_the_best_there_are() {
    let seen = compare(499);
    assert!(seen[1] > 100 && seen[2] > 20, "{seen:?}");
}

#[test]
#[ignore = "long: all states of the torus, under each request"]
fn plans_in_all_states_of_a_torus_of_4x4_are_the_best_there_are() {
    println!("states by moves of the best plan, over all requests: {:?}", compare(1));
}
