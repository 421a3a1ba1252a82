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
    reading: "Within 1 %, ours. The five times alone with direct routing that are printed; a sixth, without, is p. 85's \
              34.4 s. Fitted to these, and to that version 3 rises from 5 to 6 hosts in figure 5.3.",
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
    reading: "Close: within 10 %, ours. The source gives no size. The printed times of version 1 on 6 hosts and of EP on 5, \
              to which the model is fitted, nearly decide the cases on 5 and 6 hosts, 4 of 10.",
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
    reading: "The work of the daemon with a message was fitted to it. Within 1 point, ours.",
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

/// What equations 5.2 to 5.4 rest on.
macro_rules! beside_ep {
    () => {
        "Within 10 %, ours. Levels stay, as the source has it (pp. 87 and 88). A judgement with an EP that is there \
         until the program ends, as the source has it as well, and one with the EP of the printed times, whose 130 s of \
         work may end before."
    };
}

/// What d is there.
macro_rules! delay_to_a_quantum {
    () => {
        " d is anything from 0 to a quantum (pp. 88 and 93), taken as it suits the simulation best; 1/1024 s for a quantum is \
         ours."
    };
}

pub(crate) static EQUATION_EQUAL: Statement = Statement {
    id: "turner-1995/eq5.2/beside-ep",
    source: &TURNER,
    place: "p. 88, equation 5.2",
    quote: "Using this model, the execution time of barrier can be approximated by a simple equation",
    says: "Equation 5.2 gives the time beside EP at one level",
    reading: concat!(
        beside_ep!(),
        " e is what a process computes before it sends, and the message delay what is left of a phase alone.",
        delay_to_a_quantum!()
    ),
    status: Status::Literal,
};

pub(crate) static EQUATION_DOUBLE: Statement = Statement {
    id: "turner-1995/eq5.3/beside-ep",
    source: &TURNER,
    place: "p. 88, equation 5.3",
    quote: "Equation 5.3 estimates that the overall execution time of Barrier can be expected to approximately double",
    says: "Equation 5.3 gives the time beside EP at one level: twice that alone",
    reading: concat!(
        beside_ep!(),
        " e is that of the host of the barrier, where the source takes the message delay for about 0: the whole phase \
         alone, the work on messages included, so that the equation says twice the time alone."
    ),
    status: Status::Literal,
};

pub(crate) static EQUATION_ABOVE_EP: Statement = Statement {
    id: "turner-1995/eq5.4/above-ep",
    source: &TURNER,
    place: "p. 89, equation 5.4",
    quote: "the execution time will be somewhat higher due to the random extra delay, d, occurring whenever \
            Barrier's message arrives",
    says: "Equation 5.4 gives the time above EP",
    reading: concat!(
        beside_ep!(),
        " The equation adds d once to each phase.",
        delay_to_a_quantum!()
    ),
    status: Status::Literal,
};

pub(crate) static ONLY_BY_DELAY: Statement = Statement {
    id: "turner-1995/p89/primarily-by-delay",
    source: &TURNER,
    place: "p. 89",
    quote: "the execution time of Barrier will be affected primarily by the random extra delay, d, without \
            otherwise having its performance penalized",
    says: "Most of what the program pays above EP is the delay d",
    reading: "Most: more than half, ours. d is taken for a whole quantum, the most that it may be (p. 93): what the program \
              pays beyond its time alone has to be less than two quanta a phase, as equation 5.4 has d once a phase, or \
              less than two for each message to the barrier, as the sentence before has it whenever a message arrives; a \
              judgement on each. 1/1024 s for a quantum is ours. Levels stay. A judgement with an EP that is there until \
              the program ends, and one with the EP of the printed times.",
    status: Status::Literal,
};

/// What d of equation 5.5 is.
macro_rules! delay_of_a_quantum {
    () => {
        "Levels stay; the other program is version 3. d is the quantum that the other program gets with each message \
         (p. 90), for which the source has no number (p. 88); 1/1024 s is ours."
    };
}

