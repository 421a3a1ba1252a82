//! A year of users who always want more than there is.

use super::pools::DAY;
use super::sources::updown as says;
use super::thresholds::{UPDOWN_EQUAL, UPDOWN_KEPT};
use super::{Experiment, Findings, Lab};
use locox::fair::{
    Condor, DecayParams, Fairness, Random, RoundRobin, ScheduleIndex, StationId, TimedRow,
    TimedUpDown, UpDown,
};
use locox::time::{Duration, Instant};
use locox_coordinators::station::Config;
use locox_models::workstation::{
    Arrivals, Habit, Lengths, Outcome, Pool, Recording, Station, User,
};
use locox_report::judge;
use locox_report::report::{Axis, Block, Cell, Claim, Fact, Plot, Series, Shape, Table};
use std::path::Path;
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "updown-forever",
    title: "A year of users who always want more than there is",
    source: "beyond the sources",
    about: "A bank of 300, 1,000 and 5,000 processors for a year, with everything at its default: \
            two users of whom each always wants more processors than there are, and a light one with \
            a job of two hours every six hours. Jobs of the heavy users take two hours on average. \
            Judged is the ranking that a coordinator has by default, Up-Down by elapsed time; a table that \
            moves by a step an interval, as the source's does, with functions and a range of ours, Round-Robin \
            and Random run on the same jobs.",
    statements: &[&says::EQUAL_SHARES, &says::NOTHING_SPARE, &says::LIGHT_KEEPS, &says::NO_END],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

/// Two equal ones and the light one; their own stations are never free.
const STATIONS: usize = 3;
const LIGHT: usize = 2;
const MINUTE: Duration = Duration::from_ticks(60);

/// Days until the shares count.
const SETTLED: usize = 7;
/// The rankings, each as it is by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ranking {
    Timed,
    Printed,
    Turns,
    Lots,
}

const RANKINGS: [Ranking; 4] = [Ranking::Timed, Ranking::Printed, Ranking::Turns, Ranking::Lots];

impl Ranking {
    const fn name(self) -> &'static str {
        match self {
            Self::Timed => "Up-Down by time",
            Self::Printed => "Up-Down by steps, functions ours",
            Self::Turns => "Round-Robin",
            Self::Lots => "Random",
        }
    }
}

/// A year of a bank under a ranking.
#[derive(Clone)]
struct Year {
    outcome: Outcome,
    /// The indices seen, if there are any.
    indices: Indices,
}

/// The lowest and the highest index seen, each as a share of what it can be: at 1 it is at an end of
/// its range.
#[derive(Clone, Copy, Default)]
struct Indices {
    lowest: f64,
    highest: f64,
}

/// Of an index by time, in units of 2^-40 processors times half-lives: what one that waits for ever
/// and one that holds 65,535 processors for ever come close to.
const TIMED_ENDS: [f64; 2] = [-1_586_259_972_792.0, 65_535.0 * 1_586_259_972_792.0];

impl Indices {
    fn see(&mut self, index: f64, [least, most]: [f64; 2]) {
        self.lowest = self.lowest.max(index / least);
        self.highest = self.highest.max(index / most);
    }

    fn is_at_an_end(&self) -> bool {
        self.lowest.max(self.highest) >= 1.0
    }
}

/// What the rankings made of a bank of so many, in their order.
struct Bank {
    nodes: u32,
    years: Vec<Year>,
}

fn run(lab: &Lab) -> Findings {
    let sizes: &[u32] = lab.either(&[300], &[300, 1000, 5000]);
    let days = lab.either(21, 365);
    let cases: Vec<(u32, Ranking)> =
        sizes.iter().flat_map(|&nodes| RANKINGS.map(|ranking| (nodes, ranking))).collect();
    let years = lab.parallel(&cases, |&(nodes, ranking)| year(nodes, days, ranking, lab.seed));
    let mut years = years.into_iter();
    let bank = |&nodes: &u32| Bank { nodes, years: years.by_ref().take(RANKINGS.len()).collect() };
    let banks: Vec<Bank> = sizes.iter().map(bank).collect();
    let mut results = vec![Block::Table(table(&banks))];
    results.extend(banks.iter().map(|bank| Block::Plot(plot(bank))));
    Findings {
        parameters: vec![
            Fact::new("days", days),
            Fact::new("heavy users", "2, each with more jobs than there are processors"),
            Fact::new("light user", "a job of 2 h every 6 h, exponential"),
            Fact::new("half-life, quantum, interval", "1 day, 10 min, 10 min"),
        ],
        claims: claims(&banks),
        results,
    }
}

