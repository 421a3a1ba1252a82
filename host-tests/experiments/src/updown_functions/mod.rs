//! What f, g, h and l do: the study's pool under several sets of functions.

mod sides;

use super::pools::{BANK, CLASSES, DAY, SOURCE, first_reading, number};
use super::sources::updown as says;
use super::thresholds::UPDOWN_STEADY;
use super::{Experiment, Findings, Lab};
use locox::fair::{Amount, Line, Linear, ScheduleIndex, UpDown};
use locox::time::Duration;
use locox_models::stats::{Estimate, mean};
use locox_models::workstation::{Functions, Movement, Outcome, Pool, Use};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{
    Axis, Block, Cell, Claim, Fact, Gallery, Plot, Series, Shape, Statement, Table,
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
    statements: &[
        &says::HEAVY_HIGH,
        &says::LIGHT_LOW,
        &says::STABILISE,
        &says::CHANGE_SIDES,
        &says::SI_INCREASES,
        &says::SI_DECREASES,
        &says::FUNCTIONS_HARDLY,
        &says::FUNCTIONS_IF_SCARCE,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
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
    let condor = Functions::Condor.with_step(Amount::from_int(STEP));
    let runs = lab.either(4, 10);
    let sides = sides::measure(lab, first_reading(HEAVY), runs, condor);
    let mut claims = claims(ample, scarce);
    claims.extend(sides.claims());
    Findings {
        parameters: vec![
            Fact::new("pool", format!("as in updown-study, the heavy user has {HEAVY} jobs")),
            Fact::new("simulated time", format!("{days} days; users change sides in 19.9")),
            Fact::new("replications", format!("{replications}; {runs} of users who change sides")),
        ],
        claims,
        results: vec![
            Block::Table(table("With a bank of 6", ample)),
            Block::Gallery(gallery(&ample[..Functions::ALL.len()])),
            Block::Plot(sides.plot()),
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
    CLASSES.map(|(_, stations)| mean(&indices[stations].iter().map(number).collect::<Vec<_>>()))
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
    let kernel = &ample[..Functions::ALL.len()];
    let mut claims = Vec::from(ranked(kernel));
    claims.push(stabilised(ample, kernel));
    claims.extend([hardly_matter(kernel), matter_if_scarce(scarce)]);
    claims
}

/// Set by set.
fn ranked(sets: &[Measured]) -> [Claim; 2] {
    let told = |of: &Measured| {
        let [light, medium, heavy] = [0, 1, 2].map(|class| of.index(class));
        format!(
            "Mean index with the functions \"{}\": light {light:.0}, medium {medium:.0}, heavy \
             {heavy:.0}.",
            of.name
        )
    };
    let told = sets.iter().map(told).collect::<Vec<_>>().join(" ");
    let above = |class: usize, others: [usize; 2], expected| -> Vec<Case> {
        let case = |set: &Measured, other: usize| {
            let name = format!("{}: {} over {}", set.name, CLASSES[class].0, CLASSES[other].0);
            // Per cent of the heavy user's index, which each set has its own scale of.
            let scale = set.index(2).mean.abs().max(1.0);
            let by = |run: &Watched| 100.0 * (run.indices[class] - run.indices[other]) / scale;
            Case::new(name, set.runs.iter().map(by).collect(), expected)
        };
        sets.iter().flat_map(|set| others.map(|other| case(set, other))).collect()
    };
    let judge = |statement: &'static Statement, cases: Vec<Case>| {
        judge::every(&cases, Unit("% of the heavy user's index", 0)).on(statement, told.clone())
    };
    [
        judge(&says::HEAVY_HIGH, above(2, [0, 1], Expected::MORE)),
        judge(&says::LIGHT_LOW, above(0, [1, 2], Expected::LESS)),
    ]
}

/// A light user's index stays closer to zero than in the same pool without h and l, set by set.
fn stabilised(ample: &[Measured], sets: &[Measured]) -> Claim {
    let without = named(ample, NEVER_BACK);
    let off = |run: &Watched| run.indices[0].abs();
    let case = |set: &Measured| {
        let pairs = set.runs.iter().zip(&without.runs);
        let closer = pairs.map(|(with, without)| off(with) - off(without)).collect();
        Case::new(set.name, closer, Expected::LESS)
    };
    let constant = named(ample, Functions::Constant.name());
    judge::every(&sets.iter().map(case).collect::<Vec<_>>(), INDEX).on(
        &says::STABILISE,
        format!(
            "With constant functions the mean index of a light user is {:.0}, without h and l {:.0}. \
             They do nothing for users who always want something: the heavy one's index is {:.0} and \
             rises for as long as the run lasts, as it is never without a processor for long.",
            constant.index(0),
            without.index(0),
            constant.index(2),
        ),
    )
}

/// Of how much the wait ratio of light users changes from one set to others, in per cent.
fn changes(from: &Measured, to: &[&Measured], expected: Expected) -> Vec<Case> {
    let ratio = |run: &Watched| run.outcome.of(CLASSES[0].1.clone()).wait_ratio();
    let case = |to: &&Measured| {
        let pairs = from.runs.iter().zip(&to.runs);
        let by = pairs.map(|(from, to)| 100.0 * (ratio(to) / ratio(from) - 1.0)).collect();
        Case::new(to.name, by, expected)
    };
    to.iter().map(case).collect()
}

fn hardly_matter(kernel: &[Measured]) -> Claim {
    let others: Vec<&Measured> = kernel.iter().skip(1).collect();
    let cases = changes(&kernel[0], &others, Expected::alike(UPDOWN_STEADY));
    let told = format!("With Condor's the ratio is {:.2}.", kernel[0].ratio(0));
    judge::every(&cases, Unit("%", 1)).on(&says::FUNCTIONS_HARDLY, told)
}

fn matter_if_scarce(scarce: &[Measured]) -> Claim {
    let constant = named(scarce, Functions::Constant.name());
    let others = ["constant, l a tenth", "constant, f twice"].map(|name| named(scarce, name));
    let ratio = |run: &Watched| run.outcome.of(CLASSES[0].1.clone()).wait_ratio();
    let case = |to: &&Measured| {
        let pairs = constant.runs.iter().zip(&to.runs);
        let by = pairs.map(|(from, to)| ratio(to) - ratio(from)).collect();
        Case::new(to.name, by, Expected::MORE)
    };
    judge::every(&others.each_ref().map(case), Unit("of the ratio", 3)).on(
        &says::FUNCTIONS_IF_SCARCE,
        format!(
            "The ratio is {:.3} with constant functions, {:.3} with l a tenth and {:.3} with f twice. \
             l forgets that a light user has waited as soon as its own station is available, while \
             those who wait without pause and share the one processor fall ever lower, unless having \
             it costs more than waiting earns.",
            constant.ratio(0),
            others[0].ratio(0),
            others[1].ratio(0),
        ),
    )
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
            x: Axis::linear("time since the start (days)"),
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
    use crate::pools::check::{self, assert_all, of};
    use locox_report::report::Verdict::{DoesNotHold, Holds};

    #[test]
    fn indices_tell_heavy_from_light_users_under_every_set() {
        let claims = check::quick(&EXPERIMENT);
        assert_all(&claims, &EXPERIMENT.statements[..6], Holds);
        assert_all(&claims, &[&says::FUNCTIONS_HARDLY, &says::FUNCTIONS_IF_SCARCE], Holds);
    }

    fn run_by(name: &'static str, [f, g, h, l]: [u32; 4]) -> Measured {
        let flat = |step| Line::flat(Amount::from_int(step));
        let movement = Movement::Linear(Linear { f: flat(f), g: flat(g), h: flat(h), l: flat(l) });
        let set = Set { name, movement };
        let run = |replication| watch(&set, BANK, Duration::from_ticks(20 * DAY), (1, replication));
        Measured { name, runs: (0..3).map(run).collect() }
    }

    /// Functions by which holding costs nothing.
    pub(super) fn planted() -> [Vec<Claim>; 2] {
        [[10, 10, 10, 10], [0, 10, 10, 10]]
            .map(|set| ranked(&[run_by(Functions::Constant.name(), set)]).into())
    }

    /// A table in which holding costs nothing; one that brings nothing back to zero.
    #[test]
    fn wrong_functions_are_caught() {
        let constant = Functions::Constant.name();
        let free = [run_by(constant, [0, 10, 10, 10])];
        let free = ranked(&free);
        assert_all(&free, &[&says::LIGHT_LOW], DoesNotHold);
        assert!(!of(&free, &says::HEAVY_HIGH).contains(&Holds));
        let (sound, never_back) = ([10, 10, 10, 10], [10, 10, 0, 0]);
        let stabilised = |set: [u32; 4], without: [u32; 4]| {
            let both = [run_by(constant, set), run_by(NEVER_BACK, without)];
            of(&[stabilised(&both, &both[..1])], &says::STABILISE)
        };
        assert_eq!(stabilised(sound, never_back), [Holds]);
        assert_eq!(stabilised(never_back, sound), [DoesNotHold]);
    }
}
