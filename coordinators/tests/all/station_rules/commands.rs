//! Reports that are late, repeated or wrong; bad parameters.

use super::*;

#[test]
fn what_is_known_already_changes_nothing() {
    let (mut pool, _) = one_running();
    let before = pool.coordinator.demand().to_vec();
    for command in [
        Command::NodeIdle { node: BANK[0] },
        Command::OwnerBack { station: StationId(1) },
        Command::NodeLost { node: BANK[1] },
    ] {
        assert_eq!(pool.act(2, command), []);
        assert_eq!(pool.coordinator.demand(), before);
    }
}

#[test]
fn a_submission_said_twice_opens_one_job() {
    let mut pool = Pool::new(Trigger::Capacity);
    let submit = |serial| Command::Submit { home: StationId(1), serial };
    let first = pool.coordinator.apply(at(1), submit(1));
    assert_eq!(pool.coordinator.apply(at(2), submit(1)), first);
    assert_eq!(pool.demand(1), (1, 0));
    let second = pool.coordinator.apply(at(3), submit(2));
    assert_ne!(first, second);
    for serial in [0, 1, 4] {
        let refused = pool.coordinator.apply(at(3), submit(serial));
        assert_eq!(refused, Err(Error::Misused(Misuse::Serial { next: 3 })));
    }
}

#[test]
fn refused_commands_name_the_parameter_and_change_nothing() {
    let (mut pool, job) = one_running();
    pool.act(2, Command::NodeLost { node: BANK[0] });
    pool.act(2, Command::NodeIdle { node: BANK[0] });
    // Lost, it was placed again.
    assert_eq!(pool.status(job), Status::Running { node: BANK[0] });
    let (done, _) = pool.submit(2, 1);
    let submit = |home, serial| Command::Submit { home: StationId(home), serial };
    for serial in 2..6 {
        pool.act(3, submit(1, serial));
    }
    let mut other = Pool::new(Trigger::Demand);
    other.coordinator = {
        let config = Config { pool: PoolId(8), ..config(Trigger::Demand) };
        let fair = other.coordinator.fairness().clone();
        Coordinator::new(config, Table::EMPTY, fair, at(0)).unwrap()
    };
    let foreign = other.submit(1, 0).0;
    use Error::{Misused, Refused};
    let cases = [
        (1, Command::Tick, Misused(Misuse::TimeWentBack), "now"),
        (4, submit(3, 1), Misused(Misuse::NoSuchStation(StationId(3))), "station"),
        (4, submit(0, 9), Misused(Misuse::Serial { next: 2 }), "serial"),
        (4, submit(0, 2), Refused(Refusal::JobsFull), "jobs"),
        (4, Command::NodeIdle { node: NodeId(5) }, Misused(Misuse::NoSuchNode(NodeId(5))), "node"),
        (4, Command::NodeLost { node: NodeId(9) }, Misused(Misuse::NoSuchNode(NodeId(9))), "node"),
        (
            4,
            Command::OwnerBack { station: StationId(4) },
            Misused(Misuse::NoSuchStation(StationId(4))),
            "station",
        ),
        (4, Command::Vacated { run: run(job, 1) }, Misused(Misuse::RunOver), "run"),
        (4, Command::Finished { run: run(job, 3) }, Misused(Misuse::RunOver), "run"),
        (4, Command::Continued { run: run(done, 1) }, Misused(Misuse::RunOver), "run"),
        (
            4,
            Command::Finished { run: run(foreign, 1) },
            Misused(Misuse::Job(handle::Misuse::Foreign)),
            "job",
        ),
    ];
    let image = |pool: &Pool| {
        let mut words = Vec::new();
        pool.coordinator.export(|word| words.push(word));
        words
    };
    let before = image(&pool);
    for (time, command, error, parameter) in cases {
        assert_eq!(pool.coordinator.apply(at(time), command), Err(error), "{command:?}");
        assert!(error.to_string().contains(parameter), "{error}");
        assert_eq!(image(&pool), before, "{command:?}");
    }
}

