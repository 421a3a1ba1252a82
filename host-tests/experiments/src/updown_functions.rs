//! What f, g, h and l do: the study's pool under several sets of functions.

use super::pools::{BANK, CLASSES, DAY, SOURCE, first_reading};
use super::{Experiment, Findings, Lab};
use locox::fair::{Amount, Line, Linear, ScheduleIndex, UpDown};
use locox::time::Duration;
use locox_models::stats::{Estimate, mean};
use locox_models::workstation::{Functions, Movement, Outcome, Pool, Use};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{
    Axis, Block, Cell, Claim, Fact, Gallery, Judged, Plot, Series, Shape, Statement, Table, Verdict,
};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "updown-functions",
    title: "The four functions of Up-Down",
    source: SOURCE,
    about: "f raises the index of a station for each processor that it holds, g lowers that of one \
            that waits, h and l bring it back to zero when it wants nothing. The source says what \
            they are for, but not what they are. Here the pool of the study, with the heavy user at \
            seven jobs, runs under the kernel's four sets, and under constant ones of which one is \
            changed at a time; once with the bank of the study and once with a bank of one, where \
            there is not enough for the light users alone.",
    statements: &[],
    run: |lab| Ok(run(lab)),
};

const HEAVY: u32 = 7;
const SCARCE: u32 = 1;
const STEP: u32 = 10;

/// Intervals between two points of a trace.
const TRACE_EVERY: usize = 6;
const TRACE_DAYS: u64 = 14;

struct Set {
    name: &'static str,
    movement: Movement,
}

/// A run, with each class's mean index and the first days of the indices.
struct Watched {
    outcome: Outcome,
    indices: [f64; 3],
    trace: Vec<(f64, [f64; 3])>,
}

struct Measured {
    name: &'static str,
    runs: Vec<Watched>,
}

fn sets() -> Vec<Set> {
    let step = Amount::from_int(STEP);
    let kernel = Functions::ALL.map(|functions| {
        let name = functions.name();
        Set { name, movement: functions.with_step(step) }
    });
    let flat = Line::flat(step);
    let even = Linear { f: flat, g: flat, h: flat, l: flat };
    let amounts = [step.times(2), step.times(10), Amount::from_int(STEP / 10), Amount::from_int(0)];
    let [double, tenfold, tenth, nothing] = amounts.map(Line::flat);
    let changed = [
        ("constant, f twice", Linear { f: double, ..even }),
        ("constant, g twice", Linear { g: double, ..even }),
        ("constant, h tenfold", Linear { h: tenfold, ..even }),
        ("constant, h a tenth", Linear { h: tenth, ..even }),
        ("constant, l tenfold", Linear { l: tenfold, ..even }),
        ("constant, l a tenth", Linear { l: tenth, ..even }),
        (NEVER_BACK, Linear { h: nothing, l: nothing, ..even }),
    ];
    let changed = changed.map(|(name, set)| Set { name, movement: Movement::Linear(set) });
    kernel.into_iter().chain(changed).collect()
}

fn run(lab: &Lab) -> Findings {
    let (days, replications) = lab.either((30, 3), (730, 5));
    let sets = sets();
    let banks = [BANK, SCARCE];
    let cases = banks.into_iter().flat_map(|bank| sets.iter().map(move |set| (set, bank)));
    let one = |(set, bank)| (0..replications).map(move |replication| (set, bank, replication));
    let items: Vec<(&Set, u32, u64)> = cases.flat_map(one).collect();
    let runs = lab.parallel(&items, |&(set, bank, replication)| {
        watch(set, bank, Duration::from_ticks(days * DAY), (lab.seed, replication))
    });
    let mut runs = runs.into_iter();
    let measured: Vec<Measured> = items
        .chunks(replications as usize)
        .map(|chunk| Measured {
            name: chunk[0].0.name,
            runs: runs.by_ref().take(chunk.len()).collect(),
        })
        .collect();
    let (ample, scarce) = measured.split_at(sets.len());
    Findings {
        parameters: vec![
            Fact::new("pool", format!("as in updown-study, the heavy user has {HEAVY} jobs")),
            Fact::new("simulated time", format!("{days} days")),
            Fact::new("replications", replications),
        ],
        claims: claims(ample, scarce),
        results: vec![
            Block::Table(table("With a bank of 6", ample)),
            Block::Gallery(gallery(&ample[..Functions::ALL.len()])),
            Block::Table(table("With a bank of 1", scarce)),
        ],
    }
}

