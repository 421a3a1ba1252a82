//! For administrators: the gate, and whether all is as it should be.

use super::answer::{Done, note, say, say_lines};
use super::{folder, host, times};
use crate::agent::{Agent, Began, FILES, Storage};
use crate::backend::{Backend, Finding, Snapshot};
use crate::config::{Config, Mode};
use crate::copied::Copied;
use crate::looking::Looking;
use crate::managers;
use crate::places::Places;
use crate::planned::few;
use std::collections::HashSet;
use std::io::ErrorKind;
use std::time::Instant;

/// Prints what is to be installed; no if nothing is.
pub(super) fn gate(config: &Config) -> Done {
    let Some(gate) = managers::open(config, true)?.gate() else {
        note("this manager needs no gate");
        return Ok(false);
    };
    say_lines(gate.trim_end())?;
    Ok(true)
}

/// Looks at all that matters, and says of each whether it is well.
pub(super) fn doctor(config: &Config) -> Done {
    let mut findings = vec![folder_found(config)];
    let idle = config.idle.iter().map(|what| good(format!("has no effect: {what}")));
    findings.extend(idle);
    let mut seen = Seen::default();
    match managers::open(config, true) {
        Ok(mut backend) => {
            findings.push(abilities(backend.as_ref(), config));
            seen = cycle(backend.as_mut(), config, false);
            findings.append(&mut seen.findings);
            findings.extend(seen.error.take().map(bad));
            findings.extend(backend.examine(config.mode == Mode::Authoritative));
        }
        Err(error) => findings.push(bad(error.to_string())),
    }
    for Finding { is_good, text } in &findings {
        say(format!("{} {text}", if *is_good { "ok " } else { "BAD" }))?;
    }
    seen.notes.iter().try_for_each(|note| say(format!("note {note}")))?;
    Ok(findings.iter().all(|finding| finding.is_good))
}

/// What has to be mended before an agent begins, in one line with what to do; `None` if nothing has.
pub(super) fn refusal(
    backend: &mut dyn Backend,
    config: &Config,
    salvages: bool,
) -> Option<String> {
    let Seen { mut findings, error, .. } = cycle(backend, config, salvages);
    // What cannot be looked at is an error of the first look.
    if error.is_none() {
        findings.extend(backend.examine(config.mode == Mode::Authoritative));
    }
    let mut wrong =
        findings.into_iter().filter(|finding| !finding.is_good).map(|finding| finding.text);
    let first = wrong.next()?;
    let more = match wrong.count() {
        0 => String::new(),
        more => format!(" (and {more} more: see doctor)"),
    };
    Some(format!("nothing is done: {first}{more}; mend that, or say --despite-warnings"))
}

/// What there is to be known of a history, a manager, and how they go together.
#[derive(Default)]
struct Seen {
    findings: Vec<Finding>,
    /// What is so now, and may be otherwise at the next look.
    notes: Vec<String>,
    /// Why the history or the manager was not looked at.
    error: Option<String>,
}

fn good(text: String) -> Finding {
    Finding { is_good: true, text }
}

fn bad(text: String) -> Finding {
    Finding { is_good: false, text }
}

/// Whether the folder is there, and whether an agent has it.
fn folder_found(config: &Config) -> Finding {
    let path = config.folder.display();
    if !config.folder.exists() {
        return good(format!("{path} is not there yet: the first run makes it"));
    }
    match folder::open(&config.folder) {
        Ok(_) => good(format!("{path} can be written, and no agent runs on it")),
        Err(error) if error.kind() == ErrorKind::ResourceBusy => {
            good(format!("an agent runs: {error}"))
        }
        Err(error) => bad(error.to_string()),
    }
}

fn abilities(backend: &dyn Backend, config: &Config) -> Finding {
    match managers::lacks(backend, config) {
        Some(lacks) => bad(lacks.into()),
        None => good(format!("the manager can do what mode = \"{}\" needs", config.mode)),
    }
}

/// One cycle on a copy: the history, the manager's answer, its clock, its mark, room.
fn cycle(backend: &mut dyn Backend, config: &Config, salvages: bool) -> Seen {
    let mut seen = Seen::default();
    let mut storage = Storage::default();
    let files = Copied::of(&config.folder, &FILES).map_err(|it| it.to_string());
    let who = host::agent_name(config);
    let open = if salvages { Agent::salvage } else { Agent::open };
    let opened = files.and_then(|files| {
        open(&mut storage, config, who, files).map_err(|error| error.to_string())
    });
    let (mut agent, began) = match opened {
        Ok(opened) => opened,
        Err(error) => return Seen { error: Some(error), ..seen },
    };
    seen.findings.push(match &began {
        Began::Lost { why, .. } => bad(lost(why)),
        began => good(format!("the history: {began}")),
    });
    let from = Instant::now();
    let mut looking = Looking::at(backend);
    let cycle = match agent.cycle(&mut looking, times::host_clock()) {
        Ok(cycle) => cycle,
        Err(error) => return Seen { error: Some(error.to_string()), ..seen },
    };
    let took = from.elapsed().as_millis();
    let (nodes, jobs) = (looking.told.nodes.len(), looking.told.jobs.len());
    let findings = &mut seen.findings;
    findings.push(good(format!("a cycle over {nodes} nodes and {jobs} jobs takes {took} ms")));
    if !looking.abilities().own_clock {
        findings.push(clock(looking.told.now));
    }
    findings.extend(missing(&config.places, &looking.told));
    if let Some(Began::Lost { why, .. }) = &cycle.lost {
        findings.push(bad(format!(
            "the history is not there: {why}; put it back, or `folder` names another one than before"
        )));
    }
    // Jobs come and go; nodes that are not known stay so.
    let of_nodes = |note: &&str| note.contains("nodes are not governed");
    let (nodes, jobs) = cycle.not_governed().partition::<Vec<_>, _>(of_nodes);
    findings.extend(nodes.into_iter().map(|note| bad(note.into())));
    seen.notes.extend(jobs.into_iter().map(str::to_string));
    seen
}

/// A history that cannot be read, before another one begins.
fn lost(why: &str) -> String {
    format!(
        "the history cannot be read: {why}; if the configuration was changed, change it back; if the history is damaged, run --salvage keeps what is sound in it; else what users have had is forgotten"
    )
}

/// Nodes that the configuration names and the manager does not have.
fn missing(places: &Places, told: &Snapshot) -> Option<Finding> {
    let section = places.section()?;
    let known: HashSet<&str> = told.nodes.iter().map(|node| node.name.as_str()).collect();
    let missing = places.nodes().filter(|name| !known.contains(name)).map(str::to_string);
    let missing: Vec<String> = missing.collect();
    let text = || {
        format!(
            "{section} names nodes that the manager does not have: {}; check their names",
            few(&missing)
        )
    };
    (!missing.is_empty()).then(text).map(bad)
}

/// Whether the manager's clock is that of this host, by a minute.
fn clock(manager: u64) -> Finding {
    let apart = manager.abs_diff(times::host_clock());
    let text = format!("the manager's clock and this host's are {apart} s apart");
    if apart <= 60 { good(text) } else { bad(format!("{text}; set one of them")) }
}
