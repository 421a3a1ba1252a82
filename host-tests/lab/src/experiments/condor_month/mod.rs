//! A month of Condor: 23 workstations, a heavy user and light ones.

mod detector;
mod users;

use super::pools::{Case, DAY, SOURCE, replicate};
use super::{Experiment, Findings, Lab};
use crate::report::{Axis, Block, Cell, Claim, Fact, Plot, Series, Shape, Table, Verdict};
use locox::station::{Config, Trigger};
use locox::time::Duration;
use locox_models::stats::Estimate;
use locox_models::workstation::{
    Costs, Functions, Habit, Lengths, Outcome, Policy, Pool, Station, User, Week,
};
use users::{LIGHT, USERS};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "condor-month",
    title: "A month of Condor on 23 workstations",
    source: SLIDES,
    about: "The slides give one month of Condor's first installation: 23 stations, 12,438 hours \
            available, 4,771 hours used by about a thousand jobs, most of them a heavy user's. Here \
            a month like that is run: owners in the rhythm of an office, so eager that as much is \
            left; users whose demand adds up to the slides' sum; the coordinator polls every two \
            minutes and ranks by Up-Down; jobs of half a megabyte are checkpointed when an owner \
            comes back or a better index wants the processor.",
    run: |lab| Ok(run(lab)),
};

const SLIDES: &str = "Slides on Condor 1988";
const STATIONS: usize = 23;
const DAYS: u64 = 30;
const HOURS: usize = 24 * DAYS as usize;

/// What the slides say, in hours.
const USED: f64 = 4771.0;
const LEVERAGE: f64 = 1300.0;
const QUEUE: f64 = 30.0;

/// By what part the leverage may differ and still count as the slides'.
const NEAR: f64 = 0.2;

