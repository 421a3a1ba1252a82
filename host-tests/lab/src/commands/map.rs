//! `locox map`: jobs on unlike machines, by several mappers side by side.

use super::delivery::{deliver, provenance, publication};
use crate::cli::{Algorithm, Map, Reading, Sizes};
use crate::compare::headline;
use crate::gantt::{self, Bar, Chart};
use crate::input;
use crate::output::Publication;
use locox::mapping::{
    Best, BestAssignment, Cluster, Duplex, Genetic, Mapper, MaxMin, MinMin, Olb, Pjs, Plan,
    PlannedRun, Problem, Site, Sufferage, Times, UnplacedJob, Workspace, bound_workspace, genes,
    lower_bound,
};
use locox::time::{Duration, Instant};
use locox_models::reservations::PeRange;
use locox_models::site::{Decimal, Layout, SiteFile};
use locox_report::failure::Failure;
use locox_report::report::{Block, Cell, Files, Report, Section, Table, counted};
use std::io;

/// Ticks of a unit of time if times have more digits than that.
const MOST_TICKS: u64 = 1_000_000;
/// Rows of the table of jobs; files have all of them.
const SHOWN: usize = 1_000;

pub(super) fn run(options: &Map, command_line: &str) -> Result<(), Failure> {
    let mut publication = publication(&options.results)?;
    let input = Input::read(options)?;
    let outcomes = options
        .algorithms()
        .into_iter()
        .map(|algorithm| input.map(algorithm, options))
        .collect::<Result<Vec<_>, _>>()?;
    let bound = input.bound()?;
    // The least, and of equals the first.
    let best =
        outcomes.iter().reduce(|best, next| if next.merit < best.merit { next } else { best });
    let mut blocks: Vec<Block> =
        best.and_then(|best| input.picture(best)).map(Block::Picture).into_iter().collect();
    blocks.push(Block::Table(input.comparison(&outcomes, bound)));
    blocks.extend(best.map(|best| Block::Table(input.assignment(best))));
    blocks.push(Block::Files(input.add_files(&outcomes, &mut publication)?));
    let report = Report {
        title: format!("{} on unlike machines", input::shown(&options.times).display()),
        lead: headline::before(input.headline(&outcomes), input.lead()),
        provenance: provenance(command_line, None),
        sections: vec![Section { id: "map".into(), title: "Mapping".into(), blocks }],
    };
    deliver(&report, publication, options.results.format, "other algorithms: locox map --help")
}

/// What was read, in ticks.
struct Input {
    site: SiteFile,
    jobs: Vec<String>,
    cells: Vec<Duration>,
    free_from: Vec<Instant>,
    /// Of a unit of time.
    ticks: u64,
    is_rounded: bool,
}

/// What a mapper made of it.
struct Outcome {
    name: &'static str,
    merit: u64,
    makespan: u64,
    placements: Vec<PlannedRun>,
}

impl Input {
    fn read(options: &Map) -> Result<Self, Failure> {
        let wrong = |error: &dyn std::fmt::Display| Failure::Input(error.to_string());
        let site = options.site.as_deref().map(SiteFile::open).transpose();
        let site = site.map_err(|error| wrong(&error))?;
        let layout = match (&site, options.size) {
            (_, Some(Sizes { jobs, machines })) => Layout::Size(jobs, machines),
            (Some(site), None) => Layout::Site(site),
            (None, None) => Layout::Machines,
        };
        let (file, site) = input::times(&options.times, layout).map_err(|error| wrong(&error))?;
        let frees = site.machines.iter().map(|machine| machine.free);
        let all = || file.cells.iter().copied().chain(frees.clone()).flatten();
        let exact = all().map(Decimal::exact_factor).max().unwrap_or(1);
        let least = u64::try_from(exact).unwrap_or(u64::MAX).min(MOST_TICKS);
        let ticks = options.ticks.unwrap_or(least);
        let cells = file.cells.iter().map(|cell| cell_in_ticks(*cell, ticks, &options.times));
        let free_from = frees.clone().map(|free| cell_in_ticks(free, ticks, &options.times));
        Ok(Self {
            cells: cells.collect::<Result<_, _>>()?,
            free_from: free_from
                .map(|free| free.map(|free| Instant::from_ticks(free.ticks())))
                .collect::<Result<_, _>>()?,
            jobs: file.jobs,
            ticks,
            is_rounded: u128::from(ticks) % exact != 0,
            site,
        })
    }

