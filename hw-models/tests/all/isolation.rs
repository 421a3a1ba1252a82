//! No job uses a channel of another: the kernel's meshes before the oracle.

use locox::cube::ecube::route;
use locox::cube::{Dim, Node, Subcube};
use locox::mesh::{Embedding, Leftover, Shape};
use locox::time::{Duration, Instant};
use locox_models::machine::{Careless, Hypercube, Machine, MeshCube, StrategyKind};
use locox_models::network::traffic::{Mesh, Message, Pattern};
use locox_models::network::wormhole::{Router, Window};
use locox_models::network::{
    Churn, Isolation, channel_count, channel_index, channels, side_by_side,
};
use locox_models::replay::{Options, Outcome, QueueKind, ReplayError, replay};
use locox_models::streams::{Stream, stream};
use locox_models::workload::meshes::{Choice, Meshes, Service, Sides};
use locox_models::workload::{Job, Workload};
use rand::RngExt;

fn dim(dim: u8) -> Dim {
    Dim::new(dim).unwrap()
}

/// A replay, first come, first served.
fn first_come(
    workload: &Workload,
    machine: &mut dyn Machine,
    options: &Options,
) -> Result<Outcome, ReplayError> {
    let kind = QueueKind::Fcfs;
    let mut queue = kind.queue(workload.jobs.len(), machine.processors());
    let options = Options { decisions: kind.decisions(), ..*options };
    replay(workload, machine, &mut *queue, &options)
}

fn nodes(texts: &[&str]) -> Vec<Node> {
    texts.iter().flat_map(|text| text.parse::<Subcube>().unwrap().nodes()).collect()
}

fn in_whole(shape: Shape) -> Embedding {
    Embedding::new(Subcube::whole(shape.dim()), shape).unwrap()
}

/// All meshes of up to three axes, the last two sides of 1 left to themselves.
fn shapes(largest: u8) -> impl Iterator<Item = Shape> {
    let side = 1..=1u32 << largest;
    let sides = side.clone().flat_map(move |x| {
        side.clone().flat_map(move |y| (1..=1u32 << largest).map(move |z| [x, y, z]))
    });
    sides.filter_map(move |sides| {
        Shape::try_from(sides).ok().filter(|shape| shape.dim() <= dim(largest))
    })
}

/// The mesh and its leftovers in the cube that they fill, as jobs of their own.
fn assert_isolated(shape: Shape) {
    let mesh = in_whole(shape);
    let mut network = Isolation::new(shape.dim());
    network.enter(0, &mesh.nodes().collect::<Vec<_>>()).unwrap();
    for (job, cube) in (1..).zip(mesh.leftover()) {
        let entered = network.enter(job, &cube.nodes().collect::<Vec<_>>());
        assert_eq!(entered, Ok(()), "{shape}, leftover {cube}");
    }
}

/// Theorem 1: all pairs of nodes, all shapes of two axes up to 8 dimensions, of three up to 5.
#[test]
fn the_routes_of_a_mesh_and_of_its_leftovers_have_no_channel_in_common() {
    shapes(5).for_each(assert_isolated);
    let side = 1..=1u32 << 8;
    let pairs = side.clone().flat_map(|x| side.clone().map(move |y| (x, y)));
    let flat = pairs.map(|(x, y)| Shape::rectangle(x, y).unwrap());
    let flat: Vec<Shape> = flat.filter(|shape| shape.dim() <= dim(8)).collect();
    assert_eq!(flat.len(), 1280);
    flat.into_iter().for_each(assert_isolated);
}

/// Beyond that, routes between nodes drawn at random.
#[test]
fn walked_routes_of_large_meshes_use_no_channel_of_a_leftover() {
    let mut random = stream(1, "large meshes", 0);
    for dims in (9..=14).map(dim) {
        let split = random.random_range(1..dims.get());
        let side =
            |dims: u8, random: &mut Stream| random.random_range((1 << (dims - 1)) + 1..=1 << dims);
        let (x, y) = (side(split, &mut random), side(dims.get() - split, &mut random));
        let mesh = in_whole(Shape::rectangle(x, y).unwrap());
        let members: Vec<Node> = mesh.nodes().collect();
        let mut taken = vec![false; channel_count(dims)];
        for cube in mesh.leftover() {
            let used = channels(dims, &cube.nodes().collect::<Vec<_>>());
            used.into_iter().for_each(|channel| taken[channel_index(dims, channel)] = true);
        }
        for _ in 0..2_000 {
            let mut node = || members[random.random_range(0..members.len())];
            let (source, target) = (node(), node());
            let shared = route(source, target).find(|&hop| taken[channel_index(dims, hop)]);
            assert_eq!(shared, None, "{x} x {y}: {source} to {target}");
        }
    }
}

