//! Backfilling where jobs need places: what Krevat and others found on a torus, by their abstract, and our own questions.

use super::{KREVAT, LOCOX};
use locox_report::report::{Statement, Status};

const JOBS: &str = "Jobs of the sizes and run times of a machine of 128 nodes of 1993 at a load of 0.75, which ask for the time \
                    that they take. Cases: racks of 16 nodes in which a job lies that is no larger, a 7-cube under \
                    complete recognition and buddy, and a torus of 8x4x4 on which boxes lie in a corner or in the \
                    first free place.";

const NUMBERS: &str = "The same jobs on the 7-cube under complete recognition. Cases: 4 promises, 16, and one for each job, each \
                       beside one promise.";

pub(crate) static BACKFILLING_SOONER: Statement = Statement {
    id: "locox/places/backfilling-sooner",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Where jobs need places, they wait less if the first in line is promised a time and a place, and others start beside \
           it, than in turn",
    reading: JOBS,
    status: Status::Ours,
};

pub(crate) static PLACES_COST_LESS: Statement = Statement {
    id: "locox/places/cost-less",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "What places cost, in minutes that jobs wait longer than where any nodes do, is less with one promise than in turn",
    reading: JOBS,
    status: Status::Ours,
};

pub(crate) static PLACES_COST_LITTLE: Statement = Statement {
    id: "locox/places/cost-little",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "With one promise jobs that need places wait at most a tenth longer than where any nodes do",
    reading: JOBS,
    status: Status::Ours,
};

pub(crate) static MORE_PROMISES_LATER: Statement = Statement {
    id: "locox/places/more-promises-later",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "With more promises than one jobs wait longer, on the average",
    reading: NUMBERS,
    status: Status::Ours,
};

pub(crate) static TAIL_ALIKE: Statement = Statement {
    id: "locox/places/tail-alike",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "However many promises there are, 95 % of the jobs wait no longer than about the same time, within 5 %",
    reading: NUMBERS,
    status: Status::Ours,
};

const ON_A_TORUS: &str = "A judgement on waits. Cases: the log of the iPSC/860 at NASA Ames brought to a load of \
                          0.75, by tenths of its jobs, and jobs of its sizes and run times at the same load. The torus has 4x4x8 \
                          nodes. The source has not been at hand; which of its logs and loads the sentence is about, it does not \
                          say there. Moves cost nothing: so they are worth no more than here.";

pub(crate) static MOVES_HELP: Statement = Statement {
    id: "krevat-2002/abstract/moves-help",
    source: &KREVAT,
    place: "abstract",
    quote: "",
    says: "Where jobs start in turn, to move those that run shortens waits",
    reading: ON_A_TORUS,
    status: Status::Derived,
};

pub(crate) static BACKFILLING_MORE_THAN_MOVES: Statement = Statement {
    id: "krevat-2002/abstract/backfilling-more",
    source: &KREVAT,
    place: "abstract",
    quote: "",
    says: "Backfilling shortens waits more than moves",
    reading: ON_A_TORUS,
    status: Status::Derived,
};

pub(crate) static BOTH_MORE: Statement = Statement {
    id: "krevat-2002/abstract/both-more",
    source: &KREVAT,
    place: "abstract",
    quote: "",
    says: "Backfilling and moves together shorten waits more than either",
    reading: ON_A_TORUS,
    status: Status::Derived,
};

pub(crate) static SAME_END_SOONER: Statement = Statement {
    id: "locox/places/same-end-sooner",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Jobs wait less if each runs, of the boxes of the smallest surface, where its neighbours end at about the same time, than \
           where it has most neighbours",
    reading: "The idea of Tang and others 2011 (walltime-aware allocation), by their abstract; the rule is ours: each node beside a box \
              counts the more, the nearer the two ends are, as the shorter of the two times left by the longer one. In turn, and with \
              backfilling; jobs as in the rows on moves.",
    status: Status::Ours,
};

pub(crate) static LEAST_LOSES_LESS: Statement = Statement {
    id: "locox/places/least-loses-less",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "To stop those jobs that lose the least work together loses less than to stop the cheapest first and let those run on that \
           are not needed",
    reading: "In turn: room is made for the first in line if no more is lost than it gains. Jobs of the model as in the rows on moves; of \
              the log there is one run, which is no comparison.",
    status: Status::Ours,
};
