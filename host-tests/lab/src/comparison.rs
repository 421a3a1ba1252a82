//! A workload replayed on a machine in several ways, and what differs.

use crate::cli::MachineSpec;
use crate::compare::{Metric, headline, waste};
use crate::jobs::{self, Jobs};
use crate::method::{Method, all_fill_their_subcubes};
use crate::output::Publication;
use crate::queue::{Queue, setup};
use crate::way::Way;
use locox::dispatch::Cause;
use locox::mesh::Leftover;
use locox::subcube::Effort;
use locox_models::outages::Outage;
use locox_models::replay::{
    BatsimWriter, Decisions, Options, Order, Outcome, Point, ReplayError, WAIT_STEPS, Waits,
    replay_managed, replay_watched,
};
use locox_models::swf::Strictness;
use locox_models::workload::Workload;
use locox_report::failure::Failure;
use locox_report::node_map::{self, Machine, NodeMap};
use locox_report::parallel;
use locox_report::progress::Progress;
use locox_report::report::{
    Axis, Block, Cell, Fact, Files, Picture, Plot, Section, Series, Shape, Table, counted,
};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Spans of time that a curve over time averages over.
const POINTS: usize = 120;

/// What a reader of results should know of the jobs.
pub struct About {
    pub name: String,
    /// How many.
    pub jobs: u64,
    /// As a share of the machine, if it is known.
    pub offered_load: Option<f64>,
    pub notes: Vec<String>,
    /// Bad lines of the trace that were skipped.
    pub skipped: u64,
    /// Records of the trace that cannot be run.
    pub incomplete: u64,
}

impl About {
    /// A workload for a machine of so many processors.
    pub fn of(workload: &Workload, processors: u32) -> Self {
        Self {
            name: workload.name.clone(),
            jobs: workload.jobs.len() as u64,
            offered_load: workload.offered_load(processors),
            notes: workload.notes.clone(),
            skipped: workload.skipped,
            incomplete: workload.incomplete,
        }
    }
}

/// What is to be compared. Times are in seconds.
pub struct Comparison<'a> {
    pub workload: &'a Workload,
    pub machine: MachineSpec,
    /// At least one.
    pub methods: Vec<Method>,
    /// How hard complete recognition tries.
    pub effort: Effort,
    pub strictness: Strictness,
    /// When it is decided at an instant, if not as goes with the queue.
    pub decisions: Option<Decisions>,
    /// When processors are out of service.
    pub outages: &'a [Outage],
    /// Whether fragmentation is measured.
    pub fragmentation: bool,
}

/// A replay, and what to call it beside the others.
pub struct Run {
    pub label: String,
    pub outcome: Outcome,
}

