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
use claims::{Published, Shape};
use figures::Figure;
use grid::{ACCEPTANCE, Grid, Plan, SLOWDOWN, Setting, Source, WORK};
use locox::reserve::Fit;
use locox_models::reservations::Open;
use locox_report::failure::Failure;
use locox_report::report::{Block, Claim, Fact, counted};

/// What one of the three experiments varies, and what the source says of it.
struct Study {
    /// What is varied, with the values that it takes.
    axis: &'static str,
    /// The same in a word, for variants of statements on all figures.
    varied: &'static str,
    values: &'static [f64],
    setting: fn(f64) -> Setting,
    /// Whether sizes of the log are drawn anew.
    resize: bool,
    /// Numbers of the figures of acceptance and slowdown.
    figures: [&'static str; 2],
    published: Vec<Published>,
    /// Statements on all figures, with ours.
    overall: Vec<Published>,
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
            in_place_of: |fit| fit,
        };
        let log = Source::log(lab, jobs, stretches)?;
        let mut parameters = vec![
            Fact::new("PEs", 1024),
            Fact::new("requests a run", counted(jobs as u64)),
            Fact::new("replications of the model", replications),
            Fact::new(
                self.axis,
                self.values.iter().map(f64::to_string).collect::<Vec<_>>().join(", "),
            ),
            Fact::new(
                "UMed, arrival factor and {artime, deadline}",
                "7, 1 and {3,3} but for what is varied; of both factors of flexibility the same",
            ),
            Fact::new("run times", "60, 300, 900, 1800, 3600 and 10,800 s"),
            Fact::new("jobs of the log", if self.resize { RESIZED } else { "as logged" }),
        ];
        let mut findings = Findings { parameters: vec![], claims: vec![], results: vec![] };
        match &log {
            Some(log) => parameters.push(Fact::new("stretches of the log", log.replications())),
            None => findings.results.push(Block::Text(NO_LOG.into())),
        }
        for source in [Some(Source::Model), log].into_iter().flatten() {
            let grid = Grid::measure(lab, &source, &plan);
            let name = source.name();
            findings.claims.extend(self.claims(&grid, name));
            findings.results.extend(figures::blocks(&grid, name, self.axis, &self.figures()));
        }
        findings.results.insert(0, Block::Text(self.differences.into()));
        findings.parameters = parameters;
        Ok(findings)
    }

    /// The verdicts of a source of jobs, of that name.
    fn claims(&self, grid: &Grid, name: &str) -> Vec<Claim> {
        let of_figures = format!("on the {name}");
        let overall = format!("{}, {of_figures}", self.varied);
        let claim = |of: &Published, variant: &str| of.claim(grid, variant, self.axis);
        let published = self.published.iter().map(|one| claim(one, &of_figures));
        published.chain(self.overall.iter().map(|one| claim(one, &overall))).collect()
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

const RESIZED: &str =
    "in its order and at its times, sizes drawn by UMed, run times of logged jobs of that size";

const NO_LOG: &str = "The log is left out: set the variable LOCOX_DATA to a folder that holds \
                      traces/LANL-CM5-1994-4.1-cln.swf.xz, which the Parallel Workloads Archive \
                      offers as LANL-CM5-1994-4.1-cln.swf.gz.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;
    use crate::sources::li;
    use locox_report::progress::Progress;
    use locox_report::report::{Statement, Verdict};
    use std::collections::HashMap;

    fn verdicts(in_place_of: fn(Fit) -> Fit) -> HashMap<&'static str, Verdict> {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let plan = Plan {
            values: &[7.0],
            setting: |_| grid::DEFAULT,
            resize: false,
            jobs: 1000,
            replications: 10,
            open: Open::default(),
            in_place_of,
        };
        let grid = Grid::measure(&lab, &Source::Model, &plan);
        let all = sizes::published().into_iter().chain([claims::pe_w_highest(&li::PE_W_HIGHEST)]);
        all.map(|one| (one.statement.id, one.claim(&grid, "", "UMed").verdict)).collect()
    }

    #[track_caller]
    fn assert_verdicts(
        found: &HashMap<&str, Verdict>,
        statements: &[&Statement],
        verdict: Verdict,
    ) {
        for statement in statements {
            assert_eq!(found[statement.id], verdict, "{}", statement.id);
        }
    }

    #[test]
    fn the_policies_of_the_source_bear_it_out_where_it_is_clear() {
        let sound = verdicts(|fit| fit);
        let clear = [&li::FIG2_TWO_DO_NOT, &li::FIG2_MUCH_BETTER, &li::FIG3_FF_LOWEST];
        assert_verdicts(&sound, &clear, Verdict::Holds);
        assert_verdicts(&sound, &[&li::FIG2_FOUR_BEAT_FF], Verdict::HoldsInPart);
        // Of Du_B and PEDu_W it takes more runs to tell them from PE_W.
        assert_verdicts(&sound, &[&li::FIG2_BEST, &li::PE_W_HIGHEST], Verdict::Undecided);
    }

    /// The timeline runs best fits where worst fits belong.
    fn reversed(fit: Fit) -> Fit {
        use Fit::{
            DurationBest, DurationWorst, First, PeBest, PeDurationBest, PeDurationWorst, PeWorst,
        };
        match fit {
            First => First,
            PeBest => PeWorst,
            PeWorst => PeBest,
            DurationBest => DurationWorst,
            DurationWorst => DurationBest,
            PeDurationBest => PeDurationWorst,
            PeDurationWorst => PeDurationBest,
        }
    }

    /// FF that takes a late start.
    fn late(fit: Fit) -> Fit {
        if fit == Fit::First { Fit::PeWorst } else { fit }
    }

    pub(super) fn planted(study: &Study) -> [Vec<Claim>; 2] {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let run = |in_place_of: fn(Fit) -> Fit| {
            let Study { values, setting, .. } = *study;
            let (resize, open) = (false, Open::default());
            let plan =
                Plan { values, setting, resize, jobs: 400, replications: 6, open, in_place_of };
            study.claims(&Grid::measure(&lab, &Source::Model, &plan), "model")
        };
        [run(|fit| fit), run(late)]
    }

    #[test]
    fn policies_with_their_order_reversed_are_caught() {
        let reversed = verdicts(reversed);
        let refuted =
            [&li::FIG2_TWO_DO_NOT, &li::FIG2_BEST, &li::FIG2_MUCH_BETTER, &li::PE_W_HIGHEST];
        assert_verdicts(&reversed, &refuted, Verdict::DoesNotHold);
    }

    #[test]
    fn another_policy_in_the_place_of_ff_is_caught() {
        let late = verdicts(late);
        let refuted = [&li::FIG2_FOUR_BEAT_FF, &li::FIG2_MUCH_BETTER, &li::FIG3_FF_LOWEST];
        assert_verdicts(&late, &refuted, Verdict::DoesNotHold);
    }
}
