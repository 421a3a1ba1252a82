//! The agent is killed at each write of a run and after each act, at some of them twice, and begun anew: what it
//! decides is what a plain model decides that heard as much, and what it asked for it asks for again.

use crate::disk::{Cut, Disk};
use crate::naive::Naive;
use crate::run::{HOST, check_end, config, world};
use crate::watched::Watched;
use locox::manager::Status;
use locox_agent::agent::{Agent, Began, Storage};
use locox_agent::backend::{Abilities, Act, Backend, BackendError, Outcome, Snapshot, State};
use locox_agent::config::{Config, Mode, Ranking};
use locox_agent::simulated::{Simulated, Trouble, World};
use std::collections::{HashMap, HashSet};
use std::thread;

/// Cycles in which users change their minds, and the most that a run may take.
const WILD: u64 = 12;
const MOST: u64 = 200;

/// When an agent is killed.
#[derive(Clone, Copy, Debug)]
enum Kill {
    Never,
    /// At this write, from 1 on, of which so much is done; and the next one at this write of its own.
    Write(u64, Cut, Option<u64>),
    /// After so many acts.
    Act(u64),
}

/// A manager, whoever watches it, and what was asked of it.
struct Site {
    watched: Watched,
    /// The nodes that a job was asked to start on, by number and time of birth, and that it still waits for or has.
    asked: HashMap<(u64, u32), Vec<String>>,
    /// What the agent may know; nothing if the plain model cannot tell.
    possible: Vec<Naive>,
    acts: u64,
    dies_after: Option<u64>,
    looks: u64,
}

impl Site {
    /// Whoever runs has the nodes that were asked for, and whoever waits may have got other terms.
    fn check_nodes(&mut self) {
        for job in &self.watched.told.jobs {
            let key = (job.id, job.born);
            match &job.state {
                State::Runs { nodes, .. } => {
                    assert_eq!(self.asked.get(&key), Some(nodes), "{job:?}");
                }
                State::Waits { held, .. } => {
                    let stays = |asked: &Vec<String>| !held && asked.len() == job.nodes as usize;
                    if !self.asked.get(&key).is_some_and(stays) {
                        self.asked.remove(&key);
                    }
                }
                State::Ends { .. } => {}
            }
        }
    }

    /// A job that was asked for is asked for on the same nodes.
    fn note(&mut self, act: &Act) {
        let Act::Start { job, nodes } = act else { return };
        let seen = self.watched.told.jobs.iter().find(|seen| seen.name == *job).unwrap();
        let asked = self.asked.entry((seen.id, seen.born)).or_insert_with(|| nodes.clone());
        assert_eq!(asked, nodes, "{job} was asked for elsewhere before");
    }

    /// After a whole cycle somebody who may be the agent has decided the same.
    fn check_decided(&mut self, agent: &Agent<'_, Disk>) {
        if self.possible.is_empty() {
            return;
        }
        let starts = agent.manager().jobs().filter(|job| job.status == Status::Starting);
        let decided: HashSet<u64> = starts.map(|job| job.key.id).collect();
        let told = &self.watched.told;
        self.possible.retain_mut(|naive| naive.decide(told) == decided);
        assert!(!self.possible.is_empty(), "nobody decides {decided:?} on {told:?}");
    }

    /// Before it acted the agent had stored what it decided; else it stored nothing, the facts, or the decision too.
    fn was_cut(&mut self, has_acted: bool) {
        let told = &self.watched.told;
        let heard = |naive: &Naive, decides: bool| {
            let mut naive = naive.clone();
            if decides {
                _ = naive.decide(told)
            } else {
                naive.hear(told)
            }
            naive
        };
        let before = std::mem::take(&mut self.possible);
        for naive in before {
            self.possible.push(heard(&naive, true));
            if !has_acted {
                self.possible.extend([heard(&naive, false), naive]);
            }
        }
    }
}

