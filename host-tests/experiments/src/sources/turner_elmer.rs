//! Turner's thesis, chapters 5 to 7: jobs that share workstations in time, and Elmer.

use super::TURNER;
use locox_report::report::{Statement, Status};

// Page 78.

pub(crate) static NO_SHARE_TAKEN: Statement = Statement {
    id: "turner-1995/p78/no-share-taken",
    source: &TURNER,
    place: "p. 78 and figure 6.8",
    quote: "a processor scheduling policy in which their job is preempted by a later-arriving job is \
            unacceptable",
    says: "Under version 1 no newcomer lowers an earlier job's share of any processor",
    reading: "A share of a processor that an earlier job has at any time falls when the newcomer is added and \
              all starts stay as they were. The source speaks of preemption in general; that its first \
              placement, our version 1, keeps to it is the claim.",
    status: Status::Derived,
};

const BY_VERSION_3: &str = "Version 3 is the placement of this project, NonInterfering.";
const MADE_FOR_IT: &str = "Version 3 is the placement of this project, NonInterfering, which is made for this: a test \
                           of it.";

pub(crate) static NO_SHARE_TAKEN_BY_VERSION_3: Statement = Statement {
    id: "turner-1995/p78/no-share-taken-by-version-3",
    source: &TURNER,
    place: "p. 78",
    quote: "",
    says: "Under version 3 no newcomer lowers an earlier job's share of any processor",
    reading: MADE_FOR_IT,
    status: Status::ByConstruction,
};

// Pages 82 and 83.

pub(crate) static TIMES_ALONE: Statement = Statement {
    id: "turner-1995/p82/times-alone",
    source: &TURNER,
    place: "pp. 82, 83 and 85",
    quote: "the 5 processor execution time, on the non-preemptive kernel, for version 2 of Barrier was \
            approximately 37.7 seconds",
    says: "v1 takes 31.4 s on 6 hosts, v2 37.7 s and 38.3 s on 5, EP 33.9 s and 31.5 s on 5",
    reading: "All five times alone that are printed, and all that was fitted to.",
    status: Status::Calibration,
};

pub(crate) static BARRIER_SLOWER: Statement = Statement {
    id: "turner-1995/p82/barrier-slower-preemptive",
    source: &TURNER,
    place: "p. 82 and figure 5.3",
    quote: "The higher overhead of the preemptive kernel resulted in a slightly higher overall execution time \
            (and slightly lower speedup) for each barrier program",
    says: "Barrier programs take longer under the preemptive kernel, on 2 hosts and more",
    reading: "The overhead of a message is fitted to version 2 on 5 hosts, and positive everywhere then. How \
              slightly is not judged.",
    status: Status::Calibration,
};

pub(crate) static DIFFERENCE_GROWS: Statement = Statement {
    id: "turner-1995/p82/difference-grows",
    source: &TURNER,
    place: "p. 82 and figure 5.3",
    quote: "the difference in execution time between the non-preemptive version and preemptive version grew as \
            the number of processors grew",
    says: "The more hosts, the more seconds the preemptive kernel costs a barrier program",
    reading: "From each number of hosts, 2 to 5, to the next. The model adds the overhead to each message to the \
              barrier, of which there are more with more hosts.",
    status: Status::ByConstruction,
};

pub(crate) static EP_FASTER: Statement = Statement {
    id: "turner-1995/p83/ep-faster-preemptive",
    source: &TURNER,
    place: "p. 83 and figure 5.3",
    quote: "It ran slightly faster on the preemptive kernel",
    says: "EP takes less time under the preemptive kernel, on 2 hosts and more",
    reading: "The pause of EP is fitted on 5 hosts under each kernel, and is the same on any number of hosts. \
              How slightly is not judged.",
    status: Status::Calibration,
};

