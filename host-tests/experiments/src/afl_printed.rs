//! The rules of the auxiliary free list as printed, beside the kernel's.

use super::load_sweep::{Method, WAITING};
use super::sources::turner_meshes::RESTORED;
use super::{Experiment, Findings, Lab, afl_intervals, afl_uniform};
use locox::cube::Dim;
use locox_models::machine::{AsPrinted, Machine};
use locox_models::replay::saturated;
use locox_models::stats::{Estimate, mean};
use locox_models::workload::Job;
use locox_models::workload::meshes::Meshes;
use locox_report::judge;
use locox_report::report::{Block, Cell, Claim, Fact, Status, Table, counted};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "afl-printed",
    title: "The auxiliary free list by the rules as printed",
    source: "Turner 1995, figures 3.5 and 3.9, pp. 38 to 40",
    about: "All workloads of sections 4.1 to 4.3 on a 10-cube, first come, first served, some jobs \
            always waiting: under the rules as printed, word by word, over free lists that join \
            pairs, and under the kernel's on the same jobs. As printed, a half of an auxiliary subcube \
            that was split belongs to nobody, and no release takes it back.",
    statements: &[&RESTORED],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

const TEN: Dim = Dim::new(10).unwrap();

/// Replications of each workload.
const REPLICATIONS: u64 = 12;

/// How a replication ended.
#[derive(Clone, Copy)]
struct Course {
    /// Nodes that no release will take back, in per cent of the machine.
    lost: f64,
    /// Jobs that were started.
    started: u64,
    /// Whether a job waited at an idle machine.
    stuck: bool,
}

/// A workload, by replication.
struct Studied {
    name: String,
    printed: Vec<Course>,
    /// Under the kernel's rules: whether a job waited at an idle machine.
    stuck_ours: Vec<bool>,
}

fn run(lab: &Lab) -> Findings {
    let jobs = lab.either(1_000, 5_000);
    let recipes = [afl_uniform::recipes(), afl_intervals::recipes()].concat();
    let studied = study(lab, &recipes, jobs, KERNEL);
    Findings {
        parameters: vec![
            Fact::new("jobs of a replication", counted(jobs as u64)),
            Fact::new("replications", REPLICATIONS),
            Fact::new("jobs that always wait", WAITING),
            Fact::new("free list", "joins pairs"),
        ],
        claims: restored(&studied).into(),
        results: vec![Block::Table(table(&studied))],
    }
}

/// What runs under the kernel's rules.
type Ours = fn() -> Box<dyn Machine>;
const KERNEL: Ours = || Box::new(Method::AFL.machine(TEN));

fn study(lab: &Lab, recipes: &[Meshes], jobs: usize, ours: Ours) -> Vec<Studied> {
    let items: Vec<(usize, u64)> = (0..recipes.len())
        .flat_map(|recipe| (0..REPLICATIONS).map(move |replication| (recipe, replication)))
        .collect();
    let courses = lab.parallel(&items, |&(recipe, replication)| {
        let recipe = Meshes { jobs, ..recipes[recipe].clone() };
        let workload = recipe.generate(lab.seed, replication);
        (printed(&workload.jobs), gets_stuck(&workload.jobs, &mut *ours()))
    });
    let of_recipe = |(recipe, courses): (&Meshes, &[(Course, bool)])| Studied {
        name: recipe.name.trim_end_matches('.').to_owned(),
        printed: courses.iter().map(|(printed, _)| *printed).collect(),
        stuck_ours: courses.iter().map(|(_, stuck)| *stuck).collect(),
    };
    recipes.iter().zip(courses.chunks(REPLICATIONS as usize)).map(of_recipe).collect()
}

fn printed(jobs: &[Job]) -> Course {
    let mut machine = AsPrinted::new(TEN);
    let stuck = gets_stuck(jobs, &mut machine);
    let lost = 100.0 * f64::from(machine.lost()) / f64::from(TEN.nodes());
    Course { lost, started: machine.granted(), stuck }
}

