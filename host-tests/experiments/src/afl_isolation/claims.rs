//! What the thesis says of isolation, and what it does not.

use super::super::sources::turner_meshes::{
    ANY_STRATEGY, BOTH_CANNOT_RUN, COALESCED, CONTENTION, DILATION, DISJOINT, FEW_LEFTOVERS,
    FEW_PIECES, JOINED_ACROSS, LARGEST_LEFTOVER, LEAVES_5_5, LEAVES_20_30, NO_INTERFERENCE,
    PROOF_CASE_1, ROUTERS, STEP_4, THEOREM_1,
};
use super::super::thresholds::AFL_CONTEND;
use super::barrier::Cost;
use super::contention::{Beside, Compared};
use super::load::Slowed;
use super::shapes::{Pairs, Shaped, changes_places, in_words, whole};
use super::{barrier, load};
use locox::cube::{Dim, Node, Subcube, ecube};
use locox::mesh::{Leftover, Shape};
use locox_models::machine::StrategyKind;
use locox_models::network::{Course, Leak};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Claim, Judged, Statement, Status, counted};

/// What is known at the end.
pub(super) struct Evidence {
    pub(super) judged: Vec<Shaped>,
    pub(super) churned: Vec<(StrategyKind, Result<Course, Leak>)>,
    /// Operations that each strategy has gone through.
    pub(super) operations: u64,
    pub(super) compared: Vec<Compared>,
    pub(super) slowed: Vec<Slowed>,
    pub(super) costs: Vec<Cost>,
}

pub(super) fn all(evidence: &Evidence) -> Vec<Claim> {
    let judged = &evidence.judged;
    let mut claims = of_shapes(judged);
    claims.extend([
        leaves(&LEAVES_20_30, [20, 30], &[8, 7, 5, 3]),
        leaves(&LEAVES_5_5, [5, 5], &[4, 3, 3, 2, 1, 0]),
        any_strategy(evidence),
        joined(judged),
        step_4(judged),
        both_jobs(),
        shared_channel(),
        figure_3_1(evidence),
        routers(judged),
    ]);
    claims.extend(no_interference(evidence));
    claims
}

/// What is said of every mesh that takes the subcube that it needs.
fn of_shapes(judged: &[Shaped]) -> Vec<Claim> {
    let squared = |it: &Shaped| usize::from(it.shape.dim().get()).pow(2);
    let several = || judged.iter().filter(|it| it.shape.dim() > Dim::ZERO);
    let most = judged.iter().map(|it| it.leftovers + it.pieces).max().unwrap_or(0);
    let apart_by = |changed| {
        let refuted = judged.iter().filter(|it| !it.case_1);
        refuted.filter(|it| changes_places(it.shape) == changed).count()
    };
    vec![
        by_shape(judged, |it| it.dilated_by_1).on(&DILATION, ""),
        by_shape(judged, |it| it.covered).on(&DISJOINT, ""),
        by_shape(judged, |it| it.largest_possible).on(&LARGEST_LEFTOVER, ""),
        by_shape(judged, |it| it.leftovers <= squared(it)).on(&FEW_LEFTOVERS, ""),
        by_shape(several(), |it| it.leftovers + it.pieces <= squared(it))
            .on(&FEW_PIECES, format!("{most} at most.")),
        by_shape(judged, |it| it.coalesced).on(&COALESCED, ""),
        theorem(judged),
        judge::always(judged.iter().map(|it| (in_words(it.shape), it.case_1))).on(
            &PROOF_CASE_1,
            format!(
                "The cubes of the partition's second step have used codewords there. The theorem holds for these \
                 cubes: by condition (3) of lemma 1, as in {} of these shapes, and by condition (2) where X and Y have \
                 changed places, as in {}.",
                apart_by(false),
                apart_by(true)
            ),
        ),
    ]
}

fn by_shape<'a>(
    judged: impl IntoIterator<Item = &'a Shaped>,
    is_so: impl Fn(&Shaped) -> bool,
) -> Judged {
    judge::exactly(judged.into_iter().map(|it| (in_words(it.shape), is_so(it))))
}

fn theorem(judged: &[Shaped]) -> Claim {
    let most = judged.iter().max_by_key(|it| it.leftovers).expect("there are shapes");
    by_shape(judged, |it| it.isolated).on(
        &THEOREM_1,
        format!(
            "Shape by shape: no channel lies on the routes of two of them. The most leftovers are {}, as of \
             {}.",
            most.leftovers,
            in_words(most.shape)
        ),
    )
}