pub(crate) static SPEED_UPS_CLOSE: Statement = Statement {
    id: "turner-1995/p83/speed-ups-close",
    source: &TURNER,
    place: "p. 83 and figure 5.4",
    quote: "Version 1 obtains a speedup close to that of EP",
    says: "Version 1 has about the speed-up of EP, on 2 to 6 hosts",
    reading: "Close: within 10 %, ours. The source gives no size.",
    status: Status::Literal,
};

pub(crate) static VERSION_3_RISES: Statement = Statement {
    id: "turner-1995/p83/v3-rises",
    source: &TURNER,
    place: "p. 83 and figure 5.3",
    quote: "As Figure 5.3 illustrates, its execution time increases from 5 to 6 processors",
    says: "Version 3 takes longer on 6 hosts than on 5",
    reading: "It decided how much of the time is work.",
    status: Status::Calibration,
};

pub(crate) static VERSION_2_BETWEEN: Statement = Statement {
    id: "turner-1995/p83/v2-between",
    source: &TURNER,
    place: "p. 83 and figures 5.3 and 5.4",
    quote: "The parameters of version 2 were chosen so that its performance would fall between versions 1 and \
            3",
    says: "Version 1 is faster than version 2, and that than version 3, on 2 to 6 hosts",
    reading: "The source chose the numbers of phases for it. In the model each phase has the same delay under all \
              versions, so that nothing else can come out.",
    status: Status::ByConstruction,
};

// Page 85.

pub(crate) static ROUTED_VERSION_1: Statement = Statement {
    id: "turner-1995/p85/routed-v1",
    source: &TURNER,
    place: "p. 85",
    quote: "the space-shared execution time of version 1 of Barrier increased from approximately 31.4 seconds to \
            34.4 seconds on 6 processors",
    says: "Without direct routing version 1 takes 34.4 s on 6 hosts in place of 31.4 s",
    reading: "The work of the daemon with a message was fitted to it.",
    status: Status::Calibration,
};

pub(crate) static ROUTING_MATTERS: Statement = Statement {
    id: "turner-1995/p85/routing-matters",
    source: &TURNER,
    place: "p. 85",
    quote: "not using direct routing in our environment would have a significant adverse affect on program \
            performance",
    says: "Without direct routing versions 2 and 3 take significantly longer on 6 hosts",
    reading: "Version 1 is what the daemon was fitted to; here are the other two, on as many hosts. They send \
              more messages, and each costs the daemon the same, so that the fit decides these too. \
              Significantly: by more than 9.6 %, which is the example of the source, from 31.4 to 34.4 s.",
    status: Status::Calibration,
};

// Pages 87 to 91.

pub(crate) static EQUATION_ALONE: Statement = Statement {
    id: "turner-1995/eq5.1/alone",
    source: &TURNER,
    place: "p. 87, equation 5.1",
    quote: "For the Barrier program, the execution time can then be represented with the equation",
    says: "Equation 5.1 gives the time that the program takes alone",
    reading: "Its delay is that of the simulation, which was fitted by this equation.",
    status: Status::ByConstruction,
};

pub(crate) static EQUATION_EQUAL: Statement = Statement {
    id: "turner-1995/eq5.2/beside-ep",
    source: &TURNER,
    place: "p. 88, equation 5.2",
    quote: "Using this model, the execution time of barrier can be approximated by a simple equation",
    says: "Equation 5.2 gives the time beside EP at one level",
    reading: "Within 10 %, ours. Levels stay, as the equation takes both programs for equal (p. 87). d is half a \
              quantum, for which the source has no number (p. 88); 1/1024 s is ours.",
    status: Status::Literal,
};

pub(crate) static EQUATION_DOUBLE: Statement = Statement {
    id: "turner-1995/eq5.3/beside-ep",
    source: &TURNER,
    place: "p. 88, equation 5.3",
    quote: "Thus, the overall execution time can be approximated by",
    says: "Equation 5.3, twice the computation, gives the time beside EP at one level",
    reading: "Within 10 %, ours. Levels stay, as the equation takes both programs for equal (p. 87).",
    status: Status::Literal,
};

