//! Places of a machine on a timeline, against a search tick by tick over all places that there are.

use locox::bits::BitSet;
use locox::cube::Dim;
use locox::grid::{BoxRequest, Placement};
use locox::handle::PoolId;
use locox::machine::{Machine, Numbered};
use locox::reserve::{
    Choice, Error, Fit, Limits, Lowest, Mask, Masked, Refusal, Request, ReservationId, SetupError,
    Timeline, Together,
};
use locox::subcube::{Buddy, Complete, GrayCode};
use locox::time::{Duration, Instant};
use locox_oracles::machine::{
    Cubes, Naive, Racks, RequestOf, Shaped, by_all, by_blocks, by_runs, earliest,
};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const MOST: usize = 12;

/// A reservation: its nodes, and from when until when.
struct Held {
    id: ReservationId,
    set: u64,
    start: u64,
    end: u64,
}

/// A timeline of a machine's nodes, and what it holds.
struct Pair {
    timeline: Timeline<Vec<usize>>,
    all: u64,
    out: u64,
    now: u64,
    held: Vec<Held>,
}

fn set(pes: impl Iterator<Item = u32>) -> u64 {
    pes.fold(0, |set, pe| set | 1 << pe)
}

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

impl Pair {
    fn new(naive: &impl Naive) -> Self {
        // One more than there will be, so that none is refused for that.
        let limits = Limits { pes: naive.nodes(), reservations: MOST as u32 + 1 };
        let storage = vec![0; Timeline::words(limits)];
        let timeline = Timeline::new(PoolId(0), limits, storage).unwrap();
        Self { timeline, all: naive.all(), out: 0, now: 0, held: vec![] }
    }

    /// The nodes that nobody holds at any tick from one on and before another.
    fn free(&self, start: u64, end: u64) -> u64 {
        let overlap = self.held.iter().filter(|it| it.start < end && start < it.end);
        overlap.fold(self.all & !self.out, |free, it| free & !it.set)
    }

    /// The first start at which one of these places is free, or why there is none.
    fn expected(&self, request: &Request, places: &[u64]) -> Result<u64, Error> {
        if request.pes > self.all.count_ones() {
            return Err(Refusal::TooLarge { pes: self.all.count_ones() }.into());
        }
        let (ready, length) = (request.ready.ticks().max(self.now), request.duration.ticks());
        let last = self.held.iter().map(|it| it.end).fold(ready, u64::max);
        let fits = |start| {
            let free = self.free(start, start + length);
            places.iter().any(|place| place & !free == 0)
        };
        let serving = (self.all & !self.out).count_ones();
        let start = earliest(ready, last + 1, fits).ok_or(Refusal::Faulty { serving })?;
        let finish = at(start + length);
        match request.deadline.is_some_and(|deadline| deadline < finish) {
            true => Err(Refusal::Late { finish }.into()),
            false => Ok(start),
        }
    }

    /// Reserves, if there is room, and returns whether it is placed.
    fn reserve(&mut self, request: &Request, choice: &dyn Choice, places: &[u64]) -> bool {
        let expected = self.expected(request, places);
        let found = self.timeline.would_reserve(request, &Fit::First, choice);
        assert_eq!(found.map(|at| at.start.ticks()), expected, "{request:?} at {}", self.now);
        for fit in Fit::ALL {
            let found = self.timeline.would_reserve(request, &fit, choice).map(|it| it.start);
            assert_eq!(found.err(), expected.err(), "{fit:?}: {request:?} at {}", self.now);
            let Ok(start) = found else { continue };
            let free = self.free(start.ticks(), start.ticks() + request.duration.ticks());
            assert!(places.iter().any(|place| place & !free == 0), "{fit:?}: {request:?}");
        }
        if expected.is_err() || self.held.len() == MOST {
            return false;
        }
        let (id, place) = self.timeline.reserve(request, &Fit::First, choice).unwrap();
        let (start, end) = (place.start.ticks(), place.end.ticks());
        let set = set(self.timeline.pes_of(id).unwrap().iter());
        assert!(places.contains(&set) && set & !self.free(start, end) == 0, "{request:?}: {set:b}");
        self.held.push(Held { id, set, start, end });
        true
    }

