//! The simulated manager, and somebody who holds the agent to what it was told, what it stored and what it asked for.

use super::disk::Disk;
use super::naive::Naive;
use super::watched::Watched;
use locox_agent::agent::{Agent, Storage};
use locox_agent::backend::{Abilities, Act, Backend, BackendError, Outcome, Snapshot, State};
use locox_agent::config::Config;
use locox_coordinators::manager::{Key, Status};
use std::collections::{HashMap, HashSet};

/// A manager behind which the agent may be killed.
pub(crate) struct Site {
    pub(crate) watched: Watched,
    pub(crate) disk: Disk,
    pub(crate) config: Config,
    /// The nodes that a job was asked to start on, for as long as it keeps its terms.
    asked: HashMap<Key, Vec<String>>,
    /// What the agent may know; nothing if the plain model cannot tell.
    possible: Vec<Naive>,
    /// Snapshots that were taken.
    pub(crate) looks: u64,
    /// Acts that were done.
    pub(crate) acts: u64,
    /// After so many acts the agent is killed.
    pub(crate) dies_after: Option<u64>,
}

impl Site {
    /// Of a manager to which the agent has not spoken yet. `modelled`: the plain model can tell what it decides.
    pub(crate) fn new(watched: Watched, config: Config, modelled: bool) -> Self {
        Self {
            watched,
            config,
            disk: Disk::default(),
            asked: HashMap::new(),
            possible: if modelled { vec![Naive::default()] } else { vec![] },
            looks: 0,
            acts: 0,
            dies_after: None,
        }
    }

    /// Whoever runs has the nodes that were asked for, and whoever waits may have got other terms.
    fn check_nodes(&mut self) {
        for job in &self.watched.told.jobs {
            let key = Key { id: job.id, born: job.born };
            let asked = self.asked.get(&key);
            match &job.state {
                State::Runs { nodes, .. } => assert_eq!(asked, Some(nodes), "{job:?}"),
                State::Waits { held, .. } => {
                    if *held || asked.is_some_and(|asked| asked.len() != job.nodes as usize) {
                        self.asked.remove(&key);
                    }
                }
                State::Ends { .. } => {}
            }
        }
    }

    /// What is asked for is stored, though the power were cut now, and is not asked for elsewhere later.
    fn note(&mut self, acts: &[Act]) {
        let mut storage = Storage::default();
        let disk = self.disk.after_cut();
        let (agent, _) = Agent::open(&mut storage, &self.config, "agent".into(), disk).unwrap();
        for act in acts {
            let Act::Start { job, nodes } = act else { continue };
            let seen = self.watched.told.jobs.iter().find(|seen| seen.name == *job).unwrap();
            let key = Key { id: seen.id, born: seen.born };
            let stored = agent.names().of_ranges(agent.manager().nodes(key));
            assert_eq!(stored, *nodes, "{job} is started, and that is not stored");
            let asked = self.asked.entry(key).or_insert_with(|| nodes.clone());
            assert_eq!(asked, nodes, "{job} was asked for elsewhere before");
        }
    }

    /// After a whole cycle: one who may be the agent has decided the same.
    pub(crate) fn has_decided(&mut self, agent: &Agent<'_, Disk>) {
        if self.possible.is_empty() {
            return;
        }
        let starts = agent.manager().jobs().filter(|job| job.status == Status::Starting);
        let decided: HashSet<u64> = starts.map(|job| job.key.id).collect();
        let told = &self.watched.told;
        self.possible.retain_mut(|naive| naive.decide(told) == decided);
        assert!(!self.possible.is_empty(), "nobody decides {decided:?} on {told:?}");
    }

    /// The agent was killed after it had looked. Before it acted it had stored what it decided; else it may have stored
    /// nothing, or the facts alone.
    pub(crate) fn was_killed(&mut self, has_acted: bool) {
        let told = &self.watched.told;
        for mut naive in std::mem::take(&mut self.possible) {
            let before = naive.clone();
            naive.hear(told);
            let heard = naive.clone();
            _ = naive.decide(told);
            self.possible.push(naive);
            if !has_acted {
                self.possible.extend([heard, before]);
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
        let left = self.dies_after.map_or(usize::MAX, |dies| (dies - self.acts) as usize);
        let done = &acts[..acts.len().min(left)];
        self.note(done);
        self.acts += done.len() as u64;
        let outcomes = self.watched.act(done)?;
        if left > acts.len() {
            return Ok(outcomes);
        }
        Err(BackendError::Silent { what: "the agent".into(), why: "it is killed".into() })
    }
}
