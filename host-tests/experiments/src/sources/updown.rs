//! Mutka and Livny 1987, *Scheduling Remote Processing Capacity in a Workstation-Processor Bank Network*,
//! of which the text at hand ends in section 5, and slides on it and on a month of Condor (1990).

use super::{LOCOX, MUTKA_LIVNY, SLIDES};
use locox_report::report::{Statement, Status};

// Abstract.

pub(crate) static OUT_PERFORMS: Statement = Statement {
    id: "mutka-livny-1987/abstract/out-performs",
    source: &MUTKA_LIVNY,
    place: "abstract",
    quote: "show that the new algorithm out performs the other two",
    says: "Up-Down outperforms Round-Robin and Random for light users, by each of the three \
           criteria",
    reading: "The criteria are those of light users, at each number of the heavy user's jobs; \
              overall all three algorithms are said to be alike.",
    status: Status::Literal,
};

pub(crate) static SAME_THROUGHPUT: Statement = Statement {
    id: "mutka-livny-1987/abstract/same-throughput",
    source: &MUTKA_LIVNY,
    place: "abstract",
    quote: "all the three algorithm provide the same throughput",
    says: "Up-Down, Round-Robin and Random provide the same throughput",
    reading: "The same: within 1 %, Up-Down against each of the others.",
    status: Status::Literal,
};

pub(crate) static NOT_STEADY: Statement = Statement {
    id: "mutka-livny-1987/abstract/others-not-steady",
    source: &MUTKA_LIVNY,
    place: "abstract",
    quote: "The two other algorithm do not maintain a steady quality of service for light users \
            in the face of an increasing load of heavy users",
    says: "Light users' quality of service is not steady as the heavy user's load grows",
    reading: "Quality of service: the three criteria. Not steady: from the fewest jobs of the \
              heavy user to the most, each changes by more than 5 %.",
    status: Status::Literal,
};

// Section 1.

pub(crate) static STEADY_SHARE: Statement = Statement {
    id: "mutka-livny-1987/1/steady-share",
    source: &MUTKA_LIVNY,
    place: "section 1",
    quote: "under the Up-Down algorithm, light users maintain a steady share of remote resources \
            even when heavy users keep asking for more",
    says: "Under Up-Down light users maintain a steady share of remote resources while the heavy \
           user asks for more and more",
    reading: "Section 1 demands steady behavior for all three criteria of a fair algorithm. \
              Steady: within 5 %, as a light user waits for the next update of the indices, and \
              these come a little more or less often as other users' jobs end.",
    status: Status::Literal,
};

pub(crate) static NAIVE_SUFFER: Statement = Statement {
    id: "mutka-livny-1987/1/naive-suffer",
    source: &MUTKA_LIVNY,
    place: "section 1",
    quote: "Naive approaches cause light users’ quality of service to suffer when heavier users \
            increase the number of cycles they consume",
    says: "Light users' quality of service suffers as the heavy user's load grows",
    reading: "Each of the three criteria becomes worse, from the fewest jobs of the heavy user to \
              the most.",
    status: Status::Literal,
};

pub(crate) static FAVOR_HEAVY: Statement = Statement {
    id: "mutka-livny-1987/1/others-favor-heavy",
    source: &MUTKA_LIVNY,
    place: "section 1",
    quote: "the other algorithms favor heavy users with better access to remote capacity",
    says: "Under Round-Robin and Random the heavy user has better access to remote capacity than \
           light users",
    reading: "At the heaviest load, by the remote cycle wait ratio.",
    status: Status::Literal,
};

pub(crate) static TRADES: Statement = Statement {
    id: "mutka-livny-1987/1/trades",
    source: &MUTKA_LIVNY,
    place: "section 1",
    quote: "the Up-Down algorithm trades off reward (remote capacity allocated) and penalty \
            (waiting time suffered when a remote resource is wanted but denied)",
    says: "Of the two users of the worked example the one who asks for less waits less for each \
           remote cycle under Up-Down",
    reading: "What the trade must come to on the pool of the example in section 5, where \
              processor sharing does the contrary.",
    status: Status::Derived,
};

// Section 2.

