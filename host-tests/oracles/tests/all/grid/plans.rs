//! Plans of moves on machines that are too large for all states, and what plans keep to.

use locox::cube::Node;
use locox::error::Error;
use locox::grid::{
    Anchors, BoxLease, BoxRequest, Cuboid, Grid, GridPool, NoPlan, Outage, Placement, Plan,
    Refusal, Sides, words,
};
use locox::handle::PoolId;
use locox_oracles::exhaust::plans::{NONE, Torus, carry_out};
use locox_oracles::grid::Model;
use rand::{RngExt, SeedableRng};

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
        torus.compare(&leases, sides, known).unwrap();
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
                assert_eq!(carry_out(&mut pool, &plan), Ok(plan.nodes()));
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
    carry_out(&mut pool, &plan).unwrap();
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
                    next.push((leases, nodes + to.sides().nodes()));
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
                carry_out(&mut pool, &plan).unwrap();
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

/// With few steps a search ends early: then it promises less, but nothing that is not so.
#[test]
fn a_plan_is_said_to_be_the_best_only_if_no_number_of_steps_finds_a_better_one() {
    let mut random = rand_chacha(37);
    let (mut best, mut maybe, mut worse, mut undecided) = (0, 0, 0, 0);
    for round in 0..60 {
        let grid: Grid = ["mesh:9", "torus:9", "mesh:4x3", "mesh:3rx4"][round % 4].parse().unwrap();
        let anchors = [Anchors::Any, Anchors::steps(&[2], &[1]).unwrap().reused()][round / 4 % 2];
        let mut pool = pool_on(grid, anchors);
        for _ in 0..random.random_range(2..6) {
            let sides = Sides::new(&[random.random_range(1..3)]).unwrap();
            let place = Cuboid::new(grid, Node(random.random_range(0..grid.nodes())), sides);
            _ = place.map(|place| pool.claim(place));
        }
        let request = BoxRequest::Fixed(Sides::new(&[3, round as u8 / 8 % 2 + 1]).unwrap());
        if pool.would_fit(request) != Err(Refusal::Fragmented) {
            continue;
        }
        let mut plan = |steps| pool.defragment(request, 3, steps, &mut [0; 12]);
        let cost = |plan: &Plan| (plan.moves().count(), plan.nodes());
        let exact = plan(u32::MAX);
        for steps in 0..200 {
            match plan(steps) {
                Ok(plan) if plan.is_best() => {
                    assert_eq!(exact.as_ref().map(cost), Ok(cost(&plan)), "{steps} steps, {round}");
                    best += 1;
                }
                Ok(plan) => {
                    let (exact, cost) = (cost(exact.as_ref().unwrap()), cost(&plan));
                    assert!(exact <= cost);
                    maybe += 1;
                    worse += u32::from(exact < cost);
                }
                Err(Error::Refused(NoPlan::Undecided)) => undecided += 1,
                no => assert_eq!(no, exact, "{steps} steps"),
            }
        }
    }
    let counts = (best, maybe, worse, undecided);
    assert!(best > 1000 && maybe > 20 && worse > 2 && undecided > 100, "{counts:?}");
}

/// Of three nodes the one in the middle is held, and two are wanted: a step for the shape, one for the first goal, one for
/// the move that clears it, and one for the shape again, to see that no better plan is left.
#[test]
fn the_best_plan_of_one_move_takes_four_steps() {
    let grid = Grid::mesh(&[3]).unwrap();
    let mut pool = pool_on(grid, Anchors::Any);
    pool.claim(Cuboid::new(grid, Node(1), Sides::new(&[1]).unwrap()).unwrap()).unwrap();
    let two = BoxRequest::Fixed(Sides::new(&[2]).unwrap());
    let mut plan = |steps| pool.defragment(two, 1, steps, &mut [0; 3]).map(|plan| plan.is_best());
    let undecided = Err(Error::Refused(NoPlan::Undecided));
    let answers = [undecided, undecided, undecided, Ok(false), Ok(true), Ok(true)];
    assert_eq!([0, 1, 2, 3, 4, 5].map(&mut plan), answers);
}

