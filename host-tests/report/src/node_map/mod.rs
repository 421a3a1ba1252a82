//! The machine over time: its nodes in a plane, each job in a colour of its own, and a slider.
//!
//! What a job holds beside its nodes is hatched: the leftover of its subcube, unless another job
//! runs there. The page draws from the list of jobs; nothing is stored a moment. Places that are promised to jobs that wait are
//! hatched the other way.

mod cube;
mod grid;
mod plan;

use crate::report::Picture;
use locox::cube::Dim;
use locox::grid::Grid;
use locox_models::machine::{Place, Token};
use locox_models::replay::{JobRecord, Outcome, PromisedPlace};
use locox_models::workload::Job;
use maud::{Markup, PreEscaped, html};
use plan::{Part, Parts, Plan};
use serde::Serialize;

/// The most runs that are drawn side by side.
pub const MOST_SCENES: usize = 8;
/// Jobs that arrive in the stretch of time that is shown.
pub const ARRIVALS: usize = 120;
/// The most promised places that are drawn at a time: those of the first jobs in line.
pub const PROMISED: usize = 4;

const SCRIPT: &str = include_str!("node_map.js");
const PROMISED_SCRIPT: &str = include_str!("promised.js");
/// How promised places look, in maps and in charts; part of a picture only where there are any.
pub const PROMISED_STYLE: &str = include_str!("promised.css");

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
    /// What jobs are promised at some time from `from` to `to`, where anybody is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    promised: Vec<Promised>,
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

/// A place that a job is promised for a while.
#[derive(Serialize)]
struct Promised {
    id: u64,
    shape: String,
    from: f64,
    until: f64,
    starts: f64,
    place: Part,
}

