//! Both readings of A, and which one the printed numbers fit.
//!
//! A job is small with probability A, or each of its sides is: p. 47 ("the probability of a value")
//! can be read either way. Some numbers can be read off the printed curves for A = 0.5: utilisation
//! at the end of the axis.

use super::super::load_sweep::{Effort, Limit, Method, limits};
use super::Lab;
use super::panel::{Panel, Studied, TEN};
use locox_models::stats::Estimate;
use locox_models::workload::meshes::{Choice, Meshes};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Cell, Claim, Statement, Table, Verdict};

/// Utilisation that can be read off a printed curve.
struct Printed {
    figure: &'static str,
    /// The smallest large side.
    large: u32,
    fl: (f64, f64),
    afl: (f64, f64),
    told: &'static str,
}

/// "About" is to five points: finer than that nobody reads these plots.
const PRINTED: [Printed; 3] = [
    Printed {
        figure: "4.9",
        large: 17,
        fl: (0.0, 40.0),
        afl: (35.0, 45.0),
        told: "AFL about 40, FL below",
    },
    Printed {
        figure: "4.15",
        large: 28,
        fl: (40.0, 60.0),
        afl: (60.0, 100.0),
        told: "AFL 60 or more, FL 40 to 60",
    },
    Printed {
        figure: "4.17",
        large: 30,
        fl: (55.0, 60.0),
        afl: (60.0, 100.0),
        told: "AFL above 60, FL just below",
    },
];

const SHARE: f64 = 0.5;
const SOURCE: &str = "Turner 1995, figures 4.9, 4.15, 4.17";

/// The other reading of the panels: each side small with probability A.
pub(super) struct Readings {
    per_side: Vec<(Panel, Vec<Limit>)>,
}

impl Readings {
    pub(super) fn study(lab: &Lab, panels: &[Panel], effort: Effort) -> Self {
        let per_side = |panel: &Panel| Panel { choice: Choice::PerSide, ..*panel };
        let panels: Vec<Panel> = panels.iter().map(per_side).collect();
        let recipes: Vec<Meshes> = panels.iter().map(Panel::recipe).collect();
        let limits = limits(lab, TEN, &recipes, &Method::PAIR, effort.jobs, effort.batch);
        Self { per_side: panels.into_iter().zip(limits).collect() }
    }

    pub(super) fn claims(&self, studied: &[Studied]) -> Vec<Claim> {
        if studied.iter().any(|it| it.panel.small > 8) {
            return vec![rafl()];
        }
        let per_job: Vec<_> = studied.iter().map(|it| (it.panel, &it.limits[..])).collect();
        let per_side: Vec<_> =
            self.per_side.iter().map(|(panel, limits)| (*panel, &limits[..])).collect();
        vec![
            fits(&per_job, "a share of the jobs"),
            fits(&per_side, "a share of the sides"),
            fits_better(&per_job, &per_side),
        ]
    }

    /// Utilisation at saturation under both readings, and as printed.
    pub(super) fn table(&self, studied: &[Studied]) -> Table {
        let columns = [
            ("sides", "sides"),
            ("jobs_fl", "share of jobs: FL"),
            ("jobs_afl", "share of jobs: AFL + FL"),
            ("sides_fl", "share of sides: FL"),
            ("sides_afl", "share of sides: AFL + FL"),
            ("printed", "as printed"),
        ];
        let mut table = Table::new("Both readings of A: nodes in use (%) at saturation", &columns);
        for (it, (_, per_side)) in studied.iter().zip(&self.per_side) {
            let of =
                |limits: &[Limit], method| Cell::Estimate(limit(limits, method).utilisation(), 1);
            table.push(vec![
                Cell::text(it.panel.name()),
                of(&it.limits, Method::FL),
                of(&it.limits, Method::AFL),
                of(per_side, Method::FL),
                of(per_side, Method::AFL),
                printed(&it.panel).map_or(Cell::Missing, |one| Cell::text(one.told)),
            ]);
        }
        table
    }
}

fn limit(limits: &[Limit], method: Method) -> &Limit {
    limits.iter().find(|limit| limit.method == method).expect("the pair is measured")
}

fn printed(panel: &Panel) -> Option<&'static Printed> {
    let of_section_4_2 = panel.small == 8 && panel.share == SHARE;
    PRINTED.iter().find(|printed| of_section_4_2 && printed.large == panel.large)
}

/// Utilisations beside the printed ranges, a case for each number.
fn beside_printed(limits: &[(Panel, &[Limit])]) -> Vec<Case> {
    let cases = |(panel, limits): &(Panel, &[Limit])| {
        printed(panel).map(|one| {
            [(Method::FL, one.fl), (Method::AFL, one.afl)].map(|(method, (low, high))| {
                let name = format!("figure {}, {}", one.figure, method.name());
                let values = limit(limits, method).utilisations.clone();
                Case::new(name, values, Expected::Inside(low, high))
            })
        })
    };
    limits.iter().filter_map(cases).flatten().collect()
}

