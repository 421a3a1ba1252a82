//! What others say of jobs on hypercubes, by the abstracts of their papers, and our own questions.

use super::{KRUEGER, LOCOX, MOHAPATRA};
use locox_report::report::{Statement, Status};

pub(crate) static FAR_MORE_IMPACT: Statement = Statement {
    id: "krueger-1994/abstract/far-more-impact",
    source: &KRUEGER,
    place: "abstract",
    quote: "job scheduling has far more impact on performance than does processor allocation",
    says: "Scan gains more than twice as much utilisation over first come, first served as complete recognition \
           does over the buddy system",
    reading: "Performance is utilisation at saturation; \"far more\" is more than twice as much, ours. The \
              abstract names neither sizes, service times nor rates: those of the runs are ours. It does not \
              give the rules of the discipline either: ours are a reconstruction from memory of the literature, \
              so that it is these that are judged.",
    status: Status::Derived,
};

pub(crate) static NEGLIGIBLE: Statement = Statement {
    id: "krueger-1994/abstract/negligible",
    source: &KRUEGER,
    place: "abstract",
    quote: "when Scan disciplines are used, the abilities of sophisticated processor allocation strategies to further \
            improve performance are limited to negligible levels",
    says: "Under Scan complete recognition gains next to nothing over the buddy system",
    reading: "Performance is utilisation at saturation; negligible is at most one percentage point, ours. The \
              abstract names neither sizes, service times nor rates: those of the runs are ours. It does not \
              give the rules of the discipline either: ours are a reconstruction from memory of the literature, \
              so that it is these that are judged.",
    status: Status::Derived,
};

pub(crate) static LITTLE_DIFFERENCE: Statement = Statement {
    id: "mohapatra-1993/abstract/little-difference",
    source: &MOHAPATRA,
    place: "abstract",
    quote: "all the hypercube allocation policies with the FCFS scheduling show little performance difference",
    says: "Behind first come, first served complete recognition gains little over the buddy system",
    reading: "Performance is utilisation at saturation; little is at most five percentage points, ours. Of the \
              policies these two recognise the most subcubes and the fewest. The abstract names neither sizes, \
              service times nor rates: those of the runs are ours.",
    status: Status::Derived,
};

pub(crate) static LAZY_OVER_FCFS: Statement = Statement {
    id: "mohapatra-1993/abstract/lazy-over-fcfs",
    source: &MOHAPATRA,
    place: "abstract",
    quote: "the hypercube performance is dramatically enhanced by using the lazy scheme as compared to the FCFS \
            scheduling",
    says: "Lazy scheduling uses clearly more of the machine than first come, first served",
    reading: "Performance is utilisation at saturation; a dramatic gain is one of ten percentage points, ours. \
              The abstract names neither sizes, service times nor rates: those of the runs are ours. It does not \
              give the rules of the discipline either: ours are a reconstruction from memory of the literature, \
              so that it is these that are judged.",
    status: Status::Derived,
};

pub(crate) static LAZY_OVER_SCAN: Statement = Statement {
    id: "mohapatra-1993/abstract/lazy-over-scan",
    source: &MOHAPATRA,
    place: "abstract",
    quote: "the lazy scheme performs better than scan under a wide range of workloads",
    says: "Lazy scheduling uses more of the machine than Scan",
    reading: "Performance is utilisation at saturation. The abstract names neither sizes, service times nor \
              rates: those of the runs are ours. It does not give the rules of the disciplines either: ours are \
              a reconstruction from memory of the literature, so that it is these that are judged.",
    status: Status::Derived,
};

const SIZES_LEFT_OPEN: &str = "Under the buddy system: what a window of 16 gains there over first come, first served, \
                               and what complete recognition gains over it. The numbers were found in runs of \
                               which the sizes of the jobs were not recorded: judged with equally frequent sizes from \
                               1 to 64 nodes, and with five mixtures of sizes. \"as on a 7-cube of 1993\" are the shares of sizes and \
                               the mean run times of the log of the iPSC/860 at NASA Ames. Rounded to points.";

pub(crate) static WINDOW_LIFTS: Statement = Statement {
    id: "locox/queue/window-lifts",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Letting any of 16 waiting jobs start lifts the utilisation of a saturated 7-cube under the buddy system by \
           17 to 22 percentage points",
    reading: SIZES_LEFT_OPEN,
    status: Status::Ours,
};

pub(crate) static COMPLETE_LIFTS: Statement = Statement {
    id: "locox/queue/complete-lifts",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Complete recognition lifts the utilisation of a saturated 7-cube over that of the buddy system by 3 to 7 \
           percentage points behind first come, first served",
    reading: SIZES_LEFT_OPEN,
    status: Status::Ours,
};

pub(crate) static NEAR_OPTIMUM: Statement = Statement {
    id: "locox/placement/near-optimum",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "On a 4-cube complete recognition loses no more than 0.3 % against the best placement",
    reading: "In per cent of what the best placement serves; the demand is 0.9 of the machine. Four mixtures of sizes: \
              from one node to half of the machine, all equally frequent; from one node to all of it, the same; and from \
              one node to half, each size half, or twice, as frequent as the next smaller. The margin, ours, was set just \
              above the largest mean loss found: the row says only that no mixture has come to lose more since.",
    status: Status::Ours,
};

const LOST: &str = "Requests that find no room are turned away. A strategy loses what the best placement of all that turn away \
                    nothing that fits serves more of the demand, in per cent of that. Cases: four mixes of sizes on \
                    either cube. Whether it is so of larger cubes, other loads or jobs that wait is not asked.";

pub(crate) static COMPLETE_BEST: Statement = Statement {
    id: "locox/placement/complete-best",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "On 3- and 4-cubes at a load of 0.9 the buddy system, the Gray code and the free list that searches lose more \
           than complete recognition",
    reading: LOST,
    status: Status::Ours,
};

pub(crate) static GRAY_BEFORE_BUDDY: Statement = Statement {
    id: "locox/placement/gray-before-buddy",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "On 3- and 4-cubes at a load of 0.9 the Gray code, which recognises more, loses less than the buddy system",
    reading: LOST,
    status: Status::Ours,
};
