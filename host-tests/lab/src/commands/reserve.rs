//! `locox reserve`: requests for reservations, answered one after the other.

use super::delivery::{deliver, provenance, publication};
use crate::cli::{MachineSpec, Policies, Reserve, Strategies, policy_name};
use crate::compare::headline;
use crate::gantt::{self, compact};
use crate::input;
use crate::memory;
use crate::method::{Variants, ways};
use crate::output::Publication;
use crate::way::Way;
use locox::grid::Placement;
use locox::reserve::{Fit, Timeline};
use locox::subcube::Effort;
use locox::time::Instant;
use locox_models::machine::{Nearness, Rule, StrategyKind};
use locox_models::reservations::{
    Answer, Machine, Options, Outcome, Placed, limits, run as ask, run_in_places, run_on,
};
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
    let file = input::requests(&options.requests, strictness)
        .map_err(|error| Failure::Input(error.to_string()))?;
    let machines = options.machines().map_err(Failure::Usage)?;
    let places = options.machine.map(|machine| Places::of(machine, options.strategy)).transpose();
    let places = places.map_err(Failure::Usage)?;
    let show = Shown {
        machine: machines.len() > 1,
        end: !options.speeds.is_empty(),
        held: places.is_some(),
    };
    let outcomes = outcomes(options, places.as_ref(), &machines, &file)?;
    let most = gantt::MOST / outcomes.len();
    let pictures =
        outcomes.iter().filter_map(|(fit, outcome)| gantt::picture(outcome, fit.name(), most));
    let mut blocks: Vec<Block> = pictures.map(Block::Picture).collect();
    blocks.push(Block::Table(summary(&outcomes, show)));
    blocks.extend(file.first_skipped.as_ref().map(|error| {
        let skipped = counted(file.skipped);
        Block::Text(format!("Bad lines skipped: {skipped}. The first of them: {error}"))
    }));
    blocks.push(Block::Table(answers(&outcomes, show)));
    blocks.push(Block::Files(add_files(&outcomes, show, &mut publication)?));
    let path = input::shown(&options.requests);
    let name = path.file_name().unwrap_or(path.as_os_str()).display();
    let report = Report {
        title: format!("Reservations of {name} on {}", told(options, &machines)),
        lead: headline::before(headline(&outcomes), lead(options, places.as_ref(), &file)),
        provenance: provenance(command_line, None),
        sections: vec![Section { id: "reservations".into(), title: "Reservations".into(), blocks }],
    };
    deliver(&report, publication, options.results.format, "all policies side by side: --policy all")
}

/// The places of a machine, and how a request gets one.
struct Places {
    way: Way,
    rule: Rule,
}

impl Places {
    /// By the strategy that was asked for, if one was.
    fn of(machine: MachineSpec, asked: Option<Strategies>) -> Result<Self, String> {
        let usual = match machine {
            MachineSpec::Cube(_) => Some(Strategies::Subcubes(StrategyKind::Complete)),
            MachineSpec::Boxes(_) => Some(Strategies::Boxes(Placement::First.into())),
            MachineSpec::Tree(_) => Some(Strategies::Domains(Nearness::Required)),
            // No option names nodes to reserve.
            MachineSpec::Pool(_) | MachineSpec::Nodes(_) => None,
        };
        let strategy = asked.or(usual);
        let way = match ways(
            machine,
            strategy.as_slice(),
            Variants::default(),
            &format!("a {machine}"),
        )?[..]
        {
            [] => Way::Any,
            [way] => way,
            _ => return Err("--strategy all: a request gets one place; name one strategy".into()),
        };
        let rule = way.machine(machine, Effort::default()).rule().ok_or_else(|| {
            format!(
                "--machine: places of {} on a {machine} cannot be reserved; use at most 16 dimensions, and buddy, \
                 gray-code, free-list or complete",
                way.label()
            )
        })?;
        Ok(Self { way, rule })
    }

    /// What a request gets.
    fn told(&self) -> String {
        let what = match self.way {
            Way::Any | Way::Nodes(_) => return "any".into(),
            Way::Subcubes(_) | Way::Meshes(..) => "those of the smallest subcube that has as many",
            Way::Boxes(_) => "those of the smallest box that has as many",
            Way::Domains(_) => "those that lie together in racks and blocks",
        };
        format!("{what} ({})", self.way.label())
    }
}

fn lead(options: &Reserve, places: Option<&Places>, file: &RequestFile) -> String {
    format!(
        "{} requests, each answered as it arrives; of the free PEs a request gets {}.",
        counted(file.requests.len() as u64),
        places.map_or_else(|| options.choice.told().into(), Places::told)
    )
}

/// What the page begins with, if there are several policies.
fn headline(outcomes: &[(Fit, Outcome)]) -> Option<String> {
    let share = |(fit, outcome): &(Fit, Outcome)| (fit.name().into(), 100.0 * outcome.acceptance());
    let values: Vec<(String, f64)> = outcomes.iter().map(share).collect();
    headline::of_single_runs("acceptance", ("%", 1), &values, "")
}

/// Columns that not every run has.
#[derive(Clone, Copy)]
struct Shown {
    machine: bool,
    end: bool,
    held: bool,
}

/// The machine, or how many PEs there are, and on how many machines.
fn told(options: &Reserve, machines: &[Machine]) -> String {
    if let Some(machine) = options.machine.filter(|it| !matches!(it, MachineSpec::Pool(_))) {
        return format!("a {machine}");
    }
    let pes = counted(machines.iter().map(|machine| u64::from(machine.pes())).sum());
    match machines {
        [_] => format!("{pes} PEs"),
        several => format!("{pes} PEs of {} machines", several.len()),
    }
}

