//! No job uses a channel of another: the kernel's boxes before the oracle.
//!
//! `LOCOX_OPERATIONS` is how many operations each course has, 10,000 unless it is set.

use locox::cube::Node;
use locox::grid::{Anchors, BoxLease, BoxRequest, Cuboid, Grid, GridPool, Placement, Sides, words};
use locox::handle::PoolId;
use locox::subcube::InvariantViolation;
use locox_models::network::{Churn, Churned, Isolation, Leak, Topology};
use locox_models::streams::Stream;
use rand::RngExt;

type Pool = GridPool<Vec<u64>>;

fn pool(grid: Grid, placement: Placement, anchors: Anchors) -> Pool {
    GridPool::new(PoolId(1), grid, vec![0; words(grid)], placement, anchors).unwrap()
}

fn grid(text: &str) -> Grid {
    text.parse().unwrap()
}

fn operations() -> u64 {
    std::env::var("LOCOX_OPERATIONS").map_or(10_000, |text| text.parse().unwrap())
}

/// Runs the course on a pool that grants none but isolated boxes.
#[track_caller]
fn assert_isolated(text: &str, anchors: Anchors, depth: usize) {
    let operations = operations();
    for placement in Placement::ALL {
        let mut pool = pool(grid(text), placement, anchors).isolating();
        let churn = Churn { operations, check_every: operations / 10, seed: 1 };
        let course = churn.run(&mut pool).unwrap_or_else(|leak| panic!("{text}: {leak}"));
        assert_eq!(course.depth, depth, "{text}, {placement:?}");
        assert!(course.refused > operations / 100 && course.withdrawn > 0, "{course:?}");
        assert!(course.granted > operations / 10, "{text}: {course:?}");
    }
}

#[test]
fn the_oracle_never_fires_in_long_churn_on_a_torus_of_8x8() {
    assert_isolated("torus:8x8", Anchors::Any, 1);
    assert_isolated("torus:8x8", Anchors::steps(&[4, 4], &[]).unwrap().reused(), 2);
}

#[test]
fn the_oracle_never_fires_in_long_churn_on_a_torus_of_4x4x4() {
    assert_isolated("torus:4x4x4", Anchors::Any, 1);
    assert_isolated("torus:4x4x4", Anchors::steps(&[2, 2, 2], &[1]).unwrap().reused(), 2);
}

#[test]
fn the_oracle_never_fires_in_long_churn_on_16x16x16_of_lines_and_a_ring() {
    assert_isolated("mesh:16x16rx16", Anchors::Any, 1);
    assert_isolated("mesh:16x16rx16", Anchors::steps(&[4, 4, 8], &[]).unwrap().reused(), 2);
}

/// The build broken on purpose: all boxes are granted.
#[test]
fn the_oracle_fires_when_boxes_that_leave_their_rings_are_granted() {
    for text in ["torus:8x8", "mesh:16x16rx16"] {
        let mut pool = pool(grid(text), Placement::First, Anchors::Any);
        let churn = Churn { operations: 20_000, check_every: 2_000, seed: 1 };
        let leak = churn.run(&mut pool).unwrap_err();
        assert!(matches!(leak, Leak::Shared { .. }), "{text}: {leak}");
    }
}

/// The build broken on purpose: half of a ring and one node more count as isolated.
#[test]
fn the_oracle_fires_when_the_condition_is_off_by_one() {
    let inner = pool(grid("torus:8x8"), Placement::First, Anchors::Any);
    let churn = Churn { operations: 20_000, check_every: 2_000, seed: 1 };
    let leak = churn.run(&mut OffByOne(inner)).unwrap_err();
    assert!(matches!(leak, Leak::Shared { .. }), "{leak}");
}

struct OffByOne(Pool);

impl Churned for OffByOne {
    type Lease = BoxLease;

    fn topology(&self) -> Topology {
        self.0.topology()
    }

    fn ask(&mut self, random: &mut Stream) -> Option<BoxLease> {
        let [x, y] = [(); 2].map(|()| *[1, 2, 3, 4, 5, 8].get(random.random_range(0..6)).unwrap());
        self.0.allocate(BoxRequest::Fixed(Sides::new(&[x, y]).unwrap())).ok()
    }

    fn nodes(&self, lease: &BoxLease) -> Vec<Node> {
        self.0.nodes(lease)
    }

    fn depth<'a>(&self, lease: &BoxLease, live: impl Iterator<Item = &'a BoxLease>) -> usize {
        self.0.depth(lease, live)
    }

    fn give_back(&mut self, lease: BoxLease) {
        self.0.give_back(lease);
    }

    fn fail(&mut self, node: Node) {
        self.0.fail(node);
    }

    fn mend(&mut self, node: Node) {
        self.0.mend(node);
    }

    fn check(&mut self) -> Result<(), InvariantViolation> {
        self.0.check()
    }
}

fn nodes(grid: Grid, at: u32, sides: &str) -> Vec<Node> {
    let cuboid = Cuboid::new(grid, Node(at), sides.parse().unwrap()).unwrap();
    cuboid.nodes().collect()
}

/// The smallest planted violation: of six nodes in a ring the four go round through the other two.
#[test]
fn four_nodes_of_a_ring_of_six_share_channels_with_the_other_two() {
    let ring = grid("torus:6");
    let mut network = Isolation::new(ring);
    network.enter(1, &nodes(ring, 4, "2")).unwrap();
    let shared = network.enter(2, &nodes(ring, 0, "4")).unwrap_err();
    assert_eq!((shared.user, shared.from, shared.to), (1, Node(4), Node(5)));
}

/// Proposition 2: routes of all but one of a ring lead through the router of that one, which is on no
/// way of a job that has no other node in that ring. Of a job that had, it could not be alone.
#[test]
fn all_but_one_of_a_ring_share_no_channel_though_their_routes_leave_them() {
    let torus = grid("torus:8x8");
    let mut network = Isolation::new(torus);
    network.enter(1, &nodes(torus, 0, "7x8")).unwrap();
    assert_eq!(network.enter(2, &nodes(torus, 7, "1x8")), Ok(()));
    assert!(!"7x8".parse::<Sides>().unwrap().are_isolated(torus));
}

#[test]
fn a_pool_that_isolates_refuses_what_it_could_not_keep_apart_and_nothing_else() {
    let torus = grid("torus:5x4");
    let request = |sides: &str| BoxRequest::Fixed(sides.parse().unwrap());
    for (x, y) in (1..=5).flat_map(|x| (1..=4).map(move |y| (x, y))) {
        let sides = Sides::new(&[x, y]).unwrap();
        let mut pool = pool(torus, Placement::First, Anchors::Any).isolating();
        let granted = pool.would_fit(BoxRequest::Fixed(sides)).is_ok();
        assert_eq!(granted, x != 4 && y != 3, "{sides}");
    }
    let mut pool = pool(torus, Placement::First, Anchors::Any).isolating();
    assert!(pool.is_isolating());
    // Turned, and as a number of nodes, the shapes are taken that are isolated.
    let turned = pool.allocate(BoxRequest::Turned("4x3".parse().unwrap())).unwrap();
    assert_eq!(turned.cuboid().sides(), "3x4".parse().unwrap());
    let four = pool.allocate(BoxRequest::Nodes(4)).unwrap();
    assert_eq!(four.cuboid().sides(), "1x4".parse().unwrap());
    // A claim says where it lies.
    let four = Cuboid::new(torus, torus.node_at(&[4, 0]).unwrap(), "1x3".parse().unwrap()).unwrap();
    assert!(pool.claim(four).is_ok());
    assert!(pool.would_fit(request("4x1")).is_err());
}