/// The fewest steps after which a plan is known to be the best one, or that there is none, with its cost.
fn decided_after(
    pool: &mut GridPool<Vec<u64>>,
    request: BoxRequest<'_>,
) -> Option<(u32, usize, u32)> {
    let mut scratch = vec![0; pool.grid().nodes() as usize];
    (0..1000).find_map(|steps| match pool.defragment(request, 3, steps, &mut scratch) {
        Ok(plan) if plan.is_best() => Some((steps, plan.moves().count(), plan.nodes())),
        Err(Error::Refused(NoPlan::Impossible)) => Some((steps, 0, 0)),
        _ => None,
    })
}

/// What [`plans_take_as_many_steps_as_ever`] finds: steps, moves, nodes.
#[rustfmt::skip]
const TAKEN: [(u32, usize, u32); 56] = [
    (5, 1, 2), (144, 3, 5), (194, 0, 0), (31, 0, 0), (5, 1, 1), (5, 1, 1), (10, 1, 2), (4, 1, 1),
    (6, 1, 1), (4, 1, 1), (5, 1, 2), (16, 2, 2), (9, 1, 1), (316, 0, 0), (12, 1, 2), (165, 0, 0),
    (127, 0, 0), (12, 1, 2), (4, 1, 1), (4, 1, 1), (13, 1, 2), (14, 1, 2), (8, 1, 1), (16, 2, 3),
    (9, 1, 1), (10, 1, 1), (5, 1, 1), (5, 1, 2), (4, 1, 2), (316, 0, 0), (5, 1, 2), (6, 1, 2),
    (24, 2, 2), (140, 0, 0), (5, 1, 1), (5, 1, 1), (81, 0, 0), (316, 0, 0), (5, 1, 1), (8, 1, 1),
    (6, 1, 1), (6, 1, 1), (17, 2, 2), (11, 1, 1), (4, 1, 2), (15, 2, 2), (316, 0, 0), (118, 0, 0),
    (308, 0, 0), (233, 2, 2), (4, 1, 1), (5, 1, 1), (15, 1, 2), (84, 2, 4), (122, 0, 0), (361, 0, 0),
];

/// What a search looks at does not change unseen: who sets a number of steps may go on with it.
#[test]
fn plans_take_as_many_steps_as_ever() {
    let mut random = rand_chacha(41);
    let mut taken = vec![];
    for round in 0..120 {
        let (machine, most) = [("mesh:3x4", 6), ("torus:4x3", 7), ("torus:12x12", 100)][round % 3];
        let grid: Grid = machine.parse().unwrap();
        let anchors = [Anchors::Any, Anchors::steps(&[2], &[0]).unwrap().reused()][round / 3 % 2];
        let mut pool = pool_on(grid, anchors);
        for _ in 0..most {
            let sides =
                Sides::new(&[random.random_range(1..3), random.random_range(1..3)]).unwrap();
            let place = Cuboid::new(grid, Node(random.random_range(0..grid.nodes())), sides);
            _ = place.map(|place| pool.claim(place));
        }
        let request = BoxRequest::Fixed(Sides::new(&[3, 2]).unwrap());
        if pool.would_fit(request) == Err(Refusal::Fragmented) {
            taken.extend(decided_after(&mut pool, request));
        }
    }
    assert_eq!(taken, TAKEN);
}

fn pool_on(grid: Grid, anchors: Anchors) -> GridPool<Vec<u64>> {
    let storage = vec![0; words(grid)];
    GridPool::new(PoolId(1), grid, storage, Placement::First, anchors).unwrap()
}

fn rand_chacha(seed: u64) -> rand::rngs::ChaCha8Rng {
    rand::rngs::ChaCha8Rng::seed_from_u64(seed)
}
