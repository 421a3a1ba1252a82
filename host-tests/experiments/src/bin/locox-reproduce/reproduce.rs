//! Named experiments: which are run, and where their results go.

use crate::archive::{self, Environment};
use locox_experiments::{ALL, Effort, Experiment, Lab, is_of};
use locox_lab::cli::{Reproduce, Results};
use locox_lab::commands::delivery::{notice, provenance, publication, publish_book, say};
use locox_lab::output::{
    Publication, Stdout, check_place, is_standard_output, unprintable, write_as_is,
};
use locox_lab::shell::quoted;
use locox_report::failure::Failure;
use locox_report::progress::Progress;
use locox_report::report::verdicts::{self, Row};
use locox_report::report::{Block, Report, Section, Status, Verdict};
use std::collections::BTreeSet;
use std::io::{self, Write};

pub(crate) fn run(options: &Reproduce, command_line: &str) -> Result<(), Failure> {
    if options.list {
        return list().map_err(|error| unprintable(&error));
    }
    let mut chosen = chosen(options)?;
    let Results { out, force, .. } = &options.results;
    // Beside these nothing needs to be printed.
    let publication = match options.json || options.archive.is_some() {
        true => Publication::new(out, *force)?,
        false => publication(&options.results)?,
    };
    if let Some(path) = &options.archive {
        if is_standard_output(path) {
            let wrong =
                "--archive: standard output has the report; name a file, such as out.tar.zst";
            return Err(Failure::Usage(wrong.into()));
        }
        archive::check_name(path)?;
        check_place(path, options.results.force)?;
    }
    let effort = if options.quick { Effort::Quick } else { Effort::Full };
    if let Some(name) = &options.name
        && locox_experiments::find(name).is_none()
    {
        let is_shared = chosen.len() > 1;
        if effort == Effort::Full && (is_shared && name.contains('@') || !Lab::has_logs()) {
            chosen = with_variant(chosen, options.seed, name)?;
        }
        if is_shared {
            let names: Vec<_> = chosen.iter().map(|experiment| experiment.name).collect();
            notice(&format!("{name} is judged by {}", names.join(", ")));
        }
    }
    let (mut sections, mut logs, mut lacks) = (Vec::new(), BTreeSet::new(), false);
    for experiment in &chosen {
        let lab = Lab::new(effort, options.seed, Progress::watched(experiment.name));
        sections.push(experiment.section(&lab)?);
        lacks |= lab.lacks_logs();
        logs.append(&mut lab.logs());
    }
    keep_asked(&mut sections, options, lacks)?;
    let title = match chosen[..] {
        [only] => only.title.to_owned(),
        _ => "Published experiments, run again".to_owned(),
    };
    let rows = verdicts::rows(&sections, options.seed, &repeated(options));
    let mut report = Report {
        title,
        lead: lead(&rows, effort),
        provenance: provenance(command_line, Some(options.seed)),
        sections,
    };
    if report.sections.len() > 1 {
        let by_source = vec![Block::Table(verdicts::counts(&rows))];
        report.sections.insert(0, summary("claims", "What is judged", by_source));
        let all = vec![Block::Table(verdicts::table(&rows))];
        report.sections.push(summary("all-verdicts", "All verdicts", all));
    }
    if let Some(path) = &options.archive {
        let command_line = &archived(options);
        let environment = Environment::new(command_line, options.seed, &logs)?;
        let provenance = provenance(command_line, Some(options.seed));
        let report = Report { provenance, ..report.clone() };
        let write = |out: &mut dyn Write| archive::write(path, &report, &rows, &environment, out);
        write_as_is(path, options.results.force, write)?;
    }
    let page = publish_book(&report, publication)?;
    if !options.json {
        let next = "all experiments and claims: locox reproduce --list";
        return say(&report, page.as_deref(), options.results.format, next);
    }
    let mut out = Stdout::lock();
    verdicts::write_json(&rows, &mut out)
        .and_then(|()| out.flush())
        .map_err(|error| unprintable(&error))
}

/// The command that makes an archive: what its bytes depend on.
fn archived(options: &Reproduce) -> String {
    let name = options.name.as_deref().map_or("--all".into(), quoted);
    format!("locox reproduce {name}{} --archive FILE", repeated(options))
}

/// What was asked for besides the name of the experiment.
fn repeated(options: &Reproduce) -> String {
    let quick = if options.quick { " --quick" } else { "" };
    match options.seed {
        1 => quick.into(),
        seed => format!("{quick} --seed {seed}"),
    }
}

