//! Collins and George 2001, *Parallel and sequential job scheduling in heterogeneous clusters*. The text has no
//! numbers of pages: places are sections, figures and tables.

use super::COLLINS_GEORGE;
use locox_report::report::{Statement, Status};

// Section 3: the algorithm.

pub(crate) static MAPPED_ANEW: Statement = Statement {
    id: "collins-george-2001/3/mapped-anew",
    source: &COLLINS_GEORGE,
    place: "section 3",
    quote: "",
    says: "It is better to map all that waits anew each quantum than to keep the places given first, wherever they \
           differ",
    reading: "The source does not say which of the two it does. Under PJS. Better: less job time in all.",
    status: Status::Ours,
};

pub(crate) static LEARNS_FROM_NOTHING: Statement = Statement {
    id: "collins-george-2001/3/learns-from-nothing",
    source: &COLLINS_GEORGE,
    place: "section 3",
    quote: "",
    says: "In the end a coordinator that knew nothing decides as well as one that knows all, within 10 %",
    reading: "The source's database of past runs is filled before its experiments begin.",
    status: Status::Ours,
};

// Section 5.1: overhead.

pub(crate) static TWO_TO_THREE_TIMES: Statement = Statement {
    id: "collins-george-2001/5.1/two-to-three-times",
    source: &COLLINS_GEORGE,
    place: "section 5.1, Fig. 4",
    quote: "The PJS typically takes from two to three times longer to execute than does the SJS",
    says: "PJS makes two to three sequential schedules where SJS makes one, of averages over 5 to 1000 jobs",
    reading: "Counted, and not timed, by the steps of section 3: a first schedule, one for each job that gets a \
              cluster, and the last, which is no improvement. Typically: the mean over the shares of jobs for clusters. \
              Fig. 4 averages delays, of which large sets make the most: a judgement with all numbers of jobs alike, and \
              one with each number of jobs counted in proportion to it. Times of a machine are in docs/evidence/benchmarks.md (mapping).",
    status: Status::Derived,
};

pub(crate) static SHARE_HARDLY_MATTERS: Statement = Statement {
    id: "collins-george-2001/5.1/share-hardly-matters",
    source: &COLLINS_GEORGE,
    place: "section 5.1, Fig. 4",
    quote: "the percentage of jobs that are candidates for parallel execution appears to have no significant overall \
            effect on the amount of time needed to compute a schedule",
    says: "How many sequential schedules PJS makes hardly depends on the share of jobs that can run on clusters: by a \
           factor of 1.5 at most",
    reading: "Schedules are counted, and not timed: a first one, one for each job that gets a cluster, and the last, \
              which is no improvement; averages over 5 to 1000 jobs. Each share is compared with the smallest, 10 %. \
              The factor is ours: from 33 % fewer to 50 % more.",
    status: Status::Derived,
};

pub(crate) static FEW_UNDER_HEAVY_LOAD: Statement = Statement {
    id: "collins-george-2001/5.1/few-under-heavy-load",
    source: &COLLINS_GEORGE,
    place: "section 5.1",
    quote: "only a few jobs will typically be scheduled in parallel under conditions of heavy load by the PJS",
    says: "Of 700 jobs and more on 40 machines PJS runs less than 5 % on clusters",
    reading: "Heavy load: 700 and 1000 jobs; few: less than 5 %; both ours. A case is a number of jobs and a share of jobs \
              for clusters.",
    status: Status::Literal,
};

// Section 5.2: performance.

pub(crate) static NEVER_WORSE: Statement = Statement {
    id: "collins-george-2001/5.2/never-worse",
    source: &COLLINS_GEORGE,
    place: "section 5.2, Fig. 5",
    quote: "the performance of the PJS is in all cases at least equal to that of the SJS",
    says: "PJS takes no more job time in all than SJS, whatever the number of jobs",
    reading: "It starts from SJS and keeps the better schedule, and run times are as predicted: it cannot fail.",
    status: Status::ByConstruction,
};

