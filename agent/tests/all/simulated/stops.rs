//! Jobs are stopped for others: the nodes go to the job for which that is done, and a job that was stopped starts again later.

use super::disk::Disk;
use super::outages::{Site, key, open};
use super::run::{HOST, config, stops};
use super::watched::Watched;
use locox_agent::agent::{Agent, Storage};
use locox_agent::backend::State;
use locox_agent::config::{Mode, Ranking};
use locox_agent::copied::Copied;
use locox_agent::simulated::{Simulated, World};

/// Eight nodes, a poll of 20 seconds.
pub(crate) fn world() -> World {
    World { nodes: 8, jobs: 3, users: 2, poll: 20, ..World::default() }
}

/// User 1000 has all nodes from the first two minutes on, by two jobs of 6,000 seconds. After 1,500 seconds user 1001 asks for three
/// nodes for 4,000 seconds with more priority. `firm`: the first two jobs would not wait again if they were stopped.
pub(crate) fn two_against_one(firm: [bool; 2]) -> Simulated {
    let mut site = serde_json::to_value(Simulated::new(world())).unwrap();
    let jobs = [
        (1500, 1001, 3, 4000, 1, false),
        (120, 1000, 4, 6000, 0, firm[1]),
        (100, 1000, 4, 6000, 0, firm[0]),
    ];
    for (at, (from, user, nodes, limit, priority, is_firm)) in jobs.into_iter().enumerate() {
        let come = &mut site["to_come"][at];
        come[0] = from.into();
        let terms = [
            ("user", user),
            ("nodes", nodes),
            ("limit", limit),
            ("runtime", limit),
            ("priority", priority),
            ("rank", priority),
        ];
        terms.into_iter().for_each(|(name, value)| come[1][name] = value.into());
        come[1]["is_firm"] = is_firm.into();
    }
    serde_json::from_value(site).unwrap()
}

/// The log, and when each job started last, after the beginning, and where.
struct Ran {
    log: Vec<String>,
    starts: [(u64, Vec<String>); 3],
}

fn run(firm: [bool; 2], ranking: Ranking, notice: u64) -> Ran {
    let mut config = config(&world(), Mode::Authoritative, ranking);
    config.shares.clear();
    config.preempt = Some(stops(notice));
    let mut watched = Watched::new(two_against_one(firm));
    let mut storage = Storage::default();
    let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
    let (mut agent, _) = opened.unwrap();
    let mut ran = Ran { log: vec![], starts: Default::default() };
    while !watched.manager.is_done() {
        let cycle = agent.cycle(&mut watched, HOST).unwrap();
        agent.manager().check_invariants().unwrap();
        let said = cycle.planned.iter().map(ToString::to_string).chain(cycle.notes);
        ran.log.extend(said.filter(|line| line.contains("stop")));
        for job in &watched.told.jobs {
            if let State::Runs { since, nodes } = &job.state {
                let start = (since - world().begin, nodes.clone());
                ran.starts[job.id as usize - 1] = start;
            }
        }
    }
    assert_eq!(watched.manager.ended().len(), 3);
    ran
}

#[test]
fn the_nodes_go_to_the_job_for_which_another_one_stops_and_that_starts_again_later() {
    for (ranking, why) in [
        (
            Ranking::Users,
            "who has no nodes and has waited 0 s (index 0.00; user1000 0.13 with 8 nodes)",
        ),
        (Ranking::Priority, "which has a higher priority"),
    ] {
        let Ran { log, starts: [first, second, third] } = run([false; 2], ranking, 0);
        assert_eq!(log, [format!("stop 2: for 3 of user1001, {why}")]);
        assert_eq!(
            (third.0, third.1),
            (1520, ["n00004", "n00005", "n00006"].map(Into::into).into())
        );
        assert!(first.0 < 1500 && second.0 >= 1520 + 4000, "{first:?}, {second:?}");
    }
}

#[test]
fn a_notice_comes_once_and_before_the_stop() {
    let Ran { log, starts: [_, _, third] } = run([false; 2], Ranking::Users, 300);
    let said =
        ["2 will be stopped at 2001-09-09T02:16:40Z for 3 of user1001, ", "stop 2: for 3 of "];
    assert_eq!(log.len(), 2, "{log:?}");
    assert!(log.iter().zip(said).all(|(line, said)| line.starts_with(said)), "{log:?}");
    assert_eq!(third.0, 1820);
}

#[test]
fn a_job_that_would_not_wait_again_is_not_stopped() {
    let log = |firm| run(firm, Ranking::Users, 0).log.len();
    let Ran { log: other, starts: [first, second, third] } = run([false, true], Ranking::Users, 0);
    assert!(other[0].starts_with("stop 1: for 3 of user1001") && other.len() == 1, "{other:?}");
    assert!(second.0 < third.0 && third.0 < first.0, "{second:?}, {third:?}, {first:?}");
    assert_eq!(log([true, true]), 0);
}

#[test]
fn that_a_job_must_not_be_stopped_is_told_once_and_again_when_that_changes() {
    let (mut site, mut storage) = (Site::new(4), Storage::default());
    let (mut agent, _) = open(&mut storage, 4, &Disk::default());
    site.submit(1, 4, 300);
    site.told.jobs[0].firm = true;
    site.go_on(&mut agent, 0);
    site.go_on(&mut agent, 1);
    for firm in [true, false, true] {
        site.told.jobs[0].firm = firm;
        site.go_on(&mut agent, 1);
        assert_eq!(agent.manager().job(key(1)).map(|job| job.stoppable), Some(!firm));
        assert_eq!(site.go_on(&mut agent, 1).told, 0);
    }
}