impl Backend for Site {
    fn abilities(&self) -> Abilities {
        self.watched.abilities()
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        self.looks += 1;
        let told = self.watched.snapshot()?;
        self.check_nodes();
        Ok(told)
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        let left = self.dies_after.map_or(u64::MAX, |dies| dies - self.acts);
        let done = &acts[..acts.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
        done.iter().for_each(|act| self.note(act));
        self.acts += done.len() as u64;
        let outcomes = self.watched.act(done)?;
        if left > acts.len() as u64 {
            return Ok(outcomes);
        }
        Err(BackendError::Silent { what: "the agent".into(), why: "it is killed".into() })
    }
}

/// One life of an agent: whether it lived until all was done.
fn life(
    site: &mut Site,
    disk: &Disk,
    config: &Config,
    cycles: &mut u64,
    has_begun: &mut bool,
) -> bool {
    let mut storage = Storage::default();
    let opened = Agent::open(&mut storage, config, "agent".into(), disk.clone());
    let Ok((mut agent, began)) = opened else { return false };
    assert!(!*has_begun || matches!(began, Began::Recovered(_)), "{began}");
    *has_begun = true;
    while !site.watched.manager.is_done() && *cycles < MOST {
        *cycles += 1;
        if *cycles == WILD {
            site.watched.manager.calm();
        }
        let looks = site.looks;
        if let Err(error) = agent.cycle(site, HOST) {
            let has_acted = matches!(error, locox_agent::cycle::CycleError::Backend(_));
            assert!(has_acted || disk.has_failed(), "{error}");
            if site.looks > looks {
                site.was_cut(has_acted);
            }
            return false;
        }
        agent.manager().check_invariants().unwrap();
        site.check_decided(&agent);
    }
    true
}

/// A run with a kill: how many writes and acts it has.
fn run(seed: u64, kill: Kill) -> (u64, u64) {
    // The model knows nothing of nodes by number, and a job that is held may have been asked for on some.
    let hold = if seed.is_multiple_of(3) { Trouble::HOSTILE.hold } else { 0 };
    let Trouble { cancel, change, .. } = Trouble::HOSTILE;
    let trouble = Trouble { cancel, change, hold, ..Trouble::NONE };
    let world = World { jobs: 5, span: 40, longest: 40, ..world(seed, true, trouble) };
    let config =
        Config { shares: vec![], ..config(&world, Mode::Authoritative, Ranking::Priority) };
    let dies_after = if let Kill::Act(acts) = kill { Some(acts) } else { None };
    let possible = if hold == 0 { vec![Naive::default()] } else { vec![] };
    let mut site = Site {
        watched: Watched::new(Simulated::new(world.clone())),
        asked: HashMap::new(),
        possible,
        acts: 0,
        dies_after,
        looks: 0,
    };
    let disk = Disk::default();
    let mut next = None;
    if let Kill::Write(write, cut, then) = kill {
        disk.fail_after(Some(write));
        disk.cuts(cut);
        next = then;
    }
    let (mut cycles, mut has_begun) = (0, false);
    while !life(&mut site, &disk, &config, &mut cycles, &mut has_begun) {
        site.dies_after = None;
        disk.fail_after(next.take());
    }
    check_end(&site.watched.manager, &world, &format!("seed {seed}, {kill:?}"));
    (disk.writes(), site.acts)
}

/// All kills of this seed: how many at writes and after acts.
fn all_kills(seed: u64) -> (u64, u64) {
    let (writes, acts) = run(seed, Kill::Never);
    for write in 1..=writes {
        let cut = [Cut::Lost, Cut::Torn, Cut::Done][((seed + write) % 3) as usize];
        let again = (write % 2 == 0).then_some(1 + write / 2 % 7);
        run(seed, Kill::Write(write, cut, again));
    }
    (0..=acts).for_each(|acts| _ = run(seed, Kill::Act(acts)));
    (writes, acts + 1)
}

#[test]
fn wherever_the_agent_is_killed_it_goes_on_as_if_it_had_heard_less() {
    let count = std::env::var("LOCOX_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(40);
    let half = |part: u64| {
        let seeds = (0..count).filter(move |seed| seed % 2 == part);
        thread::spawn(move || seeds.map(all_kills).collect::<Vec<_>>())
    };
    let parts = [half(0), half(1)].map(|part| part.join().unwrap());
    let (writes, acts) =
        parts.iter().flatten().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    println!("{count} seeds: killed at {writes} writes and after {acts} acts");
    assert!(writes > 40 * count && acts > 5 * count, "{writes} {acts}");
}
