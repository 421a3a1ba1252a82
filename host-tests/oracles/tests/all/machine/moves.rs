//! Plans of moves on any machine beside all sequences of moves.

use locox::accelerator::{Profile, ProfileId, Table};
use locox::cube::{Dim, Node, Subcube};
use locox::grid::{
    Anchors, BoxRequest, Boxes, Cuboid, Grid, GridPool, NoPlan, Placement, Sides, words,
};
use locox::handle::PoolId;
use locox::machine::{AllPlaces, Machine, NoMoves, Tenant, TenantOf, defragment};
use locox::subcube::{Complete, Subcubes};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;
use std::fmt::Debug;

/// Places, with their nodes as sets.
type Places<M> = Vec<(u32, <M as Machine>::Place)>;

/// All places of each kind of request.
struct World<M: Machine> {
    machine: M,
    kinds: Vec<(M::Request, Places<M>)>,
}

/// Who has which place of which kind, by number, in rising order.
type State = Vec<(usize, usize)>;

/// The fewest moves, and of as many the fewest nodes.
type Fewest = Option<(usize, u32)>;

impl<M: AllPlaces<Request: Debug, Place: Debug>> World<M> {
    fn nodes(&self, (kind, place): (usize, usize)) -> u32 {
        self.kinds[kind].1[place].0
    }

    fn used(&self, state: &State) -> u32 {
        state.iter().fold(0, |used, &it| used | self.nodes(it))
    }

    fn fits(&self, state: &State, kind: usize, out: u32) -> bool {
        let used = self.used(state) | out;
        self.kinds[kind].1.iter().any(|(nodes, _)| nodes & used == 0)
    }

    /// By all sequences of moves up to so many.
    fn shortest(&self, state: &State, kind: usize, out: u32, most: usize) -> Fewest {
        let mut now = HashMap::from([(state.clone(), 0)]);
        for moves in 0..=most {
            let fitting = now.iter().filter(|(state, _)| self.fits(state, kind, out));
            if let Some(nodes) = fitting.map(|(_, nodes)| *nodes).min() {
                return Some((moves, nodes));
            }
            let mut next: HashMap<State, u32> = HashMap::new();
            for (state, nodes) in &now {
                let used = self.used(state) | out;
                for (at, &(kind, _)) in state.iter().enumerate() {
                    for (place, &(to, _)) in self.kinds[kind].1.iter().enumerate() {
                        if to & used == 0 {
                            let mut state = state.clone();
                            state[at] = (kind, place);
                            state.sort_unstable();
                            let least = next.entry(state).or_insert(u32::MAX);
                            *least = (*least).min(nodes + to.count_ones());
                        }
                    }
                }
            }
            now = next;
        }
        None
    }

    /// Compares the plan with what is known, and carries it out.
    fn compare(&self, state: &State, kind: usize, out: u32, most: usize) -> Fewest {
        let known = self.shortest(state, kind, out, most);
        let mut map = vec![M::Word::default(); self.machine.words().map];
        self.machine.open(&mut map);
        let singles = &self.kinds[0].1;
        let gone = singles.iter().filter(|(node, _)| node & out != 0);
        gone.for_each(|(_, place)| self.machine.take(&mut map, place));
        let tenant = |&(kind, place): &(usize, usize)| {
            let (asked, places) = &self.kinds[kind];
            Tenant { asked: *asked, place: places[place].1 }
        };
        let mut tenants: Vec<TenantOf<M>> = state.iter().map(tenant).collect();
        let places = |all: &[TenantOf<M>]| all.iter().map(|it| it.place).collect::<Vec<_>>();
        let before = places(&tenants);
        let of = self.kinds[kind].0;
        let plan = defragment(&self.machine, &map, &mut tenants, &of, most, u32::MAX);
        assert_eq!(places(&tenants), before, "nothing is moved");
        let told = format!("{before:?}, {of:?}, {out:b} out: {plan:?}, {known:?}");
        let Some(fewest) = known else {
            assert_eq!(plan, Err(NoMoves::Impossible), "{told}");
            return known;
        };
        let plan = plan.expect(&told);
        assert_eq!((plan.moves().count(), plan.nodes()), fewest, "{told}");
        assert!(plan.is_best(), "{told}");
        let mut now = state.clone();
        for step in plan.moves() {
            let has = |&(kind, place): &(usize, usize)| self.kinds[kind].1[place].1 == step.from;
            let at = now.iter().position(has).expect(&told);
            let kind = now[at].0;
            let to = self.kinds[kind].1.iter().position(|(_, place)| *place == step.to);
            let to = (kind, to.expect(&told));
            assert_eq!(self.nodes(to) & (self.used(&now) | out), 0, "{told}");
            now[at] = to;
        }
        assert!(self.fits(&now, kind, out), "{told}");
        known
    }