pub(crate) static TIME_DOUBLES: Statement = Statement {
    id: "turner-1995/p88/doubles",
    source: &TURNER,
    place: "p. 88",
    quote: "the overall execution time of Barrier can be expected to approximately double",
    says: "Beside EP at one level the program takes about twice as long as alone",
    reading: "About: within 10 % of the time alone, ours. Levels stay, as the equations before it take both \
              programs for equal (p. 87).",
    status: Status::Literal,
};

pub(crate) static EQUATION_ABOVE_EP: Statement = Statement {
    id: "turner-1995/eq5.4/above-ep",
    source: &TURNER,
    place: "p. 89, equation 5.4",
    quote: "the execution time of Barrier will be affected primarily by the random extra delay, d, without \
            otherwise having its performance penalized",
    says: "Equation 5.4 gives the time above EP",
    reading: "Within 10 %, ours. Levels stay: EP is given the processor only while the program waits (p. 88). The \
              equation adds d once to each phase; d is half a quantum, for which the source has no number (p. 88); \
              1/1024 s is ours.",
    status: Status::Literal,
};

pub(crate) static EQUATION_ABOVE_BARRIER: Statement = Statement {
    id: "turner-1995/eq5.5/above-barrier",
    source: &TURNER,
    place: "p. 90, equation 5.5",
    quote: "the execution time of p1 in the cluster can be approximated by",
    says: "Equation 5.5 gives the time above a barrier program whose barrier is on the same host",
    reading: "Within 10 %, ours. Levels stay; the other program is version 3. d is a quantum, for which the source \
              has no number (p. 88); 1/1024 s is ours.",
    status: Status::Literal,
};

pub(crate) static BETWEEN_EQUATIONS: Statement = Statement {
    id: "turner-1995/p91/between-equations",
    source: &TURNER,
    place: "p. 91",
    quote: "the execution is expected to be less than that predicted by Equation 5.5 but greater than that \
            obtainable with exclusive access to the cluster",
    says: "With barriers on different hosts the more urgent program takes less than equation 5.5 says, and \
           more than alone",
    reading: "A judgement on each half; the other program is version 3. Levels stay. The first half rests on the d \
              of equation 5.5: a quantum, for which the source has no number (p. 88); 1/1024 s is ours. The second \
              is that it takes more than the time alone by over 0.5 %, ours.",
    status: Status::Literal,
};

pub(crate) static IF_LEVELS_DRIFT: Statement = Statement {
    id: "turner-1995/p95/equations-if-levels-drift",
    source: &TURNER,
    place: "p. 95, on the equations of section 5.3",
    quote: "",
    says: "What section 5.3 says of programs that keep their levels is so where programs that never wait sink",
    reading: "By p. 95 levels are not guaranteed to stay, with the \"remote possibility\" that the more urgent job \
              executes below the other. That is beyond the premises of the equations, by which no program changes its \
              level. Here a process sinks to the level of the less urgent job after 32 quanta of 1/1024 s without a \
              wait, ours. Near is within 10 %, and more than alone by over 0.5 %, ours. d is half a quantum in equations \
              5.2 and 5.4, and a quantum in 5.5.",
    status: Status::Ours,
};

// Page 92.

pub(crate) static EQUATION_PREEMPTIVE: Statement = Statement {
    id: "turner-1995/p92/as-equation-5.1",
    source: &TURNER,
    place: "p. 92",
    quote: "its expected execution time is represented by Equation 5.1",
    says: "Under the preemptive kernel equation 5.1 gives the time above EP",
    reading: "The model's preemption costs a switch of 10 us and nothing else.",
    status: Status::ByConstruction,
};

// Pages 98 to 103.

pub(crate) static FIRST_JOB_UNSLOWED: Statement = Statement {
    id: "turner-1995/p98/first-job-unslowed",
    source: &TURNER,
    place: "pp. 97 to 98 and figure 6.8",
    quote: "to achieve the shortest possible JTT for the number of processors it uses",
    says: "Under version 1 nobody slows a first job",
    reading: "A first job is at level 0 of all its hosts; in the model nobody takes anything from that level.",
    status: Status::ByConstruction,
};

