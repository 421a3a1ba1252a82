//! Advance reservations under seven policies: the study of Li et al. run again, on its model and
//! on the log that the model imitates.

mod agreement;
mod claims;
mod figures;
mod flexibility;
mod grid;
mod load;
mod readings;
mod sizes;

pub(super) use flexibility::EXPERIMENT as FLEXIBILITY;
pub(super) use load::EXPERIMENT as LOAD;
pub(super) use sizes::EXPERIMENT as SIZES;

use super::{Experiment, Findings, Lab};
use claims::{Published, Statement};
use figures::Figure;
use grid::{ACCEPTANCE, Grid, Plan, SLOWDOWN, Setting, Source, WORK};
use locox::reserve::Fit;
use locox_models::reservations::Open;
use locox_report::failure::Failure;
use locox_report::report::{Block, Fact, counted};

/// What one of the three experiments varies, and what the source says of it.
struct Study {
    /// What is varied, with the values that it takes.
    axis: &'static str,
    values: &'static [f64],
    setting: fn(f64) -> Setting,
    /// Whether sizes of the log are drawn anew.
    resize: bool,
    /// Numbers of the figures of acceptance and slowdown.
    figures: [&'static str; 2],
    published: Vec<Published>,
    /// Where results differ from the source's, and why.
    differences: &'static str,
}

/// How much is run.
struct Extent {
    jobs: usize,
    replications: usize,
    /// The most stretches of the log.
    stretches: usize,
}

impl Extent {
    fn of(lab: &Lab) -> Self {
        let (jobs, replications, stretches) = lab.either((3_000, 5, 3), (10_000, 20, usize::MAX));
        Self { jobs, replications, stretches }
    }
}

impl Study {
    fn run(&self, lab: &Lab) -> Result<Findings, Failure> {
        let Extent { jobs, replications, stretches } = Extent::of(lab);
        let plan = Plan {
            values: self.values,
            setting: self.setting,
            resize: self.resize,
            jobs,
            replications,
            open: Open::default(),
        };
        let log = Source::log(lab, jobs, stretches)?;
        let mut parameters = vec![
            Fact::new("PEs", 1024),
            Fact::new("requests a run", counted(jobs as u64)),
            Fact::new("replications of the model", replications),
            Fact::new("a statement about differences", claims::RULE),
        ];
        let mut findings = Findings { parameters: vec![], claims: vec![], results: vec![] };
        match &log {
            Some(log) => parameters.push(Fact::new("stretches of the log", log.replications())),
            None => findings.results.push(Block::Text(NO_LOG.into())),
        }
        for source in [Some(Source::Model), log].into_iter().flatten() {
            let grid = Grid::measure(lab, &source, &plan);
            let name = source.name();
            let claims = self.published.iter().map(|claim| claim.claim(&grid, name, self.axis));
            findings.claims.extend(claims);
            findings.claims.push(claims::work(&grid, name, self.axis));
            findings.results.extend(figures::blocks(&grid, name, self.axis, &self.figures()));
        }
        findings.results.insert(0, Block::Text(self.differences.into()));
        findings.parameters = parameters;
        Ok(findings)
    }

    fn figures(&self) -> [Figure; 3] {
        let [acceptance, slowdown] = self.figures;
        [
            Figure {
                number: Some(acceptance),
                measure: ACCEPTANCE,
                label: "Acceptance rate (%)",
                digits: 1,
            },
            Figure { number: Some(slowdown), measure: SLOWDOWN, label: "Mean slowdown", digits: 2 },
            Figure { number: None, measure: WORK, label: "Work accepted (%)", digits: 1 },
        ]
    }
}

const NO_LOG: &str = "The log is left out: set the variable LOCOX_DATA to a folder that holds \
                      traces/LANL-CM5-1994-4.1-cln.swf.xz, which the Parallel Workloads Archive \
                      offers as LANL-CM5-1994-4.1-cln.swf.gz.";

/// What the source says in each of its experiments but the last: how acceptance and slowdown go, in
/// the words of `trends`, and of the policies. `places` are those of the two figures.
fn common(trends: [&'static str; 2], places: [&'static str; 2]) -> Vec<Published> {
    use Fit::{
        DurationBest, DurationWorst, First, PeBest, PeDurationBest, PeDurationWorst, PeWorst,
    };
    let accepts = |text, statement| Published::accepts(text, places[0], statement);
    let slows = |text, statement| Published::slows(text, places[1], statement);
    vec![
        accepts(trends[0], Statement::Fall(Fit::ALL.into())),
        slows(trends[1], Statement::Rise(Fit::ALL.into())),
        Published::accepts(
            "PE_W has the highest acceptance rate",
            "section 7",
            claims::over(PeWorst, claims::others(&[PeWorst])),
        ),
        accepts(
            "PE_W and Du_B are the best: Du_B accepts more than all others but PE_W",
            claims::over(DurationBest, claims::others(&[DurationBest, PeWorst])),
        ),
        accepts("PE_B accepts fewer than FF", claims::over(First, vec![PeBest])),
        accepts("Du_W accepts fewer than FF", claims::over(First, vec![DurationWorst])),
        accepts(
            "PEDu_B and PEDu_W accept more than FF",
            Statement::Above(vec![(PeDurationBest, First), (PeDurationWorst, First)]),
        ),
        accepts("PE_W and Du_B accept alike", Statement::Alike(PeWorst, DurationBest)),
        accepts("PE_B and Du_W accept alike", Statement::Alike(PeBest, DurationWorst)),
        accepts(
            "PEDu_B and PEDu_W accept alike",
            Statement::Alike(PeDurationBest, PeDurationWorst),
        ),
        slows(
            "FF has the lowest slowdown",
            Statement::Above(
                claims::others(&[First]).into_iter().map(|fit| (fit, First)).collect(),
            ),
        ),
        slows("PE_W and Du_B slow down alike", Statement::Alike(PeWorst, DurationBest)),
        slows("PE_B and Du_W slow down alike", Statement::Alike(PeBest, DurationWorst)),
        slows(
            "The slowdowns of PEDu_B and PEDu_W differ",
            Statement::Apart(PeDurationBest, PeDurationWorst),
        ),
    ]
}
