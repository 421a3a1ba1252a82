//! A month of Condor: 23 workstations, a heavy user and light ones.

mod detector;
mod users;

use super::pools::{Case, DAY, paired, replicate};
use super::{Experiment, Findings, Lab};
use locox::station::{Config, Trigger};
use locox::time::Duration;
use locox_models::stats::Estimate;
use locox_models::workstation::{
    Costs, Habit, Lengths, Outcome, Policy, Pool, Station, User, Week,
};
use locox_report::judge::{self, Expected, Unit};
use locox_report::report::{
    Axis, Block, Cell, Claim, Fact, Judged, Plot, Series, Shape, Statement, Table, Verdict,
};
use users::{DAYS, LIGHT, USERS};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "condor-month",
    title: "A month of Condor on 23 workstations",
    source: SLIDES,
    about: "The slides give one month of Condor's first installation: 23 stations, 12,438 hours \
            available, 4,771 hours used by about a thousand jobs, most of them a heavy user's. Here \
            a month like that is run: owners in the rhythm of an office, so eager that as much is \
            left; users whose demand adds up to the slides' sum; the coordinator polls every two \
            minutes and ranks by Up-Down; jobs of half a megabyte are checkpointed when an owner \
            comes back or a better index wants the processor. The same month is run under \
            Round-Robin and Random: what holds under any ranking says nothing of Up-Down.",
    statements: &[],
    run: |lab| Ok(run(lab)),
};

const SLIDES: &str = "Slides on Condor 1988";
const STATIONS: usize = 23;
const HOURS: usize = 24 * DAYS as usize;

/// What the slides say, in hours.
const USED: f64 = 4771.0;
const LEVERAGE: f64 = 1300.0;
const QUEUE: f64 = 30.0;

const AVAILABLE: f64 = 12_438.0;

/// By how much, in per cent, hours may differ and still count as the slides': a month of other
/// owners and other jobs differs as much.
const SAME_HOURS: f64 = 5.0;
/// The same of the leverage: moves depend on when jobs come and how long owners stay, of which the
/// slides tell little.
const SAME_LEVERAGE: f64 = 20.0;
/// For so much of the month, in per cent, more than 30 jobs wait if a user keeps more than 30.
const KEPT: f64 = 90.0;

const PER_CENT: Unit = Unit("%", 1);

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
    /// The same jobs and owners under the other rankings.
    rivals: [(Policy, Vec<Outcome>); 2],
    always: Vec<Outcome>,
}

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(6, 40);
    let [up_down, rivals @ ..] = Policy::STUDY;
    let case = |heavy, policy| Case { pool: pool(heavy), policy };
    let [turn, lot] = rivals.map(|policy| case(Heavy::Batches, policy));
    let cases = [case(Heavy::Batches, up_down), turn, lot, case(Heavy::Always, up_down)];
    let mut outcomes = replicate(lab, &cases, replications).into_iter();
    let mut next = || outcomes.next().expect("there are four cases");
    let batches = next();
    let month = Month { batches, rivals: rivals.map(|policy| (policy, next())), always: next() };
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

