//! The coordinator for resource managers over files: facts and a decision in a batch, and effects after it.

use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Arrays, Command, Config, Coordinator, Effect, Key, NodeId, UserId, index_len, words,
};
use locox_storage::{Directory, DurableCoordinator, Files};
use std::path::Path;

type Rows = Arrays<32, 4, 16, { index_len(32, 4) }, { words(16) }>;
type Service<'a> = DurableCoordinator<Coordinator<'a>, Files<Directory>>;

fn manager(rows: &mut Rows) -> Coordinator<'_> {
    let config = Config::standard(Duration::from_ticks(60));
    Coordinator::new(config, rows.columns(), Instant::ZERO).unwrap()
}

fn files(folder: &Path) -> Files<Directory> {
    Files::new(Directory::open(folder).unwrap())
}

/// The facts of a poll: a job comes with the largest numbers there are, another ends, a node goes or comes back.
fn facts(poll: u64) -> Vec<Command> {
    let key = |poll: u64| Key { id: u64::MAX - poll, born: u32::MAX };
    let user = UserId(u32::MAX - poll as u32 % 3);
    let (nodes, limit) = (1 + poll as u32 * 7 % 9, Duration::from_ticks(5 + poll % 11));
    let mut facts = vec![Command::Seen { key: key(poll), user, nodes, limit, priority: u32::MAX }];
    if poll >= 12 {
        facts.push(Command::Left { key: key(poll - 12) });
    }
    let (first, nodes) = (NodeId(poll as u32 % 13), 3);
    facts.push(match poll % 2 {
        0 => Command::NodeOut { first, nodes },
        _ => Command::NodeBack { first: NodeId(0), nodes: 16 },
    });
    facts
}

/// One poll; what is to be done.
fn poll(service: &mut Service<'_>, poll: u64) -> Vec<Effect> {
    let now = Instant::from_ticks(poll * 2);
    let mut batch = service.batch();
    for fact in facts(poll).into_iter().chain([Command::Decide]) {
        batch.apply(now, fact).unwrap();
    }
    batch.commit().unwrap();
    std::iter::from_fn(|| service.take_effect()).map(|it| it.effect).collect()
}

fn image(service: &Service<'_>) -> Vec<u32> {
    let mut words = vec![];
    service.coordinator().export(|word| words.push(word));
    words
}

#[test]
fn a_manager_goes_on_from_its_records_as_if_nothing_had_been() {
    let (kept, cut) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut rows = Rows::EMPTY;
    let mut whole = Service::format(manager(&mut rows), files(kept.path())).unwrap();
    let mut rows = Rows::EMPTY;
    Service::format(manager(&mut rows), files(cut.path())).unwrap();
    let mut told = 0;
    for number in 0..40 {
        let expected = poll(&mut whole, number);
        told += expected.len();
        let mut rows = Rows::EMPTY;
        let (mut service, _) = Service::recover(manager(&mut rows), files(cut.path())).unwrap();
        // What is not confirmed is told again after each restart.
        while service.take_effect().is_some() {}
        assert_eq!(poll(&mut service, number), expected, "poll {number}");
        if number % 7 == 0 {
            service.catch_up().unwrap();
        }
        assert_eq!(image(&service), image(&whole));
        service.coordinator().check_invariants().unwrap();
    }
    assert!(told > 40, "{told}");
}
