//! A tick of Up-Down over ten to a million stations.

use super::{Experiment, Findings, Lab};
use crate::pools::SOURCE;
use crate::sources::updown as says;
use crate::thresholds::UPDOWN_COORDINATOR;
use locox::fair::{
    Capacity, Condor, Contender, Decision, Demand, Fairness, Round, ScheduleIndex, UpDown,
};
use locox_models::stats::percentile;
use locox_models::streams::{Stream, stream};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Axis, Block, Cell, Claim, Fact, Plot, Series, Shape, Table};
use rand::RngExt;
use std::time::{Duration, Instant};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "updown-scale",
    title: "Up-Down from ten to a million stations",
    source: SOURCE,
    about: "At each tick one station in a hundred changes: half of them are holders whose job ends, \
            the other half idle stations that get one. Then the table of indices is updated, and a \
            round of allocation is held. A third of the stations hold a processor. With a tenth of \
            the processors to spare nobody waits for long; with none to spare and a tenth of the \
            stations waiting, some seventy in a thousand take one from another at every tick. A \
            quick run counts only and measures no time: its results are the same on every machine. \
            For exact figures there are the benchmarks.",
    statements: &[&says::COORDINATOR],
    run: |lab| Ok(run(lab)),
};

/// How many want how much.
#[derive(Clone, Copy, PartialEq)]
enum Load {
    /// A tenth of the processors is spare.
    Spare,
    /// No processor is spare, and one station in ten waits.
    Contended,
}

const LOADS: [Load; 2] = [Load::Spare, Load::Contended];

impl Load {
    const fn name(self) -> &'static str {
        match self {
            Self::Spare => "a tenth to spare",
            Self::Contended => "none to spare",
        }
    }
}

struct Measured {
    stations: usize,
    load: Load,
    /// Decisions in a tick, on average.
    decisions: f64,
    /// Of each tick; `None` if they were not timed.
    nanoseconds: Option<Vec<f64>>,
}

impl Measured {
    fn median(&self) -> Option<f64> {
        let mut times = self.nanoseconds.clone()?;
        times.sort_unstable_by(f64::total_cmp);
        percentile(&times, 0.5)
    }
}

fn run(lab: &Lab) -> Findings {
    let sizes: &[usize] =
        lab.either(&[10, 100, 1000, 10_000], &[10, 100, 1000, 10_000, 100_000, 1_000_000]);
    let patience = lab.either(None, Some(Duration::from_millis(500)));
    // One after the other: they would disturb each other's times.
    let cases = LOADS.into_iter().flat_map(|load| sizes.iter().map(move |&size| (load, size)));
    let measure = |(load, size)| measure(load, size, lab.seed, patience);
    let measured: Vec<_> = cases.map(measure).collect();
    let mut results = vec![Block::Table(table(&measured))];
    results.extend(plot(&measured).map(Block::Plot));
    Findings {
        parameters: vec![
            Fact::new("functions", "Condor's"),
            Fact::new(
                "memory",
                format!(
                    "{} bytes a station, and {} for each decision that a round finds in one pass",
                    bytes_a_station(),
                    2 * size_of::<Contender>()
                ),
            ),
        ],
        claims: vec![claim(&measured)],
        results,
    }
}

const fn bytes_a_station() -> usize {
    size_of::<ScheduleIndex>() + size_of::<Demand>()
}

/// Ticks before any is counted.
const WARM_UP: u32 = 20;
/// Ticks that are counted at least.
const FEWEST: u32 = 20;

fn measure(load: Load, stations: usize, seed: u64, patience: Option<Duration>) -> Measured {
    let mut town = Town::new(load, stations, seed);
    for _ in 0..WARM_UP {
        town.tick();
    }
    let begun = Instant::now();
    let (mut ticks, mut decisions, mut times) = (0, 0, Vec::new());
    while ticks < FEWEST || patience.is_some_and(|patience| begun.elapsed() < patience) {
        let (decided, tick) = town.tick();
        ticks += 1;
        if ticks <= FEWEST {
            decisions += decided;
        }
        times.push(tick.as_nanos() as f64);
    }
    Measured {
        stations,
        load,
        decisions: f64::from(decisions) / f64::from(FEWEST),
        nanoseconds: patience.map(|_| times),
    }
}

struct Town {
    fair: UpDown<Vec<ScheduleIndex>>,
    demand: Vec<Demand>,
    scratch: Vec<Contender>,
    nodes: u32,
    held: u32,
    random: Stream,
}

impl Town {
    fn new(load: Load, stations: usize, seed: u64) -> Self {
        let waits = |station| load == Load::Contended && station % 10 == 1;
        let first = |station| Demand {
            wants: u16::from(waits(station)),
            holds: u16::from(station % 3 == 0),
        };
        let demand: Vec<_> = (0..stations).map(first).collect();
        let held = demand.iter().map(|one| u32::from(one.holds)).sum();
        Self {
            fair: UpDown::new(vec![ScheduleIndex::ZERO; stations], Condor::default()),
            demand,
            scratch: vec![Contender::EMPTY; (stations / 25).max(8)],
            nodes: if load == Load::Spare { held + held / 10 } else { held },
            held,
            random: stream(seed, "changes", stations as u64),
        }
    }

    fn change(&mut self) {
        for change in 0..(self.demand.len() / 100).max(1) {
            let ends = change % 2 == 0;
            let Some(station) = self.seek(ends) else { continue };
            let one = &mut self.demand[station];
            if ends {
                one.holds -= 1;
                self.held -= 1;
            } else {
                one.wants += 1;
            }
        }
    }

