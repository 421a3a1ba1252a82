//! The backend beside a real Slurm, which `ci/slurm` starts: one job through all that can be done to it.

use std::process::Command;
use std::time::{Duration, Instant};

use locox_agent::backend::{Act, Backend, JobKnown, JobSeen, Known, Outcome, State};
use locox_agent::slurm::{Slurm, SlurmConfig};

fn say(program: &str, arguments: &[&str]) -> String {
    let output =
        Command::new(program).args(arguments).output().expect("Slurm's commands are in PATH");
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn submit(more: &[&str]) -> String {
    let always = ["--parsable", "--output=/dev/null", "--chdir=/", "--time=5", "--wrap=sleep 60"];
    say("sbatch", &[&always[..], more].concat()).trim().to_owned()
}

struct Live {
    slurm: Slurm,
}

impl Live {
    fn job(&mut self, name: &str) -> Option<JobSeen> {
        let snapshot = self.slurm.snapshot().expect("a snapshot");
        snapshot.jobs.into_iter().find(|job| job.name == name)
    }

    /// Asks until the job is so, and says how long that took.
    fn until(&mut self, name: &str, is_so: impl Fn(&JobSeen) -> bool) -> (JobSeen, Duration) {
        let start = Instant::now();
        loop {
            let job = self.job(name).expect("the job is there");
            if is_so(&job) {
                return (job, start.elapsed());
            }
            assert!(start.elapsed() < Duration::from_secs(20), "it does not become so: {job:?}");
        }
    }

    fn does(&mut self, act: Act) {
        let outcomes = self.slurm.act(std::slice::from_ref(&act)).expect("answers");
        assert_eq!(outcomes, [Outcome::Taken], "{act:?}");
    }
}

fn waits(gated: bool, held: bool) -> impl Fn(&JobSeen) -> bool {
    move |job| job.state == State::Waits { gated, held }
}

fn runs_on(nodes: &[&str]) -> impl Fn(&JobSeen) -> bool {
    let nodes: Vec<String> = nodes.iter().map(|&node| node.into()).collect();
    move |job| matches!(&job.state, State::Runs { nodes: on, .. } if *on == nodes)
}

#[test]
#[ignore = "needs a real Slurm: ci/slurm starts one"]
fn all_that_can_be_done_to_a_job_is_done_by_slurm() {
    let mut live = Live { slurm: Slurm::new(SlurmConfig::new(vec!["main".into()])).expect("fine") };
    let findings = live.slurm.examine(true);
    assert!(findings.iter().all(|finding| finding.is_good), "{findings:#?}");

    let job = submit(&["--nodes=3", "--job-name=a|b\nc", "--nice=7"]);
    let seen = live.job(&job).expect("it waits");
    assert!(waits(true, false)(&seen), "the gate is closed: {seen:?}");
    assert_eq!(
        (seen.nodes, seen.limit, seen.priority, seen.governed),
        (3, 300, (1 << 31) - 7, true)
    );
    let born = seen.born;

    // Its owner's hold is told apart from the gate, and stays when it is asked to start.
    say("scontrol", &["hold", &job]);
    live.until(&job, waits(true, true));
    say("scontrol", &["release", &job]);
    live.until(&job, waits(true, false));

    let places = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    live.does(Act::Start { job: job.clone(), nodes: places(&["node5", "node3", "node9"]) });
    let (_, started) = live.until(&job, runs_on(&["node3", "node5", "node9"]));
    println!("from release to start: {} ms", started.as_millis());

    // Stopped, it waits behind the gate, and is as old as it was.
    live.does(Act::Stop { job: job.clone() });
    let (seen, _) = live.until(&job, waits(true, false));
    assert_eq!(seen.born, born);
    live.does(Act::Start { job: job.clone(), nodes: places(&["node1", "node2", "node3"]) });
    live.until(&job, runs_on(&["node1", "node2", "node3"]));

    // Whoever starts anew knows its birth from what has been kept.
    let mut other =
        Live { slurm: Slurm::new(SlurmConfig::new(vec!["main".into()])).expect("fine") };
    let jobs = [JobKnown { id: seen.id, born, priority: seen.priority }];
    other.slurm.remember(&Known { jobs: &jobs, ..Known::default() });
    assert_eq!(other.job(&job).map(|job| job.born), Some(born));

    // An array: each element by itself. One that its owner puts back stands before the gate, which is closed.
    let array = submit(&["--array=2-4", "--nodes=1"]);
    let element = format!("{array}_3");
    live.until(&element, waits(true, false));
    live.does(Act::Start { job: element.clone(), nodes: places(&["node15"]) });
    live.until(&element, runs_on(&["node15"]));
    say("scontrol", &["requeue", &element]);
    live.until(&element, |job| matches!(job.state, State::Waits { gated: false, .. }));
    live.does(Act::Gate { job: element.clone() });
    live.until(&element, |job| matches!(job.state, State::Waits { gated: true, .. }));

    // Ranks, and back to what Slurm makes of it.
    let other = format!("{array}_4");
    let before = live.job(&other).expect("it waits").rank;
    live.does(Act::Prioritise { job: other.clone(), rank: 2_000_000_017 });
    assert_eq!(live.job(&other).map(|job| job.rank), Some(2_000_000_017));
    live.does(Act::Release { job: other.clone() });
    let (seen, _) = live.until(&other, |job| matches!(job.state, State::Runs { .. }));
    assert!(seen.rank.abs_diff(before) < 1000, "{} after {before}", seen.rank);

    // What cannot be done is refused, act by act.
    let nobody = "4000000";
    let refused = live
        .slurm
        .act(&[Act::Stop { job: nobody.into() }, Act::Gate { job: job.clone() }])
        .expect("answers");
    assert!(refused.iter().all(|outcome| matches!(outcome, Outcome::Refused(_))), "{refused:?}");

    // The mark.
    let mark = "agent 7 on head: /var/lib/locox";
    live.does(Act::Mark { text: mark.into() });
    assert_eq!(live.slurm.snapshot().map(|seen| seen.mark), Ok(mark.into()));
    live.does(Act::Mark { text: String::new() });
    assert_eq!(live.slurm.snapshot().map(|seen| seen.mark), Ok(String::new()));

    let gated = format!("{array}_2");
    assert!(
        live.job(&gated).is_some_and(|job| waits(true, false)(&job)),
        "what nobody started waits"
    );
    say("scancel", &[&job, &array]);
}
