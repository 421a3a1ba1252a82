//! Bo Li, Yijian Pei, Bin Shen, Hao Wu, Min He and Jundong Yang, *Resource Availability-Aware Advance
//! Reservation for Parallel Jobs with Deadlines*, by the preprint of 2012; the article appeared in *The
//! Journal of Supercomputing* in 2013. The text at hand prints neither year nor pages: places are
//! sections and figures, and of the figures themselves it has the captions alone.

use super::LI;
use locox_report::report::{Statement, Status};

// Section 6.2.1, Fig. 2: acceptance and the sizes of jobs.

pub(crate) static FIG2_FALLS: Statement = Statement {
    id: "li-et-al/fig2/acceptance-falls",
    source: &LI,
    place: "section 6.2.1, Fig. 2",
    quote: "when UMed changes from low to middle and high, the acceptance rates of all strategies \
            decrease gradually",
    says: "Acceptance falls as UMed grows, under every policy",
    reading: "From each UMed to the next. How gradually is not judged.",
    status: Status::Literal,
};

/// What rows on acceptance and slowdown by UMed hang on.
macro_rules! hangs_on_the_reading {
    () => {
        "It hangs on how long a rectangle lasts that nothing follows, which the source does not say: where no reading is \
         named, to the end of time; by the other readings at UMed 7 alone."
    };
}

const THREE_GROUPS: &str = "there are three groups of algorithm with almost identical behavior: PE_W and Du_B, PEDu_B \
                            and PEDu_W, and PE_B and Du_W";

macro_rules! almost_identical {
    () => {
        concat!(
            "Almost identical: closer than a point of acceptance, ours, at each UMed that is judged. ",
            hangs_on_the_reading!()
        )
    };
}

const ALMOST_IDENTICAL: &str = almost_identical!();

pub(crate) static FIG2_PE_W_DU_B_ALIKE: Statement = Statement {
    id: "li-et-al/fig2/pe-w-du-b-alike",
    source: &LI,
    place: "section 6.2.1, Fig. 2",
    quote: THREE_GROUPS,
    says: "PE_W and Du_B accept alike",
    reading: ALMOST_IDENTICAL,
    status: Status::Literal,
};

pub(crate) static FIG2_PEDU_ALIKE: Statement = Statement {
    id: "li-et-al/fig2/pedu-alike",
    source: &LI,
    place: "section 6.2.1, Fig. 2",
    quote: THREE_GROUPS,
    says: "PEDu_B and PEDu_W accept alike",
    reading: ALMOST_IDENTICAL,
    status: Status::Literal,
};

pub(crate) static FIG2_PE_B_DU_W_ALIKE: Statement = Statement {
    id: "li-et-al/fig2/pe-b-du-w-alike",
    source: &LI,
    place: "section 6.2.1, Fig. 2",
    quote: THREE_GROUPS,
    says: "PE_B and Du_W accept alike",
    reading: concat!(
        almost_identical!(),
        " A quick run on the log may be undecided, or hold in part."
    ),
    status: Status::Literal,
};

const FOUR_OUTPERFORM: &str = "except the PE_B algorithm and the Du_W algorithm, all other four strategies outperform \
                               FF";

pub(crate) static FIG2_FOUR_BEAT_FF: Statement = Statement {
    id: "li-et-al/fig2/four-beat-ff",
    source: &LI,
    place: "section 6.2.1, Fig. 2",
    quote: FOUR_OUTPERFORM,
    says: "PE_W, Du_B, PEDu_B and PEDu_W accept more than FF",
    reading: concat!(
        "At every UMed, or at 7 alone where a reading is named. The source gives no size: one judgement is on more at all, the other on more by a \
         point, ours. Of PE_B and Du_W, which the sentence excepts, this row says nothing. ",
        hangs_on_the_reading!()
    ),
    status: Status::Literal,
};

pub(crate) static FIG2_TWO_DO_NOT: Statement = Statement {
    id: "li-et-al/fig2/two-do-not-beat-ff",
    source: &LI,
    place: "section 6.2.1, Fig. 2",
    quote: FOUR_OUTPERFORM,
    says: "PE_B and Du_W do not accept more than FF",
    reading: concat!(
        "The exception says that they do not outperform FF, not that they are worse: more by less than a point \
         of acceptance, ours, is no more. ",
        hangs_on_the_reading!()
    ),
    status: Status::Derived,
};

pub(crate) static FIG2_BEST: Statement = Statement {
    id: "li-et-al/fig2/pe-w-du-b-best",
    source: &LI,
    place: "section 6.2.1, Fig. 2",
    quote: "the PE_W algorithm and the Du_B algorithm in the first group perform much better than \
            FF and clearly become the best strategies for all UMed values",
    says: "PE_W and Du_B each accept more than each of the other five",
    reading: concat!(
        "Each UMed is a case. How much better they are than FF is not judged here. By the reading to the end of \
         time PEDu_W, one of the five, mostly chooses as PE_W does. ",
        hangs_on_the_reading!()
    ),
    status: Status::Literal,
};

