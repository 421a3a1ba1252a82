//! The simulated manager, and somebody who looks at what the agent asks it for.

use locox_agent::backend::{Abilities, Act, Backend, BackendError, Outcome, Snapshot, State};
use locox_agent::simulated::Simulated;
use std::collections::HashSet;

/// The simulated manager, and what it told last.
pub(crate) struct Watched {
    pub(crate) manager: Simulated,
    pub(crate) told: Snapshot,
}

impl Watched {
    pub(crate) fn new(manager: Simulated) -> Self {
        Self { manager, told: Snapshot::default() }
    }

    /// What was told leaves these nodes free, and this job waits and is not held.
    fn check(&self, acts: &[Act]) {
        let mut taken: HashSet<&str> = HashSet::new();
        for job in &self.told.jobs {
            if let State::Runs { nodes, .. } | State::Ends { nodes } = &job.state {
                taken.extend(nodes.iter().map(String::as_str));
            }
        }
        let mut named = HashSet::new();
        for act in acts {
            if let Act::Start { job, .. } | Act::Gate { job } | Act::Stop { job } = act {
                assert!(named.insert(job), "one act a job: {acts:?}");
                let seen = self.told.jobs.iter().find(|seen| seen.name == *job).unwrap();
                assert!(seen.governed, "{act:?} of {seen:?}");
            }
            let Act::Start { job, nodes } = act else { continue };
            let seen = self.told.jobs.iter().find(|seen| seen.name == *job).unwrap();
            assert!(matches!(seen.state, State::Waits { held: false, .. }), "{act:?}: {seen:?}");
            assert_eq!(nodes.len(), seen.nodes as usize);
            for name in nodes {
                assert!(taken.insert(name), "{act:?}: {name} is taken");
                let node = self.told.nodes.iter().find(|node| node.name == *name).unwrap();
                assert!(node.serves, "{act:?}: {name} is out of service");
            }
        }
    }
}

impl Backend for Watched {
    fn abilities(&self) -> Abilities {
        self.manager.abilities()
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        self.told = self.manager.snapshot()?;
        Ok(self.told.clone())
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        self.check(acts);
        self.manager.act(acts)
    }
}