/// Shares of the home's processor that a shadow process may take; the source does not say.
const SHADOWS: [f64; 4] = [0.0, 0.0001, 0.0003, 0.001];

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
    always: Vec<Outcome>,
}

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(6, 40);
    let policy = Policy::UpDown(Functions::Condor);
    let cases = [Heavy::Batches, Heavy::Always].map(|heavy| Case { pool: pool(heavy), policy });
    let mut outcomes = replicate(lab, &cases, replications).into_iter();
    let mut next = || outcomes.next().expect("there are two cases");
    let month = Month { batches: next(), always: next() };
    let watched = detector::watch(lab);
    let mut claims = month.claims();
    claims.extend(watched.claims());
    Findings {
        parameters: vec![
            Fact::new("stations", STATIONS),
            Fact::new("owners", "hyperexponential, in an office's week, set to the slides' hours"),
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

fn used(outcome: &Outcome) -> f64 {
    let all = outcome.all();
    hours(all.remote + all.local)
}

/// The share of time in which more of the heavy user's jobs wait than the slides say.
fn time_above(outcome: &Outcome) -> f64 {
    let above = outcome.points.iter().filter(|point| point.waiting[0] > QUEUE);
    100.0 * above.count() as f64 / outcome.points.len() as f64
}

impl Month {
    fn of(&self, figure: impl Fn(&Outcome) -> f64) -> Estimate {
        super::pools::estimate(&self.batches, figure)
    }

    fn leverage(&self, shadow: f64) -> Estimate {
        self.of(|outcome| {
            let all = outcome.all();
            all.remote / (all.support + shadow * all.remote)
        })
    }

    fn claims(&self) -> Vec<Claim> {
        vec![
            self.hours_used(),
            self.leverage_claim(),
            self.light_do_not_wait(),
            self.queue(),
            self.coordinator(),
        ]
    }

    fn hours_used(&self) -> Claim {
        let (available, used) = (self.of(|outcome| hours(outcome.available)), self.of(used));
        Claim {
            statement: "Condor used 4,771 of 12,438 available hours, almost 200 machine days"
                .into(),
            source: SLIDES.into(),
            verdict: Verdict::of((used.mean / USED - 1.0).abs() < 0.05),
            judged: None,
            evidence: format!(
                "{used:.0} of {available:.0} h. Owners and demand are set to these figures; that \
                 the month's demand is met within the month is the finding."
            ),
        }
    }

    fn leverage_claim(&self) -> Claim {
        let [without, ..] = SHADOWS.map(|shadow| self.leverage(shadow));
        let told = SHADOWS[1..].iter().map(|&shadow| {
            format!("{:.0} if it takes {} %", self.leverage(shadow).mean, shadow * 100.0)
        });
        let off = (without.mean / LEVERAGE - 1.0).abs();
        Claim {
            statement: "The average leverage is 1300: a minute of local capacity buys 22 hours of \
                        remote capacity"
                .into(),
            source: SLIDES.into(),
            verdict: Verdict::of(off < NEAR),
            judged: None,
            evidence: format!(
                "1300 minutes are 21.7 hours. With placements and checkpoints at 5 s a MB alone it \
                 is {without:.0}; within a fifth counts as equal, as the number of moves depends on \
                 when jobs come and how long owners stay, of which the slides do not tell enough. \
                 Nor do they tell what the shadow process costs; there is little room for it: {}.",
                told.collect::<Vec<_>>().join(", ")
            ),
        }
    }

    fn light_do_not_wait(&self) -> Claim {
        let light = self.of(|outcome| outcome.of(LIGHT).job_wait_ratio());
        let heavy = self.of(|outcome| outcome.users[0].job_wait_ratio());
        Claim {
            statement: "Light users did not wait: their wait ratio, waiting time by service time, \
                        is very small"
                .into(),
            source: SLIDES.into(),
            verdict: Verdict::of(light.mean < 0.2 * heavy.mean),
            judged: None,
            evidence: format!(
                "The mean over jobs is {light:.2} for light users and {heavy:.2} for the heavy \
                 one; short jobs count as much as long ones, and every job waits for a poll and a \
                 minute's transfer."
            ),
        }
    }

    fn queue(&self) -> Claim {
        let share = self.of(time_above);
        let full = super::pools::estimate(&self.always, |outcome| 100.0 * outcome.utilisation());
        let half = super::pools::estimate(&self.always, time_above);
        Claim {
            statement: "The heavy user kept more than 30 jobs in the queue".into(),
            source: SLIDES.into(),
            verdict: Verdict::of(share.mean > 90.0),
            judged: None,
            evidence: format!(
                "Not all month: with the month's demand in eight batches more than 30 wait for \
                 {share:.0} % of the time. If more than 30 always wait, as they do for {half:.0} % \
                 of the time with 60 permanent jobs, {full:.0} % of what is available is used, and \
                 not the 38 % of the slides: as long as a job waits, no available station is \
                 spare. The two figures of the slides can only be of different times."
            ),
        }
    }

    fn coordinator(&self) -> Claim {
        let commands = self.of(|outcome| outcome.commands as f64 / DAYS as f64);
        let budget = 0.01 * DAY as f64 / commands.mean;
        Claim {
            statement: "The coordinator consumes less than 1 % of a station's capacity".into(),
            source: SLIDES.into(),
            verdict: Verdict::of(budget > 0.01),
            judged: None,
            evidence: format!(
                "It was given {commands:.0} commands a day, polls included: at 1 % of a processor \
                 each could take {:.0} ms. A command to the kernel's takes about a microsecond on a \
                 host of today (docs/benchmarks.md).",
                budget * 1000.0
            ),
        }
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = vec![Block::Table(self.table())];
        blocks.extend(self.plots().map(Block::Plot));
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
        let days = "days from Monday";
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
                "Hour by hour, Monday to Friday of the second week of one month.",
                days,
                "stations (%)",
                vec![
                    curve("owners", week.clone(), &owners),
                    curve("owners and Condor", week.clone(), &both),
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
                "days",
                "jobs waiting",
                vec![curve("all users", 0..HOURS, &all), curve("light users", 0..HOURS, &light)],
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::pools::quick_verdicts;

    #[test]
    fn the_month_is_as_told_but_for_the_queue() {
        use Verdict::{DoesNotHold, Holds};
        assert_eq!(quick_verdicts(run), [Holds, Holds, Holds, DoesNotHold, Holds, Holds]);
    }
}