pub(crate) static UP_TO_HALF: Statement = Statement {
    id: "collins-george-2001/fig5a/up-to-half",
    source: &COLLINS_GEORGE,
    place: "section 5.2, Fig. 5 (a)",
    quote: "percentage savings of total job time that range up to nearly 50%",
    says: "The most that PJS saves of the job time, over 5 to 100 jobs, is 40 to 50 %",
    reading: "The run times, which the source does not print, were chosen so that this comes out.",
    status: Status::Calibration,
};

pub(crate) static LIGHT_LOAD: Statement = Statement {
    id: "collins-george-2001/6/light-load",
    source: &COLLINS_GEORGE,
    place: "section 6",
    quote: "is concentrated in regions of light job load",
    says: "PJS saves more of the job time below 50 jobs than from there on, on the average",
    reading: "Light is the lower half of the axis of Fig. 5 (a).",
    status: Status::Literal,
};

pub(crate) static HEAVY_SAME: Statement = Statement {
    id: "collins-george-2001/5.2/heavy-same",
    source: &COLLINS_GEORGE,
    place: "section 5.2",
    quote: "small performance improvements that occur periodically under conditions of moderate and heavy load, although \
            they are too small to be seen in this chart",
    says: "From 50 jobs on what PJS saves cannot be seen in the chart, less than 1 %",
    reading: "Heavy is the upper half of the axis of Fig. 5 (a), whose other axis goes to 50 %; too small to be seen: less \
              than 1 %, ours.",
    status: Status::Literal,
};

pub(crate) static NOW_AND_THEN: Statement = Statement {
    id: "collins-george-2001/5.2/now-and-then",
    source: &COLLINS_GEORGE,
    place: "section 5.2",
    quote: "Such modest improvements reflect the ability of the job scheduler to occasionally find a profitable \
            parallel job even when the cluster is heavily loaded",
    says: "From 50 jobs on PJS still saves something now and then",
    reading: "Heavily loaded: 50 to 100 jobs, ours, on 142 machines. Occasionally: one number of jobs at least.",
    status: Status::Literal,
};

pub(crate) static SJS_OVER_OLB: Statement = Statement {
    id: "collins-george-2001/6/sjs-over-olb",
    source: &COLLINS_GEORGE,
    place: "section 6",
    quote: "the sequential job scheduling algorithm has excellent performance when compared to OLB and other RMS \
            scheduling algorithms detailed in the literature",
    says: "SJS takes less job time in all than OLB, wherever they differ",
    reading: "How excellent is not judged. OLB alone: the type of machine that best assignment goes by is not \
              described. Of free machines OLB takes the first of the site, where the fast ones come first.",
    status: Status::Literal,
};

// Section 5.3: priorities.

pub(crate) static HIGH_FAVOURED: Statement = Statement {
    id: "collins-george-2001/fig6/high-favoured",
    source: &COLLINS_GEORGE,
    place: "section 5.3, Fig. 6 (a), (d), (g)",
    quote: "Figure 6 shows that the PJS obtains performance superior to the SJS for high-priority jobs",
    says: "Jobs of high priority take less time in all under PJS than under SJS as long as they are fewer than 30",
    reading: "At 30 the curves have met, as the source says of Fig. 6 (a). PJS starts from SJS and keeps the better \
              schedule, so that more time is impossible; what can fail is that it is less. Equal times count against \
              it.",
    status: Status::Literal,
};

pub(crate) static RARITY: Statement = Statement {
    id: "collins-george-2001/fig6/rarity",
    source: &COLLINS_GEORGE,
    place: "section 5.3, Fig. 6 (a), (d), (g)",
    quote: "The extent to which it can do so is directly related to the rarity of high-priority jobs",
    says: "The smaller the share of jobs of high priority, the larger the part of their time that PJS saves",
    reading: "Over all numbers of jobs together. As they are mapped before the others, the share acts through \
              their number alone: where as many have high priority as much is saved, whatever the share. Of as \
              many jobs in all a smaller share mostly saves more, but not at every number: from 30 of high \
              priority on what is saved rises again.",
    status: Status::Literal,
};

