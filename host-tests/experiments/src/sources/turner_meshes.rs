//! Turner 1995 on hypercubes: chapters 2 to 4, and what section 7.1 concludes of them.
//!
//! Formulas are in plain text: `2^(n-k)`. Of the plots of chapter 4 the scan leaves axes and legends; no
//! value is read off a curve.

use super::TURNER;
use locox_report::report::{Statement, Status};

// Chapters 1 and 2.

pub(crate) static ANY_SIZE: Statement = Statement {
    id: "turner-1995/p7/any-size",
    source: &TURNER,
    place: "p. 7",
    quote: "This cluster allocation technique allows two-dimensional mesh requests of any size to be allocated in a \
            hypercube (limited by the number of processors in the hypercube).",
    says: "An empty 10-cube grants each mesh X x Y that has no more nodes than it",
    reading: "The number of processors is the only limit.",
    status: Status::Literal,
};

pub(crate) static FCFS_LOWER: Statement = Statement {
    id: "turner-1995/p11/fcfs-blocks",
    source: &TURNER,
    place: "pp. 11 and 12",
    quote: "can result in lower system utilization",
    says: "First come, first served uses less of a saturated hypercube than a queue that lets smaller jobs pass",
    reading: "Beside a queue that lets any of 16 waiting jobs start; \"can\" is one workload in which it is so.",
    status: Status::Literal,
};

pub(crate) static BUDDY: Statement = Statement {
    id: "turner-1995/p19/buddy",
    source: &TURNER,
    place: "p. 19",
    quote: "For a subcube of dimension k, the buddy system can recognize 2^(n-k) subcubes.",
    says: "The buddy system recognises 2^(n-k) subcubes of dimension k",
    reading: "",
    status: Status::Literal,
};

pub(crate) static GRAY_CODE: Statement = Statement {
    id: "turner-1995/p20/gray-code",
    source: &TURNER,
    place: "p. 20",
    quote: "the gray code method can recognize 2^(n-k+1) subcubes",
    says: "The Gray code recognises 2^(n-k+1) subcubes of dimension k",
    reading: "The source makes no exception of single nodes and of the whole cube, of which there are not as many.",
    status: Status::Literal,
};

pub(crate) static ALL_SUBCUBES: Statement = Statement {
    id: "turner-1995/p20/all-subcubes",
    source: &TURNER,
    place: "p. 20",
    quote: "for an n-cube and a k-cube request, there are 2^(n-k) C(n,k) possible recognizable subcubes",
    says: "There are C(n,k)*2^(n-k) subcubes of dimension k; complete recognition sees them all",
    reading: "",
    status: Status::Literal,
};

pub(crate) static FREE_LIST_COMPLETE: Statement = Statement {
    id: "turner-1995/p20/free-list-complete",
    source: &TURNER,
    place: "p. 20",
    quote: "The free list method is the only practical method that provides complete subcube recognition.",
    says: "The free list recognises each subcube that is free, alone or among other free nodes",
    reading: "The source does not print the rule by which a release merges. One that joins pairs of complements by \
              rising dimension, as the source's own coalescing does, is run, and one that finds what no list holds by a \
              search as well, which is complete by construction. Rules between the two, such as one that borrows halves \
              of larger free cubes, are not run. A case is a machine of n dimensions, of which each subcube in turn is \
              all that is free, or a share of free nodes.",
    status: Status::Literal,
};

pub(crate) static FREE_LIST_MOST: Statement = Statement {
    id: "turner-1995/p31/free-list-most-effective",
    source: &TURNER,
    place: "p. 31",
    quote: "The free list algorithm for subcube allocation has been shown to be the most effective algorithm for \
            recognizing available subcubes.",
    says: "Of the requests that fit random free nodes the free list grants more than the buddy system and the Gray \
           code",
    reading: "Both rules of merging are run; of one that searches nothing else can come out. On maps of single nodes that \
              are free at random, which jobs that come and go do not leave; beside these two of the strategies that the \
              source names, and not the other complete ones.",
    status: Status::Derived,
};

pub(crate) static QUEUE_BEFORE_PLACEMENT: Statement = Statement {
    id: "turner-1995/p21/queue-before-placement",
    source: &TURNER,
    place: "p. 21, on Krueger, Lai and Radiya 1991",
    quote: "an effective job scheduling strategy is more important than the cluster allocation strategy in \
            hypercubes",
    says: "An effective queue gains more utilisation over first come, first served than complete recognition gains over the \
           buddy system",
    reading: "An effective strategy: theirs is scan, up or down the sizes, a judgement on each; where the row names no \
              variant any of 16 waiting jobs may start. Importance: what it gains in utilisation at saturation; the \
              source speaks of turnaround times as well, which are not judged. A case is a mixture of sizes and a \
              strategy under which the queue is changed; what complete recognition gains is told under first come, \
              first served.",
    status: Status::Derived,
};