impl Comparison<'_> {
    /// Replays under each method, side by side.
    ///
    /// # Errors
    ///
    /// The first method's [`ReplayError`].
    pub fn run(&self, progress: &Progress) -> Result<Vec<Run>, ReplayError> {
        progress.expect(self.methods.len());
        let replay_one = |&method: &Method| {
            let Method { way, queue, order } = method;
            let decisions = match queue {
                Queue::Line(kind) => self.decisions.unwrap_or(kind.decisions()),
                Queue::Manager(_) => Decisions::EachInstant,
            };
            let options = Options {
                strictness: self.strictness,
                fragmentation: self.fragmentation.then_some(&self.workload.jobs),
                promised_places: node_map::PROMISED,
                ..options(decisions, order, self.outages)
            };
            let mut machine = way.machine(self.machine, self.effort);
            let kind = match queue {
                Queue::Line(kind) => kind,
                Queue::Manager(stops) => {
                    let setup = setup(stops, way, self.machine).expect("a method of this machine");
                    let outcome = replay_managed(self.workload, &*machine, &setup, &options)?;
                    progress.done(1);
                    return Ok(Run { label: self.label(method), outcome });
                }
            };
            let queue = kind.queue_on(self.workload.jobs.len(), &*machine);
            let mut queue = queue.expect("a method of this machine");
            let mut line = progress.line(&self.label(method));
            let outcome = replay_watched(
                self.workload,
                &mut *machine,
                &mut *queue,
                &options,
                |_, moment| {
                    line.show(moment);
                    ControlFlow::Continue(())
                },
            )?;
            let outcome = outcome.expect("nobody breaks it off");
            progress.done(1);
            Ok(Run { label: self.label(method), outcome })
        };
        // All are awaited, so that the error told does not depend on who was faster.
        let runs = parallel::map(&self.methods, replay_one);
        runs.into_iter().collect()
    }

    /// The queue is named where there are several, and the order of the line.
    fn label(&self, method: Method) -> String {
        let of = |it: &Method| (it.queue, it.order);
        if self.methods.iter().all(|other| of(other) == of(&method)) {
            method.way.label()
        } else {
            method.to_string()
        }
    }

    /// Adds the jobs of each run to the publication.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if a file cannot be written.
    pub fn add_jobs(&self, runs: &[Run], publication: &mut Publication) -> Result<(), Failure> {
        runs.iter().try_for_each(|Run { label, outcome }| {
            publication.add(&file_name(label), |out| {
                let mut table = BatsimWriter::new(&self.workload.name, out)?;
                outcome.jobs.iter().try_for_each(|job| table.write(job))
            })
        })
    }

    /// The comparison as a section of a report.
    pub fn section(&self, runs: &[Run]) -> Section {
        let about = About::of(self.workload, self.machine.processors());
        let more = self.alike_by_construction().map(Block::Text);
        let more = more.into_iter().chain(self.picture(runs).map(Block::Picture));
        let jobs: Vec<Jobs> =
            runs.iter().map(|run| (&run.label[..], &run.outcome.jobs[..])).collect();
        let more = more.chain(jobs::blocks(self.workload, self.machine, &jobs));
        section(&about, self.machine, &self.queues(), runs, more)
    }

    /// What the page begins with, if there are several.
    pub fn headline(&self, runs: &[Run]) -> Option<String> {
        let wait = Metric::Wait;
        let values: Vec<(String, f64)> =
            runs.iter().map(|run| (run.label.clone(), wait.of(&run.outcome))).collect();
        let more = ", as `locox compare` does";
        headline::of_single_runs(wait.title(), (wait.unit(), wait.digits()), &values, more)
    }

    fn alike_by_construction(&self) -> Option<String> {
        let has = |of: Leftover| {
            let is = |way: Way| matches!(way, Way::Meshes(_, leftover) if leftover == of);
            self.methods.iter().any(|method| is(method.way))
        };
        let compared = has(Leftover::Kept) && has(Leftover::Reused);
        compared.then(|| all_fill_their_subcubes(&self.workload.jobs)).flatten()
    }

    /// The nodes over time, if the machine has a topology and is small enough to be drawn.
    fn picture(&self, runs: &[Run]) -> Option<Picture> {
        let machine = match self.machine {
            MachineSpec::Cube(dims) => Machine::Cube(dims),
            MachineSpec::Boxes(layout) => Machine::Grid(layout.grid()),
            MachineSpec::Pool(_) | MachineSpec::Tree(_) | MachineSpec::Nodes(_) => return None,
        };
        let runs = runs.iter().take(node_map::MOST_SCENES);
        let runs = runs.map(|run| (run.label.clone(), &run.outcome)).collect();
        let map = NodeMap { machine, ticks: 1, unit: "s", workload: &self.workload.jobs, runs };
        map.picture("The busiest time, node by node.")
    }

    fn queues(&self) -> String {
        let mut names: Vec<String> =
            self.methods.iter().map(|method| method.queue.to_string()).collect();
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names.join(", ")
    }
}

/// How a queue is replayed for a report.
pub fn options(decisions: Decisions, order: Order, outages: &[Outage]) -> Options<'_> {
    Options { allocations: true, points: POINTS, decisions, order, outages, ..Options::default() }
}

