//! How many subcubes the strategies recognise, against the formulas of Turner's thesis.

mod alone;
mod occupied;
mod picture;
mod together;

use super::{Experiment, Findings, Lab};
use crate::report::{Block, Claim, Fact, Verdict};
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
        complete_free_list(&of(StrategyKind::FreeList, every), rates, n_random),
    ]
}

/// Counts beside the formula.
struct Comparison {
    /// Pairs of n and k.
    pairs: usize,
    /// Subcubes that should have been recognised.
    subcubes: u64,
    /// What was found, for the pairs where it is not what the formula says.
    differences: Vec<String>,
}

impl Comparison {
    fn of<'a>(counts: impl Iterator<Item = &'a Count>) -> Self {
        let mut comparison = Self { pairs: 0, subcubes: 0, differences: Vec::new() };
        for &Count { kind, n, k, in_order, shuffled } in counts {
            let expected = formula(kind, n, k);
            comparison.pairs += 1;
            comparison.subcubes += expected;
            if (in_order, shuffled) != (expected, expected) {
                comparison.differences.push(format!(
                    "n = {n}, k = {k}: {expected} by the formula, {in_order} when their nodes came \
                     free in rising order, {shuffled} in random order"
                ));
            }
        }
        comparison
    }

    fn evidence(&self) -> String {
        let Self { pairs, subcubes, differences } = self;
        match differences.first() {
            None => format!(
                "Equal for all {pairs} pairs of n and k, {subcubes} subcubes, whether their nodes \
                 came free in rising or in random order."
            ),
            Some(first) => format!(
                "Different for {} of {pairs} pairs of n and k, first for {first}.",
                differences.len()
            ),
        }
    }

    /// The claim that counts and formula are equal.
    fn claim(&self, statement: &str) -> Claim {
        Claim {
            statement: statement.into(),
            source: SOURCE.into(),
            verdict: Verdict::of(self.differences.is_empty()),
            judged: None,
            evidence: self.evidence(),
        }
    }
}

/// The source calls the free list complete, but leaves open how it gets there.
fn complete_free_list(alone: &Comparison, rates: &[Rate], n: u8) -> Claim {
    let mine = rates.iter().filter(|rate| rate.kind == StrategyKind::FreeList);
    let worst = mine.map(|rate| rate.granted.mean).fold(100.0, f64::min);
    Claim {
        statement: "The free list provides complete recognition".into(),
        source: SOURCE.into(),
        verdict: Verdict::of(alone.differences.is_empty() && worst == 100.0),
        judged: None,
        evidence: format!(
            "The source names the cost of a release, O(n^3) or more, but not its rule. Here a release \
             merges pairs of complements, which alone would lose cubes, and a request that finds \
             nothing in the lists searches the map of free nodes. Nothing else free: {} With random \
             nodes of the {n}-cube free it granted at least {worst:.1} % of the requests that fitted.",
            alone.evidence(),
        ),
    }
}