pub(crate) static EQUATION_ABOVE_BARRIER: Statement = Statement {
    id: "turner-1995/eq5.5/above-barrier",
    source: &TURNER,
    place: "p. 90, equation 5.5",
    quote: "the execution time of p1 in the cluster can be approximated by",
    says: "Equation 5.5 gives the time above a barrier program whose barrier is on the same host",
    reading: concat!(
        "Within 10 %, ours. ",
        delay_of_a_quantum!(),
        " A judgement on each of two readings of e: on the host of the barrier, of which the equation is, the message \
         delay is close to zero, so that e is the whole phase alone, the work on messages included; or e is what a \
         process computes before it sends, and that work is left out."
    ),
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
    reading: concat!(
        "A judgement on each half: less than the equation, e being the whole phase alone, as on the host of the \
         barrier; and more than the time alone by over 0.5 %, ours. ",
        delay_of_a_quantum!()
    ),
    status: Status::Literal,
};

pub(crate) static IF_LEVELS_DRIFT: Statement = Statement {
    id: "turner-1995/p95/equations-if-levels-drift",
    source: &TURNER,
    place: "p. 95, on the equations of section 5.3",
    quote: "",
    says: "What section 5.3 says of programs that keep their levels is so too where a program that does not wait sinks",
    reading: "Page 95 calls it a remote possibility that a program ends up below one that is less urgent; of programs \
              of the equations none changes its level. Here a process sinks to the second level after 32 quanta of \
              1/1024 s without a wait. Agreement is within 10 %, more than alone is by over 0.5 %. EP is there until the \
              program ends, and the barrier program below is version 3. d is anything from 0 to a quantum in 5.2 and \
              5.4, and a quantum in 5.5; e of 5.3 and 5.5 is the whole phase alone. All ours.",
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
    reading: "Preempts: is at a more urgent level of a host. A kind of history is a case, under version 1 and under \
              version 2; one history in which it happens refutes it. The words are of a job that is cancelled; p. \
              112 calls it a policy, of jobs that end. In the case of jobs of 4, 3 and 2 hosts nothing ends.",
    status: Status::Derived,
};

pub(crate) static MOST_HISTORIES_PASS: Statement = Statement {
    id: "turner-1995/p100/most-histories-pass",
    source: &TURNER,
    place: "p. 100 and figure 6.8",
    quote: "",
    says: "Version 1 lets a newcomer pass in most histories",
    reading: "Most: more than half. Kinds of histories: 20 to 80 commands, each of which brings a job or ends one, jobs in \
              line, and jobs of 4, 3 and 2 hosts. All ten kinds that are run are counted.",
    status: Status::Ours,
};

pub(crate) static EXAMPLE_PASSES: Statement = Statement {
    id: "turner-1995/p100/example-passes",
    source: &TURNER,
    place: "p. 100 and figure 6.8",
    quote: "",
    says: "Version 1 lets the third of jobs of 4, 3 and 2 hosts pass in 80 % of histories",
    reading: "By hand and exactly: the second takes three of six hosts by lot, and none of the two that the first left \
              in 4 of 20 cases. The runs check the simulation, within 10 points, ours.",
    status: Status::ByConstruction,
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
    reading: "By more than 5 %, ours. The job is above another one, EP or version 3, under the preemptive kernel, and its messages go by \
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
    says: "Two barrier programs that share a daemon, as those of one user do, both take much longer than with one each",
    reading: "The source observed it, and does not say what the programs do to each other in one daemon. The model \
              knows contention for processors only, so that nothing can be run against it.",
    status: Status::Literal,
};

// Pages 115 to 118.

/// Which numbers of hosts there are.
macro_rules! on_six_hosts {
    () => {
        " On 6 hosts, as many as the source had, and on more, 32 to 1000, which it had not (p. 131): a judgement on each. \
         Jobs, levels and loads are ours."
    };
}

pub(crate) static SECOND_MORE_EFFECTIVE: Statement = Statement {
    id: "turner-1995/p115/second-more-effective",
    source: &TURNER,
    place: "pp. 115 to 116",
    quote: "effective than version 1 because different parallel jobs use varying percentages of the total \
            available CPU time",
    says: "Version 2 is more effective than version 1",
    reading: concat!(
        "The sentence begins on p. 115: \"Version 2 can be expected to be more\". Its reason is not judged. Effective: a \
         higher throughput, or a shorter mean turnaround time; one judgement on each.",
        on_six_hosts!()
    ),
    status: Status::Literal,
};