fn leaves(statement: &'static Statement, sides: [u32; 2], dims: &[u8]) -> Claim {
    let leftover = leftover(sides);
    let list: Vec<String> = leftover.iter().map(Subcube::to_string).collect();
    let nodes: u32 = leftover.iter().map(|cube| cube.dim().nodes()).sum();
    has_dims(&leftover, dims).on(statement, format!("{}: {nodes} nodes.", list.join(", ")))
}

fn leftover([x, y]: [u32; 2]) -> Vec<Subcube> {
    whole(Shape::rectangle(x, y).expect("the sides are small")).leftover().collect()
}

fn has_dims(leftover: &[Subcube], dims: &[u8]) -> Judged {
    let mut found: Vec<u8> = leftover.iter().map(|cube| cube.dim().get()).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    judge::exactly([("dimensions of the leftovers".to_owned(), found == dims)])
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
    let strategies =
        evidence.churned.iter().map(|(kind, course)| (kind.to_string(), course.is_ok()));
    judge::exactly(strategies).on(&ANY_STRATEGY, found)
}

/// Of the shapes that leave anything that can be joined.
fn nothing_joined_shares(judged: &[Shaped]) -> Judged {
    by_dim(judged, |it| Pairs { all: it.found, sharing: it.sharing })
}

/// By dimension of the subcube; no test where there is nothing to share.
fn by_dim(judged: &[Shaped], pairs: impl Fn(&Shaped) -> Pairs) -> Judged {
    let of_dim = judged.chunk_by(|a, b| a.shape.dim() == b.shape.dim()).filter_map(|of_dim| {
        let sum = |of: fn(&Pairs) -> u64| of_dim.iter().map(|it| of(&pairs(it))).sum::<u64>();
        let name = format!("shapes in {}-cubes", of_dim[0].shape.dim());
        (sum(|it| it.all) > 0).then(|| (name, sum(|it| it.sharing) == 0))
    });
    judge::exactly(of_dim)
}