fn watch(set: &Set, bank: u32, span: Duration, (seed, replication): (u64, u64)) -> Watched {
    let pool = Pool { bank, span, ..first_reading(HEAVY) };
    let table = vec![ScheduleIndex::ZERO; pool.stations.len()];
    let fair = UpDown::new(table, set.movement).shuffled();
    let (mut sums, mut count, mut trace) = ([0.0; 3], 0, Vec::new());
    let outcome = pool.run_by(fair, seed, replication, |now, fair| {
        let indices = by_class(fair.indices());
        sums.iter_mut().zip(indices).for_each(|(sum, index)| *sum += index);
        if count % TRACE_EVERY == 0 && now.ticks() <= TRACE_DAYS * DAY {
            trace.push((now.ticks() as f64 / DAY as f64, indices));
        }
        count += 1;
    });
    let outcome = outcome.expect("the experiment's own parameters fit");
    Watched { outcome, indices: sums.map(|sum| sum / count as f64), trace }
}

fn by_class(indices: &[ScheduleIndex]) -> [f64; 3] {
    let value = |index: &ScheduleIndex| {
        f64::from(index.bits()) / f64::from(1 << ScheduleIndex::FRACTION_BITS)
    };
    CLASSES.map(|(_, stations)| mean(&indices[stations].iter().map(value).collect::<Vec<_>>()))
}

impl Measured {
    fn estimate(&self, figure: impl Fn(&Watched) -> f64) -> Estimate {
        Estimate::of(&self.runs.iter().map(figure).collect::<Vec<_>>())
    }

    fn class(&self, class: usize, figure: fn(&Use) -> f64) -> Estimate {
        self.estimate(|run| figure(&run.outcome.of(CLASSES[class].1.clone())))
    }

    fn ratio(&self, class: usize) -> Estimate {
        self.class(class, |user| user.remote / user.wait.max(1.0))
    }

    fn index(&self, class: usize) -> Estimate {
        self.estimate(|run| run.indices[class])
    }
}

/// The set in which nothing brings an index back to zero.
const NEVER_BACK: &str = "constant, h and l nothing";

const INDEX: Unit = Unit("of the index", 0);

fn claims(ample: &[Measured], scarce: &[Measured]) -> Vec<Claim> {
    let (default, constant) = (&ample[0], &ample[1]);
    let kernel = &ample[..Functions::ALL.len()];
    let lights: Vec<f64> = kernel.iter().map(|one| one.ratio(0).mean).collect();
    let low = lights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = lights.iter().copied().fold(0.0, f64::max);
    vec![
        heavy_above_light(kernel).claim(
            "A station with a heavy user has a high index, one with a light user a low one",
            "Mutka and Livny 1987, section 5.1",
            format!(
                "Mean index with Condor's functions: light {:.0}, medium {:.0}, heavy {:.0}. How \
                 much higher heavy is than light, set by set.",
                default.index(0),
                default.index(1),
                default.index(2)
            ),
        ),
        stabilised(kernel, named(ample, NEVER_BACK)).claim(
            "h and l stabilise the index of a station that wants nothing",
            "Slides on Up-Down 1990, slide 12",
            format!(
                "How much closer to zero they keep the mean index of a light user, who wants nothing \
                 while its own station is available, than functions without h and l do, set by set. \
                 With constant functions it is {:.0}, without h and l {:.0}. They do nothing for \
                 users who always want something: the heavy one's index is {:.0}, with h tenfold \
                 {:.0}, and rises for as long as the run lasts, as it is never without a processor \
                 for long.",
                constant.index(0),
                named(ample, NEVER_BACK).index(0),
                constant.index(2),
                named(ample, "constant, h tenfold").index(2)
            ),
        ),
        Claim {
            statement: Statement::unnamed("f, g, h and l themselves".into(), SOURCE.into()),
            variant: String::new(),
            verdict: Verdict::SourceDoesNotSay,
            judged: None,
            evidence: format!(
                "With enough processors a light user's wait ratio is between {low:.2} and \
                 {high:.2} under the kernel's four sets: the choice does not matter. With a bank \
                 of one it does: light users get a ratio of {:.3} with Condor's functions, {:.3} \
                 with l a tenth and {:.3} with f twice. l forgets that a light user has waited as \
                 soon as its own station is available, while those who wait without pause and \
                 share the one processor fall ever lower, unless having it costs more than \
                 waiting earns.",
                scarce[0].ratio(0),
                named(scarce, "constant, l a tenth").ratio(0),
                named(scarce, "constant, f twice").ratio(0),
            ),
        },
    ]
}

