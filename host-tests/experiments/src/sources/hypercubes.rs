//! What others say of jobs on hypercubes, by the abstracts of their papers, and our own questions.

use super::{KRUEGER, LOCOX, MOHAPATRA};
use locox_report::report::{Source, Statement, Status};

const fn abstracted(
    source: &'static Source,
    id: &'static str,
    quote: &'static str,
    says: &'static str,
    reading: &'static str,
) -> Statement {
    Statement { id, source, place: "abstract", quote, says, reading, status: Status::Literal }
}

pub(crate) static FAR_MORE_IMPACT: Statement = abstracted(
    &KRUEGER,
    "krueger-1994/abstract/far-more-impact",
    "job scheduling has far more impact on performance than does processor allocation",
    "Scan gains more utilisation over first come, first served than complete recognition over the buddy \
     system",
    "Performance is utilisation at saturation; \"far more\" is more than twice as much.",
);

pub(crate) static NEGLIGIBLE: Statement = abstracted(
    &KRUEGER,
    "krueger-1994/abstract/negligible",
    "when Scan disciplines are used, the abilities of sophisticated processor allocation strategies to \
     further improve performance are limited to negligible levels",
    "Under Scan complete recognition gains next to nothing over the buddy system",
    "Performance is utilisation at saturation; negligible is at most one percentage point.",
);

pub(crate) static LITTLE_DIFFERENCE: Statement = abstracted(
    &MOHAPATRA,
    "mohapatra-1993/abstract/little-difference",
    "all the hypercube allocation policies with the FCFS scheduling show little performance difference",
    "Behind first come, first served complete recognition gains little over the buddy system",
    "Performance is utilisation at saturation; little is at most five percentage points.",
);

pub(crate) static LAZY_OVER_FCFS: Statement = abstracted(
    &MOHAPATRA,
    "mohapatra-1993/abstract/lazy-over-fcfs",
    "the hypercube performance is dramatically enhanced by using the lazy scheme as compared to the FCFS \
     scheduling",
    "Lazy scheduling uses clearly more of the machine than first come, first served",
    "Performance is utilisation at saturation; a dramatic gain is one of ten percentage points.",
);

pub(crate) static LAZY_OVER_SCAN: Statement = abstracted(
    &MOHAPATRA,
    "mohapatra-1993/abstract/lazy-over-scan",
    "the lazy scheme performs better than scan under a wide range of workloads",
    "Lazy scheduling uses more of the machine than Scan",
    "Performance is utilisation at saturation.",
);

const fn ours(id: &'static str, says: &'static str) -> Statement {
    let (place, quote, reading) = ("", "", "");
    Statement { id, source: &LOCOX, place, quote, says, reading, status: Status::Ours }
}

const SIZES_LEFT_OPEN: &str = "Sizes of jobs were not recorded: equally frequent ones from 1 to 64 nodes, and all workloads. Rounded \
                               to points.";

pub(crate) static WINDOW_LIFTS: Statement = Statement {
    reading: SIZES_LEFT_OPEN,
    ..ours(
        "locox/queue/window-lifts",
        "Letting any of 16 waiting jobs start lifts the utilisation of a saturated 7-cube under the buddy \
         system by 17 to 22 percentage points",
    )
};

pub(crate) static COMPLETE_LIFTS: Statement = Statement {
    reading: SIZES_LEFT_OPEN,
    ..ours(
        "locox/queue/complete-lifts",
        "Complete recognition lifts it over the buddy system by 3 to 7 percentage points behind first come, \
         first served",
    )
};

pub(crate) static NEAR_OPTIMUM: Statement = ours(
    "locox/placement/near-optimum",
    "On a 4-cube complete recognition loses no more than 0.3 % against the best placement",
);

pub(crate) static COMPLETE_BEST: Statement = ours(
    "locox/placement/complete-best",
    "Every other strategy loses more than complete recognition",
);

pub(crate) static GRAY_BEFORE_BUDDY: Statement = ours(
    "locox/placement/gray-before-buddy",
    "The Gray code, which recognises more, loses less than the buddy system",
);