    /// Time passes, a reservation ends early, or a node goes out of service or comes back.
    fn change(&mut self, random: &mut ChaCha8Rng) {
        match random.random_range(0..4) {
            0 => {
                self.now += random.random_range(0..4);
                self.timeline.advance(at(self.now)).unwrap();
                self.held.retain(|it| it.end > self.now);
            }
            1 if !self.held.is_empty() => {
                let held = self.held.swap_remove(random.random_range(0..self.held.len()));
                self.timeline.cancel(held.id).unwrap();
            }
            2 => {
                let node = random.random_range(0..self.all.count_ones());
                self.timeline.withdraw(node).unwrap();
                self.out |= 1 << node;
            }
            _ => {
                let node = random.random_range(0..self.all.count_ones());
                self.timeline.repair(node).unwrap();
                self.out &= !(1 << node);
            }
        }
        self.timeline.check_invariants().unwrap();
    }
}

/// Requests with all places of each, and how many nodes these have; none whose places have unlike numbers.
fn requests<N: Naive>(naive: &N) -> Vec<(RequestOf<N>, Vec<u64>, u32)> {
    let machine = naive.machine();
    let all = naive.requests().into_iter().map(|of| (of, naive.choices(&of)));
    let alike = all
        .filter(|(of, places)| places.iter().all(|place| place.count_ones() == machine.size(of)));
    alike.map(|(of, places)| (of, places, machine.size(&of))).collect()
}

fn is_exact<N: Naive<Machine: Numbered>>(naive: &N, seed: u64) {
    let (machine, requests) = (naive.machine(), requests(naive));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut words = vec![Default::default(); Together::words(&machine)];
    let (mut placed, mut later) = (0, 0);
    for _ in 0..12 {
        let mut pair = Pair::new(naive);
        for _ in 0..250 {
            pair.change(&mut random);
            let (of, places, pes) = &requests[random.random_range(0..requests.len())];
            let ready = pair.now + random.random_range(0..8);
            let length = random.random_range(1..9);
            let request = Request::new(at(ready), Duration::from_ticks(length), *pes);
            let by = at(ready + length + random.random_range(0..20));
            let request = if random.random_bool(0.5) { request.by(by) } else { request };
            let choice = Together::new(&machine, *of, &mut words).unwrap();
            if pair.reserve(&request, &choice, places) {
                placed += 1;
                later += u32::from(pair.held.last().is_some_and(|it| it.start > ready));
            }
            // The place of another number of nodes is none.
            let other = Request { pes: pes.saturating_sub(1).max(1), deadline: None, ..request };
            if other.pes != *pes {
                pair.reserve(&other, &choice, &[]);
            }
        }
    }
    assert!(placed > 300 && later > 100, "{placed}, {later}");
}

fn boxes(machine: &str, placement: Placement, isolating: bool) -> Shaped {
    Shaped { grid: machine.parse().unwrap(), placement, isolating }
}

#[test]
fn a_box_gets_the_earliest_start_there_is() {
    is_exact(&boxes("mesh:3x3", Placement::First, false), 1);
    is_exact(&boxes("mesh:2x4", Placement::Fewest, false), 2);
    is_exact(&boxes("torus:4x2", Placement::Corner, false), 3);
    is_exact(&boxes("mesh:2x2x3r", Placement::First, false), 4);
    is_exact(&boxes("torus:3x3", Placement::First, true), 5);
}

#[test]
fn a_subcube_gets_the_earliest_start_there_is() {
    is_exact(&Cubes::<Complete>::new(3, by_all), 6);
    is_exact(&Cubes::<Buddy>::new(3, by_blocks), 7);
    is_exact(&Cubes::<GrayCode>::new(3, by_runs), 8);
}

