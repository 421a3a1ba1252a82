//! How many subcubes the strategies recognise, against the formulas of Turner's thesis.

mod alone;
mod occupied;
mod picture;
mod together;

use super::{Experiment, Findings, Lab};
use crate::report::{Block, Claim, Fact, Verdict};
use alone::{Count, formula};
use locox_models::machine::StrategyKind;
use together::Rate;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "subcube-recognition",
    title: "Subcubes that each strategy recognises",
    source: SOURCE,
    about: "A strategy that does not see a free subcube leaves a job waiting that could run. First \
            each k-subcube of an n-cube in turn is all that is free, and a request for a k-subcube \
            is asked for. Then random nodes are free, and the requests that fit somewhere are \
            compared with those that are granted.",
    run,
};

const SOURCE: &str = "Turner 1995, section 2.2";

fn run(lab: &Lab) -> Findings {
    let (largest, replications) = lab.either((6, 5), (9, 20));
    let n_random = lab.either(6, 8);
    let counts = alone::count(lab, largest);
    let rates = together::measure(lab, n_random, replications);
    Findings {
        parameters: vec![
            Fact::new("dimensions n of the machine", format!("1 to {largest}")),
            Fact::new("machine with random nodes free", format!("{n_random}-cube")),
            Fact::new("replications", replications),
            Fact::new("maps of free nodes", format!("{} a share and replication", together::MAPS)),
        ],
        claims: claims(&counts, &rates, n_random),
        results: vec![
            Block::Table(alone::table(&counts, largest)),
            Block::Plot(alone::plot(&counts, largest)),
            Block::Picture(picture::picture()),
            Block::Table(together::table(&rates, n_random)),
            Block::Plot(together::plot(&rates, n_random)),
        ],
    }
}

fn claims(counts: &[Count], rates: &[Rate], n_random: u8) -> Vec<Claim> {
    use StrategyKind::{Buddy, Complete, FreeList, GrayCode};
    let inner = |count: &Count| 0 < count.k && count.k < count.n;
    let outer = |count: &Count| !inner(count);
    vec![
        counted(
            "The buddy system recognises 2^(n-k) subcubes of dimension k",
            counts.iter().filter(|count| count.kind == Buddy),
        ),
        counted(
            "The Gray code recognises 2^(n-k+1), for k from 1 to n-1",
            counts.iter().filter(|count| count.kind == GrayCode && inner(count)),
        ),
        counted(
            "The Gray code recognises 2^(n-k+1), also for k = 0 and k = n (the source makes no exception)",
            counts.iter().filter(|count| count.kind == GrayCode && outer(count)),
        ),
        counted(
            "There are C(n,k)*2^(n-k) subcubes of dimension k, and complete recognition sees them all",
            counts.iter().filter(|count| count.kind == Complete),
        ),
        counted(
            "The free list recognises all of them when nothing else is free",
            counts.iter().filter(|count| count.kind == FreeList),
        ),
        complete_free_list(rates, n_random),
    ]
}

/// A claim that all counts equal the formula.
fn counted<'a>(statement: &str, counts: impl Iterator<Item = &'a Count>) -> Claim {
    let counts: Vec<_> = counts.map(|count| (count, expected(count))).collect();
    let total: u64 = counts.iter().map(|(_, expected)| expected).sum();
    let differs = |(count, expected): &&(&Count, u64)| {
        (count.in_order, count.shuffled) != (*expected, *expected)
    };
    let differing: Vec<_> = counts.iter().filter(differs).collect();
    let pairs = counts.len();
    let evidence = match differing.first() {
        None => format!(
            "Equal for all {pairs} pairs of n and k, {total} subcubes, whether their nodes came \
             free in rising or in random order."
        ),
        Some((Count { n, k, in_order, shuffled, .. }, expected)) => format!(
            "Different for {} of {pairs} pairs of n and k, first for n = {n}, k = {k}: {expected} \
             by the formula, {in_order} when their nodes came free in rising order, {shuffled} in \
             random order.",
            differing.len()
        ),
    };
    Claim {
        statement: statement.into(),
        source: SOURCE.into(),
        verdict: Verdict::of(differing.is_empty()),
        evidence,
    }
}

fn expected(count: &Count) -> u64 {
    formula(count.kind, count.n, count.k)
}

/// The source calls the free list complete, but leaves open how a release merges.
fn complete_free_list(rates: &[Rate], n: u8) -> Claim {
    let worst = |kind| {
        let mine = rates.iter().filter(|rate| rate.kind == kind);
        mine.min_by(|a, b| a.granted.mean.total_cmp(&b.granted.mean)).expect("there are rates")
    };
    let (list, complete) = (worst(StrategyKind::FreeList), worst(StrategyKind::Complete));
    Claim {
        statement: "The free list recognises every free subcube, whatever else is free".into(),
        source: SOURCE.into(),
        verdict: Verdict::SourceDoesNotSay,
        evidence: format!(
            "It depends on how a release merges, which the source leaves open. Merging \
             complements, as here, it granted {:.1} % of the requests that fitted the {n}-cube with \
             {:.0} % of its nodes free, its worst case; complete recognition granted {:.1} % in its \
             own.",
            list.granted.mean,
            list.share * 100.0,
            complete.granted.mean,
        ),
    }
}
