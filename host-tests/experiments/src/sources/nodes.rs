//! Nodes that jobs share: what others published of GPUs on them, and our own questions.

use super::{LOCOX, WENG};
use locox_report::report::{Statement, Status};

const TASKS: &str = "On 1,213 nodes with 6,212 GPUs of a production cluster tasks arrive until they have asked for all GPUs; \
                     one that has no place is dropped, and none leaves. Cases are the five published lists of tasks: as they \
                     came, with half of those without a GPU, with 20 % more whole GPUs, with 40 % parts of GPUs, and with 10 % \
                     bound to a model of GPU. A drawing is a list, with more tasks drawn from it, in any order. Theirs are \
                     published means of ten drawings, without their spread.";

const JOBS: &str = "One promise at a time, on 16 nodes of 128 processors, half of them with 32 MiB for each and half with 16. Cases: jobs \
                    of the CM-5 at Los Alamos, with what memory the log says, at most 32 MiB a process, in parts of the log; and jobs \
                    of the model of Lublin and Feitelson with 4 to 32 MiB a process, drawn by us. The load is half of the processors.";

pub(crate) static BEST_AS_PUBLISHED: Statement = Statement {
    id: "weng-2023/results/best-fit",
    source: &WENG,
    place: "policy BestFit",
    quote: "",
    says: "Best fit allocates as large a share of all GPUs as published, within 1.5 percentage points",
    reading: TASKS,
    status: Status::Derived,
};

pub(crate) static FEWEST_AS_FGD: Statement = Statement {
    id: "locox/nodes/fewest-as-published",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Fewest lost allocates a larger share of all GPUs than the best published rule, fragmentation gradient descent",
    reading: TASKS,
    status: Status::Ours,
};

pub(crate) static FEWEST_OVER_BEST: Statement = Statement {
    id: "locox/nodes/fewest-over-best",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Fewest lost allocates a larger share of all GPUs than best fit",
    reading: TASKS,
    status: Status::Ours,
};

pub(crate) static MEMORY_COSTS: Statement = Statement {
    id: "locox/nodes/memory-costs",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Jobs wait longer where their memory counts, too, than where processors alone do",
    reading: JOBS,
    status: Status::Ours,
};

pub(crate) static SHARING_GAINS: Statement = Statement {
    id: "locox/nodes/sharing-gains",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Jobs wait less where they share nodes than where each has its nodes for itself",
    reading: JOBS,
    status: Status::Ours,
};

pub(crate) static BEST_OVER_FIRST: Statement = Statement {
    id: "locox/nodes/best-over-first",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Jobs wait less on the nodes where the least is left than on the first ones",
    reading: JOBS,
    status: Status::Ours,
};
