//! Who has left is told again to the manager's backend after a restart, wherever the disk fails.

use super::disk::Disk;
use super::run::{HOST, config, world};
use locox_agent::agent::{Agent, Storage};
use locox_agent::backend::{Abilities, Act, Backend, BackendError, Known, Outcome, Snapshot};
use locox_agent::config::{Mode, Ranking};
use locox_agent::gone::{FILE, Gone};
use locox_agent::simulated::{Simulated, Trouble};
use locox_storage::Folder;

/// A manager that a job leaves at each snapshot.
struct Departs {
    manager: Simulated,
    gone: Vec<Gone>,
    reminded: Vec<Gone>,
}

impl Backend for Departs {
    fn abilities(&self) -> Abilities {
        self.manager.abilities()
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        let id = self.gone.len() as u64;
        self.gone.push(Gone { id, submitted: 5, since: 9 });
        self.manager.snapshot()
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        self.manager.act(acts)
    }

    fn remember(&mut self, known: &Known<'_>) {
        self.reminded = known.gone.to_vec();
    }

    fn gone(&self) -> Vec<Gone> {
        self.gone.clone()
    }
}

/// Cycles of a new agent, at most five, until one fails: how many do not.
fn cycles(backend: &mut Departs, disk: &Disk, notes: &mut Vec<String>) -> usize {
    let config = config(&world(1, true, Trouble::NONE), Mode::Authoritative, Ranking::Users);
    let mut storage = Storage::default();
    let Ok((mut agent, _)) = Agent::open(&mut storage, &config, "agent".into(), disk.clone())
    else {
        return 0;
    };
    let good = (0..5).map_while(|_| agent.cycle(backend, HOST).ok());
    good.inspect(|cycle| notes.extend(cycle.notes.clone())).count()
}

fn departs() -> Departs {
    let manager = Simulated::new(world(1, true, Trouble::NONE));
    Departs { manager, gone: vec![], reminded: vec![] }
}

#[test]
fn whoever_had_left_when_a_cycle_was_done_is_remembered_wherever_the_disk_fails() {
    for writes in 0..60 {
        let (mut backend, disk) = (departs(), Disk::default());
        disk.fail_after(Some(writes));
        let good = cycles(&mut backend, &disk, &mut vec![]);
        let known = backend.gone.clone();
        disk.fail_after(None);
        cycles(&mut backend, &disk, &mut vec![]);
        let reminded = &backend.reminded;
        assert!(known.starts_with(reminded) && reminded.len() >= good, "{writes}: {reminded:?}");
    }
}

#[test]
fn a_list_that_is_damaged_is_said_once_and_begun_anew() {
    let (mut backend, disk) = (departs(), Disk::default());
    cycles(&mut backend, &disk, &mut vec![]);
    disk.spoil(|files| files.write(FILE, b"7 100\n# 1 jobs\n").unwrap());
    let (mut first, mut second) = (vec![], vec![]);
    cycles(&mut backend, &disk, &mut first);
    assert_eq!(first.iter().filter(|note| note.contains("`gone` is damaged")).count(), 1);
    assert_eq!(backend.reminded, []);
    cycles(&mut backend, &disk, &mut second);
    assert!(!second.iter().any(|note| note.contains("`gone`")));
    assert_eq!(backend.reminded.len(), 10);
}
