//! Planned outages: jobs start beside them or wait, whatever becomes of the plan and of the agent.

use super::disk::Disk;
use super::run::HOST;
use locox_agent::agent::{Agent, Began, Storage};
use locox_agent::backend::{
    Abilities, Act, Backend, BackendError, JobSeen, NodeSeen, OutageSeen, Outcome, Snapshot, State,
};
use locox_agent::config::{Config, Mode};
use locox_agent::cycle::Cycle;
use locox_agent::estimates::{Asked, SEARCHES, at_once, estimate, would_start};
use locox_agent::simulated::{World, check_acts};
use locox_coordinators::manager::{Key, Reason, Status};

const NOW: u64 = 1_000_000;

/// A manager that does what it is told, if it `listens`, and plans nothing by itself.
pub(crate) struct Site {
    pub(crate) told: Snapshot,
    listens: bool,
}

impl Backend for Site {
    fn abilities(&self) -> Abilities {
        Abilities { gate: true, places: true, ..Abilities::default() }
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        Ok(self.told.clone())
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        check_acts(&self.told, acts).unwrap();
        for act in acts {
            let Act::Start { job, nodes } = act else { continue };
            let job = self.told.jobs.iter_mut().find(|seen| seen.name == *job).unwrap();
            if self.listens {
                job.state = State::Runs { since: self.told.now, nodes: nodes.clone() };
            }
        }
        Ok(vec![Outcome::Taken; acts.len()])
    }
}

impl Site {
    /// Nodes that all are free.
    pub(crate) fn new(nodes: u32) -> Self {
        let node = |node: u32| NodeSeen { name: name(node), serves: true };
        let nodes = (0..nodes).map(node).collect();
        Self { told: Snapshot { now: NOW, nodes, ..Snapshot::default() }, listens: true }
    }

    /// Four nodes, the first two of which have an outage to come.
    fn with_outage() -> Self {
        let mut site = Self::new(4);
        site.told.outages = vec![outage([0, 1])];
        site
    }

    pub(crate) fn submit(&mut self, id: u64, nodes: u32, limit: u64) {
        self.told.jobs.push(JobSeen {
            id,
            born: 1,
            name: id.to_string(),
            user: 7,
            owner: "anna".into(),
            nodes,
            sides: [0; 3],
            limit,
            deadline: None,
            priority: 0,
            rank: 0,
            governed: true,
            left: None,
            refused: None,
            kind: String::new(),
            changed: false,
            firm: false,
            state: State::Waits { gated: true, held: false },
            reason: String::new(),
        });
    }

    /// The nodes that a job has.
    fn nodes_of(&self, id: u64) -> &[String] {
        match &self.told.jobs.iter().find(|job| job.id == id).unwrap().state {
            State::Runs { nodes, .. } => nodes,
            _ => &[],
        }
    }

    pub(crate) fn go_on(&mut self, agent: &mut Agent<'_, Disk>, seconds: u64) -> Cycle {
        self.told.now += seconds;
        let cycle = agent.cycle(self, HOST).unwrap();
        agent.manager().check_invariants().unwrap();
        cycle
    }
}

fn name(node: u32) -> String {
    format!("n{node}")
}

/// From the hundredth second on, for a hundred seconds.
fn outage(nodes: impl IntoIterator<Item = u32>) -> OutageSeen {
    let nodes = nodes.into_iter().map(name).collect();
    OutageSeen { name: "maint".into(), nodes, from: NOW + 100, to: NOW + 200, floats: false }
}

fn config(nodes: u32) -> Config {
    let world = World { nodes, ..World::default() };
    Config { nodes, jobs: 8, users: 4, ..Config::of_simulated(&world, Mode::Authoritative) }
}

pub(crate) fn open<'a>(
    storage: &'a mut Storage,
    nodes: u32,
    disk: &Disk,
) -> (Agent<'a, Disk>, Began) {
    Agent::open(storage, &config(nodes), "agent".into(), disk.clone()).unwrap()
}

pub(crate) const fn key(id: u64) -> Key {
    Key { id, born: 1 }
}

