//! Figures 4.6 to 4.27: many small meshes and some large ones.

mod claims;
mod panel;
mod readings;

use super::load_sweep::{
    self, CAPTION, Cube, Effort, Limit, Method, Sweep, figure, limits_table, limits_with_others,
    measure,
};
use super::sources::turner_meshes::{
    FASTER_WITH_A, FASTER_WITH_LIMIT, FEWER_INSIDE_16, FULLER_16, GAIN_WITH_LIMIT,
    INSIDE_WITH_LIMIT, LESS_USED_WITH_A, LONGER_16, MORE_PRONOUNCED, MORE_UNUSED_WITH_A,
    OFTEN_UNNECESSARY, RAFL, SIMILAR, SOME_INSIDE, THROUGHPUT, TURNAROUND, USED_WITH_LIMIT,
};
use super::{Experiment, Findings, Lab};
use locox::cube::Dim;
use locox_models::stats::Estimate;
use locox_models::workload::meshes::{Choice, Meshes};
use locox_report::report::{Axis, Block, Claim, Fact, Gallery, Plot, Point, Series, Shape};
use panel::{Panel, SHARES, Studied};

pub(super) const EIGHT: Experiment = Experiment {
    name: "afl-intervals-8",
    title: "Small meshes with sides in [1,8] among large ones",
    source: "Turner 1995, section 4.2, figures 4.6 to 4.17",
    about: ABOUT,
    statements: &[
        &FASTER_WITH_A,
        &FASTER_WITH_LIMIT,
        &LESS_USED_WITH_A,
        &MORE_UNUSED_WITH_A,
        &SOME_INSIDE,
        &USED_WITH_LIMIT,
        &INSIDE_WITH_LIMIT,
        &GAIN_WITH_LIMIT,
        &OFTEN_UNNECESSARY,
        &THROUGHPUT,
        &TURNAROUND,
    ],
    run: |lab| Ok(run(lab, &SMALL_8)),
    #[cfg(test)]
    planted: tests::planted_8,
};

pub(super) const SIXTEEN: Experiment = Experiment {
    name: "afl-intervals-16",
    title: "Small meshes with sides in [1,16] among large ones",
    source: "Turner 1995, section 4.3, figures 4.18 to 4.27",
    about: ABOUT,
    statements: &[
        &OFTEN_UNNECESSARY,
        &THROUGHPUT,
        &TURNAROUND,
        &LONGER_16,
        &FULLER_16,
        &FEWER_INSIDE_16,
        &MORE_PRONOUNCED,
        &SIMILAR,
        &RAFL,
    ],
    run: |lab| Ok(run(lab, &SMALL_16)),
    #[cfg(test)]
    planted: tests::planted_16,
};

const ABOUT: &str = "A mesh is small with probability A, its sides are then uniform in the small \
                     range, and large otherwise. On a 10-cube, exponential interarrival and \
                     service times, a mean service time of 4 s, first come, first served. Each \
                     method sees the same jobs. FL is a free list that joins pairs, unless it is \
                     said that it searches as well.";

const TEN: Dim = Dim::new(10).unwrap();

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
    cube: Cube,
    panels: &[Panel],
    loads: &[f64],
    others: &[Method],
    effort: Effort,
) -> Vec<Studied> {
    let sweeps: Vec<Sweep> = panels.iter().map(|panel| panel.sweep(cube, loads)).collect();
    let recipes: Vec<Meshes> = panels.iter().map(Panel::recipe).collect();
    let limits = limits_with_others(lab, cube, &recipes, effort, (others, effort));
    let known = measure(lab, &sweeps, effort).into_iter().zip(limits);
    let studied = |(&panel, (curves, limits))| Studied { panel, curves, limits };
    panels.iter().zip(known).map(studied).collect()
}

fn run(lab: &Lab, family: &Family) -> Findings {
    let effort = lab.either(load_sweep::QUICK, FULL);
    let (cube, panels) = (Cube::new(TEN), family.panels());
    let others = lab.either(Method::SEARCHED.into(), Method::others());
    let studied = study(lab, cube, &panels, &loads(), &others, effort);
    let by_side = readings::by_side(lab, cube, &panels, &loads(), effort);
    let searched = readings::searched(lab, cube, &studied, &loads(), effort);
    let mut claims = claims(family, &studied, &by_side, &searched);
    if family.small == SMALL_16.small {
        let smaller = |panel: &Panel| Panel { small: SMALL_8.small, ..*panel };
        let smaller: Vec<Panel> = panels.iter().map(smaller).collect();
        let smaller = study(lab, cube, &smaller, &[claims::LOW], &[], effort);
        claims.extend(claims::of_both(&smaller, &studied));
        claims.push(Claim::open(
            &RAFL,
            "The text never says what RAFL is, so there is nothing to run.",
        ));
    }
    let names: Vec<String> = panels.iter().map(Panel::name).collect();
    let methods = [&Method::PAIR[..], &others].concat();
    let limits: Vec<&[Limit]> = studied.iter().map(|it| &it.limits[..]).collect();
    let mut results = vec![Block::Plot(gains(family, &studied))];
    results.extend(galleries(family, &studied));
    results.push(Block::Table(limits_table("sides", &names, &methods, &limits)));
    results.push(Block::Table(readings::table(&studied, &by_side)));
    Findings { parameters: parameters(effort), claims, results }
}

