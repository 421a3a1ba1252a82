//! Plans of moves beside all sequences of moves: small tori with any leases.
//!
//! Moves can be taken back, so that one search from all states in which a request fits says of each other
//! one with the same shapes how far it is from there. States that turn into each other by moving or mirroring the torus
//! along its axes are one: of 25,038,027 of a torus of 4x4 there are 411,527 left. How far it is from a state is the same in all
//! that it turns into; the kernel is asked in one of them.

use super::Counts;
use crate::mismatch::equal;
use locox::error::Error;
use locox::grid::{
    Anchors, BoxRequest, Cuboid, Grid, GridPool, NoPlan, Placement, Plan, Sides, words,
};
use locox::handle::PoolId;
use std::collections::{HashMap, HashSet};

/// Nodes along each axis of a torus.
pub type Axes = [u8; 2];

/// No box.
pub const NONE: u8 = u8::MAX;

/// A box of the torus: where it begins, its sides, and its nodes as a set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Box {
    from: [u8; 2],
    sides: [u8; 2],
    /// Its nodes.
    pub nodes: u16,
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
pub type Leases = [u8; 16];

/// A torus and its boxes.
pub struct Torus {
    axes: Axes,
    /// All that there are.
    pub boxes: Vec<Box>,
    /// For each way to move and mirror it, where each box goes.
    images: Vec<Vec<u8>>,
}

impl Torus {
    /// Of so many nodes along its axes.
    pub fn new(axes: Axes) -> Self {
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

    /// What it turns into by each way to move and mirror the torus.
    fn turned(&self, leases: &Leases) -> impl Iterator<Item = Leases> {
        self.images.iter().map(|to| {
            let mut turned = leases.map(|it| to.get(usize::from(it)).copied().unwrap_or(NONE));
            turned.sort_unstable();
            turned
        })
    }

    /// How many states it turns into, itself among them.
    pub fn orbit(&self, leases: &Leases) -> usize {
        self.turned(leases).collect::<HashSet<_>>().len()
    }

    fn canonical(&self, leases: &Leases) -> Leases {
        self.turned(leases).min().unwrap()
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

    /// The fewest moves up to two after which such a box is free, and of as many the fewest nodes, by all
    /// sequences of moves.
    pub fn shortest(&self, leases: &Leases, sides: [u8; 2]) -> Fewest {
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

/// All states, and for each where one move leads and how many nodes that moves.
pub struct States {
    torus: Torus,
    /// One of each class.
    pub all: Vec<Leases>,
    moves: Vec<Vec<(u32, u8)>>,
}

impl States {
    /// Of a torus of so many nodes along its axes.
    pub fn explore(axes: Axes) -> Self {
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

/// Carries a plan out: each move must be possible when its turn comes. How many nodes were moved.
///
/// # Errors
///
/// What is not as the plan says.
pub fn carry_out(
    pool: &mut GridPool<impl AsRef<[u64]> + AsMut<[u64]>>,
    plan: &Plan,
) -> Result<u32, String> {
    plan.moves().try_fold(0, |nodes, step| {
        let lease = pool.lease_at(step.from.origin()).ok_or("nobody is there to be moved")?;
        equal("what is moved", lease.cuboid(), step.from)?;
        equal("sides of a move", step.to.sides(), step.from.sides())?;
        equal("it moves onto itself", step.from.meets(&step.to), false)?;
        equal("claim", pool.claim(step.to).map(|_| ()), Ok(()))?;
        equal("release", pool.release(lease), Ok(()))?;
        Ok(nodes + step.to.sides().nodes())
    })
}

/// The fewest moves after which a box is free, and of as many the fewest nodes.
pub type Fewest = Option<(usize, u32)>;

impl Torus {
    /// Compares the plan for a request with the fewest moves and nodes that are known; `None` if no moves help.
    ///
    /// # Errors
    ///
    /// In which respect they differ.
    pub fn compare(&self, leases: &Leases, sides: [u8; 2], known: Fewest) -> Result<(), String> {
        let said = |error: &dyn std::fmt::Display| error.to_string();
        let request = BoxRequest::Fixed(Sides::new(&sides).ok_or("no sides")?);
        let mut pool = pool_with(self, leases);
        let (before, most) = (pool.clone(), known.map_or(2, |(moves, _)| moves));
        let plan = pool.defragment(request, most, u32::MAX, &mut [u32::MAX; 16]);
        equal("nothing was moved", pool.leases().eq(before.leases()), true)?;
        pool.check_invariants().map_err(|it| said(&it))?;
        let Some((moves, nodes)) = known else {
            let none = Err(Error::Refused(NoPlan::Impossible));
            let refused = matches!(plan, Err(Error::Refused(NoPlan::Refused(_))));
            return if refused { Ok(()) } else { equal("no plan", plan.map(|_| ()), none) };
        };
        let plan = plan.map_err(|it| said(&it))?;
        equal("moves and nodes", (plan.moves().count(), plan.nodes()), (moves, nodes))?;
        equal("whether it is the best", plan.is_best(), true)?;
        equal("nodes that were moved", carry_out(&mut pool, &plan)?, nodes)?;
        equal("whether it fits then", pool.would_fit(request), Ok(()))
    }
}

/// All states of leases on a torus, under each request: each plan is the best there is. `known`: what the search says, or
/// something else.
pub fn plans(axes: Axes, known: impl Fn(Fewest) -> Fewest) -> Counts {
    let states = States::explore(axes);
    let mut counts = Counts { states: states.all.len() as u64, ..Counts::default() };
    for sides in (1..=axes[0]).flat_map(|w| (1..=axes[1]).map(move |h| [w, h])) {
        for (leases, fewest) in states.all.iter().zip(states.distances(sides)) {
            let compared = states.torus.compare(leases, sides, known(fewest));
            counts.judge(|| format!("{leases:?}, {sides:?}"), compared);
        }
    }
    counts
}
