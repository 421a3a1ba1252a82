//! The loop.

use super::answer::{Done, Failure, failure};
use super::view::View;
use super::{host, log, times};
use crate::agent::{Agent, Storage};
use crate::backend::Backend;
use crate::config::Config;
use crate::managers;
use locox_storage::{Directory, Folder};
use std::io;
use std::thread;
use std::time::Duration;

/// The longest pause after errors, in seconds.
const LONGEST_PAUSE: u64 = 60;

/// Looks, decides and acts, once or for ever.
pub(super) fn run(config: &Config, once: bool) -> Done {
    let mut backend = managers::open(config, false)?;
    if let Some(lacks) = managers::lacks(backend.as_ref(), config) {
        return Err(failure(lacks));
    }
    let mut storage = Storage::default();
    let folder = Directory::open(&config.folder)?;
    let (mut agent, began) = Agent::open(&mut storage, config, host::agent_name(config), folder)?;
    eprintln!("locox-agent: {began}");
    let mut failed = 0;
    loop {
        let done = one(&mut agent, backend.as_mut());
        if once {
            return done.map(|()| true);
        }
        match done {
            Ok(()) => failed = 0,
            Err(error) => {
                eprintln!("locox-agent: {error}");
                failed += 1;
            }
        }
        thread::sleep(pause(config.poll, failed));
    }
}

/// An error after which it is of no use to go on ends the program.
fn one<F: Folder>(agent: &mut Agent<'_, F>, backend: &mut dyn Backend) -> Result<(), Failure> {
    match agent.cycle(backend, times::host_clock()) {
        Ok(cycle) => Ok(log::cycle(&cycle, false, &mut io::stdout().lock())?),
        Err(error) if error.is_final() => {
            eprintln!("locox-agent: {error}");
            std::process::exit(2)
        }
        Err(error) => Err(error.into()),
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
    eprintln!(
        "locox-agent: nothing of this is done or stored; what was started and is not seen running yet is here again"
    );
    log::cycle(&view.cycle, true, &mut io::stdout().lock())?;
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