/// Runs of the same jobs on a machine under `queues`, as a section of a report; `more` stands before the files.
pub fn section(
    about: &About,
    machine: MachineSpec,
    queues: &str,
    runs: &[Run],
    more: impl Iterator<Item = Block>,
) -> Section {
    let mut blocks = vec![Block::Plot(waits(runs)), Block::Table(table(runs))];
    blocks.extend(outage_figures(runs).map(Block::Table));
    blocks.extend(promise_figures(runs).map(Block::Table));
    blocks.extend(stop_figures(runs).map(Block::Table));
    blocks.extend([
        Block::Facts(facts(about, machine, queues)),
        Block::Plot(utilisation(runs)),
        Block::Plot(over_time(runs, "Queue", "jobs waiting", |point| point.queue)),
    ]);
    if measures_fragmentation(runs) {
        const LABEL: &str = "stranded of what is free (%)";
        let level = |point: &Point| point.fragmentation * 100.0;
        blocks.push(Block::Plot(over_time(runs, "Fragmentation", LABEL, level)));
    }
    blocks.extend(more);
    blocks.push(Block::Files(Files {
        about: "Each job, in Batsim's columns:".into(),
        names: runs.iter().map(|run| file_name(&run.label)).collect(),
    }));
    Section { id: "comparison".into(), title: "Comparison".into(), blocks }
}

fn facts(about: &About, machine: MachineSpec, queues: &str) -> Vec<Fact> {
    let mut facts = vec![
        Fact::new("workload", &about.name),
        Fact::new("jobs", counted(about.jobs)),
        Fact::new("machine", machine),
        Fact::new("queue", queues),
    ];
    let load = about.offered_load;
    facts.extend(load.map(|load| Fact::new("offered load", format!("{:.1} %", load * 100.0))));
    facts.extend(about.notes.iter().map(|note| match note.split_once(": ") {
        Some((name, value)) => Fact::new(name, value),
        None => Fact::new("note", note),
    }));
    facts
}

/// The file of the jobs of a run.
pub fn file_name(label: &str) -> String {
    format!("jobs-{}.csv", label.replace(['+', '/', ':'], "-"))
}

const COLUMNS: &str = "Times in seconds; slowdown: turnaround over run time, where run times below 10 s \
                       count as 10 s; waste: the share of what was held that nobody asked for, by \
                       rounding up. A job is tried again until it starts: attempts refused counts all that were in \
                       vain; too few free: fewer processors were free than what the job would hold; \
                       fragmented: enough were free, but apart; undecided: the search was given up. \
                       Jobs never run: larger than the machine.";

const FRAGMENTATION: &str = " Fragmentation: free processors that lie in no free place of the kind that a job needs, as a \
                             share of the free ones, averaged over the jobs and over the time; on nodes with GPUs these count in place of processors, \
                             for the jobs that ask for some.";

fn measures_fragmentation(runs: &[Run]) -> bool {
    runs.iter().all(|run| run.outcome.fragmentation.is_some())
}

fn table(runs: &[Run]) -> Table {
    let measured = measures_fragmentation(runs);
    let mut columns = vec![
        ("strategy", "strategy"),
        ("utilisation", "utilisation"),
        ("mean_wait_s", "mean wait"),
        ("wait_p95_s", "p95 wait"),
        ("mean_bounded_slowdown", "bounded slowdown"),
        ("waste", "waste"),
        ("refused", "attempts refused"),
        ("refused_too_few_free", "too few free"),
        ("refused_fragmented", "fragmented"),
        ("refused_undecided", "undecided"),
        ("held_utilisation", "held"),
        ("wait_p50_s", "median wait"),
        ("wait_p99_s", "p99 wait"),
        ("mean_turnaround_s", "turnaround"),
        ("makespan_s", "makespan"),
        ("peak_queue", "peak queue"),
        ("jobs_run", "jobs run"),
        ("jobs_rejected", "jobs never run"),
        ("events", "events"),
    ];
    let mut note = COLUMNS.to_owned();
    if measured {
        columns.insert(6, ("fragmentation", "fragmentation"));
        note += FRAGMENTATION;
    }
    let mut table = Table::new("The whole replay", &columns)
        .with_note(note)
        .with_details_from("refused_undecided");
    for Run { label, outcome } in runs {
        let seconds = |value| Cell::Number(value, 0);
        // A manager makes no attempts.
        let attempts =
            |count| if outcome.stops.is_some() { Cell::Missing } else { Cell::Count(count) };
        let mut row = vec![
            Cell::text(label),
            Cell::Share(outcome.utilisation),
            seconds(outcome.mean_wait),
            seconds(outcome.wait_p95),
            Cell::Number(outcome.mean_bounded_slowdown, 2),
            Cell::Share(waste(outcome)),
            attempts(outcome.refusals.all()),
            attempts(outcome.refusals.too_few_free),
            attempts(outcome.refusals.fragmented),
            attempts(outcome.refusals.undecided),
            Cell::Share(outcome.held_utilisation),
            seconds(outcome.wait_p50),
            seconds(outcome.wait_p99),
            seconds(outcome.mean_turnaround),
            Cell::Count(outcome.makespan.ticks()),
            Cell::Count(outcome.peak_queue as u64),
            Cell::Count(outcome.ran),
            Cell::Count(outcome.rejected),
            Cell::Count(outcome.events),
        ];
        if let Some(share) = outcome.fragmentation.filter(|_| measured) {
            row.insert(6, Cell::Share(share));
        }
        table.push(row);
    }
    table
}

