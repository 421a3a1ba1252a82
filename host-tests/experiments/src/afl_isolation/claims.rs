//! What the thesis says of isolation, and what it does not.

use super::barrier::Cost;
use super::contention::{Beside, Compared};
use super::load::Slowed;
use super::shapes::{Pairs, Shaped, in_words, whole};
use super::{barrier, load};
use locox::cube::{Dim, Subcube};
use locox::mesh::{Leftover, Shape};
use locox_models::machine::StrategyKind;
use locox_models::network::{Course, Leak};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Claim, Judged, counted};

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
        step_4(judged),
        both_jobs(),
        figure_3_1(evidence),
        no_interference(evidence),
        routers(judged),
    ]
}

fn by_shape<'a>(
    judged: impl IntoIterator<Item = &'a Shaped>,
    is_so: impl Fn(&Shaped) -> bool,
) -> Judged {
    judge::exactly(judged.into_iter().map(|it| (in_words(it.shape), is_so(it))))
}

fn isolated(judged: &[Shaped]) -> Judged {
    by_shape(judged, |it| it.covered && it.isolated)
}

fn theorem(judged: &[Shaped]) -> Claim {
    let most = judged.iter().max_by_key(|it| it.leftovers).expect("there are shapes");
    isolated(judged).claim(
        "A mesh and its leftover subcubes share no channel under E-cube routing",
        "Turner 1995, theorem 1",
        format!(
            "Shape by shape: mesh and leftovers cover the subcube, each node once, and no \
             channel lies on the routes of two of them. The most leftovers are {}, of {}; \
             were the smaller region taken first they would be 13, of 15 x 9. The printed proof \
             of its first case does not hold for the cubes of the partition's second step; \
             condition (3) of lemma 1 does for them.",
            most.leftovers,
            in_words(most.shape)
        ),
    )
}