// Chapter 3.

pub(crate) static BOTH_CANNOT_RUN: Statement = Statement {
    id: "turner-1995/p26/both-cannot-run",
    source: &TURNER,
    place: "p. 26, figure 3.1",
    quote: "With a restriction to subcube allocation, both jobs cannot be simultaneously executed, even though the \
            total number of processors, 16, is sufficient.",
    says: "With whole subcubes a 2 x 5 and a 2 x 3 mesh cannot run at once in a 4-cube, though it has nodes for both",
    reading: "A sum of nodes, once each has a subcube: 16 and 8 of 16. Under the buddy system, the Gray code, the free list \
              and complete recognition, in both orders.",
    status: Status::ByConstruction,
};

pub(crate) static CONTENTION: Statement = Statement {
    id: "turner-1995/p26/contention",
    source: &TURNER,
    place: "p. 26, figure 3.1",
    quote: "communication from node 0100 to node 1010 in the 2 x 5 cluster may cause link contention with \
            communication between nodes 0110 and 0010 in the 2 x 3 cluster, if the popular deadlock-free E-cube \
            routing is used",
    says: "Placed as in figure 3.1, the 2 x 5 and the 2 x 3 mesh contend for a link",
    reading: "\"May\": the two routes share a channel; and messages of some pattern take longer, which the source does not \
              say.",
    status: Status::Derived,
};

pub(crate) static DILATION: Statement = Statement {
    id: "turner-1995/p27/dilation-1",
    source: &TURNER,
    place: "p. 27",
    quote: "The auxiliary free list method uses dilation 1 embeddings of meshes",
    says: "Neighbours in a mesh are neighbours in the hypercube",
    reading: "",
    status: Status::Literal,
};

pub(crate) static LEMMA_1: Statement = Statement {
    id: "turner-1995/p30/lemma-1",
    source: &TURNER,
    place: "p. 30, lemma 1",
    quote: "E-cube routing from S to D will use channel C if the following 3 conditions hold",
    says: "The route from S to D uses a channel if and only if the three conditions of the lemma hold",
    reading: "The lemma says \"if\"; that they are necessary is what its proof shows. A case is a hypercube of some number of \
              dimensions, with all pairs and channels.",
    status: Status::Derived,
};

pub(crate) static LARGEST_LEFTOVER: Statement = Statement {
    id: "turner-1995/p32/largest-leftover",
    source: &TURNER,
    place: "p. 32",
    quote: "It is desirable for the algorithm to produce the largest possible leftover subcubes.",
    says: "No subcube of leftover nodes is larger than the largest one of the partition",
    reading: "The partition, which takes the larger region first, reaches what it is meant to.",
    status: Status::Derived,
};

pub(crate) static DISJOINT: Statement = Statement {
    id: "turner-1995/p33/disjoint",
    source: &TURNER,
    place: "pp. 33 and 34",
    quote: "the leftover subcubes generated by the partitioning algorithm are disjoint",
    says: "Each node is the mesh's or one leftover's, and no other's",
    reading: "Judged of each shape, and with the mesh.",
    status: Status::Literal,
};

pub(crate) static LEAVES_20_30: Statement = Statement {
    id: "turner-1995/p34/20-x-30",
    source: &TURNER,
    place: "p. 34",
    quote: "The partitioning algorithm will generate an 8-cube, a 7-cube, a 5-cube, and a 3-cube as available leftover \
            cubes.",
    says: "A 20 x 30 mesh in a 10-cube leaves an 8-cube, a 7-cube, a 5-cube and a 3-cube",
    reading: "",
    status: Status::Literal,
};

pub(crate) static LEAVES_5_5: Statement = Statement {
    id: "turner-1995/fig3.4/5-x-5",
    source: &TURNER,
    place: "figure 3.4",
    quote: "The results of the partitioning algorithm are illustrated in Figure 3.4, in which a 5 x 5 mesh has been \
            embedded in a 6-cube.",
    says: "A 5 x 5 mesh in a 6-cube leaves cubes of 4, 3, 3, 2, 1 and 0 dimensions",
    reading: "The drawing is lost in the scan; these are the dimensions that the algorithm of figure 3.2 gives by hand, \
              beside those that the program gives: a test of the program.",
    status: Status::ByConstruction,
};