fn summary(id: &str, title: &str, blocks: Vec<Block>) -> Section {
    Section { id: id.into(), title: title.into(), blocks }
}

/// The experiment of that name, or those that judge the statements of that id.
fn chosen(options: &Reproduce) -> Result<Vec<&'static Experiment>, Failure> {
    let Some(name) = &options.name else { return Ok(ALL.iter().collect()) };
    if let Some(experiment) = locox_experiments::find(name) {
        return Ok(vec![experiment]);
    }
    let judging: Vec<_> = ALL.iter().filter(|experiment| experiment.judges(name)).collect();
    if !judging.is_empty() {
        return Ok(judging);
    }
    let names: Vec<_> = ALL.iter().map(|experiment| experiment.name).collect();
    Err(Failure::Usage(format!(
        "NAME: no experiment and no statement `{name}`; there are {}, and the statements that \
         --list names",
        names.join(", ")
    )))
}

/// Of experiments that judge a statement those that judge a variant of it. Quick runs tell, which have the
/// variants of full ones.
fn with_variant(
    judging: Vec<&'static Experiment>,
    seed: u64,
    id: &str,
) -> Result<Vec<&'static Experiment>, Failure> {
    let (mut needed, mut lacks) = (vec![], false);
    for experiment in judging {
        let lab = Lab::new(Effort::Quick, seed, Progress::watched(experiment.name));
        if (experiment.run)(&lab)?.claims.iter().any(|claim| is_of(&claim.id(), id)) {
            needed.push(experiment);
        }
        lacks |= lab.lacks_logs();
    }
    if needed.is_empty() { Err(no_variant(id, lacks)) } else { Ok(needed) }
}

/// That nothing of this name was judged; perhaps since there are no logs.
fn no_variant(id: &str, lacks_logs: bool) -> Failure {
    if lacks_logs {
        return Failure::Input(format!(
            "{id}: no verdict of this name comes without the logs of real machines; set LOCOX_DATA to the \
             folder that has them, see docs/evidence/verdicts.md"
        ));
    }
    let statement = id.split('@').next().unwrap_or(id);
    Failure::Usage(format!(
        "NAME: the statement has no variant `{id}`; `locox reproduce {statement}` has them all"
    ))
}

/// If what was asked for is the statements of an id, all others are left out, and experiments that judged
/// none. Which variants a statement has is known only now.
fn keep_asked(
    sections: &mut Vec<Section>,
    options: &Reproduce,
    lacks_logs: bool,
) -> Result<(), Failure> {
    let Some(id) = &options.name else { return Ok(()) };
    if locox_experiments::find(id).is_some() {
        return Ok(());
    }
    sections.retain_mut(|section| {
        let claims = section.blocks.iter_mut().filter_map(|block| match block {
            Block::Claims(claims) => Some(claims),
            _ => None,
        });
        let left = claims.map(|claims| {
            claims.retain(|claim| is_of(&claim.id(), id));
            claims.len()
        });
        left.sum::<usize>() > 0
    });
    if sections.is_empty() { Err(no_variant(id, lacks_logs)) } else { Ok(()) }
}

fn list() -> io::Result<()> {
    let mut out = Stdout::lock();
    for Experiment { name, title, source, statements, .. } in ALL {
        writeln!(out, "{name}\n    {title} ({source})")?;
        for statement in *statements {
            writeln!(out, "    - {}", statement.id)?;
        }
    }
    out.flush()
}

/// How many verdicts of each kind there are: of claims that the runs could have refuted, of others.
fn lead(rows: &[Row], effort: Effort) -> String {
    let told = |kind: &str, of: &dyn Fn(Status) -> bool| {
        let of: Vec<&Row> = rows.iter().filter(|row| of(row.status)).collect();
        let count = |verdict: Verdict| {
            let number = of.iter().filter(|row| row.answer == verdict.name()).count();
            (number > 0).then(|| format!("{} {number}", verdict.name()))
        };
        let counts: Vec<String> = Verdict::ALL.into_iter().filter_map(count).collect();
        (!of.is_empty()).then(|| format!("{} {kind}: {}. ", of.len(), counts.join(", ")))
    };
    let parts = [
        told("verdicts on claims of the sources", &|status| {
            status.can_fail() && status != Status::Ours
        }),
        told("that come out by construction or calibration", &|status| !status.can_fail()),
        told("on questions of our own", &|status| status == Status::Ours),
    ];
    let length = match effort {
        Effort::Quick => "A quick run: the full one has more replications or larger machines.",
        Effort::Full => "",
    };
    parts.into_iter().flatten().collect::<String>() + length
}