    fn with_problem<T>(&self, then: impl FnOnce(&Problem) -> T) -> Result<T, Failure> {
        let groups = self.site.clusters.iter();
        let clusters: Vec<Cluster> = groups
            .map(|group| Cluster {
                members: &group.members,
                least: group.least,
                interconnect: group.interconnect,
            })
            .collect();
        let site = Site::new(self.site.machines.len(), &clusters)
            .map_err(|error| Failure::Input(format!("the site: {error}")))?;
        let times = Times::new(&self.cells, site.resources())
            .ok_or_else(|| Failure::Input("the table has no whole rows".into()))?;
        let free_from = &self.free_from;
        Ok(then(&Problem { now: Instant::ZERO, site, times, free_from, down: &self.site.down }))
    }

    fn map(&self, algorithm: Algorithm, options: &Map) -> Result<Outcome, Failure> {
        let mapper = mapper(algorithm, options);
        let (jobs, machines) = (self.jobs.len(), self.site.machines.len());
        let mut placements = vec![PlannedRun::EMPTY; jobs];
        let mut free = vec![Instant::ZERO; machines];
        let mut plan = Plan::new(&mut placements, &mut free);
        let mut open = vec![UnplacedJob::EMPTY; jobs];
        let mut more = vec![PlannedRun::EMPTY; 2 * jobs];
        let mut instants = vec![Instant::ZERO; 3 * machines];
        let chromosomes = if algorithm == Algorithm::Genetic { options.chromosomes } else { 0 };
        let mut words = vec![0; genes(jobs, chromosomes)];
        let room = Workspace::new(&mut open, &mut more, &mut instants);
        let mut room = room.with_genes(&mut words);
        let merit = self.with_problem(|problem| mapper.map(problem, &mut plan, &mut room))?;
        let merit = merit.map_err(|error| self.error(error))?;
        let makespan = plan.makespan().unwrap_or(Instant::ZERO).ticks();
        Ok(Outcome { name: mapper.name(), merit: merit.ticks(), makespan, placements })
    }

    fn error(&self, error: locox::mapping::Error) -> Failure {
        use locox::mapping::Refusal;
        let told = match error.refusal() {
            Some(Refusal::NoMachine(job)) => {
                let name = self.jobs.get(job).map_or("", String::as_str);
                format!(
                    "no machine that is present can run job {name}; give it a time on one, or \
                         bring one back in the site file"
                )
            }
            _ => error.to_string(),
        };
        Failure::Input(told)
    }

    fn bound(&self) -> Result<u64, Failure> {
        let mut room =
            vec![Instant::ZERO; bound_workspace(self.jobs.len(), self.site.machines.len())];
        let bound = self.with_problem(|problem| lower_bound(problem, &mut room))?;
        bound.map(Duration::ticks).map_err(|misuse| Failure::Input(misuse.to_string()))
    }

    fn lead(&self) -> String {
        let rounded = if self.is_rounded { ", to which times were rounded" } else { "" };
        let clusters = match self.site.clusters.len() {
            0 => String::new(),
            count => format!(" and {} clusters of them", counted(count as u64)),
        };
        format!(
            "{} jobs on {} machines{clusters}; {} ticks are a unit of time{rounded}.",
            counted(self.jobs.len() as u64),
            counted(self.site.machines.len() as u64),
            counted(self.ticks),
        )
    }

    /// What the page begins with, if there are several algorithms.
    fn headline(&self, outcomes: &[Outcome]) -> Option<String> {
        let merit = |it: &Outcome| (it.name.into(), it.merit as f64 / self.ticks as f64);
        let values: Vec<(String, f64)> = outcomes.iter().map(merit).collect();
        let digits = self.ticks.checked_ilog10().map_or(0, |digits| digits as usize);
        headline::of_single_runs("merit", ("", digits), &values, "")
    }