pub(crate) static FIG2_MUCH_BETTER: Statement = Statement {
    id: "li-et-al/fig2/much-better-than-ff",
    source: &LI,
    place: "section 6.2.1, Fig. 2",
    quote: "the PE_W algorithm and the Du_B algorithm in the first group perform much better than \
            FF",
    says: "PE_W and Du_B accept much more than FF",
    reading: concat!("Much: by more than 2 points, ours, at every UMed. ", hangs_on_the_reading!()),
    status: Status::Literal,
};

const QUITE_DIFFERENT: &str =
    "the performance of PE_B and PE_W, and Du_B and Du_W are quite different";

pub(crate) static FIG2_PE_DIFFER: Statement = Statement {
    id: "li-et-al/fig2/pe-b-pe-w-differ",
    source: &LI,
    place: "section 6.2.1, Fig. 2",
    quote: QUITE_DIFFERENT,
    says: "The acceptance of PE_B and PE_W is quite different",
    reading: "Quite different: farther apart than a point, ours, at every UMed.",
    status: Status::Literal,
};

pub(crate) static FIG2_DU_DIFFER: Statement = Statement {
    id: "li-et-al/fig2/du-b-du-w-differ",
    source: &LI,
    place: "section 6.2.1, Fig. 2",
    quote: QUITE_DIFFERENT,
    says: "The acceptance of Du_B and Du_W is quite different",
    reading: concat!(
        "Quite different: farther apart than a point, ours, at every UMed. ",
        hangs_on_the_reading!()
    ),
    status: Status::Literal,
};

const NO_CONCLUSION: &str = "we cannot draw a deterministic conclusion that PE-based strategies are better or worse \
                             than duration-based ones, or best fit-based strategies are always better or worse than \
                             equivalent worst fit-based ones";

pub(crate) static FIG2_PE_OR_DU: Statement = Statement {
    id: "li-et-al/fig2/neither-pe-nor-du",
    source: &LI,
    place: "section 6.2.1, Fig. 2",
    quote: NO_CONCLUSION,
    says: "Neither are policies by PEs always better than those by durations nor the other way \
           round",
    reading: concat!(
        "One is better in one pair, at some UMed, and the other in another; best fits and worst fits are \
         compared with each other. ",
        hangs_on_the_reading!()
    ),
    status: Status::Literal,
};

pub(crate) static FIG2_BEST_OR_WORST: Statement = Statement {
    id: "li-et-al/fig2/neither-best-nor-worst",
    source: &LI,
    place: "section 6.2.1, Fig. 2",
    quote: NO_CONCLUSION,
    says: "Neither are best fits always better than their worst fits nor the other way round",
    reading: concat!(
        "One is better in one pair, at some UMed, and the other in another. The pairs are those of PE and Du; \
         of PEDu_B and PEDu_W the source says that they behave almost identically. ",
        hangs_on_the_reading!()
    ),
    status: Status::Literal,
};

// Section 6.2.1, Fig. 3: slowdown and the sizes of jobs.

pub(crate) static FIG3_RISES: Statement = Statement {
    id: "li-et-al/fig3/slowdown-rises",
    source: &LI,
    place: "section 6.2.1, Fig. 3",
    quote: "When UMed changes from low to middle and high, the average slowdown of all strategies \
            increase in general",
    says: "Slowdown rises as UMed grows, under every policy",
    reading: "In general: from each UMed to the next.",
    status: Status::Literal,
};

pub(crate) static FIG3_FF_LOWEST: Statement = Statement {
    id: "li-et-al/fig3/ff-lowest",
    source: &LI,
    place: "section 6.2.1, Fig. 3",
    quote: "the jobs with FF experience the lowest average slowdown",
    says: "FF has the lowest slowdown",
    reading: "At every UMed, each of which is a case.",
    status: Status::Literal,
};

const SIMILAR_AGAIN: &str =
    "the performance of PE_W and Du_B, and PE_B and Du_W are similar again as in Figure 2";

pub(crate) static FIG3_PE_W_DU_B_ALIKE: Statement = Statement {
    id: "li-et-al/fig3/pe-w-du-b-alike",
    source: &LI,
    place: "section 6.2.1, Fig. 3",
    quote: SIMILAR_AGAIN,
    says: "The slowdowns of PE_W and Du_B are similar",
    reading: concat!(
        "Similar: closer than 0.1 of slowdown, ours, at every UMed. ",
        hangs_on_the_reading!()
    ),
    status: Status::Literal,
};

