//! How many subcubes the strategies recognise, against the formulas of Turner's thesis.

mod alone;
mod occupied;
mod picture;
mod together;

use super::{Experiment, Findings, Lab};
use locox_report::judge;
use locox_report::report::{Block, Claim, Fact, Judged};
pub(super) use occupied::subcubes;

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
    statements: &[],
    run: |lab| Ok(run(lab)),
};

const SOURCE: &str = "Turner 1995, section 2.2";

fn run(lab: &Lab) -> Findings {
    let (largest, replications) = lab.either((6, 5), (10, 20));
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
    let of = |kind, fits: fn(&Count) -> bool| {
        Comparison::of(counts.iter().filter(move |count| count.kind == kind && fits(count)))
    };
    let inner = |count: &Count| 0 < count.k && count.k < count.n;
    let outer = |count: &Count| count.k == 0 || count.k == count.n;
    let every = |_: &Count| true;
    vec![
        of(StrategyKind::Buddy, every)
            .claim("The buddy system recognises 2^(n-k) subcubes of dimension k"),
        of(StrategyKind::GrayCode, inner)
            .claim("The Gray code recognises 2^(n-k+1), for k from 1 to n-1"),
        of(StrategyKind::GrayCode, outer).claim(
            "The Gray code recognises 2^(n-k+1), also for k = 0 and k = n, of which the source \
             makes no exception",
        ),
        of(StrategyKind::Complete, every).claim(
            "There are C(n,k)*2^(n-k) subcubes of dimension k; complete recognition sees them all",
        ),
        free_list(counts, rates, n_random),
        free_list_with_search(counts, rates, n_random),
    ]
}

/// Counts beside the formula.
struct Comparison {
    /// Pairs of n and k, and whether formula and counts are equal there.
    pairs: Vec<(String, bool)>,
    /// Subcubes that should have been recognised.
    subcubes: u64,
    /// What was found in the first pair in which they are not.
    first: Option<String>,
}

impl Comparison {
    fn of<'a>(counts: impl Iterator<Item = &'a Count>) -> Self {
        let mut comparison = Self { pairs: Vec::new(), subcubes: 0, first: None };
        for count in counts {
            let &Count { kind, n, k, in_order, shuffled } = count;
            let expected = formula(kind, n, k);
            let equal = (in_order, shuffled) == (expected, expected);
            comparison.subcubes += expected;
            comparison.pairs.push((format!("n = {n}, k = {k}"), equal));
            if !equal && comparison.first.is_none() {
                comparison.first = Some(format!(
                    "n = {n}, k = {k}: {expected} by the formula, {in_order} when their nodes came \
                     free in rising order, {shuffled} in random order"
                ));
            }
        }
        comparison
    }

    fn evidence(&self) -> String {
        match &self.first {
            None => format!(
                "Equal for all pairs of n and k, {} subcubes, whether their nodes came free in \
                 rising or in random order.",
                self.subcubes
            ),
            Some(first) => format!("First different for {first}."),
        }
    }

    fn judged(&self) -> Judged {
        judge::exactly(self.pairs.iter().cloned())
    }

    /// The claim that counts and formula are equal.
    fn claim(&self, statement: &str) -> Claim {
        self.judged().claim(statement, SOURCE, self.evidence())
    }
}

/// Whether a strategy sees every subcube that is free: one alone, and among others.
fn is_complete(kind: StrategyKind, counts: &[Count], rates: &[Rate]) -> Judged {
    let alone = Comparison::of(counts.iter().filter(|count| count.kind == kind));
    let rates = rates.iter().filter(|rate| rate.kind == kind);
    let together =
        rates.map(|rate| (format!("{} % of nodes free", 100.0 * rate.share), rate.complete));
    judge::exactly(alone.pairs.into_iter().chain(together))
}

/// What it granted at worst.
fn worst(kind: StrategyKind, rates: &[Rate], n: u8) -> String {
    let mine = rates.iter().filter(|rate| rate.kind == kind);
    let worst = mine.min_by(|a, b| a.granted.mean.total_cmp(&b.granted.mean));
    worst.map_or(String::new(), |rate| {
        format!(
            "With random nodes of the {n}-cube free it granted {:.1} % of the requests that \
             fitted, at worst: with {:.0} % of them free.",
            rate.granted,
            100.0 * rate.share
        )
    })
}

fn free_list(counts: &[Count], rates: &[Rate], n: u8) -> Claim {
    let kind = StrategyKind::FreeListPlain;
    let alone = Comparison::of(counts.iter().filter(|count| count.kind == kind));
    is_complete(kind, counts, rates).claim(
        "The free list provides complete recognition",
        SOURCE,
        format!(
            "The source names the cost of a release, O(n^3) or more, but not its rule; here a \
             release merges pairs of complements by rising dimension. Nothing else free: {} {}",
            alone.evidence(),
            worst(kind, rates, n)
        ),
    )
}

fn free_list_with_search(counts: &[Count], rates: &[Rate], n: u8) -> Claim {
    let kind = StrategyKind::FreeList;
    is_complete(kind, counts, rates).beyond_the_source().claim(
        "A free list with a search of the map of free nodes behind it recognises completely",
        "beyond the sources",
        worst(kind, rates, n),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{DoesNotHold, Holds, HoldsInPart, SourceDoesNotSay};

    /// Exchanges the names of two strategies.
    fn exchange(a: StrategyKind, b: StrategyKind, counts: &mut [Count], rates: &mut [Rate]) {
        let kinds = counts.iter_mut().map(|it| &mut it.kind);
        for kind in kinds.chain(rates.iter_mut().map(|it| &mut it.kind)) {
            *kind = if *kind == a {
                b
            } else if *kind == b {
                a
            } else {
                *kind
            };
        }
    }

    #[test]
    fn every_verdict_can_fail() {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let (mut counts, mut rates) = (alone::count(&lab, 5), together::measure(&lab, 5, 2));
        let verdicts = |counts: &[Count], rates: &[Rate]| -> Vec<_> {
            claims(counts, rates, 5).into_iter().map(|claim| claim.verdict).collect()
        };
        let sound = [Holds, Holds, DoesNotHold, Holds, HoldsInPart, SourceDoesNotSay];
        assert_eq!(verdicts(&counts, &rates), sound);
        use StrategyKind::{Buddy, Complete, FreeList, FreeListPlain, GrayCode};
        exchange(FreeList, FreeListPlain, &mut counts, &mut rates);
        assert_eq!(verdicts(&counts, &rates)[4], Holds);
        exchange(Buddy, Complete, &mut counts, &mut rates);
        exchange(GrayCode, FreeList, &mut counts, &mut rates);
        let wrong = verdicts(&counts, &rates);
        assert!(wrong[0] != Holds && wrong[1] != Holds && wrong[3] != Holds, "{wrong:?}");
    }
}