#[test]
fn a_node_may_carry_a_route_of_the_mesh_exactly_if_a_walked_route_passes_it() {
    for shape in shapes(4) {
        let mesh = in_whole(shape);
        let members: Vec<Node> = mesh.nodes().collect();
        let mut passed = vec![false; shape.dim().nodes() as usize];
        for &source in &members {
            passed[source.0 as usize] = true;
            for &target in &members {
                route(source, target).for_each(|hop| passed[hop.to().0 as usize] = true);
            }
        }
        for (node, &passed) in (0..).map(Node).zip(&passed) {
            assert_eq!(mesh.may_route_through(node), passed, "{shape}, node {node}");
        }
    }
}

#[test]
fn the_oracle_never_fires_in_long_churn_with_nested_meshes_and_failing_nodes() {
    for kind in StrategyKind::ALL {
        for dims in [5, 6, 8] {
            let mut pool = kind.mesh_allocator(dim(dims), Leftover::Reused);
            let churn = Churn { operations: 30_000, check_every: 2_000, seed: dims.into() };
            let course = churn.run(&mut *pool).unwrap_or_else(|leak| panic!("{kind}: {leak}"));
            assert!(course.depth >= 3, "{kind}, {dims} dimensions: meshes were hardly nested");
            assert!(course.refused > 0 && course.withdrawn > 0, "{kind}: {course:?}");
        }
    }
}

/// The build broken on purpose: leftovers are joined across.
#[test]
fn the_oracle_fires_when_leftovers_are_joined() {
    let mut random = stream(1, "careless", 0);
    let mut cube = Careless::new(dim(6));
    let mut network = Isolation::new(dim(6));
    let mut live = Vec::new();
    let shared = (0..1000).find_map(|id| {
        let side = |random: &mut Stream| random.random_range(1..=6);
        let shape = Shape::rectangle(side(&mut random), side(&mut random)).unwrap();
        let placement = loop {
            if let Ok(placement) = cube.start(&job(id, shape)) {
                break placement;
            }
            let (job, placement) = live.swap_remove(random.random_range(0..live.len()));
            cube.finish(placement);
            network.leave(job);
        };
        live.push((id, placement));
        let nodes: Vec<Node> = cube.mesh(placement).nodes().collect();
        network.enter(id, &nodes).err()
    });
    let shared = shared.expect("placements that forget channels share one sooner or later");
    assert!(shared.user < 1000);
}

fn job(id: u64, shape: Shape) -> Job {
    Job {
        id,
        line: None,
        submit: Instant::ZERO,
        processors: shape.nodes(),
        shape: Some(shape),
        memory: 0,
        demand: None,
        run: Duration::from_ticks(1),
        requested: None,
        user: None,
    }
}

/// FACTS of the trap: a 5 x 1 mesh in Q3 leaves 111 and 10*; 111 and 101 make 1*1.
#[test]
fn the_smallest_joined_leftover_shares_the_channel_from_111_to_101() {
    let mesh = in_whole(Shape::line(5).unwrap());
    assert!(mesh.leftover().map(|cube| cube.to_string()).eq(["10*", "111"]));
    let used = channels(dim(3), &mesh.nodes().collect::<Vec<_>>());
    let joined = channels(dim(3), &nodes(&["1*1"]));
    let shared: Vec<_> = used.iter().filter(|channel| joined.contains(channel)).collect();
    assert_eq!(shared.len(), 1);
    assert_eq!((shared[0].from, shared[0].to()), (Node(0b111), Node(0b101)));
    assert!(route(Node(0b110), Node(0b001)).any(|hop| hop == *shared[0]));
}

/// The rows of both meshes are told apart by the lowest bit, their columns are consecutive
/// codewords: 000 001 011 for the 2 x 3 mesh, 010 110 111 101 100 for the 2 x 5 one.
fn figure_3_1() -> (Vec<Node>, Vec<Node>) {
    (nodes(&["000*", "001*", "011*"]), nodes(&["010*", "110*", "111*", "101*", "100*"]))
}