#[test]
fn who_would_run_into_an_outage_waits_until_it_is_over_and_others_start_beside_it() {
    let (mut site, mut storage) = (Site::new(4), Storage::default());
    let (mut agent, _) = open(&mut storage, 4, &Disk::default());
    site.told.outages = vec![outage([0, 1]), outage([9])];
    site.submit(1, 4, 300);
    site.go_on(&mut agent, 0);
    assert_eq!(agent.manager().outages().count(), 1, "there is no node 9");
    assert_eq!(agent.manager().reason(key(1)), Ok(Some(Reason::Planned)));
    assert_eq!(agent.promises().by(key(1)), Some(NOW + 200));
    let (manager, config) = (agent.manager(), config(4));
    let at = estimate(manager, &config, key(1), &mut { SEARCHES }).unwrap().unwrap();
    assert_eq!((at.start, at.end), (NOW + 200, NOW + 500));
    let asked = Asked { user: 8, nodes: 2, limit: 100 };
    let at = would_start(manager, &config, asked, NOW).unwrap().unwrap();
    assert_eq!(at.start, NOW);

    // The one ends when the outage begins, the other when it is over.
    site.submit(2, 2, 200);
    site.submit(3, 2, 99);
    let cycle = site.go_on(&mut agent, 1);
    assert!(cycle.left.is_empty());
    assert_eq!(site.nodes_of(3), ["n0", "n1"]);
    assert_eq!(site.nodes_of(2), [""; 0], "it would delay the first in line by a second");
    site.told.jobs[1].limit = 199;
    site.go_on(&mut agent, 0);
    assert_eq!(site.nodes_of(2), ["n2", "n3"]);
    assert_eq!(agent.promises().by(key(1)), Some(NOW + 200));
}

#[test]
fn what_it_costs_to_start_at_once_is_known_and_nothing_changes() {
    let (mut site, mut storage) = (Site::new(4), Storage::default());
    let (mut agent, _) = open(&mut storage, 4, &Disk::default());
    site.submit(1, 2, 300);
    site.submit(2, 1, 300);
    site.go_on(&mut agent, 0);
    site.go_on(&mut agent, 100);
    let manager = agent.manager();
    let ask = |nodes| at_once(manager, &config(4), Asked { user: 8, nodes, limit: 50 }, NOW + 100);
    let of = |nodes| {
        let yields = ask(nodes).unwrap()?;
        Some(yields.iter().map(|it| (it.key, it.lost, it.moves)).collect::<Vec<_>>())
    };
    assert_eq!(of(1), Some(vec![]));
    // The second one has less to lose.
    assert_eq!(of(2), Some(vec![(key(2), 100, false)]));
    assert_eq!(of(4), Some(vec![(key(1), 200, false), (key(2), 100, false)]));
    assert_eq!(of(5), None);
    assert_eq!(manager.jobs().count(), 2);
}

#[test]
fn an_outage_that_is_cancelled_or_moved_is_so_for_the_kernel_and_known_after_a_restart() {
    let mut site = Site::new(4);
    site.told.outages = vec![outage([1, 3])];
    site.submit(1, 3, 300);
    let mut storages = [(); 2].map(|()| Storage::default());
    let [first, second] = &mut storages;
    let disk = Disk::default();
    let (mut agent, _) = open(first, 4, &disk);
    site.go_on(&mut agent, 0);
    let known: Vec<_> = agent.manager().outages().collect();
    assert_eq!(known.len(), 2, "a row for each range");
    let cycle = site.go_on(&mut agent, 5);
    assert_eq!(cycle.told, 0, "each is told once");

    drop(agent);
    let (mut agent, began) = open(second, 4, &disk);
    assert!(matches!(began, Began::Recovered(_)), "{began}");
    assert!(agent.manager().outages().eq(known));
    assert_eq!(site.go_on(&mut agent, 5).told, 0);

    site.told.outages[0].to += 60;
    let cycle = site.go_on(&mut agent, 5);
    assert_eq!(cycle.told, 4);
    assert!(agent.manager().outages().all(|it| it.to.ticks() == NOW + 260));
    let says = "an outage is planned that was not before";
    assert!(cycle.notes.iter().any(|note| note.ends_with(says)), "{:?}", cycle.notes);
    site.told.outages.clear();
    site.go_on(&mut agent, 5);
    assert_eq!(agent.manager().outages().count(), 0);
    assert_eq!(site.nodes_of(1), ["n0", "n1", "n2"]);
}

