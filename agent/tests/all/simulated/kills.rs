//! The agent is killed at each write of a run and after each act, at some writes twice, and begun anew: it decides what
//! a plain model decides that heard as much, starts nothing twice, holds nothing for ever and loses nothing.

use super::disk::Cut;
use super::run::{HOST, check_end, config, world};
use super::site::Site;
use super::watched::Watched;
use locox_agent::agent::{Agent, Began, Storage};
use locox_agent::config::{Config, Mode, Ranking};
use locox_agent::cycle::CycleError;
use locox_agent::simulated::{Simulated, Trouble, World};
use std::thread;

/// Cycles in which users change their minds, and the most that a run may take.
const WILD: u64 = 12;
const MOST: u64 = 200;

/// When the agent is killed.
#[derive(Clone, Copy, Debug)]
enum Kill {
    Never,
    /// At this write, from 1 on, of which this comes; and the next agent at this write of its own.
    Write(u64, Cut, Option<u64>),
    /// After so many acts.
    Act(u64),
}

/// One life of an agent: whether it lived until all was done.
fn life(site: &mut Site) -> bool {
    let mut storage = Storage::default();
    let config = site.config.clone();
    let opened = Agent::open(&mut storage, &config, "agent".into(), site.disk.clone());
    let Ok((mut agent, began)) = opened else { return false };
    let is_first = site.looks == 0;
    assert!(is_first || matches!(began, Began::Recovered(_)), "{began}");
    while !site.watched.manager.is_done() && site.looks < MOST {
        let looks = site.looks;
        if looks == WILD {
            site.watched.manager.calm();
        }
        if let Err(error) = agent.cycle(site, HOST) {
            let has_acted = matches!(error, CycleError::Backend(_));
            assert!(has_acted || site.disk.has_failed(), "{error}");
            assert!(site.looks > looks);
            site.was_killed(has_acted);
            return false;
        }
        agent.manager().check_invariants().unwrap();
        site.has_decided(&agent);
    }
    true
}

/// A run with a kill: how many writes and acts it has.
fn run(seed: u64, kill: Kill) -> (u64, u64) {
    // Of a job that is held nodes may have been asked for, of which the model knows nothing.
    let hold = if seed.is_multiple_of(3) { Trouble::HOSTILE.hold } else { 0 };
    let Trouble { cancel, change, .. } = Trouble::HOSTILE;
    let trouble = Trouble { cancel, change, hold, ..Trouble::NONE };
    let world = World { jobs: 5, span: 40, longest: 40, ..world(seed, true, trouble) };
    let base = config(&world, Mode::Authoritative, Ranking::Priority);
    let config = Config { shares: vec![], ..base };
    let mut site = Site::new(Watched::new(Simulated::new(world.clone())), config, hold == 0);
    let mut again = None;
    match kill {
        Kill::Never => {}
        Kill::Write(write, cut, next) => {
            site.disk.cuts(cut);
            site.disk.fail_after(Some(write));
            again = next;
        }
        Kill::Act(acts) => site.dies_after = Some(acts),
    }
    while !life(&mut site) {
        site.dies_after = None;
        site.disk.fail_after(again.take());
    }
    check_end(&site.watched.manager, &world, &format!("seed {seed}, {kill:?}"));
    (site.disk.writes(), site.acts)
}

/// All kills of this seed: how many at writes, and how many after acts.
fn all_kills(seed: u64) -> [u64; 2] {
    let (writes, acts) = run(seed, Kill::Never);
    for write in 1..=writes {
        let cut = [Cut::Lost, Cut::Torn, Cut::Done][((seed + write) % 3) as usize];
        let again = write.is_multiple_of(2).then_some(1 + write / 2 % 7);
        run(seed, Kill::Write(write, cut, again));
    }
    for acts in 0..=acts {
        run(seed, Kill::Act(acts));
    }
    [writes, acts + 1]
}

#[test]
fn wherever_the_agent_is_killed_it_goes_on_with_what_it_had_stored() {
    let count = std::env::var("LOCOX_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(500);
    let half = |part: u64| {
        let seeds = (0..count).filter(move |seed| seed % 2 == part);
        thread::spawn(move || seeds.map(all_kills).collect::<Vec<_>>())
    };
    let parts = [half(0), half(1)].map(|part| part.join().unwrap());
    let sum = |at: usize| parts.iter().flatten().map(|kills| kills[at]).sum::<u64>();
    let (writes, acts) = (sum(0), sum(1));
    println!("{count} seeds: killed at {writes} writes and after {acts} acts");
    assert!(writes > 30 * count && acts > 5 * count);
}