pub(crate) static MET_AT_30: Statement = Statement {
    id: "collins-george-2001/fig6a/met-at-30",
    source: &COLLINS_GEORGE,
    place: "section 5.3, Fig. 6 (a)",
    quote: "The convergence happens after approximately 30 high-priority jobs have been scheduled",
    says: "At 10/10/80 jobs of high priority take less time under PJS until there are 30 of them, and as long from there on",
    reading: "A judgement on each half: as long is within 5 %, ours, and apart by more than that. From 30 on is judged \
              where the row names no variant.",
    status: Status::Literal,
};

pub(crate) static MEDIUM_PAYS: Statement = Statement {
    id: "collins-george-2001/fig6b/medium-pays",
    source: &COLLINS_GEORGE,
    place: "section 5.3, Fig. 6 (b)",
    quote: "The medium-priority jobs then are receiving the negative consequences resulting from that high-level \
            decision",
    says: "At 10/10/80 jobs of medium priority take longer under PJS than under SJS somewhere around 30 jobs of high \
           priority: from 20 to 50",
    reading: "Negative consequences: longer times than under SJS. Around: 20 to 50, ours; one such number is enough.",
    status: Status::Derived,
};

pub(crate) static BUMP: Statement = Statement {
    id: "collins-george-2001/fig6b/bump",
    source: &COLLINS_GEORGE,
    place: "section 5.3, Fig. 6 (b)",
    quote: "This decision benefits the high-priority jobs slightly, but it benefits the medium-priority jobs greatly, \
            as shown in the sharp fall in their total job times",
    says: "At 10/10/80, shortly after 30 jobs of high priority, more jobs of medium priority take less time in all \
           than fewer did",
    reading: "Shortly after: up to 50 of high priority. How greatly is not judged, nor whether the rise before it is sharp: \
              more jobs take longer in any case.",
    status: Status::Literal,
};

pub(crate) static SAME_BUMP: Statement = Statement {
    id: "collins-george-2001/fig6eh/bump",
    source: &COLLINS_GEORGE,
    place: "section 5.3, Fig. 6 (e), (h)",
    quote: "The same behavior is evidenced in Figures 6(e) and 6(h)",
    says: "Shortly after 30 jobs of high priority, more jobs of medium priority take less time in \
           all than fewer did",
    reading: "Up to 50 of high priority. That it comes earlier in (h), counted in jobs of medium priority, follows \
              from the shares.",
    status: Status::Literal,
};

pub(crate) static LOW_MARGINALLY_WORSE: Statement = Statement {
    id: "collins-george-2001/fig6cf/low-marginally-worse",
    source: &COLLINS_GEORGE,
    place: "section 5.3, Fig. 6 (c), (f)",
    quote: "In Figures 6(c) and 6(f), the PJS realizes overall performance marginally inferior to that of the SJS",
    says: "At 10/10/80 and 25/25/50 jobs of low priority take longer under PJS, by up to 10 %",
    reading: "Overall: over all numbers of jobs together, 20 to 500; and over those that the figure draws, whose axes \
              end near 100 jobs of low priority. Marginally: up to 10 %, which the source calls slight elsewhere. A quick run says of the latter that \
              it does not hold.",
    status: Status::Literal,
};

pub(crate) static LOW_COMPARABLE: Statement = Statement {
    id: "collins-george-2001/fig6i/low-comparable",
    source: &COLLINS_GEORGE,
    place: "section 5.3, Fig. 6 (i)",
    quote: "Figure 6(i) shows that the performance of the PJS is comparable to the SJS under the 50/25/25 priority \
            distribution",
    says: "At 50/25/25 jobs of low priority take as long under both, within 2 %",
    reading: "Over all numbers of jobs together, 20 to 500; and over those that the figure draws, whose axis ends near \
              100 jobs of low priority. Comparable is less than marginally inferior, which the source says of the \
              other two figures; 2 % is ours.",
    status: Status::Literal,
};