    /// All states, or so many random ones, under each kind of request; how often so many moves were the fewest.
    fn each_state(&self, mut visit: impl FnMut(&State)) {
        let all = |kind: usize| (0..self.kinds[kind].1.len()).map(move |place| (kind, place));
        let places: Vec<_> = (0..self.kinds.len()).flat_map(all).collect();
        let mut stack = vec![(State::new(), 0)];
        while let Some((state, from)) = stack.pop() {
            visit(&state);
            let used = self.used(&state);
            for (at, &place) in places.iter().enumerate().skip(from) {
                if self.nodes(place) & used == 0 {
                    let mut more = state.clone();
                    more.push(place);
                    stack.push((more, at + 1));
                }
            }
        }
    }

    fn random_state(&self, random: &mut impl RngExt, most: usize) -> State {
        let mut state = State::new();
        for _ in 0..random.random_range(1..=most) {
            let kind = random.random_range(0..self.kinds.len());
            let place = (kind, random.random_range(0..self.kinds[kind].1.len()));
            if self.nodes(place) & self.used(&state) == 0 {
                state.push(place);
            }
        }
        state.sort_unstable();
        state
    }
}

fn cube(dims: u8) -> World<Subcubes<Complete>> {
    let all = Dim::new(dims).unwrap();
    let kind = |dim: u8| {
        let mut places = vec![];
        for mask in (0..all.nodes()).filter(|mask| mask.count_ones() == u32::from(dim)) {
            for base in (0..all.nodes()).filter(|base| base & mask == 0) {
                let nodes = (0..all.nodes()).filter(|node| node & !mask == base);
                let nodes = nodes.fold(0, |set, node| set | 1 << node);
                places.push((nodes, Subcube::new(all, Node(base), mask).unwrap()));
            }
        }
        (Dim::new(dim).unwrap(), places)
    };
    World { machine: Subcubes::new(all).unwrap(), kinds: (0..=dims).map(kind).collect() }
}

#[test]
fn plans_in_all_states_of_a_cube_of_eight_nodes_are_the_best_there_are() {
    let (world, mut seen) = (cube(3), [0; 6]);
    world.each_state(|state| {
        for kind in 0..world.kinds.len() {
            let fewest = world.compare(state, kind, 0, 4);
            seen[fewest.map_or(5, |(moves, _)| moves)] += 1;
        }
    });
    println!("moves 0 to 4, or none: {seen:?}");
    assert!(seen[1] > 500 && seen[2] > 5, "{seen:?}");
}

#[test]
fn plans_on_a_cube_of_sixteen_nodes_are_the_best_there_are() {
    let (world, mut random, mut seen) = (cube(4), ChaCha8Rng::seed_from_u64(57), [0; 5]);
    for _ in 0..6000 {
        let state = world.random_state(&mut random, 9);
        let used = world.used(&state);
        let out = if random.random_ratio(1, 3) { 1 << random.random_range(0..16) } else { 0 };
        let kind = random.random_range(1..5);
        let fewest = world.compare(&state, kind, out & !used, 3);
        seen[fewest.map_or(4, |(moves, _)| moves)] += 1;
    }
    println!("moves 0 to 3, or none: {seen:?}");
    assert!(seen[1] > 200 && seen[2] > 20 && seen[3] > 0, "{seen:?}");
}

#[test]
fn plans_of_slices_are_the_best_there_are() {
    let table = Table::A100;
    let kind = |(number, profile): (u32, &Profile<'_>)| {
        let places = profile.placements.iter().map(|&it| (it.0, it)).collect();
        (ProfileId(number), places)
    };
    let kinds = (0..).zip(table.profiles()).map(kind).collect();
    let (world, mut random, mut seen) =
        (World { machine: table, kinds }, ChaCha8Rng::seed_from_u64(58), [0; 5]);
    for _ in 0..3000 {
        let state = world.random_state(&mut random, 6);
        let kind = random.random_range(0..world.kinds.len());
        let fewest = world.compare(&state, kind, 0, 3);
        seen[fewest.map_or(4, |(moves, _)| moves)] += 1;
    }
    println!("moves 0 to 3, or none: {seen:?}");
    assert!(seen[1] > 100, "{seen:?}");
}