fn pool(nodes: u32, days: u64) -> Pool {
    // The last station is available for a second once, and nobody's.
    let text = format!("{STATIONS},0,1\n");
    let recording = Recording::read(Path::new("nobody leaves"), text.as_bytes());
    let recording = Arc::new(recording.expect("it is one line"));
    let heavy = User::permanent(nodes + 20);
    let arrivals = Arrivals { every: Lengths::Exponential(6.0 * 3600.0), batch: 1 };
    let light = User { arrivals: Some(arrivals), ..User::permanent(0) };
    let users = [heavy.clone(), heavy, light];
    let station = |(station, user)| {
        let habit = Habit::Recorded { recording: Arc::clone(&recording), station };
        Station { habit, user }
    };
    Pool {
        stations: users.into_iter().enumerate().map(station).collect(),
        bank: nodes,
        config: Config::standard(MINUTE),
        most_jobs: 2 * (nodes + 20) + 100,
        span: Duration::from_ticks(days * DAY),
        points: days as usize,
        ..Pool::study(0)
    }
}

fn year(nodes: u32, days: u64, ranking: Ranking, seed: u64) -> Year {
    run_by(&pool(nodes, days), ranking, seed)
}

fn run_by(pool: &Pool, ranking: Ranking, seed: u64) -> Year {
    match ranking {
        Ranking::Timed => {
            let fair = TimedUpDown::new([TimedRow::EMPTY; STATIONS], DecayParams::standard(MINUTE));
            let fair = fair.expect("standard parameters fit");
            watched(pool, fair, seed, |fair, station, seen| {
                let index = fair.index_of(station).expect("it is one of three");
                seen.see(index as f64, TIMED_ENDS);
            })
        }
        Ranking::Printed => {
            let fair = UpDown::new([ScheduleIndex::ZERO; STATIONS], Condor::default());
            let ends = [ScheduleIndex::BEST, ScheduleIndex::WORST].map(|end| end.bits().into());
            watched(pool, fair, seed, move |fair, station, seen| {
                let index = fair.index_of(station).expect("it is one of three");
                seen.see(index.bits().into(), ends);
            })
        }
        Ranking::Turns => watched(pool, RoundRobin::new(), seed, |_, _, _| ()),
        Ranking::Lots => watched(pool, Random::new(), seed, |_, _, _| ()),
    }
}

fn watched<F: Fairness>(
    pool: &Pool,
    fair: F,
    seed: u64,
    look: impl Fn(&F, StationId, &mut Indices),
) -> Year {
    let mut indices = Indices::default();
    let watch = |_: Instant, fair: &F| {
        (0..STATIONS as u32).for_each(|station| look(fair, StationId(station), &mut indices));
    };
    let outcome = pool.run_by(fair, seed, 0, watch);
    Year { outcome: outcome.expect("the experiment's own parameters fit"), indices }
}

impl Year {
    /// How much more one of the equal users has than the other on a day.
    fn apart(&self, day: usize) -> f64 {
        let held = &self.outcome.points[day].held;
        held[0].max(held[1]) / held[0].min(held[1]) - 1.0
    }

    fn farthest_apart(&self) -> f64 {
        (SETTLED..self.outcome.points.len()).map(|day| self.apart(day)).fold(0.0, f64::max)
    }

    fn light(&self) -> f64 {
        self.outcome.users[LIGHT].wait_ratio()
    }

    /// By how many seconds a job of the light user is there longer than it runs: until it has a
    /// processor, until that is empty, and on the way there.
    fn light_delay(&self) -> f64 {
        let light = &self.outcome.users[LIGHT];
        (light.turnaround - light.demand) / light.finished as f64
    }
}

impl Bank {
    fn of(&self, ranking: Ranking) -> &Year {
        &self.years[ranking as usize]
    }

    fn judged(&self) -> &Year {
        self.of(Ranking::Timed)
    }

    fn name(&self) -> String {
        format!("{} processors", self.nodes)
    }
}