#[test]
fn a_station_has_65535_jobs_at_most() {
    let most = u32::from(u16::MAX);
    let table = locox_coordinators::station::Columns {
        demand: [Demand::NONE; 1],
        homes: [HomeRow::EMPTY; 1],
        nodes: [NodeRow::EMPTY; 1],
        jobs: vec![JobRow::EMPTY; most as usize + 1],
        scratch: [fair::Contender::EMPTY; 4],
    };
    let config = config(Trigger::IntervalOnly);
    let mut pool = Coordinator::new(config, table, RoundRobin::default(), at(0)).unwrap();
    let submit = |serial| Command::Submit { home: StationId(0), serial };
    for serial in 1..=most {
        pool.apply(at(0), submit(serial)).unwrap();
    }
    let full = Err(Error::Refused(Refusal::StationFull(StationId(0))));
    assert_eq!(pool.apply(at(0), submit(most + 1)), full);
    pool.apply(at(1), Command::NodeIdle { node: NodeId(0) }).unwrap();
    let Some(Effect::Place { run, .. }) = pool.take_effect() else { panic!("nothing starts") };
    pool.apply(at(2), Command::Finished { run }).unwrap();
    assert!(pool.apply(at(2), submit(most + 1)).is_ok());
    pool.check_invariants().unwrap();
}

#[test]
fn a_finished_job_is_stale_even_when_its_row_is_used_again() {
    let (mut pool, job) = one_running();
    pool.act(2, Command::Finished { run: run(job, 1) });
    let (next, _) = pool.submit(3, 0);
    assert_eq!(next.handle().index(), job.handle().index());
    let late = Command::Finished { run: run(job, 1) };
    let stale = Err(Error::Misused(Misuse::Job(handle::Misuse::Stale)));
    assert_eq!(pool.coordinator.apply(at(4), late), stale);
    assert_eq!(pool.status(next), Status::Running { node: BANK[0] });
}

// Bad parameters.

#[test]
fn a_configuration_or_storage_that_cannot_be_is_refused_by_its_name() {
    let zero = Some(Duration::ZERO);
    let good = config(Trigger::Capacity);
    let fair = || UpDown::new([ScheduleIndex::ZERO; STATIONS], Condor::default());
    let refused = |config| Coordinator::new(config, Table::EMPTY, fair(), at(0)).err().unwrap();
    let zero_of = |parameter| Misuse::Zero { parameter };
    assert_eq!(refused(Config { interval: Duration::ZERO, ..good }), zero_of("interval"));
    assert_eq!(refused(Config { poll: zero, ..good }), zero_of("poll"));
    assert_eq!(refused(Config { checkpoint: zero, ..good }), zero_of("checkpoint"));

    let narrow = Arrays::<3, 2, 4, 4>::EMPTY;
    let error = Coordinator::new(good, narrow, fair(), at(0)).err().unwrap();
    assert_eq!(error, Misuse::StorageTooSmall { column: "nodes", needs: 3, has: 2 });
    assert_eq!(error.to_string(), "nodes has 2 rows and needs 3");
    let tight = Arrays::<3, 3, 4, 3>::EMPTY;
    let error = Coordinator::new(good, tight, fair(), at(0)).err().unwrap();
    assert_eq!(error, Misuse::StorageTooSmall { column: "scratch", needs: 4, has: 3 });
    let wide = Arrays::<4, 4, 4, 4>::EMPTY;
    let error = Coordinator::new(good, wide, fair(), at(0)).err().unwrap();
    let table = fair::Misuse::Stations { table: 3, demand: 4 };
    assert_eq!(error, Misuse::Ranking(table));
    assert!(error.to_string().starts_with("demand"));
}

#[test]
fn rows_are_as_large_as_their_documentation_says() {
    assert_eq!(size_of::<Demand>() + size_of::<HomeRow>(), 36);
    assert_eq!(size_of::<NodeRow>(), 48);
    assert_eq!(size_of::<JobRow>(), 64);
}