#[test]
fn nodes_of_one_rack_get_the_earliest_start_there_is() {
    is_exact(&Racks { nodes: 8, levels: &[&[0, 4]] }, 9);
    is_exact(&Racks { nodes: 8, levels: &[&[0, 2, 3, 6], &[0, 3]] }, 10);
}

#[test]
#[should_panic(expected = "assertion `left == right` failed: Request")]
fn a_place_that_is_missed_is_found() {
    is_exact(&Cubes::<Buddy>::new(3, by_all), 6);
}

/// Maps lie otherwise than sets of nodes: along each axis, over many words.
#[test]
fn a_map_has_the_nodes_of_a_set_and_places_have_theirs() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for text in ["mesh:5x3", "torus:3x5", "mesh:2x3x64r", "torus:4x4x4x4", "mesh:64x3", "mesh:1"] {
        let naive = boxes(text, Placement::First, false);
        let (machine, nodes) = (naive.machine(), naive.grid.nodes());
        let words = locox::bits::words_for(nodes as usize);
        let mut free = BitSet::empty(vec![0; words], nodes).unwrap();
        let chosen = (0..nodes).filter(|_| random.random_bool(0.5));
        chosen.for_each(|node| _ = free.insert(node).unwrap());
        let mut map = vec![u64::MAX; machine.words().map];
        machine.draw(&mut map, free.words());
        for node in 0..nodes {
            let place = naive.node(node);
            assert_eq!(machine.has(&map, &place), free.contains(node), "{text} {node}");
            assert!(machine.nodes_of(&place).map(|it| it.0).eq([node]), "{text} {node}");
        }
    }
}

#[test]
fn on_a_timeline_of_other_pes_nothing_suits_and_too_few_words_are_told() {
    let naive = Cubes::<Complete>::new(3, by_all);
    let machine = naive.machine();
    let needed = Together::words(&machine);
    let mut words = vec![0; needed];
    let short = Together::new(&machine, Dim::ZERO, &mut words[1..]).err();
    assert_eq!(short, Some(SetupError::StorageTooSmall { needed }));
    let choice = Together::new(&machine, Dim::ZERO, &mut words).unwrap();
    for (pes, found) in [(8, Ok(at(0))), (9, Err(Refusal::Faulty { serving: 9 }.into()))] {
        let limits = Limits { pes, reservations: 1 };
        let storage = vec![0; Timeline::words(limits)];
        let mut timeline = Timeline::new(PoolId(0), limits, storage).unwrap();
        let request = Request::new(at(0), Duration::from_ticks(1), 1);
        let place = timeline.would_reserve(&request, &Fit::First, &choice);
        assert_eq!(place.map(|it| it.start), found, "{pes}");
    }
}

/// A box among the nodes with a feature only.
#[test]
fn a_mask_leaves_other_nodes_out() {
    let naive = boxes("mesh:3x3", Placement::First, false);
    let machine = naive.machine();
    let mut words = vec![0; Together::words(&machine)];
    let choice = Together::new(&machine, BoxRequest::Nodes(4), &mut words).unwrap();
    let mut right = BitSet::empty([0], 9).unwrap();
    [1, 2, 4, 5, 7, 8].into_iter().for_each(|node| _ = right.insert(node).unwrap());
    let mut pair = Pair::new(&naive);
    let request = Request::new(at(0), Duration::from_ticks(5), 4);
    let masked = Masked { mask: Mask::only(&right), choice: &choice };
    let (id, _) = pair.timeline.reserve(&request, &Fit::First, &masked).unwrap();
    assert_eq!(set(pair.timeline.pes_of(id).unwrap().iter()), 0b11_0110);
    // Of the others there is no box of four, until those have ended.
    let (id, place) = pair.timeline.reserve(&request, &Fit::First, &choice).unwrap();
    assert_eq!(place.start, at(5));
    pair.timeline.cancel(id).unwrap();
    let any = pair.timeline.would_reserve(&request, &Fit::First, &Lowest).unwrap();
    assert_eq!(any.start, at(0));
}