/// A figure of each bank, in words.
fn told(banks: &[Bank], figure: impl Fn(&Bank) -> String) -> String {
    let one = |bank: &Bank| format!("{}: {}", bank.name(), figure(bank));
    banks.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// A figure under each ranking.
fn under_all(bank: &Bank, figure: impl Fn(&Year) -> String) -> String {
    RANKINGS.map(|ranking| format!("{} {}", ranking.name(), figure(bank.of(ranking)))).join(", ")
}

fn claims(banks: &[Bank]) -> Vec<Claim> {
    let light = [light_keeps(banks), light_is_done_sooner(banks)];
    [vec![equal_shares(banks), nothing_spare(banks)], light.into(), vec![no_end(banks)]].concat()
}

fn equal_shares(banks: &[Bank]) -> Claim {
    let days = banks.iter().flat_map(|bank| {
        let year = bank.judged();
        (SETTLED..year.outcome.points.len()).map(move |day| {
            (format!("{}, day {day}", bank.name()), year.apart(day) <= UPDOWN_EQUAL)
        })
    });
    let apart = |year: &Year| format!("{:.1} %", 100.0 * year.farthest_apart());
    judge::exactly(days).on(
        &says::EQUAL_SHARES,
        format!(
            "On the worst day one has more than the other by {}.",
            told(banks, |bank| under_all(bank, apart))
        ),
    )
}

fn nothing_spare(banks: &[Bank]) -> Claim {
    let interval = Config::standard(MINUTE).interval.ticks() as f64;
    let spare =
        banks.iter().map(|bank| (bank.name(), bank.judged().outcome.longest_spare <= interval));
    let longest = |year: &Year| format!("{:.0} s", year.outcome.longest_spare);
    judge::exactly(spare).on(
        &says::NOTHING_SPARE,
        format!(
            "The longest time for which one was free: {}.",
            told(banks, |bank| under_all(bank, longest))
        ),
    )
}

fn light_keeps(banks: &[Bank]) -> Claim {
    // Where nobody waits under Round-Robin either, nothing can be told.
    let light = banks.iter().filter(|bank| bank.of(Ranking::Turns).light().is_finite());
    let light = light.map(|bank| {
        (bank.name(), bank.judged().light() >= UPDOWN_KEPT * bank.of(Ranking::Turns).light())
    });
    let told = told(banks, |bank| under_all(bank, |year| ratio(year.light())));
    judge::exactly(light)
        .on(
            &says::LIGHT_KEEPS,
            format!("Hours of remote execution for each hour without a processor: {told}."),
        )
        .variant("until a job has a processor")
}

/// The same with all by which a job takes longer than it runs for its wait.
fn light_is_done_sooner(banks: &[Bank]) -> Claim {
    let delays = |bank: &Bank| [Ranking::Turns, Ranking::Timed].map(|it| bank.of(it).light_delay());
    let light = banks.iter().map(|bank| {
        let [turns, timed] = delays(bank);
        (bank.name(), turns >= UPDOWN_KEPT * timed)
    });
    let told = told(banks, |bank| under_all(bank, |year| format!("{:.0} s", year.light_delay())));
    judge::exactly(light)
        .on(
            &says::LIGHT_KEEPS,
            format!(
                "A job of the light user takes longer than it runs by: {told}. A minute of it is the way."
            ),
        )
        .variant("until a job ends")
}

fn no_end(banks: &[Bank]) -> Claim {
    let ends = banks.iter().map(|bank| (bank.name(), !bank.judged().indices.is_at_an_end()));
    let range = |bank: &Bank| {
        let one = |ranking: Ranking| {
            let Indices { lowest, highest } = bank.of(ranking).indices;
            let [lowest, highest] = [lowest, highest].map(|it| 100.0 * it);
            format!("{} {lowest:.1} % and {highest:.2} %", ranking.name())
        };
        [Ranking::Timed, Ranking::Printed].map(one).join(", ")
    };
    judge::exactly(ends).on(
        &says::NO_END,
        format!(
            "The lowest and the highest seen, looked at after each interval, as shares of the range \
             below and above zero: {}. What follows where those by steps are at an end are the shares of \
             locox/updown-forever/equal-shares.",
            told(banks, range)
        ),
    )
}

/// A ratio to a wait, of which there may be none.
fn ratio(of: f64) -> String {
    if of.is_finite() { format!("{of:.0}") } else { "any number, as nobody waits".into() }
}

fn table(banks: &[Bank]) -> Table {
    let columns = [
        ("processors", "processors"),
        ("ranking", "ranking"),
        ("first", "first user (%)"),
        ("second", "second user (%)"),
        ("light", "light user (%)"),
        ("apart", "worst day apart (%)"),
        ("wait_ratio", "light user's wait ratio"),
        ("delay_s", "light user's delay a job (s)"),
        ("spare_s", "longest free (s)"),
        ("preemptions", "preemptions a day"),
    ];
    let mut table = Table::new("Shares of a year, the first week aside", &columns);
    for bank in banks {
        for ranking in RANKINGS {
            let year = bank.of(ranking);
            let days = &year.outcome.points[SETTLED..];
            let share = |user: usize| {
                let held: f64 = days.iter().map(|day| day.held[user]).sum();
                100.0 * held / days.len() as f64 / f64::from(bank.nodes)
            };
            let light = year.light();
            table.push(vec![
                Cell::Count(bank.nodes.into()),
                Cell::text(ranking.name()),
                Cell::Number(share(0), 2),
                Cell::Number(share(1), 2),
                Cell::Number(share(LIGHT), 3),
                Cell::Number(100.0 * year.farthest_apart(), 2),
                if light.is_finite() { Cell::Number(light, 1) } else { Cell::text("never waits") },
                Cell::Number(year.light_delay(), 0),
                Cell::Number(year.outcome.longest_spare, 0),
                Cell::Number(year.outcome.preemptions as f64 / (year.outcome.span / DAY as f64), 1),
            ]);
        }
    }
    table
}

fn plot(bank: &Bank) -> Plot {
    let series = RANKINGS.map(|ranking| {
        let points = bank.of(ranking).outcome.points.iter().enumerate();
        let share = |(day, point): (usize, &locox_models::workstation::Point)| {
            (day as f64, 100.0 * point.held[0] / f64::from(bank.nodes))
        };
        Series::exact(ranking.name(), Shape::Step, points.map(share))
    });
    Plot {
        title: format!("The first of two equal users' share, day by day, of {}.", bank.name()),
        caption: "Half of what the light user leaves is fair.".into(),
        x: Axis::linear("time since the start (days)"),
        y: Axis::linear("share (%)"),
        series: series.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_coordinators::station::Trigger;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds, Undecided};

    fn bank() -> Bank {
        Bank { nodes: 300, years: RANKINGS.map(|ranking| year(300, 14, ranking, 1)).into() }
    }

    fn verdicts(bank: Bank) -> Vec<Verdict> {
        claims(&[bank]).into_iter().map(|claim| claim.verdict).collect()
    }

    /// As it is; with each of the others in the place of the ranking that is judged, and wrong ones;
    /// and where nobody waits under Round-Robin.
    #[test]
    fn what_is_asked_of_a_year_is_so_in_two_weeks_and_a_wrong_ranking_is_caught() {
        let sound = bank();
        let with = |other: Year| {
            let [_, others @ ..] = &sound.years[..] else { unreachable!() };
            verdicts(Bank { nodes: 300, years: [&[other], others].concat() })
        };
        assert_eq!(with(sound.judged().clone()), [Holds, Holds, Holds, DoesNotHold, Holds]);
        let [shares, _, _, _, ends] = with(sound.of(Ranking::Printed).clone())[..] else {
            unreachable!()
        };
        assert_eq!((shares, ends), (DoesNotHold, DoesNotHold), "one user has it all");
        for other in [Ranking::Turns, Ranking::Lots] {
            assert_eq!(with(sound.of(other).clone())[2], DoesNotHold, "the light user waits");
        }
        let favours = favours();
        assert_eq!(with(favours)[0], DoesNotHold);
        let seldom = Config {
            interval: Duration::from_ticks(3600),
            trigger: Trigger::IntervalOnly,
            ..Config::standard(MINUTE)
        };
        let seldom = run_by(&Pool { config: seldom, ..pool(300, 14) }, Ranking::Timed, 1);
        assert_eq!(with(seldom)[1], DoesNotHold, "a processor waits for the hour");
        let mut idle = sound;
        idle.years[Ranking::Turns as usize].outcome.users[LIGHT].wait = 0.0;
        assert_eq!(verdicts(idle)[2], Undecided);
    }

    fn favours() -> Year {
        watched(&pool(300, 14), Favours, 1, |_, _, _| ())
    }

    /// A ranking that always puts the same station first.
    pub(super) fn planted() -> [Vec<Claim>; 2] {
        let sound = bank();
        let [_, others @ ..] = &sound.years[..] else { unreachable!("there are rankings") };
        let wrong = Bank { nodes: sound.nodes, years: [&[favours()], others].concat() };
        [claims(&[sound]), claims(&[wrong])]
    }

    /// The first station first, always.
    struct Favours;

    impl Fairness for Favours {
        type Draw = u32;

        fn key(&self, station: StationId) -> u32 {
            station.0
        }

        fn reason(&self, _: StationId, _: Option<StationId>) -> locox::fair::Reason {
            locox::fair::Reason::Lot
        }
    }
}
