//! Our own questions on accelerators that are cut into slices.

use super::LOCOX;
use locox_report::report::{Statement, Status};

pub(crate) static NEAR_OPTIMUM: Statement = Statement {
    id: "locox/slices/near-optimum",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "On an A100 and an H100 the placement that strands the fewest slices loses no more than 0.5 % against the best \
           placement",
    reading: "In per cent of what the best placement serves, counted in memory slices; the demand is 0.9 of the accelerator, \
              requests that find no room are turned away, and the best placement turns away nothing that fits. Tables of \
              placements as NVIDIA publishes them. Four mixes of profiles: all equally frequent; small or large ones more \
              frequent, by their place in the order of sizes; and the smallest and the largest three times as frequent as the \
              others. The weights are ours, in the manner of studies of such accelerators.",
    status: Status::Ours,
};

pub(crate) static FIRST_LOSES: Statement = Statement {
    id: "locox/slices/first-loses",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "On an A100 and an H100 the first free placement loses more against the best one than the placement that strands the \
           fewest slices",
    reading: "As the claim on how near the latter comes; cases are the same four mixes of profiles on either accelerator.",
    status: Status::Ours,
};

pub(crate) static SMALL_ONES: Statement = Statement {
    id: "locox/slices/small-ones",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Where almost all requests are small, the placement that strands the fewest slices loses more than 0.5 % against the \
           best one",
    reading: "As the claim on how near it comes otherwise. Two mixes: each profile half as frequent as the next smaller; and all \
              but the two largest, large ones rarer.",
    status: Status::Ours,
};
