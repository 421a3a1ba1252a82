//! Handles, ids and effects as text: a line each, and what was granted before a restart is told from what
//! was granted after it.

use locox::coordinate::{JobId, Run};
use locox::dispatch::Ticket;
use locox::fair::StationId;
use locox::handle::{Epoch, Generation, Handle, PoolId};
use locox::mesh::{Leftover, MeshLease, MeshPool, Shape};
use locox::reserve::ReservationId;
use locox::station::{Checkpoint, NodeId, PreemptReason};
use locox::subcube::{FreeList, Pool};
use locox::time::Instant;
use locox::timeshare::{HostId, Level, Load, UserId};
use locox::{cluster, dispatch, mesh, node, site, station, subcube, timeshare};

fn handle(epoch: u16) -> Handle {
    Handle::from_parts(PoolId(7), 3, Generation::from_raw(5), Epoch(epoch))
}

fn run() -> Run {
    Run { job: JobId::from_handle(handle(0)), attempt: 2 }
}

#[test]
fn a_handle_is_its_entry_and_generation_and_what_was_granted_after_a_restart_says_so() {
    assert_eq!(handle(0).to_string(), "3.5");
    assert_eq!(handle(2).to_string(), "3.5@2");
    assert_eq!(format!("{:#}", handle(0)), "3.5 (pool 7)");
    assert_eq!(format!("{:#}", handle(2)), "3.5@2 (pool 7)");
}

#[test]
fn what_a_handle_names_is_called_by_it_in_both_forms() {
    let both = |short: String, long: String| [short, long];
    let job = JobId::from_handle(handle(0));
    assert_eq!(both(format!("{job}"), format!("{job:#}")), ["3.5", "3.5 (pool 7)"]);
    let run = run();
    assert_eq!(both(format!("{run}"), format!("{run:#}")), ["3.5/2", "3.5/2 (pool 7)"]);
    let id = ReservationId::from_handle(handle(2));
    let texts = ["reservation 3.5@2", "reservation 3.5@2 (pool 7)"];
    assert_eq!(both(format!("{id}"), format!("{id:#}")), texts);
    let ticket = Ticket::from_handle(handle(0));
    assert_eq!(
        both(format!("{ticket}"), format!("{ticket:#}")),
        ["ticket 3.5", "ticket 3.5 (pool 7)"]
    );
}

/// Programs print leases where they mean nodes; logs add the flag.
#[test]
fn a_lease_is_its_subcube_and_in_the_alternate_form_its_handle_too() {
    let dims = 4.try_into().unwrap();
    let mut pool =
        Pool::<FreeList, _>::new(PoolId(7), dims, [0; subcube::words::<FreeList>(4)]).unwrap();
    let three = 3.try_into().unwrap();
    let first = pool.allocate(three).unwrap();
    pool.release(first).unwrap();
    let second = pool.allocate(three).unwrap();
    assert_eq!([first.to_string(), second.to_string()], ["0***", "0***"]);
    assert_eq!(format!("{first:#}"), "0*** as 0.1 (pool 7)");
    assert_eq!(format!("{second:#}"), "0*** as 0.3 (pool 7)");
}

#[test]
fn a_lease_of_a_mesh_is_its_mesh_and_in_the_alternate_form_its_handle_too() {
    let dims = 4.try_into().unwrap();
    let mut pool = MeshPool::<FreeList, _>::new(
        PoolId(7),
        dims,
        [0; mesh::words::<FreeList>(4)],
        Leftover::Reused,
    )
    .unwrap();
    let lease: MeshLease = pool.allocate(Shape::rectangle(3, 3).unwrap()).unwrap();
    assert_eq!(lease.to_string(), "3x3 in ****");
    assert_eq!(format!("{lease:#}"), "3x3 in **** as 0.1 (pool 7)");
}

#[test]
fn what_is_after_an_epoch_has_begun_differs_from_all_before() {
    let dims = 4.try_into().unwrap();
    let mut pool =
        Pool::<FreeList, _>::new(PoolId(7), dims, [0; subcube::words::<FreeList>(4)]).unwrap();
    pool.begin(Epoch(9));
    let lease = pool.allocate(dims).unwrap();
    assert_eq!(format!("{lease:#}"), "**** as 0.1@9 (pool 7)");
}