    /// Some station that holds a processor, or that has nothing to do.
    fn seek(&mut self, holds: bool) -> Option<usize> {
        const TRIES: usize = 100;
        let any = std::iter::repeat_with(|| self.random.random_range(0..self.demand.len()));
        any.take(TRIES).find(|&station| {
            let one = self.demand[station];
            if holds { one.holds > 0 } else { one == Demand::default() }
        })
    }

    /// Decisions, and the time of update and round.
    fn tick(&mut self) -> (u32, Duration) {
        self.change();
        let begun = Instant::now();
        self.fair.update(&self.demand).expect("the table has as many stations");
        let capacity = Capacity { nodes: self.nodes, free: self.nodes - self.held };
        let round = Round::new(&mut self.fair, &self.demand, capacity, (), &mut self.scratch);
        let mut round = round.expect("holdings are counted");
        let mut decided = 0;
        while let Some(decision) = round.next(&mut self.fair, &self.demand) {
            decided += 1;
            let to = match decision {
                Decision::Grant { to, .. } => {
                    self.held += 1;
                    to
                }
                Decision::Preempt { from, to, .. } => {
                    let yields = &mut self.demand[from.0 as usize];
                    yields.holds -= 1;
                    yields.wants += 1;
                    to
                }
            };
            let gets = &mut self.demand[to.0 as usize];
            gets.holds += 1;
            gets.wants -= 1;
        }
        (decided, begun.elapsed())
    }
}

/// The shortest interval of the sources, that of Condor's polls, in nanoseconds.
const INTERVAL: f64 = 120e9;

fn claim(measured: &[Measured]) -> Claim {
    let expected = Expected::Inside(f64::NEG_INFINITY, UPDOWN_COORDINATOR);
    let case = |one: &Measured| {
        let shares = one.nanoseconds.as_ref()?.iter().map(|time| 100.0 * time / INTERVAL).collect();
        Some(Case::new(format!("{} stations, {}", one.stations, one.load.name()), shares, expected))
    };
    let cases: Vec<Case> = measured.iter().filter_map(case).collect();
    let slowest = measured.iter().filter_map(|one| Some((one, one.median()?)));
    let evidence = match slowest.max_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((one, median)) => format!(
            "A tick over {} stations, {}, takes {:.2} ms on this machine, {:.5} % of two minutes.",
            one.stations,
            one.load.name(),
            median / 1e6,
            100.0 * median / INTERVAL
        ),
        None => "A quick run measures no time.".into(),
    };
    let unit = Unit("% of an interval of two minutes", 5);
    judge::every(&cases, unit).on(&says::COORDINATOR, evidence)
}

fn table(measured: &[Measured]) -> Table {
    let columns = [
        ("load", "processors"),
        ("stations", "stations"),
        ("memory_kib", "memory (KiB)"),
        ("decisions", "decisions a tick"),
        ("tick_us", "tick (us)"),
        ("ns_per_station", "ns a station"),
    ];
    let mut table = Table::new("Update and round", &columns);
    for one in measured {
        let timed = |digits, scale: f64| match one.median() {
            Some(time) => Cell::Number(time / scale, digits),
            None => Cell::Missing,
        };
        table.push(vec![
            Cell::text(one.load.name()),
            Cell::Count(one.stations as u64),
            Cell::Number((one.stations * bytes_a_station()) as f64 / 1024.0, 1),
            Cell::Number(one.decisions, 1),
            timed(2, 1e3),
            timed(2, one.stations as f64),
        ]);
    }
    table
}

fn plot(measured: &[Measured]) -> Option<Plot> {
    let timed = |one: &Measured| Some((one.stations as f64, one.median()? / one.stations as f64));
    let series = |load: Load| {
        let points: Option<Vec<_>> =
            measured.iter().filter(|one| one.load == load).map(timed).collect();
        Some(Series::exact(load.name(), Shape::Line, points?))
    };
    Some(Plot {
        title: "Time of a tick for each station.".into(),
        caption: "Medians on one core of this machine.".into(),
        x: Axis::log("stations"),
        y: Axis::linear("ns a station"),
        series: LOADS.into_iter().map(series).collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::report::Verdict;

    #[test]
    fn the_verdict_can_fail() {
        let verdict = |milliseconds: Option<f64>| {
            let ticks = |middle: f64| [0.9, 1.0, 1.1].map(|by| by * 1e6 * middle).into();
            let nanoseconds = milliseconds.map(ticks);
            let one = Measured { stations: 10, load: Load::Spare, decisions: 1.0, nanoseconds };
            claim(&[one]).verdict
        };
        assert_eq!(verdict(Some(5.0)), Verdict::Holds);
        assert_eq!(verdict(Some(5_000.0)), Verdict::DoesNotHold);
        assert_eq!(verdict(None), Verdict::Undecided);
    }

    #[test]
    fn a_town_keeps_count_of_its_processors() {
        for (load, least) in [(Load::Spare, 1000), (Load::Contended, 10_000)] {
            let mut town = Town::new(load, 3000, 1);
            let mut decided = 0;
            for _ in 0..100 {
                decided += town.tick().0;
                let held: u32 = town.demand.iter().map(|one| u32::from(one.holds)).sum();
                assert_eq!(held, town.held);
                assert!(town.held <= town.nodes);
            }
            assert!(decided > least, "{decided}");
        }
    }
}
