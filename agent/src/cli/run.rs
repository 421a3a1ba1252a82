//! The loop.

use super::answer::{Done, Failure, failure, note};
use super::view::View;
use super::{admin, folder, host, log, times};
use crate::agent::{Agent, Began, HISTORY, Storage};
use crate::config::Config;
use crate::{managers, names};
use std::thread;
use std::time::Duration;

/// The longest pause after errors, in seconds.
const LONGEST_PAUSE: u64 = 60;

/// Looks, decides and acts, once or for ever. Unless `is_told`, it does nothing if the doctor finds something wrong.
pub(super) fn run(config: &Config, once: bool, salvages: bool, is_told: bool) -> Done {
    let mut backend = managers::open(config, false)?;
    if let Some(lacks) = managers::lacks(backend.as_ref(), config) {
        return Err(failure(lacks));
    }
    if !is_told {
        let mut looked_at = managers::open(config, true)?;
        let refusal = admin::refusal(looked_at.as_mut(), config, salvages);
        refusal.map_or(Ok(()), |why| Err(failure(why)))?;
    }
    let mut storage = Storage::default();
    let mut is_new = !config.folder.exists();
    let opened = folder::open(&config.folder).map_err(Into::into).and_then(|folder| {
        let open = if salvages { Agent::salvage } else { Agent::open };
        Ok(open(&mut storage, config, host::agent_name(config), folder)?)
    });
    let (mut agent, began) = opened.inspect_err(|_: &Failure| {
        if is_new {
            folder::leave(&config.folder, &[]);
        }
    })?;
    let mut began = Some(began);
    let mut failed = 0;
    loop {
        let cycle = agent.cycle(backend.as_mut(), times::host_clock());
        let ends = cycle.as_ref().is_err_and(|error| once || error.is_final());
        // What ends it is one line, unless there is more to be known.
        let is_news = |began: &mut Began| !ends || began.has_lost();
        began.take_if(is_news).iter().for_each(note);
        match cycle {
            Ok(cycle) => {
                (failed, is_new) = (0, false);
                cycle.lost.iter().for_each(note);
                let logged = log::cycle(&cycle, false);
                if once {
                    return Ok(logged.map(|()| true)?);
                }
                // The cluster is governed, whether anybody can read it or not.
            }
            Err(error) if ends => {
                if is_new && error.is_final() {
                    drop(agent);
                    folder::leave(&config.folder, &[HISTORY, names::FILE]);
                }
                return Err(error.into());
            }
            Err(error) => {
                note(error);
                failed += 1;
            }
        }
        thread::sleep(pause(config.poll, failed));
    }
}

/// After errors it is longer, and longer each time.
fn pause(poll: u64, failed: u32) -> Duration {
    let longer = poll.saturating_mul(1 << failed.min(6));
    Duration::from_secs(longer.min(LONGEST_PAUSE.max(poll)))
}

/// Prints what would be done.
pub(super) fn dry(config: &Config) -> Done {
    let mut storage = Storage::default();
    let view = View::open(&mut storage, config)?;
    note(
        "nothing of this is done or stored; what was started and is not seen running yet is here again",
    );
    view.cycle.lost.iter().for_each(note);
    log::cycle(&view.cycle, true)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_minute() {
        let pauses = [0, 1, 2, 3, 4, 9].map(|failed| pause(5, failed).as_secs());
        assert_eq!(pauses, [5, 10, 20, 40, 60, 60]);
        assert_eq!(pause(600, 3).as_secs(), 600);
    }
}
