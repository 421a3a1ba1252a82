//! The machine as Turner's thesis draws it: the cube as a mesh with Gray-coded axes, each job in a
//! colour of its own, and a slider over time.
//!
//! What a job holds beside its mesh is hatched: the leftover of its subcube, unless another job
//! runs there. The page draws from the list of jobs; nothing is stored a moment.

use crate::report::Picture;
use locox::cube::{Dim, Node, Subcube, gray};
use locox_models::machine::Token;
use locox_models::replay::{JobRecord, Outcome};
use locox_models::workload::Job;
use maud::{Markup, html};
use serde::Serialize;

/// The most dimensions that are drawn: 32 by 32 nodes.
pub const MOST_DIMS: Dim = Dim::new(10).unwrap();
/// The most runs that are drawn side by side.
pub const MOST_SCENES: usize = 8;
/// Jobs that arrive in the stretch of time that is shown.
const ARRIVALS: usize = 120;

const CAPTION: &str = "Rows are the higher half of the address, columns the lower, in the order of \
                       the Gray code: neighbours in the map, also round its edges, are neighbours \
                       in the cube. A job has a colour and a number; hatched is what its mesh \
                       leaves over in its subcube.";

const SCRIPT: &str = include_str!("cube_map.js");

/// Runs of the same workload on the same machine, side by side.
pub struct CubeMap<'a> {
    pub dims: Dim,
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
    rows: u32,
    columns: u32,
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

/// A job on its nodes. Subcubes are written as base and mask.
#[derive(Serialize)]
struct Placed {
    id: u64,
    shape: String,
    starts: f64,
    ends: f64,
    cube: (u32, u32),
    mesh: Vec<(u32, u32)>,
}

impl CubeMap<'_> {
    /// The picture; `None` if the machine is too large for one, or its jobs hold no subcubes.
    pub fn picture(&self, title: &str) -> Option<Picture> {
        let data = self.data().filter(|_| self.dims <= MOST_DIMS)?;
        let json = serde_json::to_string(&data).expect("the data is plain");
        Some(Picture {
            title: title.into(),
            caption: CAPTION.into(),
            markup: self.markup().into_string(),
            script: format!("const data = {json};\n{SCRIPT}"),
        })
    }

    fn data(&self) -> Option<Data> {
        let (from, to) = busiest(self.workload)?;
        let scenes: Option<Vec<_>> =
            self.runs.iter().map(|(_, outcome)| self.scene(outcome, from, to)).collect();
        let (rows, columns) = sides(self.dims);
        let arrivals = self.workload.iter().map(|job| job.submit.ticks());
        let arrivals = arrivals.filter(|&at| from < at && at <= to).map(|at| self.time(at));
        let arrivals = arrivals.collect();
        let (from, to) = (self.time(from), self.time(to));
        Some(Data { rows, columns, unit: self.unit, from, to, arrivals, scenes: scenes? })
    }

    fn scene(&self, outcome: &Outcome, from: u64, to: u64) -> Option<Scene> {
        let ran = || outcome.jobs.iter().filter(|job| job.success);
        let waits = |job: &&JobRecord| job.submit.ticks() <= from && from < job.start.ticks();
        let runs = |job: &&JobRecord| job.start.ticks() <= to && job.finish.ticks() >= from;
        let jobs: Option<Vec<_>> = ran().filter(runs).map(|job| self.placed(job)).collect();
        Some(Scene { waiting: ran().filter(waits).count(), jobs: jobs? })
    }

    fn placed(&self, job: &JobRecord) -> Option<Placed> {
        let parts = |cube: Subcube| (cube.base().0, cube.mask());
        let (cube, mesh, shape) = match job.token? {
            Token::Lease(lease) => (lease.cube(), vec![lease.cube()], lease.cube().to_string()),
            Token::Mesh(lease) => {
                let mesh = lease.mesh();
                let shape = format!("{} in {}", mesh.shape(), mesh.cube());
                (mesh.cube(), mesh.region().collect(), shape)
            }
            Token::Box(_) | Token::Slot(_) => return None,
        };
        Some(Placed {
            id: job.id,
            shape,
            starts: self.time(job.start.ticks()),
            ends: self.time(job.finish.ticks()),
            cube: parts(cube),
            mesh: mesh.into_iter().map(parts).collect(),
        })
    }

    fn time(&self, ticks: u64) -> f64 {
        ticks as f64 / self.ticks as f64
    }

    fn markup(&self) -> Markup {
        html! {
            div.cube-map style={ "--map:" (size(self.dims).0) "px" } {
                div.controls {
                    button type="button" { "Play" }
                    label { "Time " input type="range" min="0" value="0" step="1"; }
                    output {}
                }
                div.scenes { @for (name, _) in &self.runs {
                    figure {
                        figcaption { strong { (name) } " " span.state {} }
                        div.scroll tabindex="0" role="region" aria-label={ "map under " (name) } { (map(self.dims, name)) }
                        details { summary { "Running jobs" } ul {} }
                    }
                } }
            }
        }
    }
}

/// Rows and columns of the map: the higher half of the address counts rows.
fn sides(dims: Dim) -> (u32, u32) {
    let low = dims.get().div_ceil(2);
    (1 << (dims.get() - low), 1 << low)
}

/// A cell, in units of the drawing.
const CELL: u32 = 20;
/// A digit of a label.
const DIGIT: u32 = 9;

/// Room for the labels of an axis.
fn labels(dims: Dim) -> u32 {
    8 + DIGIT * sides(dims).1.trailing_zeros()
}

/// Width and height of the drawing. It is drawn no smaller than so many pixels, for its text to be read.
fn size(dims: Dim) -> (u32, u32) {
    let (rows, columns) = sides(dims);
    (labels(dims) + columns * CELL + 2, labels(dims) + rows * CELL + 2)
}

fn map(dims: Dim, name: &str) -> Markup {
    let (rows, columns) = sides(dims);
    let (labels, (width, height)) = (labels(dims), size(dims));
    let middle = |at: u32| labels + at * CELL + CELL / 2;
    html! {
        svg viewBox=(format!("0 0 {width} {height}")) role="img" aria-label={ "nodes under " (name) } {
            @for row in 0..rows {
                text x=(labels - 6) y=(middle(row) + 5) text-anchor="end" { (codeword(row, rows)) }
            }
            @for column in 0..columns {
                text transform=(format!("translate({} {}) rotate(-90)", middle(column) + 5, labels - 6)) {
                    (codeword(column, columns))
                }
            }
            @for row in 0..rows { @for column in 0..columns {
                g data-node=(node(row, column, columns))
                    transform=(format!("translate({} {})", labels + column * CELL, labels + row * CELL)) {
                    rect x="1" y="1" width="18" height="18" rx="3" {}
                    path d="M2 10 10 2M2 18 18 2M10 18 18 10" {}
                }
            } }
            g.names {}
        }
    }
}

fn node(row: u32, column: u32, columns: u32) -> u32 {
    (gray::encode(row).0 * columns) | gray::encode(column).0
}

/// The codeword in binary, as wide as all of the axis are.
fn codeword(index: u32, size: u32) -> String {
    let Node(code) = gray::encode(index);
    match size.trailing_zeros() as usize {
        0 => String::new(),
        bits => format!("{code:0bits$b}"),
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
