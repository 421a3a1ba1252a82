//! How many subcubes the strategies recognise, against the formulas of Turner's thesis.

mod alone;
mod occupied;
mod picture;
mod together;

use super::sources::turner_meshes::{
    ALL_SUBCUBES, BUDDY, FREE_LIST_COMPLETE, FREE_LIST_MOST, GRAY_CODE,
};
use super::{Experiment, Findings, Lab};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Claim, Fact, Judged, Statement, Status};
pub(super) use occupied::subcubes;

use alone::{Count, formula};
use locox_models::machine::StrategyKind;
use together::Rate;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "subcube-recognition",
    title: "Subcubes that each strategy recognises",
    source: "Turner 1995, section 2.2",
    about: "A strategy that does not see a free subcube leaves a job waiting that could run. First \
            each k-subcube of an n-cube in turn is all that is free, and a request for a k-subcube \
            is asked for. Then random nodes are free, and the requests that fit somewhere are \
            compared with those that are granted.",
    statements: &[&BUDDY, &GRAY_CODE, &ALL_SUBCUBES, &FREE_LIST_COMPLETE, &FREE_LIST_MOST],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

fn run(lab: &Lab) -> Findings {
    let (largest, replications) = lab.either((6, 5), (10, 20));
    let n_random = lab.either(6, 8);
    let counts = alone::count(lab, largest, |kind| kind);
    let rates = together::measure(lab, n_random, replications, |kind| kind);
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
    let mut claims = vec![
        of(StrategyKind::Buddy, every).claim(&BUDDY),
        of(StrategyKind::GrayCode, inner).claim(&GRAY_CODE).variant("k from 1 to n-1"),
        of(StrategyKind::GrayCode, outer).claim(&GRAY_CODE).variant("k = 0 and k = n"),
        of(StrategyKind::Complete, every).claim(&ALL_SUBCUBES),
    ];
    // A search behind the list is complete recognition, whatever is free.
    let by = |kind, claim: Claim| match kind {
        StrategyKind::FreeList => claim.by(Status::ByConstruction),
        _ => claim,
    };
    for (reading, kind) in READINGS {
        claims.push(by(kind, free_list(kind, counts, rates, n_random)).variant(reading));
    }
    let most =
        READINGS.map(|(reading, kind)| by(kind, most_effective(kind, rates)).variant(reading));
    claims.extend(most);
    claims
}

/// Rules by which the free list may merge.
const READINGS: [(&str, StrategyKind); 2] =
    [("pairs joined", StrategyKind::FreeListPlain), ("searched", StrategyKind::FreeList)];

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
    fn claim(&self, statement: &'static Statement) -> Claim {
        self.judged().on(statement, self.evidence())
    }
}

/// Whether a strategy sees every subcube that is free: one alone, and among others.
fn is_complete(kind: StrategyKind, counts: &[Count], rates: &[Rate]) -> Judged {
    let counts: Vec<&Count> = counts.iter().filter(|count| count.kind == kind).collect();
    let of_cube = |of_cube: &[&Count]| {
        let pairs = Comparison::of(of_cube.iter().copied()).pairs;
        (format!("n = {}, nothing else free", of_cube[0].n), pairs.iter().all(|(_, equal)| *equal))
    };
    let alone = counts.chunk_by(|a, b| a.n == b.n).map(of_cube);
    let rates = rates.iter().filter(|rate| rate.kind == kind);
    let together =
        rates.map(|rate| (format!("{} % of nodes free", 100.0 * rate.share), rate.complete));
    judge::exactly(alone.chain(together))
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

fn free_list(kind: StrategyKind, counts: &[Count], rates: &[Rate], n: u8) -> Claim {
    let alone = Comparison::of(counts.iter().filter(|count| count.kind == kind));
    let found = format!("Nothing else free: {} {}", alone.evidence(), worst(kind, rates, n));
    is_complete(kind, counts, rates).on(&FREE_LIST_COMPLETE, found)
}

/// Whether it grants more than the buddy system and the Gray code, share by share.
fn most_effective(kind: StrategyKind, rates: &[Rate]) -> Claim {
    let of = |kind| rates.iter().filter(move |rate| rate.kind == kind);
    let against = |other: StrategyKind| {
        of(kind).zip(of(other)).map(move |(mine, others)| {
            let pairs = mine.values.iter().zip(&others.values);
            let more = pairs.map(|(mine, other)| mine - other).collect();
            let name = format!("{other}, {:.0} % of the nodes free", 100.0 * mine.share);
            Case::new(name, more, Expected::MORE)
        })
    };
    let cases: Vec<Case> =
        [StrategyKind::Buddy, StrategyKind::GrayCode].into_iter().flat_map(against).collect();
    judge::every(&cases, Unit("% of the requests that fit", 1)).on(&FREE_LIST_MOST, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds, HoldsInPart};

    fn judged(machine: occupied::Machine) -> Vec<Claim> {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let (counts, rates) =
            (alone::count(&lab, 5, machine), together::measure(&lab, 5, 5, machine));
        claims(&counts, &rates, 5)
    }

    fn verdicts(machine: occupied::Machine) -> Vec<Verdict> {
        judged(machine).into_iter().map(|claim| claim.verdict).collect()
    }

    /// Under each name another strategy is run.
    const OTHERS: occupied::Machine = |kind| {
        use StrategyKind::{Buddy, Complete, FreeList, FreeListPlain, GrayCode};
        match kind {
            Buddy => Complete,
            GrayCode => FreeList,
            FreeList => FreeListPlain,
            FreeListPlain => Complete,
            Complete => Buddy,
        }
    };

    pub(super) fn planted() -> [Vec<Claim>; 2] {
        [judged(|kind| kind), judged(OTHERS)]
    }

    #[test]
    fn strategies_do_what_the_source_says_of_them() {
        let found = verdicts(|kind| kind);
        let as_stated = [Holds, Holds, DoesNotHold, Holds, DoesNotHold, Holds];
        assert_eq!(found[..6], as_stated);
    }

    #[test]
    fn other_strategies_under_these_names_turn_the_verdicts() {
        let found = verdicts(OTHERS);
        // No strategy sees more single nodes than there are: the third row stays.
        let others = [HoldsInPart, DoesNotHold, DoesNotHold, HoldsInPart, Holds, DoesNotHold];
        assert_eq!(found[..6], others);
        assert!(!found[6..].contains(&Holds), "{found:?}");
    }
}
