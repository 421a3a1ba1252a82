//! Nodes that jobs share: GPUs that placements allocate, beside what others published; what memory and sharing mean for a line.

mod gpus;
mod line;

use super::sources::nodes::{
    BEST_AS_PUBLISHED, BEST_OVER_FIRST, FEWEST_AS_FGD, FEWEST_OVER_BEST, MEMORY_COSTS,
    SHARING_GAINS,
};
use super::{Experiment, Findings, Lab};
use locox_report::failure::Failure;
use locox_report::report::{Block, Fact, counted};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "shared-nodes",
    title: "Nodes that jobs share",
    source: "nodes and tasks of a production cluster and the results of a simulator, Weng and others 2023; the log of the CM-5 at Los \
             Alamos; the rest is ours",
    about: "Tasks with processors, memory and GPUs, or parts of one, fill the nodes of a production cluster under three placements. \
            Then jobs with memory wait before a few large nodes, which they share or not.",
    statements: &[
        &BEST_AS_PUBLISHED,
        &FEWEST_AS_FGD,
        &FEWEST_OVER_BEST,
        &MEMORY_COSTS,
        &SHARING_GAINS,
        &BEST_OVER_FIRST,
    ],
    run,
    #[cfg(test)]
    planted: line::tests::planted,
};

fn run(lab: &Lab) -> Result<Findings, Failure> {
    let waits = line::measure(lab)?;
    let (mut claims, mut results) = (line::claims(&waits), vec![Block::Table(line::table(&waits))]);
    match gpus::measure(lab)? {
        Some(gpus) => {
            claims.splice(0..0, gpus::claims(&gpus));
            results.insert(0, Block::Table(gpus::table(&gpus)));
        }
        None => {
            let left_out =
                "Left out, as LOCOX_DATA is not set: the production cluster and the log.";
            results.push(Block::Text(left_out.into()));
        }
    }
    let (jobs, parts) = line::size(lab);
    let parameters = vec![
        Fact::new("drawings", gpus::drawings(lab)),
        Fact::new("jobs of a part of the log, or a replication", counted(jobs as u64)),
        Fact::new("parts, and replications", parts),
    ];
    Ok(Findings { parameters, claims, results })
}
