//! The simulation study of 1987: three criteria of light, medium and heavy users under Up-Down,
//! Round-Robin and Random while the heavy user asks for more and more.

mod readings;

use super::pools::{BANK, CLASSES, Case, DAY, SOURCE, change, estimate, first_reading, replicate};
use super::{Experiment, Findings, Lab};
use crate::report::{
    Axis, Block, Cell, Claim, Fact, Gallery, Plot, Point, Series, Shape, Table, Verdict,
};
use locox::time::Duration;
use locox_models::stats::Estimate;
use locox_models::workstation::{Outcome, Policy, Pool, Use};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "updown-study",
    title: "Light users beside a heavy one: Up-Down, Round-Robin, Random",
    source: SOURCE,
    about: "Thirteen stations, each with its user: eleven light ones who always have one job to \
            run, a medium one with two, and a heavy one with 2 to 13. Jobs last two hours on \
            average, owners are away for 100 minutes and there for 40, the coordinator schedules \
            every ten minutes and whenever a processor becomes free, and a move takes a minute. \
            The same owners and jobs meet each of the three rankings. The source gives neither the \
            size of the processor bank nor the distribution of the owners' periods nor the \
            functions of Up-Down; what is run here is the first reading in the last table, and the \
            others are below it.",
    run: |lab| Ok(run(lab)),
};

/// By how much, in per cent, a criterion may change while the heavy user goes from 2 jobs to 13
/// and still count as level.
const LEVEL: f64 = 5.0;

/// Up to what difference, in per cent, throughputs count as the same.
const SAME: f64 = 1.0;

const WHY_LEVEL: &str = "Level means: within 5 %. A light user waits for the next update of the \
                         indices, and these come a little more or less often as other users' jobs \
                         end; 5 % leaves room for that and no more.";

/// A criterion of the source.
#[derive(Clone, Copy)]
struct Criterion {
    name: &'static str,
    key: &'static str,
    of: fn(&Use) -> f64,
    /// Whether a user is better off when it is larger.
    rises: bool,
    digits: usize,
    /// Of the plots of all users.
    axis: fn(String) -> Axis,
    caption: &'static str,
}

const CRITERIA: [Criterion; 3] = [
    Criterion {
        name: "remote cycle wait ratio",
        key: "wait_ratio",
        // A second of waiting keeps it finite.
        of: |user| user.remote / user.wait.max(1.0),
        rises: true,
        digits: 2,
        axis: Axis::log,
        caption: "Logarithmic: under the rivals the heavy user hardly ever waits.",
    },
    Criterion {
        name: "remote cycle percentage",
        key: "remote_percentage",
        of: |user| 100.0 * user.remote_share(),
        rises: true,
        digits: 1,
        axis: Axis::linear,
        caption: "The share of a user's own jobs that others' processors do.",
    },
    Criterion {
        name: "remote response ratio",
        key: "response_ratio",
        of: Use::response_ratio,
        rises: false,
        digits: 3,
        axis: Axis::linear,
        caption: "A user with more jobs than processors has to wait under any ranking.",
    },
];

impl Criterion {
    fn light(self) -> impl Fn(&Outcome) -> f64 {
        move |outcome| (self.of)(&outcome.of(CLASSES[0].1.clone()))
    }

    /// The change in per cent, counted so that falling is worse.
    fn worth(self, change: f64) -> f64 {
        if self.rises { change } else { -change }
    }
}

/// All replications at one number of the heavy user's jobs under one policy.
struct Run {
    heavy: u32,
    policy: Policy,
    outcomes: Vec<Outcome>,
}

struct Study {
    runs: Vec<Run>,
    span: Duration,
    replications: u64,
}