/// The two searches for moves of boxes, of which that of a pool goes by its map.
#[test]
fn plans_of_boxes_are_those_of_a_pool() {
    let (mut random, mut seen) = (ChaCha8Rng::seed_from_u64(59), [0; 5]);
    for round in 0..6000 {
        let text = ["torus:4x4", "mesh:4x3", "torus:4x2x2", "mesh:8"][round % 4];
        let grid: Grid = text.parse().unwrap();
        let anchors = match round % 3 {
            0 => Anchors::steps(&[2, 1], &[1]).unwrap(),
            _ => Anchors::Any,
        };
        let machine = Boxes::new(grid, Placement::First, anchors).unwrap();
        let storage = vec![0; words(grid)];
        let mut pool = GridPool::new(PoolId(0), grid, storage, Placement::First, anchors).unwrap();
        let mut tenants = vec![];
        for _ in 0..random.random_range(1..9) {
            let sides = [0; 3].map(|_| random.random_range(1..3));
            let sides = Sides::new(&sides).unwrap();
            let place = Cuboid::new(grid, Node(random.random_range(0..grid.nodes())), sides);
            if let Some(place) = place.filter(|place| pool.claim(*place).is_ok()) {
                tenants.push(Tenant { asked: BoxRequest::Fixed(sides), place });
            }
        }
        let mut map = vec![0; machine.words().map];
        machine.open(&mut map);
        let of = BoxRequest::Nodes(random.random_range(2..9));
        let plan = defragment(&machine, &map, &mut tenants, &of, 3, u32::MAX);
        let other = pool.defragment(of, 3, u32::MAX, &mut [0; 16]);
        seen[plan.as_ref().map_or(4, |plan| plan.moves().count())] += 1;
        let told = format!("{text}, {anchors:?}, {tenants:?}, {of:?}");
        match (plan, other) {
            (Ok(one), Ok(other)) => {
                let cost = |plan: &locox::grid::Plan| (plan.moves().count(), plan.nodes());
                assert_eq!(cost(&one), cost(&other), "{told}");
            }
            (Err(NoMoves::Impossible), Err(locox::error::Error::Refused(no))) => {
                assert!(matches!(no, NoPlan::Impossible | NoPlan::Refused(_)), "{told}: {no}");
            }
            (one, other) => panic!("{told}: {one:?}, {other:?}"),
        }
    }
    println!("moves 0 to 3, or none: {seen:?}");
    assert!(seen[1] > 100 && seen[2] > 10, "{seen:?}");
}

/// With too few steps the answer is that nothing is decided, or a plan of the fewest moves.
#[test]
fn plans_of_few_steps_do_not_lie() {
    let (world, mut random, mut cut) = (cube(4), ChaCha8Rng::seed_from_u64(60), [0; 3]);
    for _ in 0..8000 {
        let state = world.random_state(&mut random, 8);
        let kind = random.random_range(1..5);
        let (of, mut map) = (world.kinds[kind].0, vec![0; world.machine.words().map]);
        world.machine.open(&mut map);
        let tenant = |&(kind, place): &(usize, usize)| {
            let (asked, places) = &world.kinds[kind];
            Tenant { asked: *asked, place: places[place].1 }
        };
        let mut tenants: Vec<_> = state.iter().map(tenant).collect();
        let mut plan = |steps| defragment(&world.machine, &map, &mut tenants, &of, 3, steps);
        let best = plan(u32::MAX);
        match (plan(random.random_range(0..2000)), best) {
            (Ok(plan), Ok(best)) => {
                assert_eq!(plan.moves().count(), best.moves().count());
                assert!(if plan.is_best() { plan == best } else { plan.nodes() >= best.nodes() });
                cut[usize::from(plan.is_best())] += 1;
            }
            (Err(NoMoves::Undecided), _) => cut[2] += 1,
            (plan, best) => assert_eq!(plan, best),
        }
    }
    println!("not the best, the best, undecided: {cut:?}");
    assert!(cut.iter().all(|&count| count > 10), "{cut:?}");
}