pub(crate) static SEVERAL_OWNERS_HARM: Statement = Statement {
    id: "turner-1995/p117/several-owners-harm",
    source: &TURNER,
    place: "p. 117",
    quote: "this may be detrimental to both user JTT and system throughput",
    says: "Clusters that span those of several owners can harm",
    reading: "May: on some number of hosts. Version 2, which allows them, against the same rule with one owner at most \
              among the hosts that a job shares; one judgement on throughput and one on mean turnaround time. A job with \
              a barrier goes on as its slowest process does, so that owners can harm it. Jobs, levels and loads are \
              ours.",
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

pub(crate) static BOTH_DO_NOT_SUFFICE: Statement = Statement {
    id: "turner-1995/p118/starting-and-ending-do-not-suffice",
    source: &TURNER,
    place: "pp. 117 to 118 and figures 6.10 and 6.11",
    quote: "",
    says: "At a job a second the daemon cannot both start and end jobs on 100 hosts",
    reading: "The source judges each by itself. Where a job starts each second one ends each second too, and one \
              daemon does both: the same two straight lines, added up, so that nothing is run. That takes for granted \
              that starts and ends do not overlap. The daemon forks a child for each (p. 105), and the printed times \
              are elapsed ones that include messages to all hosts, so that they may.",
    status: Status::ByConstruction,
};

// Page 120: EP.

/// What rows of figures 6.13 to 6.15 rest on.
macro_rules! ep_constants {
    () => {
        "Constants that nobody printed: EP of 130 s of work shares it out 2 s after its start, barrier programs \
         compute from the first moment on, and a process sinks to the level of EP after 32 quanta of 1/1024 s \
         without a wait, or, in the variant that says so, no level changes."
    };
}

/// How the constants of EP enter.
macro_rules! ep_choices {
    () => {
        " The constants of EP that nobody printed are varied, a judgement on each choice; one of them is that levels \
         stay, under the non-preemptive kernel only, as none changes under the other. In all others a process sinks to \
         the level of EP after 32 quanta of 1/1024 s without a wait."
    };
}

pub(crate) static EP_GAINS: Statement = Statement {
    id: "turner-1995/p120/ep-gains",
    source: &TURNER,
    place: "p. 120 and figures 6.13 to 6.15",
    quote: "In each case, a measurable improvement in overall finishing time was observed",
    says: "EP gains measurably over space sharing in each case",
    reading: concat!(
        "Cases: each version, 2 hosts and more, both kernels; on one host nobody ever waits. Measurably: by more than \
         1 %, ours.",
        ep_choices!()
    ),
    status: Status::Literal,
};

pub(crate) static EP_GAINS_SIGNIFICANTLY: Statement = Statement {
    id: "turner-1995/p120/ep-gains-significantly",
    source: &TURNER,
    place: "p. 120 and figures 6.13 to 6.15",
    quote: "In the non-RT experiments, the JTT of EP improved significantly over the space-sharing case",
    says: "Non-preemptive kernel: EP gains significantly over space sharing, on 2 hosts and more",
    reading: concat!(
        "Significantly: by more than 5 %, or by more than 10 %, ours, as in the rows of pp. 122 to 124; a judgement on \
         each. The next sentence says that on 1 or 2 processors there was little benefit to a lower priority of EP, so \
         that what is reversed on 2 hosts need not contradict the source. One host is left out: nobody waits there, and \
         what happens follows from the rule by which a process sinks, which was chosen for such programs.",
        ep_choices!()
    ),
    status: Status::Literal,
};

pub(crate) static LESS_WORK: Statement = Statement {
    id: "turner-1995/p120/less-work-at-barrier",
    source: &TURNER,
    place: "p. 120",
    quote: "The CPU containing the barrier process was given less work by the EP algorithm",
    says: "EP gives the host of the barrier less work than the mean of its hosts, on 2 hosts and more",
    reading: concat!("What EP computes there in all; less: by more than 1 %, ours.", ep_choices!()),
    status: Status::Literal,
};

pub(crate) static PENALIZED_BY_EP: Statement = Statement {
    id: "turner-1995/p120/penalized-by-ep",
    source: &TURNER,
    place: "p. 120 and figures 6.13 to 6.15",
    quote: "the Barrier program was penalized somewhat in its JTT",
    says: "Non-preemptive kernel: the barrier program pays for EP, on 2 hosts and more",
    reading: concat!(
        "By more than 0.5 %, ours; how much is not judged. On one host it never waits, and the rule by which a process \
         sinks was chosen for such programs: p120/degraded-on-1-host. ",
        ep_constants!()
    ),
    status: Status::Literal,
};

pub(crate) static DEGRADED_ON_ONE: Statement = Statement {
    id: "turner-1995/p120/degraded-on-1-host",
    source: &TURNER,
    place: "p. 120 and figures 6.13 to 6.15",
    quote: DEGRADED,
    says: "Non-preemptive kernel: on 1 host the barrier program pays significantly for EP",
    reading: "The sentence before is about 1 or 2 processors. Significantly: by more than 10 %, ours. On 1 host the \
              program never waits, and what it pays there is that it sinks to the level of EP after 32 quanta of 1/1024 \
              s without a wait: that rule was chosen so that programs which never wait share a processor.",
    status: Status::Calibration,
};

pub(crate) static DEGRADED_ON_TWO: Statement = Statement {
    id: "turner-1995/p120/degraded-on-2-hosts",
    source: &TURNER,
    place: "p. 120 and figures 6.13 to 6.15",
    quote: DEGRADED,
    says: "Non-preemptive kernel: on 2 hosts the barrier program pays significantly for EP",
    reading: concat!(
        "The sentence before is about 1 or 2 processors. Significantly: by more than 10 %, ours. ",
        ep_constants!()
    ),
    status: Status::Literal,
};

const DEGRADED: &str = "significant degradation of the performance of the high-priority Barrier job occurred due to the system's \
     scheduling algorithms, which allowed EP to steal CPU cycles from the Barrier job";

pub(crate) static NEARS_ALONE: Statement = Statement {
    id: "turner-1995/p120/nears-alone",
    source: &TURNER,
    place: "p. 120 and figures 6.13 to 6.15",
    quote: "the execution time of Barrier, with EP at a lower priority, approached the execution time that it \
            obtained using space-sharing scheduling",
    says: "Non-preemptive kernel: on 4 to 6 hosts the barrier program nears its time alone",
    reading: concat!(
        "It comes nearer than on 2 hosts, of which the text speaks before, as it does of 1 host, where the rule by which \
         a process sinks was chosen for such programs; or it is near: within 10 %, ours. One judgement on each. ",
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

/// How programs change their levels in rows of figures 6.17 to 6.26.
macro_rules! levels {
    () => {
        " Both kernels are run; in the variant in which no level changes, only the non-preemptive one. In the others a \
         process sinks under that one to the level of the less urgent job after 32 quanta of 1/1024 s without a wait, ours."
    };
}

/// Of pp. 122 to 124 alike, so that no gain is both.
macro_rules! little_or_significant {
    () => {
        concat!(
            "The source gives no size: a gain is little up to 5 % and significant beyond, or up to 10 % and beyond, \
             ours; a judgement on each, and the same two on pp. 122, 123 and 124. A loss of more than that is no little \
             gain either.",
            levels!()
        )
    };
}

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
    reading: concat!("By more than 0.5 %, ours; how much is not judged.", levels!()),
    status: Status::Literal,
};

pub(crate) static LITTLE_GAIN_SAME: Statement = Statement {
    id: "turner-1995/p122/little-gain",
    source: &TURNER,
    place: "p. 122 and figures 6.17 to 6.19",
    quote: "the very low improvement in throughput, as shown by the finishing time of the low-priority job",
    says: "With barriers on one host the less urgent job gains little over space sharing",
    reading: little_or_significant!(),
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
    quote: "For the non-RT experiments, the high-priority job achieved slightly better performance than the case in \
            which two barrier processes shared the same CPU. However, the RT experiments still achieved the highest \
            performance for the high-priority job, as expected",
    says: "Non-preemptive kernel, barriers on different hosts: the more urgent job pays, on 2 hosts and more",
    reading: concat!(
        "The other kernel still does better, and there the job takes as long as alone, as p. 121 says of the experiment \
         before. By more than 0.5 %, ours; how \
         much is not judged.",
        levels!()
    ),
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
    reading: concat!("The same two programs, v2 above v3. How slightly is not judged.", levels!()),
    status: Status::Literal,
};

pub(crate) static LITTLE_GAIN_DIFFERENT: Statement = Statement {
    id: "turner-1995/p123/little-gain",
    source: &TURNER,
    place: "pp. 123 and 127 and figures 6.21 and 6.22",
    quote: "the low-priority job may gain nothing if an ineffective cluster allocation is made",
    says: "With barriers on different hosts the less urgent job gains little over space sharing, on 2 hosts and more",
    reading: concat!(
        "Page 127 says so of figures 6.17 to 6.22. Of figures 6.21 and 6.22 p. 123 says that the more urgent barrier \
         process kept the other job from significant processor time on its host; here is what that job gains in \
         turnaround. ",
        little_or_significant!()
    ),
    status: Status::Derived,
};

// Pages 124 to 127: barriers that have their hosts to themselves.

pub(crate) static OWN_HOST_GAINS: Statement = Statement {
    id: "turner-1995/p124/own-host-gains",
    source: &TURNER,
    place: "p. 124 and figure 6.24",
    quote: "When each job was given exclusive access to the CPU implementing its barrier process, a significant \
            improvement in overall JTT (hence, throughput) was observed",
    says: "Where each barrier has its host to itself the less urgent job gains significantly over space sharing, on \
           2 hosts and more",
    reading: concat!(
        little_or_significant!(),
        " How much there is to gain hangs on the 130 s of work that the programs have on one host, which are fitted and \
         printed nowhere."
    ),
    status: Status::Literal,
};

pub(crate) static AS_ALONE_PARTIAL: Statement = Statement {
    id: "turner-1995/p124/as-alone",
    source: &TURNER,
    place: "pp. 124 to 125 and figure 6.24",
    quote: "the RT-based experiment achieved the best-possible performance for the high-priority job",
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
    reading: concat!("Within 0.5 %, ours.", levels!()),
    status: Status::Literal,
};

pub(crate) static SUBSET_GAINS: Statement = Statement {
    id: "turner-1995/p126/subset-gains",
    source: &TURNER,
    place: "p. 126 and figure 6.26",
    quote: "while the low-priority job achieved an improvement in throughput by finishing ahead of the space-sharing \
            case",
    says: "A job on some of the hosts of another ends earlier than after that one",
    reading: concat!("By how much is not judged.", levels!()),
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
    reading: concat!(
        "The source advises it, and the gain follows. The same two programs on hosts that overlap, one more than each \
         job has, and on the same ones.",
        levels!()
    ),
    status: Status::Derived,
};

// Page 130.

/// Of p. 130 under our own placement.
macro_rules! version_3_on_six_hosts {
    () => {
        concat!("Version 3 is the placement of this project, NonInterfering.", on_six_hosts!())
    };
}

pub(crate) static MORE_THROUGHPUT: Statement = Statement {
    id: "turner-1995/p130/more-throughput",
    source: &TURNER,
    place: "p. 130",
    quote: "our cluster allocation algorithms provide a higher system throughput than pure space sharing \
            techniques",
    says: "Sharing in time gives a higher throughput than sharing in space",
    reading: concat!(
        "Jobs over the time until the last one of a stream has ended. A judgement on each version. The source measured \
         pairs of programs on 6 hosts; here are streams of jobs.",
        on_six_hosts!()
    ),
    status: Status::Literal,
};

pub(crate) static MORE_THROUGHPUT_BY_VERSION_3: Statement = Statement {
    id: "turner-1995/p130/more-throughput-by-version-3",
    source: &TURNER,
    place: "p. 130",
    quote: "",
    says: "Version 3 gives a higher throughput",
    reading: version_3_on_six_hosts!(),
    status: Status::Ours,
};

pub(crate) static SHORTER_BY_VERSION_1: Statement = Statement {
    id: "turner-1995/p7/shorter-turnaround",
    source: &TURNER,
    place: "p. 7",
    quote: "timeshared execution of parallel jobs in a cluster can be used to improve system throughput, as well as \
            user JTT",
    says: "Version 1 shortens the mean turnaround time of sharing in space",
    reading: concat!(
        "The words are of the source's study of feasibility, of pairs of programs; p. 9 says the same of its scheduling. \
         Here are streams of jobs under its first rule of placement.",
        on_six_hosts!()
    ),
    status: Status::Derived,
};

pub(crate) static SHORTER_BY_VERSION_3: Statement = Statement {
    id: "turner-1995/p130/shorter-turnaround-by-version-3",
    source: &TURNER,
    place: "p. 130",
    quote: "",
    says: "Version 3 has a shorter mean turnaround time",
    reading: version_3_on_six_hosts!(),
    status: Status::Ours,
};