const OUTAGES: &str = "Failed runs: those that outages ended; jobs restarted: those that started over. Lost: \
                       processor-seconds that failed runs had used; out of service: processor-seconds that did \
                       not serve. Utilisation of what served is without failed runs, as above.";

/// What outages did to each run, if there were any to replay.
fn outage_figures(runs: &[Run]) -> Option<Table> {
    let columns = [
        ("strategy", "strategy"),
        ("failed_runs", "failed runs"),
        ("jobs_restarted", "jobs restarted"),
        ("lost_processor_s", "lost"),
        ("out_of_service_processor_s", "out of service"),
        ("utilisation_of_served", "utilisation of what served"),
    ];
    let mut table = Table::new("What outages did", &columns).with_note(OUTAGES);
    for Run { label, outcome } in runs {
        let figures = outcome.outages?;
        table.push(vec![
            Cell::text(label),
            Cell::Count(figures.failed_runs),
            Cell::Count(figures.restarted),
            Cell::Number(figures.lost, 0),
            Cell::Number(figures.out_of_service, 0),
            Cell::Share(figures.utilisation),
        ]);
    }
    Some(table)
}

const PROMISES: &str = "Jobs promised: those that waited with a promised start and place; kept: those that started no later \
                        than they were promised first. Then how often a promise became later, by cause: an outage, a \
                        job that ran longer than it had asked for, a start that came to nothing. Taken back: others got \
                        in front. Without a cause: always 0, or it is a defect of ours. The files of the jobs have each promise.";

/// What became of promises, where queues make any.
fn promise_figures(runs: &[Run]) -> Option<Table> {
    let mut columns =
        vec![("strategy", "strategy"), ("promised", "jobs promised"), ("kept", "kept")];
    let causes = [
        (Cause::Outage, "later_outage", "later: outage"),
        (Cause::Overrun, "later_overrun", "later: overrun"),
        (Cause::NotStarted, "later_not_started", "later: not started"),
        (Cause::Passed, "passed", "taken back"),
    ];
    columns.extend(causes.map(|(_, key, title)| (key, title)));
    columns.push(("without_cause", "without a cause"));
    let mut table = Table::new("What was promised", &columns).with_note(PROMISES);
    for Run { label, outcome } in runs {
        let Some(figures) = outcome.promises else { continue };
        let later = causes.map(|(cause, ..)| Cell::Count(figures.later[cause as usize]));
        let first = [Cell::text(label), Cell::Count(figures.jobs), Cell::Count(figures.kept)];
        let last = Cell::Count(figures.without_cause);
        table.push(first.into_iter().chain(later).chain([last]).collect());
    }
    (!table.rows.is_empty()).then_some(table)
}

const STOPS: &str = "Jobs told to stop for another, and what came of it: that job got nodes that the stop freed; it left \
                     before; a node failed; the one to be stopped ended first; or the nodes went to somebody else. Work lost: of \
                     all that was done. The lighter users are the half of them who asked for least work, requested time \
                     by processors. A job that was stopped has waited for all but its run time.";