/// Whether at some time a job waits at the idle machine, so that it waits for ever.
fn gets_stuck(jobs: &[Job], machine: &mut dyn Machine) -> bool {
    saturated(jobs, machine, Method::AFL.queue, WAITING, 0).is_none() && machine.in_use() == 0
}

/// By the rules as printed, and by the kernel's.
fn restored(studied: &[Studied]) -> [Claim; 2] {
    let started: Vec<f64> =
        studied.iter().flat_map(|it| &it.printed).map(|course| course.started as f64).collect();
    let printed = |it: &Studied| it.printed.iter().map(|course| course.stuck).collect();
    let ours = |it: &Studied| it.stuck_ours.clone();
    [
        never_stuck(studied, printed, |stuck, all| {
            format!(
                "{stuck} of {all} replications got stuck at an idle machine, after {:.0} jobs on average. \
                 The smallest case: a 5 x 1 and two 1 x 1 meshes in a 3-cube; when all have ended, node \
                 101 is in the auxiliary list and belongs to nobody.",
                mean(&started)
            )
        })
        .variant("the rules as printed"),
        never_stuck(studied, ours, |stuck, all| {
            format!(
                "{stuck} of {all} replications got stuck. Our repair: each leftover is a home to which its halves \
                 return, so that it cannot be otherwise."
            )
        })
        .by(Status::ByConstruction)
        .variant("the kernel's rules"),
    ]
}

/// A single machine that is idle and yet not whole refutes it for good.
fn never_stuck(
    studied: &[Studied],
    stuck: impl Fn(&Studied) -> Vec<bool>,
    told: impl Fn(usize, usize) -> String,
) -> Claim {
    let all: Vec<bool> = studied.iter().flat_map(&stuck).collect();
    let case = |it: &Studied| (it.name.clone(), !stuck(it).contains(&true));
    let told = told(all.iter().filter(|&&stuck| stuck).count(), all.len());
    judge::exactly(studied.iter().map(case)).on(&RESTORED, told)
}

fn table(studied: &[Studied]) -> Table {
    let columns = [
        ("workload", "workload"),
        ("stuck", "as printed: stuck"),
        ("started", "jobs until then"),
        ("lost", "nodes lost (%)"),
        ("stuck_ours", "the kernel's: stuck"),
    ];
    let title = format!("Replications of {REPLICATIONS} that got stuck at an idle machine");
    let mut table = Table::new(title, &columns);
    for it in studied {
        let of = |value: fn(&Course) -> f64| {
            Estimate::of(&it.printed.iter().map(value).collect::<Vec<_>>())
        };
        table.push(vec![
            Cell::text(&it.name),
            Cell::Count(it.printed.iter().filter(|course| course.stuck).count() as u64),
            Cell::Estimate(of(|course| course.started as f64), 0),
            Cell::Estimate(of(|course| course.lost), 1),
            Cell::Count(it.stuck_ours.iter().filter(|&&stuck| stuck).count() as u64),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{DoesNotHold, Holds};

    fn judged(ours: Ours) -> [Claim; 2] {
        let lab = Lab::new(crate::Effort::Quick, 1, Progress::hidden());
        restored(&study(&lab, &afl_uniform::recipes()[2..], 300, ours))
    }

    /// The printed rules where the kernel's belong.
    pub(super) fn planted() -> [Vec<Claim>; 2] {
        [judged(KERNEL), judged(|| Box::new(AsPrinted::new(TEN)))].map(Vec::from)
    }

    /// The printed rules are the wrong ones here: under them nodes get lost, under the kernel's none.
    #[test]
    fn rules_that_lose_nodes_turn_the_verdict() {
        assert_eq!(judged(KERNEL).map(|claim| claim.verdict), [DoesNotHold, Holds]);
    }
}
