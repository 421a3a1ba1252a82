//! Backfilling beside an independent simulator's schedule, on logs, and on a model.

mod bounded;
mod estimates;
mod logs;
mod passes;
mod reference;
mod replays;

use super::{Experiment, Findings, Lab};
use crate::sources::backfilling::{
    BETTER_ON_SP2, DEPENDS_ON_WORKLOAD, FRAGMENTATION, OVERESTIMATES_HELP, SAME_WAITS,
    SIMILAR_ELSEWHERE,
};
use locox_report::failure::Failure;
use locox_report::report::{Block, Fact};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "backfill-reference",
    title: "Backfilling: the same waits as elsewhere, and what it is worth",
    source: "Lifka 1995; Mu'alem and Feitelson 2001; the schedule of the KTH log by the simulator \
             PYSS",
    about: "EASY backfilling replays the jobs of a real log, and each wait is compared with the one \
            that an independent simulator found. Then first come, first served, EASY and \
            conservative backfilling replay two real logs, and jobs of the model of Lublin and \
            Feitelson whose users know their run times more or less well; of these also the rules \
            that look at the first in line only. Machines are pools: any free processors will do. \
            Jobs follow the log: one that runs longer than requested is not killed, and is taken \
            to end any moment, or under conservative backfilling, where that delays a promise, to run for as long \
            again. After each end conservative backfilling moves the line forward once; with more passes is \
            told what that leaves.",
    statements: &[
        &SAME_WAITS,
        &FRAGMENTATION,
        &DEPENDS_ON_WORKLOAD,
        &BETTER_ON_SP2,
        &SIMILAR_ELSEWHERE,
        &OVERESTIMATES_HELP,
    ],
    run,
    #[cfg(test)]
    planted: logs::tests::planted,
};

fn run(lab: &Lab) -> Result<Findings, Failure> {
    let by_model = estimates::measure(lab, replays::QUEUES, estimates::FACTORS);
    let mut claims = vec![estimates::claim(&by_model)];
    let mut results =
        vec![Block::Table(estimates::table(&by_model)), Block::Table(bounded::table(lab))];
    let mut missing = vec![];
    match logs::measure(lab)? {
        Some(logs) => {
            claims.splice(0..0, logs::claims(&logs, &by_model));
            results.insert(0, Block::Table(logs::table(&logs)));
        }
        None => missing.push("the logs of KTH and LANL"),
    }
    results.extend(passes::table(lab)?.map(Block::Table));
    match reference::compare(lab)? {
        Some(comparison) => {
            claims.splice(0..0, comparison.claims());
            results.splice(0..0, comparison.blocks());
        }
        None => missing.push("the comparison with the reference"),
    }
    if !missing.is_empty() {
        let missing = missing.join(" and ");
        results.push(Block::Text(format!("Left out, as LOCOX_DATA is not set: {missing}.")));
    }
    Ok(Findings { parameters: parameters(lab), claims, results })
}

fn parameters(lab: &Lab) -> Vec<Fact> {
    let ((jobs, replications), bounded) = (estimates::size(lab), bounded::size(lab));
    vec![
        Fact::new("model", format!("{jobs} jobs, {replications} replications, load 0.8")),
        Fact::new("bounded rules", format!("{} jobs, {} replications", bounded.0, bounded.1)),
        Fact::new("machine of the KTH logs", "100 processors, any free ones"),
        Fact::new("bounded slowdown", "run times below 10 s count as 10 s"),
    ]
}