fn outcomes(
    options: &Reserve,
    places: Option<&Places>,
    machines: &[Machine],
    file: &RequestFile,
) -> Result<Vec<(Fit, Outcome)>, Failure> {
    let words = machines.iter().map(|it| Timeline::words(limits(&file.requests, it.pes())));
    let words = words.fold(0, usize::saturating_add);
    if let Some((needed, free)) = memory::lacking(words) {
        const MEGABYTE: u64 = 1 << 20;
        return Err(Failure::Usage(format!(
            "{}: {} and {} requests take {} MB of memory, and {} MB are free; use fewer PEs or \
             split the file",
            if places.is_some() { "--machine" } else { "--pes" },
            told(options, machines),
            counted(file.requests.len() as u64),
            counted(needed / MEGABYTE),
            counted(free / MEGABYTE)
        )));
    }
    let choice = options.choice.choice();
    let outcome = |fit: Fit| {
        let pes = machines.iter().map(Machine::pes).sum();
        let how = Options { choice, name_pes: true, ..Options::new(pes, fit) };
        let outcome = match (places, machines) {
            (Some(places), _) => run_in_places(&file.requests, places.rule, &how),
            (None, [_]) if options.speeds.is_empty() => ask(&file.requests, &how),
            (None, _) => run_on(&file.requests, machines, &how),
        };
        outcome.map(|outcome| (fit, outcome)).map_err(|error| Failure::Input(error.to_string()))
    };
    Policies::of(&options.policy).into_iter().map(outcome).collect()
}

fn summary(outcomes: &[(Fit, Outcome)], show: Shown) -> Table {
    let columns = [
        ("policy", "policy"),
        ("accepted", "accepted"),
        ("acceptance", "acceptance"),
        ("work", "work accepted"),
        ("mean_wait", "mean wait"),
        ("slowdown", "slowdown"),
        ("utilisation", "utilisation"),
    ];
    let note = match show.held {
        true => "Waits count from the ready time, utilisation all PEs that are held.",
        false => "Waits count from the ready time.",
    };
    let mut table = Table::new("What became of the requests", &columns).with_note(note);
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
fn answers(outcomes: &[(Fit, Outcome)], show: Shown) -> Table {
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
            columns.push(("start", "start"));
            columns.extend(show.end.then_some(("end", "end")));
            columns.extend(show.machine.then_some(("machine", "machine")));
            columns.extend(show.held.then_some(("held", "held")));
            columns.extend([("pes", "on PEs"), ("answer", "answer")]);
            "Requests in the order in which they were made"
        }
        several => {
            columns.extend(several.iter().map(|(fit, _)| (fit.name(), fit.name())));
            "Starts under each policy (– refused), in the order in which requests were made"
        }
    };
    let mut table = Table::new(title, &columns).with_jobs("request");
    let count = outcomes.first().map_or(0, |(_, outcome)| outcome.answers.len());
    for at in 0..count {
        let all: Vec<&Answer> = outcomes.iter().map(|(_, outcome)| &outcome.answers[at]).collect();
        let mut row = request(all[0]);
        match all[..] {
            [only] => row.extend(full(only, show)),
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

fn full(answer: &Answer, show: Shown) -> Vec<Cell> {
    let placed = answer.placed.as_ref();
    let of_placed = |cell: fn(&Placed) -> Cell| placed.map_or(Cell::Missing, cell);
    let (pes, said) = match placed {
        Ok(placed) => (compact(&placed.pes, RANGES), "accepted".into()),
        Err(refusal) => (String::new(), format!("refused: {refusal}")),
    };
    let mut row = vec![start(answer)];
    row.extend(show.end.then(|| of_placed(|it| Cell::Count(it.at.end.ticks()))));
    row.extend(show.machine.then(|| of_placed(|it| Cell::Count(it.machine as u64 + 1))));
    row.extend(show.held.then(|| of_placed(|it| Cell::Count(it.held.into()))));
    row.extend([Cell::text(pes), Cell::text(said)]);
    row
}

/// A file of all answers for each policy.
fn add_files(
    outcomes: &[(Fit, Outcome)],
    show: Shown,
    publication: &mut Publication,
) -> Result<Files, Failure> {
    let mut names = Vec::new();
    for (fit, outcome) in outcomes {
        let name = format!("reservations-{}.csv", policy_name(*fit));
        publication.add(&name, |out| write_answers(outcome, show, out))?;
        names.push(name);
    }
    Ok(Files { about: "Every answer, with all PEs:".into(), names })
}

fn write_answers(outcome: &Outcome, show: Shown, out: &mut dyn io::Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let names = "request t_a t_r t_du t_dl n accepted start end pes reason".split(' ');
    let names = names.chain(show.machine.then_some("machine"));
    writer.write_record(names.chain(show.held.then_some("held")))?;
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
        let of_placed =
            |told: fn(&Placed) -> String| answer.placed.as_ref().map_or(String::new(), told);
        let machine = of_placed(|it| (it.machine + 1).to_string());
        let held = of_placed(|it| it.held.to_string());
        let row = [
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
        ];
        let row = row.into_iter().chain(show.machine.then_some(machine));
        writer.write_record(row.chain(show.held.then_some(held)))?;
    }
    writer.flush()
}