pub(crate) static GENERALLY_WORSE: Statement = Statement {
    id: "collins-george-2001/fig7/generally-worse",
    source: &COLLINS_GEORGE,
    place: "section 5.3, Fig. 7",
    quote: "the priority scheduling systems are generally, but not always, slightly worse than the systems would have \
            been without the priority schemes",
    says: "With priorities job time in all is longer in most cases, but not in all",
    reading: "A judgement on both halves by numbers of jobs, where a case is a scheduler, a distribution and a number: \
              longer in more than half, ours. The bars of the figure, means over all numbers, are judged in \
              fig7/cost-below-10.",
    status: Status::Literal,
};

const AS_THE_BARS: &str = "As the bars of the figure: over all numbers of jobs together.";

pub(crate) static COST_BELOW_TEN: Statement = Statement {
    id: "collins-george-2001/fig7/cost-below-10",
    source: &COLLINS_GEORGE,
    place: "section 5.3, Fig. 7",
    quote: "the priority scheduling systems generally, but not always, have an aggregate performance degradation that \
            is somewhat less than 10%",
    says: "Priorities generally cost something of the job time in all, and less than 10 %",
    reading: "Generally: the mean over the bars of the figure, each over all numbers of jobs together. That it is not \
              always so is judged in fig7/generally-worse. Somewhat less than 10 %: any cost below it; how far below is \
              not judged.",
    status: Status::Literal,
};

pub(crate) static SAME_IN_ALL: Statement = Statement {
    id: "collins-george-2001/fig7/same-in-all",
    source: &COLLINS_GEORGE,
    place: "section 5.3, Fig. 7",
    quote: "there does not appear to be a significant difference between the PJS and the SJS in terms of aggregate \
            overall performance in this priority experiment",
    says: "Under priorities PJS and SJS take as long in all, within 5 %",
    reading: AS_THE_BARS,
    status: Status::Literal,
};

pub(crate) static WHO_PAYS: Statement = Statement {
    id: "collins-george-2001/5.3/who-pays",
    source: &COLLINS_GEORGE,
    place: "section 5.3",
    quote: "the PJS improves the performance of higher-priority jobs relative to the SJS by approximately the same \
            amount as it worsens the performance of the lower-priority jobs relative to the SJS",
    says: "What jobs of high and medium priority gain by PJS is what those of low priority lose, within a quarter of \
           it",
    reading: "Seconds of job time over all numbers of jobs together.",
    status: Status::Literal,
};

pub(crate) static SAME_PENALTY: Statement = Statement {
    id: "collins-george-2001/5.3/same-penalty",
    source: &COLLINS_GEORGE,
    place: "section 5.3",
    quote: "the SJS and the PJS have approximately the same aggregate performance penalty under priority scheduling",
    says: "What priorities cost in all is the same under SJS and PJS, within a quarter of it",
    reading: "Over all numbers of jobs together. Approximately the same: within a quarter of the cost under SJS, ours.",
    status: Status::Literal,
};

pub(crate) static PENALTY_ON_LOW: Statement = Statement {
    id: "collins-george-2001/5.3/penalty-on-low",
    source: &COLLINS_GEORGE,
    place: "section 5.3",
    quote: "that penalty is concentrated more on the low-priority jobs when the PJS is used",
    says: "Priorities lengthen the time of jobs of low priority by more under PJS than under SJS",
    reading: "Seconds beside the same jobs without priorities, over all numbers of jobs together: seconds and not shares of \
              the penalty, which is not the same under both. Each scheduler is compared with itself.",
    status: Status::Literal,
};

// Section 5.4: preemption.