/// Set by set.
fn heavy_above_light(sets: &[Measured]) -> Judged {
    let above = |run: &Watched| run.indices[2] - run.indices[0];
    judge::every(&cases(sets, above, Expected::MORE), INDEX)
}

/// A light user's index stays closer to zero than in the same pool without h and l.
fn stabilised(sets: &[Measured], without: &Measured) -> Judged {
    let off = |run: &Watched| run.indices[0].abs();
    let case = |set: &Measured| {
        let pairs = set.runs.iter().zip(&without.runs);
        let closer = pairs.map(|(with, without)| off(with) - off(without)).collect();
        Case::new(set.name, closer, Expected::LESS)
    };
    judge::every(&sets.iter().map(case).collect::<Vec<_>>(), INDEX)
}

fn cases(sets: &[Measured], figure: fn(&Watched) -> f64, expected: Expected) -> Vec<Case> {
    let case =
        |set: &Measured| Case::new(set.name, set.runs.iter().map(figure).collect(), expected);
    sets.iter().map(case).collect()
}

fn named<'a>(list: &'a [Measured], name: &str) -> &'a Measured {
    list.iter().find(|one| one.name == name).expect("it is one of the sets")
}

fn table(title: &str, list: &[Measured]) -> Table {
    let columns = [
        ("functions", "functions"),
        ("light_ratio", "wait ratio: light"),
        ("medium_ratio", "medium"),
        ("heavy_ratio", "heavy"),
        ("light_index", "mean index: light"),
        ("medium_index", "medium"),
        ("heavy_index", "heavy"),
        ("preemptions", "preemptions a day"),
        ("throughput", "jobs a day"),
    ];
    let mut table = Table::new(title, &columns).with_details_from("preemptions");
    for one in list {
        let mut row = vec![Cell::text(one.name)];
        row.extend([0, 1, 2].map(|class| Cell::Estimate(one.ratio(class), 3)));
        row.extend([0, 1, 2].map(|class| Cell::Estimate(one.index(class), 0)));
        let days = |run: &Watched| run.outcome.span / DAY as f64;
        let daily = |run: &Watched| run.outcome.preemptions as f64 / days(run);
        row.push(Cell::Estimate(one.estimate(daily), 1));
        row.push(Cell::Estimate(one.estimate(|run| run.outcome.throughput()), 1));
        table.push(row);
    }
    table
}

/// The indices of the first replication.
fn gallery(list: &[Measured]) -> Gallery {
    let plot = |one: &Measured| {
        let trace = one.runs.first().map_or(&[][..], |run| &run.trace);
        let series = [0, 1, 2].map(|class| {
            let points = trace.iter().map(|(at, indices)| (*at, indices[class]));
            Series::exact(CLASSES[class].0, Shape::Step, points)
        });
        Plot {
            title: one.name.into(),
            caption: String::new(),
            x: Axis::linear("days"),
            y: Axis::linear("schedule index"),
            series: series.into(),
        }
    };
    Gallery {
        title: "Indices over the first two weeks.".into(),
        caption: "Light: the mean of all eleven. The bank has 6 processors.".into(),
        plots: list.iter().map(plot).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pools::quick_verdicts;
    use Verdict::{DoesNotHold, Holds, SourceDoesNotSay};

    #[test]
    fn indices_tell_heavy_from_light_users_under_every_set() {
        assert_eq!(quick_verdicts(run), [Holds, Holds, SourceDoesNotSay]);
    }

    fn measured(set: &Set) -> Vec<Measured> {
        let run = |replication| watch(set, BANK, Duration::from_ticks(20 * DAY), (1, replication));
        vec![Measured { name: set.name, runs: (0..3).map(run).collect() }]
    }

    /// Functions without h and l; users mistaken for each other.
    #[test]
    fn every_verdict_can_fail() {
        let flat = |step| Line::flat(Amount::from_int(step));
        let set = |f, g, h, l| {
            let movement =
                Movement::Linear(Linear { f: flat(f), g: flat(g), h: flat(h), l: flat(l) });
            measured(&Set { name: "made up", movement })
        };
        let sound = set(10, 10, 10, 10);
        assert_eq!(heavy_above_light(&sound).verdict, Holds);
        let never_back = set(10, 10, 0, 0);
        assert_eq!(stabilised(&sound, &never_back[0]).verdict, Holds);
        assert_eq!(stabilised(&never_back, &sound[0]).verdict, DoesNotHold);
        let mut mistaken = sound;
        mistaken[0].runs.iter_mut().for_each(|run| run.indices.reverse());
        assert_eq!(heavy_above_light(&mistaken).verdict, DoesNotHold);
    }
}