pub(crate) static SEVEN_MINUTES: Statement = Statement {
    id: "mutka-livny-1987/2/seven-minutes",
    source: &MUTKA_LIVNY,
    place: "section 2",
    quote: "If no further activity occurs, approximately seven minutes pass before the station's \
            state changes to AV",
    says: "After a single stroke approximately seven minutes pass until a station is available \
           again",
    reading: "Approximately: 6 to 8. The redraw of the windows is so long that the load falls below the \
              threshold after two minutes, and after three, as the text says. 3,000 strokes of an owner who \
              touches a key once in three hours, two redraws and no pool: the row's other parameters are those \
              of the month.",
    status: Status::Literal,
};

// Section 5, before 5.1: processor sharing, worked out.

pub(crate) static RATIO_3: Statement = Statement {
    id: "mutka-livny-1987/5/ratio-of-user-1",
    source: &MUTKA_LIVNY,
    place: "section 5, before 5.1",
    quote: "The remote cycle wait ratio for User I would be 3",
    says: "With the processor shared the remote cycle wait ratio of user I is 3",
    reading: "Shared in slices of a minute, each of which ends up to a minute after the owner has \
              left: equal is within 2.5 %.",
    status: Status::Literal,
};

pub(crate) static RATIO_1: Statement = Statement {
    id: "mutka-livny-1987/5/ratio-of-user-2",
    source: &MUTKA_LIVNY,
    place: "section 5, before 5.1",
    quote: "Its remote cycle wait ratio is 1",
    says: "With the processor shared the remote cycle wait ratio of user II is 1",
    reading: "Shared in slices of a minute, each of which ends up to a minute after the owner has \
              left: equal is within 2.5 %.",
    status: Status::Literal,
};

pub(crate) static THREE_TIMES: Statement = Statement {
    id: "mutka-livny-1987/5/three-times",
    source: &MUTKA_LIVNY,
    place: "section 5, before 5.1",
    quote: "processor sharing causes User II to wait 3 times more for each cycle allocated than \
            User I",
    says: "With the processor shared user II waits three times as long for each cycle as user I",
    reading: "Shared in slices of a minute, each of which ends up to a minute after the owner has \
              left: equal is within 2.5 %.",
    status: Status::Literal,
};

pub(crate) static SHARES: Statement = Statement {
    id: "mutka-livny-1987/5/shares-received",
    source: &MUTKA_LIVNY,
    place: "section 5, before 5.1",
    quote: "User II receives 50% of the remote processor's cycles it requested while User I \
            receives 75% of its request",
    says: "With the processor shared user II receives 50 % of the remote cycles that it asks for \
           and user I 75 %",
    reading: "Shared in slices of a minute, each of which ends up to a minute after the owner has \
              left: equal is within 2.5 %.",
    status: Status::Literal,
};

pub(crate) static RATIOS_RISE: Statement = Statement {
    id: "mutka-livny-1987/5/wait-ratios-rise",
    source: &MUTKA_LIVNY,
    place: "section 5, before 5.1",
    quote: "Light users with steady demand will have increasing remote cycle wait ratios as heavy \
            users increase their demand",
    says: "Under rankings that do not consider the past light users' remote cycle wait ratio \
           rises with the heavy user's demand",
    reading: "Section 1 defines the ratio as execution divided by waiting, so that higher is \
              better; the sentence before this one says that such rankings do not protect light \
              users. So the sentence must mean the inverse. Judged as it is written, and as it \
              must be meant.",
    status: Status::Literal,
};

pub(crate) static HEAVY_THROUGHPUT: Statement = Statement {
    id: "mutka-livny-1987/5/heavy-throughput",
    source: &MUTKA_LIVNY,
    place: "section 5, before 5.1",
    quote: "Heavy users will have greater throughput with a naive algorithm when comparing it to \
            the Up-Down algorithm",
    says: "The heavy user gets more jobs done under Round-Robin and Random than under Up-Down",
    reading: "At the heaviest load: with few jobs the heavy user is none yet.",
    status: Status::Literal,
};

pub(crate) static AS_GOOD: Statement = Statement {
    id: "mutka-livny-1987/5/throughput-as-good",
    source: &MUTKA_LIVNY,
    place: "section 5, before 5.1",
    quote: "the overall throughput of the system will be as good when using the Up-Down algorithm",
    says: "The throughput of all users is as good under Up-Down as under the other two",
    reading: "As good: not worse by more than 1 %.",
    status: Status::Literal,
};