#[test]
fn a_promise_for_the_time_after_an_outage_holds_while_that_goes_on() {
    let (mut site, mut storage) = (Site::with_outage(), Storage::default());
    let (mut agent, _) = open(&mut storage, 4, &Disk::default());
    site.submit(1, 4, 300);
    site.go_on(&mut agent, 0);
    // The manager takes a moment to take the second node out.
    site.told.nodes[0].serves = false;
    assert_eq!(site.go_on(&mut agent, 100).told, 0);
    site.told.nodes[1].serves = false;
    // One that would run for longer than the outage would delay the first in line.
    site.submit(2, 2, 96);
    site.submit(3, 2, 95);
    site.go_on(&mut agent, 5);
    assert_eq!(site.nodes_of(2), [""; 0]);
    assert_eq!(site.nodes_of(3), ["n2", "n3"]);
    assert_eq!(agent.promises().by(key(1)), Some(NOW + 200));
    site.told.jobs.retain(|job| job.id != 3);
    site.told.nodes.iter_mut().for_each(|node| node.serves = true);
    site.go_on(&mut agent, 95);
    assert_eq!(site.nodes_of(1).len(), 4);
}

#[test]
fn a_node_that_is_not_back_after_an_outage_is_out() {
    let (mut site, mut storage) = (Site::with_outage(), Storage::default());
    let (mut agent, _) = open(&mut storage, 4, &Disk::default());
    site.submit(1, 4, 300);
    site.go_on(&mut agent, 0);
    site.told.nodes[0].serves = false;
    site.go_on(&mut agent, 200);
    assert_eq!(agent.manager().reason(key(1)), Ok(Some(Reason::Outage { serving: 3 })));
    assert_eq!(agent.promises().by(key(1)), None);
}

#[test]
fn nobody_is_first_in_line_for_an_outage_that_ends_in_more_than_a_week() {
    const WEEK: u64 = 7 * 24 * 3600;
    for (more, first) in [(0, 1), (1, 2)] {
        let (mut site, mut storage) = (Site::with_outage(), Storage::default());
        let (mut agent, _) = open(&mut storage, 4, &Disk::default());
        site.told.outages[0].from = NOW;
        site.told.outages[0].to = NOW + WEEK + more;
        site.told.nodes[..2].iter_mut().for_each(|node| node.serves = false);
        // One runs beside it, one asks for all nodes, one waits for the one that runs.
        site.submit(1, 4, 300);
        site.submit(2, 2, 300);
        site.submit(3, 1, 300);
        site.told.jobs[2].state = State::Runs { since: NOW, nodes: vec![name(2)] };
        site.go_on(&mut agent, 0);
        assert_eq!(agent.manager().promise().map(|it| it.key), Some(key(first)), "{more}");
    }
}

#[test]
fn who_did_not_start_in_time_is_not_asked_to_start_there_again() {
    for (limit, later) in [(100, 1), (101, 0)] {
        let (mut site, mut storage) = (Site::with_outage(), Storage::default());
        let (mut agent, _) = open(&mut storage, 4, &Disk::default());
        site.submit(1, 2, 100);
        site.listens = false;
        site.go_on(&mut agent, 0);
        let nodes = |agent: &Agent<'_, Disk>| {
            agent.manager().nodes(key(1)).map(|it| it.first.0).collect::<Vec<_>>()
        };
        assert_eq!(nodes(&agent), [0]);
        site.told.jobs[0].limit = limit;
        site.go_on(&mut agent, later);
        assert_eq!(nodes(&agent), [2]);
        assert_eq!(agent.manager().job(key(1)).unwrap().status, Status::Starting);
    }
}

#[test]
fn what_the_kernel_has_no_room_for_and_what_never_begins_is_left_to_the_manager_and_said_once() {
    let many = outage((0..600).filter(|node| node % 2 == 0));
    let floats = OutageSeen { floats: true, ..outage([0]) };
    for (outage, why) in [(many, "256 ranges"), (floats, "with the clock")] {
        let (mut site, mut storage) = (Site::new(600), Storage::default());
        let (mut agent, _) = open(&mut storage, 600, &Disk::default());
        site.told.outages = vec![outage];
        site.submit(1, 2, 101);
        site.submit(2, 2, 100);
        let cycle = site.go_on(&mut agent, 0);
        let left: Vec<&str> = cycle.left.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(left, ["1"], "{why}");
        assert_eq!(site.nodes_of(2).len(), 2);
        let said = |cycle: &Cycle| cycle.notes.iter().filter(|note| note.contains(why)).count();
        assert_eq!((said(&cycle), agent.manager().outages().count()), (1, 0));
        assert_eq!(said(&site.go_on(&mut agent, 0)), 0);
    }
}
