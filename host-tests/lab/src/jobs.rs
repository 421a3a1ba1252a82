//! Jobs of a replay, one by one: the worst slowdowns of all, and the busiest time with a picture of who ran where.
//!
//! A job has the same number in tables, charts and maps; the page marks it in all of them.

use crate::cli::MachineSpec;
use crate::gantt::{self, Bar, Chart};
use crate::lanes::{Lanes, ranges};
use locox::time::Instant;
use locox_models::replay::{JobRecord, Observer, Options};
use locox_models::reservations::PeRange;
use locox_models::workload::Workload;
use locox_report::node_map::{self, ARRIVALS, busiest};
use locox_report::report::{Block, Cell, Picture, Table, counted};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// So many jobs of each run are among the worst.
const WORST: usize = 10;
/// Rows of the busiest time, of all runs together.
const ROWS: usize = 600;

/// The jobs with the worst slowdowns so far, with these, the worst first; of equals the earlier.
#[derive(Default)]
pub struct Worst(Vec<(f64, JobRecord)>);

impl Worst {
    fn add(&mut self, job: &JobRecord) {
        if !job.success {
            return;
        }
        let slowdown = slowdown(job);
        // Of a million jobs nearly all end here.
        if self.0.get(WORST - 1).is_some_and(|(last, _)| *last >= slowdown) {
            return;
        }
        let at = self.0.partition_point(|(other, _)| *other >= slowdown);
        self.0.truncate(WORST - 1);
        self.0.insert(at, (slowdown, job.clone()));
    }
}

impl Observer for Worst {
    fn job(&mut self, record: &JobRecord) -> ControlFlow<()> {
        self.add(record);
        ControlFlow::Continue(())
    }
}

fn slowdown(job: &JobRecord) -> f64 {
    job.bounded_slowdown(Options::default().slowdown_bound)
}

/// The worst jobs of runs with these labels.
pub fn worst_table<'a>(runs: impl Iterator<Item = (&'a str, &'a Worst)>) -> Block {
    let all = runs.flat_map(|(label, worst)| worst.0.iter().map(move |job| (label, job)));
    let mut rows: Vec<(&str, &(f64, JobRecord))> = all.collect();
    rows.sort_by(|(_, (one, _)), (_, (other, _))| other.total_cmp(one));
    let mut table =
        table("The worst slowdowns", rows.into_iter().map(|(label, (_, job))| (label, job)));
    table.note =
        format!("The {WORST} worst jobs of each strategy, the worst of all first. {}", table.note);
    Block::Jobs(table)
}

/// What a run is called, and the jobs that came out of it.
pub type Jobs<'a> = (&'a str, &'a [JobRecord]);