impl NodeMap<'_> {
    /// The picture; `None` if the machine is too large for one, or its jobs hold other things.
    pub fn picture(&self, title: &str) -> Option<Picture> {
        let plan = self.machine.plan()?;
        let data = self.data(&plan)?;
        let json = serde_json::to_string(&data).expect("the data is plain");
        let is_promised = data.scenes.iter().any(|scene| !scene.promised.is_empty());
        let (more, script) = match is_promised {
            true => (promised_caption(), PROMISED_SCRIPT),
            false => (String::new(), ""),
        };
        Some(Picture {
            title: title.into(),
            caption: format!("{}{more}", self.machine.caption()),
            markup: self.markup(&plan, &data.scenes).into_string(),
            script: format!("const data = {json};\n{SCRIPT}{script}"),
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
        let promised = ran().flat_map(|job| self.promised(job, from, to)).collect();
        Some(Scene { waiting: ran().filter(waits).count(), jobs: jobs?, promised })
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

    /// What a job is promised at some time from when to when.
    fn promised(&self, job: &JobRecord, from: u64, to: u64) -> impl Iterator<Item = Promised> {
        let is_seen = move |it: &&PromisedPlace| {
            it.from < it.until && it.from.ticks() <= to && from < it.until.ticks()
        };
        job.promised_places.iter().filter(is_seen).filter_map(|it| {
            let (shape, place) = self.machine.promised(&it.place)?;
            let [from, until, starts] =
                [it.from, it.until, it.start].map(|at| self.time(at.ticks()));
            Some(Promised { id: job.id, shape, from, until, starts, place })
        })
    }

    fn time(&self, ticks: u64) -> f64 {
        ticks as f64 / self.ticks as f64
    }

    fn markup(&self, plan: &Plan, scenes: &[Scene]) -> Markup {
        let is_promised = |scene: &Scene| !scene.promised.is_empty();
        html! {
            div.node-map style={ "--map:" (plan.size.0) "px" } {
                div.controls {
                    button type="button" { "Play" }
                    label { "Time " input type="range" min="0" value="0" step="1"; }
                    output {}
                }
                @if scenes.iter().any(is_promised) { style { (PreEscaped(PROMISED_STYLE)) } }
                div.scenes { @for ((name, _), scene) in self.runs.iter().zip(scenes) {
                    figure {
                        figcaption { strong { (name) } " " span.state {} }
                        div.scroll tabindex="0" role="region" aria-label={ "map under " (name) } { (plan.markup(name, is_promised(scene))) }
                        @if is_promised(scene) { ul.promises {} }
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

    /// A promised place in words and on the map; `None` of another machine.
    fn promised(self, place: &Place) -> Option<(String, Part)> {
        match (self, place) {
            (Self::Cube(_), Place::Subcube(cube)) => Some((cube.to_string(), cube::part(*cube))),
            (Self::Grid(_), Place::Box(place)) => Some((place.to_string(), grid::part(*place))),
            _ => None,
        }
    }
}

fn promised_caption() -> String {
    format!(
        " A place that is promised to a waiting job is hatched in the colour of that job, inside a dashed line, over the jobs that \
         run there until then. The places of the first {PROMISED} promised jobs in line are shown."
    )
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

#[cfg(test)]
mod tests {
    use super::*;
    use locox_models::machine::GridMachine;
    use locox_models::replay::{Options, QueueKind, replay};
    use locox_models::workload::Workload;
    use locox_models::workload::lublin::{Kind, Lublin};

    fn jobs() -> Workload {
        let recipe = Lublin { kind: Kind::All, jobs: 200, processors: 64, estimates: Some(2.0) };
        recipe.generate(1, 0).unwrap()
    }

    fn outcome(queue: QueueKind, promised_places: usize) -> Outcome {
        let layout = "torus:4x4x4".parse().unwrap();
        let mut torus = GridMachine::new(layout, locox::grid::Placement::Corner);
        let options =
            Options { decisions: queue.decisions(), promised_places, ..Options::default() };
        let mut queue = queue.queue_on(200, &torus).unwrap();
        replay(&jobs(), &mut torus, &mut *queue, &options).unwrap()
    }

    fn picture(outcome: &Outcome) -> Picture {
        let machine = Machine::Grid("torus:4x4x4".parse().unwrap());
        let runs = vec![("run".into(), outcome)];
        let map = NodeMap { machine, ticks: 1, unit: "s", workload: &jobs().jobs, runs };
        map.picture("map").unwrap()
    }

    #[test]
    fn places_are_drawn_that_are_promised_in_the_time_that_is_shown() {
        let outcome = outcome(QueueKind::Promises(2), PROMISED);
        let Picture { caption, markup, script, .. } = picture(&outcome);
        assert!(caption.contains("promised"));
        assert!(markup.contains("<g class=\"promised\">") && markup.contains("<style>"));
        assert!(script.ends_with(PROMISED_SCRIPT));
        let (from, to) = busiest(&jobs().jobs).unwrap();
        let mut shown = 0;
        for job in &outcome.jobs {
            for it in &job.promised_places {
                let Place::Box(place) = it.place else { panic!("a box") };
                let [begins, ends, starts] = [it.from, it.until, it.start].map(|it| it.ticks());
                let is_shown = begins < ends && begins <= to && from < ends;
                let told = format!(
                    "{{\"id\":{},\"shape\":\"{place}\",\"from\":{begins}.0,\"until\":{ends}.0,\"starts\":{starts}.0,",
                    job.id
                );
                assert_eq!(script.contains(&told), is_shown, "{told}");
                shown += u32::from(is_shown);
            }
        }
        assert!(shown > 0);
    }

    #[test]
    fn a_map_without_promises_says_nothing_of_them() {
        let fcfs = [0, PROMISED].map(|most| outcome(QueueKind::Fcfs, most));
        let [bare, asked] = fcfs.each_ref().map(picture);
        assert_eq!((&bare.markup, &bare.script), (&asked.markup, &asked.script));
        let unasked = picture(&outcome(QueueKind::Promises(2), 0));
        for Picture { caption, markup, script, .. } in [bare, unasked] {
            assert!([caption, markup, script].iter().all(|text| !text.contains("promise")));
        }
    }
}
