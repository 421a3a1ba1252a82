//! Figures 4.6 to 4.27: many small meshes and some large ones.

mod claims;
mod panel;
mod readings;

use super::load_sweep::{
    self, CAPTION, Effort, Limit, Method, Sweep, figure, limits_table, limits_with_others, measure,
};
use super::{Experiment, Findings, Lab};
use locox_models::stats::Estimate;
use locox_models::workload::meshes::{Choice, Meshes};
use locox_report::report::{Axis, Block, Fact, Gallery, Plot, Point, Series, Shape};
use panel::{Panel, SHARES, Studied, TEN};

pub(super) const EIGHT: Experiment = Experiment {
    name: "afl-intervals-8",
    title: "Small meshes with sides in [1,8] among large ones",
    source: "Turner 1995, section 4.2, figures 4.6 to 4.17",
    about: ABOUT,
    statements: &[],
    run: |lab| Ok(run(lab, &SMALL_8)),
};

pub(super) const SIXTEEN: Experiment = Experiment {
    name: "afl-intervals-16",
    title: "Small meshes with sides in [1,16] among large ones",
    source: "Turner 1995, section 4.3, figures 4.18 to 4.27",
    about: ABOUT,
    statements: &[],
    run: |lab| Ok(run(lab, &SMALL_16)),
};

const ABOUT: &str = "A mesh is small with probability A, its sides are then uniform in the small \
                     range, and large otherwise. On a 10-cube, exponential interarrival and \
                     service times, a mean service time of 4 s, first come, first served. Each \
                     method sees the same jobs. FL is the free list of the source, which joins \
                     pairs and searches no further.";

/// A row of the thesis's table 4.1.
struct Family {
    /// The largest small side.
    small: u32,
    /// The smallest large side, and the figures that show it.
    large: &'static [(u32, &'static str)],
}

const SMALL_8: Family = Family {
    small: 8,
    large: &[
        (9, "4.6 and 4.7"),
        (17, "4.8 and 4.9"),
        (20, "4.10 and 4.11"),
        (25, "4.12 and 4.13"),
        (28, "4.14 and 4.15"),
        (30, "4.16 and 4.17"),
    ],
};

const SMALL_16: Family = Family {
    small: 16,
    large: &[
        (17, "4.18 and 4.19"),
        (20, "4.20 and 4.21"),
        (25, "4.22 and 4.23"),
        (28, "4.24 and 4.25"),
        (30, "4.26 and 4.27"),
    ],
};

impl Family {
    /// By range, and then by share.
    fn panels(&self) -> Vec<Panel> {
        let small = self.small;
        let of = |&(large, _): &(u32, _)| {
            SHARES.map(|share| {
                let choice = Choice::PerJob;
                Panel { small, large, share, choice }
            })
        };
        self.large.iter().flat_map(of).collect()
    }
}

/// Closer together where most limits lie.
fn loads() -> Vec<f64> {
    let close = (5..15).map(|at| f64::from(at) * 0.1);
    close.chain((6..=14).map(|at| f64::from(at) * 0.25)).collect()
}

/// Sweeps FL and AFL + FL over `loads`; the limits are those of `others` as well.
fn study(
    lab: &Lab,
    panels: &[Panel],
    loads: &[f64],
    others: &[Method],
    effort: Effort,
) -> Vec<Studied> {
    let sweeps: Vec<Sweep> = panels.iter().map(|panel| panel.sweep(loads)).collect();
    let recipes: Vec<Meshes> = panels.iter().map(Panel::recipe).collect();
    let limits = limits_with_others(lab, TEN, &recipes, others, effort);
    let known = measure(lab, &sweeps, effort).into_iter().zip(limits);
    let studied = |(&panel, (curves, limits))| Studied { panel, curves, limits };
    panels.iter().zip(known).map(studied).collect()
}

fn run(lab: &Lab, family: &Family) -> Findings {
    let effort = lab.either(load_sweep::QUICK, FULL);
    let panels = family.panels();
    let others = lab.either(Vec::new(), Method::others());
    let studied = study(lab, &panels, &loads(), &others, effort);
    let readings = readings::Readings::study(lab, &panels, effort);
    let similar = family.small == SMALL_16.small;
    let mut claims = if similar { vec![] } else { claims::of_section_4_2(&studied) };
    claims.extend(claims::of_chapter_4(&studied));
    claims.extend(readings.claims(&studied));
    if similar {
        let smaller = |panel: &Panel| Panel { small: SMALL_8.small, ..*panel };
        let smaller: Vec<Panel> = panels.iter().map(smaller).collect();
        let smaller = study(lab, &smaller, &[claims::LOW], &[], effort);
        claims.extend(claims::of_both(&smaller, &studied));
    }
    let names: Vec<String> = panels.iter().map(Panel::name).collect();
    let methods = [&Method::PAIR[..], &others].concat();
    let limits: Vec<&[Limit]> = studied.iter().map(|it| &it.limits[..]).collect();
    let mut results = vec![Block::Plot(gains(family, &studied))];
    results.extend(galleries(family, &studied));
    results.push(Block::Table(limits_table("sides", &names, &methods, &limits)));
    results.push(Block::Table(readings.table(&studied)));
    Findings { parameters: parameters(effort), claims, results }
}

const FULL: Effort = Effort { batches: 2, ..load_sweep::FULL };

fn parameters(effort: Effort) -> Vec<Fact> {
    let mut facts = load_sweep::parameters(effort);
    facts.push(load_sweep::parameters_of_others(effort));
    facts.push(Fact::new(
        "reading of A",
        "small or large is drawn once for a job; drawn for each side, as p. 47 can be read as well, \
         has a table of its own",
    ));
    facts
}

/// The workloads of both sections.
pub(super) fn recipes() -> Vec<Meshes> {
    [SMALL_8, SMALL_16].iter().flat_map(Family::panels).map(|panel| panel.recipe()).collect()
}

/// A gallery for each range of large sides, two plots for each share.
fn galleries(family: &Family, studied: &[Studied]) -> Vec<Block> {
    let ranges = family.large.iter().zip(studied.chunks(SHARES.len()));
    let gallery = |(&(large, figures), studied): (&(u32, &str), &[Studied])| {
        let plots = studied.iter().flat_map(|it| {
            let title = format!("A = {:.1}.", it.panel.share);
            figure(&title, &it.curves)
        });
        Block::Gallery(Gallery {
            title: format!("Figures {figures}: [1,{}] and [{large},32].", family.small),
            caption: CAPTION.into(),
            plots: plots.collect(),
        })
    };
    ranges.map(gallery).collect()
}

/// What the auxiliary list gains, over the lower limit of the large sides.
fn gains(family: &Family, studied: &[Studied]) -> Plot {
    let series = SHARES.iter().enumerate().map(|(at, share)| {
        let of_share = studied.iter().skip(at).step_by(SHARES.len());
        let point = |result: &Studied| {
            Point::estimated(
                f64::from(result.panel.large),
                &Estimate::of(&result.gain().utilisation()),
            )
        };
        Series {
            name: format!("A = {share:.1}"),
            shape: Shape::Line,
            points: of_share.map(point).collect(),
        }
    });
    Plot {
        title: "What the auxiliary list gains at saturation.".into(),
        caption: format!(
            "Utilisation with AFL + FL less that with FL, small sides in [1,{}].",
            family.small
        ),
        x: Axis::linear("smallest large side"),
        y: Axis::linear("gain (percentage points)"),
        series: series.collect(),
    }
}
