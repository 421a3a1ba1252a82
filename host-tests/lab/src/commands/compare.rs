//! `locox compare`: methods against a base line, on draws of the jobs of traces and models.

use super::delivery::{deliver, notice, provenance, publication, warn_of_complete};
use super::demands::{demands, suit};
use crate::cli::{Compare, Format, MachineName, MachineSpec, once};
use crate::compare::{DATA, Design, Jobs, Row, Source, Store, Subject};
use crate::compare::{headline, rows, sections, write_csv, write_json};
use crate::method::{Method, Variants, checked, methods, ways};
use crate::output::{Publication, Stdout, is_standard_output, unprintable};
use crate::{input, memory};
use locox::cube::Dim;
use locox_models::machine::BoxStrategy;
use locox_models::managed::Users;
use locox_models::swf::{Strictness, SwfErrorKind};
use locox_models::workload::lublin::{Kind, Lublin};
use locox_models::workload::synthetic::Synthetic;
use locox_models::workload::weeks::{MOST_WEEKS, WEEK};
use locox_models::workload::{Job, Selection, Workload};
use locox_report::failure::Failure;
use locox_report::parallel;
use locox_report::printable::printable;
use locox_report::progress::Progress;
use locox_report::report::{Report, html, some};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::Path;
use std::{env, fs};

pub(super) fn run(options: &Compare, command_line: &str) -> Result<(), Failure> {
    let publication = publication(&options.results)?;
    let store = store(options)?;
    let design = design(options)?;
    for Subject { source, methods } in &design.subjects {
        warn_of_complete(methods.iter().map(|method| method.way), source.machine);
    }
    let shard = options.shard.unwrap_or_default();
    design.run(&store, shard, &Progress::watched("compare"))?;
    let settings = match design.settings(&store) {
        Ok(settings) => settings,
        Err(missing) => {
            notice(&format!(
                "part {shard} is done, {missing} runs of the others are missing; when all are done, \
                 the same without --shard makes the comparison"
            ));
            return Ok(());
        }
    };
    let metrics = once(options.metric.iter().copied());
    let rows = rows(&settings, &metrics);
    let sources: Vec<&str> = design.subjects.iter().map(|one| &one.source.name[..]).collect();
    let report = Report {
        title: format!("Comparison: {}", sources.join(", ")),
        lead: headline::before(Some(headline::of_first(&settings, metrics[0])), lead(&design)),
        provenance: provenance(command_line, Some(options.seed)),
        sections: sections(&settings, &metrics),
    };
    publish(&report, &rows, publication, options.results.format)
}

fn lead(design: &Design) -> String {
    let any = |of_trace| design.subjects.iter().any(|one| one.source.is_trace() == of_trace);
    let seeds = design.seeds;
    match (any(true), any(false)) {
        (true, false) => {
            format!("As recorded, in whole weeks, and up to {} of the weeks.", some(seeds, "draw"))
        }
        (false, _) => some(seeds, "replication") + ".",
        (true, true) => format!(
            "{} of models; of traces what was recorded, in whole weeks, and up to {} of the weeks.",
            some(seeds, "replication"),
            some(seeds, "draw")
        ),
    }
}

fn publish(
    report: &Report,
    rows: &[Row],
    mut publication: Publication,
    format: Format,
) -> Result<(), Failure> {
    let [csv, json] = DATA;
    publication.add(csv, |out| write_csv(rows, out))?;
    publication.add(json, |out| write_json(rows, out))?;
    let write = match format {
        Format::Table => {
            let next =
                "for narrower intervals: more --seeds; runs that are there are not run again";
            return deliver(report, publication, format, next);
        }
        Format::Csv => write_csv,
        Format::Json => write_json,
    };
    let page = publication.publish(&html::page(report))?;
    let mut out = Stdout::lock();
    write(rows, &mut out).and_then(|()| out.flush()).map_err(|error| unprintable(&error))?;
    if let Some(page) = page {
        notice(&format!("the report is {}", page.display()));
    }
    Ok(())
}

fn store(options: &Compare) -> Result<Store, Failure> {
    let out = &options.results.out;
    match options.shard {
        Some(_) if is_standard_output(out) => Err(Failure::Usage(
            "--shard: the runs of a part need a place; name a directory with --out".into(),
        )),
        _ if is_standard_output(out) => Ok(Store::nowhere()),
        Some(shard) => Store::open(out, &format!("runs-{}-of-{}.jsonl", shard.at, shard.of)),
        None => Store::open(out, "runs.jsonl"),
    }
}

/// What is known of so many fits into a gigabyte.
const MOST_RUNS: u64 = 500_000;

