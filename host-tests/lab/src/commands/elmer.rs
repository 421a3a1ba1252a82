//! `locox elmer`: jobs on hosts that they share in time.

use super::delivery::{deliver, provenance, publication};
use crate::cli::{Elmer, ElmerSetup, PlacementKind};
use crate::compare::headline;
use crate::gantt::{self, Bar, Chart, compact};
use crate::input;
use crate::output::Publication;
use locox::time::{Duration, Instant};
use locox::timeshare::{NonInterfering, Placement, Speed, Threshold};
use locox_models::recorded::{Queueing, Rule, UnderPlacement, record_cluster};
use locox_models::reservations::PeRange;
use locox_models::streams::stream;
use locox_models::timeshare::fluid::{self, Arrival, Loss, Setup, Stream};
use locox_models::timeshare::lists::{
    Host, ListError, generate_hosts, read_hosts, read_jobs, read_set,
};
use locox_report::failure::Failure;
use locox_report::report::{Block, Cell, Fact, Files, Picture, Report, Section, Table, counted};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Rows of the table of jobs; files have all of them.
const SHOWN: usize = 1_000;
/// Of a second, in pictures.
const TICKS: u64 = 1_000;

pub(super) fn run(options: &Elmer, command_line: &str) -> Result<(), Failure> {
    let mut publication = publication(&options.results)?;
    let input = Input::read(&options.of)?;
    let outcomes: Vec<Outcome> = options.placements().into_iter().map(|it| input.run(it)).collect();
    let most = gantt::MOST / outcomes.len().max(1);
    let pictures = outcomes.iter().filter_map(|outcome| input.picture(outcome, most));
    let mut blocks: Vec<Block> = pictures.map(Block::Picture).collect();
    blocks.extend([Block::Table(comparison(&outcomes)), Block::Facts(input.facts())]);
    if let Some(first) = outcomes.first() {
        blocks.push(Block::Table(input.jobs(first)));
    }
    blocks.push(Block::Files(input.add_files(&outcomes, &mut publication)?));
    let report = Report {
        title: format!(
            "{} on {} shared hosts",
            input::shown(&options.of.jobs).display(),
            counted(input.hosts.len() as u64)
        ),
        lead: headline::before(headline(&outcomes), input.lead()),
        provenance: provenance(command_line, Some(options.of.seed)),
        sections: vec![Section { id: "elmer".into(), title: "Shared hosts".into(), blocks }],
    };
    deliver(&report, publication, options.results.format, "other placements: locox elmer --help")
}

/// What was read.
pub(super) struct Input {
    arrivals: Vec<Arrival>,
    hosts: Vec<Host>,
    speeds: Vec<Speed>,
    losses: Vec<Loss>,
    queue: Queueing,
    sets: Vec<Vec<usize>>,
    memory: Vec<u32>,
    levels: u8,
    threshold: Threshold,
    believed: Duration,
    seed: u64,
}

struct Run<'a> {
    setup: Setup<'a>,
    seed: u64,
}

impl UnderPlacement for Run<'_> {
    type Done = Stream;

    fn under<P: Placement>(self, placement: P) -> Stream {
        fluid::run(self.setup, placement, stream(self.seed, "draws", 0))
    }
}

/// What came of it under a placement.
struct Outcome {
    kind: PlacementKind,
    levels: u8,
    stream: Stream,
}

fn wrong(error: ListError) -> Failure {
    Failure::Input(error.to_string())
}

fn text(path: &Path) -> Result<String, Failure> {
    let read = input::text(path);
    read.map_err(|error| {
        let path = input::shown(path).display();
        Failure::Input(format!(
            "{path}: cannot be read: {error}; check the name, and that it is a text file"
        ))
    })
}

impl Outcome {
    fn mean_turnaround(&self) -> f64 {
        let jobs = &self.stream.jobs;
        jobs.iter().map(|job| job.turnaround).sum::<f64>() / jobs.len() as f64
    }
}

impl Input {
    fn lead(&self) -> String {
        format!(
            "{} jobs wait in one queue, {}, for hosts that up to {} of them share in time, one above \
             the other.",
            counted(self.arrivals.len() as u64),
            match self.queue {
                Queueing::Fcfs => "strictly in order".into(),
                other => format!("tried in the order of {other}"),
            },
            self.levels
        )
    }