/// What led to it: why leftovers are kept in a list of their own.
pub(crate) static JOINED_ACROSS: Statement = Statement {
    id: "turner-1995/p34/joined-across",
    source: &TURNER,
    place: "p. 34, on why leftovers have a list of their own",
    quote: "",
    says: "Leftovers may be joined across while their owner runs",
    reading: "Each subcube that leftover nodes make up, however they are partitioned, shares no channel \
              with the mesh; a case is all shapes in subcubes of one dimension, and one of them refutes it.",
    status: Status::Ours,
};

/// What led to it: the theorem speaks of channels only.
pub(crate) static ROUTERS: Statement = Statement {
    id: "turner-1995/p35/routers",
    source: &TURNER,
    place: "p. 35, theorem 1, which speaks of channels only",
    quote: "",
    says: "No message of a mesh passes a leftover node, so these may be taken out of service at will",
    reading: "",
    status: Status::Ours,
};

pub(crate) static SUBCUBE_CLOSED: Statement = Statement {
    id: "turner-1995/p35/subcube-closed",
    source: &TURNER,
    place: "p. 35, proof of theorem 1",
    quote: "communication within a subcube never leaves that subcube",
    says: "E-cube routes between nodes of a subcube pass no other node",
    reading: "",
    status: Status::Literal,
};

pub(crate) static THEOREM_1: Statement = Statement {
    id: "turner-1995/p35/theorem-1",
    source: &TURNER,
    place: "p. 35, theorem 1",
    quote: "The leftover cubes created by the 2D mesh partitioning algorithm suffer no communication interference from \
            the 2D mesh cluster, and the 2D mesh cluster suffers no communication interference from the leftover \
            cubes.",
    says: "A mesh and its leftover subcubes share no channel under E-cube routing",
    reading: "",
    status: Status::Literal,
};

pub(crate) static PROOF_CASE_1: Statement = Statement {
    id: "turner-1995/p36/proof-case-1",
    source: &TURNER,
    place: "p. 36, proof of theorem 1, case 1",
    quote: "it cannot have this prefix to the X component of its address, since all 2^i nodes having this prefix are, \
            by definition, part of a generated leftover cube",
    says: "No node of the mesh has, in the X component of its address, the prefix of a leftover cube that spans \
           channels there",
    reading: "The prefix of a cube is what its X component says of an address above its don't care bits. X and Y change \
              places where the second region is the larger one, though p. 33 prints the other case alone. Shapes without \
              leftovers count as so.",
    status: Status::Literal,
};

pub(crate) static STEP_4: Statement = Statement {
    id: "turner-1995/fig3.9/step-4",
    source: &TURNER,
    place: "figure 3.9, step 4",
    quote: "If T contains one subcube of dimension k, then add that subcube to the FL, and perform the Free List \
            deallocation algorithm",
    says: "What a job in a leftover held may go to the free list when it ends, though the owner runs on",
    reading: "One reading of the step: k is the dimension of the job that ended, so that its subcube goes to the free \
              list also where it lies in a leftover whose owner runs on; how else that case is handled the figure does \
              not say. Judged is whether it does harm: no pair of neighbours in two leftovers of a mesh, which the free \
              list merges, shares a channel with the mesh.",
    status: Status::Derived,
};

pub(crate) static COALESCED: Statement = Statement {
    id: "turner-1995/p39/coalesced",
    source: &TURNER,
    place: "p. 39",
    quote: "In the event that all of the leftover cubes are currently free when the 2D mesh is deallocated, the \
            Coalesce algorithm (Figure 3.8) will restore the original k-cube.",
    says: "Pairs of complements, joined by rising dimension, make one subcube of a mesh and all its leftovers",
    reading: "The pieces are taken in the order in which the algorithms of figures 3.7 and 3.2 list them.",
    status: Status::Literal,
};

pub(crate) static RESTORED: Statement = Statement {
    id: "turner-1995/p40/restored",
    source: &TURNER,
    place: "p. 40",
    quote: "This process will eventually restore the original k-cube when all of the leftover subcubes become free.",
    says: "When all jobs have ended the machine is whole again",
    reading: "A machine that is idle and refuses a job that it could ever hold is not whole. The source speaks of its own \
              rules; the kernel's, which repair them, cannot but hold it.",
    status: Status::Literal,
};