/// What low and high rates of arrival are.
const FEW_OF_HIGH: &str = "The effective rate of a priority is the rate of all jobs times its share. Low: up to one job of \
                           high priority a quantum, ours.";

const FEW_OF_HIGH_AND_TIMES: &str = "Who gets the best clusters is not judged, but what is said to show it; jobs of high \
                                     priority also preempt, which shortens their times as well. Few, of a low \
                                     \"effective\" rate: up to one job of high priority a quantum, ours.";

const MANY: &str = "Many: 16 and 32 a quantum of all jobs, ours.";

pub(crate) static CONTAINED: Statement = Statement {
    id: "collins-george-2001/fig8a/contained",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Fig. 8 (a)",
    quote: "the 10/10/80 distribution of Figure 8(a) is able to contain the average job time for its high-priority \
            jobs to slightly over 100 seconds",
    says: "At 10/10/80 the mean time of jobs of high priority is 100 to 125 s at the highest rate",
    reading: "Slightly over: by a quarter at most, ours. At the highest rate, since the sentence ends with conditions \
              of high arrival rate. Seconds hang on the run times, which the source does not print: ours were chosen \
              so that the axes of Fig. 8 are met, and not for this.",
    status: Status::Literal,
};

pub(crate) static FOUR_TIMES: Statement = Statement {
    id: "collins-george-2001/fig8c/four-times",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Fig. 8 (c)",
    quote: "the high-priority jobs in the 50/25/25 priority distribution take on average over four times as long to \
            complete under conditions of high arrival rate",
    says: "When most jobs arrive, jobs of high priority take more than four times as long at 50/25/25 as at 10/10/80",
    reading: "At the highest rate, 32 a quantum. The times hang on the run times, which the source does not print: ours were \
              chosen so that the axes of Fig. 8 are met.",
    status: Status::Literal,
};

pub(crate) static HIGH_STATUS: Statement = Statement {
    id: "collins-george-2001/fig8/high-status",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Fig. 8",
    quote: "High-priority status for jobs significantly reduces their mean total job time for all of the priority \
            level distributions in Figure 8",
    says: "Jobs of high priority take less time than the same jobs where there are no priorities",
    reading: "How significantly is not judged.",
    status: Status::Literal,
};

pub(crate) static STATUS_RARITY: Statement = Statement {
    id: "collins-george-2001/fig8/rarity",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Fig. 8",
    quote: "the degree to which the average job time for high-priority jobs is reduced is directly related to the \
            rarity of such jobs",
    says: "The smaller the share of jobs of high priority, the larger the part of their time that it saves them",
    reading: "Beside the same jobs where there are no priorities.",
    status: Status::Literal,
};

pub(crate) static MEDIUM_BEFORE_LOW: Statement = Statement {
    id: "collins-george-2001/fig8/medium-before-low",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Fig. 8",
    quote: "the medium-priority jobs also experience performance that is significantly superior to that of \
            low-priority jobs",
    says: "Jobs of medium priority take less time than those of low priority",
    reading: "How significantly is not judged.",
    status: Status::Literal,
};

pub(crate) static BEST_CLUSTERS: Statement = Statement {
    id: "collins-george-2001/fig8/high-before-medium",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Fig. 8",
    quote: "the best clusters are usually allocated to the high-priority jobs, as is evidenced by their lower average \
            job times",
    says: "When few jobs arrive, those of high priority take less time than those of medium priority",
    reading: FEW_OF_HIGH_AND_TIMES,
    status: Status::Derived,
};

pub(crate) static TIME_BY_RATE: Statement = Statement {
    id: "collins-george-2001/fig8/time-by-rate",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Fig. 8",
    quote: "In all of the charts of Figure 8, it is observed that an increasing arrival rate generally increases the \
            average job times",
    says: "Jobs of each priority take longer when most jobs arrive than when fewest do",
    reading: "Generally: from the first point of a curve to the last.",
    status: Status::Literal,
};