pub(crate) static NO_NEWCOMER_FIRST: Statement = Statement {
    id: "turner-1995/p100/no-newcomer-first",
    source: &TURNER,
    place: "pp. 98, 100 and 112, with the algorithms of figures 6.8 and 6.9",
    quote: "new jobs may not be allowed to preempt previously executing jobs",
    says: "No newcomer preempts a job that was there before it",
    reading: "Preempts: is at a more urgent level of a host. A kind of history is a case; one history in \
              which it happens refutes it. The words are of a job that is cancelled; p. 112 calls it a \
              policy, of jobs that end.",
    status: Status::Derived,
};

pub(crate) static MOST_HISTORIES_PASS: Statement = Statement {
    id: "turner-1995/p100/most-histories-pass",
    source: &TURNER,
    place: "p. 100 and figure 6.8",
    quote: "",
    says: "Version 1 lets a newcomer pass in most histories",
    reading: "Histories of 40 commands and more, jobs in line, and jobs of 4, 3 and 2 hosts.",
    status: Status::Ours,
};

pub(crate) static EXAMPLE_PASSES: Statement = Statement {
    id: "turner-1995/p100/example-passes",
    source: &TURNER,
    place: "p. 100 and figure 6.8",
    quote: "",
    says: "Version 1 lets the third of jobs of 4, 3 and 2 hosts pass in 80 % of histories",
    reading: "By hand: the second takes three of six hosts by lot, and none of the two that the first left in 4 of \
              20 cases.",
    status: Status::Ours,
};

pub(crate) static VERSION_3_PASSES_NOBODY: Statement = Statement {
    id: "turner-1995/p100/version-3-passes-nobody",
    source: &TURNER,
    place: "p. 100",
    quote: "",
    says: "Under version 3 no newcomer passes an earlier job on any host",
    reading: MADE_FOR_IT,
    status: Status::ByConstruction,
};

pub(crate) static DAEMON_BELOW_HARMS: Statement = Statement {
    id: "turner-1995/p103/daemon-below-harms",
    source: &TURNER,
    place: "p. 103",
    quote: "if the PVM daemon is not set to a FIFO scheduling class with a higher priority than the user's job, \
            then it adversely affects the performance of the user job",
    says: "A job whose daemon is below all jobs takes longer than with its daemon above it",
    reading: "The job is above another one, EP or version 3, under the preemptive kernel, and its messages go by \
              its daemon, just above it or below all. What is not set to that class is below all that is: in the \
              model it hands nothing on while the other job computes.",
    status: Status::ByConstruction,
};

pub(crate) static SHARED_DAEMON_HARMS: Statement = Statement {
    id: "turner-1995/p102/shared-daemon-harms",
    source: &TURNER,
    place: "p. 102",
    quote: "this interaction greatly impaired the performance of both jobs, especially if realtime scheduling \
            techniques were being used",
    says: "Two barrier programs that share a daemon, as those of one user do, both take longer than with one \
           each",
    reading: "Greatly: by more than 5 %, ours. Under the preemptive kernel, on the same hosts; a shared daemon is just \
              above the more urgent job and handles messages as they come. The model knows contention for processors \
              only: not what else two programs may do to each other in one daemon, of which the source says nothing.",
    status: Status::Literal,
};

// Pages 115 to 118.

pub(crate) static SECOND_MORE_EFFECTIVE: Statement = Statement {
    id: "turner-1995/p115/second-more-effective",
    source: &TURNER,
    place: "pp. 115 to 116",
    quote: "effective than version 1 because different parallel jobs use varying percentages of the total \
            available CPU time",
    says: "Version 2 is more effective than version 1",
    reading: "Effective: a higher throughput, or a shorter mean turnaround time; one judgement on each.",
    status: Status::Literal,
};

