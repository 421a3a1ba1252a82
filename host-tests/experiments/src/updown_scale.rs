//! What a tick of Up-Down looks at, over ten to a million stations.

use super::{Experiment, Findings, Lab};
use crate::pools::SOURCE;
use crate::sources::updown as says;
use crate::thresholds::UPDOWN_COORDINATOR;
use locox::fair::{
    Capacity, Condor, Contender, Decision, Demand, Fairness, Misuse, Reason, Round, ScheduleIndex,
    StationId, UpDown,
};
use locox_models::stats::mean;
use locox_models::streams::{Stream, stream};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::parallel;
use locox_report::report::{Axis, Block, Cell, Claim, Fact, Plot, Series, Shape, Table};
use rand::RngExt;
use std::cell::Cell as Counter;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "updown-scale",
    title: "Up-Down from ten to a million stations",
    source: SOURCE,
    about: "At each tick one station in a hundred changes: half of them are holders whose job ends, \
            the other half idle stations that get one. Then the table of indices is updated, and a \
            round of allocation is held. A third of the stations hold a processor. With a tenth of \
            the processors to spare nobody waits for long; with none to spare and a tenth of the \
            stations waiting, some seventy in a thousand take one from another at every tick. It is \
            counted how often the index of a station is looked at, and messages, which is the same on \
            every machine. Times are benchmarks: `cargo bench -p locox-lab --bench stations`.",
    statements: &[&says::COORDINATOR],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
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

/// The pool of the slides' month.
const STATIONS: usize = 23;
/// What a look at an index is taken for, in instructions, and a message.
const LOOK: f64 = 100.0;
const MESSAGE: f64 = 10_000.0;
/// Instructions of a station in the shortest interval of the sources, the two minutes of a poll: of a
/// MicroVAX II, of 2 million a second.
const CAPACITY: f64 = 120.0 * 2e6;

struct Counted {
    stations: usize,
    load: Load,
    /// Decisions in a tick, on average.
    decisions: f64,
    /// Messages in a tick, on average.
    messages: f64,
    /// Looks in each tick.
    looks: Vec<f64>,
    /// Per cent of a station, in each tick.
    shares: Vec<f64>,
}

impl Counted {
    fn mean(&self) -> f64 {
        mean(&self.looks)
    }

    /// Per cent of a station.
    fn share(&self) -> f64 {
        mean(&self.shares)
    }
}

/// What a coordinator does in a tick.
#[derive(Clone, Copy, Default)]
struct Work {
    decided: u32,
    messages: u64,
    looks: u64,
}

impl Work {
    /// Per cent of a station.
    fn share(self) -> f64 {
        100.0 * (self.messages as f64 * MESSAGE + self.looks as f64 * LOOK) / CAPACITY
    }
}

fn run(lab: &Lab) -> Findings {
    let sizes: &[usize] = lab.either(
        &[10, STATIONS, 100, 1000, 10_000],
        &[10, STATIONS, 100, 1000, 10_000, 100_000, 1_000_000],
    );
    let ticks = lab.either(20, 200);
    let counted = count(sizes, lab.seed, ticks, Town::tick);
    Findings {
        parameters: vec![
            Fact::new("functions", "Condor's"),
            Fact::new("ticks", ticks),
            Fact::new("instructions", "100 a look, 10,000 a message; 2 million a second"),
            Fact::new(
                "memory",
                format!(
                    "{} bytes a station, and {} for each decision that a round finds in one pass",
                    bytes_a_station(),
                    2 * size_of::<Contender>()
                ),
            ),
        ],
        claims: vec![claim(&counted)],
        results: vec![Block::Table(table(&counted)), Block::Plot(plot(&counted))],
    }
}

const fn bytes_a_station() -> usize {
    size_of::<ScheduleIndex>() + size_of::<Demand>()
}

/// Ticks before any is counted.
const WARM_UP: u32 = 20;