fn slide(number: u32) -> String {
    format!("{SLIDES}, slide {number}")
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
        self.of(|outcome| leverage(outcome, shadow))
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

    /// Whether a figure of the month is the slides'.
    fn same(&self, figures: &[Told], within: f64) -> Judged {
        let case = |told: &Told| {
            let off = |outcome: &Outcome| 100.0 * ((told.figure)(outcome) / told.slides - 1.0);
            let off = self.batches.iter().map(off).collect();
            judge::Case::new(told.name, off, Expected::alike(within))
        };
        judge::every(&figures.iter().map(case).collect::<Vec<_>>(), PER_CENT)
    }

    fn hours_used(&self) -> Claim {
        let (hours_available, used_hours) = (self.of(available), self.of(used));
        let figures = [
            Told { name: "used", figure: used, slides: USED },
            Told { name: "available", figure: available, slides: AVAILABLE },
        ];
        self.same(&figures, SAME_HOURS).claim(
            "The 4,771 hours asked for, almost 200 machine days, were done within the month, of 12,438 available",
            slide(22),
            format!(
                "{used_hours:.0} of {hours_available:.0} h; the same: at most {SAME_HOURS} % apart. \
                 Owners and demand are set to the slides' sums; that the month's demand is met \
                 within the month is the finding."
            ),
        )
    }

    fn leverage_claim(&self) -> Claim {
        let [without, ..] = SHADOWS.map(|shadow| self.leverage(shadow));
        let told = SHADOWS[1..].iter().map(|&shadow| {
            format!("{:.0} if it takes {} %", self.leverage(shadow).mean, shadow * 100.0)
        });
        let alone = Told { name: "leverage", figure: |it| leverage(it, 0.0), slides: LEVERAGE };
        self.same(&[alone], SAME_LEVERAGE).claim(
            "The average leverage is 1300: a minute of local capacity buys 22 hours of remote \
             capacity",
            slide(25),
            format!(
                "1300 minutes are 21.7 hours. With placements and checkpoints at 5 s a MB alone it \
                 is {without:.0}; the same: at most {SAME_LEVERAGE} % apart, as the number of moves \
                 depends on when jobs come and how long owners stay, of which the slides do not \
                 tell enough. Nor do they tell what the shadow process costs; there is little room \
                 for it: {}.",
                told.collect::<Vec<_>>().join(", ")
            ),
        )
    }

    /// The slides say so of Up-Down; what is true under any ranking would say nothing of it.
    fn light_do_not_wait(&self) -> Claim {
        let light = |outcome: &Outcome| outcome.of(LIGHT).job_wait_ratio();
        let less = |(rival, outcomes): &(Policy, Vec<Outcome>)| {
            let less = paired(outcomes, &self.batches, light);
            judge::Case::new(format!("against {rival}"), less, Expected::LESS)
        };
        let judged = judge::every(&self.rivals.each_ref().map(less), Unit("of that ratio", 2));
        let heavy = self.of(|outcome| outcome.users[0].job_wait_ratio());
        let told = |(rival, outcomes): &(Policy, Vec<Outcome>)| {
            format!("{:.2} under {rival}", super::pools::estimate(outcomes, light))
        };
        judged.claim(
            "Light users did not wait, as Up-Down gave them capacity and preempted the heavy user: \
             waiting time divided by service time is very small",
            slide(21),
            format!(
                "The mean over their jobs is {:.2}, and {heavy:.2} for the heavy user's; short jobs \
                 count as much as long ones, and every job waits for a poll and a minute's \
                 transfer. With the same jobs and owners it is {}. Judged: that Up-Down makes it \
                 smaller. Smaller than the heavy user's it is under each of the three.",
                self.of(light),
                self.rivals.each_ref().map(told).join(", ")
            ),
        )
    }

    fn queue(&self) -> Claim {
        let share = self.of(time_above);
        let full = super::pools::estimate(&self.always, |outcome| 100.0 * outcome.utilisation());
        let half = super::pools::estimate(&self.always, time_above);
        let shares = self.batches.iter().map(time_above).collect();
        let expected = Expected::Inside(KEPT, f64::INFINITY);
        let case = judge::Case::new("time with more than 30", shares, expected);
        judge::every(&[case], Unit("% of the month", 1)).claim(
            "The heavy user kept more than 30 jobs in the queue",
            slide(21),
            format!(
                "Kept means: for {KEPT} % of the month. With the month's demand in eight batches \
                 more than 30 wait for {share:.0} % of the time. If more than 30 always wait, as \
                 they do for {half:.0} % of the time with 60 permanent jobs, {full:.0} % of what is \
                 available is used, and not the 38 % of the slides: as long as a job waits, no \
                 available station is spare. The two figures of the slides can only be of \
                 different times."
            ),
        )
    }

    /// What a command took on the machine of the time is not known, so that nothing is judged.
    fn coordinator(&self) -> Claim {
        let commands = self.of(|outcome| outcome.commands as f64 / DAYS as f64);
        let budget = 0.01 * DAY as f64 / commands.mean;
        Claim {
            statement: Statement::unnamed(
                "What a command may cost if the coordinator is to take less than 1 % of a \
                        station"
                    .into(),
                slide(24),
            ),
            variant: String::new(),
            verdict: Verdict::SourceDoesNotSay,
            judged: None,
            evidence: format!(
                "It was given {commands:.0} commands a day, polls included: at 1 % of a processor \
                 each could take {:.0} ms. `updown-scale` measures what the kernel's takes on the \
                 machine at hand.",
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
    use crate::pools::quick_verdicts;
    use Verdict::{DoesNotHold, Holds, SourceDoesNotSay};

    fn month() -> Month {
        let run = |heavy, policy| -> Vec<Outcome> {
            let one = |replication| pool(heavy).run(policy, 1, replication).unwrap();
            (0..5).map(one).collect()
        };
        let [up_down, rivals @ ..] = Policy::STUDY;
        Month {
            batches: run(Heavy::Batches, up_down),
            rivals: rivals.map(|policy| (policy, run(Heavy::Batches, policy))),
            always: run(Heavy::Always, up_down),
        }
    }

    fn verdicts(month: &Month) -> Vec<Verdict> {
        month.claims().into_iter().map(|claim| claim.verdict).collect()
    }

    #[test]
    fn the_month_is_as_told_but_for_the_queue() {
        let verdicts = quick_verdicts(run);
        assert_eq!(verdicts[..5], [Holds, Holds, Holds, DoesNotHold, SourceDoesNotSay]);
    }

    /// The rankings exchanged; a user who always keeps the queue full.
    #[test]
    fn every_verdict_can_fail() {
        let sound = month();
        assert_eq!(verdicts(&sound)[..4], [Holds, Holds, Holds, DoesNotHold]);
        let mut exchanged = month();
        let Month { batches, rivals: [(_, turn), _], .. } = &mut exchanged;
        std::mem::swap(batches, turn);
        assert_ne!(verdicts(&exchanged)[2], Holds);
        let full = Month { batches: sound.always.clone(), ..month() };
        let [hours, _, _, queue, _] = verdicts(&full)[..] else { unreachable!() };
        assert_eq!(queue, Holds);
        assert_ne!(hours, Holds);
        let dear = Costs { handling: 10.0 * Costs::STUDY.handling, ..Costs::STUDY };
        let pool = Pool { costs: dear, ..pool(Heavy::Batches) };
        let one = |replication| pool.run(Policy::STUDY[0], 1, replication).unwrap();
        let dear = Month { batches: (0..5).map(one).collect(), ..sound };
        assert_eq!(verdicts(&dear)[1], DoesNotHold);
    }
}
