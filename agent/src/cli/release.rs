//! Gives all jobs back to the manager.

use super::answer::{Done, failure, say};
use crate::backend::{Act, Outcome};
use crate::config::Config;
use crate::managers;
use crate::release::given_back;
use locox_storage::Directory;
use std::thread;
use std::time::Duration;

/// Snapshots that are taken until all jobs are given back.
const TRIES: u32 = 10;

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
            println!(
                "all jobs are the manager's; take the gate out of its configuration, or new jobs wait for ever"
            );
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