fn leaves(statement: &str, source: &str, sides: [u32; 2], dims: &[u8]) -> Claim {
    let leftover = leftover(sides);
    let list: Vec<String> = leftover.iter().map(Subcube::to_string).collect();
    let nodes: u32 = leftover.iter().map(|cube| cube.dim().nodes()).sum();
    has_dims(&leftover, dims).claim(
        statement,
        source,
        format!("{}: {nodes} nodes.", list.join(", ")),
    )
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
    judge::exactly(strategies).claim(
        "The auxiliary list may be used with any subcube strategy, and jobs suffer no interference",
        "Turner 1995, section 7.1",
        format!("{found} Leftovers are never joined across while their owner lives."),
    )
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
    nothing_joined_shares(judged).claim(
        "The same, if a strategy that recognises all subcubes is let loose on the leftovers",
        "Turner 1995, section 7.1, read so",
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
    by_dim(judged, |it| it.across).claim(
        "What a job in a leftover held may go to the free list when it ends, though the owner runs \
         on",
        "Turner 1995, figure 3.9, step 4",
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
    cannot_both_run(Dim::new(4).expect("small")).claim(
        "With whole subcubes a 2 x 5 and a 2 x 3 mesh cannot run at once in a 4-cube, though it has \
         nodes for both",
        "Turner 1995, p. 26, figure 3.1",
        "10 and 6 nodes of 16; but the first needs the whole 4-cube, and the second a 3-cube. Under \
         each strategy, in both orders.",
    )
}

/// Messages contend if they take longer by more than so many per cent; without contention they take
/// not a cycle longer.
const CONTEND: f64 = 1.0;

/// Whether messages of both jobs take longer for each other, under each pattern that leaves its
/// mesh's rows and columns.
fn contend<'a>(slowed: impl Iterator<Item = &'a Slowed>) -> Judged {
    let case = |it: &Slowed| {
        [0, 1].map(|job| {
            let longer = it.times[job].iter().map(|times| 100.0 * (times - 1.0)).collect();
            let name = format!("{}, {} mesh", it.pattern.name(), ["2 x 3", "2 x 5"][job]);
            Case::new(name, longer, Expected::Inside(CONTEND, f64::INFINITY))
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
    contend(load::of_figure(&evidence.slowed)).claim(
        "Placed without care, the 2 x 5 and the 2 x 3 mesh contend: 0100 to 1010 with 0110 to 0010",
        "Turner 1995, figure 3.1",
        format!(
            "Both routes use the channel from 0110 to 0010. Judged: that messages of some pattern \
             take longer beside the other job, by more than {CONTEND} %. How many times as long \
             those of the 2 x 3 and of the 2 x 5 mesh take at a load of half a flit a node and \
             cycle, means of {} draws with 95 % intervals, by pattern: {}. {}.",
            load::DRAWS,
            slowest.collect::<Vec<_>>().join("; "),
            barrier::worst(&evidence.costs)
        ),
    )
}

/// Whether all messages arrive in the cycle in which they do when their job is alone.
fn nothing_moved(compared: &[Compared], beside: Beside) -> Judged {
    let of = compared.iter().filter(|it| it.beside == beside);
    judge::exactly(of.map(|it| (it.pattern.name().to_owned(), it.moved == 0)))
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
    nothing_moved(&evidence.compared, Beside::Leftovers).claim(
        "Jobs suffer no communication interference from other jobs",
        "Turner 1995, section 7.1",
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

fn routers(judged: &[Shaped]) -> Claim {
    let with_leftover = || judged.iter().filter(|it| it.left > 0);
    let passed = with_leftover().filter(|it| it.routed > 0).count();
    let (left, routed) =
        with_leftover().fold((0, 0), |(left, routed), it| (left + it.left, routed + it.routed));
    by_shape(with_leftover(), |it| it.routed == 0).beyond_the_source().claim(
        "Leftover nodes are free of the mesh's messages, so they may be taken out of service at \
         will",
        "Turner 1995, chapter 3, which speaks of channels only",
        format!(
            "They are not: of {} shapes with leftovers, {} have routes that pass through the router \
             of a leftover node, {:.0} % of these nodes in all. When such a node fails or is \
             drained, the owner of the leftover is named as hit.",
            counted(with_leftover().count() as u64),
            counted(passed as u64),
            100.0 * routed as f64 / left as f64
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::super::{contention, shapes};
    use super::*;
    use crate::{Effort, Lab};
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{DoesNotHold, Holds, HoldsInPart};

    fn lab() -> Lab {
        Lab::new(Effort::Quick, 1, Progress::hidden())
    }

    /// Leftovers that overlap, other dimensions, lists that merge only within a leftover or across,
    /// a larger cube.
    #[test]
    fn every_verdict_on_geometry_can_fail() {
        let mut judged = shapes::judge_all(&lab(), 5);
        assert_eq!(isolated(&judged).verdict, Holds);
        assert_eq!(nothing_joined_shares(&judged).verdict, DoesNotHold);
        assert_eq!(by_dim(&judged, |it| it.across).verdict, DoesNotHold);
        assert_eq!(by_dim(&judged, |it| it.within).verdict, Holds);
        judged.iter_mut().for_each(|it| it.sharing = 0);
        assert_eq!(nothing_joined_shares(&judged).verdict, Holds);
        judged[7].isolated = false;
        assert_eq!(isolated(&judged).verdict, HoldsInPart);
        assert_eq!(has_dims(&leftover([20, 30]), &[8, 7, 5, 3]).verdict, Holds);
        assert_eq!(has_dims(&leftover([20, 29]), &[8, 7, 5, 3]).verdict, DoesNotHold);
        assert_eq!(cannot_both_run(Dim::new(4).unwrap()).verdict, Holds);
        assert_eq!(cannot_both_run(Dim::new(5).unwrap()).verdict, DoesNotHold);
    }

    /// Joined leftovers in place of leftovers, and leftovers in place of the figure's placement.
    #[test]
    fn every_verdict_on_messages_can_fail() {
        let lab = lab();
        let judged = shapes::judge_all(&lab, 4);
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