// Section 5.1: the algorithm.

pub(crate) static NOT_TOO_OFTEN: Statement = Statement {
    id: "mutka-livny-1987/5.1/interval-not-too-often",
    source: &MUTKA_LIVNY,
    place: "section 5.1",
    quote: "The scheduling interval should not occur too often due to the overhead of placing and \
            preempting jobs on a remote processor",
    says: "The shorter the scheduling interval, the more processor time placing and preempting \
           takes under Up-Down",
    reading: "The source gives a rule of design; what it presupposes is judged. Intervals of 2, 10 \
              and 60 minutes, ours, with 13 jobs of the heavy user; overhead: the time of moves to \
              a processor, in per cent of all processor time. More: by a tenth of a point from one interval to \
              the next, ours.",
    status: Status::Derived,
};

pub(crate) static OFTEN_ENOUGH: Statement = Statement {
    id: "mutka-livny-1987/5.1/interval-often-enough",
    source: &MUTKA_LIVNY,
    place: "section 5.1",
    quote: "it should occur often enough to give stations with low SI entries access to a node \
            without too much waiting",
    says: "The longer the scheduling interval, the longer light users wait for a node under \
           Up-Down",
    reading: "The source gives a rule of design; what it presupposes is judged. Intervals of 2, 10 \
              and 60 minutes, ours, with 13 jobs of the heavy user; waiting: of light users, in per \
              cent of the time. A judgement with the source's other occasions to schedule, a \
              station that becomes available and a remote job that completes, and one without \
              them, where longer intervals can hardly but mean longer waits.",
    status: Status::Derived,
};

pub(crate) static CHANGE_SIDES: Statement = Statement {
    id: "mutka-livny-1987/5.1/users-change-sides",
    source: &MUTKA_LIVNY,
    place: "section 5.1",
    quote: "Light users that increase their loads will have their priority decreased so that they \
            will be considered heavy users, and heavy users that decrease their loads will be \
            considered light users",
    says: "A light user who gets as many jobs as a heavy one is considered heavy, and light again \
           when they are done",
    reading: "Considered heavy or light: its mean index, on the last day before the jobs are done and on the \
              last day of the run, is closer to that of the heavy user or to that of the other light ones. Ten \
              runs of 19.9 days, ours, with Condor's functions: on day 10 that user gets 220 jobs.",
    status: Status::Literal,
};

pub(crate) static WALK_RISES: Statement = Statement {
    id: "mutka-livny-1987/5.1/index-rises",
    source: &MUTKA_LIVNY,
    place: "section 5.1",
    quote: "If two allocations are given, the index rises twice as fast",
    says: "The index of the worked example rises by f for one processor, by 2f for two, and by f \
           again when one of the jobs completes",
    reading: "The kernel's own table, moved step by step. The row's parameters are those of the two users' \
              example.",
    status: Status::ByConstruction,
};

pub(crate) static WALK_FALLS: Statement = Statement {
    id: "mutka-livny-1987/5.1/index-falls",
    source: &MUTKA_LIVNY,
    place: "section 5.1",
    quote: "When the second job completes and there are no allocations or jobs waiting, the index \
            decreases to zero by the function h",
    says: "The index of the worked example falls by h to zero when the second job has completed",
    reading: "The kernel's own table, moved step by step. The row's parameters are those of the two users' \
              example.",
    status: Status::ByConstruction,
};

pub(crate) static FUNCTIONS_HARDLY: Statement = Statement {
    id: "mutka-livny-1987/5.1/functions-hardly-matter",
    source: &MUTKA_LIVNY,
    place: "section 5.1",
    quote: "",
    says: "With a bank of 6 it hardly matters to light users whether f, g, h and l are Condor's, constant, \
           linear or saturating",
    reading: "The functions do not stand in our scan. Hardly: a light user's wait ratio changes by less than 5 \
              %. Each set is compared with Condor's.",
    status: Status::Ours,
};

pub(crate) static FUNCTIONS_IF_SCARCE: Statement = Statement {
    id: "mutka-livny-1987/5.1/functions-matter-if-scarce",
    source: &MUTKA_LIVNY,
    place: "section 5.1",
    quote: "",
    says: "With a bank of 1 it matters to light users what f, g, h and l are",
    reading: "The functions do not stand in our scan. Matters: with l a tenth, and with f twice, a light user's \
              wait ratio is higher than with constant functions. However little higher: with constant functions \
              they have next to nothing.",
    status: Status::Ours,
};

