//! The simulation study of 1987: three criteria of light, medium and heavy users under Up-Down,
//! Round-Robin and Random while the heavy user asks for more and more.

mod criteria;
mod readings;

use super::pools::{BANK, CLASSES, Case, DAY, SOURCE, changes, estimate, first_reading, replicate};
use super::{Experiment, Findings, Lab};
use criteria::{CRITERIA, Criterion, LEVEL};
use locox::time::Duration;
use locox_models::workstation::{Outcome, Policy, Pool};
use locox_report::judge::{self, Expected, Unit};
use locox_report::report::{
    Axis, Block, Cell, Claim, Fact, Gallery, Plot, Point, Series, Shape, Table,
};

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
    statements: &[],
    run: |lab| Ok(run(lab)),
};

/// Up to what difference, in per cent, throughputs count as the same.
const SAME: f64 = 1.0;

/// Where the source says what it found.
const FOUND: &str = "Mutka and Livny 1987, abstract and introduction";
/// Where it says what naive rankings do.
const NAIVE: &str = "Mutka and Livny 1987, example of processor sharing";
/// Where slides on the same work sum it up.
const SLIDES: &str = "Slides on Up-Down 1990, slide 9";
/// Where it compares throughputs.
const ABSTRACT: &str = "Mutka and Livny 1987, abstract";

const PER_CENT: Unit = Unit("%", 1);

const WHY_LEVEL: &str = "Level means: within 5 %. A light user waits for the next update of the \
                         indices, and these come a little more or less often as other users' jobs \
                         end; 5 % leaves room for that and no more.";

type Compared = judge::Case;

