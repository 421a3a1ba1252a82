//! How long a job of a site waits while others come all the time.

use locox::handle::PoolId;
use locox::mapping::{Site, Times};
use locox::time::{Duration, Instant};
use locox_coordinators::site::{
    Algorithm, Arrays, Command, Config, Coordinator, Effect, JobClass, JobId, MachineId, Policy,
    QueueId, Remap, Run, SiteModel, UserId,
};

const QUANTUM: u64 = 10;
const DAY: u64 = 86_400;
/// Class 0 takes a minute on either machine, class 1 an hour.
const TIMES: [u64; 4] = [60, 60, 3600, 3600];
const SHORT: u32 = 0;
const LONG: u32 = 1;

type Rows = Arrays<8, 2, 2, 2, 2, 1, 0, 0>;

/// When the job of one user starts while the other keeps six jobs in line, within a day.
fn start_of_one(config: Config, algorithm: Algorithm, one: u32, others: u32) -> Option<u64> {
    let times = TIMES.map(Duration::from_ticks);
    let model = SiteModel {
        site: Site::new(2, &[]).unwrap(),
        times: Times::new(&times, 2).unwrap(),
        classes: &[],
    };
    let mut rows = Rows::EMPTY;
    let mut site = Coordinator::new(config, model, rows.columns(), Instant::ZERO).unwrap();
    let (mut now, mut serials) = (0, [0, 0]);
    let mut running: Vec<(u64, u64, Run)> = vec![];
    let policy = Policy { algorithm, ..Policy::EMPTY };
    let say = |site: &mut Coordinator<'_>, now, command| {
        let answer = site.apply(Instant::from_ticks(now), command).unwrap();
        site.check_invariants().unwrap();
        answer
    };
    for machine in [MachineId(0), MachineId(1)] {
        say(&mut site, 0, Command::MachineBack { machine, boot: 1 });
    }
    say(&mut site, 0, Command::SetPolicy { queue: QueueId(0), policy });
    let mut submit = |site: &mut Coordinator<'_>, now, user: u32, class| -> JobId {
        serials[user as usize] += 1;
        let serial = serials[user as usize];
        let (user, queue, class) = (UserId(user), QueueId(0), JobClass(class));
        say(site, now, Command::Submit { user, serial, queue, class }).unwrap()
    };
    (0..6).for_each(|_| _ = submit(&mut site, 0, 0, others));
    let that = submit(&mut site, 0, 1, one);
    while now < DAY {
        let wake = site.wake_at().map_or(DAY, Instant::ticks);
        let ended = running.iter().map(|run| run.0).min().filter(|&end| end <= wake);
        now = ended.unwrap_or(wake);
        if let Some(at) = running.iter().position(|run| Some(run.0) == ended) {
            let (_, took, run) = running.remove(at);
            let took = Duration::from_ticks(took);
            say(&mut site, now, Command::Finished { run, took });
            submit(&mut site, now, 0, others);
        } else {
            say(&mut site, now, Command::Tick);
        }
        while let Some(effect) = site.take_effect() {
            let Effect::Dispatch { run, class, .. } = effect else { panic!("{effect:?}") };
            if run.job == that {
                return Some(now);
            }
            let took = TIMES[2 * class.0 as usize];
            running.push((now + took, took, run));
        }
    }
    None
}

#[test]
fn no_job_waits_for_longer_than_patience_and_what_runs() {
    let config = Config::new(Duration::from_ticks(QUANTUM), PoolId(1));
    for patience in [0, 1, 7, 100] {
        let config = Config { patience: Some(patience), ..config };
        for remap in [Remap::Waiting, Remap::New] {
            let config = Config { remap, ..config };
            for algorithm in Algorithm::ALL {
                for (one, others) in [(LONG, SHORT), (SHORT, LONG)] {
                    let started = start_of_one(config, algorithm, one, others);
                    // The six others on two machines came before it, and may have waited as long.
                    let run = TIMES[2 * others as usize];
                    let most = (u64::from(patience) + 2) * QUANTUM + 3 * run;
                    let why = format!("{algorithm:?} {remap:?}, {patience}: {started:?}");
                    assert!(started.is_some_and(|at| at <= most), "{why}, at most {most}");
                }
            }
        }
    }
    assert_eq!(config.patience, Some(100));
}

#[test]
fn without_a_bound_a_job_may_wait_for_ever() {
    let config = Config::new(Duration::from_ticks(QUANTUM), PoolId(1));
    let config = Config { patience: None, ..config };
    let starves = |algorithm, one, others| start_of_one(config, algorithm, one, others).is_none();
    let which = |one, others| Algorithm::ALL.map(|algorithm| starves(algorithm, one, others));
    // As the guide says: PJS, SJS, OLB, best assignment, min-min, max-min, sufferage.
    // Machines are alike, so that nobody suffers.
    assert_eq!(which(LONG, SHORT), [true, true, false, false, true, false, false]);
    assert_eq!(which(SHORT, LONG), [false, false, false, false, false, true, false]);
}
