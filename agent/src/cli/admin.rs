//! For administrators: the gate, and whether all is as it should be.

use super::answer::{Done, note, say, say_lines};
use super::{folder, host, times};
use crate::agent::{Agent, HISTORY, Storage};
use crate::backend::{Backend, Finding, Snapshot};
use crate::config::{Config, Mode};
use crate::copied::Copied;
use crate::cube::Cube;
use crate::looking::Looking;
use crate::planned::few;
use crate::{gone, managers, names};
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
    match managers::open(config, true) {
        Ok(mut backend) => {
            findings.push(abilities(backend.as_ref(), config));
            findings.extend(cycle(backend.as_mut(), config));
            findings.extend(backend.examine(config.mode == Mode::Authoritative));
        }
        Err(error) => findings.push(bad(error.to_string())),
    }
    for Finding { is_good, text } in &findings {
        say(format!("{} {text}", if *is_good { "ok " } else { "BAD" }))?;
    }
    Ok(findings.iter().all(|finding| finding.is_good))
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
fn cycle(backend: &mut dyn Backend, config: &Config) -> Vec<Finding> {
    let mut storage = Storage::default();
    let files = Copied::of(&config.folder, &[HISTORY, names::FILE, gone::FILE])
        .map_err(|it| it.to_string());
    let who = host::agent_name(config);
    let opened = files.and_then(|files| {
        Agent::open(&mut storage, config, who, files).map_err(|error| error.to_string())
    });
    let (mut agent, began) = match opened {
        Ok(opened) => opened,
        Err(error) => return vec![bad(error)],
    };
    let is_lost = began.has_lost();
    let mut findings = vec![Finding { is_good: !is_lost, text: format!("the history: {began}") }];
    let from = Instant::now();
    let mut looking = Looking::at(backend);
    match agent.cycle(&mut looking, times::host_clock()) {
        Ok(cycle) => {
            let took = from.elapsed().as_millis();
            let (nodes, jobs) = (looking.told.nodes.len(), looking.told.jobs.len());
            findings
                .push(good(format!("a cycle over {nodes} nodes and {jobs} jobs takes {took} ms")));
            if !looking.abilities().own_clock {
                findings.push(clock(looking.told.now));
            }
            findings.extend(config.cube.as_ref().and_then(|cube| missing(cube, &looking.told)));
            findings.extend(cycle.lost.iter().map(|lost| bad(format!("the history: {lost}"))));
            findings.extend(cycle.not_governed().map(|note| bad(note.into())));
        }
        Err(error) => findings.push(bad(error.to_string())),
    }
    findings
}

/// Nodes with addresses that the manager does not have.
fn missing(cube: &Cube, told: &Snapshot) -> Option<Finding> {
    let known: HashSet<&str> = told.nodes.iter().map(|node| node.name.as_str()).collect();
    let missing = cube.nodes().filter(|name| !known.contains(name)).map(str::to_string);
    let missing: Vec<String> = missing.collect();
    let text = || {
        format!(
            "[addresses] names nodes that the manager does not have: {}; check their names",
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