/// `interval` is what is done in an interval, in tests by a wrong rule.
fn count(
    sizes: &[usize],
    seed: u64,
    ticks: u32,
    interval: impl Fn(&mut Town) -> Work + Sync,
) -> Vec<Counted> {
    let cases = LOADS.into_iter().flat_map(|load| sizes.iter().map(move |&size| (load, size)));
    let cases: Vec<_> = cases.collect();
    parallel::map(&cases, |&(load, stations)| {
        let mut town = Town::new(load, stations, seed);
        for _ in 0..WARM_UP {
            town.tick();
        }
        let ticks: Vec<Work> = (0..ticks).map(|_| interval(&mut town)).collect();
        let each = |of: fn(&Work) -> f64| ticks.iter().map(of).collect::<Vec<f64>>();
        Counted {
            stations,
            load,
            decisions: mean(&each(|work| work.decided.into())),
            messages: mean(&each(|work| work.messages as f64)),
            looks: each(|work| work.looks as f64),
            shares: each(|work| work.share()),
        }
    })
}

/// A ranking, and how often it was asked for a station's index or moved one.
struct Watched {
    fair: UpDown<Vec<ScheduleIndex>>,
    looks: Counter<u64>,
}

impl Watched {
    fn look(&self, times: usize) {
        self.looks.set(self.looks.get() + times as u64);
    }
}

impl Fairness for Watched {
    type Draw = ();

    fn check(&self, stations: usize) -> Result<(), Misuse> {
        self.fair.check(stations)
    }

    fn update(&mut self, demand: &[Demand]) -> Result<(), Misuse> {
        self.look(demand.len());
        self.fair.update(demand)
    }

    fn begin(&mut self, draw: ()) {
        self.fair.begin(draw);
    }

    fn key(&self, station: StationId) -> u32 {
        self.look(1);
        self.fair.key(station)
    }

    fn tie(&self, station: StationId) -> u32 {
        self.fair.tie(station)
    }

    fn preempts(&self) -> bool {
        self.fair.preempts()
    }

    fn served(&mut self, station: StationId) {
        self.look(1);
        self.fair.served(station);
    }

    fn reason(&self, to: StationId, from: Option<StationId>) -> Reason {
        self.fair.reason(to, from)
    }
}

struct Town {
    fair: Watched,
    demand: Vec<Demand>,
    scratch: Vec<Contender>,
    nodes: u32,
    held: u32,
    /// So many there were: ends and arrivals in turn.
    changes: u32,
    random: Stream,
}

impl Town {
    fn new(load: Load, stations: usize, seed: u64) -> Self {
        let fair = UpDown::new(vec![ScheduleIndex::ZERO; stations], Condor::default());
        let waits = |station| load == Load::Contended && station % 10 == 1;
        let first = |station| Demand {
            wants: u16::from(waits(station)),
            holds: u16::from(station % 3 == 0),
        };
        let demand: Vec<_> = (0..stations).map(first).collect();
        let held = demand.iter().map(|one| u32::from(one.holds)).sum();
        Self {
            fair: Watched { fair, looks: Counter::new(0) },
            demand,
            scratch: vec![Contender::EMPTY; (stations / 25).max(8)],
            nodes: if load == Load::Spare { held + held / 10 } else { held },
            held,
            changes: 0,
            random: stream(seed, "changes", stations as u64),
        }
    }