/// Tables and pictures of finished runs.
pub fn blocks(workload: &Workload, machine: MachineSpec, runs: &[Jobs<'_>]) -> Vec<Block> {
    let worst: Vec<Worst> = runs.iter().map(|run| worst_of(run.1)).collect();
    let mut blocks = vec![worst_table(runs.iter().map(|run| run.0).zip(&worst))];
    let Some(window) = window(workload, runs) else { return blocks };
    let drawn = &runs[..runs.len().min(node_map::MOST_SCENES)];
    let most = gantt::MOST / drawn.len().max(1);
    let arrived =
        |job: &&JobRecord| job.success && (window.0..=window.1).contains(&job.submit.ticks());
    let is_seen = |job: &&JobRecord| job.start.ticks() < window.1 && job.finish.ticks() > window.0;
    let of_window = runs.iter().flat_map(|run| run.1).filter(|job| is_seen(job) || arrived(job));
    let named = worst
        .iter()
        .flat_map(|worst| &worst.0)
        .map(|(_, job)| job)
        .chain(of_window)
        .map(|job| job.id);
    let named: HashSet<u64> = named.collect();
    let pictures = drawn.iter().filter_map(|&run| picture(run, &named, machine, window, most));
    blocks.extend(pictures.map(Block::Picture));
    let rows = runs.iter().flat_map(|&(label, jobs)| {
        let jobs = jobs.iter().filter(arrived).take(ROWS / runs.len());
        jobs.map(move |job| (label, job))
    });
    blocks.push(Block::Jobs(table("Jobs that came in the busiest time", rows)));
    blocks
}

/// The busiest time; where all jobs come at once, until the last one ends.
fn window(workload: &Workload, runs: &[Jobs<'_>]) -> Option<(u64, u64)> {
    let (from, to) = busiest(&workload.jobs)?;
    let ends = runs.iter().flat_map(|(_, jobs)| jobs.iter()).map(|job| job.finish.ticks());
    let end = if from < to { to } else { ends.max()? };
    Some((from, end))
}

fn worst_of(jobs: &[JobRecord]) -> Worst {
    let mut worst = Worst::default();
    jobs.iter().for_each(|job| worst.add(job));
    worst
}

fn table<'a>(title: &str, rows: impl Iterator<Item = (&'a str, &'a JobRecord)>) -> Table {
    let columns = [
        ("job", "job"),
        ("strategy", "strategy"),
        ("processors", "processors"),
        ("submit_s", "submitted (s)"),
        ("wait_s", "waited (s)"),
        ("run_s", "ran (s)"),
        ("bounded_slowdown", "bounded slowdown"),
    ];
    let note = "Times of submission are by the clock of the log. On the page a click on a job marks it in charts and maps.";
    let mut table =
        Table::new(title, &columns).with_note(note).with_choices(&["strategy"]).with_jobs("job");
    for (label, job) in rows {
        table.push(vec![
            Cell::Count(job.id),
            Cell::text(label),
            Cell::Count(job.processors.into()),
            Cell::Count(job.submit.ticks()),
            Cell::Count(job.wait()),
            Cell::Count(job.run()),
            Cell::Number(slowdown(job), 2),
        ]);
    }
    table
}

/// A job that ran, with the processors that it held, or the nodes that it shared.
struct Ran<'a> {
    job: &'a JobRecord,
    held: &'a str,
    shares: bool,
    rows: Vec<PeRange>,
}

/// A picture of what is seen of the run; of all jobs that the page names it knows where they are.
fn picture(
    (label, jobs): Jobs<'_>,
    named: &HashSet<u64>,
    machine: MachineSpec,
    window: (u64, u64),
    most: usize,
) -> Option<Picture> {
    let lanes = match machine {
        MachineSpec::Nodes(cluster) => Some(Lanes::of(cluster, jobs)),
        _ => None,
    };
    let named = jobs.iter().filter(|job| named.contains(&job.id));
    let bars = match lanes {
        Some(mut rows) => {
            named.filter_map(|job| Ran::sharing(job, rows.remove(&job.id)?)).collect()
        }
        None => named.filter_map(Ran::of).collect(),
    };
    let shared = match machine {
        MachineSpec::Nodes(_) => {
            " Nodes stand one below the other, each with all of its processors; a job is drawn on the first of them that are free."
        }
        _ => "",
    };
    let chart = Chart {
        title: &format!("Processors in the busiest time under {label}."),
        of: label,
        caption: &format!(
            "The shortest time in which {ARRIVALS} jobs came, or all, and as long again. Each colour is a job; rest the \
             pointer on it for its times, click to mark it. The time 0 here is {} s on the clock of the log.{shared}",
            counted(window.0)
        ),
        label: &format!("jobs by time and processor under {label}"),
        time: "time since the busiest time began (s)",
        row: "processor",
        rows: machine.processors(),
        rows_each: 1,
        ticks: 1,
        window: Some(window),
    };
    gantt::draw(bars, &chart, most)
}

impl<'a> Ran<'a> {
    fn of(job: &'a JobRecord) -> Option<Self> {
        let held = job.allocated.as_deref().filter(|_| job.success)?;
        Some(Self { job, held, shares: false, rows: ranges(held)? })
    }

    fn sharing(job: &'a JobRecord, rows: Vec<PeRange>) -> Option<Self> {
        Some(Self { job, held: job.allocated.as_deref()?, shares: true, rows })
    }
}