pub(crate) static OFTEN_UNNECESSARY: Statement = Statement {
    id: "turner-1995/p42/often-unnecessary",
    source: &TURNER,
    place: "pp. 42 and 44",
    quote: "The existence of the AFL deallocation algorithm makes it often unnecessary to perform the Free List \
            deallocation algorithm, resulting in a greater time savings.",
    says: "Of the releases under AFL + FL more than half do without the free list's own deallocation",
    reading: "At saturation. Often is more often than not, ours. By step 4 of figure 3.9 it is left out where a leftover of the mesh is \
              occupied. By p. 44, \"whether to perform an auxiliary free list deallocation, a free list deallocation, \
              or a 2-D mesh deallocation\", also where the mesh lay in a leftover whose owner runs on.",
    status: Status::Literal,
};

pub(crate) static FEW_LEFTOVERS: Statement = Statement {
    id: "turner-1995/p44/few-leftovers",
    source: &TURNER,
    place: "p. 44",
    quote: "the partitioning algorithm creates up to k^2 leftover subcubes",
    says: "No mesh that takes a k-cube leaves more than k^2 subcubes",
    reading: "",
    status: Status::Literal,
};

pub(crate) static FEW_PIECES: Statement = Statement {
    id: "turner-1995/p44/few-pieces",
    source: &TURNER,
    place: "p. 44",
    quote: "there are no more than k^2 total cubes in the temporary list",
    says: "A mesh and its leftovers are no more than k^2 subcubes",
    reading: "The list of figure 3.9: the pieces of the mesh and its leftovers. The single node, k = 0, is left out: its list \
              of one cube is more than the none of the formula.",
    status: Status::Literal,
};

// Chapter 4.

const OVER_EACH_STRATEGY: &str = "Over the buddy system, the Gray code, the free list, with and without a search, and \
                                  complete recognition.";

pub(crate) static ONE_5_CUBE: Statement = Statement {
    id: "turner-1995/p48/one-5-cube",
    source: &TURNER,
    place: "p. 48",
    quote: "With this workload, the AFL method is able to allocate a 4 x 6 and a 4 x 2 mesh request in one 5-cube",
    says: "With the auxiliary list a 5-cube holds a 4 x 6 and a 4 x 2 mesh",
    reading: OVER_EACH_STRATEGY,
    status: Status::Literal,
};

pub(crate) static WHOLE_5_CUBE: Statement = Statement {
    id: "turner-1995/p48/whole-5-cube",
    source: &TURNER,
    place: "p. 48",
    quote: "The FL method, however, requires an entire 5-cube for each 4 x 6 mesh request, followed by a 3-cube for \
            each 4 x 2 request.",
    says: "Without AFL a 5-cube holds a 4 x 6 mesh and no 4 x 2 mesh beside it",
    reading: "Nothing is left of a 5-cube that is given whole. Over the buddy system, the Gray code, the free list, with and \
              without a search, and complete recognition.",
    status: Status::ByConstruction,
};

pub(crate) static NO_ROOM: Statement = Statement {
    id: "turner-1995/p48/no-room",
    source: &TURNER,
    place: "p. 48",
    quote: "the remaining 3 and 4-cubes cannot be used to allocate the incoming 4 x 6 request",
    says: "Without it a 6-cube with a 4 x 6 and a 4 x 2 mesh has no room for another 4 x 6 mesh",
    reading: "A 6-cube is ours: the text speaks of a machine whose smallest available subcube is a 5-cube, as of the \
              source's 10-cube after the first mesh, where larger cubes are free as well. The sum of nodes alone, 32 and 8 \
              and 32 of 64, decides it.",
    status: Status::ByConstruction,
};

const UTILISED: &str =
    "the AFL method obtained 100% utilization, while the FL method obtained 50% utilization";
const TURNS_UP: &str = "the point at which JTT started to increase exponentially was 4.0 for the AFL \
                        method, while it was 2.0 for the FL method";
const TWO_TIMES: &str = "the AFL method performed twice as well as the FL method, as expected";
/// Of figure 4.1 under what the text states, and not.
macro_rules! as_stated {
    () => {
        "The text states a 10-cube (p. 46) and exponential service times (p. 47) for all its experiments; with \
         constant service, or on a 6-cube, are conditions of ours, in search of those with which the figures come \
         out. "
    };
}

/// How the point is read at which turnarounds start to increase.
macro_rules! point {
    () => {
        "The point is read as the load beyond which turnarounds grow without end, measured at saturation, and not \
         off a curve, which bends earlier; so that p48/utilisation, knee and twice are one measurement."
    };
}

const AS_STATED: &str = as_stated!();
const POINT_AS_STATED: &str = concat!(as_stated!(), point!());
const POINT_AS_CHOSEN: &str = concat!(
    "A 6-cube and constant service times: chosen here because the figures come out with them. ",
    point!()
);
const AS_CHOSEN: &str = "A 6-cube and constant service times: chosen here because the figures come out with \
                         them. The text states a 10-cube (p. 46) and exponential service times (p. 47), \
                         and with these they do not.";