fn joined(judged: &[Shaped]) -> Claim {
    let dims = |it: &Shaped| it.shape.dim().get();
    let shares: Vec<f64> = judged
        .chunk_by(|a, b| dims(a) == dims(b))
        .map(|of_dim| {
            let sum = |of: fn(&Shaped) -> u64| of_dim.iter().map(of).sum::<u64>() as f64;
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
    nothing_joined_shares(judged).on(
        &JOINED_ACROSS,
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

fn step_4(judged: &[Shaped]) -> Claim {
    let sum = |of: fn(&Shaped) -> u64| counted(judged.iter().map(of).sum());
    let first = judged.iter().find(|it| it.across.sharing > 0);
    let first = first.map_or(String::new(), |it| {
        format!(
            " The smallest case is {} in a {}-cube, which leaves {}.",
            in_words(it.shape),
            it.shape.dim(),
            list(whole(it.shape).leftover())
        )
    });
    by_dim(judged, |it| it.across).on(
        &STEP_4,
        format!(
            "The free list merges free neighbours whichever leftover they come from. Of {} such \
             pairs in two leftovers of one mesh {} share a channel with it, by shape and subcube; \
             of {} pairs in one leftover {} do.{first} Here a cube goes back to the leftover that \
             it came from while the owner lives.",
            sum(|it| it.across.all),
            sum(|it| it.across.sharing),
            sum(|it| it.within.all),
            sum(|it| it.within.sharing)
        ),
    )
}

/// Whether a 2 x 5 and a 2 x 3 mesh cannot both have a subcube, in whichever order they come.
fn cannot_both_run(dims: Dim) -> Judged {
    let orders = [[5, 3], [3, 5]];
    let refused = |kind: StrategyKind, order: [u32; 2]| {
        let mut pool = kind.mesh_allocator(dims, Leftover::Kept);
        let mut ask = |y| pool.allocate(Shape::rectangle(2, y).expect("small")).is_ok();
        order.map(&mut ask) != [true; 2]
    };
    let case = |(kind, order): (StrategyKind, [u32; 2])| {
        (format!("{kind}, 2 x {} first", order[0]), refused(kind, order))
    };
    let kinds = StrategyKind::ALL.into_iter();
    judge::exactly(kinds.flat_map(|kind| orders.map(|order| case((kind, order)))))
}

fn both_jobs() -> Claim {
    cannot_both_run(Dim::new(4).expect("small")).on(
        &BOTH_CANNOT_RUN,
        "10 and 6 nodes of 16; but the first needs the whole 4-cube, and the second a 3-cube. Under each \
         strategy, in both orders.",
    )
}

/// The two routes that the text names.
fn shared_channel() -> Claim {
    let route = |from, to| ecube::route(Node(from), Node(to));
    let meet = route(0b0100, 0b1010).any(|hop| route(0b0110, 0b0010).any(|other| other == hop));
    judge::exactly([("the two routes".to_owned(), meet)])
        .on(&CONTENTION, "Both use the channel from 0110 to 0010.")
        .variant("on one channel")
}

/// Whether messages of both jobs take longer for each other, under each pattern that leaves its
/// mesh's rows and columns.
fn contend<'a>(slowed: impl Iterator<Item = &'a Slowed>) -> Judged {
    let case = |it: &Slowed| {
        [0, 1].map(|job| {
            let longer = it.times[job].iter().map(|times| 100.0 * (times - 1.0)).collect();
            let name = format!("{}, {} mesh", it.pattern.name(), ["2 x 3", "2 x 5"][job]);
            Case::new(name, longer, Expected::Inside(AFL_CONTEND, f64::INFINITY))
        })
    };
    judge::some(&slowed.flat_map(case).collect::<Vec<_>>(), Unit("%", 1))
}

fn figure_3_1(evidence: &Evidence) -> Claim {
    let slowest = load::of_figure(&evidence.slowed).map(|it| {
        let of = |job| {
            let [least, most] = it.range(job);
            format!("{:.2} (draws {least:.2} to {most:.2})", it.estimate(job))
        };
        format!("{} {} and {}", it.pattern.name(), of(0), of(1))
    });
    let judged = contend(load::of_figure(&evidence.slowed)).on(
        &CONTENTION,
        format!(
            "Messages of some pattern take longer beside the other job. How many times as long \
             those of the 2 x 3 and of the 2 x 5 mesh take at a load of half a flit a node and \
             cycle, means of {} draws with 95 % intervals, by pattern: {}. {}.",
            load::DRAWS,
            slowest.collect::<Vec<_>>().join("; "),
            barrier::worst(&evidence.costs)
        ),
    );
    judged.variant("in time")
}

/// Whether all messages arrive in the cycle in which they do when their job is alone.
fn nothing_moved(compared: &[Compared], beside: Beside) -> Judged {
    let of = compared.iter().filter(|it| it.beside == beside);
    judge::exactly(of.map(|it| (it.pattern.name().to_owned(), it.moved == 0)))
}

fn no_interference(evidence: &Evidence) -> [Claim; 2] {
    let moved = |beside: Beside| {
        let of = || evidence.compared.iter().filter(move |it| it.beside == beside);
        let [moved, messages] = [of().map(|it| it.moved).sum(), of().map(|it| it.messages).sum()];
        format!(
            "{} of {} messages were delivered in another cycle than when their job was alone.",
            counted(moved),
            counted(messages)
        )
    };
    let slow = load::of_all(&evidence.slowed)
        .map(|it| format!("{:.1}: {:.3} and {:.3}", it.load, it.estimate(0), it.estimate(1)));
    let slow = format!(
        "Random pairs of mesh and of that job take so many times as long, by load: {}. Neighbours in a \
         mesh are neighbours in the cube, so their messages never leave it.",
        slow.collect::<Vec<_>>().join("; ")
    );
    let judged =
        |beside, told: String| nothing_moved(&evidence.compared, beside).on(&NO_INTERFERENCE, told);
    [
        judged(Beside::Joined, format!("{} {slow}", moved(Beside::Joined)))
            .variant("the rules as printed")
            // By one reading of figure 3.9: its output names two lists, and p. 44 three kinds of release.
            .by(Status::Derived),
        judged(Beside::Leftovers, moved(Beside::Leftovers)).variant("the kernel's rules"),
    ]
}

fn routers(judged: &[Shaped]) -> Claim {
    let with_leftover = || judged.iter().filter(|it| it.left > 0);
    let passed = with_leftover().filter(|it| it.routed > 0).count();
    let (left, routed) =
        with_leftover().fold((0, 0), |(left, routed), it| (left + it.left, routed + it.routed));
    by_shape(with_leftover(), |it| it.routed == 0).on(
        &ROUTERS,
        format!(
            "Of {} shapes with leftovers, {} have routes that pass through the router \
             of a leftover node, {:.0} % of these nodes in all. When such a node fails or is \
             drained, the owner of the leftover is named as hit.",
            counted(with_leftover().count() as u64),
            counted(passed as u64),
            100.0 * routed as f64 / left as f64
        ),
    )
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::shapes::Partition;
    use super::super::{contention, shapes};
    use super::*;
    use crate::{Effort, Lab};
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    fn lab() -> Lab {
        Lab::new(Effort::Quick, 1, Progress::hidden())
    }

    /// Leftover nodes are joined as they come, whichever leftover they are of.
    const JOINED: Partition = |mesh| {
        let mut nodes: Vec<Subcube> = mesh.leftover().flat_map(single_nodes).collect();
        nodes.reverse();
        shapes::coalesced(nodes)
    };

    fn single_nodes(cube: Subcube) -> impl Iterator<Item = Subcube> {
        cube.nodes().filter_map(move |node| Subcube::new(cube.dims(), node, 0))
    }

    fn verdict(claims: &[Claim], statement: &Statement) -> Verdict {
        claims.iter().find(|claim| claim.statement == statement).expect("it is judged").verdict
    }

    /// A partition that forgets its first leftover.
    const FORGETS: Partition = |mesh| mesh.leftover().skip(1).collect();

    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        [shapes::SOUND, FORGETS]
            .map(|partition| of_shapes(&shapes::judge_all(&lab(), 4, partition)))
    }

    /// Leftovers joined across, a larger cube, and lists that merge only within a leftover.
    #[test]
    fn wrong_partitions_turn_the_verdicts() {
        let judged = shapes::judge_all(&lab(), 5, shapes::SOUND);
        let right = of_shapes(&judged);
        for statement in [&THEOREM_1, &DISJOINT, &DILATION, &FEW_LEFTOVERS, &FEW_PIECES] {
            assert_eq!(verdict(&right, statement), Holds, "{}", statement.id);
        }
        let wrong = of_shapes(&shapes::judge_all(&lab(), 5, JOINED));
        assert_eq!(verdict(&wrong, &DISJOINT), Holds);
        assert_ne!(verdict(&wrong, &THEOREM_1), Holds);
        let lost = of_shapes(&shapes::judge_all(&lab(), 5, FORGETS));
        for statement in [&DISJOINT, &COALESCED, &LARGEST_LEFTOVER] {
            assert_ne!(verdict(&lost, statement), Holds, "{}", statement.id);
        }
        assert_eq!(nothing_joined_shares(&judged).verdict, DoesNotHold);
        assert_eq!(by_dim(&judged, |it| it.across).verdict, DoesNotHold);
        assert_eq!(by_dim(&judged, |it| it.within).verdict, Holds);
        assert_eq!(has_dims(&leftover([20, 30]), &[8, 7, 5, 3]).verdict, Holds);
        assert_eq!(has_dims(&leftover([20, 29]), &[8, 7, 5, 3]).verdict, DoesNotHold);
        assert_eq!(cannot_both_run(Dim::new(4).unwrap()).verdict, Holds);
        assert_eq!(cannot_both_run(Dim::new(5).unwrap()).verdict, DoesNotHold);
    }

    /// Joined leftovers in place of leftovers, and leftovers in place of the figure's placement.
    #[test]
    fn every_verdict_on_messages_can_fail() {
        let lab = lab();
        let judged = shapes::judge_all(&lab, 4, shapes::SOUND);
        let compared = contention::compare(&lab, &judged);
        assert_eq!(nothing_moved(&compared, Beside::Leftovers).verdict, Holds);
        assert_ne!(nothing_moved(&compared, Beside::Joined).verdict, Holds);
        let apart = contention::placed(&judged, Beside::Leftovers);
        let two: Vec<_> = apart.into_iter().filter(|placed| placed.meshes.len() == 2).collect();
        let verdict =
            |pairs: &[contention::Placed]| contend([load::of_pairs(&lab, pairs)].iter()).verdict;
        assert_eq!(verdict(&[contention::figure_3_1()]), Holds);
        assert_eq!(verdict(&two), DoesNotHold);
    }
}