pub(crate) static ANY_READING: Statement = Statement {
    id: "mutka-livny-1987/4/any-reading",
    source: &MUTKA_LIVNY,
    place: "section 4",
    quote: "",
    says: "Light users lose nothing under Up-Down but do under both others, whatever the bank of 1 \
           to 20, the distribution of the owners' periods and f, g, h and l",
    reading: "None of these stands in our scan, which ends inside section 5.2. Fifteen readings of them: a bank \
              of 6, hyperexponential periods and Condor's functions; from there banks of 1, 3, 10 and \
              20; jobs that do not come home; schedules at intervals only; owners' periods \
              exponential, of two Weibull distributions, and in an office's week; jobs that arrive now \
              and then, without a bank; three other sets of functions. Each algorithm under each \
              reading is a case. Where all jobs are permanent and there is no bank light users have no \
              remote cycles at all, so that nothing can be lost: of that nothing is claimed. Lose: \
              more than 5 %, ours, of the remote cycle wait ratio, from 2 jobs of the heavy user to 13.",
    status: Status::Ours,
};

// The slides.

pub(crate) static HEAVY_STEADY: Statement = Statement {
    id: "updown-slides/9/heavy-steady",
    source: &SLIDES,
    place: "slide 9",
    quote: "Up-down algorithm enables heavy users to maintain steady access to remote cycles \
            while providing fair access to cycles for light users",
    says: "Under Up-Down the heavy user's access to remote cycles is steady",
    reading: "A judgement on each of two readings. That it does not fall: the processors that it has on \
              average are with no number of jobs more than 5 %, ours, fewer than with the fewest; with the \
              most jobs it has more than with the fewest under all three algorithms, so that this does not \
              set Up-Down apart. That it is never without: with the most jobs \
              the user is without a processor of others for less than 5 %, ours, of the time.",
    status: Status::Derived,
};

pub(crate) static HEAVY_HIGH: Statement = Statement {
    id: "updown-slides/11/heavy-user-high-index",
    source: &SLIDES,
    place: "slide 11",
    quote: "Workstation that has a heavy user, SI is very high (low priority)",
    says: "The index of the heavy user's station is higher than those of the medium and the light \
           users'",
    reading: "Mean indices over the run, under each of the kernel's four sets of functions. How high is not \
              judged: the index rises for as long as the run lasts. Differences are in per cent of the heavy \
              user's index, as each set has a scale of its own.",
    status: Status::Literal,
};

pub(crate) static LIGHT_LOW: Statement = Statement {
    id: "updown-slides/11/light-user-low-index",
    source: &SLIDES,
    place: "slide 11",
    quote: "Workstation that has a light user, SI is very low (high priority)",
    says: "The index of a light user's station is lower than those of the medium and the heavy \
           user's",
    reading: "Mean indices over the run, under each of the kernel's four sets of functions. How low is not \
              judged: beside the others' it is near zero. Differences are in per cent of the heavy user's index, \
              as each set has a scale of its own.",
    status: Status::Literal,
};

pub(crate) static SI_INCREASES: Statement = Statement {
    id: "updown-slides/11/more-load-higher-index",
    source: &SLIDES,
    place: "slide 11",
    quote: "Light users that increase their loads (of background jobs) will have their SI \
            increase (low priority)",
    says: "The index of a light user who gets as many jobs as a heavy one increases",
    reading: "From the day before these jobs to the last day before they are done. Ten runs of 19.9 days, ours, \
              with Condor's functions: on day 10 that user gets 220 jobs.",
    status: Status::Literal,
};

pub(crate) static SI_DECREASES: Statement = Statement {
    id: "updown-slides/11/less-load-lower-index",
    source: &SLIDES,
    place: "slide 11",
    quote: "Heavy users that decrease their loads will have their SI decrease (high priority)",
    says: "The index of that user decreases when these jobs are done",
    reading: "From the last day before they are done to the last day of the run. Ten runs of 19.9 days, ours, \
              with Condor's functions: on day 10 that user gets 220 jobs.",
    status: Status::Literal,
};