pub(crate) static UTILISATION: Statement = Statement {
    id: "turner-1995/p48/utilisation",
    source: &TURNER,
    place: "p. 48, figure 4.1",
    quote: UTILISED,
    says: "4 x 6 and 4 x 2 meshes in turn use 100 % of the machine with AFL and 50 % with FL",
    reading: AS_STATED,
    status: Status::Literal,
};

pub(crate) static KNEE: Statement = Statement {
    id: "turner-1995/p48/knee",
    source: &TURNER,
    place: "p. 48, figure 4.1",
    quote: TURNS_UP,
    says: "The turnaround of 4 x 6 and 4 x 2 meshes in turn starts to increase exponentially at a load of 4.0 with AFL \
           and 2.0 with FL",
    reading: POINT_AS_STATED,
    status: Status::Literal,
};

pub(crate) static TWICE: Statement = Statement {
    id: "turner-1995/p48/twice",
    source: &TURNER,
    place: "p. 48, figure 4.1",
    quote: TWO_TIMES,
    says: "With 4 x 6 and 4 x 2 meshes in turn AFL sustains twice the load of FL",
    reading: POINT_AS_STATED,
    status: Status::Literal,
};

pub(crate) static UTILISATION_CHOSEN: Statement = Statement {
    id: "turner-1995/p48/utilisation-6-cube",
    source: &TURNER,
    place: "p. 48, figure 4.1",
    quote: UTILISED,
    says: "On a 6-cube with constant service 4 x 6 and 4 x 2 meshes in turn use 100 % with AFL and 50 % with FL",
    reading: AS_CHOSEN,
    status: Status::Calibration,
};

pub(crate) static KNEE_CHOSEN: Statement = Statement {
    id: "turner-1995/p48/knee-6-cube",
    source: &TURNER,
    place: "p. 48, figure 4.1",
    quote: TURNS_UP,
    says: "On a 6-cube with constant service the turnaround of 4 x 6 and 4 x 2 meshes in turn starts to increase \
           exponentially at a load of 4.0 with AFL and 2.0 with FL",
    reading: POINT_AS_CHOSEN,
    status: Status::Calibration,
};

pub(crate) static TWICE_CHOSEN: Statement = Statement {
    id: "turner-1995/p48/twice-6-cube",
    source: &TURNER,
    place: "p. 48, figure 4.1",
    quote: TWO_TIMES,
    says: "On a 6-cube with constant service AFL sustains twice the load of FL with 4 x 6 and 4 x 2 meshes in turn",
    reading: AS_CHOSEN,
    status: Status::Calibration,
};

pub(crate) static SAME: Statement = Statement {
    id: "turner-1995/p49/same",
    source: &TURNER,
    place: "p. 49, figures 4.2 and 4.3",
    quote: "The performance of both methods is approximately the same.",
    says: "With sides in [1,16] both methods perform approximately the same",
    reading: "Performance is utilisation at saturation, and turnaround at each load at which one of the methods keeps \
              up. Both rules of the free list's merging are run. Approximately the same: within 5 %, ours. Turnarounds \
              are run until their mean is known to 5 % as well, so that near the highest loads likeness may stay \
              undecided though it is there.",
    status: Status::Literal,
};

pub(crate) static AT_MOST_6: Statement = Statement {
    id: "turner-1995/p49/at-most-6",
    source: &TURNER,
    place: "p. 49",
    quote: "Any leftover subcubes generated by the AFL's partitioning algorithm are consequently of dimension at most \
            6",
    says: "With sides in [1,16] no leftover has more than 6 dimensions",
    reading: "",
    status: Status::Literal,
};

const SLIGHTLY: &str = "In this case, the AFL method gives slightly better average utilization and JTT \
                        values than the FL method alone.";

pub(crate) static BETTER_UTILISATION: Statement = Statement {
    id: "turner-1995/p49/better-utilisation",
    source: &TURNER,
    place: "p. 49, figures 4.4 and 4.5",
    quote: SLIGHTLY,
    says: "With sides in [1,32] the auxiliary list gives slightly better utilisation",
    reading: "At saturation. Slightly: by up to ten percentage points, ours, half a tick of the printed axes, though that \
              may be a quarter of the value. Both rules of the free list's merging are run.",
    status: Status::Literal,
};

