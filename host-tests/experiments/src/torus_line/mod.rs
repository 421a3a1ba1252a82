//! Moves, stops, backfilling, and neighbours that end together, before a torus.

mod line;
mod stops;

use super::difference::{minus, signed};
use super::sources::places::{
    BACKFILLING_MORE_THAN_MOVES, BOTH_MORE, LEAST_LOSES_LESS, MOVES_HELP, SAME_END_SOONER,
};
use super::{Experiment, Findings, Lab};
use line::{Beside, Outcome, Room, Rule, run as replay};
use locox::grid::Grid;
use locox_models::stats::{Estimate, mean};
use locox_models::swf::Strictness;
use locox_models::workload::synthetic::Synthetic;
use locox_models::workload::{Workload, from_swf};
use locox_report::failure::Failure;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Fact, Table, counted};
use stops::Choice;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "torus-line",
    title: "Moves, stops, backfilling and neighbours on a torus of 4x4x8",
    source: "Krevat, Castaños, Moreira 2002, by the abstract; Tang and others 2011, by the abstract",
    about: "Jobs in line get boxes of a torus of 128 nodes. In turn, the first one waits until there is a box; or those that \
            run are moved, at no cost and by the shortest plan, so that there is one; or others start before it on what the \
            earliest box for it leaves; or both. Or those that run are stopped for it and begin anew, each once at most and not for one that was stopped, where that loses \
            no more work than it gains: chosen so that the least is lost, or greedily. And a job gets, of the free boxes of the smallest surface, the one that \
            touches most nodes in use, or one beside jobs that end at about the same time. Jobs ask for the time that they take.",
    statements: &[
        &MOVES_HELP,
        &BACKFILLING_MORE_THAN_MOVES,
        &BOTH_MORE,
        &SAME_END_SOONER,
        &LEAST_LOSES_LESS,
    ],
    run,
    #[cfg(test)]
    planted: tests::planted,
};

const TORUS: Grid = Grid::torus(&[4, 4, 8]).unwrap();
const LOAD: f64 = 0.75;
const LOG: &str = "NASA-iPSC-1993-3.1-cln";
/// Parts of a log, in the order of arrival; each is weeks of it (batch means).
const PARTS: usize = 10;

const PLAIN: Rule = Rule { backfills: false, room: Room::Kept, beside: Beside::Any };
const MOVES: Rule = Rule { room: Room::Moves, ..PLAIN };
const STOPS: Rule = Rule { room: Room::Stops(Choice::Least), ..PLAIN };
const GREEDY: Rule = Rule { room: Room::Stops(Choice::Greedy), ..PLAIN };
const BACKFILLS: Rule = Rule { backfills: true, ..PLAIN };
const BOTH: Rule = Rule { backfills: true, ..MOVES };
const SAME_END: Rule = Rule { beside: Beside::SameEnd, ..PLAIN };
const SAME_END_BACKFILLS: Rule = Rule { backfills: true, ..SAME_END };

const RULES: [(&str, Rule); 8] = [
    ("in turn", PLAIN),
    ("moves", MOVES),
    ("stops that lose the least", STOPS),
    ("stops of the cheapest first", GREEDY),
    ("backfilling", BACKFILLS),
    ("backfilling and moves", BOTH),
    ("in turn, beside the same end", SAME_END),
    ("backfilling, beside the same end", SAME_END_BACKFILLS),
];

/// What came of some jobs.
struct Jobs {
    name: String,
    by_rule: Vec<Figures>,
}

/// What a rule leads to.
struct Figures {
    /// Mean waits in minutes, by replication or part.
    waits: Vec<f64>,
    /// Jobs moved or stopped, of a hundred.
    displaced: f64,
    /// Work lost, of a hundred, by replication.
    lost: Vec<f64>,
}

impl Figures {
    /// Means over so many jobs each.
    fn of(outcomes: &[Outcome], part: usize) -> Self {
        let jobs: usize = outcomes.iter().map(|it| it.waits.len()).sum();
        let displaced: u64 = outcomes.iter().map(|it| it.displaced).sum();
        Self {
            waits: outcomes.iter().flat_map(|it| it.waits.chunks_exact(part)).map(mean).collect(),
            displaced: 100.0 * displaced as f64 / jobs as f64,
            lost: outcomes.iter().map(|it| it.lost).collect(),
        }
    }
}

/// The rule that is run in the place of one.
type Run = fn(Rule) -> Rule;

fn run(lab: &Lab) -> Result<Findings, Failure> {
    let (jobs, replications) = lab.either((1_000, 6), (6_000, 20));
    let mut all = vec![of_model(lab, jobs, replications, |rule| rule)];
    let mut results = vec![];
    match lab.trace(LOG) {
        Some(path) => {
            let limit = lab.either(Some(5_000), None);
            let workload = from_swf(&path, Strictness::Strict, limit);
            all.push(of_log(lab, workload.map_err(|error| Failure::Input(error.to_string()))?));
        }
        None => results.push(Block::Text("Left out, as LOCOX_DATA is not set: the log.".into())),
    }
    results.insert(0, Block::Table(table(&all)));
    Ok(Findings {
        parameters: vec![
            Fact::new("jobs of a replication", counted(jobs as u64)),
            Fact::new("replications", replications),
            Fact::new("offered load", LOAD),
        ],
        claims: claims(&all),
        results,
    })
}

