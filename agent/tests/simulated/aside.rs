//! A job that the manager does not start, whatever it is asked, stands in nobody's way.

use crate::run::{HOST, check_end, config, world};
use locox_agent::agent::{Agent, Storage};
use locox_agent::backend::{Abilities, Act, Backend, BackendError, Outcome, Snapshot, State};
use locox_agent::config::{Mode, Ranking};
use locox_agent::copied::Copied;
use locox_agent::simulated::{Simulated, Trouble};

/// A manager that starts no job of this many nodes.
struct Refuses {
    manager: Simulated,
    nodes: Option<usize>,
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
            Act::Start { nodes, .. } if Some(nodes.len()) == self.nodes => {
                Ok(Outcome::Refused("no such nodes".into()))
            }
            act => Ok(self.manager.act(std::slice::from_ref(act))?.remove(0)),
        };
        acts.iter().map(one).collect()
    }
}

#[test]
fn a_job_that_the_manager_refuses_holds_no_nodes_for_ever() {
    let mut refused = 0;
    for seed in 0..100 {
        let world = world(seed, true, Trouble::NONE);
        let config = config(&world, Mode::Authoritative, Ranking::Users);
        let mut backend = Refuses { manager: Simulated::new(world.clone()), nodes: Some(4) };
        let mut storage = Storage::default();
        let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
        let (mut agent, _) = opened.unwrap();
        (0..2000).for_each(|_| drop(agent.cycle(&mut backend, HOST).unwrap()));
        for job in backend.manager.truth().jobs {
            assert!(job.nodes >= 4, "seed {seed}: {job:?}");
            assert!(matches!(job.state, State::Waits { .. }), "seed {seed}: {job:?}");
            refused += u32::from(job.nodes == 4);
        }
        backend.nodes = None;
        let mut polls = 0;
        while !backend.manager.is_done() && polls < 2000 {
            agent.cycle(&mut backend, HOST).unwrap();
            polls += 1;
        }
        check_end(&backend.manager, &world, &format!("seed {seed}"));
    }
    assert!(refused > 50, "{refused}");
}