type Figure<'a> = &'a dyn Fn(&Outcome) -> f64;

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

    /// From the fewest jobs of the heavy user to each larger number.
    fn steps(
        &self,
        policy: Policy,
        what: &str,
        figure: Figure<'_>,
        expected: Expected,
    ) -> Vec<Compared> {
        let (few, _) = self.ends(policy);
        let step = |run: &Run| {
            let by = changes(&few.outcomes, &run.outcomes, figure);
            Compared::new(format!("{what} with {} jobs", run.heavy), by, expected)
        };
        self.of(policy).skip(1).map(step).collect()
    }

    /// Up-Down against each of the others, in per cent of theirs, at each number of jobs.
    fn against(&self, what: &str, figure: Figure<'_>, expected: Expected) -> Vec<Compared> {
        let [up_down, rivals @ ..] = Policy::STUDY;
        let at = |rival: Policy| {
            let pairs = self.of(rival).zip(self.of(up_down));
            pairs.map(move |(theirs, ours)| {
                let by = changes(&theirs.outcomes, &ours.outcomes, figure);
                Compared::new(format!("{what} against {rival}, {} jobs", ours.heavy), by, expected)
            })
        };
        rivals.into_iter().flat_map(at).collect()
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
        let of = |criterion: Criterion| {
            let expected = Expected::alike(LEVEL);
            self.steps(policy, criterion.name, &criterion.light(), expected)
        };
        let cases: Vec<Compared> = CRITERIA.into_iter().flat_map(of).collect();
        judge::every(&cases, PER_CENT).claim(
            format!(
                "Under {policy} light users maintain a steady share and quality of service, \
                 however much the heavy user asks for"
            ),
            FOUND,
            format!(
                "{}. Change from the fewest jobs of the heavy user, criterion by criterion. \
                 {WHY_LEVEL}",
                self.told(policy),
            ),
        )
    }

    fn falls(&self, policy: Policy) -> Claim {
        let of = |criterion: Criterion| {
            let worse = Expected::Inside(f64::NEG_INFINITY, -LEVEL);
            let steps = self.steps(policy, criterion.name, &criterion.light(), worse);
            let mut whole = steps.into_iter().last()?;
            whole.differences.iter_mut().for_each(|by| *by = criterion.worth(*by));
            Some(whole)
        };
        let cases: Vec<Compared> = CRITERIA.into_iter().filter_map(of).collect();
        judge::every(&cases, PER_CENT).claim(
            format!(
                "{policy} does not maintain light users' quality of service as the heavy user's \
                 load grows"
            ),
            FOUND,
            format!(
                "{}. Judged: each is worse by more than {LEVEL} %; a change for the worse counts as \
                 negative.",
                self.told(policy)
            ),
        )
    }

    fn better_served(&self) -> Claim {
        let ratio = |policy| {
            let (_, many) = self.ends(policy);
            estimate(&many.outcomes, CRITERIA[0].light())
        };
        let [ours, turn, lot] = Policy::STUDY.map(ratio);
        let cases = self.against("wait ratio", &CRITERIA[0].light(), Expected::MORE);
        judge::every(&cases, PER_CENT).claim(
            "Up-Down outperforms the other two for light users",
            FOUND,
            format!(
                "Remote cycle wait ratio of light users against the rivals', at each load. At the \
                 heaviest a light user gets {ours:.2} h of remote execution for each hour of \
                 waiting under Up-Down, {turn:.2} under Round-Robin, {lot:.2} under Random."
            ),
        )
    }

    fn throughput(&self) -> Claim {
        let of = |policy| estimate(&self.ends(policy).1.outcomes, Outcome::throughput);
        let [ours, turn, lot] = Policy::STUDY.map(of);
        let cases = self.against("jobs done", &Outcome::throughput, Expected::alike(SAME));
        judge::every(&cases, Unit("%", 2)).claim(
            "All three algorithms provide the same throughput",
            ABSTRACT,
            format!(
                "Jobs done in a day at the heaviest load: {ours:.1} under Up-Down, {turn:.1} under \
                 Round-Robin, {lot:.1} under Random. Same means: within {SAME} %, less than the \
                 source could have seen; Up-Down against each, at each load. With the same owners \
                 and jobs the difference can be seen. It is the price of Up-Down's moves, each of \
                 which keeps a processor for a minute: those that it makes beyond Round-Robin's \
                 take {:.2} % of all processor time at the heaviest load.",
                self.moves()
            ),
        )
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
        let jobs = |outcome: &Outcome| {
            outcome.of(CLASSES[2].1.clone()).finished as f64 / (outcome.span / DAY as f64)
        };
        let at_most = |policy| estimate(&self.ends(policy).1.outcomes, jobs);
        let [ours, turn, lot] = Policy::STUDY.map(at_most);
        let most = self.ends(Policy::STUDY[0]).1.heavy;
        let all = self.against("heavy user's jobs", &jobs, Expected::LESS);
        // With few jobs the heavy user is none yet.
        let cases: Vec<Compared> =
            all.into_iter().filter(|case| case.name.ends_with(&format!(" {most} jobs"))).collect();
        judge::every(&cases, PER_CENT).claim(
            "Heavy users have greater throughput with a naive algorithm",
            NAIVE,
            format!(
                "At the heaviest load. The heavy user's jobs done in a day: {ours:.1} under \
                 Up-Down, {turn:.1} under Round-Robin, {lot:.1} under Random; Up-Down against each."
            ),
        )
    }

    fn heavy_steady(&self) -> Claim {
        let up_down = Policy::STUDY[0];
        let (few, many) = self.ends(up_down);
        let held = |outcome: &Outcome| outcome.of(CLASSES[2].1.clone()).remote / outcome.span;
        let waits = estimate(&many.outcomes, |outcome| {
            100.0 * outcome.of(CLASSES[2].1.clone()).wait / outcome.span
        });
        let expected = Expected::Inside(-LEVEL, f64::INFINITY);
        let cases = self.steps(up_down, "processors held", &held, expected);
        judge::every(&cases, PER_CENT).claim(
            "Up-Down enables heavy users to maintain steady access to remote cycles",
            SLIDES,
            format!(
                "The heavy user runs on {:.2} processors of others with {} jobs and on {:.2} with \
                 {}; with these it is without any for {waits:.1} % of the time. Steady means: at \
                 no load less than {LEVEL} % below that with the fewest jobs.",
                estimate(&few.outcomes, held),
                few.heavy,
                estimate(&many.outcomes, held),
                many.heavy
            ),
        )
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
    use crate::pools::quick_verdicts;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds, SourceDoesNotSay};

    #[test]
    fn light_users_stay_level_under_up_down_alone_and_throughput_is_the_same() {
        let verdicts = quick_verdicts(run);
        assert_eq!(verdicts[7..], [SourceDoesNotSay]);
        assert!(!verdicts[..7].contains(&DoesNotHold), "{verdicts:?}");
        assert_eq!(verdicts[1..4], [Holds; 3]);
        assert_eq!(verdicts[5], Holds);
    }

    fn verdicts(runs: &[Run]) -> Vec<Verdict> {
        let study = Study { runs: runs.to_vec(), span: Duration::ZERO, replications: 4 };
        study.claims().into_iter().map(|claim| claim.verdict).collect()
    }

    /// The runs with their rankings exchanged, with the loads in the wrong order, and with fewer
    /// processors for Up-Down than for the others.
    #[test]
    fn every_verdict_can_fail() {
        let lab =
            Lab::new(super::super::Effort::Quick, 1, locox_report::progress::Progress::hidden());
        let runs = Study::new(&lab, &[2, 13], Duration::from_ticks(90 * DAY), 5).runs;
        let sound = verdicts(&runs);
        assert!(!sound.contains(&DoesNotHold), "{sound:?}");
        let mut exchanged = runs.clone();
        for trio in exchanged.chunks_mut(3) {
            let policies = [1, 2, 0].map(|at| trio[at].policy);
            trio.iter_mut().zip(policies).for_each(|(run, policy)| run.policy = policy);
        }
        let mut reversed = runs.clone();
        reversed.rotate_left(3);
        let mut poorer = runs.clone();
        for run in poorer.iter_mut().step_by(3) {
            let span = Duration::from_ticks(90 * DAY);
            let pool = Pool { bank: 0, span, ..first_reading(run.heavy) };
            run.outcomes = replicate(&lab, &[Case { pool, policy: run.policy }], 5).remove(0);
        }
        let wrong = [exchanged, reversed, poorer].map(|runs| verdicts(&runs));
        for (at, sound) in sound.iter().enumerate() {
            let found: Vec<_> = wrong.iter().map(|wrong| wrong[at]).collect();
            let changed = found.iter().any(|&found| found != *sound && found != Holds);
            assert!(changed, "claim {at}: {sound:?}, {found:?}");
        }
    }
}