    pub(super) fn read(options: &ElmerSetup) -> Result<Self, Failure> {
        let hosts = match &options.hosts {
            Some(path) => read_hosts(input::shown(path), &text(path)?).map_err(wrong)?,
            None => generate_hosts(options.count.unwrap_or(6) as usize, true, options.seed),
        };
        let most = hosts.len() as u32;
        let arrivals = read_jobs(input::shown(&options.jobs), &text(&options.jobs)?, most);
        let thousandths = (options.threshold * 1000.0).round() as u16;
        let threshold = Threshold::from_thousandths(thousandths).map_err(|misuse| {
            Failure::Usage(format!("--threshold: {misuse}; write a number such as 0.7"))
        })?;
        let set =
            |path: &PathBuf| read_set(input::shown(path), &text(path)?, &hosts).map_err(wrong);
        let has_memory = hosts.iter().any(|host| host.memory.is_some());
        let memory = hosts.iter().filter(|_| has_memory).map(|host| host.memory.unwrap_or(0));
        let read = Self {
            arrivals: arrivals.map_err(wrong)?,
            queue: options.queue,
            sets: options.hostfile.iter().map(set).collect::<Result<_, _>>()?,
            memory: memory.collect(),
            speeds: hosts.iter().map(|host| host.speed).collect(),
            losses: losses(options, hosts.len())?,
            hosts,
            levels: options.levels,
            threshold,
            believed: Duration::from_ticks((options.believed * TICKS as f64) as u64),
            seed: options.seed,
        };
        read.check_terms(input::shown(&options.jobs))?;
        Ok(read)
    }

    /// Whether each job could run on hosts that have nothing else to do.
    fn check_terms(&self, path: &Path) -> Result<(), Failure> {
        let setup = self.setup(PlacementKind::Space);
        for arrival in &self.arrivals {
            let (suited, wanted) = (setup.suited(arrival), arrival.hosts);
            if suited < wanted as usize {
                let why = format!(
                    "the job submitted at {} s needs {wanted} hosts, and by its set and its memory it can \
                     have {suited}; ask for less, or give --hostfile, or memory in --hosts",
                    arrival.at
                );
                return Err(Failure::Input(format!("{}: {why}", path.display())));
            }
        }
        Ok(())
    }