    fn time(&self, ticks: u64) -> Cell {
        match self.ticks {
            1 => Cell::Count(ticks),
            unit => Cell::Number(ticks as f64 / unit as f64, unit.ilog10().max(1) as usize),
        }
    }

    fn comparison(&self, outcomes: &[Outcome], bound: u64) -> Table {
        let columns = [
            ("algorithm", "algorithm"),
            ("merit", "merit"),
            ("by_bound", "times the bound"),
            ("makespan", "makespan"),
            ("mean", "mean end"),
            ("on_clusters", "on clusters"),
        ];
        const COLUMNS: &str = "The merit is the sum over all jobs of what they wait and run; no \
                               mapping is below the bound.";
        let mut table = Table::new("Mappings, in units of time", &columns).with_note(COLUMNS);
        let by_bound = |merit: u64| match bound {
            0 => Cell::Missing,
            bound => Cell::Number(merit as f64 / bound as f64, 3),
        };
        let mean = |merit: u64| {
            let all = self.ticks as f64 * self.jobs.len().max(1) as f64;
            Cell::Number(merit as f64 / all, 2)
        };
        for outcome in outcomes {
            let is_alone = |at: usize| at < self.site.machines.len();
            let places = outcome.placements.iter().filter_map(PlannedRun::resource);
            table.push(vec![
                Cell::text(outcome.name),
                self.time(outcome.merit),
                by_bound(outcome.merit),
                self.time(outcome.makespan),
                mean(outcome.merit),
                Cell::Count(places.filter(|&at| !is_alone(at)).count() as u64),
            ]);
        }
        table.push(vec![
            Cell::text("lower bound"),
            self.time(bound),
            by_bound(bound),
            Cell::Missing,
            mean(bound),
            Cell::Missing,
        ]);
        table
    }

    fn assignment(&self, outcome: &Outcome) -> Table {
        let columns = [("job", "job"), ("resource", "on"), ("start", "start"), ("end", "end")];
        let all = outcome.placements.len();
        let title = match all > SHOWN {
            true => format!(
                "Jobs under {}, the first {} of {}; the files have all",
                outcome.name,
                counted(SHOWN as u64),
                counted(all as u64)
            ),
            false => format!("Jobs under {}", outcome.name),
        };
        let mut table = Table::new(title, &columns).with_jobs("job");
        for (job, placement) in self.jobs.iter().zip(&outcome.placements).take(SHOWN) {
            table.push(vec![
                Cell::text(job.as_str()),
                Cell::text(self.resource(placement)),
                self.time(placement.start().ticks()),
                self.time(placement.end().ticks()),
            ]);
        }
        table
    }

    fn resource(&self, placement: &PlannedRun) -> &str {
        let at = placement.resource().unwrap_or(usize::MAX);
        self.site.resources().nth(at).unwrap_or_default()
    }

    fn picture(&self, outcome: &Outcome) -> Option<locox_report::report::Picture> {
        let jobs = outcome.placements.iter().enumerate();
        let bars: Vec<Job> = jobs
            .map(|(number, placement)| Job {
                number: number as u64,
                placement: *placement,
                rows: self.rows(placement),
                told: format!(
                    "job {}: {} to {} on {}",
                    self.jobs[number],
                    self.time(placement.start().ticks()).shown(),
                    self.time(placement.end().ticks()).shown(),
                    self.resource(placement)
                ),
            })
            .collect();
        let chart = Chart {
            title: &format!("Machines over time under {}.", outcome.name),
            of: outcome.name,
            caption: "Each colour is a job, numbered from 0; rest the pointer on it for where and when. \
                      Time runs to the right, machines are numbered from above.",
            label: "jobs by time and machine",
            time: "time, from the moment at which the jobs are mapped",
            row: "machine",
            rows: self.site.machines.len() as u32,
            rows_each: 1,
            ticks: self.ticks,
            window: None,
        };
        gantt::draw(bars, &chart, gantt::MOST)
    }

