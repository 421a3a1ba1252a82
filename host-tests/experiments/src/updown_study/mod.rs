//! The simulation study of 1987: three criteria of light, medium and heavy users under Up-Down,
//! Round-Robin and Random while the heavy user asks for more and more.

mod claims;
mod criteria;
mod intervals;
mod readings;

use super::pools::{
    BANK, CLASSES, Case, DAY, SOURCE, as_asked, estimate, first_reading, replicate,
};
use super::sources::updown as says;
use super::{Experiment, Findings, Lab};
use criteria::{CRITERIA, Criterion};
use locox::time::Duration;
use locox_models::workstation::{Outcome, Policy, Pool};
use locox_report::report::{Axis, Block, Cell, Fact, Gallery, Plot, Point, Series, Shape, Table};

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
    statements: &[
        &says::STEADY_SHARE,
        &says::NOT_STEADY,
        &says::NAIVE_SUFFER,
        &says::OUT_PERFORMS,
        &says::SAME_THROUGHPUT,
        &says::AS_GOOD,
        &says::FAVOR_HEAVY,
        &says::RATIOS_RISE,
        &says::HEAVY_THROUGHPUT,
        &says::HEAVY_STEADY,
        &says::NOT_TOO_OFTEN,
        &says::OFTEN_ENOUGH,
        &says::ANY_READING,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

/// All replications at one number of the heavy user's jobs under one policy.
#[derive(Clone)]
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
    let span = Duration::from_ticks(days * DAY);
    let study = Study::new(lab, heavies, span, replications, as_asked);
    let intervals = intervals::measure(lab, span, replications, as_asked);
    let readings = readings::measure(lab, study.span, lab.either(2, 5));
    let mut claims = study.claims();
    claims.extend(intervals::claims(&intervals));
    claims.push(readings::claim(&readings));
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
        results: [study.blocks(), intervals::blocks(&intervals), readings::blocks(&readings)]
            .concat(),
    }
}

impl Study {
    fn new(
        lab: &Lab,
        heavies: &[u32],
        span: Duration,
        replications: u64,
        by: impl Fn(&Case, u64, u64) -> Outcome + Sync,
    ) -> Self {
        let mut cases = Vec::new();
        for &heavy in heavies {
            let pool = Pool { span, ..first_reading(heavy) };
            cases.extend(Policy::STUDY.map(|policy| Case { pool: pool.clone(), policy }));
        }
        let outcomes = replicate(lab, &cases, replications, by);
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
    use crate::pools::check::{self, Turned, assert_all};
    use locox::fair::{Condor, ScheduleIndex, UpDown};
    use locox_report::report::{Claim, Statement, Verdict};

    #[test]
    fn light_users_stay_level_under_up_down_alone_and_throughput_is_the_same() {
        let claims = check::quick(&EXPERIMENT);
        let clear = [
            &says::STEADY_SHARE,
            &says::NOT_STEADY,
            &says::NAIVE_SUFFER,
            &says::OUT_PERFORMS,
            &says::FAVOR_HEAVY,
            &says::HEAVY_THROUGHPUT,
            &says::AS_GOOD,
            &says::NOT_TOO_OFTEN,
            &says::OFTEN_ENOUGH,
        ];
        assert_all(&claims, &clear, Verdict::Holds);
        // As the text defines the ratio, and the other way round.
        let rise = check::of(&claims, &says::RATIOS_RISE);
        assert_eq!(rise, [Verdict::DoesNotHold, Verdict::Holds]);
    }

    /// What comes out if `by` runs the pools.
    fn claims(by: impl Fn(&Case, u64, u64) -> Outcome + Sync) -> Vec<Claim> {
        let span = Duration::from_ticks(60 * DAY);
        Study::new(&check::lab(), &[2, 13], span, 4, by).claims()
    }

    fn refuted(claims: &[Claim], statements: &[&Statement]) {
        assert_all(claims, statements, Verdict::DoesNotHold);
    }

    fn turned(Case { pool, policy }: &Case, seed: u64, replication: u64) -> Outcome {
        let outcome = match policy {
            Policy::UpDown(_) => {
                let table = vec![ScheduleIndex::ZERO; pool.stations.len()];
                let fair = Turned(UpDown::new(table, Condor::default()).shuffled());
                pool.run_by(fair, seed, replication, |_, _| ())
            }
            other => pool.run(*other, seed, replication),
        };
        outcome.expect("the experiment's own parameters fit")
    }

    /// The same, of shorter runs.
    pub(super) fn planted() -> [Vec<Claim>; 2] {
        let run = |by: fn(&Case, u64, u64) -> Outcome| {
            Study::new(&check::lab(), &[2], Duration::from_ticks(30 * DAY), 4, by).claims()
        };
        [run(as_asked), run(turned)]
    }

    #[test]
    fn up_down_that_serves_the_largest_index_first_is_caught() {
        let claims = claims(turned);
        refuted(&claims, &[&says::STEADY_SHARE, &says::OUT_PERFORMS, &says::HEAVY_THROUGHPUT]);
    }

    #[test]
    fn up_down_in_the_place_of_the_others_is_caught() {
        let claims = claims(|Case { pool, .. }, seed, replication| {
            let case = Case { pool: pool.clone(), policy: Policy::STUDY[0] };
            as_asked(&case, seed, replication)
        });
        refuted(&claims, &[&says::NOT_STEADY]);
        let others =
            [&says::NAIVE_SUFFER, &says::FAVOR_HEAVY, &says::OUT_PERFORMS, &says::HEAVY_THROUGHPUT];
        for statement in others {
            assert!(!check::of(&claims, statement).contains(&Verdict::Holds), "{}", statement.id);
        }
    }

    /// Up-Down with no bank: fewer jobs are done, and the heavy user has less.
    #[test]
    fn fewer_processors_for_up_down_are_caught() {
        let claims = claims(|Case { pool, policy }, seed, replication| {
            let bank = if *policy == Policy::STUDY[0] { 0 } else { pool.bank };
            as_asked(
                &Case { pool: Pool { bank, ..pool.clone() }, policy: *policy },
                seed,
                replication,
            )
        });
        refuted(&claims, &[&says::SAME_THROUGHPUT, &says::AS_GOOD]);
    }
}