/// "Communication from node 0100 to node 1010 in the 2 x 5 cluster may cause link contention with
/// communication between nodes 0110 and 0010 in the 2 x 3 cluster."
#[test]
fn the_meshes_of_figure_3_1_share_the_channel_from_0110_to_0010() {
    let (small, large) = figure_3_1();
    let shared = route(Node(0b0100), Node(0b1010)).find(|hop| hop.from == Node(0b0110)).unwrap();
    assert_eq!(shared.to(), Node(0b0010));
    assert!(large.contains(&Node(0b0100)) && large.contains(&Node(0b1010)));
    assert!(small.contains(&Node(0b0110)) && small.contains(&Node(0b0010)));
    let mut network = Isolation::new(dim(4));
    network.enter(1, &small).unwrap();
    assert_eq!(network.enter(2, &large).unwrap_err().user, 1);
}

#[test]
fn the_meshes_of_figure_3_1_slow_each_other_down() {
    let message =
        |source, target| vec![Message { source: Node(source), target: Node(target), at: 0 }; 10];
    let named = [message(0b0110, 0b0010), message(0b0100, 0b1010)];
    let beside = |jobs| side_by_side(&Router::default(), dim(4), jobs, Window::One);
    assert!(beside(&named).iter().all(|job| job.slow_down() > 1.3));
    let (small, large) = figure_3_1();
    let meshes = [Mesh::new([3, 2, 1], small), Mesh::new([5, 2, 1], large)];
    let mut random = stream(1, "traffic", 0);
    let jobs = meshes.map(|mesh| mesh.offered(Pattern::RandomPairs, 100.0, 3_000, &mut random));
    assert!(beside(&jobs).iter().all(|job| job.moved() > 0));
}

/// All shapes with leftovers in subcubes of up to 5 dimensions, a job on each leftover: no message
/// of any arrives in another cycle than when its job runs alone. This does not follow from how the
/// model is built, as it would if channels were all that jobs could meet in: they also meet in the
/// routers.
#[test]
fn no_message_of_a_mesh_or_of_a_job_in_its_leftover_is_moved_by_the_others() {
    let side = 1..=1u32 << 6;
    let pairs = side.clone().flat_map(|x| side.clone().map(move |y| (x, y)));
    let shapes = pairs.filter_map(|(x, y)| Shape::rectangle(x, y).ok());
    let shapes =
        shapes.filter(|shape| shape.dim() <= dim(5) && shape.nodes() < shape.dim().nodes());
    let mut random = stream(1, "traffic", 0);
    let mut messages = 0;
    for shape in shapes {
        let mesh = in_whole(shape);
        let own = Mesh::new(shape.sides(), mesh.nodes().collect());
        let others = mesh
            .leftover()
            .map(|cube| Mesh::new([cube.dim().nodes(), 1, 1], cube.nodes().collect()));
        let meshes: Vec<Mesh> = std::iter::once(own).chain(others).collect();
        let offered = |mesh: &Mesh| mesh.offered(Pattern::RandomPairs, 60.0, 600, &mut random);
        let jobs: Vec<_> = meshes.iter().map(offered).collect();
        for job in side_by_side(&Router::default(), shape.dim(), &jobs, Window::Stream) {
            assert_eq!(job.moved(), 0, "{shape}");
            messages += job.alone.len();
        }
    }
    assert!(messages > 10_000, "{messages} messages");
}

/// Without the auxiliary list a mesh holds its subcube, as a job that asks for the subcube does.
#[test]
fn kept_leftover_is_the_plain_strategy() {
    let sides = Sides::Interval { small: 1..=3, large: 5..=8, share: 0.6, choice: Choice::PerSide };
    let service = Service::Exponential;
    let recipe = Meshes { name: "test".into(), jobs: 2000, load: 4.0, sides, service };
    let meshes = recipe.generate(1, 0);
    let mut subcubes = meshes.clone();
    for job in &mut subcubes.jobs {
        job.processors = job.shape.unwrap().dim().nodes();
    }
    for kind in StrategyKind::ALL {
        let options = Options { allocations: true, ..Options::default() };
        let mut kept = MeshCube::new(dim(7), kind, Leftover::Kept);
        let mut plain = Hypercube::new(dim(7), kind);
        let kept = first_come(&meshes, &mut kept, &options).unwrap();
        let plain = first_come(&subcubes, &mut plain, &options).unwrap();
        assert_eq!(kept.held_utilisation, plain.held_utilisation, "{kind}");
        for (kept, plain) in kept.jobs.iter().zip(&plain.jobs) {
            assert_eq!((kept.start, &kept.allocated), (plain.start, &plain.allocated), "{kind}");
        }
    }
}