pub(super) fn design(options: &Compare) -> Result<Design, Failure> {
    one_trace(options)?;
    let subjects = options.sources.iter().map(|source| subject(options, source));
    let subjects: Vec<Subject> = subjects.collect::<Result<_, _>>()?;
    let subjects = told_apart(subjects)?;
    if options.estimates.is_some() && !subjects.iter().any(|one| one.source.is_lublin()) {
        return Err(Failure::Usage(
            "--estimates: it is for model:lublin, which is none of the sources; leave it out"
                .into(),
        ));
    }
    if options.seeds == 0 && subjects.iter().any(|subject| !subject.source.is_trace()) {
        return Err(Failure::Usage("--seeds: a model needs at least 1".into()));
    }
    let loads = match &options.load[..] {
        [] => vec![None],
        loads => once(loads.iter().copied()).into_iter().map(Some).collect(),
    };
    let runs = subjects.iter().map(|subject| subject.methods.len() as u64).sum::<u64>();
    let runs = runs * loads.len() as u64 * (options.seeds + 1);
    if runs > MOST_RUNS {
        return Err(Failure::Usage(format!(
            "--seeds: {runs} runs (sources x methods x loads x draws) are more than {MOST_RUNS}; ask for \
             fewer --seeds, or less of the others"
        )));
    }
    Ok(Design {
        subjects,
        loads,
        seeds: options.seeds,
        seed: options.seed,
        strictness: strictness(options),
        program: program(),
    })
}

/// Sources with names that tell them apart: those of their files, and where these are the same, with
/// their paths.
fn told_apart(mut subjects: Vec<Subject>) -> Result<Vec<Subject>, Failure> {
    let names: Vec<String> = subjects.iter().map(|one| one.source.name.clone()).collect();
    let again = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    for (subject, name) in subjects.iter_mut().zip(&names) {
        if again(name) {
            subject.source.name.clone_from(&subject.source.origin);
        }
    }
    let mut origins: Vec<&str> = subjects.iter().map(|one| &one.source.origin[..]).collect();
    origins.sort_unstable();
    match origins.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Failure::Usage(format!("{}: it is named twice; name it once", pair[0]))),
        None => Ok(subjects),
    }
}

fn strictness(options: &Compare) -> Strictness {
    if options.lenient { Strictness::Lenient } else { Strictness::Strict }
}

/// Another build may decide otherwise, and its runs are not to be taken for this one's.
fn program() -> u64 {
    let mut hasher = DefaultHasher::new();
    let content = env::current_exe().and_then(fs::read).unwrap_or_default();
    (env!("CARGO_PKG_VERSION"), content).hash(&mut hasher);
    hasher.finish()
}

/// What the name of a model begins with.
const MODEL: &str = "model:";

fn subject(options: &Compare, path: &Path) -> Result<Subject, Failure> {
    let source = match path.to_str().and_then(|name| name.strip_prefix(MODEL)) {
        Some(model) => of_model(options, model)?,
        None => of_trace(options, path)?,
    };
    let methods = methods_on(options, &source)?;
    let (jobs, processors) = (source.jobs.count(), source.machine.processors());
    let words = methods.iter().map(|method| method.queue.words(jobs, processors)).max();
    let at_once = words.unwrap_or(0).saturating_mul(parallel::threads());
    memory::can_plan(path, jobs, at_once)?;
    Ok(Subject { methods: baseline_first(options, methods, &source)?, source })
}

/// Jobs that ask for something of nodes are known by their numbers in one trace.
fn one_trace(options: &Compare) -> Result<(), Failure> {
    let Some(path) = &options.demands else { return Ok(()) };
    let [trace] = &options.sources[..] else {
        let fault = "--demands: it is about the jobs of one trace; compare that alone";
        return Err(Failure::Usage(fault.into()));
    };
    if trace.to_str().is_some_and(|name| name.starts_with(MODEL)) {
        let fault =
            format!("--demands: {} has no jobs with numbers; leave it out", trace.display());
        return Err(Failure::Usage(fault));
    }
    if input::is_standard_input(path) && input::is_standard_input(trace) {
        let fault =
            "trace and --demands cannot both be standard input; name a file for one of them";
        return Err(Failure::Usage(fault.into()));
    }
    Ok(())
}

/// The machine asked for.
fn machine(options: &Compare) -> Result<Option<MachineSpec>, Failure> {
    options.machine.as_ref().map(MachineName::open).transpose()
}