    fn setup(&self, kind: PlacementKind) -> Setup<'_> {
        let levels = if kind == PlacementKind::Space { 1 } else { self.levels };
        Setup {
            speeds: &self.speeds,
            losses: &self.losses,
            queue: self.queue,
            sets: &self.sets,
            memory: &self.memory,
            ..Setup::new(&self.arrivals, self.hosts.len(), levels)
        }
    }

    fn rule(&self, kind: PlacementKind) -> Rule {
        let &Self { levels: degree, threshold, believed, .. } = self;
        match kind {
            PlacementKind::Space => Rule::FirstLevel { degree: 1, lots: true },
            PlacementKind::FirstLevel => Rule::FirstLevel { degree, lots: true },
            PlacementKind::FirstCalmLevel => {
                Rule::FirstCalmLevel { degree, lots: true, threshold, believed }
            }
            PlacementKind::NonInterfering => {
                let settled = Duration::from_ticks(TICKS);
                Rule::NonInterfering(NonInterfering { degree, threshold, believed, settled })
            }
        }
    }

    fn run(&self, kind: PlacementKind) -> Outcome {
        let setup = Setup { record: true, ..self.setup(kind) };
        let levels = setup.levels;
        Outcome { kind, levels, stream: self.rule(kind).with(Run { setup, seed: self.seed }) }
    }

    /// What the coordinator is told, up to so many commands.
    pub(super) fn record(&self, kind: PlacementKind, most: u64) -> Vec<u8> {
        record_cluster(self.setup(kind), self.rule(kind), self.seed, most)
    }

    fn facts(&self) -> Vec<Fact> {
        let are_alike = self.speeds.windows(2).all(|pair| pair[0] == pair[1]);
        vec![
            Fact::new("hosts", if are_alike { "all of one speed" } else { "of several speeds" }),
            Fact::new("levels of a host", self.levels),
            Fact::new("queue", self.queue),
            Fact::new("sets of hosts", self.sets.len()),
            Fact::new(
                "memory of hosts",
                if self.memory.is_empty() { "not looked at" } else { "looked at" },
            ),
            Fact::new(
                "threshold of versions 2 and 3",
                format!("{} thousandths", self.threshold.load().thousandths()),
            ),
            Fact::new("losses of hosts", self.losses.len()),
        ]
    }

    fn end(&self, job: usize, stream: &Stream) -> f64 {
        self.arrivals[job].at + stream.jobs[job].turnaround
    }

    fn jobs(&self, outcome: &Outcome) -> Table {
        let columns = [
            ("job", "job"),
            ("submit_s", "submitted (s)"),
            ("hosts", "hosts"),
            ("alone_s", "alone (s)"),
            ("start_s", "start (s)"),
            ("end_s", "end (s)"),
            ("level", "level at start"),
            ("stretch", "turnaround over alone"),
        ];
        let all = self.arrivals.len();
        let shown = match all > SHOWN {
            true => format!(", the first {} of {}", counted(SHOWN as u64), counted(all as u64)),
            false => String::new(),
        };
        let title = format!("Jobs under {}{shown}", outcome.kind.name());
        let mut table = Table::new(title, &columns).with_jobs("job");
        for (job, (arrival, ended)) in
            self.arrivals.iter().zip(&outcome.stream.jobs).enumerate().take(SHOWN)
        {
            let end = self.end(job, &outcome.stream);
            table.push(vec![
                Cell::Count(job as u64),
                Cell::Number(arrival.at, 1),
                Cell::Count(arrival.hosts.into()),
                Cell::Number(arrival.alone, 1),
                Cell::Number(end - ended.ran, 1),
                Cell::Number(end, 1),
                Cell::Count(ended.level.into()),
                Cell::Number(ended.turnaround / ended.alone, 2),
            ]);
        }
        table
    }

    fn picture(&self, outcome: &Outcome, most: usize) -> Option<Picture> {
        let levels = u32::from(outcome.levels);
        let chart = Chart {
            title: &format!("Hosts over time under {}.", outcome.kind.name()),
            of: outcome.kind.name(),
            caption: &format!(
                "Each colour is a job, numbered from 0 by submission; rest the pointer on it for its \
                 level. Time runs to the right in seconds, hosts are numbered from above. {}",
                match levels {
                    1 => "A host has one job at a time.".into(),
                    _ => format!(
                        "A host has {levels} rows, that of the most urgent level on top: a job that \
                         moves up has become more urgent."
                    ),
                }
            ),
            label: "jobs by time, host and level",
            time: "time, as in the input (s)",
            row: "host",
            rows: self.hosts.len() as u32 * levels,
            rows_each: levels,
            ticks: TICKS,
            window: None,
        };
        gantt::draw(bars(&outcome.stream, levels), &chart, most)
    }

    /// For each placement a file of the jobs and one of who was at which level when.
    fn add_files(
        &self,
        outcomes: &[Outcome],
        publication: &mut Publication,
    ) -> Result<Files, Failure> {
        let mut names = Vec::new();
        for outcome in outcomes {
            let [jobs, levels] =
                ["jobs", "levels"].map(|of| format!("elmer-{}-{of}.csv", outcome.kind.name()));
            publication.add(&jobs, |out| self.write_jobs(&outcome.stream, out))?;
            publication.add(&levels, |out| self.write_levels(&outcome.stream, out))?;
            names.extend([jobs, levels]);
        }
        Ok(Files {
            about: "Every job, and who was at which level of which host when:".into(),
            names,
        })
    }

    fn write_jobs(&self, stream: &Stream, out: &mut dyn io::Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(["job", "submit", "hosts", "alone", "start", "end", "level"])?;
        for (job, (arrival, ended)) in self.arrivals.iter().zip(&stream.jobs).enumerate() {
            let end = self.end(job, stream);
            writer.write_record([
                job.to_string(),
                format!("{:.3}", arrival.at),
                arrival.hosts.to_string(),
                format!("{:.3}", arrival.alone),
                format!("{:.3}", end - ended.ran),
                format!("{end:.3}"),
                ended.level.to_string(),
            ])?;
        }
        writer.flush()
    }

    fn write_levels(&self, stream: &Stream, out: &mut dyn io::Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(["host", "level", "job", "from", "to"])?;
        for spell in &stream.spells {
            writer.write_record([
                self.hosts[spell.host].name.as_str(),
                &spell.level.to_string(),
                &spell.job.to_string(),
                &format!("{:.3}", spell.from),
                &format!("{:.3}", spell.to),
            ])?;
        }
        writer.flush()
    }
}

fn losses(options: &ElmerSetup, hosts: usize) -> Result<Vec<Loss>, Failure> {
    let mut losses: Vec<Loss> = options.lose.iter().map(|spec| spec.0).collect();
    losses.sort_by(|one, next| {
        (one.host, one.from).partial_cmp(&(next.host, next.from)).expect("finite")
    });
    if let Some(loss) = losses.iter().find(|loss| loss.host >= hosts) {
        return Err(Failure::Usage(format!(
            "--lose: there is no host {}, only 0 to {}; name one of these",
            loss.host,
            hosts - 1
        )));
    }
    if let Some(pair) =
        losses.windows(2).find(|it| it[0].host == it[1].host && it[1].from < it[0].until)
    {
        return Err(Failure::Usage(format!(
            "--lose: host {} is lost again at {} s before it is back; leave time between",
            pair[1].host, pair[1].from
        )));
    }
    Ok(losses)
}