impl Bar for Ran<'_> {
    fn number(&self) -> u64 {
        self.job.id
    }

    fn start(&self) -> Instant {
        self.job.start
    }

    fn end(&self) -> Instant {
        self.job.finish
    }

    fn rows(&self) -> &[PeRange] {
        &self.rows
    }

    fn told(&self) -> String {
        let Self { job, held, shares, .. } = self;
        let first = job.promised_places.first();
        let promised = first.map_or(String::new(), |first| {
            let wait = first.start.ticks() - job.submit.ticks();
            format!("; promised first to wait {} s", counted(wait))
        });
        let place = match shares {
            true => format!("{} processors of nodes {held}", counted(job.held.into())),
            false => format!("processors {held}"),
        };
        format!(
            "job {}: waited {} s, ran {} s on {place}; slowdown {:.1}{promised}",
            job.id,
            counted(job.wait()),
            counted(job.run()),
            slowdown(job)
        )
    }

    /// On nodes that are shared it has no rows.
    fn promised(&self) -> Option<(Instant, Vec<PeRange>)> {
        if self.shares {
            return None;
        }
        let first = self.job.promised_places.first()?;
        Some((first.start, ranges(&first.place.allocated())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_models::machine::Place;
    use locox_models::replay::PromisedPlace;

    fn job(id: u64, wait: u64) -> JobRecord {
        let at = Instant::from_ticks;
        JobRecord {
            id,
            submit: at(0),
            start: at(wait),
            finish: at(wait + 100),
            processors: 1,
            held: 1,
            requested: None,
            success: true,
            allocated: Some("0-3 8".into()),
            token: None,
            promise: None,
            promised_places: vec![],
        }
    }

    #[test]
    fn the_worst_jobs_are_kept_and_of_equals_the_earlier() {
        let mut worst = Worst::default();
        (0..30).for_each(|id| worst.add(&job(id, 100 * (id % 20))));
        worst.add(&JobRecord { success: false, ..job(99, 1_000_000) });
        let ids: Vec<u64> = worst.0.iter().map(|(_, job)| job.id).collect();
        assert_eq!(ids, [19, 18, 17, 16, 15, 14, 13, 12, 11, 10]);
        worst.add(&job(40, 1_000));
        assert_eq!(worst.0.last().map(|(_, job)| job.id), Some(10));
    }

    #[test]
    fn the_worst_of_all_runs_stands_first() {
        let [mut one, mut other] = [Worst::default(), Worst::default()];
        (0..3).for_each(|id| one.add(&job(id, 100 * id)));
        (0..3).for_each(|id| other.add(&job(id, 150 * id)));
        let Block::Jobs(table) = worst_table([("one", &one), ("other", &other)].into_iter()) else {
            panic!("a table of jobs")
        };
        let strategies: Vec<&Cell> = table.rows.iter().map(|row| &row[1]).collect();
        assert_eq!(
            strategies,
            ["other", "one", "other", "one", "one", "other"].map(Cell::text).each_ref()
        );
    }

    #[test]
    fn a_chart_shows_what_a_job_was_promised_first_where_it_got_something_else() {
        let at = Instant::from_ticks;
        let nodes = |first| Place::Nodes(std::iter::once(first..first + 4).collect());
        let promised = |start, first| PromisedPlace {
            from: at(0),
            until: at(50),
            start: at(start),
            place: nodes(first),
        };
        let chart = |promised_places: Vec<PromisedPlace>| {
            let allocated = Some("4-7".into());
            let jobs = [JobRecord { allocated, promised_places, ..job(1, 50) }];
            let machine = "pool:8".parse().unwrap();
            picture(("run", &jobs), &HashSet::from([1]), machine, (0, 200), 9).unwrap()
        };
        let other = chart(vec![promised(100, 0), promised(50, 4)]);
        // From the middle of its bar at 50 to that of the place at 100; time has 10,000 units, and rows 380.
        assert!(other.markup.contains("d=\"M2500 285L5000 95\""), "{}", other.markup);
        assert!(other.markup.contains("d=\"M5000 0V190\"") && other.caption.contains("promised"));
        assert!(other.markup.contains("; promised first to wait 100 s</title>"));
        for same in [vec![promised(50, 4)], vec![]] {
            let Picture { markup, caption, .. } = chart(same);
            assert!(!markup.contains("<style>") && !caption.contains("promised"));
        }
    }

    #[test]
    fn processors_become_rows() {
        let job = job(1, 0);
        assert_eq!(Ran::of(&job).unwrap().rows(), [0..=3, 8..=8]);
        assert!(Ran::of(&JobRecord { allocated: Some("x".into()), ..job }).is_none());
    }
}
