//! What the thesis says of isolation, and what it does not.

use super::Evidence;
use super::contention::{Beside, Compared};
use super::shapes::{Judged, in_words, whole};
use super::{barrier, load};
use crate::report::{Claim, Verdict, counted};
use locox::cube::ecube::route;
use locox::cube::{Dim, Node, Subcube};
use locox::mesh::{Leftover, MeshAllocator, MeshLease, Shape};
use locox_models::machine::StrategyKind;

pub(super) fn all(evidence: &Evidence) -> Vec<Claim> {
    let judged = &evidence.judged;
    vec![
        theorem(judged),
        leaves(
            "A 20 x 30 mesh in a 10-cube leaves an 8-cube, a 7-cube, a 5-cube and a 3-cube",
            "Turner 1995, section 3.3.1",
            [20, 30],
            &[8, 7, 5, 3],
        ),
        leaves(
            "A 5 x 5 mesh in a 6-cube leaves cubes of 4, 3, 3, 2, 1 and 0 dimensions",
            "Turner 1995, figure 3.4",
            [5, 5],
            &[4, 3, 3, 2, 1, 0],
        ),
        any_strategy(evidence),
        joined(judged),
        step_4(),
        figure_3_1(evidence),
        no_interference(evidence),
        routers(judged),
    ]
}

fn claim(statement: &str, source: &str, holds: bool, evidence: String) -> Claim {
    let (statement, source) = (statement.into(), source.into());
    Claim { statement, source, verdict: Verdict::of(holds), judged: None, evidence }
}

fn theorem(judged: &[Judged]) -> Claim {
    let most = judged.iter().max_by_key(|it| it.leftovers).expect("there are shapes");
    claim(
        "A mesh and its leftover subcubes share no channel under E-cube routing",
        "Turner 1995, theorem 1",
        judged.iter().all(|it| it.covered && it.isolated),
        format!(
            "For all {} shapes: mesh and leftovers cover the subcube, each node once, and no \
             channel lies on the routes of two of them. The most leftovers are {}, of {}; \
             were the smaller region taken first they would be 13, of 15 x 9. The printed proof of its first case does not hold for the cubes of the partition's second \
             step; condition (3) of lemma 1 does for them.",
            counted(judged.len() as u64),
            most.leftovers,
            in_words(most.shape)
        ),
    )
}

fn leaves(statement: &str, source: &str, [x, y]: [u32; 2], dims: &[u8]) -> Claim {
    let shape = Shape::rectangle(x, y).expect("the sides are small");
    let leftover: Vec<Subcube> = whole(shape).leftover().collect();
    let mut found: Vec<u8> = leftover.iter().map(|cube| cube.dim().get()).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    let list: Vec<String> = leftover.iter().map(Subcube::to_string).collect();
    let nodes: u32 = leftover.iter().map(|cube| cube.dim().nodes()).sum();
    claim(statement, source, found == dims, format!("{}: {nodes} nodes.", list.join(", ")))
}

fn any_strategy(evidence: &Evidence) -> Claim {
    let leak = evidence.churned.iter().find_map(|(kind, course)| Some((kind, course.err()?)));
    let courses = evidence.churned.iter().filter_map(|(_, course)| course.ok());
    let (granted, depth) =
        courses.fold((0, 0), |(sum, most), it| (sum + it.granted, it.depth.max(most)));
    let found = match leak {
        Some((kind, leak)) => format!("{kind}: {leak}."),
        None => format!(
            "{} operations over each of {} strategies, nodes failing in between; {} meshes were \
             granted, nested up to {depth} deep, and no two that lived at the same time could use \
             the same channel.",
            counted(evidence.operations),
            StrategyKind::ALL.len(),
            counted(granted)
        ),
    };
    claim(
        "The auxiliary list may be used with any subcube strategy, and jobs suffer no interference",
        "Turner 1995, section 7.1",
        leak.is_none(),
        format!("{found} Leftovers are never joined across while their owner lives."),
    )
}

fn joined(judged: &[Judged]) -> Claim {
    let dims = |it: &Judged| it.shape.dim().get();
    let shares: Vec<f64> = judged
        .chunk_by(|a, b| dims(a) == dims(b))
        .map(|of_dim| {
            let sum = |of: fn(&Judged) -> u64| of_dim.iter().map(of).sum::<u64>() as f64;
            100.0 * sum(|it| it.sharing) / sum(|it| it.found)
        })
        .collect();
    let smallest = judged.iter().find_map(|it| Some((it, it.first?)));
    let example = smallest.map_or(String::new(), |(it, cube)| {
        format!(
            " The smallest case is a {} mesh in a {}-cube, where leftovers {} may be joined to \
             {cube}.",
            in_words(it.shape),
            it.shape.dim(),
            list(whole(it.shape).leftover())
        )
    });
    let last = shares.iter().rev().take(3).rev().map(|share| format!("{share:.1}"));
    claim(
        "The same, if a strategy that recognises all subcubes is let loose on the leftovers",
        "Turner 1995, section 7.1, read so",
        judged.iter().all(|it| it.sharing == 0),
        format!(
            "Of the subcubes of two nodes and more that leftover nodes make up, {} % use a channel \
             of the mesh, in subcubes of {} dimensions.{example}",
            last.collect::<Vec<_>>().join(", "),
            judged.last().map_or(String::new(), |it| format!("{} to {}", dims(it) - 2, dims(it))),
        ),
    )
}

