//! Jobs, runs and effects as text: a line each.

use locox::fair::StationId;
use locox::handle::{Epoch, Generation, Handle, PoolId};
use locox::time::Instant;
use locox::timeshare::{HostId, Level, Load, UserId};
use locox_coordinators::coordinate::{JobId, Run};
use locox_coordinators::station::{Checkpoint, NodeId, PreemptReason};
use locox_coordinators::{cluster, site, station};

fn run() -> Run {
    let handle = Handle::from_parts(PoolId(7), 3, Generation::from_raw(5), Epoch(0));
    Run { job: JobId::from_handle(handle), attempt: 2 }
}

#[test]
fn a_job_and_a_run_are_called_by_their_handle_in_both_forms() {
    let (run, job) = (run(), run().job);
    assert_eq!([format!("{job}"), format!("{job:#}")], ["3.5", "3.5 (pool 7)"]);
    assert_eq!([format!("{run}"), format!("{run:#}")], ["3.5/2", "3.5/2 (pool 7)"]);
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
fn one_of_a_thing_is_in_the_singular() {
    assert_eq!(cluster::Refusal::TooLarge { hosts: 1 }.to_string(), "the cluster has 1 host only");
    assert_eq!(
        site::Refusal::Limit { jobs: 1 }.to_string(),
        "the user has 1 job, which is as many as he may have"
    );
}