fn of_model(lab: &Lab, jobs: usize, replications: u64, run: Run) -> Jobs {
    let draw = |at: u64| {
        let recipe = Synthetic { jobs, ..Synthetic::cube_day() };
        at_load(recipe.generate(lab.seed, at).expect("the recipe is sound"))
    };
    let workloads: Vec<Workload> = (0..replications).map(draw).collect();
    let items: Vec<_> =
        RULES.iter().flat_map(|it| workloads.iter().map(move |of| (it.1, of))).collect();
    let outcomes = lab.parallel(&items, |(rule, of)| replay(TORUS, &of.jobs, run(*rule)));
    let by_rule = outcomes.chunks(workloads.len()).map(|outcomes| Figures::of(outcomes, jobs));
    Jobs { name: "jobs of the model".into(), by_rule: by_rule.collect() }
}

fn of_log(lab: &Lab, workload: Workload) -> Jobs {
    let workload = at_load(workload);
    let outcomes = lab.parallel(&RULES, |(_, rule)| replay(TORUS, &workload.jobs, *rule));
    let part = (workload.jobs.len() / PARTS).max(1);
    let by_rule = outcomes.into_iter().map(|outcome| Figures::of(&[outcome], part));
    Jobs { name: "the log".into(), by_rule: by_rule.collect() }
}

fn at_load(mut workload: Workload) -> Workload {
    let offered = workload.offered_load(TORUS.nodes()).expect("there are jobs");
    workload.scale_load(LOAD / offered).expect("a factor above 0");
    workload
}

fn table(all: &[Jobs]) -> Table {
    let columns = [
        ("jobs", "jobs"),
        ("rule", "how they start"),
        ("mean_wait_min", "mean wait (min)"),
        ("displaced", "moved or stopped (% of the jobs)"),
        ("lost", "work lost (%)"),
    ];
    let mut table = Table::new("Waits before a torus of 4x4x8", &columns);
    for jobs in all {
        for ((name, _), Figures { waits, displaced, lost }) in RULES.iter().zip(&jobs.by_rule) {
            table.push(vec![
                Cell::text(&jobs.name),
                Cell::text(*name),
                Cell::Estimate(Estimate::of(waits), 1),
                Cell::Number(*displaced, 1),
                Cell::Number(mean(lost), 2),
            ]);
        }
    }
    table
}

fn claims(all: &[Jobs]) -> Vec<Claim> {
    // By how much waits are shorter under the first rule.
    let less = |rule: Rule, than: Rule| {
        let at = |rule| RULES.iter().position(|it| it.1 == rule).expect("it is run");
        let waits = |jobs: &Jobs, rule| jobs.by_rule[at(rule)].waits.clone();
        let case = |jobs: &Jobs| {
            let name = |rule| RULES[at(rule)].0;
            let pair = format!("{}, {} against {}", jobs.name, name(rule), name(than));
            Case::new(pair, minus(&waits(jobs, than), &waits(jobs, rule)), Expected::MORE)
        };
        all.iter().map(case).collect::<Vec<_>>()
    };
    let judged = |cases: &[Case]| judge::every(cases, Unit("min", 1));
    let lost = |jobs: &Jobs, rule| {
        let at = RULES.iter().position(|it| it.1 == rule).expect("it is run");
        jobs.by_rule[at].lost.clone()
    };
    // One log is no replication of itself.
    let replicated = all.iter().filter(|jobs| lost(jobs, STOPS).len() > 1);
    let less_lost = replicated.map(|jobs| {
        let differences = minus(&lost(jobs, GREEDY), &lost(jobs, STOPS));
        Case::new(jobs.name.clone(), differences, Expected::MORE)
    });
    let less_lost: Vec<Case> = less_lost.collect();
    let helps = less(MOVES, PLAIN);
    let more = less(BACKFILLS, MOVES);
    let both = [less(BOTH, BACKFILLS), less(BOTH, MOVES)].concat();
    let same_end = [less(SAME_END, PLAIN), less(SAME_END_BACKFILLS, BACKFILLS)].concat();
    vec![
        judged(&helps).on(&MOVES_HELP, told(&helps)),
        judged(&more).on(&BACKFILLING_MORE_THAN_MOVES, told(&more)),
        judged(&both).on(&BOTH_MORE, told(&both)),
        judged(&same_end).on(&SAME_END_SOONER, told(&same_end)),
        judge::every(&less_lost, Unit("% of the work", 2))
            .on(&LEAST_LOSES_LESS, told_of("Lost less, % of the work", &less_lost)),
    ]
}

fn told(cases: &[Case]) -> String {
    told_of("Minutes less", cases)
}

fn told_of(what: &str, cases: &[Case]) -> String {
    let one = |case: &Case| format!("{} {}", case.name, signed(Estimate::of(&case.differences)));
    format!("{what}: {}.", cases.iter().map(one).collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::progress::Progress;

    fn judged(run: Run) -> Vec<Claim> {
        let lab = Lab::new(crate::Effort::Quick, 1, Progress::hidden());
        claims(&[of_model(&lab, 600, 6, run)])
    }

    /// Jobs overtake where they should be moved, and are moved where they should overtake.
    pub(super) fn planted() -> [Vec<Claim>; 2] {
        let exchanged = |rule: Rule| {
            let room = match rule.room {
                Room::Stops(Choice::Least) => Room::Stops(Choice::Greedy),
                Room::Stops(Choice::Greedy) => Room::Stops(Choice::Least),
                _ if rule.backfills => Room::Moves,
                _ => Room::Kept,
            };
            Rule { backfills: rule.room == Room::Moves, room, ..rule }
        };
        [judged(|rule| rule), judged(exchanged)]
    }
}