    fn change(&mut self) {
        for _ in 0..(self.demand.len() / 100).max(1) {
            let ends = self.changes.is_multiple_of(2);
            self.changes += 1;
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

    /// A poll asks each station, which answers; update and round; a message for each decision.
    fn tick(&mut self) -> Work {
        self.change();
        self.fair.looks.set(0);
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
        let messages = 2 * self.demand.len() as u64 + u64::from(decided);
        Work { decided, messages, looks: self.fair.looks.get() }
    }
}

fn claim(counted: &[Counted]) -> Claim {
    let expected = Expected::Inside(f64::NEG_INFINITY, UPDOWN_COORDINATOR);
    let of_the_month = || counted.iter().filter(|one| one.stations == STATIONS);
    let case = |one: &Counted| Case::new(one.load.name(), one.shares.clone(), expected);
    let cases: Vec<Case> = of_the_month().map(case).collect();
    let told = |one: &Counted| {
        format!("{:.0} and {:.0} with {}", one.messages, one.mean(), one.load.name())
    };
    let told = of_the_month().map(told);
    let above = counted.iter().filter(|one| one.share() >= UPDOWN_COORDINATOR);
    let above = above.map(|one| one.stations).min();
    let above = above.map(|fewest| format!(" With {fewest} stations it would be more than 1 %."));
    let evidence = format!(
        "Messages and looks in a tick: {}.{}",
        told.collect::<Vec<_>>().join(", "),
        above.unwrap_or_default()
    );
    judge::every(&cases, Unit("% of a station", 3)).of_levels().on(&says::COORDINATOR, evidence)
}

fn table(counted: &[Counted]) -> Table {
    let columns = [
        ("load", "processors"),
        ("stations", "stations"),
        ("memory_kib", "memory (KiB)"),
        ("decisions", "decisions a tick"),
        ("messages", "messages a tick"),
        ("looks", "looks a tick"),
        ("looks_per_station", "looks a station"),
        ("share", "of a station (%)"),
    ];
    let mut table = Table::new("Update and round", &columns);
    for one in counted {
        table.push(vec![
            Cell::text(one.load.name()),
            Cell::Count(one.stations as u64),
            Cell::Number((one.stations * bytes_a_station()) as f64 / 1024.0, 1),
            Cell::Number(one.decisions, 1),
            Cell::Number(one.messages, 1),
            Cell::Number(one.mean(), 1),
            Cell::Number(one.mean() / one.stations as f64, 2),
            Cell::Number(one.share(), 3),
        ]);
    }
    table
}

fn plot(counted: &[Counted]) -> Plot {
    let point = |one: &Counted| (one.stations as f64, one.mean() / one.stations as f64);
    let series = LOADS.map(|load| {
        let points = counted.iter().filter(|one| one.load == load).map(point);
        Series::exact(load.name(), Shape::Line, points)
    });
    Plot {
        title: "Looks of a tick for each station.".into(),
        caption: "How often its index is looked at in an update and a round, on average.".into(),
        x: Axis::log("number of stations"),
        y: Axis::linear("looks a station"),
        series: series.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    /// A coordinator that updates and allocates once a second, and not once in two minutes.
    fn restless(town: &mut Town) -> Work {
        let add = |sum: Work, one: Work| Work {
            decided: sum.decided + one.decided,
            messages: sum.messages + one.messages,
            looks: sum.looks + one.looks,
        };
        (0..120).map(|_| town.tick()).fold(Work::default(), add)
    }

    pub(super) fn planted() -> [Vec<Claim>; 2] {
        [count(&[STATIONS], 1, 20, Town::tick), count(&[STATIONS], 1, 20, restless)]
            .map(|counted| vec![claim(&counted)])
    }

    /// Jobs that end and none that come would leave nothing to decide.
    #[test]
    fn in_the_month_of_the_slides_there_is_something_to_decide() {
        let counted = count(&[STATIONS], 1, 200, Town::tick);
        assert!(counted.iter().all(|one| one.decisions > 0.2 && one.mean() > STATIONS as f64));
    }

    /// `n * (m / k + 1)` for m decisions with room for k contenders (`Round`), and n for the update.
    #[test]
    fn a_tick_looks_as_often_as_the_documentation_of_a_round_says() {
        for one in count(&[1000], 1, 20, Town::tick) {
            let room = (1000.0 / 25.0) / 2.0;
            let most = 1000.0 * (one.decisions / room + 2.0);
            let looks = one.mean();
            assert!(looks > 1000.0 && looks < most, "{looks} of {most} with {}", one.load.name());
        }
    }

    #[test]
    fn a_town_keeps_count_of_its_processors() {
        for (load, least) in [(Load::Spare, 1000), (Load::Contended, 10_000)] {
            let mut town = Town::new(load, 3000, 1);
            let mut decided = 0;
            for _ in 0..100 {
                decided += town.tick().decided;
                let held: u32 = town.demand.iter().map(|one| u32::from(one.holds)).sum();
                assert_eq!(held, town.held);
                assert!(town.held <= town.nodes);
            }
            assert!(decided > least, "{decided}");
        }
    }
}
