//! A job that the manager does not start, whatever it is asked, stands in nobody's way.

use super::run::{HOST, check_end, config, world};
use locox_agent::agent::{Agent, Storage};
use locox_agent::backend::{Abilities, Act, Backend, BackendError, Outcome, Snapshot};
use locox_agent::config::{Mode, Ranking};
use locox_agent::copied::Copied;
use locox_agent::simulated::{Simulated, Trouble};
use std::collections::HashMap;

/// A manager that starts no job of this many nodes.
struct Refuses {
    manager: Simulated,
    nodes: Option<usize>,
    /// How often a job was asked to start in vain, by name.
    asked: HashMap<String, u32>,
}

impl Backend for Refuses {
    fn abilities(&self) -> Abilities {
        self.manager.abilities()
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        self.manager.snapshot()
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        let one = |act: &Act| match act {
            Act::Start { job, nodes } if Some(nodes.len()) == self.nodes => {
                *self.asked.entry(job.clone()).or_default() += 1;
                Ok(Outcome::Refused("no such nodes".into()))
            }
            act => Ok(self.manager.act(std::slice::from_ref(act))?.remove(0)),
        };
        acts.iter().map(one).collect()
    }
}

#[test]
fn a_job_that_the_manager_refuses_holds_no_nodes_and_is_left_to_the_manager() {
    let mut left = 0;
    for seed in 0..100 {
        let world = world(seed, true, Trouble::NONE);
        let config = config(&world, Mode::Authoritative, Ranking::Users);
        let manager = Simulated::new(world.clone());
        let mut backend = Refuses { manager, nodes: Some(4), asked: HashMap::new() };
        let mut storage = Storage::default();
        let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
        let (mut agent, _) = opened.unwrap();
        (0..2000).for_each(|_| drop(agent.cycle(&mut backend, HOST).unwrap()));
        for (job, times) in &backend.asked {
            assert_eq!(*times, 12, "seed {seed}: {job} pauses after each third time");
            left += 1;
        }
        check_end(&backend.manager, &world, &format!("seed {seed}"));
    }
    assert!(left > 50, "{left}");
}
