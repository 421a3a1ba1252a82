//! What refusals promise, beside all states that there are: every set of nodes held and every set out of
//! service, of small machines at steps.

use locox::cube::Node;
use locox::grid::{Anchors, BoxRequest, Cuboid, Grid, GridPool, Outage, Placement, Refusal, Sides};
use locox::handle::PoolId;

/// The answers to one request, by the nodes held and the nodes out of service. No node is both: while a
/// failed node is held, nothing is granted that would not be after its release.
struct Answers(Vec<Vec<Option<Result<(), Refusal>>>>);

impl Answers {
    fn of(grid: Grid, anchors: Anchors, request: BoxRequest<'_>) -> Self {
        let sets = 0..1u32 << grid.nodes();
        let answer = |held: u32, out: u32| {
            (held & out == 0).then(|| pool(grid, anchors, held, out).would_fit(request))
        };
        Self(sets.clone().map(|out| sets.clone().map(|held| answer(held, out)).collect()).collect())
    }

    /// Whether the request is granted, whatever is held, while these nodes are out of service.
    fn ever_granted(&self, out: usize) -> bool {
        self.0[out].contains(&Some(Ok(())))
    }
}

/// A pool with these nodes held by a lease each, and these out of service.
fn pool(grid: Grid, anchors: Anchors, held: u32, out: u32) -> GridPool<Vec<u64>> {
    let storage = vec![0; locox::grid::words(grid)];
    let mut pool = GridPool::new(PoolId(1), grid, storage, Placement::First, anchors).unwrap();
    let nodes = |set: u32| (0..grid.nodes()).filter(move |at| set >> at & 1 == 1).map(Node);
    for node in nodes(held) {
        pool.claim(Cuboid::new(grid, node, Sides::new(&[1]).unwrap()).unwrap()).unwrap();
    }
    let out: Vec<_> = nodes(out).collect();
    pool.withdraw(&out, Outage::Drained, |_| panic!("nobody has it")).unwrap();
    pool
}

fn compare(machine: &str, anchors: Anchors) {
    let grid: Grid = machine.parse().unwrap();
    let [a, b, ..] = grid.coordinates(Node(grid.nodes() - 1)).unwrap().map(|last| last + 1);
    let shapes = (1..=a).flat_map(|x| (1..=b).map(move |y| Sides::new(&[x, y]).unwrap()));
    for sides in shapes {
        let answers = Answers::of(grid, anchors, BoxRequest::Fixed(sides));
        let possible = (0..answers.0.len()).any(|out| answers.ever_granted(out));
        for (out, all) in answers.0.iter().enumerate() {
            let granted = answers.ever_granted(out);
            for (held, answer) in all.iter().enumerate() {
                let Some(Err(refusal)) = *answer else { continue };
                let free = grid.nodes() - (held | out).count_ones();
                let expected = match (possible, granted) {
                    (false, _) => Refusal::TooLarge,
                    (true, false) => Refusal::Faulty,
                    _ if sides.nodes() > free => {
                        Refusal::TooFewFree { needed: sides.nodes(), free }
                    }
                    _ => Refusal::Fragmented,
                };
                let state =
                    format!("{sides} in {machine}, {anchors:?}, {held:b} held, {out:b} out");
                assert_eq!(refusal, expected, "{state}");
            }
        }
    }
}

fn compare_at_steps(machine: &str, step: &[u8], offset: &[u8]) {
    let steps = Anchors::steps(step, offset).unwrap();
    compare(machine, steps);
    compare(machine, steps.reused());
}

#[test]
fn refusals_on_lines_and_rings_are_exact_whatever_the_steps() {
    for machine in ["mesh:5", "torus:6"] {
        compare(machine, Anchors::Any);
        for (step, offset) in (0..7).flat_map(|step| [0, 1, 3].map(|offset| (step, offset))) {
            compare_at_steps(machine, &[step], &[offset]);
        }
    }
}

#[test]
fn refusals_on_two_axes_are_exact_whatever_the_steps() {
    for (step, offset) in [([2, 2], [0, 0]), ([2, 2], [1, 1]), ([0, 1], [1, 0]), ([0, 0], [2, 1])] {
        compare_at_steps("mesh:3x2", &step, &offset);
        compare_at_steps("mesh:3rx2", &step, &offset);
    }
}