pub(crate) static FIG3_PE_B_DU_W_ALIKE: Statement = Statement {
    id: "li-et-al/fig3/pe-b-du-w-alike",
    source: &LI,
    place: "section 6.2.1, Fig. 3",
    quote: SIMILAR_AGAIN,
    says: "The slowdowns of PE_B and Du_W are similar",
    reading: concat!(
        "Similar: closer than 0.1 of slowdown, ours, at every UMed. ",
        hangs_on_the_reading!(),
        " A quick run on the log may be undecided, or hold in part."
    ),
    status: Status::Literal,
};

pub(crate) static FIG3_PEDU_DIFFER: Statement = Statement {
    id: "li-et-al/fig3/pedu-differ",
    source: &LI,
    place: "section 6.2.1, Fig. 3",
    quote: "the performance of PEDu_B and PEDu_W are surprisingly different",
    says: "The slowdowns of PEDu_B and PEDu_W are different",
    reading: concat!(
        "Different: farther apart than 0.1 of slowdown, ours, at each UMed that is judged. ",
        hangs_on_the_reading!()
    ),
    status: Status::Literal,
};

// Section 6.2.2, Figs. 4 and 5: the load.

const BOTH_DEGRADE: &str = "as the value of arrival factor increases, acceptance rates and slowdowns of all strategies \
                            degrade in both Figures";

pub(crate) static FIG4_FALLS: Statement = Statement {
    id: "li-et-al/fig4/acceptance-falls",
    source: &LI,
    place: "section 6.2.2, Fig. 4",
    quote: BOTH_DEGRADE,
    says: "Acceptance falls as the load grows, under every policy",
    reading: "",
    status: Status::Literal,
};

pub(crate) static FIG5_RISES: Statement = Statement {
    id: "li-et-al/fig5/slowdown-rises",
    source: &LI,
    place: "section 6.2.2, Fig. 5",
    quote: BOTH_DEGRADE,
    says: "Slowdown rises as the load grows, under every policy",
    reading: "",
    status: Status::Literal,
};

/// How orders of the policies are compared.
const SIMILAR_ORDER: &str = "Similar: Spearman's correlation with the order at UMed 7, arrival factor 1 and \
                             {3,3}, which the model has in all figures, is above 0.714: by chance seven policies \
                             come so close in one case of twenty, so that better than chance is all that it \
                             says. The log's jobs have other sizes here than in Figs. 2 and 3: it is compared \
                             with its own order at arrival factor 1 and {3,3}, in the middle of the same figure. \
                             The source compares figures by eye.";

const RELATIVE_PERFORMANCE: &str = "By comparing the results in Figure 2 and 4 and the results in Figure 3 and 5 \
                                    respectively, it can be seen clearly that the relative performance of the \
                                    scheduling algorithms in both experiments are similar";

pub(crate) static FIG4_SAME_ORDER: Statement = Statement {
    id: "li-et-al/fig4/same-order",
    source: &LI,
    place: "section 6.2.2, Fig. 4",
    quote: RELATIVE_PERFORMANCE,
    says: "At every load the policies stand in the order of acceptance of Fig. 2; on the log, in that at arrival \
           factor 1",
    reading: SIMILAR_ORDER,
    status: Status::Derived,
};

pub(crate) static FIG5_SAME_ORDER: Statement = Statement {
    id: "li-et-al/fig5/same-order",
    source: &LI,
    place: "section 6.2.2, Fig. 5",
    quote: RELATIVE_PERFORMANCE,
    says: "At every load the policies stand in the order of slowdown of Fig. 3; on the log, in that at arrival \
           factor 1",
    reading: SIMILAR_ORDER,
    status: Status::Derived,
};

// Section 6.2.3, Figs. 6 and 7: the flexibility of requests.

pub(crate) static FIG6_LINEAR: Statement = Statement {
    id: "li-et-al/fig6/almost-linear",
    source: &LI,
    place: "section 6.2.3, Fig. 6",
    quote: "the acceptance rates of PE_W, Du_B and PEDu_B increase almost linearly",
    says: "The acceptance of PE_W, Du_B and PEDu_B rises almost linearly",
    reading: "A judgement on each half of it. That it rises: from each setting to the next. That it is almost \
              straight: no two rises that follow each other differ by a point, ours. A quick run holds in part of the \
              rise on the model, and is undecided on the log.",
    status: Status::Literal,
};

pub(crate) static FIG6_NOT_STABLE: Statement = Statement {
    id: "li-et-al/fig6/others-not-stable",
    source: &LI,
    place: "section 6.2.3, Fig. 6",
    quote: "the performance improvements of other four strategies are not stable, especially at \
            {4,4}",
    says: "The acceptance of FF, PE_B, Du_W and PEDu_W does not rise evenly at {4,4}",
    reading: "The contrary of \"almost linearly\", which the source says of PE_W, Du_B and PEDu_B: of each of \
              the four the rise to {4,4} and the rise from there differ by more than a point, ours. The figure \
              itself is not in the text.",
    status: Status::Derived,
};

