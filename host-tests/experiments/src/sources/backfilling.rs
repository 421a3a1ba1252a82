//! Backfilling: the abstract of Mu'alem and Feitelson 2001, which is all that we have of it, and the
//! schedule that PYSS made of a log.

use super::{MUALEM_FEITELSON, PYSS};
use locox_report::report::{Statement, Status};

pub(crate) static SAME_WAITS: Statement = Statement {
    id: "pyss/log/same-waits",
    source: &PYSS,
    place: "column 3",
    quote: "",
    says: "Each job of the KTH log waits as long as there",
    reading: "Compared with the schedule in the file, job by job. In which order the events of an instant come \
              is a choice that the file does not tell. \"As planned\": first every job ends that has run as long \
              as it requested, and nothing is decided; then come the arrivals, with a decision after each; then \
              all completions in the order in which the jobs started, with a decision after each. It was found \
              by comparing with the file, and is a calibration; the other two orders were not.",
    status: Status::Derived,
};

/// The workloads besides the logs.
macro_rules! jobs_of_the_model {
    () => {
        "jobs of the model of Lublin and Feitelson (2003) at a load of 0.8, with requests of four accuracies (uniform \
         between the run time and f + 1 times it, f being 0, 1, 3 and 10)"
    };
}

pub(crate) static FRAGMENTATION: Statement = Statement {
    id: "mualem-feitelson-2001/abstract/fragmentation",
    source: &MUALEM_FEITELSON,
    place: "abstract",
    quote: "Allocating such partitions in the order in which the jobs arrive (FCFS scheduling) is fair \
            and predictable, but suffers from severe fragmentation, leading to low utilization",
    says: "In the order of arrival (first come, first served) holes are left that both kinds of \
           backfilling, which let small jobs pass, fill",
    reading: concat!(
        "A judgement on slowdown, on the logs of an SP2 (KTH) and of a CM-5 (LANL) and on ",
        jobs_of_the_model!(),
        ": jobs are slowed down less under backfilling. And one on utilisation from the first arrival to the last end, \
         on the model: more of the machine is used under backfilling. First come, first served does not look at \
         requests, so that its schedule of the model's jobs is the same in all four."
    ),
    status: Status::Derived,
};

pub(crate) static DEPENDS_ON_WORKLOAD: Statement = Statement {
    id: "mualem-feitelson-2001/abstract/depends-on-workload",
    source: &MUALEM_FEITELSON,
    place: "abstract",
    quote: "the relative performance of the two schemes depends on the workload",
    says: "What conservative backfilling adds to the slowdown under EASY differs between two workloads at least, \
           by more than 10 percentage points",
    reading: concat!(
        "In per cent of the slowdown under EASY, two workloads beside each other: a case is what conservative adds to \
         EASY in the first less what it adds in the second. Each pair of the logs of an SP2 (KTH) and of a CM-5 (LANL) \
         and of ",
        jobs_of_the_model!(),
        ", but not of the model with two accuracies, which the source treats apart. The source goes on that one is better on SP2s and that both are similar elsewhere: so the claim does not \
         need a workload on which conservative backfilling is better."
    ),
    status: Status::Literal,
};

pub(crate) static BETTER_ON_SP2: Statement = Statement {
    id: "mualem-feitelson-2001/abstract/better-on-sp2",
    source: &MUALEM_FEITELSON,
    place: "abstract",
    quote: "For workloads typical on SP2 systems, the aggressive approach is indeed better",
    says: "On the log of an SP2 jobs are slowed down less under EASY than under conservative \
           backfilling",
    reading: "The machine of the KTH log is an SP2. The aggressive approach is EASY; the effect is below 0 where \
              it slows jobs down less.",
    status: Status::Literal,
};

pub(crate) static SIMILAR_ELSEWHERE: Statement = Statement {
    id: "mualem-feitelson-2001/abstract/similar-elsewhere",
    source: &MUALEM_FEITELSON,
    place: "abstract",
    quote: "for other workloads, both algorithms are similar",
    says: "On workloads other than those of SP2s, jobs are slowed down alike under both, within 10 %",
    reading: concat!(
        "The log of a CM-5 (LANL), and ",
        jobs_of_the_model!(),
        ": four of the five cases are of one model. What conservative adds to EASY, below 0 where conservative is better. \
         Within 10 %: ours."
    ),
    status: Status::Literal,
};

pub(crate) static OVERESTIMATES_HELP: Statement = Statement {
    id: "mualem-feitelson-2001/abstract/overestimates-help",
    source: &MUALEM_FEITELSON,
    place: "abstract",
    quote: "Backfilling actually works better when users overestimate the runtime by a substantial \
            factor",
    says: "On jobs of the model of Lublin and Feitelson (2003) at a load of 0.8 jobs are slowed down less, under both kinds of backfilling, where \
           users ask for much more time than they need than where they ask for what they need",
    reading: "Requests are uniform between the run time and f + 1 times it. Much more: f = 3 and 10, so that users \
              ask for up to 4 or 11 times the run time; beside f = 0. With f = 1 they ask for 1.5 \
              times as much on the average, which is no substantial factor: told, and not judged.",
    status: Status::Literal,
};