pub(crate) static BETTER_TURNAROUND: Statement = Statement {
    id: "turner-1995/p49/better-turnaround",
    source: &TURNER,
    place: "p. 49, figures 4.4 and 4.5",
    quote: SLIGHTLY,
    says: "With sides in [1,32] the auxiliary list gives better turnarounds",
    reading: "At each load at which one of the methods keeps up. How slightly is not judged: where turnarounds begin \
              to grow without end any difference becomes large. Both rules of the free list's merging are run.",
    status: Status::Literal,
};

pub(crate) static MORE_SATISFIED: Statement = Statement {
    id: "turner-1995/p51/more-satisfied",
    source: &TURNER,
    place: "pp. 49 and 51",
    quote: "there are more instances in which a large mesh request generates many leftover subcubes, allowing the AFL \
            method to satisfy a larger percentage of incoming requests",
    says: "A larger share of the jobs starts in leftovers with sides in [1,32] than in [1,16]",
    reading: "One reading of \"to satisfy\": by leftovers, of which p. 49 says that sides in [1,16] give fewer opportunities \
              to exploit them. That more requests are satisfied than by the free list alone is not judged here, but by \
              utilisation and turnarounds.",
    status: Status::Derived,
};

pub(crate) static FASTER_WITH_A: Statement = Statement {
    id: "turner-1995/p52/turnaround",
    source: &TURNER,
    place: "p. 52, of all of section 4.2",
    quote: "as the percentage, A, of small jobs is increased, the overall JTT improves",
    says: "The larger the share A of small jobs, the shorter the turnarounds",
    reading: "Steps from one A to the next, at a load of 0.8, ours, which all workloads sustain; A drawn by job only.",
    status: Status::Literal,
};

pub(crate) static LESS_USED_WITH_A: Statement = Statement {
    id: "turner-1995/p52/utilisation",
    source: &TURNER,
    place: "p. 52, of all of section 4.2",
    quote: "yet the system utilization also decreases",
    says: "The larger the share A of small jobs, the lower the utilisation",
    reading: "Steps from one A to the next, at saturation.",
    status: Status::Literal,
};

pub(crate) static MORE_UNUSED_WITH_A: Statement = Statement {
    id: "turner-1995/p52/unused-leftovers",
    source: &TURNER,
    place: "p. 52, of all of section 4.2",
    quote: "It results in a larger percentage of small leftover subcubes that cannot be used to allocate any incoming \
            requests.",
    says: "The larger the share A of small jobs, the larger the share of leftover subcubes that nobody uses",
    reading: "Of the leftovers of all jobs that ended at saturation those in which no job started while their owner \
              ran: of all leftovers, and of the small ones, which have fewer nodes than the largest small mesh. Idle \
              is not unusable: a 1 x 1 mesh fits any leftover, so that there is no leftover that no request can use.",
    status: Status::Derived,
};

const AS_THE_LIMIT: &str = "As the lower limit on the upper interval increases, the overall system utilization and JTT \
                            improves";

pub(crate) static USED_WITH_LIMIT: Statement = Statement {
    id: "turner-1995/p54/utilisation",
    source: &TURNER,
    place: "p. 54, of all of section 4.2",
    quote: AS_THE_LIMIT,
    says: "As the lower limit of the large range rises, utilisation improves",
    reading: "Steps from one range to the next, at saturation, with AFL, and without as far as [17,32], though the cause that \
              the source names is there only with it. Utilisation is of the nodes of the meshes. From [17,32] on every \
              mesh of two large sides takes the whole 10-cube, so that under FL the same jobs run at the same times, and \
              more is used only as their meshes are larger: these steps cannot fail and are not judged.",
    status: Status::Literal,
};

pub(crate) static FASTER_WITH_LIMIT: Statement = Statement {
    id: "turner-1995/p54/turnaround",
    source: &TURNER,
    place: "p. 54, of all of section 4.2",
    quote: AS_THE_LIMIT,
    says: "As the lower limit of the large range rises, turnarounds improve",
    reading: "Steps from one range to the next, at a load of 0.8, ours, which all workloads sustain, and by the load at \
              which turnarounds grow without end: where it is higher, turnarounds are shorter from some load on. With AFL \
              and without, though the cause that the source names is there only with it. A drawn by job only.",
    status: Status::Literal,
};

const DUE_TO: &str = "a greater percentage of leftover subcubes are being created by larger and larger \
                      generated meshes, which results in a greater number of the small mesh requests \
                      being satisfied by leftover subcubes";

pub(crate) static INSIDE_WITH_LIMIT: Statement = Statement {
    id: "turner-1995/p54/more-in-leftovers",
    source: &TURNER,
    place: "p. 54, of all of section 4.2",
    quote: DUE_TO,
    says: "As the lower limit of the large range rises, more of the small jobs find room in leftovers",
    reading: "Steps from one range to the next, at saturation. A job is small if both its sides are in the small \
              range.",
    status: Status::Literal,
};