/// What the figures of the family show by themselves; with A as a share of the jobs and of the sides.
fn claims(
    family: &Family,
    by_job: &[Studied],
    by_side: &[Studied],
    searched: &[Studied],
) -> Vec<Claim> {
    let readings = [("drawn by job", by_job), ("drawn by side", by_side)];
    let mut claims = vec![];
    if family.small == SMALL_8.small {
        claims = claims::of_section_4_2(by_job);
        for (reading, studied) in readings {
            let found = claims::saturated_of_section_4_2(studied).into_iter();
            let variant = |claim: Claim| match &claim.variant[..] {
                "" => claim.variant(reading),
                of => {
                    let both = format!("{of}, {reading}");
                    claim.variant(both)
                }
            };
            claims.extend(found.map(variant));
        }
    }
    let workloads = format!("small sides in [1,{}]", family.small);
    claims.extend(claims::of_releases(by_job, &workloads));
    for (reading, pair) in Method::READINGS {
        claims.push(claims::increase(by_job, pair).variant(format!("{workloads}, {reading}")));
    }
    let increase = claims::increase(by_side, Method::PAIR);
    claims.push(increase.variant(format!("{workloads}, drawn by side")));
    let turnarounds = [
        ("pairs joined", by_job, Method::PAIR),
        ("searched", searched, Method::SEARCHED),
        ("drawn by side", by_side, Method::PAIR),
    ];
    for (reading, studied, pair) in turnarounds {
        let claim = claims::turnarounds(studied, pair);
        claims.push(claim.variant(format!("{workloads}, {reading}")));
    }
    claims
}

const FULL: Effort = Effort { batches: 2, ..load_sweep::FULL };

fn parameters(effort: Effort) -> Vec<Fact> {
    let mut facts = load_sweep::parameters(effort);
    facts.push(load_sweep::parameters_of_others(effort));
    facts.push(Fact::new(
        "reading of A",
        "small or large is drawn once for a job; drawn for each side, as p. 47 can be read as well, \
         where it is said",
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
                &Estimate::of(&result.gained(Method::PAIR)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    const SHORT: Effort = Effort { jobs: 200, batch: 5, stride: 4, ..load_sweep::QUICK };
    const TWO_RANGES: Family = Family { small: 8, large: &[(9, ""), (17, "")] };

    fn short(cube: Cube, panels: &[Panel]) -> Vec<Studied> {
        let lab = Lab::new(crate::Effort::Quick, 1, Progress::hidden());
        study(&lab, cube, panels, &[claims::LOW], &Method::SEARCHED, SHORT)
    }

    fn judged(cube: Cube, panels: &[Panel]) -> Vec<Claim> {
        let studied = short(cube, panels);
        let lab = Lab::new(crate::Effort::Quick, 1, Progress::hidden());
        let searched = readings::searched(&lab, cube, &studied, &[claims::LOW], SHORT);
        claims(&TWO_RANGES, &studied, &studied, &searched)
    }

    pub(super) fn planted_8() -> [Vec<Claim>; 2] {
        let panels = TWO_RANGES.panels();
        [Cube::new(TEN), Cube::exchanged(TEN)].map(|cube| judged(cube, &panels))
    }

    /// Small sides in [1,16] beside the same in [1,8]; then the other way round.
    pub(super) fn planted_16() -> [Vec<Claim>; 2] {
        const LARGE: &[(u32, &str)] = &[(20, "")];
        let [eight, sixteen] = [8, 16].map(|small| {
            let family = Family { small, large: LARGE };
            short(Cube::new(TEN), &family.panels())
        });
        [claims::of_both(&eight, &sixteen), claims::of_both(&sixteen, &eight)]
    }

    fn verdict(cube: Cube, panels: &[Panel], id: &str) -> Verdict {
        judged(cube, panels)
            .into_iter()
            .filter(|claim| claim.id() == id)
            .map(|claim| claim.verdict)
            .next()
            .expect("it is judged")
    }

    /// The free list alone where the auxiliary list belongs, and the other way round; and the share
    /// of small jobs where that of large ones belongs.
    #[test]
    fn wrong_machines_and_wrong_workloads_turn_the_verdicts() {
        let panels = TWO_RANGES.panels();
        let throughput = "turner-1995/p128/throughput@small-sides-in-1-8-pairs-joined";
        assert_eq!(verdict(Cube::new(TEN), &panels, throughput), Holds);
        assert_eq!(verdict(Cube::exchanged(TEN), &panels, throughput), DoesNotHold);
        let turned = panels.iter().map(|panel| Panel { share: 1.0 - panel.share, ..*panel });
        let turned: Vec<Panel> = turned.collect();
        let used = "turner-1995/p52/utilisation@drawn-by-job";
        assert_ne!(verdict(Cube::new(TEN), &panels, used), DoesNotHold);
        assert_eq!(verdict(Cube::new(TEN), &turned, used), DoesNotHold);
    }
}