pub(crate) static SEVERAL_OWNERS_HARM: Statement = Statement {
    id: "turner-1995/p117/several-owners-harm",
    source: &TURNER,
    place: "p. 117",
    quote: "this may be detrimental to both user JTT and system throughput",
    says: "Clusters that span those of several owners can harm",
    reading: "May: on some number of hosts. Version 2, which allows them, against the same rule with one owner at most \
              among the hosts that a job shares; one judgement on throughput and one on mean turnaround time.",
    status: Status::Literal,
};

pub(crate) static UP_TO_107_HOSTS: Statement = Statement {
    id: "turner-1995/p117/up-to-107-hosts",
    source: &TURNER,
    place: "p. 117 and figure 6.10",
    quote: "the performance shown is sufficient for Elmer to handle clusters with up to 107 processors, if a \
            maximum request rate of 1 per second is allowed",
    says: "At a job a second the daemon can start jobs on up to 107 hosts",
    reading: "A straight line through the two printed times; no more is run.",
    status: Status::ByConstruction,
};

pub(crate) static ENDING_SUFFICES: Statement = Statement {
    id: "turner-1995/p118/ending-suffices",
    source: &TURNER,
    place: "p. 118 and figure 6.11",
    quote: "the overhead of job termination in Elmer is sufficient for the maximum desired cluster size of 100 \
            processors",
    says: "At a job a second the daemon can end jobs on 100 hosts",
    reading: "Ending by itself, as the figure shows it: a straight line through the two printed times.",
    status: Status::ByConstruction,
};

pub(crate) static BOTH_SUFFICE: Statement = Statement {
    id: "turner-1995/p118/starting-and-ending-suffice",
    source: &TURNER,
    place: "pp. 117 to 118 and figures 6.10 and 6.11",
    quote: "",
    says: "At a job a second the daemon can both start and end jobs on 100 hosts",
    reading: "Where a job starts each second one ends each second too, and one daemon does both. The same two \
              straight lines, added up.",
    status: Status::Ours,
};

// Page 120: EP.

/// What rows of figures 6.13 to 6.15 rest on.
macro_rules! ep_constants {
    () => {
        "Constants that nobody printed: EP of 130 s of work shares it out 2 s after its start, barrier programs \
         compute from the first moment on, and a process sinks to the level of EP after 32 quanta of 1/1024 s \
         without a wait."
    };
}

pub(crate) static EP_GAINS: Statement = Statement {
    id: "turner-1995/p120/ep-gains",
    source: &TURNER,
    place: "p. 120 and figures 6.13 to 6.15",
    quote: "In each case, a measurable improvement in overall finishing time was observed",
    says: "EP gains measurably over space sharing in each case",
    reading: "Cases: each version, 2 hosts and more, both kernels; on one host nobody ever waits. The constants of \
              EP that nobody printed are varied, a judgement on each choice.",
    status: Status::Literal,
};

pub(crate) static EP_GAINS_SIGNIFICANTLY: Statement = Statement {
    id: "turner-1995/p120/ep-gains-significantly",
    source: &TURNER,
    place: "p. 120 and figures 6.13 to 6.15",
    quote: "In the non-RT experiments, the JTT of EP improved significantly over the space-sharing case",
    says: "Non-preemptive kernel: EP gains significantly over space sharing, on 2 hosts and more",
    reading: "Significantly: by more than 10 %, ours. The constants of EP that nobody printed are varied; each choice \
              has its cases.",
    status: Status::Literal,
};

pub(crate) static LESS_WORK: Statement = Statement {
    id: "turner-1995/p120/less-work-at-barrier",
    source: &TURNER,
    place: "p. 120",
    quote: "The CPU containing the barrier process was given less work by the EP algorithm",
    says: "EP gives the host of the barrier less work than the mean of its hosts, on 2 hosts and more",
    reading: "What EP computes there in all.",
    status: Status::Literal,
};