pub(crate) static SOME_INSIDE: Statement = Statement {
    id: "turner-1995/p54/some-in-leftovers",
    source: &TURNER,
    place: "p. 54",
    quote: DUE_TO,
    says: "Some of the small jobs run in leftovers",
    reading: "In leftovers of any mesh, small ones among them. A job is small if both its sides are in the small range, of which drawing by side makes fewer. A request \
              looks into the auxiliary list first, so it cannot be otherwise.",
    status: Status::ByConstruction,
};

pub(crate) static GAIN_WITH_LIMIT: Statement = Statement {
    id: "turner-1995/p54/gain",
    source: &TURNER,
    place: "p. 54, of all of section 4.2",
    quote: DUE_TO,
    says: "As the lower limit of the large range rises, the auxiliary list gains more utilisation over FL",
    reading: "If utilisation improves because leftovers satisfy more requests, the auxiliary list gains more.",
    status: Status::Derived,
};

pub(crate) static SIMILAR: Statement = Statement {
    id: "turner-1995/p65/similar",
    source: &TURNER,
    place: "p. 65, section 4.3",
    quote: "The conclusions to be drawn from these experiments are similar to those presented in Section 4.2.",
    says: "With small sides in [1,16] each step of A and of the large range changes things as in section 4.2",
    reading: "Steps that are clear in our runs with small sides in [1,8]: the change with [1,16] has the same direction, also \
              where that is contrary to the source's conclusions, as it is of turnarounds in steps of the range \
              (p54/turnaround). Under FL utilisation cannot but agree in steps of the range. A drawn by job only.",
    status: Status::Literal,
};

const FURTHER_EFFECT: &str = "the change in the lower interval from [1, 8] to [1, 16] has the further effect \
                              of increasing user JTT, yet improving system utilization";

pub(crate) static LONGER_16: Statement = Statement {
    id: "turner-1995/p65/longer-turnaround",
    source: &TURNER,
    place: "p. 65, section 4.3",
    quote: FURTHER_EFFECT,
    says: "With small sides in [1,16] instead of [1,8] turnarounds are longer",
    reading: "At a load of 0.8, ours, which all workloads sustain and at which nobody waits for long; and by the load at \
              which turnarounds grow without end, which the figures that the text compares, 4.9 and 4.19, show best: \
              where it is lower, turnarounds are longer from there on. Same ranges, shares, arrivals and service \
              times. The cause that the source names, fewer leftovers that are large enough, is there only with AFL: a \
              judgement with it, and one without.",
    status: Status::Literal,
};

pub(crate) static FULLER_16: Statement = Statement {
    id: "turner-1995/p65/better-utilisation",
    source: &TURNER,
    place: "p. 65, section 4.3",
    quote: FURTHER_EFFECT,
    says: "With small sides in [1,16] instead of [1,8] utilisation is better",
    reading: "At saturation, with AFL, of which the section speaks, and without. Utilisation is of the nodes of the meshes: \
              under FL, in front of large ranges, the same jobs may run at the same times, and more is used only as their \
              meshes are larger. A drawn by job only.",
    status: Status::Literal,
};

pub(crate) static FEWER_INSIDE_16: Statement = Statement {
    id: "turner-1995/p65/fewer-in-leftovers",
    source: &TURNER,
    place: "p. 65, section 4.3",
    quote: "the difference in the lower range of mesh requests results in a lower number of leftover subcubes that are \
            large enough to satisfy incoming requests",
    says: "With small sides in [1,16] instead of [1,8] fewer of the small jobs find room in leftovers",
    reading: "At saturation. A job is small if both its sides are in the small range, so that other jobs are counted on \
              either side. How many leftovers are large enough is not counted. A drawn by job only.",
    status: Status::Derived,
};

pub(crate) static MORE_PRONOUNCED: Statement = Statement {
    id: "turner-1995/p65/more-pronounced",
    source: &TURNER,
    place: "p. 65, section 4.3",
    quote: "This effect is more pronounced as A increases.",
    says: "The larger A is, the more the turnaround worsens under AFL + FL with small sides in [1,16] instead of \
           [1,8]",
    reading: "The effect is that \"the JTT is adversely affected\": in seconds at a load of 0.8, ours, or as the \
              load at which turnarounds grow without end, which is what the figures that the text compares show \
              best.",
    status: Status::Literal,
};