/// What the page begins with, if there are several placements.
fn headline(outcomes: &[Outcome]) -> Option<String> {
    let values: Vec<(String, f64)> =
        outcomes.iter().map(|it| (it.kind.name().into(), it.mean_turnaround())).collect();
    headline::of_single_runs("mean turnaround", ("s", 1), &values, "")
}

fn comparison(outcomes: &[Outcome]) -> Table {
    let columns = [
        ("placement", "placement"),
        ("turnaround_s", "mean turnaround (s)"),
        ("stretch", "turnaround over alone"),
        ("first_stretch", "of jobs that start at the top"),
        ("shared", "jobs below others at start"),
        ("restarts", "starts anew"),
        ("jobs_per_hour", "jobs an hour"),
        ("end_s", "last end (s)"),
    ];
    let mut table = Table::new("Placements on the same jobs", &columns);
    for outcome in outcomes {
        let Outcome { kind, stream, .. } = outcome;
        let stretch = |is: fn(u8) -> bool| {
            let of = stream.jobs.iter().filter(|job| is(job.level));
            let (taken, alone) =
                of.fold((0.0, 0.0), |sum, job| (sum.0 + job.turnaround, sum.1 + job.alone));
            if alone > 0.0 { Cell::Number(taken / alone, 2) } else { Cell::Missing }
        };
        let jobs = stream.jobs.len();
        table.push(vec![
            Cell::text(kind.name()),
            Cell::Number(outcome.mean_turnaround(), 1),
            stretch(|_| true),
            stretch(|level| level == 0),
            Cell::Count(stream.jobs.iter().filter(|job| job.level > 0).count() as u64),
            Cell::Count((stream.starts.len() - jobs) as u64),
            Cell::Number(3600.0 * jobs as f64 / stream.makespan, 1),
            Cell::Number(stream.makespan, 1),
        ]);
    }
    table
}

/// A job at one level or several for some time.
struct Seated {
    job: usize,
    from: u64,
    to: u64,
    rows: Vec<PeRange>,
    told: String,
}

/// Spells that begin and end together are one bar.
fn bars(stream: &Stream, levels: u32) -> Vec<Seated> {
    let ticks = |seconds: f64| (seconds * TICKS as f64).round() as u64;
    let mut together: BTreeMap<(u64, usize, u64), Vec<(u32, u8)>> = BTreeMap::new();
    for spell in &stream.spells {
        let key = (ticks(spell.from), spell.job, ticks(spell.to));
        together.entry(key).or_default().push((spell.host as u32, spell.level));
    }
    let bar = |((from, job, to), mut seats): ((u64, usize, u64), Vec<(u32, u8)>)| {
        seats.sort_unstable();
        let rows = seats.iter().map(|&(host, level)| host * levels + u32::from(level));
        let on = |level: u8| {
            let hosts = seats.iter().filter(|it| it.1 == level).map(|it| it.0);
            let hosts = compact(&ranges(hosts), 8);
            (!hosts.is_empty()).then(|| format!("level {level} on hosts {hosts}"))
        };
        let on: Vec<String> = (0..levels as u8).filter_map(on).collect();
        let seconds = |at: u64| at as f64 / TICKS as f64;
        let told =
            format!("job {job}: {:.1} to {:.1} s; {}", seconds(from), seconds(to), on.join("; "));
        Seated { job, from, to, rows: ranges(rows), told }
    };
    together.into_iter().map(bar).collect()
}

/// Rising numbers as ranges.
fn ranges(numbers: impl Iterator<Item = u32>) -> Vec<PeRange> {
    let numbers: Vec<u32> = numbers.collect();
    numbers.chunk_by(|one, next| one + 1 == *next).map(|run| run[0]..=run[run.len() - 1]).collect()
}

impl Bar for Seated {
    fn number(&self) -> u64 {
        self.job as u64
    }

    fn start(&self) -> Instant {
        Instant::from_ticks(self.from)
    }

    fn end(&self) -> Instant {
        Instant::from_ticks(self.to)
    }

    fn rows(&self) -> &[PeRange] {
        &self.rows
    }

    fn told(&self) -> String {
        self.told.clone()
    }
}
