//! A month of Condor: 23 workstations, a heavy user and light ones.

mod detector;
mod users;

use super::pools::{Case, DAY, as_asked, paired, replicate};
use super::sources::{SLIDES, updown as says};
use super::thresholds::{CONDOR_HOURS, CONDOR_KEPT, CONDOR_LEVERAGE, CONDOR_VERY_SMALL};
use super::{Experiment, Findings, Lab};
use locox::time::Duration;
use locox_coordinators::station::{Config, Trigger};
use locox_models::stats::Estimate;
use locox_models::workstation::{
    Costs, Habit, Lengths, Outcome, Point, Policy, Pool, Station, User, Week,
};
use locox_report::judge::{self, Expected, Unit};
use locox_report::report::{
    Axis, Block, Cell, Claim, Fact, Judged, Plot, Published, Series, Shape, Table, Verdict,
};
use users::{DAYS, LIGHT, USERS};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "condor-month",
    title: "A month of Condor on 23 workstations",
    source: "Slides on Condor 1988",
    about: "The slides give one month of Condor's first installation: 23 stations, 12,438 hours \
            available, 4,771 hours used by about a thousand jobs, most of them a heavy user's. Here \
            a month like that is run: owners in the rhythm of an office, so eager that as much is \
            left; users whose demand adds up to the slides' sum; the coordinator polls every two \
            minutes and ranks by Up-Down; jobs of half a megabyte are checkpointed when an owner \
            comes back or a better index wants the processor. The same month is run under \
            Round-Robin and Random: what holds under any ranking says nothing of Up-Down.",
    statements: &[
        &says::AVAILABLE,
        &says::LOCAL,
        &says::USED,
        &says::LEVERAGE,
        &says::DID_NOT_WAIT,
        &says::SERVES_LIGHT,
        &says::KEEPS_QUEUE,
        &says::SEVEN_MINUTES,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

const STATIONS: usize = 23;
const HOURS: usize = 24 * DAYS as usize;

/// What the slides say, in hours.
const USED: f64 = 4771.0;
const LEVERAGE: f64 = 1300.0;
const QUEUE: f64 = 30.0;

const AVAILABLE: f64 = 12_438.0;
/// In per cent of the stations.
const LOCAL: f64 = 25.0;

const PER_CENT: Unit = Unit("%", 1);

/// Shares of the home's processor that a shadow process may take; the source does not say.
const SHADOWS: [f64; 4] = [0.0, 0.0001, 0.0003, 0.001];

/// One way to read a figure, with its name.
type Reading = (&'static str, fn(&Outcome) -> f64);

/// A light user's waiting, as the slides define it for a job, and of all jobs together.
const LIGHT_WAITS: [Reading; 2] = [
    ("mean over jobs", |outcome| outcome.of(LIGHT).job_wait_ratio()),
    ("all waiting by all service", |outcome| {
        let light = outcome.of(LIGHT);
        (light.turnaround - light.demand) / light.demand
    }),
];

/// How the heavy user's jobs come; the source does not say.
#[derive(Clone, Copy, PartialEq)]
enum Heavy {
    /// In large batches, as many in the month as there were.
    Batches,
    /// There are always so many that more than 30 wait.
    Always,
}

struct Month {
    batches: Vec<Outcome>,
    /// The same jobs and owners under the other rankings.
    rivals: [(Policy, Vec<Outcome>); 2],
    always: Vec<Outcome>,
}

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(6, 40);
    let month = Month::run(lab, replications, as_asked);
    let mut claims = month.claims();
    claims.push(detector::watch(lab).claim());
    Findings {
        parameters: vec![
            Fact::new("stations", STATIONS),
            Fact::new("owners", "hyperexponential, in an office's week, set to the slides' hours"),
            Fact::new("jobs", USERS.each_ref().map(users::Asked::told).join("; ")),
            Fact::new("poll, transfer", "2 min, 1 min"),
            Fact::new("checkpoints", "0.5 MB; 5 s of the home's processor a MB"),
            Fact::new("replications", replications),
        ],
        claims,
        results: month.blocks(),
    }
}

fn pool(heavy: Heavy) -> Pool {
    let study = Pool::study(2);
    let habit = Habit::Periods {
        available: Lengths::hyperexponential_available().with_mean(132.0 * 60.0),
        unavailable: Lengths::hyperexponential_unavailable().with_mean(40.0 * 60.0),
        week: Some(Week::office()),
    };
    let users = USERS.iter().map(|user| user.user());
    let nobody = std::iter::repeat_n(User::permanent(0), STATIONS - USERS.len());
    let station = |user| Station { habit: habit.clone(), user };
    let mut stations: Vec<Station> = users.chain(nobody).map(station).collect();
    if heavy == Heavy::Always {
        let always = USERS[0].user();
        stations[0].user = User { permanent: 60, arrivals: None, ..always };
    }
    let poll = Some(Duration::from_ticks(120));
    Pool {
        stations,
        bank: 0,
        config: Config { poll, trigger: Trigger::Demand, ..study.config },
        costs: Costs { checkpoint: 5.0, ..Costs::STUDY },
        span: Duration::from_ticks(DAYS * DAY),
        points: HOURS,
        ..study
    }
}

fn hours(seconds: f64) -> f64 {
    seconds / 3600.0
}

/// A figure that the slides give, and how it is measured.
struct Told {
    name: &'static str,
    figure: fn(&Outcome) -> f64,
    slides: f64,
}

fn available(outcome: &Outcome) -> f64 {
    hours(outcome.available)
}

fn leverage(outcome: &Outcome, shadow: f64) -> f64 {
    let all = outcome.all();
    all.remote / (all.support + shadow * all.remote)
}

fn local(outcome: &Outcome) -> f64 {
    100.0 * (1.0 - outcome.available / (outcome.span * STATIONS as f64))
}

fn used(outcome: &Outcome) -> f64 {
    let all = outcome.all();
    hours(all.remote + all.local)
}

/// The share of time in which more of the heavy user's jobs are in the queue than the slides say.
fn time_above(outcome: &Outcome, queued: fn(&Point) -> f64) -> f64 {
    let above = outcome.points.iter().filter(|point| queued(point) > QUEUE);
    100.0 * above.count() as f64 / outcome.points.len() as f64
}

/// Of the heavy user's jobs those that wait.
fn waiting(point: &Point) -> f64 {
    point.waiting[0]
}

/// And those that run on processors of others.
fn waiting_or_running(point: &Point) -> f64 {
    point.waiting[0] + point.held[0]
}

impl Month {
    fn of(&self, figure: impl Fn(&Outcome) -> f64) -> Estimate {
        super::pools::estimate(&self.batches, figure)
    }

    fn leverage(&self, shadow: f64) -> Estimate {
        self.of(|outcome| leverage(outcome, shadow))
    }

    /// `by` runs the months, in tests by a wrong rule.
    fn run(lab: &Lab, replications: u64, by: impl Fn(&Case, u64, u64) -> Outcome + Sync) -> Self {
        let [up_down, rivals @ ..] = Policy::STUDY;
        let case = |heavy, policy| Case { pool: pool(heavy), policy };
        let [turn, lot] = rivals.map(|policy| case(Heavy::Batches, policy));
        let cases = [case(Heavy::Batches, up_down), turn, lot, case(Heavy::Always, up_down)];
        let mut outcomes = replicate(lab, &cases, replications, by).into_iter();
        let mut next = || outcomes.next().expect("there are four cases");
        let batches = next();
        Self { batches, rivals: rivals.map(|policy| (policy, next())), always: next() }
    }

    fn claims(&self) -> Vec<Claim> {
        let mut claims = vec![self.available(), self.local(), self.used()];
        claims.extend(self.leverage_claims());
        claims.extend(self.light_did_not_wait());
        claims.extend(LIGHT_WAITS.map(|reading| self.light_is_served(reading)));
        claims.push(self.queue(waiting, "jobs that wait"));
        claims.push(self.queue(waiting_or_running, "jobs that wait or run"));
        claims
    }

    /// Whether a figure of the month is the slides'.
    fn same(&self, told: &Told, within: f64) -> Judged {
        let off = |outcome: &Outcome| 100.0 * ((told.figure)(outcome) / told.slides - 1.0);
        let off = self.batches.iter().map(off).collect();
        judge::every(&[judge::Case::new(told.name, off, Expected::alike(within))], PER_CENT)
    }

    fn available(&self) -> Claim {
        let told = Told { name: "available", figure: available, slides: AVAILABLE };
        let found = format!("{:.0} h.", self.of(available));
        self.same(&told, CONDOR_HOURS).on(&says::AVAILABLE, found)
    }

    fn local(&self) -> Claim {
        let told = Told { name: "used by owners", figure: local, slides: LOCAL };
        self.same(&told, CONDOR_HOURS).on(&says::LOCAL, format!("{:.1} %.", self.of(local)))
    }

    fn used(&self) -> Claim {
        let told = Told { name: "used", figure: used, slides: USED };
        self.same(&told, CONDOR_HOURS).on(&says::USED, format!("{:.0} h.", self.of(used)))
    }

    fn leverage_claims(&self) -> [Claim; 2] {
        let [without, ..] = SHADOWS.map(|shadow| self.leverage(shadow));
        let told = SHADOWS[1..].iter().map(|&shadow| {
            format!("{:.0} if it takes {} %", self.leverage(shadow).mean, shadow * 100.0)
        });
        let told = format!(
            "1300 minutes are 21.7 hours. With placements and checkpoints at 5 s a MB alone it is \
             {without:.0}. There is little room for the shadow process: {}.",
            told.collect::<Vec<_>>().join(", ")
        );
        let readings: [Reading; 2] = [
            ("without a shadow process", |it| leverage(it, SHADOWS[0])),
            ("with a shadow process", |it| leverage(it, SHADOWS[3])),
        ];
        readings.map(|(reading, figure)| {
            let slides = Told { name: "leverage", figure, slides: LEVERAGE };
            self.same(&slides, CONDOR_LEVERAGE).on(&says::LEVERAGE, told.clone()).variant(reading)
        })
    }

    /// The number itself, as the slides define it for a job, and of all jobs together.
    fn light_did_not_wait(&self) -> [Claim; 2] {
        let told = LIGHT_WAITS.map(|(name, figure)| format!("{:.2} as {name}", self.of(figure)));
        LIGHT_WAITS.map(|(name, figure)| {
            let ratios = self.batches.iter().map(figure).collect();
            let expected = Expected::Inside(f64::NEG_INFINITY, CONDOR_VERY_SMALL);
            let case = judge::Case::new(name, ratios, expected);
            let judged = judge::every(&[case], Unit("of waiting by service", 2)).of_levels();
            judged.on(&says::DID_NOT_WAIT, format!("{}.", told.join(", "))).variant(name)
        })
    }

    /// What is true under any ranking would say nothing of Up-Down.
    fn light_is_served(&self, (name, figure): Reading) -> Claim {
        let less = |(rival, outcomes): &(Policy, Vec<Outcome>)| {
            let less = paired(outcomes, &self.batches, figure);
            judge::Case::new(format!("against {rival}"), less, Expected::LESS)
        };
        let judged = judge::every(&self.rivals.each_ref().map(less), Unit("of that ratio", 2));
        let heavy = self.of(|outcome| outcome.users[0].job_wait_ratio());
        let told = |(rival, outcomes): &(Policy, Vec<Outcome>)| {
            format!("{:.2} under {rival}", super::pools::estimate(outcomes, figure))
        };
        let told = format!(
            "Of light users it is {:.2} as {name}. With the same jobs and owners it is {}. The mean over \
             the heavy user's jobs is {heavy:.2}; smaller than that it is under each of the three.",
            self.of(figure),
            self.rivals.each_ref().map(told).join(", ")
        );
        judged.on(&says::SERVES_LIGHT, told).variant(name)
    }

    fn queue(&self, queued: fn(&Point) -> f64, reading: &str) -> Claim {
        let full = super::pools::estimate(&self.always, |outcome| 100.0 * outcome.utilisation());
        let half = super::pools::estimate(&self.always, |outcome| time_above(outcome, queued));
        let shares = self.batches.iter().map(|outcome| time_above(outcome, queued)).collect();
        let expected = Expected::Inside(CONDOR_KEPT, f64::INFINITY);
        let case = judge::Case::new("time with more than 30", shares, expected);
        let judged = judge::every(&[case], Unit("% of the month", 1)).of_levels();
        // What was seen in a month is not refuted by a month that is made up.
        let verdict = match judged.verdict {
            Verdict::DoesNotHold => Verdict::Undecided,
            other => other,
        };
        Judged { verdict, ..judged }
            .on(
                &says::KEEPS_QUEUE,
                format!(
                    "With the month's demand in eight batches, which the source does not have. If more than 30 \
                     always wait, as they do for {half:.0} % of the time with 60 permanent jobs, {full:.0} % of what is \
                     available is used, and not the 38 % of the slides. In our model no available station \
                     is spare as long as a job waits, so that there the two figures of the slides can only \
                     be of different times."
                ),
            )
            .variant(reading)
    }

    /// What a command took on the machine of the time is not known.
    fn commands(&self) -> String {
        let commands = self.of(|outcome| outcome.commands as f64 / DAYS as f64);
        let budget = 0.01 * DAY as f64 / commands.mean;
        format!(
            "The coordinator was given {commands:.0} commands a day, polls included: if it is to take \
             less than 1 % of a station (slide 24), each may take {:.0} ms. `updown-scale` counts \
             messages and looks at indices.",
            budget * 1000.0
        )
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = vec![Block::Table(self.table())];
        blocks.extend(self.plots().map(Block::Plot));
        blocks.push(Block::Text(self.commands()));
        blocks
    }

    fn table(&self) -> Table {
        let columns = [
            ("user", "user"),
            ("jobs", "jobs done"),
            ("demand_h", "mean demand (h)"),
            ("executed_h", "executed (h)"),
            ("remote_percentage", "remote (%)"),
            ("wait_ratio", "wait by service"),
            ("moves", "moves a job"),
            ("leverage", "leverage"),
        ];
        let mut table = Table::new("Users, month by month; leverage without shadows", &columns);
        let each = (0..USERS.len()).map(|user| (USERS[user].name, user..user + 1));
        for (name, range) in each.chain([("all", 0..USERS.len())]) {
            let of = |outcome: &Outcome| outcome.of(range.clone());
            table.push(vec![
                Cell::text(name),
                Cell::Estimate(self.of(|outcome| of(outcome).finished as f64), 0),
                Cell::Estimate(
                    self.of(|outcome| hours(of(outcome).demand / of(outcome).finished as f64)),
                    1,
                ),
                Cell::Estimate(self.of(|outcome| hours(of(outcome).remote + of(outcome).local)), 0),
                Cell::Estimate(self.of(|outcome| 100.0 * of(outcome).remote_share()), 1),
                Cell::Estimate(self.of(|outcome| of(outcome).job_wait_ratio()), 2),
                Cell::Estimate(
                    self.of(|outcome| of(outcome).placements as f64 / of(outcome).finished as f64),
                    1,
                ),
                Cell::Estimate(self.of(|outcome| of(outcome).leverage()), 0),
            ]);
        }
        table
    }

    /// The second working week of the first replication, as the slides show one.
    fn plots(&self) -> [Plot; 3] {
        let month = &self.batches[0];
        let curve = |name: &str, hours: std::ops::Range<usize>, value: &dyn Fn(usize) -> f64| {
            let begin = hours.start;
            let points = hours.map(|hour| (((hour - begin) as f64) / 24.0, value(hour)));
            Series::exact(name, Shape::Step, points)
        };
        let week = 168..168 + 120;
        let owners = |hour: usize| 100.0 * (1.0 - month.points[hour].available / STATIONS as f64);
        let jobs = |hour: usize| 100.0 * month.points[hour].used / STATIONS as f64;
        let both = |hour: usize| owners(hour) + jobs(hour);
        let all = |hour: usize| month.points[hour].waiting.iter().sum::<f64>();
        let light = |hour: usize| month.points[hour].waiting[LIGHT].iter().sum::<f64>();
        let days = "time since Monday, midnight (days)";
        let plot = |title: &str, caption: &str, x: &str, y: &str, series| Plot {
            title: title.into(),
            caption: caption.into(),
            x: Axis::linear(x),
            y: Axis::linear(y),
            series,
        };
        [
            plot(
                "Utilisation over a working week.",
                "Hour by hour, Monday to Friday of the second week of one month. The slides print 20 for \
                 evening and night and 50 for a short peak in the afternoon, of what they do not say; \
                 here at 10 p.m. and half past two.",
                days,
                "stations (%)",
                vec![
                    curve("owners", week.clone(), &owners),
                    curve("owners and Condor", week.clone(), &both),
                    Series::published(&SLIDES, "slide 22", &printed_week()),
                ],
            ),
            plot(
                "Queue over the same week.",
                "Jobs that wait, hour by hour.",
                days,
                "jobs waiting",
                vec![curve("all users", week.clone(), &all), curve("light users", week, &light)],
            ),
            plot(
                "Queue over the whole month.",
                "The heavy user's jobs come in eight batches.",
                "time since the start of the month (days)",
                "jobs waiting",
                vec![curve("all users", 0..HOURS, &all), curve("light users", 0..HOURS, &light)],
            ),
        ]
    }
}

/// "20 in the evening and night 50 for short peak period in the afternoon", in per cent.
fn printed_week() -> Vec<Published> {
    let day =
        |day: u32| [(14.5, 50.0), (22.0, 20.0)].map(|(hour, y)| (f64::from(day) + hour / 24.0, y));
    (0..5).flat_map(day).map(|(x, y)| Published { x, y, error: None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pools::check::{self, Turned, assert_all, of};
    use locox::fair::{Condor, ScheduleIndex, UpDown};
    use locox_report::report::Verdict::{DoesNotHold, Holds, Undecided};

    #[test]
    fn the_month_is_as_told_but_for_light_users_and_the_queue() {
        let claims = check::quick(&EXPERIMENT);
        assert_all(&claims, &[&says::AVAILABLE, &says::USED, &says::SERVES_LIGHT], Holds);
        // Without a shadow process, and with one.
        assert_eq!(of(&claims, &says::LEVERAGE), [Holds, DoesNotHold]);
        assert_all(&claims, &[&says::KEEPS_QUEUE], Undecided);
        // On average over jobs, and of all together.
        assert_eq!(of(&claims, &says::DID_NOT_WAIT), [DoesNotHold, Holds]);
    }

    fn claims(by: impl Fn(&Case, u64, u64) -> Outcome + Sync) -> Vec<Claim> {
        Month::run(&check::lab(), 5, by).claims()
    }

    #[test]
    fn up_down_that_serves_the_largest_index_first_is_caught() {
        let claims = claims(|case, seed, replication| match case.policy {
            Policy::UpDown(_) => {
                let table = vec![ScheduleIndex::ZERO; STATIONS];
                let fair = Turned(UpDown::new(table, Condor::default()).shuffled());
                case.pool.run_by(fair, seed, replication, |_, _| ()).expect("the pool fits")
            }
            _ => as_asked(case, seed, replication),
        });
        for statement in [&says::SERVES_LIGHT, &says::DID_NOT_WAIT] {
            assert!(!of(&claims, statement).contains(&Holds), "{}", statement.id);
        }
    }

    fn always(case: &Case, seed: u64, replication: u64) -> Outcome {
        let case = Case { pool: pool(Heavy::Always), policy: case.policy };
        as_asked(&case, seed, replication)
    }

    /// A heavy user who always asks.
    pub(super) fn planted() -> [Vec<Claim>; 2] {
        [claims(as_asked), claims(always)]
    }

    #[test]
    fn dear_moves_and_a_user_who_always_asks_are_caught() {
        let dear = claims(|Case { pool, policy }, seed, replication| {
            let costs = Costs { handling: 10.0 * Costs::STUDY.handling, ..pool.costs };
            let pool = Pool { costs, ..pool.clone() };
            as_asked(&Case { pool, policy: *policy }, seed, replication)
        });
        assert_all(&dear, &[&says::LEVERAGE], DoesNotHold);
        let always = claims(always);
        assert_all(&always, &[&says::KEEPS_QUEUE], Holds);
        assert_all(&always, &[&says::USED], DoesNotHold);
    }

    /// Owners who come back three times as soon.
    #[test]
    fn a_month_with_other_owners_is_caught() {
        let claims = claims(|Case { pool, policy }, seed, replication| {
            let mut pool = pool.clone();
            for station in &mut pool.stations {
                let Habit::Periods { available, .. } = &mut station.habit else { continue };
                *available = available.clone().with_mean(44.0 * 60.0);
            }
            as_asked(&Case { pool, policy: *policy }, seed, replication)
        });
        assert_all(&claims, &[&says::AVAILABLE, &says::LOCAL], DoesNotHold);
    }
}