pub(crate) static NOT_MONOTONIC: Statement = Statement {
    id: "collins-george-2001/fig8/not-monotonic",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Fig. 8",
    quote: "the trends are not monotonic increasing",
    says: "Somewhere jobs of a priority take less time although more arrive",
    reading: "",
    status: Status::Literal,
};

pub(crate) static SLIGHT_DEGRADATION: Statement = Statement {
    id: "collins-george-2001/fig9a/slight-degradation",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Fig. 9 (a)",
    quote: "using the preemption scheme in conjunction with priority generally results in a slight degradation in \
            overall performance relative to the no-priority case",
    says: "At each distribution jobs take longer in the mean than without priorities",
    reading: "Generally: of the mean over the rates. A judgement on any cost, and one on a slight one: up to 10 %, \
              which section 5.3 calls so of priorities without preemption.",
    status: Status::Literal,
};

pub(crate) static TURN_AT_8: Statement = Statement {
    id: "collins-george-2001/fig9a/turn-at-8",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Fig. 9 (a)",
    quote: "For low arrival rates, the priority distributions that make more heavy use of the higher priorities do \
            better in the aggregate whereas the trend reverses after passing a mean arrival rate of 8 jobs per time \
            quantum",
    says: "Below 8 jobs a quantum jobs take less time in the mean at 25/25/50 and at 50/25/25 than at 10/10/80, \
           and above 8 more",
    reading: "Each of the two beside 10/10/80, as the source names them where it explains the turn; at 8 itself \
              nothing is judged.",
    status: Status::Literal,
};

pub(crate) static MOST_PRONOUNCED: Statement = Statement {
    id: "collins-george-2001/5.4/most-pronounced",
    source: &COLLINS_GEORGE,
    place: "section 5.4",
    quote: "Overall performance degradation due to the use of preemptive priority is most pronounced for the \
            combinations of low arrival rates and the 10/10/80 priority distribution, and for high arrival rates and \
            the 25/25/50 and 50/25/25 priority distributions",
    says: "When few jobs arrive, preemptive priorities cost more at 10/10/80 than at the other two, and when many \
           do, less",
    reading: "In per cent of the mean time without priorities. Few: 1 and 2 a quantum of all jobs, many: 16 and 32, \
              ours.",
    status: Status::Literal,
};

pub(crate) static PREEMPTION_COSTS: Statement = Statement {
    id: "collins-george-2001/5.4/preemption-costs",
    source: &COLLINS_GEORGE,
    place: "section 5.4",
    quote: "addition of preemption to the priority scheme does have a slight negative impact on overall job \
            performance of the PJS",
    says: "With preemption jobs take longer in the mean than with the same priorities alone",
    reading: "Of the mean over the rates, at each distribution. A judgement on any cost, and one on a slight one: \
              up to 10 %, which section 5.3 calls so, but of priorities; of preemption it is ours.",
    status: Status::Literal,
};

pub(crate) static PREEMPTION_BENEFITS: Statement = Statement {
    id: "collins-george-2001/5.4/preemption-benefits",
    source: &COLLINS_GEORGE,
    place: "section 5.4",
    quote: "preemption greatly benefits the high-priority jobs by giving them greater access to cluster resources for \
            parallel execution and by reducing the amount of delay in obtaining the needed resources for execution",
    says: "Jobs of high priority take less time with preemption than with the same priorities alone",
    reading: "Overall: of the mean over the rates, at each distribution. The source gives no size for \"greatly\": a \
              judgement on any benefit, and one on a fifth, ours.",
    status: Status::Literal,
};

pub(crate) static FEWER_BY_RATE: Statement = Statement {
    id: "collins-george-2001/fig9b/fewer-by-rate",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Fig. 9 (b)",
    quote: "In general, parallelism decreases as the arrival rate increases",
    says: "A smaller share of the jobs runs on clusters when most jobs arrive than when fewest do",
    reading: "In general: from the first point of a curve to the last. The four curves of the figure: three \
              distributions of priorities, and none.",
    status: Status::Literal,
};

