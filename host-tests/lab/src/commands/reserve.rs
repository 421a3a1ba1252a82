//! `locox reserve`: requests for reservations, answered one after the other.

use super::delivery::{deliver, provenance, publication};
use crate::cli::{Policies, Reserve, policy_name};
use crate::gantt::{self, compact};
use crate::input;
use crate::memory;
use crate::output::Publication;
use locox::reserve::{Fit, Timeline};
use locox::time::Instant;
use locox_models::reservations::{Answer, Options, Outcome, limits, run as ask};
use locox_models::swf::Strictness;
use locox_models::workload::request_file::RequestFile;
use locox_report::failure::Failure;
use locox_report::report::{Block, Cell, Files, Report, Section, Table, counted};
use std::io;

/// Ranges of PEs that a table has room for.
const RANGES: usize = 4;

pub(super) fn run(options: &Reserve, command_line: &str) -> Result<(), Failure> {
    let strictness = if options.lenient { Strictness::Lenient } else { Strictness::Strict };
    let mut publication = publication(&options.results)?;
    memory::can_be_read(&options.requests)?;
    let file = input::requests(&options.requests, strictness)
        .map_err(|error| Failure::Input(error.to_string()))?;
    let outcomes = outcomes(options, &file)?;
    let most = gantt::MOST / outcomes.len();
    let pictures = outcomes.iter().filter_map(|(fit, outcome)| {
        let title = format!("Reservations under {}.", fit.name());
        gantt::picture(outcome, &title, most)
    });
    let mut blocks: Vec<Block> = pictures.map(Block::Picture).collect();
    blocks.push(Block::Table(summary(&outcomes)));
    blocks.extend(file.first_skipped.as_ref().map(|error| {
        let skipped = counted(file.skipped);
        Block::Text(format!("Bad lines skipped: {skipped}. The first of them: {error}"))
    }));
    blocks.push(Block::Table(answers(&outcomes)));
    blocks.push(Block::Files(add_files(&outcomes, &mut publication)?));
    let name = input::shown(&options.requests).display();
    let report = Report {
        title: format!("Reservations of {name} on {} PEs", counted(options.pes.into())),
        lead: lead(options, &file),
        provenance: provenance(command_line, None),
        sections: vec![Section { id: "reservations".into(), title: "Reservations".into(), blocks }],
    };
    deliver(&report, publication, options.results.format)
}

fn lead(options: &Reserve, file: &RequestFile) -> String {
    format!(
        "{} requests, each answered as it arrives; of the free PEs a request gets {}.",
        counted(file.requests.len() as u64),
        options.choice.told()
    )
}

fn outcomes(options: &Reserve, file: &RequestFile) -> Result<Vec<(Fit, Outcome)>, Failure> {
    let words = Timeline::words(limits(&file.requests, options.pes));
    if let Some((needed, free)) = memory::lacking(words) {
        const MEGABYTE: u64 = 1 << 20;
        return Err(Failure::Usage(format!(
            "--pes: {} PEs and {} requests take {} MB of memory, and {} MB are free; use fewer PEs or \
             split the file",
            counted(options.pes.into()),
            counted(file.requests.len() as u64),
            counted(needed / MEGABYTE),
            counted(free / MEGABYTE)
        )));
    }
    let choice = options.choice.choice();
    let outcome = |fit: Fit| {
        let options = Options { choice, name_pes: true, ..Options::new(options.pes, fit) };
        let outcome = ask(&file.requests, &options);
        outcome.map(|outcome| (fit, outcome)).map_err(|error| Failure::Input(error.to_string()))
    };
    Policies::of(&options.policy).into_iter().map(outcome).collect()
}

fn summary(outcomes: &[(Fit, Outcome)]) -> Table {
    let columns = [
        ("policy", "policy"),
        ("accepted", "accepted"),
        ("acceptance", "acceptance"),
        ("work", "work accepted"),
        ("mean_wait", "mean wait"),
        ("slowdown", "slowdown"),
        ("utilisation", "utilisation"),
    ];
    let mut table = Table::new("What became of the requests", &columns)
        .with_note("Waits count from the ready time.");
    for (fit, outcome) in outcomes {
        let known = |value: f64, cell: fn(f64) -> Cell| {
            if value.is_finite() { cell(value) } else { Cell::Missing }
        };
        table.push(vec![
            Cell::text(fit.name()),
            Cell::Count(outcome.accepted() as u64),
            Cell::Share(outcome.acceptance()),
            known(outcome.accepted_work(), Cell::Share),
            known(outcome.mean_wait(), |value| Cell::Number(value, 1)),
            known(outcome.mean_slowdown(), |value| Cell::Number(value, 2)),
            known(outcome.utilisation(), Cell::Share),
        ]);
    }
    table
}