/// Whether the printed numbers come out under a reading.
fn fits(limits: &[(Panel, &[Limit])], reading: &str) -> Claim {
    let all = beside_printed(limits);
    let one = |case: &Case| {
        let mean = case.differences.iter().sum::<f64>() / case.differences.len() as f64;
        let Expected::Inside(low, high) = case.expected else { return String::new() };
        format!("{}: {mean:.1} % (printed {low:.0} to {high:.0})", case.name)
    };
    let list: Vec<String> = all.iter().map(one).collect();
    judge::every(&all, Unit("% of the nodes", 1)).claim(
        format!("The printed utilisations for A = {SHARE} come out if A is {reading}"),
        SOURCE,
        format!(
            "Read off the curves where their axes end; about is to five points. {}.",
            list.join(", ")
        ),
    )
}

/// Whether A as a share of the jobs comes closer to the printed numbers.
fn fits_better(per_job: &[(Panel, &[Limit])], per_side: &[(Panel, &[Limit])]) -> Claim {
    let (jobs, sides) = (off(per_job), off(per_side));
    let farther = jobs.iter().zip(&sides).map(|(jobs, sides)| sides - jobs).collect();
    let case = Case::new("sides less jobs", farther, Expected::MORE);
    judge::every(&[case], Unit("points outside the printed ranges", 1)).claim(
        "The printed numbers fit A as a share of the jobs rather than of the sides",
        SOURCE,
        format!(
            "Outside the printed ranges by {:.1} points as a share of the jobs, summed over the six \
             numbers, and by {:.1} as a share of the sides.",
            Estimate::of(&jobs),
            Estimate::of(&sides)
        ),
    )
}

/// How far the utilisations are outside the printed ranges, summed, by replication.
fn off(limits: &[(Panel, &[Limit])]) -> Vec<f64> {
    let cases = beside_printed(limits);
    let replications = cases.iter().map(|case| case.differences.len()).min().unwrap_or(0);
    let outside = |case: &Case, at: usize| {
        let Expected::Inside(low, high) = case.expected else { return 0.0 };
        let value = case.differences[at];
        (low - value).max(value - high).max(0.0)
    };
    (0..replications).map(|at| cases.iter().map(|case| outside(case, at)).sum()).collect()
}

/// A curve that the text never explains.
fn rafl() -> Claim {
    Claim {
        statement: Statement::unnamed(
            "Figures 4.22 and 4.23 show a third curve, RAFL".into(),
            "Turner 1995, figures 4.22 and 4.23".into(),
        ),
        variant: String::new(),
        verdict: Verdict::SourceDoesNotSay,
        judged: None,
        evidence: "The text never says what RAFL is, so there is nothing to run.".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Limits = [(Panel, [Limit; 2]); 3];

    /// Utilisations of FL and AFL in the three figures.
    fn made_up(of: [(f64, f64); 3]) -> Limits {
        let near = |value: f64| (0..5).map(|at| value + 0.01 * f64::from(at * at)).collect();
        let mut larges = PRINTED.iter().map(|printed| printed.large);
        of.map(|(fl, afl)| {
            let large = larges.next().unwrap();
            let panel = Panel { small: 8, large, share: SHARE, choice: Choice::PerJob };
            let limit = |method, value| Limit::made_up(method, near(value), near(value));
            (panel, [limit(Method::FL, fl), limit(Method::AFL, afl)])
        })
    }

    fn borrowed(limits: &Limits) -> Vec<(Panel, &[Limit])> {
        limits.iter().map(|(panel, limits)| (*panel, &limits[..])).collect()
    }

    #[test]
    fn every_verdict_can_fail() {
        let good = made_up([(35.0, 40.0), (50.0, 65.0), (58.0, 62.0)]);
        let half = made_up([(35.0, 40.0), (50.0, 65.0), (51.2, 53.3)]);
        let bad = made_up([(50.0, 55.0), (70.0, 50.0), (50.0, 40.0)]);
        let fits = |limits| fits(&borrowed(limits), "whatever").verdict;
        assert_eq!(fits(&good), Verdict::Holds);
        assert_eq!(fits(&half), Verdict::HoldsInPart);
        assert_eq!(fits(&bad), Verdict::DoesNotHold);
        let better = |jobs, sides| fits_better(&borrowed(jobs), &borrowed(sides)).verdict;
        assert_eq!(better(&good, &half), Verdict::Holds);
        assert_eq!(better(&bad, &half), Verdict::DoesNotHold);
        assert_eq!(better(&good, &good), Verdict::Undecided);
    }
}