pub(crate) static FEWER_BY_PRIORITY: Statement = Statement {
    id: "collins-george-2001/table1/fewer-by-priority",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Table 1",
    quote: "It is observed that the proportion, as it does with increased arrival rate, also decreases with a drop in \
            the priority level of the job",
    says: "The lower the priority, the smaller the share of jobs that run on clusters",
    reading: "Without what the source excepts: high and medium priority at low effective rates, up to one job of high \
              priority a quantum, and at 50/25/25 when many jobs arrive; low priority at 10/10/80 when few arrive. Few: 1 \
              and 2 a quantum of all jobs, many: 16 and 32. All of these numbers are ours.",
    status: Status::Literal,
};

pub(crate) static LITTLE_DIFFERENCE: Statement = Statement {
    id: "collins-george-2001/table1/little-difference",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Table 1",
    quote: "for low effective arrival rates, there is little difference between high- and medium-priority jobs in \
            terms of proportion of parallelism",
    says: "When few jobs arrive, as many of high as of medium priority run on clusters, within 10 percentage points",
    reading: FEW_OF_HIGH,
    status: Status::Literal,
};

pub(crate) static FASTER_FALL: Statement = Statement {
    id: "collins-george-2001/table1/faster-fall",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Table 1",
    quote: "The proportion of parallelism falls faster with increasing job arrival rate for high-priority jobs in \
            priority distributions with a higher percentage of such jobs",
    says: "The larger the share of jobs of high priority, the more the part of them that runs on clusters falls from \
           the lowest rate to the highest",
    reading: "",
    status: Status::Literal,
};

pub(crate) static ABUNDANCE: Statement = Statement {
    id: "collins-george-2001/table1/abundance",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Table 1",
    quote: "the relative abundance of high-priority jobs in the 50/25/25 case at high arrival rates reduces the \
            proportion of such jobs executed in parallel",
    says: "When many jobs arrive, fewer of those of high priority run on clusters at 50/25/25 than at the other two",
    reading: MANY,
    status: Status::Literal,
};

pub(crate) static PREEMPTED_GET_CLUSTERS: Statement = Statement {
    id: "collins-george-2001/table1/preempted-get-clusters",
    source: &COLLINS_GEORGE,
    place: "section 5.4, Table 1",
    quote: "If a job is subjected to frequent preemption, as with low-priority jobs with small arrival rates for the \
            10/10/80 case, when it finally does get to execute, it will usually get a cluster",
    says: "At 10/10/80, when few jobs arrive, most jobs of low priority that lose their place again and again run on a \
           cluster in the end",
    reading: "Frequent: at least twice. Usually: more than half. Few: 1 and 2 a quantum of all jobs, ours.",
    status: Status::Literal,
};

// Section 6: what it leaves to others.

pub(crate) static BOUNDED_PREEMPTION: Statement = Statement {
    id: "collins-george-2001/6/bounded-preemption",
    source: &COLLINS_GEORGE,
    place: "section 6",
    quote: "",
    says: "Where a job loses its place once at most, jobs of low priority take less time",
    reading: "The source names provisions against starvation as future work, and as one of them a higher priority after so \
              many preemptions; a bound on these is another one.",
    status: Status::Ours,
};

pub(crate) static DEVIATING_TIMES: Statement = Statement {
    id: "collins-george-2001/6/deviating-times",
    source: &COLLINS_GEORGE,
    place: "section 6",
    quote: "",
    says: "PJS saves job time beside SJS also where run times deviate from their prediction",
    reading: "The source names run times that are distributed as future work. At 1, 2 and 4 jobs a quantum, and not at the \
              rates of 8 to 32 that section 5.4 goes up to; deviations of none, 10, 30 and 100 %.",
    status: Status::Ours,
};