fn run(lab: &Lab) -> Findings {
    let heavies: &[u32] = lab.either(&[2, 7, 13], &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    let (days, replications) = lab.either((60, 4), (730, 10));
    let study = Study::new(lab, heavies, Duration::from_ticks(days * DAY), replications);
    let readings = readings::measure(lab, study.span, lab.either(1, 3));
    let mut claims = study.claims();
    claims.extend(readings::claims(&readings));
    Findings {
        parameters: vec![
            Fact::new("stations", "11 light (1 job), 1 medium (2), 1 heavy (2 to 13)"),
            Fact::new("processor bank", format!("{} (not in the source)", BANK)),
            Fact::new("mean service", "2 h, exponential"),
            Fact::new("owners", "hyperexponential, 100 min away, 40 min there"),
            Fact::new("interval, transfer", "10 min, 1 min"),
            Fact::new("simulated time", format!("{days} days")),
            Fact::new("replications", replications),
        ],
        claims,
        results: study.blocks().into_iter().chain(readings::blocks(&readings)).collect(),
    }
}

impl Study {
    fn new(lab: &Lab, heavies: &[u32], span: Duration, replications: u64) -> Self {
        let mut cases = Vec::new();
        for &heavy in heavies {
            let pool = Pool { span, ..first_reading(heavy) };
            cases.extend(Policy::STUDY.map(|policy| Case { pool: pool.clone(), policy }));
        }
        let outcomes = replicate(lab, &cases, replications);
        let numbered = heavies.iter().flat_map(|&heavy| Policy::STUDY.map(|one| (heavy, one)));
        let run = |((heavy, policy), outcomes)| Run { heavy, policy, outcomes };
        let runs = numbered.zip(outcomes).map(run).collect();
        Self { runs, span, replications }
    }

    fn of(&self, policy: Policy) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(move |run| run.policy == policy)
    }

    /// The runs with the fewest and the most jobs of the heavy user.
    fn ends(&self, policy: Policy) -> (&Run, &Run) {
        let first = self.of(policy).next().expect("there are runs of each policy");
        (first, self.of(policy).last().unwrap_or(first))
    }

    /// The change of a light user's criterion over the whole range.
    fn light_change(&self, policy: Policy, criterion: Criterion) -> Estimate {
        let (few, many) = self.ends(policy);
        change(&few.outcomes, &many.outcomes, criterion.light())
    }

    fn claims(&self) -> Vec<Claim> {
        let [up_down, round_robin, random] = Policy::STUDY;
        let mut claims = vec![self.level(up_down)];
        claims.extend([round_robin, random].map(|policy| self.falls(policy)));
        claims.extend([
            self.better_served(),
            self.throughput(),
            self.heavy_gains(),
            self.heavy_steady(),
        ]);
        claims
    }

    fn told(&self, policy: Policy) -> String {
        let (few, many) = self.ends(policy);
        let told = CRITERIA.map(|criterion| {
            let value = |run: &Run| estimate(&run.outcomes, criterion.light());
            let (from, to) = (value(few), value(many));
            let digits = criterion.digits;
            format!(
                "{} {from:.digits$} with {} jobs of the heavy user, {to:.digits$} with {}",
                criterion.name, few.heavy, many.heavy
            )
        });
        told.join("; ")
    }

    fn level(&self, policy: Policy) -> Claim {
        let changes = CRITERIA.map(|criterion| self.largest_change(policy, criterion));
        Claim {
            statement: format!(
                "Under {policy} light users maintain a steady share and quality of service, \
                 however much the heavy user asks for"
            ),
            source: SOURCE.into(),
            verdict: Verdict::of(changes.iter().all(|change| *change <= LEVEL)),
            judged: None,
            evidence: format!(
                "{}. The largest change between any two loads: {:.1} %, {:.1} % and {:.1} %. \
                 {WHY_LEVEL}",
                self.told(policy),
                changes[0],
                changes[1],
                changes[2]
            ),
        }
    }

    /// Between any two numbers of jobs of the heavy user, in per cent of the smaller value.
    fn largest_change(&self, policy: Policy, criterion: Criterion) -> f64 {
        let means = self.of(policy).map(|run| estimate(&run.outcomes, criterion.light()).mean);
        let (low, high) = means
            .fold((f64::INFINITY, 0.0f64), |(low, high), mean| (low.min(mean), high.max(mean)));
        100.0 * (high / low - 1.0)
    }

    fn falls(&self, policy: Policy) -> Claim {
        let changes =
            CRITERIA.map(|criterion| criterion.worth(self.light_change(policy, criterion).mean));
        Claim {
            statement: format!(
                "{policy} does not maintain light users' quality of service as the heavy user's \
                 load grows"
            ),
            source: SOURCE.into(),
            verdict: Verdict::of(changes.iter().all(|change| *change < -LEVEL)),
            judged: None,
            evidence: format!("{}. All three are worse by more than 5 %.", self.told(policy)),
        }
    }

    fn better_served(&self) -> Claim {
        let [up_down, round_robin, random] = Policy::STUDY;
        let ratio = |policy| {
            let (_, many) = self.ends(policy);
            estimate(&many.outcomes, CRITERIA[0].light())
        };
        let [ours, turn, lot] = [up_down, round_robin, random].map(ratio);
        let low = ours.mean - ours.half_width.unwrap_or(0.0);
        let high = |other: Estimate| other.mean + other.half_width.unwrap_or(0.0);
        Claim {
            statement: "Up-Down outperforms the other two for light users".into(),
            source: SOURCE.into(),
            verdict: Verdict::of(low > high(turn) && low > high(lot)),
            judged: None,
            evidence: format!(
                "At the heaviest load a light user gets {ours:.2} h of remote execution for each \
                 hour of waiting under Up-Down, {turn:.2} under Round-Robin, {lot:.2} under Random."
            ),
        }
    }

    fn throughput(&self) -> Claim {
        let of = |policy| estimate(&self.ends(policy).1.outcomes, Outcome::throughput);
        let [ours, turn, lot] = Policy::STUDY.map(of);
        let [up_down, round_robin, random] = Policy::STUDY;
        let ours_run = self.ends(up_down).1;
        let against = |rival| {
            let rival = self.ends(rival).1;
            change(&rival.outcomes, &ours_run.outcomes, Outcome::throughput)
        };
        let paired = [round_robin, random].map(against);
        Claim {
            statement: "All three algorithms provide the same throughput".into(),
            source: SOURCE.into(),
            verdict: Verdict::of(paired.iter().all(|paired| paired.mean.abs() <= SAME)),
            judged: None,
            evidence: format!(
                "Jobs done in a day at the heaviest load: {ours:.1} under Up-Down, {turn:.1} under \
                 Round-Robin, {lot:.1} under Random. Same means: within 1 %, less than the source \
                 could have seen. With the same owners and jobs the difference can be seen: pair \
                 by pair, Up-Down does {:.2} % against Round-Robin and {:.2} % against Random. That \
                 is the price of its moves, each of which keeps a processor for a minute: those \
                 that it makes beyond Round-Robin's take {:.2} % of all processor time.",
                paired[0],
                paired[1],
                self.moves()
            ),
        }
    }

    /// Processor time that Up-Down's moves take beyond Round-Robin's, in per cent of all.
    fn moves(&self) -> f64 {
        let placing = |policy| {
            estimate(&self.ends(policy).1.outcomes, |outcome| {
                100.0 * 60.0 * outcome.all().placements as f64 / outcome.available
            })
        };
        let [ours, turn, _] = Policy::STUDY.map(placing);
        ours.mean - turn.mean
    }

    fn heavy_gains(&self) -> Claim {
        let jobs = |policy| {
            estimate(&self.ends(policy).1.outcomes, |outcome| {
                outcome.of(CLASSES[2].1.clone()).finished as f64 / (outcome.span / DAY as f64)
            })
        };
        let [ours, turn, lot] = Policy::STUDY.map(jobs);
        Claim {
            statement: "Heavy users have greater throughput with a naive algorithm".into(),
            source: SOURCE.into(),
            verdict: Verdict::of(turn.mean > ours.mean && lot.mean > ours.mean),
            judged: None,
            evidence: format!(
                "The heavy user's jobs done in a day: {ours:.1} under Up-Down, {turn:.1} under \
                 Round-Robin, {lot:.1} under Random."
            ),
        }
    }

    fn heavy_steady(&self) -> Claim {
        let up_down = Policy::STUDY[0];
        let (few, many) = self.ends(up_down);
        let held = |run: &Run| {
            estimate(&run.outcomes, |outcome| {
                outcome.of(CLASSES[2].1.clone()).remote / outcome.span
            })
        };
        let waits = estimate(&many.outcomes, |outcome| {
            100.0 * outcome.of(CLASSES[2].1.clone()).wait / outcome.span
        });
        Claim {
            statement: "Up-Down enables heavy users to maintain steady access to remote cycles"
                .into(),
            source: SOURCE.into(),
            verdict: Verdict::of(held(many).mean >= held(few).mean && waits.mean < 50.0),
            judged: None,
            evidence: format!(
                "The heavy user runs on {:.2} processors of others with {} jobs and on {:.2} with \
                 {}; with these it is without any for {waits:.1} % of the time.",
                held(few),
                few.heavy,
                held(many),
                many.heavy
            ),
        }
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> =
            CRITERIA.map(|criterion| Block::Plot(self.light_plot(criterion))).into();
        blocks.push(Block::Table(self.table()));
        blocks.push(Block::Plot(self.throughput_plot()));
        blocks.extend(CRITERIA.map(|criterion| Block::Gallery(self.gallery(criterion))));
        blocks
    }

    fn series(&self, policy: Policy, name: &str, figure: impl Fn(&Outcome) -> f64) -> Series {
        let point =
            |run: &Run| Point::estimated(f64::from(run.heavy), &estimate(&run.outcomes, &figure));
        let points = self.of(policy).map(point).collect();
        Series { name: name.into(), shape: Shape::Line, points }
    }

    fn light_plot(&self, criterion: Criterion) -> Plot {
        let better = if criterion.rises { "higher" } else { "lower" };
        let series = |policy: Policy| self.series(policy, policy.name(), criterion.light());
        Plot {
            title: format!("Light users: {}.", criterion.name),
            caption: format!("All eleven together; {better} is better; 95 % confidence intervals."),
            x: Axis::linear(HEAVY),
            y: Axis::linear(criterion.name),
            series: Policy::STUDY.map(series).into(),
        }
    }

    fn throughput_plot(&self) -> Plot {
        let series = |policy: Policy| self.series(policy, policy.name(), Outcome::throughput);
        Plot {
            title: "Throughput of all users together.".into(),
            caption: "95 % confidence intervals.".into(),
            x: Axis::linear(HEAVY),
            y: Axis::linear("jobs done in a day"),
            series: Policy::STUDY.map(series).into(),
        }
    }

    fn gallery(&self, criterion: Criterion) -> Gallery {
        let plot = |policy: Policy| {
            let series = CLASSES.map(|(class, stations)| {
                let figure = move |outcome: &Outcome| (criterion.of)(&outcome.of(stations.clone()));
                self.series(policy, class, figure)
            });
            Plot {
                title: policy.name().into(),
                caption: String::new(),
                x: Axis::linear(HEAVY),
                y: (criterion.axis)(criterion.name.into()),
                series: series.into(),
            }
        };
        Gallery {
            title: format!("All users: {}.", criterion.name),
            caption: criterion.caption.into(),
            plots: Policy::STUDY.map(plot).into(),
        }
    }

    fn table(&self) -> Table {
        let mut columns =
            vec![("policy", "policy"), ("heavy_jobs", "heavy jobs"), ("class", "users")];
        columns.extend(CRITERIA.map(|criterion| (criterion.key, criterion.name)));
        let title = format!("The three criteria, {} replications", self.replications);
        let mut table = Table::new(title, &columns);
        for policy in Policy::STUDY {
            let (few, many) = self.ends(policy);
            for run in [few, many] {
                for (class, stations) in CLASSES {
                    let mut row = vec![
                        Cell::text(policy.name()),
                        Cell::Count(run.heavy.into()),
                        Cell::text(class),
                    ];
                    row.extend(CRITERIA.map(|criterion| {
                        let figure =
                            |outcome: &Outcome| (criterion.of)(&outcome.of(stations.clone()));
                        Cell::Estimate(estimate(&run.outcomes, figure), criterion.digits)
                    }));
                    table.push(row);
                }
            }
        }
        table
    }
}

const HEAVY: &str = "jobs of the heavy user";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::pools::quick_verdicts;

    #[test]
    fn light_users_stay_level_under_up_down_alone_and_throughput_is_the_same() {
        let verdicts = quick_verdicts(run);
        assert_eq!(verdicts[..7], [Verdict::Holds; 7]);
        assert_eq!(verdicts[7..], [Verdict::SourceDoesNotSay]);
    }
}