    /// The machines that a job occupies.
    fn rows(&self, placement: &PlannedRun) -> Vec<PeRange> {
        let Some(at) = placement.resource() else { return Vec::new() };
        let Some(cluster) = at.checked_sub(self.site.machines.len()) else {
            return vec![at as u32..=at as u32];
        };
        let members = self.site.clusters[cluster].members.iter().copied();
        let mut present: Vec<u32> =
            members.filter(|&at| self.free_from[at as usize] != Instant::MAX).collect();
        present.sort_unstable();
        let runs = present.chunk_by(|one, next| one + 1 == *next);
        runs.map(|run| run[0]..=run[run.len() - 1]).collect()
    }

    /// A file of all jobs for each mapper.
    fn add_files(
        &self,
        outcomes: &[Outcome],
        publication: &mut Publication,
    ) -> Result<Files, Failure> {
        let mut names = Vec::new();
        for outcome in outcomes {
            let name = format!("map-{}.csv", outcome.name);
            publication.add(&name, |out| self.write(outcome, out))?;
            names.push(name);
        }
        Ok(Files { about: "Every job, where it runs and when:".into(), names })
    }

    fn write(&self, outcome: &Outcome, out: &mut dyn io::Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(["job", "resource", "start", "end"])?;
        for (job, placement) in self.jobs.iter().zip(&outcome.placements) {
            let [start, end] =
                [placement.start(), placement.end()].map(|at| self.exact(at.ticks()));
            writer.write_record([job.as_str(), self.resource(placement), &start, &end])?;
        }
        writer.flush()
    }

    /// In units of time, with all digits if a unit is a power of ten.
    fn exact(&self, ticks: u64) -> String {
        let digits = self.ticks.ilog10();
        match self.ticks == 10_u64.pow(digits) {
            _ if self.ticks == 1 => ticks.to_string(),
            true => format!(
                "{}.{:0width$}",
                ticks / self.ticks,
                ticks % self.ticks,
                width = digits as usize
            ),
            false => (ticks as f64 / self.ticks as f64).to_string(),
        }
    }
}

fn cell_in_ticks(
    cell: Option<Decimal>,
    ticks: u64,
    path: &std::path::Path,
) -> Result<Duration, Failure> {
    let Some(cell) = cell else { return Ok(Times::NEVER) };
    cell.ticks(ticks).map(Duration::from_ticks).ok_or_else(|| {
        let path = input::shown(path).display();
        Failure::Input(format!("{path}: {cell} is too long; use fewer --ticks or a larger unit"))
    })
}

fn mapper(algorithm: Algorithm, options: &Map) -> Box<dyn Mapper> {
    let Map { seed, generations, .. } = *options;
    let best = match options.best {
        Reading::Completion => Best::Completion,
        Reading::Execution => Best::Execution,
    };
    match algorithm {
        Algorithm::Olb => Box::new(Olb),
        Algorithm::BestAssignment => Box::new(BestAssignment { best }),
        Algorithm::MinMin => Box::new(MinMin { best }),
        Algorithm::MaxMin => Box::new(MaxMin { best }),
        Algorithm::Sufferage => Box::new(Sufferage),
        Algorithm::Duplex => Box::new(Duplex { best }),
        Algorithm::Pjs => Box::new(Pjs { best }),
        Algorithm::Genetic => Box::new(Genetic { best, seed, generations }),
    }
}

/// A job with its machines.
struct Job {
    number: u64,
    placement: PlannedRun,
    rows: Vec<PeRange>,
    told: String,
}

impl Bar for Job {
    fn number(&self) -> u64 {
        self.number
    }

    fn start(&self) -> Instant {
        self.placement.start()
    }

    fn end(&self) -> Instant {
        self.placement.end()
    }

    fn rows(&self) -> &[PeRange] {
        &self.rows
    }

    fn told(&self) -> String {
        self.told.clone()
    }
}
