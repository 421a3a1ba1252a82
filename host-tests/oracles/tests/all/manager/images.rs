//! Images of a coordinator that nobody wrote: what contradicts itself is refused, and why.

use super::rules::{AT_ONCE, CONFIG, at, decide, key, runs, seen};
use crate::forged::{agree, of_one_word, said, seal};
use locox::handle::PoolId;
use locox::image::BadImage;
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Command, Config, Coordinator, NodeId, Places, Preemption, Ranking, Status, UserId,
};
use locox_oracles::manager::{Rows, Size};

const SIZE: Size = Size { jobs: 14, users: 7, nodes: 16 };

fn out(first: u32) -> Command {
    Command::NodeOut { first: NodeId(first), nodes: 1 }
}

/// Jobs in every state, users with and without jobs, nodes that are out.
fn fill(manager: &mut Coordinator<'_>) {
    let facts = [seen(1, 10, 4, 100), seen(2, 10, 4, 100), seen(9, 50, 1, 1)];
    decide(manager, 0, &facts);
    let facts = [runs(1, 0, 0, 4), runs(2, 0, 4, 4), Command::Left { key: key(9) }];
    decide(manager, 0, &facts);
    let user = UserId(50);
    decide(manager, 1, &[Command::UserGone { user }]);
    let user = UserId(40);
    let held = |id| Command::Held { key: key(id), held: true };
    let due = |id, by| Command::Deadline { key: key(id), by: at(by) };
    let facts = [Command::Weight { user, weight: 2 }, out(0), out(15), due(1, 20), due(2, 500)];
    decide(manager, 5, &facts);
    let facts = [seen(6, 30, 2, 9), held(6), seen(7, 30, 99, 9), seen(8, 40, 1, 300)];
    decide(manager, 30, &facts);
    let waiting = (11..14).map(|id| seen(id, 20, 9, 10 + id));
    let others = (14..17).map(|id| seen(id, 30, 10, 10 + id));
    let (first, nodes, from, to) = (NodeId(3), 2, at(900), at(950));
    let outage = Command::Outage { first, nodes, from, to };
    let kept = Command::Reserve { key: key(18), from: at(920), by: Instant::MAX };
    let all = waiting.chain(others).chain([due(12, 31), outage, seen(18, 30, 5, 7), kept]);
    all.for_each(|fact| manager.apply(at(30), fact).unwrap());
    manager.apply(at(30), Command::Decide).unwrap();
    manager.check_invariants().unwrap();
    let is = |status| manager.jobs().filter(|job| job.status == status).count();
    let all = [
        Status::Waiting,
        Status::Held,
        Status::Never,
        Status::Starting,
        Status::Running,
        Status::Stopping,
    ];
    assert_eq!(all.map(is), [7, 1, 1, 1, 1, 1]);
    assert!(manager.reservation(key(18)).count() > 1, "in two parts");
}

fn image(manager: &Coordinator<'_>) -> Vec<u32> {
    let mut image = vec![];
    manager.export(|word| image.push(word));
    image
}

#[test]
fn an_image_of_which_a_word_was_altered_is_taken_only_if_the_rest_agrees() {
    let mut rows = [Rows::new(SIZE), Rows::new(SIZE)];
    let [full, other] = &mut rows;
    let mut full = full.manager(CONFIG);
    let mut other = other.manager(CONFIG);
    let fresh = image(&other);
    fill(&mut full);
    let words = image(&full);
    let heard = said(of_one_word(&words), |forged| {
        let loaded = other.load(forged.iter().copied()).map(|_| ());
        if loaded.is_err() {
            assert_eq!(image(&other), fresh, "what is refused leaves nothing");
        }
        other.load(fresh.iter().copied()).unwrap();
        loaded
    });
    agree(
        &heard,
        &[
            ("a half of a word says nothing", 231),
            ("a job waits in a line that is not its own", 91),
            ("a job without PEs, or without an arrival", 148),
            ("a line holds its own jobs in order", 4),
            ("a node that has a job is in the list of that", 42),
            ("a row that was used is open or vacant", 24),
            ("a user's jobs in line are a heap", 180),
            ("each job is found by its name", 22),
            ("for whom a job stops", 71),
            ("for whom nodes are kept", 12),
            ("it has too few words", 5),
            ("it has too many words", 2),
            ("it is of another ranking", 43),
            ("jobs are linked in the order of arrival", 17),
            ("jobs that wait are linked, both ways", 136),
            ("more rows are in use than there is storage for", 6),
            ("no more PEs than the machine has", 12),
            ("no such variant", 15),
            ("taken", 3267),
            ("the PEs on which jobs run", 4),
            ("the count of open rows", 23),
            ("the count of the jobs that wait", 2),
            ("the first jobs are the user's", 33),
            ("the image is of another size than the storage", 45),
            ("the jobs and nodes of the users", 74),
            ("the jobs of which something is to be told", 64),
            ("the jobs that have a deadline", 133),
            ("the nodes of a job are in its list", 374),
            ("the nodes of outages", 23),
            ("the nodes that are kept for a job", 7),
            ("the nodes that are out", 6),
            ("the queue knows of each job what its row says", 1051),
            ("the user of a job is there", 30),
            ("the users of whom the ranking is to be told", 12),
            ("the users whose jobs come", 8),
            ("the vacant rows are closed ones, linked without a circle", 12),
            ("what is kept for a job", 65),
            ("whose reservations are kept", 18),
        ],
    );
    assert_eq!(other.load(words.iter().copied()).map(|_| ()), Ok(()));
    assert_eq!((image(&other), other.now()), (words, at(30)));
}

#[test]
fn an_image_of_other_parameters_is_not_taken() {
    let half_life = Duration::from_ticks(51);
    let quantum = Duration::from_ticks(2);
    let told = Preemption { notice: Duration::from_ticks(1), ..AT_ONCE };
    let others = [
        Config { ranking: Ranking::Priority, ..CONFIG },
        Config { places: Places::Subcubes, ..CONFIG },
        Config { preempt: None, ..CONFIG },
        Config { preempt: Some(told), ..CONFIG },
        Config { decay: locox::fair::DecayParams { half_life, ..CONFIG.decay }, ..CONFIG },
        Config { decay: locox::fair::DecayParams { quantum, ..CONFIG.decay }, ..CONFIG },
    ];
    let mut rows = Rows::new(SIZE);
    let words = image(&rows.manager(CONFIG));
    let load = |config, size| {
        let mut rows = Rows::new(size);
        rows.manager(config).load(words.iter().copied()).map(|_| ())
    };
    assert_eq!(load(CONFIG, SIZE), Ok(()));
    for other in others {
        assert_eq!(load(other, SIZE), Err(BadImage::OtherConfiguration), "{other:?}");
    }
    let larger = Size { nodes: 17, ..SIZE };
    assert_eq!(load(CONFIG, larger), Err(BadImage::OtherConfiguration));
    let elsewhere = Config { pool: PoolId(6), ..CONFIG };
    assert_eq!(load(elsewhere, SIZE), Err(BadImage::OtherPool));
}

#[test]
fn an_image_of_another_version_is_not_taken() {
    let mut rows = Rows::new(SIZE);
    let mut manager = rows.manager(CONFIG);
    let words = image(&manager);
    for version in 1..7 {
        let mut other = words.clone();
        other[2] = other[2] & !0xFFFF | version;
        assert_eq!(manager.load(seal(other)).map(|_| ()), Err(BadImage::OtherVersion));
    }
}