fn list(cubes: impl Iterator<Item = Subcube>) -> String {
    cubes.map(|cube| cube.to_string()).collect::<Vec<_>>().join(" and ")
}

/// A 5 x 1 mesh in a 3-cube with a job on each leftover node; all of these but the one on 100 end.
fn after_the_tenants(kind: StrategyKind) -> (Box<dyn MeshAllocator + Send>, Vec<MeshLease>) {
    let mut pool = kind.mesh_allocator(Dim::new(3).expect("small"), Leftover::Reused);
    let mut ask = |x| pool.allocate(Shape::line(x).expect("small")).expect("there is room");
    let owner = ask(5);
    let tenants = [ask(1), ask(1), ask(1)];
    let (stays, leave): (Vec<_>, Vec<_>) =
        tenants.into_iter().partition(|tenant| tenant.cube().contains(Node(0b100)));
    for tenant in leave {
        pool.release(tenant).expect("the lease is live");
    }
    (pool, [vec![owner], stays].concat())
}

fn step_4() -> Claim {
    let refused = StrategyKind::ALL.iter().all(|&kind| {
        let (mut pool, _live) = after_the_tenants(kind);
        pool.allocate(Shape::line(2).expect("small")).is_err()
    });
    let hop = route(Node(0b110), Node(0b001)).find(|hop| hop.from == Node(0b111));
    let shared = hop.is_some_and(|hop| hop.to() == Node(0b101));
    let here = if refused { "is refused" } else { "is granted" };
    claim(
        "What a job in a leftover held may go to the free list when it ends, though the owner runs \
         on",
        "Turner 1995, figure 3.9, step 4",
        !shared,
        format!(
            "A 5 x 1 mesh in a 3-cube leaves 10* and 111. Jobs on 100, 101 and 111; the last two \
             end. The free list joins 101 and 111 to 1*1, and the next job there shares the \
             channel from 111 to 101 with the route of the mesh from 110 to 001. Here a cube goes \
             back to the leftover that it came from while the owner lives: a request for 2 x 1 \
             {here} at that moment, under every strategy."
        ),
    )
}

fn figure_3_1(evidence: &Evidence) -> Claim {
    let shared = route(Node(0b0100), Node(0b1010))
        .any(|hop| route(Node(0b0110), Node(0b0010)).any(|other| other == hop));
    let slowest = load::of_figure(&evidence.slowed).map(|it| {
        let of = |job| {
            let [least, most] = it.range(job);
            format!("{:.2} (draws {least:.2} to {most:.2})", it.estimate(job))
        };
        format!("{} {} and {}", it.pattern.name(), of(0), of(1))
    });
    claim(
        "Placed without care, the 2 x 5 and the 2 x 3 mesh contend: 0100 to 1010 with 0110 to 0010",
        "Turner 1995, figure 3.1",
        shared,
        format!(
            "Both routes use the channel from 0110 to 0010. How many times as long the messages of \
             the 2 x 3 and of the 2 x 5 mesh take at a load of half a flit a node and cycle, means \
             of {} draws with 95 % intervals, by pattern: {}. {}.",
            load::DRAWS,
            slowest.collect::<Vec<_>>().join("; "),
            barrier::worst(&evidence.costs)
        ),
    )
}

fn no_interference(evidence: &Evidence) -> Claim {
    let sum = |beside: Beside, of: fn(&Compared) -> u64| {
        evidence.compared.iter().filter(|it| it.beside == beside).map(of).sum::<u64>()
    };
    let messages = |beside| counted(sum(beside, |it| it.messages));
    let moved = sum(Beside::Leftovers, |it| it.moved);
    let moved_beside_joined = sum(Beside::Joined, |it| it.moved);
    let slow = load::of_all(&evidence.slowed)
        .map(|it| format!("{:.1}: {:.3} and {:.3}", it.load, it.estimate(0), it.estimate(1)));
    claim(
        "Jobs suffer no communication interference from other jobs",
        "Turner 1995, section 7.1",
        moved == 0 && moved_beside_joined > 0,
        format!(
            "With a job on each leftover, for all shapes and patterns, {moved} of {} messages were \
             delivered in another cycle than when their job was alone. The same comparison finds \
             {} of {} moved with one job on leftovers joined across. Random pairs of mesh and of \
             that job take so many times as long there, by load: {}. Neighbours in a mesh are \
             neighbours in the cube, so their messages never leave it.",
            messages(Beside::Leftovers),
            counted(moved_beside_joined),
            messages(Beside::Joined),
            slow.collect::<Vec<_>>().join("; ")
        ),
    )
}

fn routers(judged: &[Judged]) -> Claim {
    let with_leftover = || judged.iter().filter(|it| it.left > 0);
    let passed = with_leftover().filter(|it| it.routed > 0).count();
    let (left, routed) =
        with_leftover().fold((0, 0), |(left, routed), it| (left + it.left, routed + it.routed));
    Claim {
        statement: "Leftover nodes are free of the mesh's messages, so they may be taken out of \
                    service at will"
            .into(),
        source: "Turner 1995 speaks of channels only".into(),
        verdict: Verdict::SourceDoesNotSay,
        judged: None,
        evidence: format!(
            "They are not: of {} shapes with leftovers, {} have routes that pass through the router \
             of a leftover node, {:.0} % of these nodes in all. When such a node fails or is \
             drained, the owner of the leftover is named as hit.",
            counted(with_leftover().count() as u64),
            counted(passed as u64),
            100.0 * routed as f64 / left as f64
        ),
    }
}