pub(crate) static RAFL: Statement = Statement {
    id: "turner-1995/fig4.22/rafl",
    source: &TURNER,
    place: "figures 4.22 and 4.23",
    quote: "",
    says: "RAFL, the third curve of figures 4.22 and 4.23, is something that can be run",
    reading: "The legends name it; no text says what it is.",
    status: Status::Derived,
};

// Section 7.1.

const CONCLUSION: &str = "using the AFL with 2-D mesh requests generally increases system throughput and \
                          decreases average user JTT";

/// What the variants of p. 128 rest on.
macro_rules! variants_of_the_conclusion {
    () => {
        " Page 20 says that the free list recognises all subcubes: one that joins pairs does not, one that searches does. \
         Of 4 x 6 and 4 x 2 meshes in turn, those of figure 4.1: the source has exponential service (p. 47) and a 10-cube \
         (p. 46), constant service and the 6-cube are ours; and the figure rises at loads of 4 and 2, at which a 10-cube is \
         nearly empty."
    };
}

pub(crate) static THROUGHPUT: Statement = Statement {
    id: "turner-1995/p128/throughput",
    source: &TURNER,
    place: "p. 128",
    quote: CONCLUSION,
    says: "The auxiliary list generally increases throughput over the free list alone",
    reading: concat!(
        "Generally is on average over the workloads of the experiment that the variant names; of all workloads of \
         chapter 4 together there is no row. Throughput is utilisation at saturation.",
        variants_of_the_conclusion!()
    ),
    status: Status::Literal,
};

pub(crate) static TURNAROUND: Statement = Statement {
    id: "turner-1995/p128/turnaround",
    source: &TURNER,
    place: "p. 128",
    quote: CONCLUSION,
    says: "The auxiliary list generally decreases average turnarounds over the free list alone",
    reading: concat!(
        "The source sums up all of chapter 4; a judgement here is on the workloads of one of its experiments, on \
         average over these and over the loads at which one of the methods keeps up. Where the other one does not \
         its turnaround counts as 100 s, so that the size of the mean, perhaps its sign, rests on that and on our \
         loads. In the rows of small sides A is drawn by job unless it is said that it is drawn by side.",
        variants_of_the_conclusion!()
    ),
    status: Status::Literal,
};

pub(crate) static THROUGHPUT_CHOSEN: Statement = Statement {
    id: "turner-1995/p128/throughput-6-cube",
    source: &TURNER,
    place: "p. 128 and figure 4.1",
    quote: CONCLUSION,
    says: "On a 6-cube with constant service the auxiliary list increases throughput over the free list alone with 4 x 6 \
           and 4 x 2 meshes in turn",
    reading: AS_CHOSEN,
    status: Status::Calibration,
};

pub(crate) static TURNAROUND_CHOSEN: Statement = Statement {
    id: "turner-1995/p128/turnaround-6-cube",
    source: &TURNER,
    place: "p. 128 and figure 4.1",
    quote: CONCLUSION,
    says: "On a 6-cube with constant service the auxiliary list decreases average turnarounds over the free list alone \
           with 4 x 6 and 4 x 2 meshes in turn",
    reading: AS_CHOSEN,
    status: Status::Calibration,
};

pub(crate) static NO_INTERFERENCE: Statement = Statement {
    id: "turner-1995/p128/no-interference",
    source: &TURNER,
    place: "p. 128",
    quote: "jobs in allocated clusters suffer no communication interference from other jobs, yet they are not required \
            to be a perfect subcube",
    says: "With jobs beside a mesh every message arrives in the cycle in which it does when its job is alone",
    reading: "By the kernel's rules there is a job on each leftover. By the rules as printed the free list may join two \
              leftovers while the owner runs (figure 3.9, step 4): there is one job on the largest subcube so joined \
              that uses a channel of the mesh. A case is a pattern of messages, over all shapes: neighbours, whose \
              messages never leave their own mesh, all to all, random pairs, transpose.",
    status: Status::Literal,
};

pub(crate) static ANY_STRATEGY: Statement = Statement {
    id: "turner-1995/p129/any-strategy",
    source: &TURNER,
    place: "p. 129",
    quote: "it may be used in conjunction with any existing subcube allocation algorithm",
    says: "Over each subcube strategy meshes come and go with the auxiliary list, and no two share a channel",
    reading: "The four strategies of the kernel, under the kernel's rules: leftovers are never joined across while their \
              owner lives. That no two share a channel is what p. 128 says, and follows from theorem 1 then, so that the \
              runs test the kernel. Under the printed rules leftovers are joined: fig3.9/step-4 and p34/joined-across.",
    status: Status::ByConstruction,
};