pub(crate) static PENALIZED_BY_EP: Statement = Statement {
    id: "turner-1995/p120/penalized-by-ep",
    source: &TURNER,
    place: "p. 120 and figures 6.13 to 6.15",
    quote: "the Barrier program was penalized somewhat in its JTT",
    says: "Non-preemptive kernel: the barrier program pays for EP, on any number of hosts",
    reading: concat!(
        "Pays: takes over 0.5 % longer than alone, ours. How much is not judged. ",
        ep_constants!()
    ),
    status: Status::Literal,
};

pub(crate) static DEGRADED_ON_FEW: Statement = Statement {
    id: "turner-1995/p120/degraded-on-few-hosts",
    source: &TURNER,
    place: "p. 120 and figures 6.13 to 6.15",
    quote: "significant degradation of the performance of the high-priority Barrier job occurred due to the \
            system's scheduling algorithms, which allowed EP to steal CPU cycles from the Barrier job",
    says: "Non-preemptive kernel: on 1 and 2 hosts the barrier program pays significantly for EP",
    reading: concat!(
        "The sentence before is about 1 or 2 processors. Significantly: by more than 10 %, ours. ",
        ep_constants!(),
        " The last was chosen with such programs in mind, and does not make it so everywhere."
    ),
    status: Status::Literal,
};

pub(crate) static NEARS_ALONE: Statement = Statement {
    id: "turner-1995/p120/nears-alone",
    source: &TURNER,
    place: "p. 120 and figures 6.13 to 6.15",
    quote: "the execution time of Barrier, with EP at a lower priority, approached the execution time that it \
            obtained using space-sharing scheduling",
    says: "Non-preemptive kernel: on 4 to 6 hosts the barrier program nears its time alone",
    reading: concat!(
        "It comes nearer than on 1 and 2 hosts, of which the text speaks before; or it is near: within 10 %, ours. \
         One judgement on each. ",
        ep_constants!()
    ),
    status: Status::Literal,
};

pub(crate) static AS_ALONE_ABOVE_EP: Statement = Statement {
    id: "turner-1995/p120/as-alone-above-ep",
    source: &TURNER,
    place: "p. 120 and figures 6.13 to 6.15",
    quote: "essentially identical to its space-sharing execution time for any number of processors",
    says: "Preemptive kernel: above EP the barrier program takes as long as alone, on any number of hosts",
    reading: PREEMPTION,
    status: Status::ByConstruction,
};

/// Why a more urgent job cannot but run as if it were alone.
const PREEMPTION: &str = "The model's preemption costs a switch of 10 us and nothing else, so that nothing else can \
                          come out.";

pub(crate) static EP_GAINS_IF_EVEN: Statement = Statement {
    id: "turner-1995/p120/ep-gains-if-even",
    source: &TURNER,
    place: "p. 120",
    quote: "",
    says: "EP gains measurably over space sharing if its work is shared out evenly, on 2 hosts and more",
    reading: "The source says that the host of the barrier gets less.",
    status: Status::Ours,
};

/// Of pp. 122 to 124 alike, so that no gain is both.
const LITTLE_OR_SIGNIFICANT: &str = "The source gives no size: a gain is little up to 5 % and significant beyond, or \
                                     up to 10 % and beyond, ours; a judgement on each, and the same two on pp. 122, \
                                     123 and 124.";

// Pages 121 and 122: barriers on one host.

pub(crate) static AS_ALONE_SAME: Statement = Statement {
    id: "turner-1995/p121/as-alone",
    source: &TURNER,
    place: "p. 121 and figures 6.17 to 6.19",
    quote: "the high-priority version of barrier, running on the RT kernel, achieved an execution time identical \
            to its execution time under space-sharing conditions",
    says: "Preemptive kernel, barriers on one host: the more urgent job takes as long as alone",
    reading: PREEMPTION,
    status: Status::ByConstruction,
};