pub(crate) static STABILISE: Statement = Statement {
    id: "updown-slides/12/h-and-l-stabilise",
    source: &SLIDES,
    place: "slide 12",
    quote: "h and l stabilize the SI when workstations do not want remote cycles",
    says: "h and l keep the index of a station that wants nothing close to zero",
    reading: "Closer than in the same pool without h and l: the mean index of light users, who want nothing \
              while their own stations are available. h and l move an index towards zero and never past it, and \
              nothing else differs, so that the contrary can hardly come out.",
    status: Status::ByConstruction,
};

pub(crate) static WALK_WAITS: Statement = Statement {
    id: "updown-slides/13/index-falls-on-arrival",
    source: &SLIDES,
    place: "slide 13",
    quote: "When a job arrives and there is no allocation given -> SI decreases g(SI)",
    says: "The index of the worked example falls by g when a job arrives and waits",
    reading: "The kernel's own table, moved step by step. The row's parameters are those of the two users' \
              example.",
    status: Status::ByConstruction,
};

pub(crate) static WALK_STAYS: Statement = Statement {
    id: "updown-slides/13/index-stays-at-zero",
    source: &SLIDES,
    place: "slide 13",
    quote: "Once stations SI reaches zero it will stay there until it asks for a node",
    says: "At zero the index of the worked example stays until the station asks for a node",
    reading: "The kernel's own table, moved step by step. When the station asks it falls by g. The row's \
              parameters are those of the two users' example.",
    status: Status::ByConstruction,
};

pub(crate) static DID_NOT_WAIT: Statement = Statement {
    id: "updown-slides/21/light-did-not-wait",
    source: &SLIDES,
    place: "slide 21",
    quote: "Light user did not wait. Wait ratio is very small.",
    says: "Light users did not wait: their jobs' waiting time divided by service time is very \
           small",
    reading: "Very small: below 0.1, ours. The slide defines: \"Amount of time that a job waits / its service \
              time\", and does not say how jobs are put together. A mean over jobs counts those of a few \
              minutes, which wait for a poll and a transfer as all do, as much as long ones; all waiting divided \
              by all service time does not. How the jobs of the month come, those of the heavy user in eight \
              batches, is in no source, and the answer hangs on it.",
    status: Status::Derived,
};

pub(crate) static SERVES_LIGHT: Statement = Statement {
    id: "updown-slides/21/light-served-by-preemption",
    source: &SLIDES,
    place: "slide 21",
    quote: "The up-down algorithm allocated remote capacity to light user and preempt the heavy \
            user.",
    says: "Up-Down makes light users' wait ratio smaller than Round-Robin and Random do, which do \
           not preempt",
    reading: "The same month's owners and jobs under each. A mean over jobs, or all waiting divided by all \
              service time: a judgement on each. How the jobs come, those of the heavy user in eight batches, is \
              in no source, and the answer hangs on it.",
    status: Status::Derived,
};

pub(crate) static KEEPS_QUEUE: Statement = Statement {
    id: "updown-slides/21/heavy-keeps-queue",
    source: &SLIDES,
    place: "slide 21",
    quote: "The heavy user kept more than 30 jobs in the queue",
    says: "The heavy user, whose jobs of the month come in eight batches, keeps more than 30 of them in the \
           queue",
    reading: "How they come is not in the source: eight batches of 86 are ours, and the answer hangs on them. \
              With 60 jobs that are never done it is so by construction, and then the hours used are not \
              the slides'. In the queue: those that wait, or, as the slide's heading is \"Total queue \
              length\", those that run on others' processors as well; a judgement on each. Kept: for 90 % of \
              the month, ours.",
    status: Status::Derived,
};

pub(crate) static AVAILABLE: Statement = Statement {
    id: "updown-slides/22/hours-available",
    source: &SLIDES,
    place: "slide 22",
    quote: "12438 machine hours were available for remote execution",
    says: "12,438 hours were available for remote execution in the month",
    reading: "The owners' periods are chosen for it. The same: at most 5 % apart, ours; months of our \
              runs differ by less.",
    status: Status::Calibration,
};

pub(crate) static LOCAL: Statement = Statement {
    id: "updown-slides/22/local-utilisation",
    source: &SLIDES,
    place: "slide 22",
    quote: "Average of local utilization is only 25",
    says: "Owners use 25 % of their stations",
    reading: "It goes with the hours available. The slide's sign of per cent is lost in the text. \
              The same: at most 5 % apart, ours.",
    status: Status::Calibration,
};