fn of_model(options: &Compare, model: &str) -> Result<Source, Failure> {
    const JOBS: usize = 5_000;
    let jobs = options.jobs.map_or(JOBS, |jobs| usize::try_from(jobs).unwrap_or(usize::MAX));
    let cube = |dims| Dim::new(dims).map(MachineSpec::Cube);
    const ESTIMATES: f64 = 3.0;
    let estimates = Some(options.estimates.unwrap_or(ESTIMATES));
    let (usual, of): (_, &dyn Fn(usize, u32) -> Jobs) = match model {
        "lublin" => (cube(10), &|jobs, processors| {
            Jobs::Lublin(Lublin { kind: Kind::All, jobs, processors, estimates })
        }),
        "ipsc" => {
            (cube(7), &|jobs, _| Jobs::Synthetic(Synthetic { jobs, ..Synthetic::cube_day() }))
        }
        "users" => (Some(MachineSpec::Pool(64)), &|jobs, nodes| {
            Jobs::Users(Users { users: 8, nodes, days: 20, load: 0.95 }, jobs)
        }),
        _ => {
            return Err(Failure::Usage(format!(
                "unknown model `{model}`; the models are model:lublin, model:ipsc and model:users"
            )));
        }
    };
    has_room(Path::new(&format!("model:{model}")), jobs)?;
    let machine = machine(options)?.or(usual).unwrap_or(MachineSpec::Pool(1));
    let jobs = of(jobs, machine.processors());
    // Requested times decide what planning is worth, so the name says how they are made.
    let name = match &jobs {
        Jobs::Lublin(Lublin { estimates: Some(f), .. }) => format!("{model} (estimates {f})"),
        _ => model.into(),
    };
    Ok(Source { name, origin: format!("model:{model}"), machine, jobs })
}

/// Each draw has jobs of its own, which take about as much as what becomes of them.
fn has_room(path: &Path, jobs: usize) -> Result<(), Failure> {
    memory::has_room(path, jobs, 2 * parallel::threads())
}

/// A trace without weeks is told from one that is too short for them.
fn spans_weeks(path: &Path, workload: &Workload) -> Result<(), Failure> {
    let submitted = |job: Option<&Job>| job.map_or(0, |job| job.submit.ticks());
    let span = submitted(workload.jobs.last()) - submitted(workload.jobs.first());
    if span / WEEK <= MOST_WEEKS {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "{}: its jobs come over {} weeks, and {MOST_WEEKS} are the most; correct the times of submission",
        input::shown(path).display(),
        span / WEEK
    )))
}

fn of_trace(options: &Compare, path: &Path) -> Result<Source, Failure> {
    let limit = options.jobs.and_then(|jobs| usize::try_from(jobs).ok());
    let (sort, room, numbered) = (options.sort, memory::jobs(1), options.demands.is_some());
    let selection = Selection { limit, sort, room, numbered, ..Selection::default() };
    let read = input::trace(path, strictness(options), &selection);
    let (mut workload, header) = read.map_err(|error| match error.kind {
        SwfErrorKind::NoRoom(most) => memory::refused(path, most, 1),
        _ => Failure::Input(error.to_string()),
    })?;
    has_room(path, workload.jobs.len())?;
    spans_weeks(path, &workload)?;
    let machine = machine(options)?.or(header.processors().map(MachineSpec::of));
    let machine = machine.ok_or_else(|| input::no_size(path, &header))?;
    suit(options.demands.as_deref(), machine)?;
    demands(options.demands.as_deref(), machine, strictness(options), &mut workload)?;
    let name = printable(&workload.name).replace('\n', "\\n");
    let origin = input::shown(path).display().to_string();
    Ok(Source { name, origin, machine, jobs: Jobs::Trace(workload) })
}

fn methods_on(options: &Compare, source: &Source) -> Result<Vec<Method>, Failure> {
    let who = format!("{} is for a {}, which", source.name, source.machine);
    let variants = Variants { mesh: options.mesh, exclusive: options.exclusive };
    let ways = ways(source.machine, &options.strategy, variants, &who);
    let queues = options.preempting.queues(&options.queue);
    let methods = methods(&ways.map_err(Failure::Usage)?, &queues, &options.order);
    checked(methods, source.machine).map_err(Failure::Usage)
}

/// A method as it is shown: `first@2x1/fcfs` is `first@2/fcfs`.
fn as_shown(name: &str) -> String {
    let Some((strategy, queue)) = name.split_once('/') else { return name.into() };
    let strategy = strategy.parse().map_or(strategy.into(), |it: BoxStrategy| it.to_string());
    format!("{strategy}/{queue}")
}

fn baseline_first(
    options: &Compare,
    mut methods: Vec<Method>,
    source: &Source,
) -> Result<Vec<Method>, Failure> {
    let Some(name) = &options.baseline else { return Ok(methods) };
    let names: Vec<String> = methods.iter().map(Method::to_string).collect();
    let asked = as_shown(name);
    let at = names.iter().position(|method| *method == asked).ok_or_else(|| {
        Failure::Usage(format!(
            "--baseline: {name} is none of the methods for {}, which are {}",
            source.name,
            names.join(", ")
        ))
    })?;
    methods[..=at].rotate_right(1);
    Ok(methods)
}