pub(crate) static PENALIZED_SAME: Statement = Statement {
    id: "turner-1995/p121/penalized",
    source: &TURNER,
    place: "p. 121 and figures 6.17 to 6.19",
    quote: "Running on the non-RT kernel, the high-priority job was again penalized somewhat in its execution \
            time",
    says: "Non-preemptive kernel, barriers on one host: the more urgent job pays, on any number of hosts",
    reading: "Pays: takes over 0.5 % longer than alone, ours. How much is not judged.",
    status: Status::Literal,
};

pub(crate) static LITTLE_GAIN_SAME: Statement = Statement {
    id: "turner-1995/p122/little-gain",
    source: &TURNER,
    place: "p. 122 and figures 6.17 to 6.19",
    quote: "the very low improvement in throughput, as shown by the finishing time of the low-priority job",
    says: "With barriers on one host the less urgent job gains little over space sharing, under either kernel",
    reading: LITTLE_OR_SIGNIFICANT,
    status: Status::Literal,
};

// Page 123: barriers on different hosts.

pub(crate) static AS_ALONE_DIFFERENT: Statement = Statement {
    id: "turner-1995/p123/as-alone",
    source: &TURNER,
    place: "p. 123 and figures 6.21 and 6.22",
    quote: "the RT experiments still achieved the highest performance for the high-priority job, as expected",
    says: "Preemptive kernel, barriers on different hosts: the more urgent job takes as long as alone, on 2 hosts and \
           more",
    reading: PREEMPTION,
    status: Status::ByConstruction,
};

pub(crate) static PENALIZED_DIFFERENT: Statement = Statement {
    id: "turner-1995/p123/penalized",
    source: &TURNER,
    place: "p. 123 and figures 6.21 and 6.22",
    quote: "",
    says: "Non-preemptive kernel, barriers on different hosts: the more urgent job pays, on 2 hosts and more",
    reading: "Under the other kernel it does better, by p. 123, and there it takes as long as alone. Pays: takes over \
              0.5 % longer than alone, ours.",
    status: Status::Derived,
};

pub(crate) static SLIGHTLY_BETTER: Statement = Statement {
    id: "turner-1995/p123/slightly-better",
    source: &TURNER,
    place: "p. 123 and figures 6.18 and 6.21",
    quote: "the high-priority job achieved slightly better performance than the case in which two barrier processes \
            shared the same CPU",
    says: "Non-preemptive kernel: with barriers on different hosts the more urgent job pays less than with both on \
           one, on 2 hosts and more",
    reading: "The same two programs, v2 above v3. How slightly is not judged.",
    status: Status::Literal,
};

pub(crate) static LITTLE_GAIN_DIFFERENT: Statement = Statement {
    id: "turner-1995/p123/little-gain",
    source: &TURNER,
    place: "p. 123 and figures 6.21 and 6.22",
    quote: "the high CPU demand of the high-priority barrier process still prevented the low-priority job from \
            obtaining significant CPU time",
    says: "With barriers on different hosts the less urgent job gains little over space sharing, on 2 hosts and more, \
           under either kernel",
    reading: LITTLE_OR_SIGNIFICANT,
    status: Status::Literal,
};

// Pages 124 to 127: barriers that have their hosts to themselves.

pub(crate) static OWN_HOST_GAINS: Statement = Statement {
    id: "turner-1995/p124/own-host-gains",
    source: &TURNER,
    place: "p. 124 and figure 6.24",
    quote: "When each job was given exclusive access to the CPU implementing its barrier process, a significant \
            improvement in overall JTT (hence, throughput) was observed",
    says: "Where each barrier has its host to itself the less urgent job gains significantly over space sharing, on \
           2 hosts and more, under either kernel",
    reading: "The source gives no size: a gain is little up to 5 % and significant beyond, or up to 10 % and beyond, \
              ours; a judgement on each, and the same two on pp. 122 and 123. How much there is to gain hangs on the \
              130 s of work that the programs have on one host, which are fitted and printed nowhere.",
    status: Status::Literal,
};

