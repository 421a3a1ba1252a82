//! What a machine yields when jobs always wait.

use super::super::difference::minus;
use super::leftovers::Watched;
use super::{Cube, Effort, Lab, Method};
use locox_models::replay::saturated;
use locox_models::stats::Estimate;
use locox_models::workload::Job;
use locox_models::workload::meshes::{Meshes, SERVICE, Sides};
use locox_models::workload::synthetic::TICKS_PER_UNIT;
use locox_report::report::{Cell, Table};

/// What a method yields when jobs always wait.
#[derive(Clone, Debug)]
pub(crate) struct Limit {
    pub(crate) method: Method,
    /// By replication, in per cent of the nodes.
    pub(crate) utilisations: Vec<f64>,
    /// By replication: the load at which the queue begins to grow without end.
    pub(crate) loads: Vec<f64>,
    /// By replication: of the small jobs those that start in leftovers, in per cent.
    pub(crate) in_leftovers: Vec<f64>,
    /// By replication: of the subcubes left over those that nobody used, in per cent.
    pub(crate) unused: Vec<f64>,
    /// The same of the small ones, which have fewer nodes than the largest small mesh.
    pub(crate) small_unused: Vec<f64>,
    /// By replication: of the releases those that do without the free list's own deallocation, in per
    /// cent; by either reading of what they are.
    pub(crate) spared: [Vec<f64>; 2],
}

/// What one replication yields.
struct Yield {
    utilisation: f64,
    load: f64,
    in_leftovers: f64,
    unused: f64,
    small_unused: f64,
    spared: [f64; 2],
}

impl Limit {
    pub(crate) fn utilisation(&self) -> Estimate {
        Estimate::of(&self.utilisations)
    }

    pub(crate) fn load(&self) -> Estimate {
        Estimate::of(&self.loads)
    }

    /// How much more of the nodes is used than under `other`, replication by replication, in
    /// percentage points.
    pub(crate) fn more_than(&self, other: &Self) -> Vec<f64> {
        minus(&self.utilisations, &other.utilisations)
    }
}

/// Jobs that wait at a saturated machine.
pub(crate) const WAITING: usize = 16;

/// The limits of all methods for each recipe. By Little's law the mean number of running jobs is
/// the load, service time over interarrival time, that the machine sustains.
pub(crate) fn limits(
    lab: &Lab,
    cube: Cube,
    recipes: &[Meshes],
    methods: &[Method],
    jobs: usize,
    replications: u64,
) -> Vec<Vec<Limit>> {
    let items: Vec<(usize, u64)> = (0..recipes.len())
        .flat_map(|recipe| (0..replications).map(move |replication| (recipe, replication)))
        .collect();
    let runs = lab.parallel(&items, |&(recipe, replication)| {
        let recipe = Meshes { jobs, ..recipes[recipe].clone() };
        let workload = recipe.generate(lab.seed, replication);
        let small = small(&recipe.sides);
        let of = |method: &Method| limit(method, cube, &workload.jobs, small);
        methods.iter().map(of).collect::<Vec<Yield>>()
    });
    let limit = |runs: &[Vec<Yield>], at: usize| {
        let of = |value: fn(&Yield) -> f64| runs.iter().map(|run| value(&run[at])).collect();
        Limit {
            method: methods[at],
            utilisations: of(|it| it.utilisation),
            loads: of(|it| it.load),
            in_leftovers: of(|it| it.in_leftovers),
            unused: of(|it| it.unused),
            small_unused: of(|it| it.small_unused),
            spared: [of(|it| it.spared[0]), of(|it| it.spared[1])],
        }
    };
    let of_recipe = |runs: &[Vec<Yield>]| (0..methods.len()).map(|at| limit(runs, at)).collect();
    runs.chunks(replications as usize).map(of_recipe).collect()
}

/// The limits of FL and AFL + FL, and behind them those of `others`, with less effort.
pub(crate) fn limits_with_others(
    lab: &Lab,
    cube: Cube,
    recipes: &[Meshes],
    effort: Effort,
    (others, other_effort): (&[Method], Effort),
) -> Vec<Vec<Limit>> {
    let of = |methods: &[Method], Effort { jobs, batch, .. }: Effort| {
        limits(lab, cube, recipes, methods, jobs, batch)
    };
    let pairs = of(&Method::PAIR, effort).into_iter();
    let others = of(others, other_effort.beyond_the_source());
    pairs.zip(others).map(|(pair, others)| [pair, others].concat()).collect()
}

/// The largest side of what counts as a small mesh.
fn small(sides: &Sides) -> u32 {
    match sides {
        Sides::Interval { small, .. } => *small.end(),
        _ => u32::MAX,
    }
}

fn limit(method: &Method, cube: Cube, jobs: &[Job], small: u32) -> Yield {
    let mut machine = Watched::new(cube.machine(method), small);
    let full = saturated(jobs, &mut machine, method.queue, WAITING, jobs.len() / 10);
    let full = full.expect("there are enough jobs to saturate the machine");
    // Service times are drawn: their mean over these jobs is only nearly the one asked for.
    let drawn = jobs.iter().map(|job| job.run.ticks() as f64).sum::<f64>() / jobs.len() as f64;
    Yield {
        utilisation: full.utilisation * 100.0,
        load: full.running * SERVICE * TICKS_PER_UNIT as f64 / drawn,
        in_leftovers: machine.in_leftovers(),
        unused: machine.unused(),
        small_unused: machine.small_unused(),
        spared: [machine.spared_as_printed(), machine.spared()],
    }
}

/// Utilisation at saturation, workloads in rows and methods in columns.
pub(crate) fn limits_table(
    first: &str,
    names: &[String],
    methods: &[Method],
    limits: &[&[Limit]],
) -> Table {
    let titles: Vec<String> = methods.iter().map(Method::name).collect();
    let keys: Vec<String> = titles
        .iter()
        .map(|title| {
            title.to_lowercase().replace(", ", "_").replace([' ', '-'], "_").replace("_+_", "_")
        })
        .collect();
    let mut columns = vec![(first, first)];
    columns.extend(keys.iter().zip(&titles).map(|(key, title)| (key.as_str(), title.as_str())));
    let title = format!("Nodes in use (%) while {WAITING} jobs always wait");
    let mut table = Table::new(title, &columns);
    for (name, &limits) in names.iter().zip(limits) {
        let mut row = vec![Cell::text(name)];
        row.extend(limits.iter().map(|limit| Cell::Estimate(limit.utilisation(), 1)));
        table.push(row);
    }
    table
}

#[cfg(test)]
impl Limit {
    /// With utilisations and loads that somebody made up.
    pub(crate) fn made_up(method: Method, utilisations: Vec<f64>, loads: Vec<f64>) -> Self {
        let [in_leftovers, unused, small_unused] = [(); 3].map(|()| utilisations.clone());
        let spared = [(); 2].map(|()| utilisations.clone());
        Self { method, utilisations, loads, in_leftovers, unused, small_unused, spared }
    }
}