#[test]
fn each_effect_of_workstations_is_a_line() {
    use station::Effect::{Ask, Checkpoint as Save, Place, Poll, Preempt, Resume, SetAside};
    let (node, run, home, begins) = (NodeId(4), run(), StationId(1), Instant::from_ticks(65));
    let checkpoint = Checkpoint(8);
    let reasons = [
        PreemptReason::Fairness { to: home },
        PreemptReason::Moved { to: node },
        PreemptReason::Withdrawn,
        PreemptReason::Cancelled,
        PreemptReason::Held,
        PreemptReason::Limit,
        PreemptReason::Drained,
    ];
    let effects = [
        Poll,
        Place { node, run, home, begins },
        Resume { node, run, home, checkpoint, begins },
        Save { node, run },
        Ask { node, run },
        SetAside { node },
    ];
    let preempted = reasons.map(|why| Preempt { node, run, why });
    let lines: Vec<_> = effects.iter().chain(&preempted).map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "all stations: say how it is",
            "node 4: start 3.5/2 of station 1 by 65",
            "node 4: resume 3.5/2 of station 1 from checkpoint 8 by 65",
            "node 4: checkpoint 3.5/2",
            "node 4: what became of 3.5/2?",
            "node 4 is set aside",
            "node 4: checkpoint 3.5/2 and drop it, as its processor goes to station 1",
            "node 4: checkpoint 3.5/2 and drop it, as its job moves to node 4",
            "node 4: checkpoint 3.5/2 and drop it, as its processor is withdrawn",
            "node 4: checkpoint 3.5/2 and drop it, as its job is cancelled",
            "node 4: checkpoint 3.5/2 and drop it, as its job is held",
            "node 4: checkpoint 3.5/2 and drop it, as its job has run for as long as it may",
            "node 4: checkpoint 3.5/2 and drop it, as its processor is drained",
        ]
    );
}

#[test]
fn each_effect_of_a_site_and_of_shared_hosts_is_a_line() {
    let (run, resource) = (run(), site::ResourceId(2));
    let dispatch = site::Effect::Dispatch { run, class: site::JobClass(1), resource };
    let preempt = site::Effect::Preempt { run, resource };
    assert_eq!(dispatch.to_string(), "resource 2: start 3.5/2 of class 1");
    assert_eq!(preempt.to_string(), "resource 2: drop 3.5/2");

    let (job, user, level) = (run.job, UserId(6), Level::TOP);
    let batch = cluster::Batch { boot: 1, number: 7 };
    let assign = |terminating| {
        let assignment = cluster::Assignment { job, user, level, first: true, terminating };
        cluster::Effect::Assign { host: HostId(9), batch, number: 0, assignment }.to_string()
    };
    assert_eq!(assign(false), "host 9, batch 1.7: job 3.5 at level 0");
    assert_eq!(assign(true), "host 9, batch 1.7: job 3.5 at level 0, to be killed");
    let end = cluster::Effect::AssignmentsEnd { host: HostId(9), batch, jobs: 1 };
    assert_eq!(end.to_string(), "host 9, batch 1.7: these 1 alone");

    use cluster::HostEffect::{Kill, RaiseHelper, Report, RestoreHelper, SetPriority, Start};
    let effects = [
        Kill { job },
        RaiseHelper { user, level },
        Start { job, user, level, first: true },
        Start { job, user, level, first: false },
        SetPriority { job, level },
        RestoreHelper { user },
        Report { load: Load::FULL, heard: batch },
    ];
    assert_eq!(
        effects.map(|effect| effect.to_string()),
        [
            "kill job 3.5",
            "raise the helper of user 6 to level 0",
            "start job 3.5 of user 6 at level 0 with its first process",
            "start job 3.5 of user 6 at level 0",
            "run job 3.5 at level 0",
            "restore the helper of user 6",
            "report a load of 1000 thousandths, and batch 1.7",
        ]
    );
}

#[test]
fn each_action_of_a_workstation_is_a_line_and_one_of_a_thing_is_in_the_singular() {
    use node::Action::{Checkpoint, Continue, Kill, Start, Suspend, Vacate};
    let actions = [Start, Suspend, Continue, Checkpoint(node::Writing(4)), Vacate, Kill];
    let lines = [
        "start the guest",
        "stop the guest and keep it in memory",
        "let the guest go on",
        "write checkpoint 4 of the guest",
        "drop the guest, whose checkpoint is safe",
        "kill the guest",
    ];
    assert_eq!(actions.map(|action| action.to_string()), lines);

    let refusals = [
        dispatch::Refusal::TooLarge { pes: 1 }.to_string(),
        dispatch::Refusal::Faulty { serving: 1 }.to_string(),
        dispatch::Refusal::Full { entries: 1 }.to_string(),
        cluster::Refusal::TooLarge { hosts: 1 }.to_string(),
        timeshare::Refusal::Lost { there: 1 }.to_string(),
        timeshare::Refusal::TooFew { free: 1 }.to_string(),
        site::Refusal::Limit { jobs: 1 }.to_string(),
        dispatch::Job::new(6, 1).to_string(),
    ];
    let lines = [
        "the machine has 1 PE only",
        "the machine has 1 PE in service only, until some are repaired",
        "there is room for 1 job only",
        "the cluster has 1 host only",
        "the cluster has 1 host there only: wait until others are back",
        "now the job can have 1 host only: wait until a job ends",
        "the user has 1 job, which is as many as he may have",
        "job 6 (1 PE)",
    ];
    assert_eq!(refusals, lines);
}
