//! What people are told of times: how often it comes true, and that what was promised and does not come true is said.

use super::run::{HOST, check_end, config};
use locox_agent::agent::{Agent, Storage};
use locox_agent::config::{Mode, Ranking};
use locox_agent::copied::Copied;
use locox_agent::estimates::{SEARCHES, estimate};
use locox_agent::simulated::{Simulated, Trouble, World};
use locox_coordinators::manager::{Key, Status};
use std::collections::{BTreeMap, HashMap};

const POLL: u64 = 20;

/// What was said of one kind, and what became of it.
#[derive(Debug, Default)]
struct Said {
    times: u64,
    missed: u64,
    worst: u64,
}

impl Said {
    /// A job that was to start by a time started at another one.
    fn count(&mut self, by: u64, start: u64) {
        self.times += 1;
        let late = start.saturating_sub(by);
        if late > POLL {
            self.missed += 1;
            self.worst = self.worst.max(late);
        }
    }
}

/// What was told of one job, at each look while it waited.
#[derive(Debug, Default)]
struct Told {
    expected: Vec<u64>,
    promised: Vec<u64>,
    /// Lines of the log that take a promise back, or put it off.
    lines: u64,
}

fn world(seed: u64, trouble: Trouble) -> World {
    World { seed, span: 60, poll: POLL, trouble, ..World::default() }
}

/// A run of this seed: what was expected, and what was promised.
fn run(seed: u64, trouble: Trouble, expected: &mut Said, promised: &mut Said) {
    let world = world(seed, trouble);
    let config = config(&world, Mode::Authoritative, Ranking::Users);
    let mut manager = Simulated::new(world.clone());
    let mut storage = Storage::default();
    let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
    let (mut agent, _) = opened.unwrap();
    let mut told: HashMap<Key, Told> = HashMap::new();
    let mut starts: BTreeMap<Key, u64> = BTreeMap::new();
    for look in 0..2000 {
        if look == 60 {
            manager.calm();
        }
        let Ok(cycle) = agent.cycle(&mut manager, HOST) else { continue };
        for job in agent.manager().jobs() {
            let told = told.entry(job.key).or_default();
            let name = format!("{} ", job.key.id);
            let is_line = |note: &&String| {
                note.starts_with(&name)
                    && (note.contains("was promised") || note.contains("after its promise"))
            };
            told.lines += cycle.notes.iter().filter(is_line).count() as u64;
            match job.status {
                Status::Waiting => {
                    let at = estimate(agent.manager(), &config, job.key, &mut { SEARCHES });
                    told.expected.extend(at.unwrap().map(|at| at.start));
                    told.promised.extend(agent.promises().by(job.key));
                }
                Status::Running => {
                    starts.entry(job.key).or_insert(job.since.unwrap().ticks());
                }
                _ => {}
            }
        }
        if manager.is_done() {
            break;
        }
    }
    check_end(&manager, &world, &format!("seed {seed}"));
    for (key, start) in starts {
        let told = &told[&key];
        told.expected.iter().for_each(|by| expected.count(*by, start));
        let Some(first) = told.promised.first() else { continue };
        promised.count(*first, start);
        if start > first + POLL {
            assert!(told.lines > 0, "seed {seed}: {key} was promised for {first}, started {start}");
        }
    }
}

/// Prints the share and the size of misses: `cargo test -p locox-agent --test all promises -- --nocapture`.
#[test]
fn a_promise_that_does_not_hold_is_said() {
    for (what, trouble) in [("nothing goes wrong", Trouble::NONE), ("all goes wrong", wild())] {
        let (mut expected, mut promised) = (Said::default(), Said::default());
        (1..=8).for_each(|seed| run(seed, trouble, &mut expected, &mut promised));
        for (kind, said) in [("expected", &expected), ("promised", &promised)] {
            let Said { times, missed, worst } = said;
            println!(
                "{what}: {missed} of {times} that were {kind} came later by more than a poll, at most by {worst} s"
            );
            assert!(*times > 20, "{said:?}");
        }
    }
}

/// All that is hostile, but for a controller that forgets jobs.
fn wild() -> Trouble {
    Trouble { controller: 0, ..Trouble::HOSTILE }
}