/// The answers: in full of one policy, the starts side by side of several.
fn answers(outcomes: &[(Fit, Outcome)]) -> Table {
    let mut columns = vec![
        ("request", "line"),
        ("t_a", "made"),
        ("t_r", "ready"),
        ("t_du", "duration"),
        ("t_dl", "deadline"),
        ("n", "PEs"),
    ];
    let title = match outcomes {
        [_] => {
            columns.extend([("start", "start"), ("pes", "on PEs"), ("answer", "answer")]);
            "Requests in the order in which they were made"
        }
        several => {
            columns.extend(several.iter().map(|(fit, _)| (fit.name(), fit.name())));
            "Starts under each policy (– refused), in the order in which requests were made"
        }
    };
    let mut table = Table::new(title, &columns);
    let count = outcomes.first().map_or(0, |(_, outcome)| outcome.answers.len());
    for at in 0..count {
        let all: Vec<&Answer> = outcomes.iter().map(|(_, outcome)| &outcome.answers[at]).collect();
        let mut row = request(all[0]);
        match all[..] {
            [only] => row.extend(full(only)),
            _ => row.extend(all.into_iter().map(start)),
        }
        table.push(row);
    }
    table
}

fn request(answer: &Answer) -> Vec<Cell> {
    let asking = &answer.asking;
    let time = |at: Instant| Cell::Count(at.ticks());
    vec![
        Cell::Count(asking.id),
        time(asking.arrival),
        time(asking.request.ready),
        Cell::Count(asking.request.duration.ticks()),
        asking.request.deadline.map_or(Cell::Missing, time),
        Cell::Count(asking.request.pes.into()),
    ]
}

fn start(answer: &Answer) -> Cell {
    answer.placed.as_ref().map_or(Cell::Missing, |placed| Cell::Count(placed.at.start.ticks()))
}

fn full(answer: &Answer) -> [Cell; 3] {
    match &answer.placed {
        Ok(placed) => {
            [start(answer), Cell::text(compact(&placed.pes, RANGES)), Cell::text("accepted")]
        }
        Err(refusal) => [Cell::Missing, Cell::text(""), Cell::text(format!("refused: {refusal}"))],
    }
}

/// A file of all answers for each policy.
fn add_files(outcomes: &[(Fit, Outcome)], publication: &mut Publication) -> Result<Files, Failure> {
    let mut names = Vec::new();
    for (fit, outcome) in outcomes {
        let name = format!("reservations-{}.csv", policy_name(*fit));
        publication.add(&name, |out| write_answers(outcome, out))?;
        names.push(name);
    }
    Ok(Files { about: "Every answer, with all PEs:".into(), names })
}

fn write_answers(outcome: &Outcome, out: &mut dyn io::Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record([
        "request", "t_a", "t_r", "t_du", "t_dl", "n", "accepted", "start", "end", "pes", "reason",
    ])?;
    for answer in &outcome.answers {
        let asking = &answer.asking;
        let ticks = |at: Instant| at.ticks().to_string();
        let (start, end, pes, reason) = match &answer.placed {
            Ok(placed) => {
                let pes = compact(&placed.pes, usize::MAX);
                (ticks(placed.at.start), ticks(placed.at.end), pes, String::new())
            }
            Err(refusal) => (String::new(), String::new(), String::new(), refusal.to_string()),
        };
        writer.write_record([
            asking.id.to_string(),
            ticks(asking.arrival),
            ticks(asking.request.ready),
            asking.request.duration.ticks().to_string(),
            asking.request.deadline.map(ticks).unwrap_or_default(),
            asking.request.pes.to_string(),
            u8::from(answer.placed.is_ok()).to_string(),
            start,
            end,
            pes,
            reason,
        ])?;
    }
    writer.flush()
}