/// What stops cost and buy, where a manager decides, beside what others have without.
fn stop_figures(runs: &[Run]) -> Option<Table> {
    runs.iter().find(|run| run.outcome.stops.is_some())?;
    let columns = [
        ("strategy", "strategy"),
        ("stops", "stops"),
        ("work_lost", "work lost"),
        ("lighter_mean_wait_s", "mean wait, lighter users"),
        ("heavier_mean_wait_s", "heavier users"),
        ("lighter_longest_wait_s", "longest wait, lighter users"),
        ("heavier_longest_wait_s", "heavier users, longest"),
        ("served", "served"),
        ("left", "job left"),
        ("failed", "node failed"),
        ("ended", "ended first"),
        ("lost", "went to others"),
    ];
    let mut table = Table::new("What stops cost and buy", &columns)
        .with_note(STOPS)
        .with_details_from("served");
    for Run { label, outcome } in runs {
        let stops = outcome.stops.unwrap_or_default();
        let waits = outcome.users.map_or([const { Cell::Missing }; 4], |it| {
            let mean = |it: Waits| Cell::Number(it.mean, 0);
            let longest = |it: Waits| Cell::Count(it.longest);
            [mean(it.lighter), mean(it.heavier), longest(it.lighter), longest(it.heavier)]
        });
        let fates = [stops.served, stops.left, stops.failed, stops.ended, stops.lost];
        let mut row =
            vec![Cell::text(label), Cell::Count(stops.all()), Cell::Share(stops.work_lost)];
        row.extend(waits);
        row.extend(fates.map(Cell::Count));
        table.push(row);
    }
    Some(table)
}

/// Processors in use over time, and those out of service, which are the same in each run.
fn utilisation(runs: &[Run]) -> Plot {
    const LABEL: &str = "processors in use (%)";
    let mut plot = over_time(runs, "Utilisation", LABEL, |point| point.utilisation * 100.0);
    if let Some(run) = longest(runs).filter(|run| run.outcome.outages.is_some()) {
        let out = |point: &Point| point.out_of_service * 100.0;
        let out = Series { name: "out of service".into(), ..curve(run, out) };
        plot.series.push(out);
    }
    plot
}

fn longest(runs: &[Run]) -> Option<&Run> {
    runs.iter().max_by_key(|run| run.outcome.makespan)
}

/// The share of jobs that waited no longer than so long.
fn waits(runs: &[Run]) -> Plot {
    // Shares in steps of half a per cent are finer than the plot.
    let shares = || (0..=WAIT_STEPS).map(|step| f64::from(step) / f64::from(WAIT_STEPS));
    let series = runs.iter().map(|Run { label, outcome }| {
        let waits = outcome.wait_curve.iter().zip(shares());
        let points = waits.map(|(wait, share)| (wait.max(1.0), share * 100.0));
        Series::exact(label, Shape::Line, points)
    });
    Plot {
        title: "How long jobs waited.".into(),
        caption: "Waits below a second are drawn at one.".into(),
        x: Axis::log("wait of at most (s)"),
        y: Axis::linear("jobs (%)"),
        series: series.collect(),
    }
}

fn curve(Run { label, outcome }: &Run, value: impl Fn(&Point) -> f64) -> Series {
    const DAY: f64 = 86_400.0;
    let start = outcome.series.first().map_or(0, |first| first.at.ticks());
    let place = |point: &Point| ((point.at.ticks() - start) as f64 / DAY, value(point));
    Series::exact(label, Shape::Step, outcome.series.iter().map(place))
}

fn over_time(runs: &[Run], title: &str, label: &str, value: impl Fn(&Point) -> f64) -> Plot {
    let series = runs.iter().map(|run| curve(run, &value));
    Plot {
        title: format!("{title} over time."),
        caption: format!("Means over one part in {POINTS} of the whole time."),
        x: Axis::linear("time since the first arrival (days)"),
        y: Axis::linear(label),
        series: series.collect(),
    }
}
