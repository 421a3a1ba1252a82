//! Gives all jobs back to the manager.

use super::answer::{Done, failure, say};
use crate::backend::{Act, Outcome};
use crate::config::{Config, Mode};
use crate::managers;
use crate::release::given_back;
use locox_storage::Directory;
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

/// Gives all jobs back. The folder is locked meanwhile, so that no agent takes them again.
pub(super) fn release_all(config: &Config) -> Done {
    let _folder = Directory::open(&config.folder)?;
    let mut backend = managers::open(config, false)?;
    let mut left = 0;
    for attempt in 0..TRIES {
        if attempt > 0 {
            thread::sleep(Duration::from_secs(1));
        }
        let acts = given_back(&backend.snapshot()?);
        left = acts.len();
        if acts.is_empty() {
            println!("{}", end(config.mode, backend.gate().is_some()));
            return Ok(true);
        }
        let outcomes = backend.act(&acts)?;
        for (act, outcome) in acts.iter().zip(outcomes) {
            match (act, outcome) {
                (Act::Release { job }, Outcome::Taken) => println!("release {job}"),
                (_, Outcome::Taken) => say("take the agent's mark away")?,
                (act, Outcome::Refused(why)) => println!("REFUSED {act:?}: {why}"),
            }
        }
    }
    Err(failure(format!("{left} acts show no effect after {TRIES} tries; run it again")))
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