pub(crate) static FIG6_PE_W_HIGHEST: Statement = Statement {
    id: "li-et-al/fig6/pe-w-highest",
    source: &LI,
    place: "section 6.2.3, Fig. 6",
    quote: "PE_W become the best algorithm again with the highest acceptance rate",
    says: "PE_W has the highest acceptance rate at every flexibility, and beside Du_B at {5,5}",
    reading: "Of Du_B the source goes on that PE_W presents better performance than it as the flexibility \
              increases: beside it the most flexible requests alone are judged. It hangs on how long a \
              rectangle lasts that nothing follows; to the end of time is judged alone. A case is a flexibility.",
    status: Status::Literal,
};

pub(crate) static FIG6_LEAVES_DU_B: Statement = Statement {
    id: "li-et-al/fig6/pe-w-leaves-du-b",
    source: &LI,
    place: "section 6.2.3, Fig. 6",
    quote: "It presents better performance than Du_B as the flexibility of scheduling increases",
    says: "PE_W leaves Du_B behind as flexibility grows",
    reading: "Its lead is larger at {5,5} than at {1,1}. It hangs on how long a rectangle lasts that nothing \
              follows; to the end of time is judged alone. It may also mean that PE_W is better where \
              flexibility is high, which is judged at {5,5} in fig6/pe-w-highest.",
    status: Status::Derived,
};

pub(crate) static FIG6_EASILY: Statement = Statement {
    id: "li-et-al/fig6/pe-w-easily",
    source: &LI,
    place: "section 6.2.3, Fig. 6",
    quote: "defeats other strategies easily throughout the range of values",
    says: "PE_W accepts easily more than each policy but Du_B, at every flexibility",
    reading: "Easily: by more than a point, ours. Du_B is not among the others here: the same sentence says of \
              it that PE_W presents better performance than it as the flexibility increases. It hangs on how \
              long a rectangle lasts that nothing follows; to the end of time is judged alone.",
    status: Status::Literal,
};

pub(crate) static FIG7_RISES: Statement = Statement {
    id: "li-et-al/fig7/slowdown-rises",
    source: &LI,
    place: "section 6.2.3, Fig. 7",
    quote: "As the scheduling flexibility increase, the average slowdowns of all strategies \
            increase",
    says: "Slowdown rises with flexibility, under every policy",
    reading: "",
    status: Status::Literal,
};

pub(crate) static FIG7_FF_LOWEST: Statement = Statement {
    id: "li-et-al/fig7/ff-lowest",
    source: &LI,
    place: "section 6.2.3, Fig. 7",
    quote: "FF is always the one with smallest values of slowdown",
    says: "FF has the lowest slowdown at every flexibility",
    reading: "Each flexibility is a case.",
    status: Status::Literal,
};

pub(crate) static FIG7_SAME_ORDER: Statement = Statement {
    id: "li-et-al/fig7/same-order",
    source: &LI,
    place: "section 6.2.3, Fig. 7",
    quote: "the relative performance of the curves are similar to the others observed earlier",
    says: "At every flexibility the policies stand in the order of slowdown of Figs. 3 and 5; on the log, in \
           that at {3,3}",
    reading: SIMILAR_ORDER,
    status: Status::Derived,
};

// Section 7: conclusions.

pub(crate) static PE_W_HIGHEST: Statement = Statement {
    id: "li-et-al/7/pe-w-highest",
    source: &LI,
    place: "section 7",
    quote: "the PE Worst Fit algorithm becomes the best algorithm for the scheduler with the \
            highest acceptance rate of AR requests",
    says: "PE_W has the highest acceptance rate",
    reading: concat!(
        "A case is a setting, at which each of the other six must be behind. ",
        hangs_on_the_reading!()
    ),
    status: Status::Literal,
};

pub(crate) static FF_LOWEST: Statement = Statement {
    id: "li-et-al/7/ff-lowest",
    source: &LI,
    place: "section 7",
    quote: "the jobs with the First Fit algorithm experience the lowest average slowdown",
    says: "FF has the lowest slowdown",
    reading: "At every load, each of which is a case.",
    status: Status::Literal,
};

// Questions of our own.

pub(crate) static MORE_WORK: Statement = Statement {
    id: "li-et-al/6/more-work",
    source: &LI,
    place: "section 6",
    quote: "",
    says: "PE_W accepts more work than FF (PEs times run time, % of what is asked for)",
    reading: "The source counts requests alone.",
    status: Status::Ours,
};