pub(crate) static AS_ALONE_PARTIAL: Statement = Statement {
    id: "turner-1995/p124/as-alone",
    source: &TURNER,
    place: "pp. 124 to 125 and figure 6.24",
    quote: "the RT-based experiment achieved the best-possible",
    says: "Preemptive kernel, clusters that overlap: the more urgent job takes as long as alone",
    reading: PREEMPTION,
    status: Status::ByConstruction,
};

const UNAFFECTED: &str =
    "In both the non-RT and RT cases, the high-priority job's JTT was unaffected";

pub(crate) static AS_ALONE_SUBSET: Statement = Statement {
    id: "turner-1995/p126/as-alone-rt",
    source: &TURNER,
    place: "p. 126 and figure 6.26",
    quote: UNAFFECTED,
    says: "Preemptive kernel: above a job on some of its hosts the more urgent job takes as long as alone",
    reading: PREEMPTION,
    status: Status::ByConstruction,
};

pub(crate) static UNAFFECTED_NON_RT: Statement = Statement {
    id: "turner-1995/p126/unaffected-non-rt",
    source: &TURNER,
    place: "p. 126 and figure 6.26",
    quote: UNAFFECTED,
    says: "Non-preemptive kernel: above a job on some of its hosts the more urgent job takes as long as alone",
    reading: "",
    status: Status::Literal,
};

pub(crate) static SUBSET_GAINS: Statement = Statement {
    id: "turner-1995/p126/subset-gains",
    source: &TURNER,
    place: "p. 126 and figure 6.26",
    quote: "while the low-priority job achieved an improvement in throughput by finishing ahead of the space-sharing \
            case",
    says: "A job on some of the hosts of another ends earlier than after that one, under either kernel",
    reading: "",
    status: Status::Literal,
};

pub(crate) static OWN_HOST_GAINS_MORE: Statement = Statement {
    id: "turner-1995/p127/own-host-gains-more",
    source: &TURNER,
    place: "p. 127 and figures 6.22 and 6.24",
    quote: "for barrier programs, the CPU on which a barrier process exists should not be scheduled with \
            other jobs",
    says: "The less urgent job gains more where each barrier has its host to itself, on 2 hosts and more, under \
           either kernel",
    reading: "The same two programs on overlapping hosts and on the same ones.",
    status: Status::Literal,
};

// Page 130.

pub(crate) static MORE_THROUGHPUT: Statement = Statement {
    id: "turner-1995/p130/more-throughput",
    source: &TURNER,
    place: "p. 130",
    quote: "our cluster allocation algorithms provide a higher system throughput than pure space sharing \
            techniques",
    says: "Sharing in time gives a higher throughput than sharing in space",
    reading: "Jobs over the time until the last one of a stream has ended. A judgement on each version.",
    status: Status::Literal,
};

pub(crate) static MORE_THROUGHPUT_BY_VERSION_3: Statement = Statement {
    id: "turner-1995/p130/more-throughput-by-version-3",
    source: &TURNER,
    place: "p. 130",
    quote: "",
    says: "Version 3 gives a higher throughput",
    reading: BY_VERSION_3,
    status: Status::Ours,
};

pub(crate) static SHORTER_BY_VERSION_1: Statement = Statement {
    id: "turner-1995/p130/shorter-turnaround",
    source: &TURNER,
    place: "p. 130",
    quote: "",
    says: "Version 1 shortens the mean turnaround time of sharing in space",
    reading: "The source speaks of throughput only.",
    status: Status::Ours,
};

pub(crate) static SHORTER_BY_VERSION_3: Statement = Statement {
    id: "turner-1995/p130/shorter-turnaround-by-version-3",
    source: &TURNER,
    place: "p. 130",
    quote: "",
    says: "Version 3 has a shorter mean turnaround time",
    reading: BY_VERSION_3,
    status: Status::Ours,
};
