//! The machine over time: its nodes in a plane, each job in a colour of its own, and a slider.
//!
//! What a job holds beside its nodes is hatched: the leftover of its subcube, unless another job
//! runs there. The page draws from the list of jobs; nothing is stored a moment.

mod cube;
mod grid;
mod plan;

use crate::report::Picture;
use locox::cube::Dim;
use locox::grid::Grid;
use locox_models::machine::Token;
use locox_models::replay::{JobRecord, Outcome};
use locox_models::workload::Job;
use maud::{Markup, html};
use plan::{Part, Parts, Plan};
use serde::Serialize;

/// The most runs that are drawn side by side.
pub const MOST_SCENES: usize = 8;
/// Jobs that arrive in the stretch of time that is shown.
pub const ARRIVALS: usize = 120;

const SCRIPT: &str = include_str!("node_map.js");

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    Cube(Dim),
    Grid(Grid),
}

/// Runs of the same workload on the same machine, side by side.
pub struct NodeMap<'a> {
    pub machine: Machine,
    /// Ticks to the unit in which times are shown.
    pub ticks: u64,
    pub unit: &'static str,
    pub workload: &'a [Job],
    /// What to call each run, and what came of it.
    pub runs: Vec<(String, &'a Outcome)>,
}

/// What the page is told.
#[derive(Serialize)]
struct Data {
    nodes: u32,
    /// Side of a node's square.
    cell: u32,
    /// Nodes along each axis, of a machine that has axes.
    axes: Option<Vec<u8>>,
    unit: &'static str,
    /// Begin and end of what is shown.
    from: f64,
    to: f64,
    /// When jobs arrive, after `from`.
    arrivals: Vec<f64>,
    scenes: Vec<Scene>,
}

/// One of the runs.
#[derive(Serialize)]
struct Scene {
    /// Jobs that wait at `from`.
    waiting: usize,
    /// Jobs that run at some time from `from` to `to`.
    jobs: Vec<Placed>,
}

/// A job on its nodes.
#[derive(Serialize)]
struct Placed {
    id: u64,
    shape: String,
    starts: f64,
    ends: f64,
    /// What it holds, and its own nodes in that.
    held: Part,
    own: Vec<Part>,
}

impl NodeMap<'_> {
    /// The picture; `None` if the machine is too large for one, or its jobs hold other things.
    pub fn picture(&self, title: &str) -> Option<Picture> {
        let plan = self.machine.plan()?;
        let data = self.data(&plan)?;
        let json = serde_json::to_string(&data).expect("the data is plain");
        Some(Picture {
            title: title.into(),
            caption: self.machine.caption().into(),
            markup: self.markup(&plan).into_string(),
            script: format!("const data = {json};\n{SCRIPT}"),
        })
    }

    fn data(&self, plan: &Plan) -> Option<Data> {
        let (from, to) = busiest(self.workload)?;
        let scenes: Option<Vec<_>> =
            self.runs.iter().map(|(_, outcome)| self.scene(outcome, from, to)).collect();
        let arrivals = self.workload.iter().map(|job| job.submit.ticks());
        let arrivals = arrivals.filter(|&at| from < at && at <= to).map(|at| self.time(at));
        let arrivals = arrivals.collect();
        let (from, to) = (self.time(from), self.time(to));
        Some(Data {
            nodes: plan.nodes.len() as u32,
            cell: plan.cell,
            axes: self.machine.axes(),
            unit: self.unit,
            from,
            to,
            arrivals,
            scenes: scenes?,
        })
    }

    fn scene(&self, outcome: &Outcome, from: u64, to: u64) -> Option<Scene> {
        let ran = || outcome.jobs.iter().filter(|job| job.success);
        let waits = |job: &&JobRecord| job.submit.ticks() <= from && from < job.start.ticks();
        let runs = |job: &&JobRecord| job.start.ticks() <= to && job.finish.ticks() >= from;
        let jobs: Option<Vec<_>> = ran().filter(runs).map(|job| self.placed(job)).collect();
        Some(Scene { waiting: ran().filter(waits).count(), jobs: jobs? })
    }

    fn placed(&self, job: &JobRecord) -> Option<Placed> {
        let (shape, held, own) = self.machine.parts(job.token?)?;
        Some(Placed {
            id: job.id,
            shape,
            starts: self.time(job.start.ticks()),
            ends: self.time(job.finish.ticks()),
            held,
            own,
        })
    }

    fn time(&self, ticks: u64) -> f64 {
        ticks as f64 / self.ticks as f64
    }

    fn markup(&self, plan: &Plan) -> Markup {
        html! {
            div.node-map style={ "--map:" (plan.size.0) "px" } {
                div.controls {
                    button type="button" { "Play" }
                    label { "Time " input type="range" min="0" value="0" step="1"; }
                    output {}
                }
                div.scenes { @for (name, _) in &self.runs {
                    figure {
                        figcaption { strong { (name) } " " span.state {} }
                        div.scroll tabindex="0" role="region" aria-label={ "map under " (name) } { (plan.markup(name)) }
                        details { summary { "Running jobs" } ul {} }
                    }
                } }
            }
        }
    }
}

impl Machine {
    /// Where its nodes are drawn; `None` if it is too large.
    fn plan(self) -> Option<Plan> {
        match self {
            Self::Cube(dims) => cube::plan(dims),
            Self::Grid(grid) => grid::plan(grid),
        }
    }

    fn caption(self) -> &'static str {
        match self {
            Self::Cube(_) => cube::CAPTION,
            Self::Grid(_) => grid::CAPTION,
        }
    }

    fn axes(self) -> Option<Vec<u8>> {
        match self {
            Self::Cube(_) => None,
            Self::Grid(grid) => Some(grid::sides(grid).to_vec()),
        }
    }

    /// What a job of this token holds; `None` of another machine.
    fn parts(self, token: Token) -> Option<Parts> {
        match self {
            Self::Cube(_) => cube::parts(token),
            Self::Grid(_) => grid::parts(token),
        }
    }
}

/// The shortest stretch of time, in ticks, in which so many jobs arrive, or all if they are fewer, with the
/// same again after it, for them to end.
pub fn busiest(jobs: &[Job]) -> Option<(u64, u64)> {
    let arrives = |job: &Job| job.submit.ticks();
    let window = ARRIVALS.min(jobs.len()).max(1);
    let spans = jobs.windows(window).map(|jobs| (arrives(&jobs[0]), arrives(&jobs[window - 1])));
    let (from, to) = spans.min_by_key(|(from, to)| to - from)?;
    Some((from, to.saturating_add(to - from)))
}
