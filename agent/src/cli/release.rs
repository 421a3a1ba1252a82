//! Gives all jobs back to the manager.

use super::answer::{Done, Failure, failure, note, say};
use super::{folder, host};
use crate::agent::{Agent, Began, FILES, OpenError, Storage};
use crate::backend::{Act, Backend, Known, Outcome};
use crate::config::{Config, Mode};
use crate::copied::Copied;
use crate::mark::{Mark, Says};
use crate::release::given_back;
use crate::{changed, managers};
use locox_storage::Directory;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::thread;
use std::time::Duration;

/// Snapshots that are taken until all jobs are given back.
const TRIES: u32 = 10;

/// What is said when all is done.
fn end(mode: Mode, has_gate: bool) -> &'static str {
    if mode == Mode::Authoritative && has_gate {
        return "all jobs are the manager's; if the gate is still in its configuration, take it out and run this again, or new jobs wait for ever";
    }
    "all jobs are the manager's"
}

/// Gives all jobs back. The folder is locked meanwhile, so that no agent takes them again. `force`: even those of an
/// agent that has left a fresh mark.
pub(super) fn release_all(config: &Config, force: bool) -> Done {
    let is_new = !config.folder.exists();
    let done = Lock::of(config).and_then(|_lock| give_back(config, force));
    if is_new {
        folder::leave(&config.folder, &[]);
    }
    done
}

fn give_back(config: &Config, force: bool) -> Done {
    let mut backend = managers::open(config, false)?;
    let knows = remind(config, backend.as_mut())?;
    let mut left = vec![];
    let mut told = Ok(());
    for attempt in 0..TRIES {
        if attempt > 0 {
            thread::sleep(Duration::from_secs(1));
        }
        let snapshot = backend.snapshot()?;
        let own = host::agent_name(config);
        match Mark::says(&snapshot.mark, &own, snapshot.now, config.poll) {
            Says::Other { who, ago, .. } if !force => {
                return Err(failure(format!(
                    "agent {who} governs this manager, it said so {ago} s ago; run release-all there, or give --force"
                )));
            }
            _ => {}
        }
        if attempt == 0 && !knows && !snapshot.mark.is_empty() {
            note(
                "the folder does not say what the agent had changed: nodes that it named for jobs cannot be told from their owners' wishes, and stay",
            );
        }
        let acts = given_back(&snapshot);
        if acts.is_empty() {
            told?;
            say(end(config.mode, backend.gate().is_some()))?;
            return Ok(true);
        }
        let outcomes = backend.act(&acts)?;
        let mut lines = vec![];
        for (act, outcome) in acts.iter().zip(outcomes) {
            match (act, outcome) {
                (Act::Release { job }, Outcome::Taken) => lines.push(format!("release {job}")),
                (_, Outcome::Taken) => lines.push("take the agent's mark away".into()),
                (act, Outcome::Refused(why)) => lines.push(format!("REFUSED {act:?}: {why}")),
            }
        }
        left = acts;
        // What cannot be told is done nevertheless.
        told = told.and(lines.iter().try_for_each(say));
    }
    let by_hand = left.iter().map(|act| by_hand(backend.as_ref(), act));
    by_hand.for_each(note);
    let count = left.len();
    Err(failure(format!(
        "{count} acts show no effect after {TRIES} tries; run it again, or do them by hand"
    )))
}

/// What was not given back, and how somebody else gives it back.
fn by_hand(backend: &dyn Backend, act: &Act) -> String {
    let what = match act {
        Act::Release { job } => format!("{job} is not given back"),
        _ => "the agent's mark is there still".into(),
    };
    match backend.by_hand(act).filter(|commands| !commands.is_empty()) {
        Some(commands) => format!("{what}: {commands}"),
        None => what,
    }
}

/// Tells what its agent knew of the jobs, as far as that can be read: jobs are given back in any case. Whether what it had
/// changed is known.
///
/// # Errors
///
/// The history is of another version: it is sound, and can be taken over first.
fn remind(config: &Config, backend: &mut dyn Backend) -> Result<bool, OpenError> {
    let mut storage = Storage::default();
    let files = Copied::of(&config.folder, &FILES).unwrap_or_default();
    let has_file = files.0.contains_key(changed::FILE);
    let opened = Agent::open(&mut storage, config, host::agent_name(config), files);
    let (agent, began) = match opened {
        Ok(opened) => opened,
        Err(OpenError::OtherVersion) => return Err(OpenError::OtherVersion),
        Err(_) => return Ok(false),
    };
    let changed = agent.changed();
    backend.remember(&Known {
        jobs: &agent.jobs_known(),
        gone: &[],
        changed: changed.unwrap_or_default(),
    });
    // Without the file nothing had been changed, if there is a history.
    Ok(changed.is_some() && (has_file || matches!(began, Began::Recovered(_))))
}

/// What keeps agents out of the folder.
enum Lock {
    Folder(#[expect(dead_code, reason = "held, not used")] Directory),
    /// On a disk that takes no bytes.
    File(#[expect(dead_code, reason = "held, not used")] File),
    /// The system does not give it.
    Missing,
}

impl Lock {
    /// As good as it can be had: nothing is to be written, and jobs are given back most of all when the disk is broken.
    ///
    /// # Errors
    ///
    /// Somebody else has it.
    fn of(config: &Config) -> Result<Self, Failure> {
        let error = match Directory::open(&config.folder) {
            Ok(folder) => return Ok(Self::Folder(folder)),
            Err(error) if error.kind() == ErrorKind::ResourceBusy => return Err(error.into()),
            Err(error) => error,
        };
        note(format!("{error}; goes on, as nothing has to be written"));
        let path = config.folder.join("lock");
        if !path.is_file() {
            return Ok(Self::Missing);
        }
        let Ok(file) = File::open(path) else { return Ok(Self::Missing) };
        match file.try_lock() {
            Ok(()) => Ok(Self::File(file)),
            Err(TryLockError::WouldBlock) => {
                let folder = config.folder.display();
                Err(failure(format!("{folder} is in use by another process: stop that one first")))
            }
            Err(TryLockError::Error(_)) => Ok(Self::Missing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_is_spoken_of_where_there_may_be_one() {
        assert!(end(Mode::Authoritative, true).contains("take it out and run this again"));
        for (mode, has_gate) in
            [(Mode::Advisory, true), (Mode::Advisory, false), (Mode::Authoritative, false)]
        {
            assert_eq!(end(mode, has_gate), "all jobs are the manager's");
        }
    }
}