pub(crate) static USED: Statement = Statement {
    id: "updown-slides/22/hours-used",
    source: &SLIDES,
    place: "slide 22",
    quote: "4771 machine hours were utilized by Condor",
    says: "4,771 hours, almost 200 machine days, were used by Condor in the month",
    reading: "The users' jobs add up to it; that they are done within the month is found. The same: at most 5 % \
              apart, ours; months of our runs mostly differ by less. How the jobs come, those of the heavy user in \
              eight batches, is ours.",
    status: Status::Calibration,
};

pub(crate) static COORDINATOR: Statement = Statement {
    id: "updown-slides/24/coordinator",
    source: &SLIDES,
    place: "slide 24",
    quote: "coordinator consumes less than 1 of stations capacity",
    says: "The coordinator consumes less than 1 % of a station's capacity",
    reading: "Counted, not timed, of what the kernel does for 23 stations in the two minutes from a poll to the \
              next: a question and an answer for each station, and a message for each decision, at 10,000 \
              instructions a message, and looks at stations' indices in an update and a round, at a hundred; \
              both ours. On a station of 2 million instructions a second, as Table 1 of Mutka and Livny gives \
              for a MicroVAX II. The slide's sign of per cent is lost in the text.",
    status: Status::Derived,
};

pub(crate) static LEVERAGE: Statement = Statement {
    id: "updown-slides/25/leverage",
    source: &SLIDES,
    place: "slide 25",
    quote: "Average of leverage is 1300",
    says: "The average leverage is 1300: a minute of local capacity buys 22 hours of remote \
           capacity",
    reading: "Average: what all jobs got remotely by what all cost at home; the slide may mean the average over jobs. \
              What a shadow process at home takes for its job's calls is part of the leverage that the slide defines, \
              but the slides give no figure for it: a judgement without it, by placements and checkpoints alone, and \
              one with 0.1 % of a processor for it, ours. Of jobs whose lengths and batches are in no source. The \
              same: at most 20 % apart, as moves depend on when jobs come and how long owners stay, of which the \
              slides tell little.",
    status: Status::Derived,
};

// Questions of our own: a year of users who always want more than there is.

/// What is judged of a year, and what it is not.
macro_rules! by_time {
    () => {
        "Up-Down by time is the default ranking of this project, TimedUpDown: its indices move with time, and forget with a \
         half-life of a day. The source's Up-Down, of which no functions and no range are printed, is not judged: the \
         evidence has it beside, with functions and a range of ours."
    };
}

pub(crate) static EQUAL_SHARES: Statement = Statement {
    id: "locox/updown-forever/equal-shares",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Under Up-Down by time users who want the same have the same, within 5 %, on every day after the first week",
    reading: concat!(
        by_time!(),
        " A case is a day of a year of 300, of 1,000 or of 5,000 processors; of each there is one run."
    ),
    status: Status::Ours,
};

pub(crate) static NOTHING_SPARE: Statement = Statement {
    id: "locox/updown-forever/nothing-spare",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "No processor is free for longer than a scheduling interval while a job waits",
    reading: "Under Up-Down by elapsed time, the default, on banks of 300, 1,000 and 5,000 processors. A free \
              processor is given away at once whatever the ranking: a check of the dispatcher.",
    status: Status::ByConstruction,
};

pub(crate) static LIGHT_KEEPS: Statement = Statement {
    id: "locox/updown-forever/light-user",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Under Up-Down by time a light user's remote cycle wait ratio (execution divided by waiting) is at least \
           twice that under Round-Robin",
    reading: concat!(
        by_time!(),
        " Waiting is until a job has a processor, as the source counts it; here a job is served when it arrives, and not at \
         the next interval. Or it is all by which a job takes longer than it runs, until its processor is empty and the \
         way to it included, a minute under any ranking. A judgement on each, one run of 300, of 1,000 and of 5,000 processors."
    ),
    status: Status::Ours,
};

pub(crate) static NO_END: Statement = Statement {
    id: "locox/updown-forever/no-end-of-range",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Under Up-Down by time no index reaches an end of its range",
    reading: by_time!(),
    status: Status::Ours,
};
